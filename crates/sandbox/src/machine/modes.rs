//! Determines the strongest mode of isolation that works on this machine, by trying.

use super::{
    outer_limits,
    profile::{CgroupVersion, SandboxProfile, mode_name, recall_profile, surroundings},
    program_ids::ProgramUsers,
    remedies::{self, ModeStrength},
};
use crate::{
    boxes::host_boxes::remove_stale_boxes,
    exec::{Limits, SandboxView},
    fault::Fault,
    meters::{
        cgroup::CgroupParents,
        cgroup_discovery::{self, LeafHold},
        cgroup_meters::PeakSupport,
    },
    run::{
        messages::{Isolation, ProcOrigin, WorkerSetup},
        worker_handle::WorkerHandle,
        worker_host::WorkerHost,
    },
};
use kopek_base::{Bytes, files};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// The isolation of this machine. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sandbox(Arc<SandboxInner>);

#[derive(Debug)]
struct SandboxInner {
    profile: SandboxProfile,
    worker: PathBuf,
    /// The file with the cached profile.
    memory: PathBuf,
    opened: OnceLock<Result<OpenSandbox, Fault>>,
}

#[derive(Debug)]
struct OpenSandbox {
    mode: IsolationMode,
    exe: File,
    /// Whether a worker was started in it.
    works: AtomicBool,
    /// Our leaf cgroup, if the mode needs one.
    _hold: Option<LeafHold>,
}

/// How to open a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SandboxOptions {
    /// Only with this isolation; to test the weaker ones.
    pub isolation: Option<Isolation>,
    /// Without cgroups, even if there are some; for tests.
    pub without_cgroups: bool,
}

impl Sandbox {
    /// Determines the mode of this machine. `worker` is the program whose `main` calls
    /// [`crate::run_if_supervisor`] first, usually `kopek` itself.
    pub fn open(worker: &Path) -> Result<Sandbox, Fault> {
        Sandbox::open_with(worker, SandboxOptions::default())
    }

    /// The same, with options.
    pub fn open_with(worker: &Path, wish: SandboxOptions) -> Result<Sandbox, Fault> {
        Ok(Sandbox(Arc::new(find_mode(worker, wish)?)))
    }

    /// As [`Sandbox::open`], but caches the result in a file. While the surroundings are unchanged, the
    /// cached result is used, and the sandbox is opened when the first program runs.
    pub fn open_remembered(worker: &Path, memory: &Path) -> Result<Sandbox, Fault> {
        let surroundings = surroundings();
        if let Some(profile) = recall_profile(memory, surroundings) {
            return Ok(Sandbox::expect(worker, profile, memory.to_owned()));
        }
        let sandbox = Sandbox::open(worker)?;
        // Only a cache: a result that cannot be stored is determined again.
        if let Ok(json) = serde_json::to_vec(&(surroundings, sandbox.profile())) {
            let _ = files::write_atomic(memory, &json);
        }
        Ok(sandbox)
    }

    fn expect(worker: &Path, profile: SandboxProfile, memory: PathBuf) -> Sandbox {
        let worker = worker.to_owned();
        Sandbox(Arc::new(SandboxInner { profile, worker, memory, opened: OnceLock::new() }))
    }

    /// A sandbox that can run nothing, for machines with fake slots.
    pub fn untried() -> Sandbox {
        let profile = SandboxProfile {
            users: ProgramUsers::Judge,
            isolation: Isolation::Namespaces,
            cgroups: CgroupVersion::None,
            peaks: PeakSupport::None,
            proc: ProcOrigin::Own,
            refused: Vec::new(),
        };
        Sandbox::expect(Path::new("/dev/null"), profile, PathBuf::new())
    }

    fn opened(&self) -> Result<&OpenSandbox, Fault> {
        self.0.opened.get_or_init(|| self.open_expected()).as_ref().map_err(Fault::clone)
    }

    /// Opens the expected mode without a test: the first worker is the test. Facts of one mode say nothing
    /// about another.
    fn open_expected(&self) -> Result<OpenSandbox, Fault> {
        let profile = &self.0.profile;
        let users = ProgramUsers::find();
        let CgroupChoices { choices, hold, .. } = find_cgroups(SandboxOptions::default());
        let mut modes = list_modes(SandboxOptions::default(), users, &choices).into_iter();
        match modes.find(|mode| mode.name() == profile.name()) {
            Some(mode) => mode.open(&self.0.worker, hold),
            None => Err(self.unexpected("it is no longer available")),
        }
    }

