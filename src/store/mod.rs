//! What is already known: facts in an embedded database, blobs by digest beside it.
//!
//! ```text
//! .kopek/
//!   lock            shared by everybody who has the store open, alone by who prunes it
//!   facts.sqlite    key → outcome, with a checksum; and small remembered things
//!   blobs/ab/ab…/   directories and files by the digest of their contents
//!   warm/           caches of toolchains, which start more quickly with them
//!   tmp/            what is half written; never read, swept by the next who is alone
//! ```
//!
//! Whoever finished something finds it again, whatever killed him since: a fact
//! is committed when `put` returns, a blob is renamed into place when it is whole.
//! What is read is checked against its digest, so that damage is an error and
//! never a grade. The database must lie on a local disk.
//!
//! Deliberately knows nothing of what a fact means: missing is missing.

mod blobs;
mod database;
mod facts;
mod lock;
mod prune;
mod trouble;

pub use prune::{Prune, Pruned};

use crate::{
    base::Digest,
    plan::{Key, Outcome},
};
use anyhow::{Context, Result};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

const WARM: &str = "warm";

/// An open store. Can be used from several threads; any number of processes can
/// have one directory open.
pub struct Store {
    dir: PathBuf,
    facts: facts::Facts,
    blobs: blobs::Blobs,
    _lock: lock::Lock,
}

impl Store {
    /// Opens the store of a directory; makes it if there is none.
    pub fn open(dir: &Path) -> Result<Store> {
        // Blobs are shown to processes that start elsewhere.
        let dir = &std::path::absolute(dir).with_context(|| format!("find the store {}", dir.display()))?;
        Store::open_with(dir, lock::Lock::shared)
    }

    fn open_with(dir: &Path, take: lock::Take) -> Result<Store> {
        let open = || -> Result<Store> {
            make(dir)?;
            // Making the database needs it alone; so does sweeping what the killed left behind.
            let lock = take(dir, &|| {
                blobs::sweep(dir)?;
                facts::Facts::open(dir).map(drop)
            })?;
            // Whoever emptied the store just before took the directories with it.
            make(dir)?;
            Ok(Store {
                dir: dir.to_owned(),
                facts: facts::Facts::open(dir)?,
                blobs: blobs::Blobs::new(dir),
                _lock: lock,
            })
        };
        open().with_context(|| format!("open the store {}", dir.display()))
    }

    /// Where it lies.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where things lie that toolchains start more quickly with.
    pub fn warm(&self) -> PathBuf {
        self.dir.join(WARM)
    }

    /// What is known about a job.
    pub fn get(&self, key: &Key) -> Result<Option<Outcome>> {
        Ok(self.get_many(std::slice::from_ref(key))?.pop().flatten())
    }

    /// What is known about many jobs, in the order of the keys; in one reading.
    pub fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Outcome>>> {
        self.facts.get_many(keys).with_context(|| format!("read facts of the store {}", self.dir.display()))
    }

    /// Adds a fact. It survives the death of this process as soon as this returns.
    /// A fact that is there already is replaced: it was about a lost blob, or is as good.
    pub fn put(&self, key: &Key, outcome: &Outcome) -> Result<()> {
        self.put_many(&[(*key, outcome)])
    }

    /// Adds facts: all or none, and cheaper than one by one.
    pub fn put_many(&self, facts: &[(Key, &Outcome)]) -> Result<()> {
        self.facts.put_many(facts).with_context(|| format!("write facts to the store {}", self.dir.display()))
    }

    /// Keeps a directory of files; the same files always give the same digest.
    pub fn put_tree(&self, files: &Path) -> Result<Digest> {
        self.blobs.put_tree(files).with_context(|| format!("keep {} as a blob", files.display()))
    }

    /// Where a kept directory lies, its contents verified; `None`: not here (pruned, or never kept).
    /// Its files are read-only and readable by everybody; nobody may change them.
    pub fn tree(&self, digest: &Digest) -> Result<Option<PathBuf>> {
        self.blobs.tree(digest).with_context(|| format!("open blob {}", digest.short()))
    }

    /// Whether a blob is here. Looks at its name only: enough to know that nothing must be built,
    /// not enough to run it.
    pub fn has(&self, digest: &Digest) -> bool {
        self.blobs.has(digest)
    }

    /// Keeps bytes; their digest is [`Digest::of`] them.
    pub fn put_bytes(&self, bytes: &[u8]) -> Result<Digest> {
        self.blobs.put_bytes(bytes).context("keep bytes as a blob")
    }

    /// Kept bytes, verified; `None`: not here.
    pub fn bytes(&self, digest: &Digest) -> Result<Option<Vec<u8>>> {
        self.blobs.bytes(digest).with_context(|| format!("open blob {}", digest.short()))
    }

    /// Remembers something small that could be found out again, under a name.
    pub fn remember<T: Serialize>(&self, name: &str, value: &T) -> Result<()> {
        let json = serde_json::to_string(value).with_context(|| format!("remember {name}"))?;
        self.facts.remember(name, &json).with_context(|| format!("remember {name}"))
    }

    /// What was remembered under a name; `None` also if it was of another form.
    pub fn recall<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let json = self.facts.recall(name).with_context(|| format!("recall {name}"))?;
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()))
    }
}

/// The directories, readable by everybody: programs in the sandbox run as other users.
fn make(dir: &Path) -> Result<()> {
    let make = || -> io::Result<()> {
        if open_to_all(dir)? {
            let tag = "Signature: 8a477f597d28d172789f06886806bc55\n# made by kopek\n";
            fs::write(dir.join("CACHEDIR.TAG"), tag)?;
        }
        open_to_all(&dir.join("blobs"))?;
        open_to_all(&dir.join("tmp"))?;
        Ok(())
    };
    make().map_err(|error| trouble::of_files(dir, &error))
}

/// Makes a directory that all may read, whatever the umask says; whether it was not there.
/// One that is there is as its owner wants it.
fn open_to_all(dir: &Path) -> io::Result<bool> {
    if dir.is_dir() {
        return Ok(false);
    }
    fs::create_dir_all(dir)?;
    fs::set_permissions(dir, Permissions::from_mode(0o755))?;
    Ok(true)
}
