//! Known results: facts in an embedded database, and blobs by digest beside it.
//!
//! ```text
//! ~/.cache/kopek/
//!   lock            shared by processes that have it open, exclusive while pruning
//!   facts.sqlite    key → outcome, with a checksum; and small cached values
//!   blobs/ab/ab…/   directories and files by the digest of their contents
//!   warm/           caches that speed up toolchains
//!   tmp/            unfinished files; never read, removed under the exclusive lock
//! ```
//!
//! Other users have no access to the store. If programs run as other users and find their files by path,
//! these can reach files whose names they know.
//!
//! Finished work survives any kill of the process: a fact is committed when `put` returns, and a blob is
//! renamed into place when it is complete. Everything that is read is checked against its digest, so damage
//! is an error and never a grade. The database must be on a local disk.
//!
//! Does not know the meaning of a fact: a missing fact is just missing.

mod blobs;
mod database;
mod directories;
mod facts;
mod lent;
mod lock;
mod merge;
mod prune;
mod trouble;

pub(crate) use facts::StoredFact;
pub use lent::Contents;
pub use merge::{Disagreement, Merged, take_over};
pub use prune::{Prune, Pruned};

use anyhow::{Context, Result, ensure};
use kopek_base::{Digest, FileId, TreeId};
use kopek_plan::plan::{BlobName, Key, Outcome};
use rustix::rand::{GetRandomFlags, getrandom};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    collections::{BTreeSet, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Larger contents are written to disk.
const MAX_IN_MEMORY: usize = 256 << 10;

const WARM: &str = "warm";
const ISOLATION: &str = "isolation.json";

/// An open store. Several threads can use it, and any number of processes can open the same directory.
pub struct Store {
    dir: PathBuf,
    facts: facts::FactTable,
    blobs: blobs::BlobStore,
    lent: lent::Lent,
    valid: Mutex<ValidFacts>,
    _lock: lock::Lock,
}

/// Which of the stored facts are valid.
#[derive(Default)]
struct ValidFacts {
    /// The guards of the current toolchains: facts with other guards are unknown.
    guards: HashSet<Digest>,
    /// If older facts are ignored: the keys of facts added since.
    added: Option<HashSet<Key>>,
}

impl ValidFacts {
    fn has(&self, key: &Key, fact: &StoredFact) -> bool {
        fact.guard.is_none_or(|guard| self.guards.contains(&guard))
            && self.added.as_ref().is_none_or(|added| added.contains(key))
    }
}

impl Store {
    /// Whether a directory is a store.
    pub fn is_at(dir: &Path) -> bool {
        dir.join(database::FILE).is_file()
    }

    /// Opens an existing store: a mistyped path must not create a new one.
    pub fn open_existing(dir: &Path) -> Result<Store> {
        ensure!(Store::is_at(dir), "{} is not a kopek store: it has no {}", dir.display(), database::FILE);
        Store::open(dir)
    }

    /// Opens the store of a directory; creates it if there is none.
    pub fn open(dir: &Path) -> Result<Store> {
        // Processes with another working directory see the blobs.
        let dir = &std::path::absolute(dir).with_context(|| format!("find the store {}", dir.display()))?;
        Store::open_with(dir, lock::Lock::shared)
    }

    fn open_with(dir: &Path, take: lock::Take) -> Result<Store> {
        let open = || -> Result<Store> {
            directories::make_directories(dir)?;
            directories::refuse_network(dir)?;
            directories::check_owner(dir)?;
            // Creating the database needs the exclusive lock, and so does removing unfinished files.
            let lock = take(dir, &|| {
                blobs::sweep(dir)?;
                facts::FactTable::open(dir).map(drop)
            })?;
            // A process that just emptied the store may have removed the directories.
            directories::make_directories(dir)?;
            Ok(Store {
                dir: dir.to_owned(),
                facts: facts::FactTable::open(dir)?,
                blobs: blobs::BlobStore::new(dir),
                lent: lent::Lent::default(),
                valid: Mutex::default(),
                _lock: lock,
            })
        };
        open().with_context(|| format!("open the store {}", dir.display()))
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A random number that identifies this store, also if another store replaces it at the same path. It is
    /// created at the first call.
    pub fn id(&self) -> Result<String> {
        let mut bytes = [0; 16];
        let mut make = || -> Result<String> {
            getrandom(&mut bytes, GetRandomFlags::empty()).context("get random bytes")?;
            self.facts.id(&format!("\"{:032x}\"", u128::from_be_bytes(bytes)))
        };
        make().with_context(|| format!("read the id of the store {}", self.dir.display()))
    }

    /// Lets programs that run as other users reach their files by path.
    pub(crate) fn let_others_pass(&self) -> Result<()> {
        let passed = directories::let_others_pass(&self.dir);
        passed.with_context(|| format!("let programs pass into the store {}", self.dir.display()))
    }

    /// The directory for caches of toolchains.
    pub fn warm(&self) -> PathBuf {
        self.dir.join(WARM)
    }

    /// The file in which a sandbox caches how this machine isolates programs.
    pub fn isolation(&self) -> PathBuf {
        self.dir.join(ISOLATION)
    }

    /// The fact of a job.
    pub fn get(&self, key: &Key) -> Result<Option<Outcome>> {
        Ok(self.get_many(std::slice::from_ref(key))?.pop().flatten())
    }

    /// The facts of many jobs, in the order of the keys, in one reading.
    pub fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Outcome>>> {
        let stored = self.stored_facts(keys)?;
        let valid = self.valid();
        let known = |(key, fact): (&Key, Option<StoredFact>)| fact.filter(|fact| valid.has(key, fact));
        Ok(keys.iter().zip(stored).map(|fact| known(fact).map(|fact| fact.outcome)).collect())
    }

    fn valid(&self) -> MutexGuard<'_, ValidFacts> {
        self.valid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, facts with this guard are valid.
    pub(crate) fn add_guard(&self, guard: Digest) {
        self.valid().guards.insert(guard);
    }

    /// Whether facts with this guard are valid.
    pub(crate) fn has_guard(&self, guard: &Digest) -> bool {
        self.valid().guards.contains(guard)
    }

    /// From now on, facts with this guard are unknown.
    pub(crate) fn drop_guard(&self, guard: &Digest) {
        self.valid().guards.remove(guard);
    }

    /// From now on, facts in the store are unknown; new ones replace them.
    pub fn ignore_older_facts(&self) {
        self.valid().added = Some(HashSet::new());
    }

    /// Whether older facts are ignored.
    pub fn is_fresh(&self) -> bool {
        self.valid().added.is_some()
    }

    /// The stored facts of keys, in their order, including those for toolchains of other machines.
    fn stored_facts(&self, keys: &[Key]) -> Result<Vec<Option<StoredFact>>> {
        self.facts.get_many(keys).with_context(|| format!("read facts of the store {}", self.dir.display()))
    }

    /// Adds a fact, which survives the end of this process once this returns. Replaces an existing fact,
    /// which was about a lost blob or is equal.
    pub fn put(&self, key: &Key, outcome: &Outcome) -> Result<()> {
        self.put_many(&[(*key, StoredFact { guard: None, outcome })])
    }

    /// Adds facts, all or none; cheaper than one by one.
    pub(crate) fn put_many(&self, facts: &[(Key, StoredFact<&Outcome>)]) -> Result<()> {
        self.facts
            .put_many(facts)
            .with_context(|| format!("write facts to the store {}", self.dir.display()))?;
        if let Some(added) = &mut self.valid().added {
            added.extend(facts.iter().map(|(key, _)| *key));
        }
        Ok(())
    }

    /// Makes bytes available to jobs by their digest. Small contents stay in memory until the process ends.
    pub fn hold(&self, bytes: &Arc<[u8]>) -> Result<Digest> {
        if bytes.len() > MAX_IN_MEMORY {
            return self.put_bytes(bytes);
        }
        let digest = Digest::of(bytes);
        self.lent.hold(digest, bytes.clone());
        Ok(digest)
    }

    /// Makes a file available to jobs without a copy. It must not change: otherwise jobs fail.
    pub fn lend_file(&self, path: &Path, id: FileId) {
        self.lent.lend_file(path, id);
    }

    /// Makes files of a directory available to jobs as one tree, without a copy.
    pub fn lend_tree(&self, dir: &Path, id: &TreeId) {
        self.lent.lend_tree(dir, id);
    }

    /// The contents with this digest, lent or kept.
    pub fn contents(&self, digest: &Digest) -> Result<Contents> {
        if let Some(lent) = self.lent.file(digest) {
            return Ok(lent);
        }
        // The empty file is always available.
        if *digest == Digest::of(b"") {
            return Ok(Contents::Bytes(Arc::new([])));
        }
        self.file_path(digest)?.map(Contents::File).with_context(|| gone(digest))
    }

    /// The bytes with this digest, lent or kept.
    pub fn read(&self, digest: &Digest) -> Result<Vec<u8>> {
        match self.contents(digest)? {
            Contents::Bytes(bytes) => Ok(bytes.to_vec()),
            Contents::File(path) => fs::read(&path).with_context(|| format!("read {}", path.display())),
        }
    }

    /// The path of a directory, lent or kept.
    pub fn directory(&self, digest: &Digest) -> Result<PathBuf> {
        if let Some(lent) = self.lent.tree(digest) {
            return Ok(lent);
        }
        self.tree(digest)?.with_context(|| gone(digest))
    }

    /// Copies a directory, lent or kept, with all of its files and no others.
    pub fn export_tree(&self, digest: &Digest, to: &Path) -> Result<()> {
        let from = self.directory(digest)?;
        let export = || -> io::Result<()> {
            // A lent directory may hold files that its digest does not cover.
            for below in self.lent.tree_files(digest).map_or_else(|| blobs::everything_below(&from), Ok)? {
                let source = from.join(&below);
                let target = to.join(&below);
                if source.is_dir() {
                    fs::create_dir_all(target)?;
                    continue;
                }
                target.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::copy(source, target)?;
            }
            Ok(())
        };
        export().with_context(|| format!("copy blob {} to {}", digest.short(), to.display()))
    }

    /// Fails if a lent blob was changed, or a kept blob was damaged.
    pub(crate) fn check_untouched(&self, blobs: &BTreeSet<BlobName>) -> Result<()> {
        for blob in blobs {
            match blob {
                BlobName::File(digest) => self.lent.check_file(digest)?,
                BlobName::Tree(digest) => self.lent.check_tree(digest)?,
            }
            self.blobs.check_untouched(blob.digest())?;
        }
        Ok(())
    }

    /// Keeps a directory of files; the same files always give the same digest.
    pub fn put_tree(&self, files: &Path) -> Result<Digest> {
        self.blobs.put_tree(files).with_context(|| format!("keep {} as a blob", files.display()))
    }

    /// The path of a kept directory, with its contents verified; `None` if it is not here (pruned, or never
    /// kept). Its files are read-only and readable by all; they must not be changed.
    pub fn tree(&self, digest: &Digest) -> Result<Option<PathBuf>> {
        self.blobs.tree(digest).with_context(|| format!("open blob {}", digest.short()))
    }

    /// The path of a kept file, with its contents verified; `None` if it is not here.
    pub fn file_path(&self, digest: &Digest) -> Result<Option<PathBuf>> {
        self.blobs.file(digest).with_context(|| format!("open blob {}", digest.short()))
    }

    /// Whether all these blobs exist. Checks only their names: enough to skip work, not enough to use them.
    pub(crate) fn has_all(&self, blobs: &[BlobName]) -> bool {
        blobs.iter().all(|blob| self.has(blob.digest()))
    }

    /// Whether a blob exists. Checks only its name: enough to skip a build, not enough to run it.
    pub fn has(&self, digest: &Digest) -> bool {
        self.blobs.has(digest)
    }

    /// Keeps bytes; their digest is [`Digest::of`] them.
    pub fn put_bytes(&self, bytes: &[u8]) -> Result<Digest> {
        self.blobs.put_bytes(bytes).context("keep bytes as a blob")
    }

    /// Keeps the data of a reader if it has this digest; otherwise keeps nothing and returns `false`. Uses
    /// constant memory.
    pub fn put_stream(&self, digest: &Digest, from: impl std::io::Read) -> Result<bool> {
        self.blobs.put_stream(digest, from).context("keep a stream as a blob")
    }

    /// Kept bytes, verified; `None` if they are not here.
    pub fn bytes(&self, digest: &Digest) -> Result<Option<Vec<u8>>> {
        self.blobs.bytes(digest).with_context(|| format!("open blob {}", digest.short()))
    }

    /// Caches a small value under a name; it must be possible to compute it again.
    pub fn remember<T: Serialize>(&self, name: &str, value: &T) -> Result<()> {
        let json = serde_json::to_string(value).with_context(|| format!("remember {name}"))?;
        self.facts.remember(name, &json).with_context(|| format!("remember {name}"))
    }

    /// The value that was cached under a name; `None` if it has another form.
    pub fn recall<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let json = self.facts.recall(name).with_context(|| format!("recall {name}"))?;
        // Another form is a cache miss, not an error.
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()))
    }

    /// All values of this form that were cached under names with this prefix.
    pub(crate) fn recall_all<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<(String, T)>> {
        let names = self.facts.remembered_names(prefix);
        let names = names.with_context(|| format!("recall what begins with `{prefix}`"))?;
        let known = |name: String| self.recall(&name).map(|value| Some((name, value?))).transpose();
        names.into_iter().filter_map(known).collect()
    }
}

fn gone(digest: &Digest) -> String {
    format!("blob {} is missing from the store; run again to recreate it", digest.short())
}
