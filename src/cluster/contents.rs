//! Contents of files and directories in the object store `cas`, by the digest that jobs and outcomes name
//! them by. What arrives is digested here and believed only then, whoever put it there.

use super::{
    connection::Connection,
    messages::{Envelope, to_bytes},
    streams::{BUCKET, CONTENTS_AGE},
};
use crate::{
    base::{Digest, ScratchDir},
    plan::BlobName,
    store::{Contents, Store},
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use async_nats::jetstream::object_store::{InfoErrorKind, ObjectStore};
use std::{
    borrow::Cow,
    collections::HashSet,
    io::Cursor,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};
use tokio::io::AsyncReadExt;

/// First byte of what is kept: a file's bytes follow, or a directory as a tar archive.
const FILE: u8 = b'F';
const TREE: u8 = b'T';

/// Contents cannot be had on this machine: no server is to blame.
#[derive(Debug, thiserror::Error)]
#[error("contents cannot be had")]
pub(super) struct NotHere;

/// The object store, and what of it is known.
pub(super) struct SharedContents<'a> {
    connection: &'a Connection,
    store: &'a Store,
    objects: tokio::sync::OnceCell<ObjectStore>,
    /// What lies there for certain, for long enough.
    there: Mutex<HashSet<Digest>>,
    pub sent: AtomicU64,
    pub received: AtomicU64,
}

