//! What of the host every program sees.

use super::{cgroup::CgroupParents, messages::WorkerSetup};
use std::{
    fs,
    path::{Path, PathBuf},
};

type Why = &'static str;

/// Host paths every program sees if the host has them; links stay links. A star ends a prefix.
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

/// Devices every program sees.
pub(super) const DEVICES: &[&str] = &["null", "zero", "full", "urandom", "random"];

/// Where no cgroup counts memory, `/dev/zero` is the host's `/dev/full`: it reads the same, but cannot be
/// mapped to become memory that is not measured.
pub(super) fn host_device(setup: &WorkerSetup, device: &str) -> PathBuf {
    let mappable = device == "zero" && setup.cgroups == CgroupParents::None;
    Path::new("/dev").join(if mappable { "full" } else { device })
}

/// The paths of the basis that the host has.
pub(super) fn basis_paths() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for (pattern, _) in BASIS {
        match pattern.strip_suffix('*') {
            None => paths.push(PathBuf::from(pattern)),
            Some(prefix) => {
                let prefix = Path::new(prefix);
                let (Some(dir), Some(start)) = (prefix.parent(), prefix.file_name()) else { continue };
                let entries = fs::read_dir(dir).into_iter().flatten().flatten();
                let alike = entries
                    .filter(|e| e.file_name().as_encoded_bytes().starts_with(start.as_encoded_bytes()));
                paths.extend(alike.map(|e| e.path()));
            }
        }
    }
    paths.retain(|path| fs::symlink_metadata(path).is_ok());
    paths
}
