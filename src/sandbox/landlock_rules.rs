//! What Landlock forbids: files whatever the mounts say, the network, and signals
//! to others.
//!
//! It does not mediate everything: see `NO_NAMESPACE_ROWS` in `syscall_table_weak`.

use super::{
    cgroup::CgroupParents,
    messages::{Isolation, WorkerSetup},
    mount_table::{DEVICES, basis_paths},
};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use std::{
    fmt::Display,
    fs, io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

/// A ruleset whose members cannot signal any process outside, not even us. The worker enters it per run:
/// that costs 4 microseconds.
pub(super) fn create_signal_domain() -> io::Result<OwnedFd> {
    let wrong =
        |e: &dyn Display| io::Error::other(format!("scope signals by Landlock, since Linux 6.12: {e}"));
    let scoped = Ruleset::default().set_compatibility(CompatLevel::HardRequirement).scope(Scope::Signal);
    let made = scoped.and_then(|ruleset| ruleset.create()).map_err(|e| wrong(&e))?;
    Option::<OwnedFd>::from(made).ok_or_else(|| wrong(&"this kernel cannot"))
}

const ABI_VERSION: ABI = ABI::V7;

/// What worker and program may do with files, whatever the mounts say.
pub(super) fn restrict_files(setup: &WorkerSetup, proc: Option<&OwnedFd>) -> io::Result<()> {
    let act = |e: &dyn Display| io::Error::other(format!("restrict files by Landlock: {e}"));
    let mut ruleset = new_ruleset().map_err(|e| act(&e))?;
    for (path, access) in allowed_paths(setup) {
        let directory = fs::metadata(&path).is_ok_and(|m| m.is_dir());
        let access = if directory { access } else { access & AccessFs::from_file(ABI_VERSION) };
        let fd = PathFd::new(&path).map_err(|e| act(&e))?;
        ruleset = ruleset.add_rule(PathBeneath::new(fd, access)).map_err(|e| act(&e))?;
    }
    if let Some(proc) = proc {
        // For our own measuring; programs find it only if it is mounted.
        let rule = PathBeneath::new(proc, AccessFs::from_read(ABI_VERSION));
        ruleset = ruleset.add_rule(rule).map_err(|e| act(&e))?;
    }
    let status = ruleset.restrict_self().map_err(|e| act(&e))?;
    match (setup.isolation, status.ruleset) {
        // With namespaces it is a second net, and a kernel without it will do.
        (Isolation::Landlock, RulesetStatus::NotEnforced) => Err(act(&"this kernel has none")),
        _ => Ok(()),
    }
}

fn new_ruleset() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI_VERSION))?
        .handle_access(AccessNet::from_all(ABI_VERSION))?
        .scope(Scope::from_all(ABI_VERSION))?
        .create()
}

fn allowed_paths(setup: &WorkerSetup) -> Vec<(PathBuf, BitFlags<AccessFs>)> {
    let read = AccessFs::from_read(ABI_VERSION);
    let write = AccessFs::from_all(ABI_VERSION)
        & !(AccessFs::MakeChar
            | AccessFs::MakeBlock
            | AccessFs::MakeSock
            | AccessFs::MakeFifo
            | AccessFs::IoctlDev);
    let mut allowed: Vec<(PathBuf, _)> = Vec::new();
    match setup.isolation {
        Isolation::Namespaces => {
            allowed.push(("/".into(), read));
            if setup.view.writable {
                allowed.extend([("/box".into(), write), ("/tmp".into(), write)]);
            }
        }
        Isolation::Landlock => {
            allowed.extend(basis_paths().into_iter().map(|path| (path, read)));
            allowed.extend(setup.view.mounts.iter().map(|s| (s.host.clone(), read)));
            let access = if setup.view.writable { write } else { read };
            allowed.extend(["box", "tmp"].map(|part| (setup.host_box.join(part), access)));
            if setup.view.proc {
                allowed.push(("/proc".into(), read));
            }
        }
    }
    // Shared memory is made by mapping it, which nothing measures without a cgroup; with namespaces
    // `mount_table::host_device` puts another device in its place.
    let no_zero = setup.isolation == Isolation::Landlock && setup.cgroups == CgroupParents::None;
    for device in DEVICES.iter().filter(|device| !(no_zero && **device == "zero")) {
        allowed.push((Path::new("/dev").join(device), AccessFs::ReadFile | AccessFs::WriteFile));
    }
    allowed
}
