//! A package as an autograder: the package, the judge, and the scripts that Gradescope or Classroom 50 start.

use super::{
    packed::{Bundle, EXECUTABLE, PLAIN, PackContents, PackFile, PackFiles, files_in},
    target::Target,
};
use anyhow::{Context, Result};
use kopek_package::package::Package;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// Directories that judging does not need, or that students must never get.
const LEFT_OUT: [&str; 5] = ["submissions", "generators", "attachments", "solution", "input_visualizer"];

/// Files that students may begin with.
const TEMPLATES: &str = "attachments/templates";

const RUN: &str = include_str!("autograder/run_autograder");
const SETUP: &str = include_str!("autograder/setup.sh");
const CLASSROOM50: &str = include_str!("autograder/autograder.py");

/// The origin of kopek in the autograder of Classroom 50.
pub enum JudgeProgram {
    /// In the bundle.
    Inside(PathBuf),
    /// At an address, checked by its SHA-256.
    Download {
        url: String,
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
    let name = script_name(package);
    Ok(Bundle { target: Target::Gradescope, name, root: String::new(), files, notes: Vec::new() })
}

/// Lays out the folder of an assignment of Classroom 50.
pub fn pack_classroom50(package: &Package, judge: &JudgeProgram) -> Result<Bundle> {
    let mut files = judged_files(package)?;
    let (url, sha256) = match judge {
        JudgeProgram::Inside(program) => {
            files.insert("kopek".to_owned(), program_file(program));
            ("", "")
        }
        JudgeProgram::Download { url, sha256 } => (url.as_str(), sha256.as_str()),
    };
    // Python reads the literals of JSON.
    let url_literal = serde_json::to_string(url).context("write the URL")?;
    let text = CLASSROOM50.replace("@SHA256@", sha256).replace("\"@URL@\"", &url_literal);
    files.insert("autograder.py".to_owned(), script(&text, package));
    files.extend(starting_files(package)?);
    let name = script_name(package);
    Ok(Bundle { target: Target::Classroom50, root: format!("{name}/"), name, files, notes: Vec::new() })
}

/// The name of the package in scripts: quoting differs between a shell, its comments and Python.
fn script_name(package: &Package) -> String {
    Target::Gradescope.problem_name(&package.name)
}

fn script(text: &str, package: &Package) -> PackFile {
    let text = text.replace("@PACKAGE@", &script_name(package));
    PackFile { contents: PackContents::Bytes(text.into_bytes()), mode: EXECUTABLE }
}

fn program_file(program: &Path) -> PackFile {
    PackFile { contents: PackContents::Of(program.to_owned()), mode: EXECUTABLE }
}

/// The package without files that participants must not see.
fn judged_files(package: &Package) -> Result<PackFiles> {
    let mut files = PackFiles::new();
    let home = format!("package/{}", script_name(package));
    let read = || fs::read_dir(&package.dir)?.collect::<std::io::Result<Vec<_>>>();
    for entry in read().with_context(|| format!("read {}", package.dir.display()))? {
        let name = entry.file_name().to_string_lossy().into_owned();
        if LEFT_OUT.contains(&name.as_str()) || (name.starts_with('.') && name != ".timelimit") {
            continue;
        }
        if entry.path().is_file() {
            files.insert(format!("{home}/{name}"), package_file(entry.path())?);
            continue;
        }
        for file in files_in(package, Path::new(&name))? {
            let path = format!("{home}/{name}/{}", file.to_string_lossy());
            files.insert(path, package_file(entry.path().join(file))?);
        }
    }
    Ok(files)
}

/// `attachments/templates/`, for the repository that students begin with.
fn starting_files(package: &Package) -> Result<PackFiles> {
    let mut files = PackFiles::new();
    for path in files_in(package, Path::new(TEMPLATES))? {
        let from = package.dir.join(TEMPLATES).join(&path);
        files.insert(format!("templates/{}", path.to_string_lossy()), package_file(from)?);
    }
    Ok(files)
}

/// A file of the package. Executable files stay executable.
fn package_file(from: PathBuf) -> Result<PackFile> {
    let meta = fs::metadata(&from).with_context(|| format!("read {}", from.display()))?;
    let mode = if meta.permissions().mode() & 0o111 != 0 { EXECUTABLE } else { PLAIN };
    Ok(PackFile { contents: PackContents::Of(from), mode })
}
