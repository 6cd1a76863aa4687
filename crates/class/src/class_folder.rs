//! The folder of a class, or of earlier years and public solutions to compare with: a directory, or an archive of one.

use super::{
    entry_choice::every_source,
    found_files::FileFinder,
    layouts::{HandInLayout, entry_stem},
    litter::{is_litter, is_no_hand_in},
};
use crate::similar::{ComparedFile, read_compared};
use anyhow::{Context, Result, bail};
use kopek_base::{ArchiveKind, ArchiveLimits, Bytes, ScratchDir, files::name_of, unpack_archive};
use kopek_package::{
    language::LanguageTable,
    package::{HandIn, NoSubmission, Participant},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Limits for the archive of a class.
const CLASS_LIMITS: ArchiveLimits =
    ArchiveLimits { files: 200_000, largest: Bytes::mib(256), total: Bytes::mib(8 << 10) };

/// A folder of hand-ins.
pub(super) struct OpenFolder {
    pub(super) path: PathBuf,
    /// Holds the folder if it was unpacked.
    pub(super) unpacked: Option<ScratchDir>,
}

/// Returns a folder as it is. Unpacks an archive into a scratch directory and skips its wrapper directory.
pub(super) fn open_place(place: &Path) -> Result<OpenFolder> {
    let kind = fs::metadata(place).with_context(|| format!("read {}", place.display()))?;
    if kind.is_dir() {
        return Ok(OpenFolder { path: place.to_owned(), unpacked: None });
    }
    let Some(archive) = ArchiveKind::of_name(&name_of(place)) else {
        bail!(
            "{} is not a folder, zip or tar of hand-ins; `kopek run` judges a single program",
            place.display()
        )
    };
    let aside = ScratchDir::new().context("make a directory to unpack into")?;
    unpack_archive(place, archive, aside.path(), &CLASS_LIMITS).with_context(|| {
        format!("unpack {}; download it again, or unpack it yourself and give the folder", place.display())
    })?;
    let root = aside.path().canonicalize()?;
    Ok(OpenFolder { path: enter_wrapper(root, &entry_stem(place))?, unpacked: Some(aside) })
}

/// Skips the wrapper directory of an archive: the only entry, named like the archive or holding several
/// entries, most of them directories.
fn enter_wrapper(root: PathBuf, archive: &str) -> Result<PathBuf> {
    let entries = class_entries(&root, &mut Vec::new())?;
    let [only] = entries.as_slice() else { return Ok(root) };
    if !only.is_dir() || HandInLayout::detect(&entries) != HandInLayout::Plain {
        return Ok(root);
    }
    let inside = class_entries(only, &mut Vec::new())?;
    let directories = inside.iter().filter(|path| path.is_dir()).count();
    let holds_class = HandInLayout::detect(&inside) != HandInLayout::Plain
        || inside.len() > 1 && directories * 2 > inside.len();
    Ok(if name_of(only) == archive || holds_class { only.clone() } else { root })
}

/// Everything in a folder that could be a hand-in, sorted by name.
pub(super) fn class_entries(folder: &Path, left_out: &mut Vec<String>) -> Result<Vec<PathBuf>> {
    let read = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = read().with_context(|| format!("read {}", folder.display()))?;
    paths.sort();
    let (litter, entries): (Vec<_>, Vec<_>) =
        paths.into_iter().partition(|path| is_no_hand_in(&name_of(path)));
    left_out.extend(litter.iter().map(|path| name_of(path)));
    Ok(entries)
}

/// The sources in a folder or an archive.
#[derive(Debug, Default)]
pub struct EarlierFiles {
    /// Each file is named by its path, starting with the folder's name.
    pub files: Vec<ComparedFile>,
    /// Entries without comparable sources, and why.
    pub not_read: Vec<(String, NoSubmission)>,
}

impl EarlierFiles {
    /// Reads a file, a folder or an archive. Skips files in unknown languages.
    pub fn read(place: &Path, table: &LanguageTable) -> Result<EarlierFiles> {
        let mut all = EarlierFiles::default();
        let mut finder = FileFinder::default();
        let label = entry_stem(&place.canonicalize().with_context(|| format!("read {}", place.display()))?);
        if place.is_file() && ArchiveKind::of_name(&name_of(place)).is_none() {
            all.read_entry(&name_of(place), place, &mut finder, table);
        } else {
            let folder = open_place(place)?;
            all.read_folder(&label, &folder.path, &mut finder, table)?;
        }
        if all.files.is_empty() {
            let first = all.not_read.first().map(|(name, why)| format!(": {name}: {why}"));
            bail!("{}: no sources to compare with{}", place.display(), first.unwrap_or_default());
        }
        Ok(all)
    }

    fn read_folder(
        &mut self,
        label: &str,
        folder: &Path,
        finder: &mut FileFinder,
        table: &LanguageTable,
    ) -> Result<()> {
        let entries = class_entries(folder, &mut Vec::new())?;
        for entry in entries.into_iter().filter(|entry| !is_litter(Path::new(&name_of(entry)))) {
            let name = format!("{label}/{}", name_of(&entry));
            if entry.is_dir() && !entry.is_symlink() {
                self.read_folder(&name, &entry, finder, table)?;
            } else {
                self.read_entry(&name, &entry, finder, table);
            }
        }
        Ok(())
    }

    fn read_entry(&mut self, name: &str, entry: &Path, finder: &mut FileFinder, table: &LanguageTable) {
        let files = match finder.find_files(entry) {
            Ok(files) => files,
            Err(why) => return self.not_read.push((name.to_owned(), why)),
        };
        let choice = every_source(name, &files, table);
        let participant = Participant {
            name: name.to_owned(),
            file: name_of(entry),
            hand_in: HandIn::default(),
            submission: choice.submission,
        };
        let Ok(program) = read_compared(&participant, table) else { return };
        let is_single = program.files.len() == 1 && entry.is_file();
        for mut file in program.files {
            let is_alone = is_single && name.ends_with(&file.path);
            file.path = if is_alone { name.to_owned() } else { format!("{name}/{}", file.path) };
            self.files.push(file);
        }
    }
}
