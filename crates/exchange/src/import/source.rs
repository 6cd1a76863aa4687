//! A foreign package as a set of files that are believed to be harmless: a
//! directory as it lies there, or a zip unpacked aside.
//!
//! No path that a manifest names is followed: readers ask for a name among
//! the files that were found below the root, so `../../etc/passwd` is simply not
//! there. What leads out of the source, is no file, or is too much, is refused by
//! name before anything is read.

use super::source_limits::{LARGEST, MOST_FILES, TOTAL};
use anyhow::{Context, Result, bail, ensure};
use kopek_base::{ArchiveLimits, Bytes, ScratchDir, unpack_zip};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::Arc,
};
use walkdir::WalkDir;

/// A text that we read ourselves (manifest, program, statement) is not longer.
const LONGEST_TEXT: u64 = 16 << 20;
/// What other systems leave behind.
const IGNORED: [&str; 2] = ["__MACOSX", "Thumbs.db"];
/// Directories are not deeper.
const DEEPEST: usize = 32;

/// A hidden file that says whose the files of a Code Expert exercise are.
pub const PERMISSIONS: &str = ".cx_metadata.json";

/// The files of a foreign package.
pub struct ForeignPackage {
    root: PathBuf,
    /// What the directory or archive is called, without its ending.
    name: String,
    /// Path below the root, with `/`, to size.
    files: BTreeMap<String, u64>,
    /// Holds what was unpacked.
    _unpacked: Option<Arc<ScratchDir>>,
}

impl ForeignPackage {
    /// Opens a directory or a zip. A directory that holds nothing but one directory is entered.
    pub fn open(path: &Path) -> Result<ForeignPackage> {
        let kind = fs::metadata(path).with_context(|| format!("open {}", path.display()))?;
        let name = own_name(path);
        let (root, unpacked) = match kind.is_dir() {
            true => (path.to_owned(), None),
            false => {
                let aside = ScratchDir::new().context("make a directory to unpack into")?;
                let limits = ArchiveLimits { files: MOST_FILES, largest: LARGEST, total: TOTAL };
                unpack_zip(path, aside.path(), &limits)
                    .with_context(|| format!("unpack {}", path.display()))?;
                (aside.path().to_owned(), Some(Arc::new(aside)))
            }
        };
        let root = root.canonicalize().with_context(|| format!("open {}", path.display()))?;
        let root = enter_single_directory(root)?;
        let files = list_files(&root).with_context(|| format!("read {}", path.display()))?;
        Ok(ForeignPackage { root, name, files, _unpacked: unpacked })
    }

    /// What the directory or archive is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The files below a directory (empty: all) that are wanted, as a package of this name.
    pub fn part(&self, dir: &str, name: &str, is_wanted: impl Fn(&str) -> bool) -> ForeignPackage {
        let start = if dir.is_empty() { String::new() } else { format!("{dir}/") };
        let below = self.files.iter().filter_map(|(path, size)| Some((path.strip_prefix(&start)?, *size)));
        let files = below.filter(|(path, _)| is_wanted(path));
        ForeignPackage {
            root: self.root.join(dir),
            name: name.to_owned(),
            files: files.map(|(path, size)| (path.to_owned(), size)).collect(),
            _unpacked: self._unpacked.clone(),
        }
    }

    /// Where all files are on disk.
    pub fn places(&self) -> impl Iterator<Item = PathBuf> {
        self.files.keys().map(|path| self.root.join(path))
    }

    /// The size of a file; 0: it is empty, or not there.
    pub fn size_of(&self, path: &str) -> u64 {
        self.files.get(path).copied().unwrap_or_default()
    }

