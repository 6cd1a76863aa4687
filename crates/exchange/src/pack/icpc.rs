//! A zip of version 2025-09: the package itself, with links resolved and constants filled in as BAPCtools does.

use super::{
    general_losses::report_general_losses,
    losses::Loss,
    packed::{PackSource, Packed},
};
use anyhow::Result;
use kopek_package::package::Judge;
use std::path::{Path, PathBuf};

const FILES: &[&str] = &["problem.yaml", "kopek.toml"];
const COPIED: &[&str] =
    &["statement", "solution", "problem_slide", "attachments", "generators", "include", "submissions"];
/// Programs in which constants are filled in.
const FILLED: &[&str] =
    &["input_validators", "output_validator", "static_validator", "input_visualizer", "output_visualizer"];

pub fn pack_for_icpc(source: &PackSource) -> Result<Packed> {
    let mut packed = Packed::new(source.target);
    report_general_losses(source, &mut packed)?;
    let package = source.package;
    for name in FILES.iter().filter(|name| package.dir.join(name).is_file()) {
        packed.add_copy(*name, package.dir.join(name));
    }
    for dir in COPIED {
        packed.add_directory(source, dir)?;
    }
    let lone = validator_directory(source);
    if !lone.as_os_str().is_empty() && !is_read_as_one(source) {
        packed.report_loss(Loss::NestedValidator, format!("output_validator/{}", lone.display()), &[]);
    }
    for dir in FILLED {
        let moves = *dir == "output_validator" && is_read_as_one(source);
        let below = if moves { lone.as_path() } else { Path::new("") };
        for file in source.files_in(dir)? {
            let from = package.dir.join(dir).join(&file);
            let file = file.strip_prefix(below).unwrap_or(&file);
            packed.add_filled(source, format!("{dir}/{}", file.display()), &from)?;
        }
    }
    for file in source.files_in("data")? {
        let path = format!("data/{}", file.display());
        let from = package.dir.join("data").join(&file);
        if file.ends_with("test_group.yaml") {
            packed.add_filled(source, path, &from)?;
        } else {
            packed.add_copy(path, from);
        }
    }
    Ok(packed)
}

/// The directory below `output_validator` with its program; empty: that itself.
fn validator_directory(source: &PackSource) -> PathBuf {
    let Judge::Programs { programs, .. } = &source.package.judge else { return PathBuf::new() };
    let [program] = programs.as_slice() else { return PathBuf::new() };
    let below = program.source.root.strip_prefix(source.package.dir.join("output_validator"));
    below.map(Path::to_owned).unwrap_or_default()
}

/// Whether kopek reads the validator's files as one program in `output_validator`, too. BAPCtools reads the files of
/// `output_validator` itself only.
fn is_read_as_one(source: &PackSource) -> bool {
    let Judge::Programs { programs, .. } = &source.package.judge else { return false };
    let files = &programs[0].source.files;
    let has = |entry: &&str| files.contains(&PathBuf::from(entry));
    let is_crate =
        has(&"main.rs") && files.iter().all(|file| file.extension().is_some_and(|end| end == "rs"));
    let has_entry = ["__main__.py", "build", "run"].iter().any(has);
    files.len() == 1 || has_entry || is_crate || files.iter().all(|file| is_cpp(file))
}

/// Whether it is a source or header of C++.
fn is_cpp(file: &Path) -> bool {
    let endings = ["cpp", "cc", "cxx", "c++", "C", "h", "hpp", "hh", "hxx"];
    file.extension().and_then(|end| end.to_str()).is_some_and(|end| endings.contains(&end))
}
