//! Contents as they travel: a first byte says whether a file's bytes follow or a directory as a tar archive, or
//! either of them compressed. Programs and test data become less than half of what they are: on many machines the network
//! is full of them before anything else is.

use crate::{
    base::{Digest, ScratchDir},
    plan::BlobName,
    store::{Contents, Store},
};
use anyhow::{Context, Result, bail, ensure};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use std::io::{Read, Write};

const FILE: u8 = b'F';
const TREE: u8 = b'T';
/// One of the two above with what follows it, compressed.
const SHORT: u8 = b'Z';

/// What is shorter than this fits into a packet or two, compressed or not.
const LEAST_COMPRESSED: usize = 4096;

/// A few bytes of an account that lies must not fill the memory of all others.
const MOST_EXPANDED: u64 = 4 << 30;

/// Contents of the local store, as they travel.
pub(super) fn pack(store: &Store, blob: BlobName) -> Result<Vec<u8>> {
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

/// Bytes that are no file of anybody's, as they travel.
pub(super) fn pack_bytes(bytes: &[u8]) -> Vec<u8> {
    [&[FILE], bytes].concat()
}

/// Keeps in the local store what arrived, if it is what it says.
pub(super) fn unpack(store: &Store, digest: &Digest, packed: &[u8]) -> Result<()> {
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

/// The bytes that arrived, if they are what they say.
pub(super) fn unpack_bytes(digest: &Digest, packed: &[u8]) -> Result<Vec<u8>> {
    match packed.split_first() {
        Some((&FILE, bytes)) if Digest::of(bytes) == *digest => Ok(bytes.to_vec()),
        _ => bail!("they were damaged on the way"),
    }
}

/// Shorter, where that is worth it.
pub(super) fn compress(packed: Vec<u8>) -> Vec<u8> {
    if packed.len() < LEAST_COMPRESSED || packed.len() as u64 >= MOST_EXPANDED {
        return packed;
    }
    let mut encoder = DeflateEncoder::new(vec![SHORT], Compression::fast());
    let written = encoder.write_all(&packed).and_then(|()| encoder.finish());
    let short = written.expect("memory takes what is written");
    if short.len() < packed.len() / 10 * 9 { short } else { packed }
}

/// As it was before it was made shorter.
pub(super) fn expand(travelled: Vec<u8>) -> Result<Vec<u8>> {
    let Some((&SHORT, short)) = travelled.split_first() else { return Ok(travelled) };
    let mut whole = Vec::new();
    let read = DeflateDecoder::new(short).take(MOST_EXPANDED).read_to_end(&mut whole);
    read.context("they were damaged on the way")?;
    ensure!((whole.len() as u64) < MOST_EXPANDED, "they are larger than {} GiB", MOST_EXPANDED >> 30);
    Ok(whole)
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
    fn what_is_worth_it_travels_compressed_and_comes_out_whole() {
        let digests = (0..20_000_u32).map(|n| Digest::of(&n.to_le_bytes()));
        let noise: Vec<u8> = digests.map(|digest| digest.as_bytes()[0]).collect();
        for (bytes, most) in [(noise, 20_001), (vec![7; 20_000], 200), (vec![7; 100], 101), (vec![], 1)] {
            let (packed, digest) = (pack_bytes(&bytes), Digest::of(&bytes));
            let travels = compress(packed.clone());
            assert!(travels.len() <= most, "{} bytes travel as {}", packed.len(), travels.len());
            assert_eq!(expand(travels.clone()).unwrap(), packed);
            assert_eq!(unpack_bytes(&digest, &packed).unwrap(), bytes);
            // What was cut short on the way is not what it says.
            let part = expand(travels[..travels.len() / 2].to_vec());
            assert!(part.and_then(|part| unpack_bytes(&digest, &part)).is_err());
        }
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
