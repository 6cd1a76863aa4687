//! The files of a hand-in as found, each with the path that its author knows.

use super::litter::{is_litter, is_output, is_program_name};
use kopek_base::{
    ArchiveKind, ArchiveLimits, Bytes, ScratchDir, composed_name,
    files::{directory_of, have_same_bytes, lower_ending},
    unpack_archive,
};
use kopek_package::package::NoSubmission;
use kopek_sentences::Said;
use std::{
    collections::HashMap,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};
use walkdir::WalkDir;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FoundFile {
    pub(super) name: PathBuf,
    /// The archive that holds it; files without one are first.
    pub(super) archive: Option<PathBuf>,
    /// No link below this directory is followed.
    pub(super) root: Arc<Path>,
    pub(super) below: PathBuf,
}

impl FoundFile {
    /// The file at this path below a directory of the hand-in.
    pub(super) fn below(root: &Arc<Path>, below: PathBuf) -> FoundFile {
        FoundFile { name: composed_path(&below), archive: None, root: root.clone(), below }
    }

    fn place(&self) -> PathBuf {
        self.root.join(&self.below)
    }

    /// Its path in the hand-in, with the name of its archive.
    fn long_name(&self) -> PathBuf {
        let Some(archive) = &self.archive else { return self.name.clone() };
        let place = archive.parent().unwrap_or(Path::new(""));
        archive.join(self.name.strip_prefix(place).unwrap_or(&self.name))
    }
}

/// More files than any honest hand-in has.
const MAX_FILES: usize = 1000;

const HAND_IN_LIMITS: ArchiveLimits =
    ArchiveLimits { files: MAX_FILES, largest: Bytes::mib(16), total: Bytes::mib(64) };

/// Archives that kopek cannot unpack.
const FOREIGN_ARCHIVES: [&str; 7] = ["rar", "7z", "xz", "bz2", "zst", "lzma", "ace"];

/// More archives than any honest hand-in has, including nested ones.
const MAX_ARCHIVES: usize = 20;

/// Finds the files of hand-ins, and keeps the unpacked archives.
#[derive(Debug, Default)]
pub(super) struct FileFinder {
    unpacked: Vec<ScratchDir>,
    /// Maps the directories of hand-ins to their canonical paths.
    parents: HashMap<PathBuf, Arc<Path>>,
    /// Names of the packages, if there are several.
    packages: Vec<String>,
}

impl FileFinder {
    pub(super) fn new(packages: &[String]) -> FileFinder {
        let packages = if packages.len() > 1 { packages.to_vec() } else { Vec::new() };
        FileFinder { packages, ..FileFinder::default() }
    }

    /// All files of the hand-in at this path, including those in archives, without litter. A single file
    /// keeps its name; files in a directory have paths relative to it.
    pub(super) fn find_files(&mut self, path: &Path) -> Result<Vec<FoundFile>, NoSubmission> {
        self.find_files_as(path, Path::new(path.file_name().unwrap_or_default()))
    }

    /// The same, with the name that the author gave a single file.
    pub(super) fn find_files_as(&mut self, path: &Path, own: &Path) -> Result<Vec<FoundFile>, NoSubmission> {
        // Not `metadata`, which follows links.
        let kind = path.symlink_metadata().map_err(cannot_be_read)?.file_type();
        if kind.is_symlink() {
            return Err(NoSubmission::Refused(Said::SymbolicLink));
        }
        if !kind.is_file() && !kind.is_dir() {
            return Err(NoSubmission::Refused(Said::NeitherFileNorFolder));
        }
        let name = PathBuf::from(path.file_name().ok_or(NoSubmission::Refused(Said::HasNoName))?);
        // The teacher's own path may contain links; below it, none is followed.
        let parent = directory_of(path);
        let parent = match self.parents.get(parent) {
            Some(known) => known.clone(),
            None => {
                let real: Arc<Path> = parent.canonicalize().map_err(cannot_be_read)?.into();
                self.parents.insert(parent.to_owned(), real.clone());
                real
            }
        };
        let found = if kind.is_file() {
            vec![FoundFile { name: composed_path(own), ..FoundFile::below(&parent, name) }]
        } else {
            files_below(&parent.join(name))?
        };
        let before = self.unpacked.len();
        self.open_archives(found, before + MAX_ARCHIVES)
    }

    /// The files, with every archive replaced by its contents, recursively. Fails if `self.unpacked` would
    /// grow beyond `max` archives.
    fn open_archives(&mut self, found: Vec<FoundFile>, max: usize) -> Result<Vec<FoundFile>, NoSubmission> {
        let mut files = Vec::new();
        if let Some(first) = found.first()
            && found.iter().all(|file| is_foreign_archive(&file.name))
        {
            return Err(not_unpacked(first));
        }
        for file in found {
            match ArchiveKind::of_name(&file.name.to_string_lossy()) {
                None => files.push(file),
                Some(_) if self.unpacked.len() >= max => {
                    let why = format!("more than {MAX_ARCHIVES} archives: unpack them, or ask for one");
                    return Err(NoSubmission::Undecided(why));
                }
                Some(kind) => {
                    let inside = self.unpack_file(&file, kind)?;
                    let inside = self.open_archives(inside, max)?.into_iter();
                    let archive = Some(file.name.clone());
                    files.extend(inside.map(|inside| FoundFile { archive: archive.clone(), ..inside }));
                }
            }
        }
        if files.len() > MAX_FILES {
            return Err(NoSubmission::Refused(Said::MoreThanFiles { number: MAX_FILES }));
        }
        separate_namesakes(&mut files);
        Ok(files)
    }

