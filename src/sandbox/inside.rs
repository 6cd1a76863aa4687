//! How a worker walls itself in: once, in an order that matters, each step
//! either done or a fault that names it.

use super::{
    groups::Groups,
    keeper::tell,
    mounts::{DEVICES, Source, basis, build_root},
    order::{Setup, Walls, tag},
    sys,
    weight::Weight,
};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};
use rustix::{
    fs::Mode,
    process::{Gid, Resource, Rlimit, Signal, Uid},
    thread::{CapabilitySet, CapabilitySets, CpuSet},
};
use seccompiler::BpfProgram;
use std::{
    fs::{self, File},
    io::{self, Read},
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
};

/// What a worker needs to wall itself in.
pub struct Inside<'a> {
    /// What it was told.
    pub setup: &'a Setup,
    /// Mounts its keeper could open and it cannot.
    pub shown: Vec<Source>,
    /// The filters, made beforehand.
    pub filters: &'a [BpfProgram],
    /// Whether a cgroup measures memory.
    pub measured: bool,
    /// Something comes out of here when the keeper has done its part.
    pub go: io::PipeReader,
}

/// What a worker keeps from before.
pub struct Kept {
    /// Its own `oom_score_adj`.
    pub oom_score: Option<File>,
    /// `ns_last_pid`: every run starts with the same process numbers.
    pub last_pid: Option<File>,
    /// Its processes, where it must count them itself.
    pub proc: Option<OwnedFd>,
    /// A domain for each program, where it could otherwise send us signals.
    pub domain: Option<OwnedFd>,
    /// What it weighs, where that is seen in the figures of programs.
    pub weight: Weight,
}

/// An error that names what was being done.
pub fn named<E: Into<io::Error>>(act: impl std::fmt::Display) -> impl FnOnce(E) -> io::Error {
    move |e| {
        let e = e.into();
        io::Error::new(e.kind(), format!("{act}: {e}"))
    }
}

impl Inside<'_> {
    /// All of it. Afterwards nothing more can be opened, mounted or gained.
    pub fn wall_in(mut self, line: &OwnedFd) -> io::Result<Kept> {
        let mut byte = [0];
        self.go.read_exact(&mut byte).map_err(named("wait for the keeper"))?;
        let mut kept = Kept {
            oom_score: File::options().write(true).open("/proc/self/oom_score_adj").ok(),
            last_pid: None,
            proc: None,
            domain: None,
            weight: if self.measured { Weight::default() } else { Weight::open() },
        };
        let boxed: OwnedFd;
        if self.setup.walls == Walls::Namespaces {
            kept.last_pid = File::options().write(true).open("/proc/sys/kernel/ns_last_pid").ok();
            let nesting = nesting_limits();
            become_inner_root(self.setup)?;
            boxed = build_root(self.setup, std::mem::take(&mut self.shown), &mut kept)?;
            nesting
                .into_iter()
                .try_for_each(|mut file| io::Write::write_all(&mut file, b"0"))
                .map_err(named("forbid namespaces"))?;
            rustix::system::sethostname(b"box").map_err(named("set the host name"))?;
            // A group of our own: signals of programs to their group stay inside.
            rustix::process::setsid().map_err(named("lead a session"))?;
        } else {
            rustix::process::setpgid(None, None).map_err(named("lead a group"))?;
            kept.domain = Some(signal_domain()?);
            self.setup.ids.map_or(Ok(()), |first| become_group(first + 1))?;
            boxed = File::open(&self.setup.host_box).map_err(named("open the box"))?.into();
        }
        pin(self.setup.cpu)?;
        RESOURCES.iter().try_for_each(limit)?;
        rustix::process::umask(Mode::from_raw_mode(0o022));
        rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
            .map_err(named("hide memory"))?;
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
            .map_err(named("follow the keeper"))?;
        rustix::thread::set_no_new_privs(true).map_err(named("give up privileges"))?;
        restrict_files(self.setup, kept.proc.as_ref())?;
        drop_capabilities(self.setup)?;
        for filter in self.filters {
            seccompiler::apply_filter(filter)
                .map_err(|e| io::Error::other(format!("install the filter: {e}")))?;
        }
        kept.weight.lose();
        tell(line, tag::READY, b"", &[boxed.as_fd()])?;
        Ok(kept)
    }
}

/// Files that stop further namespaces when 0 is written; opened while they can be.
fn nesting_limits() -> Vec<File> {
    let kinds = ["user", "mnt", "net", "pid", "ipc", "uts", "cgroup", "time"];
    let open =
        |kind: &&str| File::options().write(true).open(format!("/proc/sys/user/max_{kind}_namespaces")).ok();
    kinds.iter().filter_map(open).collect()
}

/// Becomes the root of the inner user namespace, in the group of its programs.
fn become_inner_root(setup: &Setup) -> io::Result<()> {
    if setup.ids.is_some() {
        become_group(1000)?;
        rustix::thread::set_thread_res_uid(Uid::ROOT, Uid::ROOT, Uid::ROOT)
            .map_err(named("become inner root"))?;
    }
    Ok(())
}

fn become_group(group: u32) -> io::Result<()> {
    rustix::thread::set_thread_groups(&[]).map_err(named("leave all groups"))?;
    let group = Gid::from_raw(group);
    rustix::thread::set_thread_res_gid(group, group, group).map_err(named("change the group"))
}

fn pin(cpu: Option<usize>) -> io::Result<()> {
    let Some(cpu) = cpu else { return Ok(()) };
    let mut set = CpuSet::new();
    set.set(cpu);
    rustix::thread::sched_setaffinity(None, &set).map_err(named(format!("stay on CPU {cpu}")))
}