    /// A worker of this sandbox; starts one if none is suitable.
    pub(crate) fn worker<'a>(
        &self,
        host: &'a mut WorkerHost,
        setup: WorkerSetup,
    ) -> Result<&'a mut WorkerHandle, Fault> {
        let opened = self.opened()?;
        match host.worker_for(&opened.exe, setup) {
            Ok(worker) => {
                opened.works.store(true, Ordering::Relaxed);
                Ok(worker)
            }
            Err(fault) if opened.works.load(Ordering::Relaxed) => Err(fault),
            Err(fault) => Err(self.unexpected(&fault.what)),
        }
    }

    /// Forgets the cached mode and returns the fault.
    fn unexpected(&self, why: &str) -> Fault {
        let _ = fs::remove_file(&self.0.memory);
        Fault::new(format!(
            "programs cannot be isolated as last time ({}): {why}; run again",
            self.mode_name()
        ))
    }

    fn profile(&self) -> &SandboxProfile {
        &self.0.profile
    }

    /// The name of the mode, for reports and keys.
    pub fn mode_name(&self) -> String {
        self.0.profile.name()
    }

    /// The guarantees of this mode.
    pub fn guarantees(&self) -> Vec<String> {
        self.0.profile.guarantees()
    }

    /// The weak points of this mode.
    pub fn warnings(&self) -> Vec<String> {
        self.0.profile.warnings()
    }

    /// Exact steps towards a stronger mode.
    pub fn remedies(&self) -> Vec<String> {
        self.0.profile.remedies()
    }

    /// Fails if programs with one of these limits would hit a limit under which kopek itself was started.
    pub fn check_outer_limits(&self, limits: &[Limits]) -> Result<(), Fault> {
        limits.iter().try_for_each(outer_limits::check_resource_limits)?;
        let max = limits.iter().map(|limits| limits.memory).max();
        max.map_or(Ok(()), outer_limits::check_memory_around)
    }

    /// Whether programs see files at their host paths, and so know these paths.
    pub fn shows_host_paths(&self) -> bool {
        self.0.profile.isolation == Isolation::Landlock
    }

    /// Whether programs also run as other users: then every parent directory must let them pass.
    pub fn programs_follow_host_paths(&self) -> bool {
        self.shows_host_paths() && self.0.profile.users == ProgramUsers::Own
    }

    /// Stronger modes that were tried, and why they failed.
    pub fn rejected_modes(&self) -> &[String] {
        &self.0.profile.refused
    }

    /// A worker with the smallest box and an empty view, in this sandbox's mode.
    pub(crate) fn smallest_setup(&self) -> Result<WorkerSetup, Fault> {
        self.opened().map(|opened| opened.mode.smallest_setup())
    }
}

/// The strongest mode that works.
fn find_mode(worker: &Path, wish: SandboxOptions) -> Result<SandboxInner, Fault> {
    let users = ProgramUsers::find();
    let CgroupChoices { choices, mut refused, hold } = find_cgroups(wish);
    for mode in list_modes(wish, users, &choices) {
        let exe = File::open(worker).map_err(|e| Fault::new(format!("open {}: {e}", worker.display())))?;
        match try_mode(&exe, &mode) {
            Ok(TriedWorker { peaks, proc }) => {
                let cgroups = CgroupVersion::from(&mode.cgroups);
                let profile =
                    SandboxProfile { users, isolation: mode.isolation, cgroups, peaks, proc, refused };
                let opened = mode.open(worker, hold)?;
                opened.works.store(true, Ordering::Relaxed);
                return Ok(SandboxInner {
                    profile,
                    worker: worker.to_owned(),
                    memory: PathBuf::new(),
                    opened: OnceLock::from(Ok(opened)),
                });
            }
            Err(e) => refused.push(format!("{}: {e}", mode.name())),
        }
    }
    let exe = File::open(worker).ok();
    // If only cgroups are missing, the message should not mention namespaces.
    let bare = IsolationMode { users, isolation: Isolation::Namespaces, cgroups: CgroupParents::None };
    let has_namespaces = exe.is_some_and(|exe| try_mode(&exe, &bare).is_ok());
    let isolation = if has_namespaces { Some(Isolation::Namespaces) } else { None };
    let steps = remedies::steps_from(ModeStrength { users, isolation, cgroups: false })
        .into_iter()
        .map(|step| format!("remedy: {step}"));
    let lines: Vec<String> = refused.into_iter().chain(steps).collect();
    Err(Fault::new(format!("this machine cannot isolate programs as asked\n{}", lines.join("\n"))))
}

