//! A package as an autograder: the package, the judge, and the scripts that Gradescope or Classroom 50 start.

use super::{
    pack_layout::{Bundle, PackContents, PackFile},
    quoting::{python_text, reduced_name},
};
use anyhow::{Context, Result, bail};
use kopek_engine::package::{Finding, Package, files_below};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Directories that judging does not need, or that students must never get.
const LEFT_OUT: [&str; 5] = ["submissions", "generators", "attachments", "solution", "input_visualizer"];

/// Files that students may begin with, in the package and in the bundle.
const TEMPLATES: &str = "templates";

const RUN: &str = include_str!("autograder/run_autograder");
const SETUP: &str = include_str!("autograder/setup.sh");
const CLASSROOM50: &str = include_str!("autograder/autograder.py");

/// The origin of kopek in the autograder of Classroom 50.
pub enum JudgeProgram<'a> {
    /// In the bundle.
    Inside(&'a Path),
    /// At an address, checked by its SHA-256.
    Download {
        /// The address.
        url: &'a str,
        /// In hexadecimal digits.
        sha256: String,
    },
}

/// Lays out the zip. `judge`: the kopek that will judge there.
pub fn pack_autograder(package: &Package, judge: &Path) -> Result<Bundle> {
    let mut files = judged_files(package)?;
    files.insert("run_autograder".to_owned(), script(RUN, package));
    files.insert("setup.sh".to_owned(), script(SETUP, package));
    files.insert("kopek".to_owned(), program_file(judge));
    let name = format!("{}-autograder", script_name(package));
    Ok(Bundle { name, root: String::new(), files, notes: Vec::new() })
}

/// Lays out the folder of an assignment of Classroom 50.
pub fn pack_classroom50(package: &Package, judge: &JudgeProgram) -> Result<Bundle> {
    let mut files = judged_files(package)?;
    let (url, sha256) = match judge {
        JudgeProgram::Inside(program) => {
            files.insert("kopek".to_owned(), program_file(program));
            ("", "")
        }
        JudgeProgram::Download { url, sha256 } => (*url, sha256.as_str()),
    };
    let text = CLASSROOM50.replace("@SHA256@", sha256).replace("\"@URL@\"", &python_text(url));
    files.insert("autograder.py".to_owned(), script(&text, package));
    files.extend(starting_files(package)?);
    let own = script_name(package);
    Ok(Bundle { name: format!("{own}-classroom50"), root: format!("{own}/"), files, notes: Vec::new() })
}

/// `attachments/templates/`, for the repository that students begin with.
fn starting_files(package: &Package) -> Result<BTreeMap<String, PackFile>> {
    let mut findings = Vec::new();
    let mut files = BTreeMap::new();
    for path in files_below(package, &Path::new("attachments").join(TEMPLATES), &mut findings)? {
        let from = package.dir.join("attachments").join(TEMPLATES).join(&path);
        let mode = mode_of(&from)?;
        let path = format!("{TEMPLATES}/{}", path.to_string_lossy());
        files.insert(path, PackFile { contents: PackContents::Of(from), mode });
    }
    fail_on(&findings)?;
    Ok(files)
}

fn fail_on(findings: &[Finding]) -> Result<()> {
    match findings.first() {
        Some(Finding { file, what, .. }) => bail!("{} {what}", file.display()),
        None => Ok(()),
    }
}

/// The name of the package in scripts: quoting differs between a shell, its comments and Python.
fn script_name(package: &Package) -> String {
    reduced_name(&package.name, "-")
}

fn script(text: &str, package: &Package) -> PackFile {
    let text = text.replace("@PACKAGE@", &script_name(package));
    PackFile { contents: PackContents::Bytes(text.into_bytes()), mode: 0o755 }
}

fn program_file(program: &Path) -> PackFile {
    PackFile { contents: PackContents::Of(program.to_owned()), mode: 0o755 }
}

/// The package without files that participants must not see.
fn judged_files(package: &Package) -> Result<BTreeMap<String, PackFile>> {
    let mut files = BTreeMap::new();
    for (path, from) in package_files(package)? {
        let mode = mode_of(&from)?;
        let path = format!("package/{}/{}", script_name(package), path.to_string_lossy());
        files.insert(path, PackFile { contents: PackContents::Of(from), mode });
    }
    Ok(files)
}

/// Files of the package by their paths in it.
fn package_files(package: &Package) -> Result<Vec<(PathBuf, PathBuf)>> {
    let mut found = Vec::new();
    let read = || fs::read_dir(&package.dir)?.collect::<std::io::Result<Vec<_>>>();
    for entry in read().with_context(|| format!("read {}", package.dir.display()))? {
        let name = entry.file_name().to_string_lossy().into_owned();
        if LEFT_OUT.contains(&name.as_str()) || (name.starts_with('.') && name != ".timelimit") {
            continue;
        }
        let path = entry.path();
        if path.is_file() {
            found.push((PathBuf::from(name), path));
            continue;
        }
        let mut findings = Vec::new();
        let below = files_below(package, Path::new(&name), &mut findings)?;
        fail_on(&findings)?;
        found.extend(below.into_iter().map(|file| (Path::new(&name).join(&file), path.join(&file))));
    }
    Ok(found)
}

/// Executable files stay executable.
fn mode_of(file: &Path) -> Result<u32> {
    use std::os::unix::fs::PermissionsExt;
    let meta = fs::metadata(file).with_context(|| format!("read {}", file.display()))?;
    Ok(if meta.permissions().mode() & 0o111 != 0 { 0o755 } else { 0o644 })
}
