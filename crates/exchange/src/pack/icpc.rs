//! A zip of version 2025-09: the package itself, with links resolved and constants filled in as BAPCtools does.

use super::{own_validator::is_cpp, pack_layout::PackLayout};
use anyhow::Result;
use kopek_engine::package::Judge;
use std::path::PathBuf;

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
            let below = if *dir == "output_validator" { self.lone_directory() } else { PathBuf::new() };
            for file in self.files_in(dir)? {
                let from = package.dir.join(dir).join(&file);
                let file = file.strip_prefix(&below).unwrap_or(&file);
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

    /// The directory below `output_validator` with its program. BAPCtools reads the files of `output_validator`
    /// itself only; the program's may lie there if kopek reads them as one program there, too.
    fn lone_directory(&self) -> PathBuf {
        let Judge::Programs { programs, .. } = &self.package.judge else { return PathBuf::new() };
        let [program] = programs.as_slice() else { return PathBuf::new() };
        let files = &program.source.files;
        let has_entry =
            ["__main__.py", "build", "run"].iter().any(|entry| files.contains(&PathBuf::from(entry)));
        let is_one = files.len() == 1 || has_entry || files.iter().all(|file| is_cpp(file));
        match program.source.root.strip_prefix(self.package.dir.join("output_validator")) {
            Ok(below) if is_one => below.to_owned(),
            Ok(_) | Err(_) => PathBuf::new(),
        }
    }
}
