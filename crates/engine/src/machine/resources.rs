//! The resources of this machine: a sandbox, a store, the table of languages, the toolchains found so far,
//! and CPUs; and the class of machine, because times on one class say little about another.

use super::{least_times::LeastTimes, wall_extensions::WallExtensions};
use crate::{
    store::Store,
    toolchains::{FoundToolchains, FrequentHeader, HeaderBuild, NoToolchain, Search},
};
use kopek_base::{Clock, Digest, ScratchRoot, map_in_parallel};
use kopek_package::{
    language::{Language, LanguageTable, ReadyLanguage, Toolchain},
    package::{Level, LinkReach, Message},
};
use kopek_sandbox::{Exec, Fault, RunPrograms, RunResult, Sandbox};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// The resources of this machine.
pub struct Machine {
    pub sandbox: Sandbox,
    pub store: Store,
    pub table: LanguageTable,
    /// CPUs for trials, one slot each.
    pub cpus: Vec<usize>,
    /// Where links of packages may lead.
    pub links: LinkReach,
    /// The kind of machine for which jobs are planned.
    pub kind: MachineKind,
    /// Its own name: least times of witnesses are valid on one machine only.
    pub name: String,
    /// The least times of witnesses.
    pub least_times: LeastTimes,
    /// Measures time budgets: the end of a hunt, and whether a group is slow.
    pub clock: Clock,
    /// Ends compilers and programs of packages that are running.
    pub stop: Arc<AtomicBool>,
    /// The toolchains found so far.
    pub(crate) toolchains: FoundToolchains,
    /// The time that programs have run beyond their idle limits.
    pub(crate) extensions: WallExtensions,
    pub(crate) slots: SlotOpener,
    /// Keeps the parent of temporary directories, so that it is created once; `None` if that failed, which
    /// the first job reports.
    _scratch: Option<Arc<ScratchRoot>>,
}

/// Opens a slot for programs on this CPU (`None`: on any).
pub type SlotOpener = Box<dyn Fn(Option<usize>) -> Box<dyn RunPrograms> + Send + Sync>;

impl Machine {
    /// Creates a machine from its parts.
    pub fn new(
        sandbox: Sandbox,
        store: Store,
        table: LanguageTable,
        search: Search,
        cpus: Vec<usize>,
    ) -> Machine {
        if sandbox.programs_follow_host_paths() {
            // If this is refused, a program that cannot be reached becomes a fault with that message.
            let _ = store.let_others_pass();
        }
        let opened = sandbox.clone();
        Machine {
            slots: Box::new(move |cpu| Box::new(opened.slot(cpu))),
            kind: MachineKind::of_this_machine(&sandbox),
            toolchains: FoundToolchains::new(sandbox.clone(), search),
            sandbox,
            store,
            table,
            cpus,
            links: LinkReach::default(),
            name: machine_name(),
            least_times: LeastTimes::default(),
            clock: Clock::default(),
            stop: Arc::default(),
            extensions: WallExtensions::default(),
            _scratch: ScratchRoot::shared().ok(),
        }
    }

    /// Runs programs by other means than the sandbox.
    pub fn run_programs_in(&mut self, slots: SlotOpener) {
        self.slots = slots;
    }

    /// Uses this toolchain, whatever is installed.
    pub fn set_toolchain(&self, row: &Language, toolchain: Toolchain) {
        self.toolchains.set(row, toolchain);
    }

    /// A slot in which jobs run programs.
    pub(crate) fn open_slot(&self, cpu: Option<usize>) -> Box<dyn RunPrograms> {
        (self.slots)(cpu)
    }

    /// Runs a compiler or a program of a package, which may take long, until its end or an interrupt.
    pub(crate) fn run_until_stopped(
        &self,
        slot: &mut dyn RunPrograms,
        exec: &Exec,
    ) -> Result<RunResult, Fault> {
        let is_stopped = || self.stop.load(Ordering::Relaxed);
        let ran = slot.run_while(exec, &|| !is_stopped())?;
        if is_stopped() { Err(Fault::undecided("interrupted")) } else { Ok(ran) }
    }

    /// A language's toolchain: cached if nothing of it changed, otherwise identified.
    pub fn toolchain(&self, row: &Language) -> Result<Toolchain, NoToolchain> {
        self.toolchains.find(&self.store, row)
    }

