//! The form in which contents are sent. The first byte says whether a file or the entries of a directory follow, plain
//! or compressed. Compression more than halves programs and test data: with many machines, the network is the first
//! bottleneck. No contents are kept in memory or written to their place before their digest is verified: an account may
//! send wrong contents, or few bytes that expand to many.

use super::packed_tree::{pack_tree, packed_tree_digest, write_tree};
use anyhow::{Context, Result, ensure};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use kopek_base::{Digest, ScratchDir};
use kopek_engine::store::Store;
use kopek_plan::plan::BlobName;
use std::io::{Read, Write};

const FILE: u8 = b'F';
/// `T` was a tar archive.
const TREE: u8 = b'D';
/// A compressed file or directory.
const SHORT: u8 = b'Z';

/// Contents shorter than this fit into one or two packets without compression.
const MIN_COMPRESSED: usize = 4096;

/// The largest expanded size: a few bytes of a hostile account must not fill all disks.
const MAX_EXPANDED: u64 = 4 << 30;

/// The largest expanded size of a message, which is read into memory.
const MAX_MESSAGE: u64 = 256 << 20;

/// Contents that do not have their digest.
#[derive(Debug, thiserror::Error)]
#[error("contents {} arrive damaged", .0.short())]
pub(super) struct DamagedContents(pub Digest);

/// Packs contents of the local store for sending.
pub(super) fn pack(store: &Store, blob: BlobName) -> Result<Vec<u8>> {
    let mut packed = vec![FILE];
    match blob {
        BlobName::File(digest) => packed.extend(store.read(&digest)?),
        BlobName::Tree(digest) => match store.bytes(&digest) {
            Ok(Some(bytes)) => packed.extend(bytes),
            _ => {
                // Copy it: a directory in a package may hold more files than the digest covers.
                let copy = ScratchDir::new().context("make a directory")?;
                store.export_tree(&digest, copy.path())?;
                packed[0] = TREE;
                pack_tree(copy.path(), &mut packed)?;
            }
        },
    }
    Ok(packed)
}

/// Packs bytes that are not a file of the store.
pub(super) fn pack_bytes(bytes: &[u8]) -> Vec<u8> {
    [&[FILE], bytes].concat()
}

/// Stores received contents in the local store if they have their digest; returns their size.
pub(super) fn unpack(store: &Store, digest: &Digest, travelled: &[u8]) -> Result<u64> {
    let damaged = || DamagedContents(*digest);
    let mut size = 0;
    let is_whole = match open(travelled) {
        Some((FILE, contents)) => store.put_stream(digest, Counted { from: contents, size: &mut size })?,
        Some((TREE, tree)) => {
            ensure!(packed_tree_digest(tree).is_ok_and(|found| found == *digest), damaged());
            let dir = ScratchDir::new().context("make a directory")?;
            let (_, tree) = open(travelled).with_context(damaged)?;
            size = write_tree(tree, dir.path()).context("unpack a directory")?;
            store.put_tree(dir.path())? == *digest
        }
        Some(_) | None => false,
    };
    ensure!(is_whole, damaged());
    Ok(size)
}

/// Unpacks received bytes if they have their digest.
pub(super) fn unpack_bytes(digest: &Digest, travelled: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = match open(travelled) {
        Some((FILE, contents)) => contents.take(MAX_MESSAGE).read_to_end(&mut bytes).is_ok(),
        Some(_) | None => false,
    };
    ensure!(read && Digest::of(&bytes) == *digest, DamagedContents(*digest));
    Ok(bytes)
}

/// Opens received contents; they are expanded while they are read.
fn open(travelled: &[u8]) -> Option<(u8, Box<dyn Read + '_>)> {
    let (&form, rest) = travelled.split_first()?;
    if form != SHORT {
        return Some((form, Box::new(rest)));
    }
    let mut expanded = DeflateDecoder::new(rest).take(MAX_EXPANDED);
    let mut form = [0];
    expanded.read_exact(&mut form).ok()?;
    Some((form[0], Box::new(expanded)))
}

/// Counts the bytes that are read.
struct Counted<'a, R> {
    from: R,
    size: &'a mut u64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let got = self.from.read(buffer)?;
        *self.size += got as u64;
        Ok(got)
    }
}

