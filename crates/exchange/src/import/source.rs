//! A foreign package as a set of harmless files: a directory, or a zip that was unpacked
//! into a temporary directory.
//!
//! No path that a manifest names is followed: readers ask for a name among
//! the files that were found below the root, so `../../etc/passwd` is simply not
//! there. A link out of the source, a file that is no regular file and one that is too large keep
//! their names with the reason for refusing them: a package that has such a file is not imported, the
//! other exercises of a course are.

use anyhow::{Context, Result, bail, ensure};
use kopek_base::{ArchiveKind, ArchiveLimits, Bytes, ScratchDir, unpack_archive, wording::shortened};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::Arc,
};
use walkdir::WalkDir;

/// Limits of a source: its files, each and all of them.
const MAX_FILES: usize = 100_000;
const MAX_SIZE: Bytes = Bytes::mib(1 << 10);
const TOTAL: Bytes = Bytes::mib(8 << 10);
/// The largest text that kopek reads itself: manifest, program, statement.
const MAX_TEXT: u64 = 16 << 20;
/// Litter of other systems.
const IGNORED: [&str; 2] = ["__MACOSX", "Thumbs.db"];
const DEEPEST: usize = 32;

/// A hidden file with the owners of the files of a Code Expert exercise.
pub const PERMISSIONS: &str = ".cx_metadata.json";

/// The files of a foreign package.
pub struct ForeignPackage {
    root: PathBuf,
    /// The name of the directory or archive, without its ending.
    name: String,
    /// How the problem is called; at first its name.
    title: String,
    /// Path below the root, with `/`, to the size, or to the reason for refusing the file.
    files: BTreeMap<String, Result<u64, String>>,
    _unpacked: Option<Arc<ScratchDir>>,
}

impl ForeignPackage {
    /// Opens a directory or a zip. If it holds a single directory, that one is opened instead.
    pub fn open(path: &Path) -> Result<ForeignPackage> {
        let kind = fs::metadata(path).with_context(|| format!("open {}", path.display()))?;
        let name = own_name(path);
        let mut root = path.to_owned();
        let mut unpacked = None;
        if !kind.is_dir() {
            let aside = ScratchDir::new().context("make a directory to unpack into")?;
            let limits = ArchiveLimits { files: MAX_FILES, largest: MAX_SIZE, total: TOTAL };
            unpack_archive(path, ArchiveKind::Zip, aside.path(), &limits)
                .with_context(|| format!("unpack {}", path.display()))?;
            root = aside.path().to_owned();
            unpacked = Some(Arc::new(aside));
        }
        let root = root.canonicalize().with_context(|| format!("open {}", path.display()))?;
        let root = enter_single_directory(root)?;
        let files = list_files(&root).with_context(|| format!("read {}", path.display()))?;
        Ok(ForeignPackage { root, title: name.clone(), name, files, _unpacked: unpacked })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    pub fn set_title(&mut self, title: String) {
        self.title = title;
    }

    /// The files below a directory (empty: all) that are wanted, as a package of this name.
    pub fn part(&self, dir: &str, name: &str, is_wanted: impl Fn(&str) -> bool) -> ForeignPackage {
        let start = if dir.is_empty() { String::new() } else { format!("{dir}/") };
        let below = self.files.iter().filter_map(|(path, size)| Some((path.strip_prefix(&start)?, size)));
        let files = below.filter(|(path, _)| is_wanted(path));
        ForeignPackage {
            root: self.root.join(dir),
            name: name.to_owned(),
            title: name.to_owned(),
            files: files.map(|(path, size)| (path.to_owned(), size.clone())).collect(),
            _unpacked: self._unpacked.clone(),
        }
    }

    /// The paths of all files on disk.
    pub fn places(&self) -> impl Iterator<Item = PathBuf> {
        self.files.keys().map(|path| self.place_of(path))
    }

    /// The path of a file on disk, refused or not.
    pub fn place_of(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Files that are refused, and why.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, size)| Some((path.as_str(), size.as_ref().err()?.as_str())))
    }

    /// Fails if a file is refused.
    pub fn ensure_harmless(&self) -> Result<()> {
        let reasons: Vec<String> = self.refused().map(|(path, why)| format!("{path} {why}")).collect();
        ensure!(reasons.is_empty(), "{}", shortened(&reasons, 8, "; "));
        Ok(())
    }

    /// The size of a file; 0: it is empty, refused or missing.
    pub fn size_of(&self, path: &str) -> u64 {
        self.files.get(path).and_then(|size| size.as_ref().ok()).copied().unwrap_or_default()
    }

    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Names of the files directly in a directory.
    pub fn names_in<'a>(&'a self, dir: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let start = format!("{dir}/");
        self.paths().filter_map(move |path| path.strip_prefix(&start).filter(|name| !name.contains('/')))
    }

    /// The first of these paths that the source has.
    pub fn first_of<'a>(&self, paths: &[&'a str]) -> Option<&'a str> {
        paths.iter().copied().find(|path| self.has(path))
    }

    /// The path of a file on disk; fails for a refused one.
    pub fn path_of(&self, path: &str) -> Result<PathBuf> {
        match self.files.get(path) {
            Some(Ok(_)) => Ok(self.place_of(path)),
            Some(Err(why)) => bail!("{path} {why}"),
            None => bail!("{path} is named, but is not among the files of the source"),
        }
    }

    pub fn read_bytes(&self, path: &str) -> Result<Vec<u8>> {
        let at = self.path_of(path)?;
        let size = self.size_of(path);
        ensure!(size <= MAX_TEXT, "{path} is {}: too large for a text", Bytes(size));
        let mut bytes = Vec::new();
        let read = File::open(at).and_then(|file| file.take(MAX_TEXT).read_to_end(&mut bytes));
        read.with_context(|| format!("read {path}"))?;
        Ok(bytes)
    }

    /// The text of a file, which is read as Latin-1 if it is not UTF-8.
    pub fn read_text(&self, path: &str) -> Result<String> {
        let bytes = self.read_bytes(path)?;
        let text = String::from_utf8(bytes)
            // Latin-1 maps every byte to a character: nothing is lost, and names stay readable.
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
    // Litter in archives of other systems.
    entries.retain(|entry| entry.file_name() != "__MACOSX" && entry.file_name() != ".DS_Store");
    match entries.as_slice() {
        [only] if only.file_type()?.is_dir() => Ok(only.path()),
        _ => Ok(root),
    }
}