    /// The languages whose toolchains were identified so far, with their identities.
    pub fn identified_toolchains(&self) -> BTreeMap<String, String> {
        self.toolchains.identities()
    }

    /// Compiles a standard header for builds with these arguments. The error is for messages.
    pub fn frequent_header(
        &self,
        language: ReadyLanguage,
        name: &str,
        arguments: &str,
    ) -> Result<FrequentHeader, String> {
        let (slot, is_unchanged) = (&mut *self.open_slot(None), &|| self.is_unchanged(language.toolchain));
        let build = HeaderBuild { store: &self.store, slot, language, is_unchanged };
        FrequentHeader::make(build, name, arguments).map_err(|why| slower_builds(&why))
    }

    /// Runs `work`, and in parallel identifies the toolchains for files with these names, because some take a
    /// second. Errors are reported when a toolchain is used.
    #[expect(
        clippy::disallowed_methods,
        reason = "toolchains are found while packages and hand-ins are read"
    )]
    pub fn with_toolchains_of<T>(&self, files: &[String], work: impl FnOnce() -> T) -> T {
        let is_named = |row: &&Language| files.iter().any(|file| row.is_named_by(file));
        let rows: Vec<&Language> = self.table.languages().iter().filter(is_named).collect();
        thread::scope(|scope| {
            scope.spawn(|| map_in_parallel(&rows, rows.len(), |row| self.toolchain(row).is_ok()));
            work()
        })
    }

    /// Looks at the toolchains with these guards: the store then has only the guards of unchanged ones.
    pub(crate) fn check_toolchains(&self, guards: &BTreeSet<Digest>) {
        self.toolchains.drop_changed(&self.store, guards);
    }

    /// Whether a toolchain is still the one that was identified.
    pub(crate) fn is_unchanged(&self, toolchain: &Toolchain) -> bool {
        self.check_toolchains(&toolchain.guards.iter().copied().collect());
        toolchain.guards.iter().all(|guard| self.store.has_guard(guard))
    }

    /// Forgets toolchains that changed since they were identified, and returns their languages.
    pub fn forget_changed_toolchains(&self) -> Vec<String> {
        self.toolchains.forget_changed(&self.store)
    }

    /// What isolates programs less here than elsewhere. Participants may know.
    pub fn warnings(&self) -> Vec<Message> {
        let public = |what| Message::new(Level::Warning, what).for_everyone();
        self.sandbox.warnings().into_iter().map(public).collect()
    }

    /// Why some builds took longer than necessary.
    pub fn slow_builds(&self) -> Vec<Message> {
        let failures = self.toolchains.headers.failures().into_iter();
        failures.map(|why| Message::new(Level::Warning, slower_builds(&why))).collect()
    }
}

fn slower_builds(why: &str) -> String {
    format!("builds are slower than usual: no precompiled header for {why}")
}

/// The part of a machine that is in keys: outcomes of different kinds are not mixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineKind {
    pub isolation: String,
    pub class: String,
}

impl MachineKind {
    /// The kind of this machine.
    pub fn of_this_machine(sandbox: &Sandbox) -> MachineKind {
        MachineKind { isolation: sandbox.mode_name(), class: machine_class() }
    }
}

/// The processor's model as the kernel names it.
pub fn machine_class() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let model = line.and_then(|line| line.split_once(':')).map(|(_, model)| model.trim());
    format!("{} {}", std::env::consts::ARCH, model.unwrap_or("of an unnamed model"))
}

/// The CPUs this process may use. Processes of kopek that run at the same time begin with different ones: a run is
/// pinned, so it would wait for that of another process beside an idle CPU.
pub fn available_cpus() -> Vec<usize> {
    let set = rustix::thread::sched_getaffinity(None);
    let all = set.map(|set| (0..rustix::thread::CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect());
    let mut cpus: Vec<usize> = match all {
        Ok(cpus) => cpus,
        Err(_) => vec![0],
    };
    let first = std::process::id() as usize % cpus.len();
    cpus.rotate_left(first);
    cpus
}

/// A stable name of this machine: a digest of its id and of its host name, because containers may share an
/// id.
fn machine_name() -> String {
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let text = Digest::of(format!("{} {host} {}", id.trim(), machine_class()).as_bytes()).to_string();
    format!("{host} {}", &text[..8])
}
