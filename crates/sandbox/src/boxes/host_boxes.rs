//! Boxes on the host, for machines without a mount namespace: their names, and the removal of stale ones.

use super::box_walk::{MAX_DEPTH, remove_all_below};
use crate::meters::cgroup::{owner_is_dead, owner_name};
use std::{
    fs::{self, File},
    io,
    os::unix::fs::MetadataExt,
    path::Path,
};

/// A name with the supervisor that makes the box and its process namespace: containers that share a temporary
/// folder do not see each other's processes, and would consider them dead.
pub(crate) fn host_box_name(supervisor: u32, number: u64) -> io::Result<String> {
    Ok(format!("{}.{}.{number}", owner_name(supervisor)?, process_namespace()?))
}

fn process_namespace() -> io::Result<u64> {
    Ok(fs::metadata("/proc/self/ns/pid")?.ino())
}

/// The supervisor in the name of a box, if it is from our process namespace.
fn owner_in(name: &str) -> Option<&str> {
    let (rest, _number) = name.rsplit_once('.')?;
    let (owner, namespace) = rest.rsplit_once('.')?;
    if namespace == process_namespace().ok()?.to_string() { Some(owner) } else { None }
}

/// Fails if a directory above a path keeps out a program that runs as this user, and has no other way to it.
pub(crate) fn check_passable(path: &Path, user: u32) -> io::Result<()> {
    for above in path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
        let metadata = fs::metadata(above)?;
        if metadata.mode() & 0o1 == 0 && metadata.uid() != user {
            let path = path.display();
            let above = above.display();
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                format!(
                    "let programs reach {path}: without namespaces they need access, but other users cannot enter \
                     {above}; run `chmod o+x {above}`, or keep package, store and TMPDIR elsewhere"
                ),
            ));
        }
    }
    Ok(())
}

/// Removes a box after its last program has ended.
pub(crate) fn remove_host_box(path: &Path) {
    // The program may have made directories that cannot be entered; this walk fixes their modes.
    if let Ok(dir) = File::open(path) {
        let _ = remove_all_below(&dir.into(), MAX_DEPTH);
    }
    let _ = fs::remove_dir_all(path);
}

/// Removes boxes whose supervisor was killed before it could do so.
pub(crate) fn remove_stale_boxes(dir: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(owner) = owner_in(&name) else { continue };
        // In a shared folder, other users can make such names.
        let ours = entry.metadata().is_ok_and(|m| m.is_dir() && m.uid() == user);
        if ours && owner_is_dead(owner) {
            remove_host_box(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn boxes_of_dead_supervisors_are_removed_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let living = host_box_name(std::process::id(), 1).unwrap();
        let dead = living.replacen(&owner_name(std::process::id()).unwrap(), "kopek.1.77", 1);
        let elsewhere = dead.replacen(&process_namespace().unwrap().to_string(), "5", 1);
        for name in [&living, &dead, &elsewhere, "kopek.1", "kopek.notes"] {
            fs::create_dir_all(dir.path().join(name).join("box/inner")).unwrap();
        }
        let closed = dir.path().join(&dead).join("box/inner");
        fs::set_permissions(closed, fs::Permissions::from_mode(0o000)).unwrap();
        remove_stale_boxes(dir.path());
        let mut left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        let mut wanted = [&*living, &elsewhere, "kopek.1", "kopek.notes"].map(std::ffi::OsString::from);
        wanted.sort();
        assert_eq!(left, wanted);
    }
}
