//! The directories of a store, their permissions and their owner.

use super::trouble;
use anyhow::{Result, bail};
use std::{
    fs::{self, Metadata, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::Path,
};

const TAG: &str = "CACHEDIR.TAG";

/// Creates the directories. Only the owner can enter the topmost one, because hand-ins, tests and verdicts
/// are below it. Deeper directories are readable by all, because programs in the sandbox may run as other
/// users.
pub(crate) fn make_directories(dir: &Path) -> Result<()> {
    let make = || -> io::Result<()> {
        if make_closed(dir)? {
            let tag = "Signature: 8a477f597d28d172789f06886806bc55\n# made by kopek\n";
            fs::write(dir.join(TAG), tag)?;
            // Prevents an accidental commit if the store is inside a repository.
            fs::write(dir.join(".gitignore"), "*\n")?;
        }
        close_to_others(dir)?;
        make_passable(&dir.join("blobs"))?;
        make_closed(&dir.join("tmp"))?;
        Ok(())
    };
    make().map_err(|error| trouble::of_files(dir, &error))
}

/// The magic numbers of file systems over a network (`man 2 statfs`), and their names.
const NETWORK: [(u64, &str); 10] = [
    (0x6969, "NFS"),
    (0x517b, "SMB"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB2"),
    (0x0bd0_0bd0, "Lustre"),
    (0x4750_4653, "GPFS"),
    (0x1983_0326, "BeeGFS"),
    (0x00c3_6400, "Ceph"),
    (0x5346_414f, "AFS"),
    (0xaad7_aaea, "PanFS"),
];

/// Refuses a store on a file system that several machines share: the log of its database is memory that only processes
/// of one machine see alike.
pub(crate) fn refuse_network(dir: &Path) -> Result<()> {
    let Ok(system) = rustix::fs::statfs(dir) else { return Ok(()) };
    match network_name(system.f_type as u64) {
        Some(name) => bail!(
            "it is on a network file system ({name}); name a folder on a local disk with --store or KOPEK_STORE"
        ),
        None => Ok(()),
    }
}

fn network_name(magic: u64) -> Option<&'static str> {
    // The kernel's type is signed, and of 32 bits on some machines.
    NETWORK.iter().find(|(known, _)| *known == magic & 0xffff_ffff).map(|(_, name)| *name)
}

/// Creates a directory for its owner alone, and its parents with the usual mode. Returns whether it is new.
fn make_closed(dir: &Path) -> io::Result<bool> {
    if dir.is_dir() {
        return Ok(false);
    }
    dir.parent().map_or(Ok(()), fs::create_dir_all)?;
    match fs::DirBuilder::new().mode(0o700).create(dir) {
        // Another process created it first.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        done => done.map(|()| true),
    }
}

/// Closes a store that a copy or a backup opened to others. A group that the owner added keeps its access, and so do
/// programs.
fn close_to_others(dir: &Path) -> io::Result<()> {
    let metadata = fs::metadata(dir)?;
    let mode = metadata.mode() & 0o7777;
    // Ignore a directory that exists but is not a store yet.
    if mode & 0o6 == 0 || !is_ours(&metadata) || !dir.join(TAG).exists() {
        return Ok(());
    }
    let closed = if mode & 0o20 == 0 { mode & !0o77 } else { mode & !0o7 };
    fs::set_permissions(dir, Permissions::from_mode(closed))
}

fn is_ours(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// Lets other users reach blobs whose names they know: programs that run as such users and find their files
/// by path.
pub(crate) fn let_others_pass(dir: &Path) -> io::Result<()> {
    // First, because others can reach these files as soon as the directory is open.
    for entry in fs::read_dir(dir)?.flatten().filter(|entry| entry.path().is_file()) {
        fs::set_permissions(entry.path(), Permissions::from_mode(0o600))?;
    }
    let mode = fs::metadata(dir)?.mode() & 0o7777;
    fs::set_permissions(dir, Permissions::from_mode(mode | 0o1))
}

/// Creates a directory that all may enter and only its owner may list, whatever the umask. Leaves an existing
/// one as it is.
pub(crate) fn make_passable(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(dir)?;
    fs::set_permissions(dir, Permissions::from_mode(0o711))
}

/// Fails if this process writes files as another user than the owner of the store. The owner can neither
/// replace nor remove files that another user leaves in it, and another user could write any fact there.
pub(crate) fn check_owner(dir: &Path) -> Result<()> {
    let owners = || -> io::Result<(u32, u32)> {
        // A new file instead of our own uid: some shared folders map all files to one user.
        let new = tempfile::tempfile_in(dir.join("tmp"))?;
        Ok((dir.metadata()?.uid(), new.metadata()?.uid()))
    };
    match owners() {
        Ok((owner, ours)) if owner != ours => bail!(
            "it belongs to user {owner}, and this is user {ours}: use a store of your own (--store DIR), or \
             run as its owner"
        ),
        Ok(_) => Ok(()),
        Err(error) => Err(trouble::of_files(dir, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_over_a_network_are_known_by_their_magic_numbers() {
        assert_eq!(network_name(0x6969), Some("NFS"));
        assert_eq!(network_name(i64::from(0xff53_4d42_u32 as i32) as u64), Some("CIFS"));
        assert_eq!(network_name(0xef53), None, "ext4");
        refuse_network(&std::env::temp_dir()).unwrap();
    }
}