fn list_files(root: &Path) -> Result<BTreeMap<String, Result<u64, String>>> {
    let mut files = BTreeMap::new();
    let mut total = 0;
    // Files of version control, editors and other systems, which no package names.
    let hidden = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().as_bytes();
        let is_hidden = name.starts_with(b".") && name != PERMISSIONS.as_bytes();
        entry.depth() > 0 && (is_hidden || IGNORED.contains(&entry.file_name().to_str().unwrap_or_default()))
    };
    for entry in WalkDir::new(root).max_depth(DEEPEST + 1).into_iter().filter_entry(|entry| !hidden(entry)) {
        let (path, size) = match entry {
            Ok(entry) => match file_size(root, &entry).transpose() {
                Some(size) => (entry.into_path(), size),
                None => continue,
            },
            Err(error) => match error.path().filter(|path| *path != root) {
                Some(path) => (path.to_owned(), Err("cannot be read: allow reading it, or remove it".into())),
                None => return Err(error.into()),
            },
        };
        let below = path.strip_prefix(root).expect("it was found below the root").to_string_lossy();
        total += *size.as_ref().unwrap_or(&0);
        ensure!(total <= TOTAL.0, "the files together are larger than {TOTAL}");
        files.insert(below.into_owned(), size);
        ensure!(files.len() <= MAX_FILES, "more than {MAX_FILES} files");
    }
    Ok(files)
}

/// The size of a file, or why it is refused; `None`: a directory. A link within the source counts as its target.
fn file_size(root: &Path, entry: &walkdir::DirEntry) -> Result<Option<u64>, String> {
    let kind = entry.file_type();
    if entry.depth() > DEEPEST {
        return Err(format!("is in directories deeper than {DEEPEST}: refused"));
    }
    if kind.is_dir() {
        return Ok(None);
    }
    if entry.path().to_str().is_none() {
        return Err("has a name that is not UTF-8: rename it".into());
    }
    if kind.is_symlink() {
        let Ok(target) = entry.path().canonicalize() else {
            return Err("is a broken link; remove it".into());
        };
        if !target.starts_with(root) {
            let target = target.display();
            return Err(format!("is a link out of the source, to {target}: refused; copy the file there"));
        }
    }
    let meta = fs::metadata(entry.path()).map_err(|error| format!("cannot be read: {error}"))?;
    if meta.is_file() && meta.len() > MAX_SIZE.0 {
        Err(format!("is {}: larger than {MAX_SIZE}", Bytes(meta.len())))
    } else if meta.is_file() {
        Ok(Some(meta.len()))
    } else if kind.is_symlink() && meta.is_dir() {
        Err("is a link to a directory: refused; copy it".into())
    } else {
        Err("is neither a file nor a directory: refused".into())
    }
}
