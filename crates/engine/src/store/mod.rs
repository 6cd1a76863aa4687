//! What is already known: facts in an embedded database, blobs by digest beside it.
//!
//! ```text
//! .kopek/
//!   lock            shared by every process that has it open, alone by who prunes it
//!   facts.sqlite    key → outcome, with a checksum; and small remembered things
//!   blobs/ab/ab…/   directories and files by the digest of their contents
//!   warm/           caches of toolchains, which start more quickly with them
//!   tmp/            what is half written; never read, swept by the next who is alone
//! ```
//!
//! The whole of it is closed to other users. Only where programs are other users and find what they run by
//! its path, they may pass to what they can name.
//!
//! Finished work is found again, whatever killed the process since: a fact
//! is committed when `put` returns, a blob is renamed into place when it is whole.
//! What is read is checked against its digest, so that damage is an error and
//! never a grade. The database must lie on a local disk.
//!
//! Deliberately knows nothing of what a fact means: missing is missing.

mod blobs;
mod database;
mod directories;
mod facts;
mod lent;
mod lock;
mod merge;
mod owner;
mod prune;
mod trouble;

pub(crate) use facts::StoredFact;
pub use lent::Contents;
pub use merge::{Disagreement, Merged, take_over};
pub use prune::{Prune, Pruned};

