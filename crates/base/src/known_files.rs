//! Caches digests of files by stamp: an unchanged file is not read again.

use super::{Digest, FileId, Stamp};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    io,
    path::Path,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// The cached digests, and those in use. Contains no paths: a stamp stays valid when its file is moved.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct KnownFiles {
    before: Vec<(Stamp, Digest)>,
    #[serde(skip)]
    now: Mutex<BTreeMap<Stamp, Digest>>,
}

/// Some file systems store times in steps of up to two seconds (FAT). A file that is changed twice within one
/// step may have the same stamp both times.
const COARSEST_STEP: Duration = Duration::from_secs(2);

impl KnownFiles {
    /// The digest of a file, which is read only if it has changed.
    pub fn id(&self, path: &Path) -> io::Result<FileId> {
        self.id_at(path, SystemTime::now())
    }

    fn id_at(&self, path: &Path, now: SystemTime) -> io::Result<FileId> {
        let stamp = Stamp::of_path(path)?;
        let known = self.before.binary_search_by_key(&stamp, |(stamp, _)| *stamp);
        let id = match known {
            Ok(at) => FileId { digest: self.before[at].1, stamp },
            Err(_) => FileId::read(path)?,
        };
        if id.stamp.changed_before(now - COARSEST_STEP) {
            self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(id.stamp, id.digest);
        }
        Ok(id)
    }

    /// The digests to store for next time; `None` if nothing is new.
    pub fn to_keep(&self) -> Option<KnownFiles> {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let before = now.iter().map(|(stamp, digest)| (*stamp, *digest)).collect::<Vec<_>>();
        if before != self.before { Some(KnownFiles { before, now: Mutex::default() }) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_read_again_if_it_was_touched_or_changed_just_before_it_was_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.in");
        let (one, two) = (Digest::of(b"one"), Digest::of(b"two"));
        fs::write(&path, "one").unwrap();
        let (now, later) = (SystemTime::now(), SystemTime::now() + 2 * COARSEST_STEP);
        let first = KnownFiles::default();
        assert_eq!(first.id_at(&path, now).unwrap().digest, one);
        assert!(first.to_keep().is_none(), "it may change within the same step of the clock");
        assert_eq!(first.id_at(&path, later).unwrap().digest, one);
        // This digest has no contents, so it shows that the file was not read.
        let mut kept = first.to_keep().unwrap();
        kept.before[0].1 = two;
        assert_eq!(kept.id_at(&path, later).unwrap().digest, two);
        assert!(kept.to_keep().is_none(), "nothing new");
        fs::write(&path, "two and more").unwrap();
        assert_eq!(kept.id_at(&path, later).unwrap().digest, Digest::of(b"two and more"));
        assert_eq!(kept.to_keep().unwrap().before.len(), 2);
    }
}
