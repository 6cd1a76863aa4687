//! Unpacks archives into an empty directory. Refuses, by name, entries that leave the directory, links, and archives
//! above the limits.

use super::Bytes;
use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Component, Path, PathBuf},
};
use zip::ZipArchive;

/// The limits of an unpacked archive.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveLimits {
    pub files: usize,
    pub largest: Bytes,
    pub total: Bytes,
}

/// An archive of any size may grow to this.
const HARMLESS: Bytes = Bytes::mib(256);
/// Larger archives may grow by this factor. Texts of numbers shrink to a third, repetitive tests to a
/// hundredth.
const MAX_GROWTH: u64 = 200;

/// The supported kinds of archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchiveKind {
    /// An archive with its directory at the end.
    Zip,
    Tar,
    /// The same, compressed as a whole.
    TarGzip,
}

impl ArchiveKind {
    /// The kind by file name; `None` if it is no archive, or one that cannot be unpacked here.
    pub fn of_name(name: &str) -> Option<ArchiveKind> {
        let name = name.to_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        match () {
            () if ends(&[".zip"]) => Some(ArchiveKind::Zip),
            () if ends(&[".tar.gz", ".tgz"]) => Some(ArchiveKind::TarGzip),
            () if ends(&[".tar"]) => Some(ArchiveKind::Tar),
            () => None,
        }
    }
}

/// Unpacks an archive, or refuses it. Archives inside it are ordinary files. `to` must be empty.
pub fn unpack_archive(archive: &Path, kind: ArchiveKind, to: &Path, limits: &ArchiveLimits) -> Result<()> {
    let file = File::open(archive)?;
    let packed = file.metadata()?.len();
    let extractor = Extractor { to, limits, packed, written: 0, entries: 0 };
    match kind {
        ArchiveKind::Zip => unpack_zip(file, extractor),
        ArchiveKind::Tar => unpack_tar(file, extractor),
        ArchiveKind::TarGzip => unpack_tar(GzDecoder::new(file), extractor),
    }
}

fn unpack_zip(file: File, mut extractor: Extractor) -> Result<()> {
    let mut archive = ZipArchive::new(file).context("not a zip archive, or a damaged one")?;
    // The reader keeps only the last of several files with one name.
    ensure!(!archive.has_duplicate_names(), "it holds the same file twice");
    // Such an archive is small, and many times larger when unpacked.
    ensure!(!archive.has_overlapping_files()?, "its entries share their bytes: refused");
    for index in 0..archive.len() {
        let raw = archive.by_index_raw(index)?;
        let text = raw.name().context("a name that cannot be read")?.into_owned();
        let (is_link, is_encrypted, is_dir) = (raw.is_symlink(), raw.encrypted(), raw.is_dir());
        drop(raw);
        let name = inside_path(&text)?;
        ensure!(!is_link, "{text:?} is a link: refused; pack the file itself");
        ensure!(!is_encrypted, "{text:?} is encrypted; pack it without a password");
        if is_dir {
            extractor.make_directory(&name)?;
        } else {
            extractor.extract_file(&mut archive.by_index(index)?, &name)?;
        }
    }
    Ok(())
}

fn unpack_tar(file: impl Read, mut extractor: Extractor) -> Result<()> {
    // An archive that ends in the middle of a file is truncated; the reader reports it.
    for entry in tar::Archive::new(file).entries().context("not a tar archive")? {
        let mut entry = entry.context("a damaged tar archive")?;
        let kind = entry.header().entry_type();
        let path = entry.path().context("a name that cannot be read")?.into_owned();
        let text = path.to_string_lossy().into_owned();
        if kind.is_pax_global_extensions() || text == "." || text == "./" {
            continue;
        }
        let name = inside_path(&text)?;
        match kind {
            tar::EntryType::Directory => extractor.make_directory(&name)?,
            tar::EntryType::Regular | tar::EntryType::Continuous | tar::EntryType::GNUSparse => {
                extractor.extract_file(&mut entry, &name)?;
            }
            tar::EntryType::Symlink | tar::EntryType::Link => {
                bail!("{text:?} is a link: refused; pack the file itself")
            }
            _ => bail!("{text:?} is neither a file nor a directory: refused"),
        }
    }
    ensure!(extractor.entries > 0, "an empty archive");
    Ok(())
}