    fn unpack_file(&mut self, file: &FoundFile, kind: ArchiveKind) -> Result<Vec<FoundFile>, NoSubmission> {
        let undecided = |why: String| {
            // Never zero points: the upload may have damaged the file.
            let remedy = "unpack it in place, or ask for it again";
            NoSubmission::Undecided(format!("{}: {why}: {remedy}", file.name.display()))
        };
        let dir = ScratchDir::new().map_err(|e| undecided(e.to_string()))?;
        unpack_archive(&file.place(), kind, dir.path(), &HAND_IN_LIMITS)
            .map_err(|error| undecided(format!("{error:#}")))?;
        let root = dir.path().canonicalize().map_err(|e| undecided(e.to_string()))?;
        let mut files = files_below(&root).map_err(|why| undecided(why.to_string()))?;
        // The archive's own name means nothing, unless it says which package the files are for.
        let name = file.name.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.split('.').next().unwrap_or_default();
        let is_package = self.packages.iter().any(|package| plain_name(package) == plain_name(stem));
        let directory = file.name.parent().unwrap_or(Path::new(""));
        let place = if is_package { directory.join(stem) } else { directory.to_owned() };
        files.iter_mut().for_each(|inside| inside.name = place.join(&inside.name));
        self.unpacked.push(dir);
        Ok(files)
    }
}

/// Removes copies of a file. Different files with the same name get the names of their archives.
pub(super) fn separate_namesakes(files: &mut Vec<FoundFile>) {
    files.sort();
    let mut kept: Vec<FoundFile> = Vec::new();
    for namesakes in files.chunk_by(|one, other| one.name == other.name) {
        let mut different: Vec<&FoundFile> = Vec::new();
        for file in namesakes {
            if !different.iter().any(|other| have_same_bytes(&other.place(), &file.place())) {
                different.push(file);
            }
        }
        let name = |file: &FoundFile| if different.len() > 1 { file.long_name() } else { file.name.clone() };
        kept.extend(different.iter().map(|&file| FoundFile { name: name(file), ..file.clone() }));
    }
    *files = kept;
}

/// The reason for an archive that may hold the program but cannot be unpacked.
pub(super) fn not_unpacked(file: &FoundFile) -> NoSubmission {
    NoSubmission::Undecided(format!(
        "cannot unpack {}; unpack it in place, or ask for a zip",
        file.name.display()
    ))
}

pub(super) fn is_foreign_archive(name: &Path) -> bool {
    FOREIGN_ARCHIVES.contains(&lower_ending(name).as_str())
}

/// Undecided, because the student may not know and the program may be correct.
fn cannot_be_read(error: impl fmt::Display) -> NoSubmission {
    NoSubmission::Undecided(format!("cannot be read: {error}; change its permissions, or copy it again"))
}

/// The files below a directory without litter. Directories for the output of tools count only if there is no
/// program or archive outside of them.
fn files_below(root: &Path) -> Result<Vec<FoundFile>, NoSubmission> {
    let outside = files_without(root, |path| is_litter(path) || is_output(path))?;
    let may_hold =
        |name: &Path| is_program_name(name) || ArchiveKind::of_name(&name.to_string_lossy()).is_some();
    if outside.iter().any(|file| may_hold(&file.name)) {
        return Ok(outside);
    }
    files_without(root, is_litter)
}

fn files_without(root: &Path, is_skipped: impl Fn(&Path) -> bool) -> Result<Vec<FoundFile>, NoSubmission> {
    let shared: Arc<Path> = root.into();
    let mut files = Vec::new();
    // Sorted, because the order of directory entries differs between machines.
    let walk = WalkDir::new(root).sort_by_file_name().min_depth(1).into_iter();
    let is_kept = |entry: &walkdir::DirEntry| {
        let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
        // A directory is skipped if a file in it would be.
        let path = if entry.file_type().is_dir() { path.join("x") } else { path.to_owned() };
        !is_skipped(&path)
    };
    for entry in walk.filter_entry(is_kept) {
        let entry = entry.map_err(cannot_be_read)?;
        if entry.file_type().is_dir() {
            continue;
        }
        let whole = entry.path();
        let path = whole.strip_prefix(root).unwrap_or(whole).to_owned();
        if !entry.file_type().is_file() {
            let file = path.display().to_string();
            return Err(NoSubmission::Refused(Said::LinkOrDevice { file }));
        }
        // Counted while walking, to refuse a folder of a million files early.
        if files.len() == MAX_FILES {
            return Err(NoSubmission::Refused(Said::MoreThanFiles { number: MAX_FILES }));
        }
        files.push(FoundFile::below(&shared, path));
    }
    Ok(files)
}

/// A normalized name: people vary case and separators.
pub(super) fn plain_name(name: &str) -> String {
    name.to_lowercase().replace(['-', '_', ' '], "")
}

fn composed_path(path: &Path) -> PathBuf {
    // A name that is not UTF-8 is kept: a later check refuses it by name.
    match path.to_str() {
        Some(text) => PathBuf::from(composed_name(text)),
        None => path.to_owned(),
    }
}
