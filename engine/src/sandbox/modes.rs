//! What the machine offers, found by trying: the strongest way that works is taken.

use super::{
    cgroup::CgroupParents,
    cgroup_discovery::{self, LeafHold},
    cgroup_meters::PeakSupport,
    exec::{Limits, SandboxView},
    host_boxes::remove_stale_boxes,
    messages::{Isolation, ProcOrigin, WorkerSetup},
    outer_limits,
    program_ids::ProgramUsers,
    remedies::{self, ModeStrength},
    run_result::Fault,
    worker_host::WorkerHost,
};
use crate::base::Bytes;
use std::{fs::File, path::Path, sync::Arc};

/// What the machine offers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sandbox(Arc<SandboxInner>);

#[derive(Debug)]
struct SandboxInner {
    mode: IsolationMode,
    exe: File,
    tried: TriedWorker,
    refused: Vec<String>,
    /// Our place beside the cgroups, if they need one.
    _hold: Option<LeafHold>,
}

/// How a sandbox is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SandboxOptions {
    /// Refuse a machine that cannot keep every promise: namespaces, and limits on all processes together.
    pub strict: bool,
    /// Only with this; for tests of the weaker ones.
    pub isolation: Option<Isolation>,
    /// Without cgroups, though there are some; for tests.
    pub without_cgroups: bool,
}

impl Sandbox {
    /// Finds out what the machine offers. `worker`: the program whose `main` calls
    /// [`super::run_if_supervisor`] first; `kopek` itself.
    pub fn open(worker: &Path) -> Result<Sandbox, Fault> {
        Sandbox::open_with(worker, SandboxOptions::default())
    }

    /// The same, with options.
    pub fn open_with(worker: &Path, wish: SandboxOptions) -> Result<Sandbox, Fault> {
        let users = ProgramUsers::find();
        let CgroupChoices { choices, mut refused, hold } = find_cgroups(wish);
        for mode in list_modes(wish, users, &choices) {
            let exe =
                File::open(worker).map_err(|e| Fault::new(format!("open {}: {e}", worker.display())))?;
            mode.cgroups.remove_stale();
            if mode.isolation == Isolation::Landlock {
                remove_stale_boxes(&std::env::temp_dir());
            }
            match try_mode(&exe, &mode) {
                Ok(tried) => {
                    let _hold = hold.filter(|_| matches!(mode.cgroups, CgroupParents::V2 { .. }));
                    return Ok(Sandbox(Arc::new(SandboxInner { mode, exe, tried, refused, _hold })));
                }
                Err(e) => refused.push(format!("{}: {e}", mode.name())),
            }
        }
        let exe = File::open(worker).ok();
        // Whether it is only cgroups that are missing: then nothing is said about namespaces.
        let bare = IsolationMode { users, isolation: Isolation::Namespaces, cgroups: CgroupParents::None };
        let has_namespaces = exe.is_some_and(|exe| try_mode(&exe, &bare).is_ok());
        let isolation = has_namespaces.then_some(Isolation::Namespaces);
        let steps = remedies::steps_from(ModeStrength { users, isolation, cgroups: false })
            .into_iter()
            .map(|step| format!("remedy: {step}"));
        let lines: Vec<String> = refused.into_iter().chain(steps).collect();
        Err(Fault::new(format!("this machine cannot isolate programs as asked\n{}", lines.join("\n"))))
    }

    /// One that was never tried and can run nothing, for machines whose slots only tell what programs come to.
    pub(crate) fn untried() -> Sandbox {
        let mode = IsolationMode {
            users: ProgramUsers::Judge,
            isolation: Isolation::Namespaces,
            cgroups: CgroupParents::None,
        };
        let exe = File::open("/dev/null").expect("the null device can be opened");
        let tried = TriedWorker { peaks: PeakSupport::None, proc: ProcOrigin::Own };
        Sandbox(Arc::new(SandboxInner { mode, exe, tried, refused: Vec::new(), _hold: None }))
    }

    /// The name of the mode, for reports and keys.
    pub fn mode_name(&self) -> String {
        self.0.mode.name()
    }

