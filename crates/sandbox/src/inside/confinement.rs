//! Confines a worker: once, in an order that matters. Each step succeeds or returns an error that names it.

use super::{
    landlock_rules::{create_program_domain, restrict_files},
    mount_root::{self, MountSource, build_root},
    seccomp::{CallFilters, ignore_mode_changes, listen_to_mode_changes},
};
use crate::{
    errors::while_doing,
    meters::{
        cpu_load::CpuStat,
        procfs::{ProcessView, tasks_of_user},
    },
    run::{
        messages::{Isolation, WorkerSetup, tag},
        wire::send_tagged,
    },
    sys,
};
use rustix::{
    process::{Gid, Resource, Rlimit, Signal, Uid},
    thread::{CapabilitySet, CapabilitySets, CpuSet},
};
use std::{
    fs::File,
    io::{self, Read},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::fs::FileExt,
    },
};

/// The inputs of a worker's confinement.
pub(crate) struct Confinement<'a> {
    pub(crate) setup: &'a WorkerSetup,
    /// Mounts that only its supervisor could open.
    pub(crate) sources: Vec<MountSource>,
    pub(crate) filters: &'a CallFilters,
    /// Whether a cgroup measures memory.
    pub(crate) has_meters: bool,
    /// Gets a byte when the supervisor has done its part.
    pub(crate) go: io::PipeReader,
}

/// Files that a worker opened before its confinement forbids it.
pub(crate) struct PreopenedFiles {
    /// Its own `oom_score_adj`, and what it was when the worker started.
    pub(crate) oom_score: Option<File>,
    pub(crate) own_score: Vec<u8>,
    /// `ns_last_pid`: it lets every run start with the same process numbers.
    pub(crate) last_pid: Option<File>,
    /// The processes of its runs, if the worker must measure them itself.
    pub(crate) processes: Option<ProcessView>,
    /// The number of earlier processes of our user, if the limit counts them with those of programs.
    pub(crate) user_tasks: u64,
    /// A Landlock domain for each program, if it could otherwise send us signals.
    pub(crate) program_domain: Option<OwnedFd>,
    /// The idle time of each CPU.
    pub(crate) cpu_stat: Option<CpuStat>,
}

impl PreopenedFiles {
    /// The number of processes and threads that the run has started, if its process numbers show it: they
    /// begin at 2.
    pub(crate) fn started_processes(&self) -> Option<u64> {
        let mut text = [0; 32];
        let length = self.last_pid.as_ref()?.read_at(&mut text, 0).ok()?;
        let last: u64 = std::str::from_utf8(&text[..length]).ok()?.trim().parse().ok()?;
        last.checked_sub(1)
    }
}

impl Confinement<'_> {
    /// Does all steps. Afterwards the worker cannot open, mount or gain anything.
    pub(crate) fn confine(mut self, judge: &OwnedFd) -> io::Result<PreopenedFiles> {
        let mut byte = [0];
        self.go.read_exact(&mut byte).map_err(while_doing("wait for the supervisor"))?;
        let mut preopened = PreopenedFiles {
            // Before any change of user: afterwards root owns it and it cannot be opened.
            oom_score: File::options().write(true).open("/proc/self/oom_score_adj").ok(),
            own_score: std::fs::read("/proc/self/oom_score_adj").unwrap_or_else(|_| b"0".to_vec()),
            last_pid: None,
            // Replaced below by a view of our own namespace, if possible.
            processes: ProcessView::of_descendants(),
            user_tasks: 0,
            program_domain: None,
            cpu_stat: self.setup.cpu.and_then(|_| CpuStat::open()),
        };
        let (box_dir, has_own_proc) = match self.setup.isolation {
            Isolation::Namespaces => self.enter_namespaces(&mut preopened)?,
            Isolation::Landlock => (self.lead_descendants(&mut preopened)?, false),
        };
        pin_to_cpu(self.setup.cpu)?;
        RESOURCES.iter().try_for_each(apply_limit)?;
        rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
            .map_err(while_doing("hide memory"))?;
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
            .map_err(while_doing("follow the supervisor"))?;
        rustix::thread::set_no_new_privs(true).map_err(while_doing("give up privileges"))?;
        restrict_files(self.setup, preopened.processes.as_ref().map(ProcessView::dir))?;
        drop_capabilities(self.setup)?;
        // Last, because it refuses calls that the steps above need. Once for all runs: installing a filter
        // costs 148 microseconds, more than the rest of a run.
        let mode_changes = self.forbid_mode_changes()?;
        self.filters.install_rest()?;
        let fds: Vec<BorrowedFd> =
            [Some(&box_dir), mode_changes.as_ref()].into_iter().flatten().map(AsFd::as_fd).collect();
        send_tagged(judge, tag::READY, &[has_own_proc.into()], &fds)?;
        Ok(preopened)
    }

    /// Forbids changes of modes where only namespaces would make them harmless. If the box is writable, returns the
    /// descriptor through which they can be answered.
    fn forbid_mode_changes(&self) -> io::Result<Option<OwnedFd>> {
        if self.setup.isolation == Isolation::Namespaces {
            return Ok(None);
        }
        let listener = if self.setup.view.writable { listen_to_mode_changes() } else { None };
        if listener.is_none() {
            ignore_mode_changes()?;
        }
        Ok(listener)
    }

    /// Sets up the new namespaces; returns the box, and whether `/proc` is our own.
    fn enter_namespaces(&mut self, preopened: &mut PreopenedFiles) -> io::Result<(OwnedFd, bool)> {
        preopened.last_pid = File::options().read(true).write(true).open("/proc/sys/kernel/ns_last_pid").ok();
        let nesting_limits = open_nesting_limits();
        if self.sources.is_empty() {
            self.sources = mount_root::open_sources(self.setup)?;
        }
        become_inner_root(self.setup)?;
        let root = build_root(self.setup, std::mem::take(&mut self.sources))?;
        let has_own_proc = root.proc.is_some();
        preopened.processes = root.proc.map(ProcessView::of_namespace).or(preopened.processes.take());
        // Not earlier: a cloned mount counts as a mount namespace.
        nesting_limits
            .into_iter()
            .try_for_each(|mut file| io::Write::write_all(&mut file, b"0"))
            .map_err(while_doing("forbid namespaces"))?;
        rustix::system::sethostname(b"box").map_err(while_doing("set the host name"))?;
        // In our own process group, signals of programs to their group stay inside.
        rustix::process::setsid().map_err(while_doing("lead a session"))?;
        Ok((root.box_dir, has_own_proc))
    }

    /// Without namespaces: leads a process group and becomes the parent of everything started in it. Returns
    /// the box.
    fn lead_descendants(&self, preopened: &mut PreopenedFiles) -> io::Result<OwnedFd> {
        rustix::process::setpgid(None, None).map_err(while_doing("lead a group"))?;
        // Orphans become our children, so that they can be found, measured and killed.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
            .map_err(while_doing("become the parent of orphans"))?;
        if self.setup.ids.is_none() && !self.has_meters {
            preopened.user_tasks = tasks_of_user();
        }
        preopened.program_domain = Some(create_program_domain(self.setup)?);
        self.setup.ids.map_or(Ok(()), |first| become_group(first + 1))?;
        Ok(File::open(&self.setup.host_box).map_err(while_doing("open the box"))?.into())
    }
}

