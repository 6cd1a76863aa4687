//! Contents of files and directories in the object store `cas`, under the digests that jobs and outcomes name. Every
//! arrival is digested here before use.

use super::{
    connection::Connection,
    messages::{Envelope, to_bytes},
    packed::{self, DamagedContents},
    streams::{BUCKET, CONTENTS_AGE},
};
use anyhow::{Context, Result, anyhow, bail};
use async_nats::{
    connection::State,
    jetstream::object_store::{InfoErrorKind, ObjectStore},
};
use base64::{Engine, prelude::BASE64_URL_SAFE};
use kopek_base::Digest;
use kopek_engine::store::Store;
use kopek_plan::plan::BlobName;
use std::{
    borrow::Cow,
    collections::HashSet,
    io::{Cursor, ErrorKind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};
use tokio::{io::AsyncReadExt, time::timeout};

/// Memory reserved in advance for contents; more is reserved only as they arrive.
const MAX_RESERVED: usize = 1 << 26;

/// Contents of which no byte arrives for this long are given up, however slow the line is.
const STALLED: Duration = Duration::from_secs(60);

/// How often to check that the server is there while no byte arrives.
const LOOK: Duration = Duration::from_secs(5);

/// This machine cannot store or read contents; the server is not to blame.
#[derive(Debug, thiserror::Error)]
#[error("contents cannot be had")]
pub(super) struct NotHere;

/// The object store, and which contents it is known to have.
pub(super) struct SharedContents<'a> {
    connection: &'a Connection,
    store: &'a Store,
    objects: tokio::sync::OnceCell<ObjectStore>,
    /// Contents that the server is known to keep for long enough.
    there: Mutex<HashSet<Digest>>,
    /// Bytes sent or received.
    pub sent: AtomicU64,
    pub received: AtomicU64,
    /// The same bytes before compression.
    kept: AtomicU64,
}

