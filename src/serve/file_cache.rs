//! Files that clients sent for later runs, in memory; the least recently used ones go when there are too many.

use super::{
    reply::RefusedRequest,
    request_json::{JsonScalar, read_body},
    run_spec::is_file_id,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use md5::{Digest, Md5};
use serde::Deserialize;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// The most that is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct CacheLimits {
    pub(super) files: usize,
    pub(super) bytes: usize,
}

pub(super) const CACHE_LIMITS: CacheLimits = CacheLimits { files: 10_000, bytes: 256 << 20 };

pub(super) struct FileCache {
    max: CacheLimits,
    state: Mutex<CacheState>,
}

#[derive(Default)]
struct CacheState {
    files: HashMap<String, CachedFile>,
    bytes: usize,
    /// Counts uses.
    clock: u64,
}

struct CachedFile {
    bytes: Arc<[u8]>,
    used: u64,
}

/// The body as clients write it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct FileBody {
    file_contents: JsonScalar,
}

impl FileCache {
    pub(super) fn new(max: CacheLimits) -> FileCache {
        FileCache { max, state: Mutex::default() }
    }

    /// Stores the file in the body of a request. If its id looks like an MD5, it must be the file's own; a file with
    /// another id is never replaced.
    pub(super) fn put(&self, id: &str, body: &[u8]) -> Result<(), RefusedRequest> {
        if !is_file_id(id) {
            return Err(RefusedRequest::bad(
                "the id of a file has 8 to 64 letters and digits, usually its MD5",
            ));
        }
        let id = id.to_ascii_lowercase();
        let FileBody { file_contents } = read_body(body)?;
        let JsonScalar::Text(text) = file_contents else {
            return Err(RefusedRequest::bad("the request has no file_contents, or it is not a text"));
        };
        let bytes = STANDARD
            .decode(text)
            .map_err(|error| RefusedRequest::bad(format!("file_contents of {id} is not base64: {error}")))?;
        let is_digest = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digest: String = Md5::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if is_digest && digest != id {
            return Err(RefusedRequest::bad(format!("the MD5 of file_contents is {digest}, not {id}")));
        }
        self.keep(id, bytes.into())
    }

    fn keep(&self, id: String, bytes: Arc<[u8]>) -> Result<(), RefusedRequest> {
        if bytes.len() > self.max.bytes {
            return Err(RefusedRequest::new(413, format!("{id} is larger than all files together may be")));
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clock += 1;
        let now = state.clock;
        if let Some(known) = state.files.get_mut(&id) {
            if known.bytes != bytes {
                return Err(RefusedRequest::new(
                    403,
                    format!("{id} is the id of another file; send it under its MD5"),
                ));
            }
            known.used = now;
            return Ok(());
        }
        state.bytes += bytes.len();
        state.files.insert(id, CachedFile { bytes, used: now });
        while state.bytes > self.max.bytes || state.files.len() > self.max.files {
            let oldest = state.files.iter().min_by_key(|(_, file)| file.used).map(|(id, _)| id.clone());
            let Some(gone) = oldest.and_then(|id| state.files.remove(&id)) else { break };
            state.bytes -= gone.bytes.len();
        }
        Ok(())
    }

    /// A file, which counts as a use of it.
    pub(super) fn get(&self, id: &str) -> Option<Arc<[u8]>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clock += 1;
        let now = state.clock;
        let file = state.files.get_mut(&id.to_ascii_lowercase())?;
        file.used = now;
        Some(file.bytes.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(files: &FileCache, id: &str, contents: &str) -> u16 {
        let body = format!("{{\"file_contents\": \"{}\"}}", STANDARD.encode(contents));
        files.put(id, body.as_bytes()).map_or_else(|refusal| refusal.status, |()| 204)
    }

    const HELLO: &str = "5d41402abc4b2a76b9719d911017c592";

    #[test]
    fn a_file_is_kept_only_under_its_own_digest() {
        let files = FileCache::new(CACHE_LIMITS);
        assert_eq!(put(&files, HELLO, "other"), 400);
        assert_eq!(files.get(HELLO), None);
        assert_eq!(put(&files, &HELLO.to_uppercase(), "hello"), 204);
        assert_eq!(files.get(HELLO).unwrap(), b"hello"[..].into());
        for (id, body) in [
            ("../../etc/x", "{}"),
            ("short", "{}"),
            (HELLO, "{}"),
            (HELLO, "7"),
            (HELLO, "{\"file_contents\": \"*\"}"),
        ] {
            assert_eq!(files.put(id, body.as_bytes()).unwrap_err().status, 400, "{id} {body}");
        }
    }

    #[test]
    fn a_file_is_not_replaced_under_another_id() {
        let files = FileCache::new(CACHE_LIMITS);
        assert_eq!(put(&files, "randomid01", "mine"), 204);
        assert_eq!(put(&files, "randomid01", "mine"), 204);
        assert_eq!(put(&files, "randomid01", "theirs"), 403);
        assert_eq!(files.get("randomid01").unwrap(), b"mine"[..].into());
    }

    #[test]
    fn the_least_recently_used_file_goes_first() {
        let files = FileCache::new(CacheLimits { files: 2, bytes: 10 });
        assert_eq!([put(&files, "aaaaaaaa", "1"), put(&files, "bbbbbbbb", "2")], [204, 204]);
        files.get("aaaaaaaa");
        put(&files, "cccccccc", "3");
        let kept = ["aaaaaaaa", "bbbbbbbb", "cccccccc"].map(|id| files.get(id).is_some());
        assert_eq!(kept, [true, false, true]);
        put(&files, "dddddddd", "0123456789");
        assert_eq!((files.get("aaaaaaaa"), files.get("dddddddd").unwrap().len()), (None, 10));
        assert_eq!(put(&files, "eeeeeeee", "01234567890"), 413);
    }
}