#[derive(Debug, Clone)]
struct IsolationMode {
    users: ProgramUsers,
    isolation: Isolation,
    cgroups: CgroupParents,
}

impl IsolationMode {
    fn name(&self) -> String {
        mode_name(self.users, self.isolation, CgroupVersion::from(&self.cgroups))
    }

    fn open(self, worker: &Path, hold: Option<LeafHold>) -> Result<OpenSandbox, Fault> {
        let exe = File::open(worker).map_err(|e| Fault::new(format!("open {}: {e}", worker.display())))?;
        self.cgroups.remove_stale();
        if self.isolation == Isolation::Landlock {
            remove_stale_boxes(&std::env::temp_dir());
        }
        let _hold = hold.filter(|_| matches!(self.cgroups, CgroupParents::V2 { .. }));
        Ok(OpenSandbox { mode: self, exe, works: AtomicBool::new(false), _hold })
    }

    fn smallest_setup(&self) -> WorkerSetup {
        WorkerSetup {
            isolation: self.isolation,
            // Only a placeholder: the host sets the real ids, which differ for each supervisor.
            ids: if self.users == ProgramUsers::Own { Some(1) } else { None },
            cgroups: self.cgroups.clone(),
            cpu: None,
            view: SandboxView::default(),
            box_size: Bytes(4096),
            inodes: 64,
            host_box: std::env::temp_dir(),
        }
    }
}

/// The result of a test worker.
#[derive(Debug, Clone, Copy)]
struct TriedWorker {
    peaks: PeakSupport,
    proc: ProcOrigin,
}

/// Starts a worker in this mode: no other test is reliable, because security modules and containers refuse
/// features of the kernel.
fn try_mode(exe: &File, mode: &IsolationMode) -> Result<TriedWorker, Fault> {
    try_twice(|| {
        let mut host = WorkerHost::default();
        let worker = host.worker_for(exe, mode.smallest_setup())?;
        Ok(TriedWorker { peaks: worker.peaks, proc: worker.proc })
    })
}

/// A machine that refuses something refuses it again. A worker that was killed, for lack of memory or by a person, says
/// nothing about the mode, and a weaker one would be used from then on.
fn try_twice<T>(mut attempt: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    attempt().or_else(|_| attempt())
}

struct CgroupChoices {
    /// The strongest first.
    choices: Vec<CgroupParents>,
    /// Why version 2 is not available.
    refused: Vec<String>,
    hold: Option<LeafHold>,
}

fn find_cgroups(wish: SandboxOptions) -> CgroupChoices {
    let mut found = CgroupChoices { choices: vec![], refused: vec![], hold: None };
    if !wish.without_cgroups {
        match cgroup_discovery::find_v2() {
            Ok(cgroup) => {
                found.choices.push(cgroup.parents);
                found.hold = cgroup.hold;
            }
            Err(why) => found.refused.push(format!("cgroup v2: {why}")),
        }
        found.choices.extend(cgroup_discovery::find_v1());
    }
    found.choices.push(CgroupParents::None);
    found
}

/// The modes of isolation, the strongest first.
fn list_modes(wish: SandboxOptions, users: ProgramUsers, cgroups: &[CgroupParents]) -> Vec<IsolationMode> {
    let isolations = [Isolation::Namespaces, Isolation::Landlock].into_iter();
    let isolations = isolations.filter(|isolation| wish.isolation.is_none_or(|only| only == *isolation));
    let with = |isolation| {
        cgroups.iter().map(move |cgroups| IsolationMode { users, isolation, cgroups: cgroups.clone() })
    };
    isolations.flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_mode_that_fails_twice_is_refused() {
        let ended_by = |failures: usize| {
            let mut left = failures;
            try_twice(|| match left.checked_sub(1) {
                None => Ok(failures),
                Some(fewer) => {
                    left = fewer;
                    Err(Fault::new(format!("{fewer} more")))
                }
            })
        };
        assert_eq!(ended_by(0), Ok(0));
        assert_eq!(ended_by(1), Ok(1), "its worker was killed once");
        assert_eq!(ended_by(2), Err(Fault::new("0 more")));
    }
}
