//! The part of the host that every program sees.

use crate::{meters::cgroup::CgroupParents, run::messages::WorkerSetup};
use kopek_base::Stamp;
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

type Why = &'static str;

/// Host paths that every program sees if they exist; links stay links. A star ends a prefix.
const BASIS: &[(&str, Why)] = &[
    ("/usr", "programs, libraries, toolchains"),
    ("/bin", "a link into /usr, or its programs"),
    ("/sbin", "as /bin"),
    ("/lib", "as /bin"),
    ("/lib32", "as /bin"),
    ("/lib64", "as /bin: the loader's name is /lib64/ld-linux-x86-64.so.2"),
    ("/libx32", "as /bin"),
    ("/etc/alternatives", "what cc, java or lua are"),
    ("/etc/ld.so.cache", "where libraries are"),
    ("/etc/ld-musl*", "where musl's are"),
    ("/etc/java*", "the runtime does not start without its configuration"),
    ("/etc/fpc*", "the Pascal compiler's library paths"),
    ("/etc/php", "the interpreter's extensions"),
    ("/etc/perl", "a place of modules"),
    ("/etc/python3*", "a place of modules"),
    ("/etc/mono", "the runtime's library names"),
    ("/etc/ssl/openssl.cnf", "node warns without it"),
];

/// Devices that every program sees.
pub(crate) const DEVICES: &[&str] = &["null", "zero", "full", "urandom", "random"];

/// If no cgroup counts memory, `/dev/zero` is the host's `/dev/full`: it reads the same, but mapping it does
/// not give memory that is not measured.
pub(crate) fn host_device(setup: &WorkerSetup, device: &str) -> PathBuf {
    let mappable = device == "zero" && setup.cgroups == CgroupParents::None;
    Path::new("/dev").join(if mappable { "full" } else { device })
}

/// The entries of a directory, with its stamp at that time.
type ListedDir = (PathBuf, Stamp, Arc<[OsString]>);

/// The names in a directory, cached until it changes, because every worker needs the same ones.
fn names_in(dir: &Path) -> Arc<[OsString]> {
    static LISTED: Mutex<Vec<ListedDir>> = Mutex::new(Vec::new());
    let mut listed = LISTED.lock().unwrap_or_else(PoisonError::into_inner);
    // Before reading, so that later changes are noticed.
    let Ok(stamp) = Stamp::of_path(dir) else { return Arc::new([]) };
    if let Some((.., names)) = listed.iter().find(|(path, known, _)| path == dir && *known == stamp) {
        return names.clone();
    }
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let names: Arc<[OsString]> = entries.map(|entry| entry.file_name()).collect();
    listed.retain(|(path, ..)| path != dir);
    listed.push((dir.to_owned(), stamp, names.clone()));
    names
}

/// The paths of the basis that exist on the host.
pub(crate) fn basis_paths() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for (pattern, _) in BASIS {
        match pattern.strip_suffix('*') {
            None => paths.push(PathBuf::from(pattern)),
            Some(prefix) => {
                let prefix = Path::new(prefix);
                let (Some(dir), Some(start)) = (prefix.parent(), prefix.file_name()) else { continue };
                let start = start.as_encoded_bytes();
                let names = names_in(dir);
                let alike = names.iter().filter(|name| name.as_encoded_bytes().starts_with(start));
                paths.extend(alike.map(|name| dir.join(name)));
            }
        }
    }
    paths.retain(|path| fs::symlink_metadata(path).is_ok());
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_changed_is_read_again() {
        let home = tempfile::tempdir().unwrap();
        let names = || {
            let mut names = names_in(home.path()).to_vec();
            names.sort();
            names
        };
        // The kernel's clock for files ticks every few milliseconds: two changes may have the same time.
        let date = |seconds| {
            let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            fs::File::open(home.path()).unwrap().set_modified(time).unwrap();
        };
        date(1);
        assert!(names().is_empty());
        for name in ["java-21", "fpc.cfg"] {
            fs::write(home.path().join(name), "").unwrap();
        }
        date(2);
        assert_eq!(names(), ["fpc.cfg", "java-21"]);
        fs::remove_file(home.path().join("fpc.cfg")).unwrap();
        date(3);
        assert_eq!(names(), ["java-21"]);
        assert!(names_in(&home.path().join("nowhere")).is_empty());
    }
}