    /// All paths, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Whether a file is there.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Names of the files that lie directly in a directory.
    pub fn names_in<'a>(&'a self, dir: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let start = format!("{dir}/");
        self.paths().filter_map(move |path| path.strip_prefix(&start).filter(|name| !name.contains('/')))
    }

    /// The first of some paths that is there.
    pub fn first_of<'a>(&self, paths: &[&'a str]) -> Option<&'a str> {
        paths.iter().copied().find(|path| self.has(path))
    }

    /// Where a file lies on disk; refused unless it is one of the source.
    pub fn path_of(&self, path: &str) -> Result<PathBuf> {
        ensure!(self.has(path), "{path} is named, but is not among the files of the source");
        Ok(self.root.join(path))
    }

    /// The bytes of a file that people wrote.
    pub fn read_bytes(&self, path: &str) -> Result<Vec<u8>> {
        let at = self.path_of(path)?;
        let size = self.files[path];
        ensure!(size <= LONGEST_TEXT, "{path} is {}: too large for a text", Bytes(size));
        let mut bytes = Vec::new();
        let read = File::open(at).and_then(|file| file.take(LONGEST_TEXT).read_to_end(&mut bytes));
        read.with_context(|| format!("read {path}"))?;
        Ok(bytes)
    }

    /// Its text; what is not UTF-8 is taken as Latin-1.
    pub fn read_text(&self, path: &str) -> Result<String> {
        let bytes = self.read_bytes(path)?;
        let text = String::from_utf8(bytes)
            // Latin-1 has a character for every byte: nothing is lost, and names stay readable.
            .unwrap_or_else(|odd| odd.as_bytes().iter().map(|&byte| char::from(byte)).collect());
        Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"))
    }
}

fn own_name(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = if whole.is_dir() { whole.file_name() } else { whole.file_stem() };
    name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// An archive often wraps everything into one directory.
fn enter_single_directory(root: PathBuf) -> Result<PathBuf> {
    let read = || fs::read_dir(&root)?.collect::<std::io::Result<Vec<_>>>();
    let mut entries = read().with_context(|| format!("list {}", root.display()))?;
    // What archives of other systems bring along.
    entries.retain(|entry| entry.file_name() != "__MACOSX" && entry.file_name() != ".DS_Store");
    match entries.as_slice() {
        [only] if only.file_type()?.is_dir() => Ok(only.path()),
        _ => Ok(root),
    }
}

fn list_files(root: &Path) -> Result<BTreeMap<String, u64>> {
    let (mut files, mut total) = (BTreeMap::new(), 0);
    // Of versions, editors and other systems; no package names such a file.
    let hidden = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().as_bytes();
        let is_hidden = name.starts_with(b".") && name != PERMISSIONS.as_bytes();
        entry.depth() > 0 && (is_hidden || IGNORED.contains(&entry.file_name().to_str().unwrap_or_default()))
    };
    for entry in WalkDir::new(root).into_iter().filter_entry(|entry| !hidden(entry)) {
        let entry = entry?;
        let below = entry.path().strip_prefix(root).expect("it was found below the root");
        ensure!(entry.depth() <= DEEPEST, "{}: directories deeper than {DEEPEST}", below.display());
        let Some(size) = file_size(root, below, &entry)? else { continue };
        let name = below.to_str().with_context(|| format!("{}: its name is not UTF-8", below.display()))?;
        ensure!(size <= LARGEST.0, "{name} is {}: larger than {LARGEST}", Bytes(size));
        total += size;
        ensure!(total <= TOTAL.0, "the files together are larger than {TOTAL}");
        files.insert(name.to_owned(), size);
        ensure!(files.len() <= MOST_FILES, "more than {MOST_FILES} files");
    }
    Ok(files)
}

/// The size of a file; `None`: a directory. A link counts as what it leads to, inside the source.
fn file_size(root: &Path, below: &Path, entry: &walkdir::DirEntry) -> Result<Option<u64>> {
    let kind = entry.file_type();
    if kind.is_dir() {
        return Ok(None);
    }
    if kind.is_symlink() {
        let Ok(target) = entry.path().canonicalize() else {
            bail!("{} is a link that leads nowhere; remove it", below.display());
        };
        let inside = target.starts_with(root);
        ensure!(inside, "{} is a link out of the source, to {}: refused", below.display(), target.display());
    }
    let meta = fs::metadata(entry.path()).with_context(|| format!("look at {}", below.display()))?;
    match (meta.is_file(), kind.is_symlink() && meta.is_dir()) {
        (true, _) => Ok(Some(meta.len())),
        (false, true) => bail!("{} is a link to a directory: refused; copy it", below.display()),
        (false, false) => bail!("{} is neither a file nor a directory: refused", below.display()),
    }
}
