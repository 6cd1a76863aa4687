//! The layout of a package for its target: paths to contents. Writes nothing.

use super::{losses::Loss, note::Note, target::Target};
use anyhow::{Context, Result, bail};
use kopek_engine::package::{Finding, Package, TestSet, files_below, fill_constants};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The contents of a zip.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The name of the zip without its ending; it differs between targets.
    pub name: String,
    /// The top directory, with a slash; empty: none.
    pub root: String,
    /// Files by their paths below that directory.
    pub files: BTreeMap<String, PackFile>,
    /// Losses, those that change results first.
    pub notes: Vec<Note>,
}

/// A file of the zip.
#[derive(Debug, Clone)]
pub struct PackFile {
    /// Its contents.
    pub contents: PackContents,
    /// Its permissions.
    pub mode: u32,
}

/// The contents of a file.
#[derive(Debug, Clone)]
pub enum PackContents {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The contents of this file.
    Of(PathBuf),
}

const PLAIN: u32 = 0o644;
const EXECUTABLE: u32 = 0o755;

pub struct PackLayout<'a> {
    pub package: &'a Package,
    pub tests: &'a TestSet,
    pub target: Target,
    /// The output validator's flags, if they are the same for all cases.
    pub common_flags: Option<String>,
    files: BTreeMap<String, PackFile>,
    notes: Vec<Note>,
}

impl<'a> PackLayout<'a> {
    pub fn new(
        package: &'a Package,
        tests: &'a TestSet,
        target: Target,
        common_flags: Option<String>,
    ) -> PackLayout<'a> {
        PackLayout { package, tests, target, common_flags, files: BTreeMap::new(), notes: Vec::new() }
    }

    /// The finished bundle, under a name that the target allows.
    pub fn into_bundle(mut self) -> Bundle {
        let name = self.target_name();
        if name != self.package.name {
            let own = self.package.name.clone();
            self.report_loss(Loss::OtherName, ".", &[&own, &name]);
        }
        self.notes.sort();
        // Every case may report the same loss.
        self.notes.dedup();
        let root = match self.target {
            Target::Kattis | Target::Icpc | Target::Hydro | Target::Cms | Target::Dmoj => format!("{name}/"),
            Target::Domjudge => String::new(),
        };
        let name = format!("{name}-{}", self.target.name().to_lowercase());
        Bundle { name, root, files: self.files, notes: self.notes }
    }

    /// The name of the problem in the target.
    pub fn target_name(&self) -> String {
        self.target.problem_name(&self.package.name)
    }

    /// Notes a loss, if it is one in the target.
    pub fn report_loss(&mut self, loss: Loss, place: impl AsRef<str>, details: &[&str]) {
        self.notes.extend(loss.note(self.target, place.as_ref(), details));
    }

    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    pub fn add_text(&mut self, path: impl Into<String>, text: impl Into<Vec<u8>>) {
        let path = path.into();
        let mode = if is_started(&path) { EXECUTABLE } else { PLAIN };
        self.files.insert(path, PackFile { contents: PackContents::Bytes(text.into()), mode });
    }

    pub fn add_copy(&mut self, path: impl Into<String>, from: impl Into<PathBuf>) {
        let path = path.into();
        let mode = if is_started(&path) { EXECUTABLE } else { PLAIN };
        self.files.insert(path, PackFile { contents: PackContents::Of(from.into()), mode });
    }

    /// Adds a file with constants filled in.
    pub fn add_filled(&mut self, path: impl Into<String>, from: &Path) -> Result<()> {
        match self.package.constants.is_empty() {
            true => self.add_copy(path, from),
            false => {
                let bytes = fs::read(from).with_context(|| format!("read {}", from.display()))?;
                let bytes = match String::from_utf8(bytes) {
                    Ok(text) => fill_constants(&text, &self.package.constants).into_bytes(),
                    Err(binary) => binary.into_bytes(),
                };
                self.add_text(path, bytes);
            }
        }
        Ok(())
    }

    /// Adds all files of a directory unchanged; follows links inside the package.
    pub fn add_directory(&mut self, dir: &str) -> Result<()> {
        for file in self.files_in(dir)? {
            let path = Path::new(dir).join(&file);
            self.add_copy(path.to_string_lossy(), self.package.dir.join(&path));
        }
        Ok(())
    }

    /// Files for contestants, but no templates: only version 2025-09 has them.
    pub fn add_attachments(&mut self, to: &str) -> Result<()> {
        for file in self.files_in("attachments")?.into_iter().filter(|file| !file.starts_with("templates")) {
            let from = self.package.dir.join("attachments").join(&file);
            self.add_copy(format!("{to}/{}", file.display()), from);
        }
        Ok(())
    }

    /// The files of a directory of the package, relative to it.
    pub fn files_in(&self, dir: &str) -> Result<Vec<PathBuf>> {
        let mut findings = Vec::new();
        let files = files_below(self.package, Path::new(dir), &mut findings)?;
        match findings.first() {
            Some(Finding { file, what, .. }) => bail!("{} {what}", file.display()),
            None => Ok(files),
        }
    }
}

/// Names of scripts that are executable.
fn is_started(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("build" | "run" | "checker")) || path.ends_with(".sh")
}
