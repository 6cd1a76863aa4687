//! The rules of Landlock: they restrict files whatever the mounts allow, the network, and signals to other
//! processes.
//!
//! Landlock does not mediate everything: see `NO_NAMESPACE_ROWS` in `syscall_table_weak`.

use super::mount_table::{DEVICES, basis_paths};
use crate::{
    meters::cgroup::CgroupParents,
    run::messages::{Isolation, WorkerSetup},
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

/// The domain that programs enter, but not the worker. Its members cannot signal any process outside, not
/// even the worker, and see `/proc`, with which the worker measures, only if it is in the view. Entered in
/// every run, at a cost of 4 microseconds.
pub(crate) fn create_program_domain(setup: &WorkerSetup) -> io::Result<OwnedFd> {
    let wrong =
        |e: &dyn Display| io::Error::other(format!("scope signals by Landlock, since Linux 6.12: {e}"));
    // Programs that run as another user cannot signal our processes anyway.
    let needed = if setup.ids.is_some() { CompatLevel::BestEffort } else { CompatLevel::HardRequirement };
    let signals = Ruleset::default().set_compatibility(needed).scope(Scope::Signal);
    let signals = signals.map_err(|e| wrong(&e))?.set_compatibility(CompatLevel::BestEffort);
    let ruleset = signals.handle_access(AccessFs::from_all(ABI_VERSION)).and_then(|ruleset| ruleset.create());
    let ruleset = add_paths(ruleset.map_err(|e| wrong(&e))?, setup)?;
    Option::<OwnedFd>::from(ruleset).ok_or_else(|| while_restricting(NO_LANDLOCK))
}

const ABI_VERSION: ABI = ABI::V7;

/// Restricts the file access of worker and program, whatever the mounts allow.
pub(crate) fn restrict_files(setup: &WorkerSetup, proc: Option<&OwnedFd>) -> io::Result<()> {
    let mut ruleset = add_paths(new_ruleset().map_err(while_restricting)?, setup)?;
    if let Some(proc) = proc {
        // For our own measurements; programs see it only if it is mounted, or in their domain.
        let rule = PathBeneath::new(proc, AccessFs::from_read(ABI_VERSION));
        ruleset = ruleset.add_rule(rule).map_err(while_restricting)?;
    }
    let status = ruleset.restrict_self().map_err(while_restricting)?;
    match (setup.isolation, status.ruleset) {
        // With namespaces this is a second defence, and a kernel without it is acceptable.
        (Isolation::Landlock, RulesetStatus::NotEnforced) => Err(while_restricting(NO_LANDLOCK)),
        _ => Ok(()),
    }
}

/// The kernel has no Landlock, or a container's filter refuses its calls.
const NO_LANDLOCK: &str = "there is none here (Linux 5.13 has it; an old container runtime may refuse it)";

fn while_restricting(e: impl Display) -> io::Error {
    io::Error::other(format!("restrict files by Landlock: {e}"))
}

fn add_paths(mut ruleset: RulesetCreated, setup: &WorkerSetup) -> io::Result<RulesetCreated> {
    for (path, access) in allowed_paths(setup) {
        let directory = fs::metadata(&path).is_ok_and(|m| m.is_dir());
        let access = if directory { access } else { access & AccessFs::from_file(ABI_VERSION) };
        let fd = PathFd::new(&path).map_err(while_restricting)?;
        ruleset = ruleset.add_rule(PathBeneath::new(fd, access)).map_err(while_restricting)?;
    }
    Ok(ruleset)
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
    // Mapping it makes shared memory, which is not measured without a cgroup; with namespaces
    // `mount_table::host_device` replaces it by another device.
    let no_zero = setup.isolation == Isolation::Landlock && setup.cgroups == CgroupParents::None;
    for device in DEVICES.iter().filter(|device| !(no_zero && **device == "zero")) {
        allowed.push((Path::new("/dev").join(device), AccessFs::ReadFile | AccessFs::WriteFile));
    }
    allowed
}
