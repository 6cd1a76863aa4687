//! A package to pack, and what its target gets: files and losses. Writes nothing.

use super::{
    losses::{Loss, Note},
    target::Target,
};
use anyhow::{Context, Result, bail};
use kopek_package::package::{Judge, Message, Package, Subject, TestSet, files_below, fill_constants};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The contents of a zip.
#[derive(Debug, Clone)]
pub struct Bundle {
    pub target: Target,
    /// The name of the package in the target.
    pub name: String,
    /// The top directory, with a slash; empty: none.
    pub root: String,
    /// Files by their paths below that directory.
    pub files: PackFiles,
    /// Losses, those that change results first.
    pub notes: Vec<Note>,
}

impl Bundle {
    /// The name of its zip.
    pub fn file_name(&self) -> String {
        format!("{}-{}.zip", self.name, self.target.code())
    }
}

/// Files by their paths in the zip.
pub type PackFiles = BTreeMap<String, PackFile>;

/// A file of the zip.
#[derive(Debug, Clone)]
pub struct PackFile {
    pub contents: PackContents,
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

pub const PLAIN: u32 = 0o644;
pub const EXECUTABLE: u32 = 0o755;

#[derive(Clone, Copy)]
pub struct PackSource<'a> {
    pub package: &'a Package,
    pub tests: &'a TestSet,
    pub target: Target,
}

impl PackSource<'_> {
    /// The name of the problem in the target.
    pub fn target_name(&self) -> String {
        self.target.problem_name(&self.package.name)
    }

    /// The text of a file, with constants filled in.
    pub fn read_filled(&self, file: &Path) -> Result<String> {
        let text = fs::read_to_string(file).with_context(|| format!("read {}", file.display()))?;
        Ok(fill_constants(&text, &self.package.constants))
    }

    /// The files of a directory of the package, relative to it; follows links inside the package.
    pub fn files_in(&self, dir: &str) -> Result<Vec<PathBuf>> {
        files_in(self.package, Path::new(dir))
    }
}

/// The files of a directory of the package, relative to it. Fails if one links out of the package.
pub fn files_in(package: &Package, dir: &Path) -> Result<Vec<PathBuf>> {
    let mut findings = Vec::new();
    let files = files_below(package, dir, &mut findings)?;
    match findings.first() {
        Some(Message { about: Subject::Place(place), what, .. }) => bail!("{place} {what}"),
        Some(finding) => bail!(finding.what.clone()),
        None => Ok(files),
    }
}

/// Whether the text of the output validator contains a word.
pub fn validator_mentions(package: &Package, word: &str) -> bool {
    let Judge::Programs { programs, .. } = &package.judge else { return false };
    let mut files =
        programs.iter().flat_map(|one| one.source.files.iter().map(|file| one.source.root.join(file)));
    files.any(|file| fs::read(file).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(word)))
}

pub struct Packed {
    target: Target,
    pub files: PackFiles,
    pub notes: Vec<Note>,
}

impl Packed {
    pub fn new(target: Target) -> Packed {
        Packed { target, files: PackFiles::new(), notes: Vec::new() }
    }

    /// Notes a loss, if it is one in the target.
    pub fn report_loss(&mut self, loss: Loss, place: impl AsRef<str>, details: &[&str]) {
        self.notes.extend(loss.note(self.target, place.as_ref(), details));
    }

    pub fn add_text(&mut self, path: impl Into<String>, text: impl Into<Vec<u8>>) {
        self.add_file(path.into(), PackContents::Bytes(text.into()));
    }

    pub fn add_copy(&mut self, path: impl Into<String>, from: impl Into<PathBuf>) {
        self.add_file(path.into(), PackContents::Of(from.into()));
    }

    fn add_file(&mut self, path: String, contents: PackContents) {
        let name = path.rsplit('/').next().unwrap_or(&path);
        let is_started = ["build", "run"].contains(&name) || name.ends_with(".sh");
        let mode = if is_started { EXECUTABLE } else { PLAIN };
        self.files.insert(path, PackFile { contents, mode });
    }

    /// Adds a file with constants filled in.
    pub fn add_filled(&mut self, source: &PackSource, path: impl Into<String>, from: &Path) -> Result<()> {
        if source.package.constants.is_empty() {
            self.add_copy(path, from);
            return Ok(());
        }
        let bytes = fs::read(from).with_context(|| format!("read {}", from.display()))?;
        match String::from_utf8(bytes) {
            Ok(text) => self.add_text(path, fill_constants(&text, &source.package.constants)),
            Err(binary) => self.add_text(path, binary.into_bytes()),
        }
        Ok(())
    }

    /// Adds all files of a directory unchanged.
    pub fn add_directory(&mut self, source: &PackSource, dir: &str) -> Result<()> {
        for file in source.files_in(dir)? {
            let path = Path::new(dir).join(&file);
            self.add_copy(path.to_string_lossy(), source.package.dir.join(&path));
        }
        Ok(())
    }

    /// Files for contestants, but no templates: only version 2025-09 has them.
    pub fn add_attachments(&mut self, source: &PackSource, to: &str) -> Result<()> {
        for file in source.files_in("attachments")? {
            if !file.starts_with("templates") {
                let from = source.package.dir.join("attachments").join(&file);
                self.add_copy(format!("{to}/{}", file.display()), from);
            }
        }
        Ok(())
    }

    /// The finished bundle, under a name that the target allows.
    pub fn into_bundle(mut self, source: &PackSource) -> Bundle {
        let name = source.target_name();
        if name != source.package.name {
            self.report_loss(Loss::OtherName, ".", &[&source.package.name, &name]);
        }
        self.notes.sort();
        // Every case may report the same loss.
        self.notes.dedup();
        let root = if self.target == Target::Domjudge { String::new() } else { format!("{name}/") };
        Bundle { target: self.target, name, root, files: self.files, notes: self.notes }
    }
}