    /// What this mode guarantees.
    pub fn guarantees(&self) -> Vec<String> {
        let mut all = vec![
            "no network, and no system call but those of the table",
            "writes only to its own box; no descriptor but its three streams",
            "killed at its CPU and wall limits",
        ];
        if self.0.mode.isolation == Isolation::Namespaces {
            all.push(match self.0.tried.proc {
                ProcOrigin::Own => "sees no file but what it is shown, and no process but its own",
                ProcOrigin::Host => "sees no file but what it is shown, and signals no process but its own",
            });
            all.push("everything it started is dead before the next program starts");
        }
        if self.0.mode.users == ProgramUsers::Own {
            all.push("runs as a user of its own");
        }
        if self.0.mode.cgroups != CgroupParents::None {
            all.extend(cgroup_guarantees(self.0.tried.peaks));
        }
        all.into_iter().map(str::to_owned).collect()
    }

    /// What this mode does not guarantee.
    pub fn warnings(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.0.mode.cgroups == CgroupParents::None {
            all.push(
                "memory of several processes together is looked at every 10 ms, not held: no memory cgroup",
            );
            all.push("peak memory is that of the largest process, and never shown as less than our worker held, up to \
                 1 MiB: no memory cgroup");
            all.push("shared memory and files without a name are refused, not counted: no memory cgroup");
            all.push("CPU time of child processes that ended is not always reported; a run that it may put above the limit \
                 is undecided: no cgroup");
        }
        if self.0.mode.isolation == Isolation::Namespaces && self.0.tried.proc == ProcOrigin::Host {
            all.push("programs that need /proc see what else runs here: parts of it are covered, as in containers, \
                 and then the kernel makes no new one");
        }
        if self.0.mode.users == ProgramUsers::RootItself {
            all.push("programs are root like the judge, without its rights: it is given no other user");
            if self.0.mode.isolation == Isolation::Namespaces && self.0.mode.cgroups == CgroupParents::None {
                all.push("processes are counted every 10 ms, not limited: the kernel does not limit root's, and there is \
                     no pids cgroup");
            }
        }
        if self.0.mode.isolation == Isolation::Landlock {
            if self.0.mode.users != ProgramUsers::Own {
                all.push("programs are the judge's own user; Landlock and the table of calls keep them from its files: \
                     no user namespace");
            }
            if self.0.mode.users != ProgramUsers::Own && self.0.mode.cgroups == CgroupParents::None {
                all.push("processes are counted every 10 ms, not limited: no user namespace, no pids cgroup");
            }
            all.push(
                "names and sizes of the machine's files can be found out, not their contents: no namespaces",
            );
            all.push("programs that need /proc see what else runs on the machine: no process namespace");
            all.push("changes of modes and times of files are ignored, so a build cannot run what it has just built: \
                 no mount namespace");
            all.push("inside paths in arguments are put into host paths: no mount namespace");
            all.push("written files are limited one by one and added up afterwards: no mount namespace");
        }
        all.into_iter().map(str::to_owned).collect()
    }

    /// Exact steps towards a stronger mode.
    pub fn remedies(&self) -> Vec<String> {
        let IsolationMode { users, isolation, cgroups } = &self.0.mode;
        let cgroups = *cgroups != CgroupParents::None;
        remedies::steps_from(ModeStrength { users: *users, isolation: Some(*isolation), cgroups })
    }

    /// Whether programs with these limits would hit a limit that kopek itself was started under.
    pub fn check_outer_limits(&self, limits: &Limits) -> Result<(), Fault> {
        outer_limits::check_resource_limits(limits)?;
        outer_limits::check_memory_around(limits.memory)
    }

    /// Whether programs find files where they lie on the host, and so know the paths.
    pub(crate) fn shows_host_paths(&self) -> bool {
        self.0.mode.isolation == Isolation::Landlock
    }

    /// Whether they are also users of their own: every directory above must let them pass.
    pub(crate) fn programs_follow_host_paths(&self) -> bool {
        self.shows_host_paths() && self.0.mode.users == ProgramUsers::Own
    }

    /// Stronger modes that were tried, and why they did not work.
    pub fn rejected_modes(&self) -> &[String] {
        &self.0.refused
    }

    pub(super) fn exe(&self) -> &File {
        &self.0.exe
    }

