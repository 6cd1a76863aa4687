//! Unpacks all kinds of archives into an empty directory, by the rules for a zip: entries that leave the
//! directory, links, and archives above the limits are refused by name.

use super::archive::{ArchiveLimits, check_growth, inside_path, unpack_zip};
use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

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

/// Unpacks an archive of any kind. `to` must be empty.
pub fn unpack_archive(archive: &Path, kind: ArchiveKind, to: &Path, limits: &ArchiveLimits) -> Result<()> {
    if kind == ArchiveKind::Zip {
        return unpack_zip(archive, to, limits);
    }
    let file = File::open(archive)?;
    let packed = file.metadata()?.len();
    let unpacker = TarUnpacker { to, limits, packed, left: limits.total.0, entries: 0 };
    match kind {
        ArchiveKind::TarGzip => unpacker.unpack_tar(GzDecoder::new(file)),
        ArchiveKind::Zip | ArchiveKind::Tar => unpacker.unpack_tar(file),
    }
}

struct TarUnpacker<'a> {
    to: &'a Path,
    limits: &'a ArchiveLimits,
    /// The size of the archive.
    packed: u64,
    /// The number of bytes that may still be written.
    left: u64,
    entries: usize,
}

impl TarUnpacker<'_> {
    fn unpack_tar(mut self, file: impl Read) -> Result<()> {
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
                tar::EntryType::Directory => self.make_directory(&name)?,
                tar::EntryType::Regular | tar::EntryType::Continuous | tar::EntryType::GNUSparse => {
                    self.extract_file(&mut entry, &name)?;
                }
                tar::EntryType::Symlink | tar::EntryType::Link => {
                    bail!("{text:?} is a link: refused; pack the file itself")
                }
                _ => bail!("{text:?} is neither a file nor a directory: refused"),
            }
        }
        ensure!(self.entries > 0, "an empty archive");
        Ok(())
    }

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
        let size = self.write_file(entry, name).with_context(|| format!("unpack {}", name.display()))?;
        self.left -= size;
        check_growth(self.packed, self.limits.total.0 - self.left)
    }

    fn write_file(&self, entry: &mut impl Read, name: &Path) -> Result<u64> {
        let to = self.to.join(name);
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = File::create_new(to).context("a second file of this name")?;
        let each = self.limits.largest;
        let max = each.0.min(self.left);
        // One byte more than allowed shows that there is too much, whatever the header declares.
        let size = io::copy(&mut entry.take(max + 1), &mut file)?;
        ensure!(size <= each.0, "larger than {each}");
        ensure!(size <= max, "the files together are larger than {}", self.limits.total);
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bytes;
    use std::{io::Write, path::PathBuf};

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
        assert!(check_growth(1 << 20, 257 << 20).is_err() && check_growth(2 << 20, 257 << 20).is_ok());
        let many: Vec<(&str, &[u8])> = ["a", "b", "c", "d"].map(|name| (name, &b""[..])).into();
        assert!(unpacked("x.zip", &zip_of(&many)).unwrap_err().contains("more than 3 files"));
        let half = zip_of(&[("a", b"text"), ("b", b"text")]);
        assert!(unpacked("x.zip", &half[..half.len() / 2]).is_err());
        let tar = tar_of(&[("a", tar::EntryType::Regular)]);
        assert!(unpacked("x.tar", &tar[..300]).is_err());
        assert!(unpacked("x.tgz", &tar).is_err());
    }
}
