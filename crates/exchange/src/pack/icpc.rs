//! A zip of version 2025-09: the package itself, with links resolved and constants filled in as BAPCtools does.

use super::pack_layout::PackLayout;
use anyhow::Result;

const FILES: &[&str] = &["problem.yaml", "kopek.toml"];
/// Directories that are copied.
const COPIED: &[&str] =
    &["statement", "solution", "problem_slide", "attachments", "generators", "include", "submissions"];
/// Programs in which constants are filled in.
const FILLED: &[&str] =
    &["input_validators", "output_validator", "static_validator", "input_visualizer", "output_visualizer"];

impl PackLayout<'_> {
    pub fn add_icpc(&mut self) -> Result<()> {
        let package = self.package;
        for name in FILES.iter().filter(|name| package.dir.join(name).is_file()) {
            self.add_copy(*name, package.dir.join(name));
        }
        COPIED.iter().try_for_each(|dir| self.add_directory(dir))?;
        for dir in FILLED {
            for file in self.files_in(dir)? {
                let from = package.dir.join(dir).join(&file);
                self.add_filled(format!("{dir}/{}", file.display()), &from)?;
            }
        }
        for file in self.files_in("data")? {
            let (path, from) = (format!("data/{}", file.display()), package.dir.join("data").join(&file));
            match file.ends_with("test_group.yaml") {
                true => self.add_filled(path, &from)?,
                false => self.add_copy(path, from),
            }
        }
        Ok(())
    }
}