/// A ruleset whose members cannot signal anybody outside, not even us.
fn signal_domain() -> io::Result<OwnedFd> {
    let wrong = |e: &dyn std::fmt::Display| {
        io::Error::other(format!("scope signals by Landlock, since Linux 6.12: {e}"))
    };
    let scoped = Ruleset::default().set_compatibility(CompatLevel::HardRequirement).scope(Scope::Signal);
    let made = scoped.and_then(|ruleset| ruleset.create()).map_err(|e| wrong(&e))?;
    Option::<OwnedFd>::from(made).ok_or_else(|| wrong(&"this kernel cannot"))
}

/// Limits that are the same for every program; the worker needs no more itself.
const RESOURCES: &[(Resource, Option<u64>, &str)] = &[
    (Resource::Core, Some(1), "none; but 0 would still start a program that core dumps are piped to"),
    (Resource::Nofile, Some(1024), "compilers of large programs open hundreds"),
    (Resource::Memlock, Some(0), "locked memory is no use here"),
    (Resource::Msgqueue, Some(0), "there are no message queues"),
    (Resource::Sigpending, Some(256), "queued signals hold kernel memory"),
    (Resource::Stack, None, "the memory limit is the limit"),
];

fn limit((resource, most, _): &(Resource, Option<u64>, &str)) -> io::Result<()> {
    let hard = rustix::process::getrlimit(*resource).maximum;
    // An ordinary user cannot raise what was lowered for him.
    let most = match (most, hard) {
        (Some(most), Some(hard)) => Some((*most).min(hard)),
        (Some(most), None) => Some(*most),
        (None, hard) => hard,
    };
    let both = Rlimit { current: most, maximum: most };
    rustix::process::setrlimit(*resource, both).map_err(named(format!("limit {resource:?}")))
}

/// What worker and program may do with files, whatever the mounts say.
fn restrict_files(setup: &Setup, proc: Option<&OwnedFd>) -> io::Result<()> {
    let abi = ABI::V7;
    let wrong = |e: &dyn std::fmt::Display| io::Error::other(format!("restrict files by Landlock: {e}"));
    let rules = || -> Result<_, landlock::RulesetError> {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .scope(Scope::from_all(abi))?
            .create()
    };
    let mut ruleset = rules().map_err(|e| wrong(&e))?;
    let write = AccessFs::from_all(abi)
        & !(AccessFs::MakeChar
            | AccessFs::MakeBlock
            | AccessFs::MakeSock
            | AccessFs::MakeFifo
            | AccessFs::IoctlDev);
    let mut allowed: Vec<(PathBuf, _)> = Vec::new();
    match setup.walls {
        Walls::Namespaces => {
            allowed.push(("/".into(), AccessFs::from_read(abi)));
            if setup.view.writable {
                allowed.extend([("/box".into(), write), ("/tmp".into(), write)]);
            }
        }
        Walls::Landlock => {
            allowed.extend(basis().into_iter().map(|path| (path, AccessFs::from_read(abi))));
            allowed.extend(setup.view.shown.iter().map(|s| (s.host.clone(), AccessFs::from_read(abi))));
            let access = if setup.view.writable { write } else { AccessFs::from_read(abi) };
            allowed.extend(["box", "tmp"].map(|part| (setup.host_box.join(part), access)));
            if setup.view.proc {
                allowed.push(("/proc".into(), AccessFs::from_read(abi)));
            }
        }
    }
    // Shared memory is made of it, which is not seen where no cgroup counts; see `mounts::host_device`.
    let hidden = setup.walls == Walls::Landlock && setup.groups == Groups::None;
    for device in DEVICES.iter().filter(|device| !(hidden && **device == "zero")) {
        allowed.push((Path::new("/dev").join(device), AccessFs::ReadFile | AccessFs::WriteFile));
    }
    for (path, access) in allowed {
        let directory = fs::metadata(&path).is_ok_and(|m| m.is_dir());
        let access = if directory { access } else { access & AccessFs::from_file(abi) };
        let fd = PathFd::new(&path).map_err(|e| wrong(&e))?;
        ruleset = ruleset.add_rule(PathBeneath::new(fd, access)).map_err(|e| wrong(&e))?;
    }
    if let Some(proc) = proc {
        // For our own looking; programs find it only if it is mounted.
        ruleset =
            ruleset.add_rule(PathBeneath::new(proc, AccessFs::from_read(abi))).map_err(|e| wrong(&e))?;
    }
    let status = ruleset.restrict_self().map_err(|e| wrong(&e))?;
    let enforced = status.ruleset != landlock::RulesetStatus::NotEnforced;
    match (setup.walls, enforced) {
        (Walls::Landlock, false) => Err(wrong(&"this kernel has none")),
        _ => Ok(()),
    }
}

/// Keeps what runs need: changing to the program's user, killing it, and fixing its process number.
fn drop_capabilities(setup: &Setup) -> io::Result<()> {
    sys::empty_bounding_set();
    let mut keep = CapabilitySet::KILL | CapabilitySet::CHECKPOINT_RESTORE;
    if setup.ids.is_some() {
        keep |= CapabilitySet::SETUID | CapabilitySet::SETGID;
    }
    let have = rustix::thread::capabilities(None).map_err(named("read capabilities"))?;
    let keep = keep & have.permitted;
    let sets = CapabilitySets { effective: keep, permitted: keep, inheritable: CapabilitySet::empty() };
    rustix::thread::set_capabilities(None, sets).map_err(named("drop capabilities"))
}