impl<'a> SharedContents<'a> {
    pub(super) fn new(connection: &'a Connection, store: &'a Store) -> SharedContents<'a> {
        let (objects, there, sent, received, kept) = Default::default();
        SharedContents { connection, store, objects, there, sent, received, kept }
    }

    /// Bytes added to the local store: fetched or built.
    pub(super) fn bytes_added(&self) -> u64 {
        self.kept.load(Ordering::Relaxed)
    }

    async fn objects(&self) -> Result<&ObjectStore> {
        let open = || self.connection.jetstream.get_object_store(BUCKET);
        self.objects
            .get_or_try_init(open)
            .await
            .map_err(|error| anyhow!("open the object store {BUCKET}: {error}"))
    }

    /// Sends contents that the server does not have.
    pub(super) async fn offer(&self, blobs: impl IntoIterator<Item = BlobName>) -> Result<()> {
        for blob in blobs {
            let digest = blob.digest();
            if self.known().contains(digest) {
                continue;
            }
            if !self.is_there(digest).await? {
                let packed = packed::pack(self.store, blob).context(NotHere)?;
                self.put(digest, packed).await?;
            }
            self.known().insert(*digest);
        }
        Ok(())
    }

    /// Sends bytes that are not a file of the store; returns their digest.
    async fn offer_bytes(&self, bytes: &[u8]) -> Result<Digest> {
        let digest = Digest::of(bytes);
        // Messages are few, and a job that cannot be read cannot report damaged contents.
        if !self.is_there(&digest).await? || self.fetch_bytes(&digest).await.is_err() {
            self.put(&digest, packed::pack_bytes(bytes)).await?;
        }
        Ok(digest)
    }

    /// Prepares a message for sending: long ones go to the object store.
    pub(super) async fn enclose(&self, message: Vec<u8>) -> Result<Vec<u8>> {
        if message.len() <= self.connection.client.server_info().max_payload / 2 {
            return Ok(message);
        }
        Ok(to_bytes(&Envelope::Long(self.offer_bytes(&message).await?)))
    }

    /// The inverse of [`enclose`](Self::enclose).
    pub(super) async fn disclose<'m>(&self, sent: &'m [u8]) -> Result<Cow<'m, [u8]>> {
        match serde_json::from_slice(sent) {
            Ok(Envelope::Long(digest)) => Ok(self.fetch_bytes(&digest).await?.into()),
            Err(_) => Ok(sent.into()),
        }
    }

    /// Forgets which contents the server has: it may have lost them.
    pub(super) fn doubt_all(&self) {
        self.known().clear();
    }

    /// Fetches contents that this machine does not have.
    pub(super) async fn fetch(&self, blobs: impl IntoIterator<Item = BlobName>) -> Result<()> {
        for blob in blobs {
            if !self.is_here(blob) {
                let digest = blob.digest();
                let travelled =
                    self.get(digest).await.with_context(|| format!("fetch contents {}", digest.short()))?;
                let size = packed::unpack(self.store, digest, &travelled)
                    .with_context(|| format!("keep contents {}", digest.short()))?;
                self.kept.fetch_add(size, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Replaces contents that arrived damaged elsewhere, unless they arrive whole here: others may be reading them.
    pub(super) async fn replace_damaged(&self, blob: BlobName) -> Result<()> {
        let digest = blob.digest();
        let packed = packed::pack(self.store, blob).context(NotHere)?;
        let is_whole = match self.get(digest).await {
            Ok(travelled) => travelled == packed::compress(packed.clone()),
            Err(_) => false,
        };
        if is_whole { Ok(()) } else { self.put(digest, packed).await }
    }

    /// Removes contents that arrive damaged, as if they had never been sent.
    pub(super) async fn remove_damaged(&self, digest: &Digest) -> Result<()> {
        let stream = self.connection.stream(&format!("OBJ_{BUCKET}")).await?;
        let name = BASE64_URL_SAFE.encode(digest.to_string());
        let removed = stream.purge().filter(format!("$O.{BUCKET}.M.{name}")).await;
        removed.map(drop).map_err(|error| anyhow!("remove contents {}: {error}", digest.short()))
    }

    /// Fetches bytes that [`offer_bytes`](Self::offer_bytes) sent.
    async fn fetch_bytes(&self, digest: &Digest) -> Result<Vec<u8>> {
        let bytes = packed::unpack_bytes(digest, &self.get(digest).await?)?;
        self.kept.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes)
    }

    /// Whether this machine keeps the contents undamaged. Lent contents do not count: they disappear with their
    /// process.
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
            // Contents that expire soon are sent again.
            Ok(info) => Ok(info.modified.is_some_and(|at| {
                let age = SystemTime::now().duration_since(SystemTime::from(at)).unwrap_or(Duration::ZERO);
                !info.deleted && age < CONTENTS_AGE / 2
            })),
            Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(false),
            Err(error) => Err(anyhow!("look for contents {}: {error}", digest.short())),
        }
    }

    async fn put(&self, digest: &Digest, packed: Vec<u8>) -> Result<()> {
        self.kept.fetch_add(packed.len() as u64, Ordering::Relaxed);
        let travels = packed::compress(packed);
        self.sent.fetch_add(travels.len() as u64, Ordering::Relaxed);
        let put = self.objects().await?.put(digest.to_string().as_str(), &mut Cursor::new(travels)).await;
        put.map(drop).map_err(|error| anyhow!("send contents {}: {error}", digest.short()))
    }

    async fn get(&self, digest: &Digest) -> Result<Vec<u8>> {
        let mut object =
            self.objects().await?.get(digest.to_string()).await.map_err(|error| anyhow!("{error}"))?;
        // The sender chose this number.
        let size = object.info.size;
        let mut bytes = Vec::with_capacity(size.min(MAX_RESERVED));
        // If the server lost the bytes of an object, the client would wait for the server's end.
        let mut read = 1;
        let mut heard = Instant::now();
        while read > 0 && bytes.len() <= size {
            match timeout(LOOK, object.read_buf(&mut bytes)).await {
                Ok(Err(error)) if error.kind() == ErrorKind::InvalidData => {
                    return Err(DamagedContents(*digest).into());
                }
                Ok(more) => (read, heard) = (more?, Instant::now()),
                Err(_) if self.connection.client.connection_state() != State::Connected => {
                    bail!("the server does not answer")
                }
                Err(_) if heard.elapsed() >= STALLED => {
                    let why = "the server announces contents and does not send them";
                    return Err(anyhow!(DamagedContents(*digest)).context(why));
                }
                Err(_) => {}
            }
        }
        self.received.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashSet<Digest>> {
        self.there.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