/// A name in an archive as a path inside the directory.
fn inside_path(name: &str) -> Result<PathBuf> {
    // Packers on Windows write backslashes, against the standard.
    let path = PathBuf::from(name.replace('\\', "/"));
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let drive = name.as_bytes().get(1) == Some(&b':');
    if !plain || drive || name.contains('\0') {
        bail!("{name:?} would be written outside of the directory: refused");
    }
    Ok(path)
}

/// Writes the entries of one archive, within its limits.
struct Extractor<'a> {
    to: &'a Path,
    limits: &'a ArchiveLimits,
    /// The size of the archive.
    packed: u64,
    /// The number of bytes written so far.
    written: u64,
    entries: usize,
}

impl Extractor<'_> {
    fn count_entry(&mut self) -> Result<()> {
        self.entries += 1;
        ensure!(self.entries <= self.limits.files, "more than {} files", self.limits.files);
        Ok(())
    }

    fn make_directory(&mut self, name: &Path) -> Result<()> {
        self.count_entry()?;
        fs::create_dir_all(self.to.join(name)).with_context(|| format!("make {}", name.display()))
    }

    fn extract_file(&mut self, entry: &mut impl Read, name: &Path) -> Result<()> {
        self.count_entry()?;
        self.write_file(entry, name).with_context(|| format!("unpack {}", name.display()))
    }

    fn write_file(&mut self, entry: &mut impl Read, name: &Path) -> Result<()> {
        let to = self.to.join(name);
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = File::create_new(to).context("a second file of this name")?;
        let ArchiveLimits { largest, total, .. } = self.limits;
        // Only zip bombs grow more.
        let growth = HARMLESS.0.max(self.packed.saturating_mul(MAX_GROWTH));
        let max = largest.0.min(total.min(&Bytes(growth)).0 - self.written);
        // One byte more than allowed shows that there is too much, whatever the header declares.
        let size = io::copy(&mut entry.take(max + 1), &mut file)?;
        self.written += size;
        ensure!(size <= largest.0, "larger than {largest}");
        ensure!(self.written <= total.0, "the files together are larger than {total}");
        ensure!(
            self.written <= growth,
            "the files together are more than {MAX_GROWTH} times as large as the archive ({}): refused; unpack it \
             yourself, and give the directory",
            Bytes(self.packed)
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const LIMITS: ArchiveLimits = ArchiveLimits { files: 3, largest: Bytes::mib(40), total: Bytes::mib(60) };

    fn unpacked(name: &str, bytes: &[u8]) -> Result<Vec<PathBuf>, String> {
        let dir = tempfile::tempdir().unwrap();
        let (archive, to) = (dir.path().join(name), dir.path().join("to"));
        fs::write(&archive, bytes).unwrap();
        fs::create_dir(&to).unwrap();
        let kind = ArchiveKind::of_name(name).unwrap();
        unpack_archive(&archive, kind, &to, &LIMITS).map_err(|error| format!("{error:#}"))?;
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "nothing beside the archive");
        let files = walkdir::WalkDir::new(&to).min_depth(1).sort_by_file_name();
        Ok(files.into_iter().map(|f| f.unwrap().path().strip_prefix(&to).unwrap().to_owned()).collect())
    }

    fn tar_of(entries: &[(&str, tar::EntryType)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, kind) in entries {
            let mut header = tar::Header::new_ustar();
            // Not `set_path`, which refuses the names of an attacker.
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_size(0);
            header.set_mode(0o644);
            header.set_cksum();
            builder.append(&header, &[][..]).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, text) in entries {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(text).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn archives_of_every_kind_are_unpacked() {
        use tar::EntryType::{Directory, Regular};
        let tar = tar_of(&[("a/", Directory), ("a/x.py", Regular)]);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&tar).unwrap();
        let files = Ok(vec![PathBuf::from("a"), PathBuf::from("a/x.py")]);
        assert_eq!(unpacked("x.tar", &tar), files);
        assert_eq!(unpacked("x.TGZ", &gzip.finish().unwrap()), files);
        assert_eq!(unpacked("x.zip", &zip_of(&[("a/x.py", b"1")])), files);
    }

    #[test]
    fn nothing_leaves_the_directory() {
        use tar::EntryType::{Char, Link, Regular, Symlink};
        for (entry, word) in [
            (("../x", Regular), "outside"),
            (("/etc/x", Regular), "outside"),
            (("a", Symlink), "a link"),
            (("a", Link), "a link"),
            (("a", Char), "neither"),
        ] {
            let error = unpacked("x.tar", &tar_of(&[entry])).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
        for name in ["../x", "a/../../x", "C:\\x", "..\\x"] {
            let error = unpacked("x.zip", &zip_of(&[(name, b"")])).unwrap_err();
            assert!(error.contains("outside"), "{error}");
        }
    }

    #[test]
    fn a_file_that_is_in_an_archive_twice_is_refused() {
        // The writer refuses equal names, so the second one is renamed in the finished file.
        let mut twice = zip_of(&[("main.py", b"print(1)"), ("MAIN.py", b"print(2)")]);
        let places: Vec<usize> = (0..twice.len()).filter(|&at| twice[at..].starts_with(b"MAIN.py")).collect();
        assert_eq!(places.len(), 2, "in its own header and in the directory");
        places.into_iter().for_each(|at| twice[at..at + 7].copy_from_slice(b"main.py"));
        assert!(unpacked("x.zip", &twice).unwrap_err().contains("the same file twice"));
        let same = zip_of(&[("main.py", b"1"), ("./main.py", b"2")]);
        let error = unpacked("x.zip", &same).unwrap_err();
        assert!(error.contains("a second file of this name"), "{error}");
        let tar = tar_of(&[("main.py", tar::EntryType::Regular), ("main.py", tar::EntryType::Regular)]);
        assert!(unpacked("x.tar", &tar).unwrap_err().contains("a second file of this name"));
    }

    #[test]
    fn too_much_is_refused_whatever_the_headers_say() {
        let zeros = vec![0; 41 << 20];
        let error = unpacked("x.zip", &zip_of(&[("zeros", &zeros)])).unwrap_err();
        assert!(error.contains("larger than 40 MiB"), "{error}");
        let mut tar =
            tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
        for name in ["a", "b"] {
            let mut header = tar::Header::new_gnu();
            header.set_size(35 << 20);
            header.set_cksum();
            tar.append_data(&mut header, name, &zeros[..35 << 20]).unwrap();
        }
        let error = unpacked("x.tgz", &tar.into_inner().unwrap().finish().unwrap()).unwrap_err();
        assert!(error.contains("together are larger than 60 MiB"), "{error}");
        let many: Vec<(&str, &[u8])> = ["a", "b", "c", "d"].map(|name| (name, &b""[..])).into();
        assert!(unpacked("x.zip", &zip_of(&many)).unwrap_err().contains("more than 3 files"));
        let half = zip_of(&[("a", b"text"), ("b", b"text")]);
        assert!(unpacked("x.zip", &half[..half.len() / 2]).is_err());
        let tar = tar_of(&[("a", tar::EntryType::Regular)]);
        assert!(unpacked("x.tar", &tar[..300]).is_err());
        assert!(unpacked("x.tgz", &tar).is_err());
    }
}