    /// A worker with the smallest box and nothing shown, in this sandbox's mode.
    pub(super) fn smallest_setup(&self) -> WorkerSetup {
        self.0.mode.smallest_setup()
    }
}

/// A way to isolate.
#[derive(Debug, Clone)]
struct IsolationMode {
    users: ProgramUsers,
    isolation: Isolation,
    cgroups: CgroupParents,
}

impl IsolationMode {
    fn name(&self) -> String {
        let user = match self.users {
            ProgramUsers::Own => "root",
            ProgramUsers::RootItself => "root without other users",
            ProgramUsers::Judge => "user",
        };
        let isolation = match self.isolation {
            Isolation::Namespaces => "namespaces",
            Isolation::Landlock => "Landlock",
        };
        let cgroups = match self.cgroups {
            CgroupParents::V1 { .. } => "cgroup v1",
            CgroupParents::V2 { .. } => "cgroup v2",
            CgroupParents::None => "no cgroup",
        };
        format!("{user}, {isolation}, {cgroups}")
    }

    fn smallest_setup(&self) -> WorkerSetup {
        WorkerSetup {
            isolation: self.isolation,
            // The host sets the real ones, which differ for each supervisor.
            ids: (self.users == ProgramUsers::Own).then_some(1),
            cgroups: self.cgroups.clone(),
            cpu: None,
            view: SandboxView::default(),
            box_size: Bytes(4096),
            inodes: 64,
            host_box: std::env::temp_dir(),
        }
    }
}

/// What a worker showed of its mode.
#[derive(Debug, Clone, Copy)]
struct TriedWorker {
    peaks: PeakSupport,
    proc: ProcOrigin,
}

/// Starts a worker in this mode: whether the machine allows it can be found out in no other way, since
/// security modules and containers refuse what the kernel offers.
fn try_mode(exe: &File, mode: &IsolationMode) -> Result<TriedWorker, Fault> {
    let mut host = WorkerHost::default();
    let worker = host.worker_for(exe, mode.smallest_setup())?;
    Ok(TriedWorker { peaks: worker.peaks, proc: worker.proc })
}

fn cgroup_guarantees(peaks: PeakSupport) -> Vec<&'static str> {
    const LIMITED: &str = "CPU time, memory and processes are limited for all its processes together";
    match peaks {
        PeakSupport::All => {
            vec!["CPU time, memory and processes are limited and measured for all its processes together"]
        }
        PeakSupport::Highest => vec![
            LIMITED,
            "peak memory is that of all its processes together where it is the highest so far, \
             else that of the largest (this kernel cannot start it again; Linux 6.12 can)",
        ],
        PeakSupport::None => vec![
            LIMITED,
            "peak memory is that of its largest process \
             (this kernel does not keep that of all together; Linux 5.19 does)",
        ],
    }
}

/// Where cgroups can be made.
struct CgroupChoices {
    /// The strongest first.
    choices: Vec<CgroupParents>,
    /// Why there is none of version 2.
    refused: Vec<String>,
    hold: Option<LeafHold>,
}

fn find_cgroups(wish: SandboxOptions) -> CgroupChoices {
    let mut found = CgroupChoices { choices: vec![], refused: vec![], hold: None };
    if !wish.without_cgroups {
        match cgroup_discovery::find_v2() {
            Ok((parents, hold)) => (found.choices, found.hold) = (vec![parents], hold),
            Err(why) => found.refused.push(format!("cgroup v2: {why}")),
        }
        found.choices.extend(cgroup_discovery::find_v1());
    }
    if !wish.strict {
        found.choices.push(CgroupParents::None);
    }
    found
}

/// The ways to isolate, the strongest first.
fn list_modes(wish: SandboxOptions, users: ProgramUsers, cgroups: &[CgroupParents]) -> Vec<IsolationMode> {
    let isolations = [Isolation::Namespaces, Isolation::Landlock].into_iter();
    let isolations = isolations.filter(|isolation| match wish.isolation {
        Some(only) => only == *isolation && !(wish.strict && only == Isolation::Landlock),
        None => !wish.strict || *isolation == Isolation::Namespaces,
    });
    let with = |isolation| {
        cgroups.iter().map(move |cgroups| IsolationMode { users, isolation, cgroups: cgroups.clone() })
    };
    isolations.flat_map(with).collect()
}