/// Files that forbid further namespaces when 0 is written; they must be opened early.
fn open_nesting_limits() -> Vec<File> {
    let kinds = ["user", "mnt", "net", "pid", "ipc", "uts", "cgroup", "time"];
    let open =
        |kind: &&str| File::options().write(true).open(format!("/proc/sys/user/max_{kind}_namespaces")).ok();
    kinds.iter().filter_map(open).collect()
}

/// Becomes the root of the inner user namespace, in the group of its programs.
fn become_inner_root(setup: &WorkerSetup) -> io::Result<()> {
    if setup.ids.is_some() {
        become_group(1000)?;
        rustix::thread::set_thread_res_uid(Uid::ROOT, Uid::ROOT, Uid::ROOT)
            .map_err(while_doing("become inner root"))?;
    }
    Ok(())
}

fn become_group(group: u32) -> io::Result<()> {
    rustix::thread::set_thread_groups(&[]).map_err(while_doing("leave all groups"))?;
    let group = Gid::from_raw(group);
    rustix::thread::set_thread_res_gid(group, group, group).map_err(while_doing("change the group"))
}

fn pin_to_cpu(cpu: Option<usize>) -> io::Result<()> {
    let Some(cpu) = cpu else { return Ok(()) };
    let mut set = CpuSet::new();
    set.set(cpu);
    rustix::thread::sched_setaffinity(None, &set).map_err(while_doing(format!("stay on CPU {cpu}")))
}

struct ResourceRow {
    resource: Resource,
    /// `None` for the highest possible value.
    limit: Option<u64>,
    _why: &'static str,
}

const fn row(resource: Resource, limit: Option<u64>, why: &'static str) -> ResourceRow {
    ResourceRow { resource, limit, _why: why }
}

/// Limits that all programs share.
const RESOURCES: &[ResourceRow] = &[
    row(
        Resource::Core,
        Some(1),
        "no core dumps; but 0 would still start a program that core dumps are piped to",
    ),
    row(Resource::Nofile, Some(1024), "of the worker: its programs have fewer, so that it can send its own"),
    row(Resource::Memlock, Some(0), "locked memory is no use here"),
    row(Resource::Msgqueue, Some(0), "there are no message queues"),
    row(Resource::Sigpending, Some(256), "queued signals hold kernel memory"),
    row(Resource::Stack, None, "the memory limit is the limit"),
];

fn apply_limit(row: &ResourceRow) -> io::Result<()> {
    let hard = rustix::process::getrlimit(row.resource).maximum;
    // An ordinary user cannot raise an existing limit.
    let max = match (row.limit, hard) {
        (Some(max), Some(hard)) => Some(max.min(hard)),
        (Some(max), None) => Some(max),
        (None, hard) => hard,
    };
    let both = Rlimit { current: max, maximum: max };
    rustix::process::setrlimit(row.resource, both).map_err(while_doing(format!("limit {:?}", row.resource)))
}

/// Keeps only the capabilities for runs: changing to the program's user, killing it, and setting its process
/// number.
fn drop_capabilities(setup: &WorkerSetup) -> io::Result<()> {
    sys::empty_bounding_set();
    let mut keep = CapabilitySet::KILL | CapabilitySet::CHECKPOINT_RESTORE;
    if setup.ids.is_some() {
        keep |= CapabilitySet::SETUID | CapabilitySet::SETGID;
    }
    let have = rustix::thread::capabilities(None).map_err(while_doing("read capabilities"))?;
    let keep = keep & have.permitted;
    let sets = CapabilitySets { effective: keep, permitted: keep, inheritable: CapabilitySet::empty() };
    rustix::thread::set_capabilities(None, sets).map_err(while_doing("drop capabilities"))
}