/// Compresses if that makes it shorter.
pub(super) fn compress(packed: Vec<u8>) -> Vec<u8> {
    if packed.len() < MIN_COMPRESSED || packed.len() as u64 >= MAX_EXPANDED {
        return packed;
    }
    let mut encoder = DeflateEncoder::new(vec![SHORT], Compression::fast());
    let written = encoder.write_all(&packed).and_then(|()| encoder.finish());
    let short = written.expect("writing to memory succeeds");
    if short.len() < packed.len() / 10 * 9 { short } else { packed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs,
        os::unix::{ffi::OsStrExt, fs::PermissionsExt},
        path::Path,
    };

    fn stores() -> (tempfile::TempDir, [Store; 2]) {
        let home = tempfile::tempdir().unwrap();
        let stores = ["here", "there"].map(|name| Store::open(&home.path().join(name)).unwrap());
        (home, stores)
    }

    #[test]
    fn packed_bytes_arrive_whole_and_damaged_ones_are_refused() {
        let (home, [here, there]) = stores();
        let tree = home.path().join("tree");
        fs::create_dir_all(tree.join("a/empty")).unwrap();
        fs::write(tree.join("a/program"), "#!").unwrap();
        fs::set_permissions(tree.join("a/program"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(tree.join(format!("ü{}", "x".repeat(120))), "long").unwrap();
        fs::write(tree.join(std::ffi::OsStr::from_bytes(b"no text: \xff")), "").unwrap();
        let holes = fs::File::create(tree.join("holes")).unwrap();
        holes.set_len(1 << 20).unwrap();
        let (file, tree) = (here.put_bytes(b"text").unwrap(), here.put_tree(&tree).unwrap());
        for (blob, digest) in [(BlobName::File(file), file), (BlobName::Tree(tree), tree)] {
            let packed = pack(&here, blob).unwrap();
            for damage in [0, 1, packed.len() - 1, packed.len() / 2] {
                let mut damaged = packed.clone();
                damaged[damage] ^= 1;
                let error = unpack(&there, &digest, &damaged).unwrap_err();
                assert!(error.is::<DamagedContents>(), "{damage}: {error:#}");
            }
            for travels in [&packed[..packed.len() - 1], &compress(packed.clone())[..1], &[]] {
                assert!(unpack(&there, &digest, travels).unwrap_err().is::<DamagedContents>());
            }
            assert!(!there.has(&digest), "damaged contents are not kept");
            let size = unpack(&there, &digest, &compress(packed)).unwrap();
            assert_eq!(size, if digest == file { 4 } else { 6 + (1 << 20) });
        }
        assert_eq!(there.bytes(&file).unwrap().unwrap(), b"text");
        assert!(there.tree(&tree).unwrap().unwrap().join("a/empty").is_dir());
    }

    #[test]
    fn compressible_bytes_are_sent_compressed() {
        let digests = (0..20_000_u32).map(|n| Digest::of(&n.to_le_bytes()));
        let noise: Vec<u8> = digests.map(|digest| digest.as_bytes()[0]).collect();
        for (bytes, max) in [(noise, 20_001), (vec![7; 20_000], 200), (vec![7; 100], 101), (vec![], 1)] {
            let digest = Digest::of(&bytes);
            let travels = compress(pack_bytes(&bytes));
            assert!(travels.len() <= max, "{} bytes travel as {}", bytes.len(), travels.len());
            assert_eq!(unpack_bytes(&digest, &travels).unwrap(), bytes);
            // Truncated contents do not have their digest.
            let error = unpack_bytes(&digest, &travels[..travels.len() / 2]).unwrap_err();
            assert!(error.is::<DamagedContents>());
        }
    }

    #[test]
    fn a_path_that_leads_out_is_refused_even_under_its_own_digest() {
        let (home, [_, there]) = stores();
        let outside = format!("../{}", "../".repeat(20)) + home.path().join("outside").to_str().unwrap();
        let mut fields = kopek_base::TreeFields::default();
        fields.add_file(Path::new(&outside), false, &Digest::of(b"x"));
        let numbers = [1_u64, outside.len() as u64].map(u64::to_le_bytes).concat();
        let packed = [&[TREE, b'f'], &numbers[..], outside.as_bytes(), b"x"].concat();
        assert!(unpack(&there, &fields.digest(), &packed).is_err());
        assert!(!home.path().join("outside").exists());
    }

    #[test]
    fn few_bytes_that_become_many_are_no_message() {
        let zeros = compress(pack_bytes(&vec![0; 257 << 20]));
        assert!(zeros.len() < 2 << 20, "{}", zeros.len());
        let digest = Digest::of(&vec![0; 257 << 20]);
        assert!(unpack_bytes(&digest, &zeros).unwrap_err().is::<DamagedContents>());
    }
}