impl<'a> SharedContents<'a> {
    pub(super) fn new(connection: &'a Connection, store: &'a Store) -> SharedContents<'a> {
        let (objects, there, sent, received) = Default::default();
        SharedContents { connection, store, objects, there, sent, received }
    }

    /// Bytes that came into the local store by what travelled: what was fetched, and what was made here.
    pub(super) fn bytes_added(&self) -> u64 {
        self.received.load(Ordering::Relaxed) + self.sent.load(Ordering::Relaxed)
    }

    async fn objects(&self) -> Result<&ObjectStore> {
        let open = || self.connection.jetstream.get_object_store(BUCKET);
        self.objects
            .get_or_try_init(open)
            .await
            .map_err(|error| anyhow!("open the object store {BUCKET}: {error}"))
    }

    /// Puts there what is not there yet.
    pub(super) async fn offer(&self, blobs: impl IntoIterator<Item = BlobName>) -> Result<()> {
        for blob in blobs {
            let (BlobName::File(digest) | BlobName::Tree(digest)) = blob;
            if self.known().contains(&digest) {
                continue;
            }
            if !self.is_there(&digest).await? {
                let packed = pack(self.store, blob).context(NotHere)?;
                self.put(&digest, packed).await?;
            }
            self.known().insert(digest);
        }
        Ok(())
    }

    /// Keeps bytes that are no file of anybody's; their digest.
    async fn offer_bytes(&self, bytes: &[u8]) -> Result<Digest> {
        let digest = Digest::of(bytes);
        if !self.is_there(&digest).await? {
            self.put(&digest, [&[FILE], bytes].concat()).await?;
        }
        Ok(digest)
    }

    /// A message as it is sent: one that is long lies among the contents.
    pub(super) async fn enclose(&self, message: Vec<u8>) -> Result<Vec<u8>> {
        if message.len() <= self.connection.client.server_info().max_payload / 2 {
            return Ok(message);
        }
        Ok(to_bytes(&Envelope::Long(self.offer_bytes(&message).await?)))
    }

    /// A message as it was before it was sent.
    pub(super) async fn disclose<'m>(&self, sent: &'m [u8]) -> Result<Cow<'m, [u8]>> {
        match serde_json::from_slice(sent) {
            Ok(Envelope::Long(digest)) => Ok(self.fetch_bytes(&digest).await?.into()),
            Err(_) => Ok(sent.into()),
        }
    }

    /// Forgets what was known: the server may have lost it.
    pub(super) fn doubt_all(&self) {
        self.known().clear();
    }

    /// Brings here what is not here yet.
    pub(super) async fn fetch(&self, blobs: impl IntoIterator<Item = BlobName>) -> Result<()> {
        for blob in blobs {
            if !self.is_here(blob) {
                let (BlobName::File(digest) | BlobName::Tree(digest)) = blob;
                let packed =
                    self.get(&digest).await.with_context(|| format!("fetch contents {}", digest.short()))?;
                unpack(self.store, &digest, &packed)
                    .with_context(|| format!("keep contents {}", digest.short()))?;
            }
        }
        Ok(())
    }

    /// Bytes that were offered as such.
    async fn fetch_bytes(&self, digest: &Digest) -> Result<Vec<u8>> {
        let packed = self.get(digest).await?;
        match packed.split_first() {
            Some((&FILE, bytes)) if Digest::of(bytes) == *digest => Ok(bytes.to_vec()),
            _ => bail!("contents {} were damaged on the way", digest.short()),
        }
    }

    /// Whether it is kept on this machine, and whole: what is damaged is fetched anew. What is only lent does
    /// not count, for it goes with its process.
    fn is_here(&self, blob: BlobName) -> bool {
        let is_file = |digest| self.store.file_path(digest).is_ok_and(|path| path.is_some());
        match blob {
            BlobName::File(digest) => is_file(&digest),
            // The fake executor calls a file a directory.
            BlobName::Tree(digest) => {
                self.store.tree(&digest).is_ok_and(|path| path.is_some()) || is_file(&digest)
            }
        }
    }

    async fn is_there(&self, digest: &Digest) -> Result<bool> {
        match self.objects().await?.info(digest.to_string()).await {
            // What will be dropped soon is put there anew.
            Ok(info) => Ok(info.modified.is_some_and(|at| {
                let age = SystemTime::now().duration_since(SystemTime::from(at)).unwrap_or(Duration::ZERO);
                !info.deleted && age < CONTENTS_AGE / 2
            })),
            Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(false),
            Err(error) => Err(anyhow!("look for contents {}: {error}", digest.short())),
        }
    }

    async fn put(&self, digest: &Digest, packed: Vec<u8>) -> Result<()> {
        self.sent.fetch_add(packed.len() as u64, Ordering::Relaxed);
        let put = self.objects().await?.put(digest.to_string().as_str(), &mut Cursor::new(packed)).await;
        put.map(drop).map_err(|error| anyhow!("send contents {}: {error}", digest.short()))
    }

    async fn get(&self, digest: &Digest) -> Result<Vec<u8>> {
        let mut object =
            self.objects().await?.get(digest.to_string()).await.map_err(|error| anyhow!("{error}"))?;
        let mut bytes = Vec::with_capacity(object.info.size);
        object.read_to_end(&mut bytes).await?;
        self.received.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashSet<Digest>> {
        self.there.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn pack(store: &Store, blob: BlobName) -> Result<Vec<u8>> {
    let mut packed = vec![FILE];
    match blob {
        BlobName::File(digest) => match store.contents(&digest)? {
            Contents::Bytes(bytes) => packed.extend_from_slice(&bytes),
            Contents::File(path) => {
                packed.extend(std::fs::read(&path).with_context(|| format!("read {}", path.display()))?);
            }
        },
        BlobName::Tree(digest) => match store.bytes(&digest) {
            Ok(Some(bytes)) => packed.extend(bytes),
            _ => {
                // A copy: a directory that lies in a package may hold more than the digest covers.
                let copy = ScratchDir::new().context("make a directory")?;
                store.export_tree(&digest, copy.path())?;
                packed[0] = TREE;
                let mut archive = tar::Builder::new(packed);
                archive.mode(tar::HeaderMode::Deterministic);
                archive.append_dir_all(".", copy.path()).context("pack a directory")?;
                packed = archive.into_inner().context("pack a directory")?;
            }
        },
    }
    Ok(packed)
}

fn unpack(store: &Store, digest: &Digest, packed: &[u8]) -> Result<()> {
    let kept = match packed.split_first() {
        Some((&FILE, bytes)) => {
            // First: what is not what it says is not even written.
            ensure!(Digest::of(bytes) == *digest, "they were damaged on the way");
            store.put_bytes(bytes)?
        }
        Some((&TREE, archive)) => {
            let dir = ScratchDir::new().context("make a directory")?;
            // Leaves out what would lie outside of the directory; then the digest is another.
            tar::Archive::new(archive).unpack(dir.path()).context("unpack a directory")?;
            ensure!(crate::base::tree_digest(dir.path())? == *digest, "they were damaged on the way");
            store.put_tree(dir.path())?
        }
        _ => bail!("they were damaged on the way"),
    };
    ensure!(kept == *digest, "they were damaged on the way");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt};

    #[test]
    fn what_is_packed_arrives_whole_and_what_is_damaged_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let [here, there] = ["here", "there"].map(|name| Store::open(&home.path().join(name)).unwrap());
        let tree = home.path().join("tree");
        fs::create_dir_all(tree.join("a/empty")).unwrap();
        fs::write(tree.join("a/program"), "#!").unwrap();
        fs::set_permissions(tree.join("a/program"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(tree.join(format!("ü{}", "x".repeat(120))), "long").unwrap();
        let (file, tree) = (here.put_bytes(b"text").unwrap(), here.put_tree(&tree).unwrap());
        for (blob, digest) in [(BlobName::File(file), file), (BlobName::Tree(tree), tree)] {
            let packed = pack(&here, blob).unwrap();
            for damage in [0, packed.len() - 1, packed.len() / 2] {
                let mut damaged = packed.clone();
                damaged[damage] ^= 1;
                // The padding of an archive is nobody's.
                assert!(unpack(&there, &digest, &damaged).is_err() || damage > 0 && digest == tree);
            }
            unpack(&there, &digest, &packed).unwrap();
        }
        assert_eq!(there.bytes(&file).unwrap().unwrap(), b"text");
        assert!(there.tree(&tree).unwrap().unwrap().join("a/empty").is_dir());
    }

    #[test]
    fn an_archive_that_leads_out_writes_nothing_there() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("store")).unwrap();
        let target = home.path().join("outside");
        let mut archive = tar::Builder::new(vec![TREE]);
        let mut header = tar::Header::new_gnu();
        header.set_size(1);
        let path = format!("../../../../../../../..{}", target.display());
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        archive.append(&header, &b"x"[..]).unwrap();
        assert!(unpack(&store, &Digest::of(b"wanted"), &archive.into_inner().unwrap()).is_err());
        assert!(!target.exists());
    }
}