use crate::plan::{BlobName, Key, Outcome};
use anyhow::{Context, Result, ensure};
use kopek_base::{Digest, FileId, TreeId};
use rustix::rand::{GetRandomFlags, getrandom};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    collections::{BTreeSet, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Longer contents than this are written to disk.
const LARGEST_IN_MEMORY: usize = 256 << 10;

const WARM: &str = "warm";
const ISOLATION: &str = "isolation.json";

/// An open store. Can be used from several threads; any number of processes can
/// have one directory open.
pub struct Store {
    dir: PathBuf,
    facts: facts::FactTable,
    blobs: blobs::BlobStore,
    lent: lent::Lent,
    valid: Mutex<ValidFacts>,
    _lock: lock::Lock,
}

/// Which of the stored facts are known.
#[derive(Default)]
struct ValidFacts {
    /// Of the toolchains as they are now: facts with other guards are unknown.
    guards: HashSet<Digest>,
    /// If older facts are ignored: the keys of those that were added since.
    added: Option<HashSet<Key>>,
}

impl ValidFacts {
    fn has(&self, key: &Key, fact: &StoredFact) -> bool {
        fact.guard.is_none_or(|guard| self.guards.contains(&guard))
            && self.added.as_ref().is_none_or(|added| added.contains(key))
    }
}

impl Store {
    /// Whether a directory is one.
    pub fn is_at(dir: &Path) -> bool {
        dir.join(database::FILE).is_file()
    }

    /// Opens a store that must be there: a name that was mistyped is no new store.
    pub fn open_existing(dir: &Path) -> Result<Store> {
        ensure!(Store::is_at(dir), "{} is no store of kopek: it holds no {}", dir.display(), database::FILE);
        Store::open(dir)
    }

    /// Opens the store of a directory; makes it if there is none.
    pub fn open(dir: &Path) -> Result<Store> {
        // Blobs are shown to processes that start elsewhere.
        let dir = &std::path::absolute(dir).with_context(|| format!("find the store {}", dir.display()))?;
        Store::open_with(dir, lock::Lock::shared)
    }

    fn open_with(dir: &Path, take: lock::Take) -> Result<Store> {
        let open = || -> Result<Store> {
            directories::make_directories(dir)?;
            owner::check_owner(dir)?;
            // Making the database needs it alone; so does sweeping what the killed left behind.
            let lock = take(dir, &|| {
                blobs::sweep(dir)?;
                facts::FactTable::open(dir).map(drop)
            })?;
            // A process that emptied the store just before took the directories with it.
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

    /// Where it lies.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A random number that tells this store from all others, also from one put in its place. It is made when it is
    /// first asked for.
    pub fn id(&self) -> Result<String> {
        let mut bytes = [0; 16];
        let mut make = || -> Result<String> {
            getrandom(&mut bytes, GetRandomFlags::empty()).context("get random bytes")?;
            self.facts.id(&format!("\"{:032x}\"", u128::from_be_bytes(bytes)))
        };
        make().with_context(|| format!("read the id of the store {}", self.dir.display()))
    }

    /// Lets programs that are other users pass to what they run, where they find it by its path.
    pub(crate) fn let_others_pass(&self) -> Result<()> {
        let passed = directories::let_others_pass(&self.dir);
        passed.with_context(|| format!("let programs pass into the store {}", self.dir.display()))
    }

    /// Where things lie that toolchains start more quickly with.
    pub fn warm(&self) -> PathBuf {
        self.dir.join(WARM)
    }

    /// The file in which a sandbox keeps how this machine isolates programs.
    pub fn isolation(&self) -> PathBuf {
        self.dir.join(ISOLATION)
    }

    /// What is known about a job.
    pub fn get(&self, key: &Key) -> Result<Option<Outcome>> {
        Ok(self.get_many(std::slice::from_ref(key))?.pop().flatten())
    }

    /// What is known about many jobs, in the order of the keys; in one reading.
    pub fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Outcome>>> {
        let stored = self.stored_facts(keys)?;
        let valid = self.valid();
        let known = |(key, fact): (&Key, Option<StoredFact>)| fact.filter(|fact| valid.has(key, fact));
        Ok(keys.iter().zip(stored).map(|fact| known(fact).map(|fact| fact.outcome)).collect())
    }

    fn valid(&self) -> MutexGuard<'_, ValidFacts> {
        self.valid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, facts that hold with this guard are known.
    pub(crate) fn add_guard(&self, guard: Digest) {
        self.valid().guards.insert(guard);
    }

    /// From now on, facts that hold with this guard are unknown.
    pub(crate) fn drop_guard(&self, guard: &Digest) {
        self.valid().guards.remove(guard);
    }

    /// From now on, facts that are in the store already are unknown; new ones replace them.
    pub fn ignore_older_facts(&self) {
        self.valid().added = Some(HashSet::new());
    }

    /// Whether older facts are ignored.
    pub(crate) fn is_fresh(&self) -> bool {
        self.valid().added.is_some()
    }

    /// The stored facts of keys, in their order, including those for toolchains of other machines.
    fn stored_facts(&self, keys: &[Key]) -> Result<Vec<Option<StoredFact>>> {
        self.facts.get_many(keys).with_context(|| format!("read facts of the store {}", self.dir.display()))
    }

    /// Adds a fact. It survives the death of this process as soon as this returns.
    /// A fact that is there already is replaced: it was about a lost blob, or is as good.
    pub fn put(&self, key: &Key, outcome: &Outcome) -> Result<()> {
        self.put_many(&[(*key, StoredFact { guard: None, outcome })])
    }

    /// Adds facts: all or none, and cheaper than one by one.
    pub(crate) fn put_many(&self, facts: &[(Key, StoredFact<&Outcome>)]) -> Result<()> {
        self.facts
            .put_many(facts)
            .with_context(|| format!("write facts to the store {}", self.dir.display()))?;
        if let Some(added) = &mut self.valid().added {
            added.extend(facts.iter().map(|(key, _)| *key));
        }
        Ok(())
    }

    /// Makes bytes available to jobs by their digest. Few bytes stay in memory, until the process ends.
    pub fn hold(&self, bytes: &Arc<[u8]>) -> Result<Digest> {
        if bytes.len() > LARGEST_IN_MEMORY {
            return self.put_bytes(bytes);
        }
        let digest = Digest::of(bytes);
        self.lent.hold(digest, bytes.clone());
        Ok(digest)
    }

    /// Makes a file available to jobs where it lies. It must stay as it is: jobs fail otherwise.
    pub fn lend_file(&self, path: &Path, id: FileId) {
        self.lent.lend_file(path, id);
    }

    /// Makes files of a directory available to jobs where they lie, as one tree.
    pub fn lend_tree(&self, dir: &Path, id: &TreeId) {
        self.lent.lend_tree(dir, id);
    }

    /// Where the contents of a digest can be had: lent, or kept here.
    pub fn contents(&self, digest: &Digest) -> Result<Contents> {
        if let Some(lent) = self.lent.file(digest) {
            return Ok(lent);
        }
        // Nothing need keep the empty file for it to be had.
        if *digest == Digest::of(b"") {
            return Ok(Contents::Bytes(Arc::new([])));
        }
        self.file_path(digest)?.map(Contents::File).with_context(|| gone(digest))
    }

    /// Where a directory lies: lent, or kept here.
    pub(crate) fn directory(&self, digest: &Digest) -> Result<PathBuf> {
        if let Some(lent) = self.lent.tree(digest) {
            return Ok(lent);
        }
        self.tree(digest)?.with_context(|| gone(digest))
    }

    /// Copies a directory, lent or kept: all of it, and nothing that only lies beside it.
    pub fn export_tree(&self, digest: &Digest, to: &Path) -> Result<()> {
        let from = self.directory(digest)?;
        let export = || -> io::Result<()> {
            // A lent directory may hold files that its digest does not cover.
            for below in self.lent.tree_files(digest).map_or_else(|| blobs::everything_below(&from), Ok)? {
                let (source, target) = (from.join(&below), to.join(&below));
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

    /// Fails if something lent was touched, or something kept was damaged.
    pub(crate) fn check_untouched(&self, blobs: &BTreeSet<BlobName>) -> Result<()> {
        for blob in blobs {
            match blob {
                BlobName::File(digest) => self.lent.check_file(digest)?,
                BlobName::Tree(digest) => self.lent.check_tree(digest)?,
            }
            let (BlobName::File(digest) | BlobName::Tree(digest)) = blob;
            self.blobs.check_untouched(digest)?;
        }
        Ok(())
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

    /// Where a kept file lies, its contents verified; `None`: not here.
    pub fn file_path(&self, digest: &Digest) -> Result<Option<PathBuf>> {
        self.blobs.file(digest).with_context(|| format!("open blob {}", digest.short()))
    }

    /// Whether all these blobs are here. Looks at their names only: enough to know that nothing must
    /// be done again, not enough to use them.
    pub(crate) fn has_all(&self, blobs: &[BlobName]) -> bool {
        blobs.iter().all(|blob| match blob {
            BlobName::File(digest) | BlobName::Tree(digest) => self.blobs.has(digest),
        })
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

    /// Keeps what a reader gives, if it has this digest; else nothing, and `false`. In constant memory.
    pub fn put_stream(&self, digest: &Digest, from: impl std::io::Read) -> Result<bool> {
        self.blobs.put_stream(digest, from).context("keep a stream as a blob")
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
        // Another form is a miss, not an error: it can be found out again.
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()))
    }

    /// Everything that was remembered in this form under names that begin so.
    pub(crate) fn recall_all<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<(String, T)>> {
        let names = self.facts.remembered_names(prefix);
        let names = names.with_context(|| format!("recall what begins with `{prefix}`"))?;
        let known = |name: String| self.recall(&name).map(|value| Some((name, value?))).transpose();
        names.into_iter().filter_map(known).collect()
    }
}

fn gone(digest: &Digest) -> String {
    format!("blob {} is gone from the store; run again to make it anew", digest.short())
}
