//! What this machine works with: a sandbox, a store, the table of languages, the toolchains found so
//! far, and CPUs. Does the jobs of an executor here.

use super::{
    answers_row,
    least_times::LeastTimes,
    machine_class::{MachineKind, machine_name},
    scripts,
    wall_extensions::WallExtensions,
};
use crate::{
    base::{Clock, Digest, DigestFields, ScratchRoot, map_in_parallel},
    language::{Language, LanguageTable, Toolchain},
    package::LinkReach,
    plan::BuildTask,
    sandbox::{Fault, RunPrograms, Sandbox},
    store::Store,
    toolchains::{
        NoToolchain, PrecompiledHeaders, Search, ToolchainLook, identify_toolchain, look_at_toolchain,
        prove_toolchain, warm_toolchain,
    },
};
use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    thread,
};

/// What this machine works with.
pub struct Machine {
    /// What isolates programs.
    pub sandbox: Sandbox,
    /// What is known.
    pub store: Store,
    /// The languages.
    pub table: LanguageTable,
    /// Where toolchains are looked for.
    pub search: Search,
    /// CPUs for trials, one slot each.
    pub cpus: Vec<usize>,
    /// Where links of packages may lead.
    pub links: LinkReach,
    /// What jobs are planned for: this machine, unless others do them.
    pub kind: MachineKind,
    /// Its own name: least times of witnesses hold on one machine only.
    pub name: String,
    /// The least times of witnesses.
    pub least_times: LeastTimes,
    /// Measures budgets of time: when a hunt ends, and whether a group is slow.
    pub clock: Clock,
    /// The time that programs have spent beyond their idle limits.
    pub(crate) extensions: WallExtensions,
    /// Opens a place where programs run.
    pub(crate) slots: SlotOpener,
    /// By digest of the row.
    found: Mutex<HashMap<Digest, FoundRow>>,
    /// By digest of the toolchain: those that tasks have named. Every run asks, so it must be cheap.
    resolved: Mutex<HashMap<Digest, Vec<ResolvedRow>>>,
    /// Headers that are compiled once for many builds.
    pub(crate) headers: PrecompiledHeaders,
    /// By digest of the toolchain: whether one that refused something works at all.
    proven: Mutex<HashMap<Digest, Result<(), Fault>>>,
    /// Holds the directory of temporary directories, so that it is made once; `None` where it cannot
    /// be made, which the first job reports.
    _scratch: Option<Arc<ScratchRoot>>,
}

/// A row whose toolchain was looked for.
struct FoundRow {
    language: Language,
    toolchain: Arc<FoundToolchain>,
}

/// Opens a place where programs run, on this CPU (`None`: on any).
pub(crate) type SlotOpener = Box<dyn Fn(Option<usize>) -> Box<dyn RunPrograms> + Send + Sync>;

/// A toolchain, or why there is none; found out by one, while others wait.
type FoundToolchain = OnceLock<Result<Toolchain, String>>;

/// A row that a task has named, and its toolchain here.
#[derive(Clone)]
struct ResolvedRow {
    language: Arc<Language>,
    toolchain: Arc<Toolchain>,
}

impl Machine {
    /// Puts the parts together.
    pub fn new(
        sandbox: Sandbox,
        store: Store,
        table: LanguageTable,
        search: Search,
        cpus: Vec<usize>,
    ) -> Machine {
        let (found, resolved, headers, proven) = Default::default();
        let _scratch = ScratchRoot::shared().ok();
        let kind = MachineKind::of_this_machine(&sandbox);
        if sandbox.programs_follow_host_paths() {
            // Where that is refused a program that cannot be reached is a fault, which says so.
            let _ = store.let_others_pass();
        }
        let opened = sandbox.clone();
        Machine {
            slots: Box::new(move |cpu| Box::new(opened.slot(cpu))),
            sandbox,
            store,
            table,
            search,
            cpus,
            links: LinkReach::default(),
            kind,
            name: machine_name(),
            least_times: LeastTimes::default(),
            clock: Clock::default(),
            extensions: WallExtensions::default(),
            found,
            resolved,
            headers,
            proven,
            _scratch,
        }
    }

    /// A place where jobs run programs.
    pub(crate) fn open_slot(&self, cpu: Option<usize>) -> Box<dyn RunPrograms> {
        (self.slots)(cpu)
    }

    /// A language's toolchain: remembered if nothing of it changed, else found out.
    pub(crate) fn toolchain(&self, row: &Language) -> Result<Toolchain, String> {
        let of_row = {
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            let new = || FoundRow { language: row.clone(), toolchain: Arc::default() };
            found.entry(row.digest()).or_insert_with(new).toolchain.clone()
        };
        // Others that ask for the same one wait; those that ask for another do not.
        of_row.get_or_init(|| self.identify_toolchain(row).map_err(|error| error.to_string())).clone()
    }

    /// Takes this as the toolchain of a row, instead of looking for one.
    pub(crate) fn set_toolchain(&self, row: &Language, toolchain: Toolchain) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let toolchain = Arc::new(OnceLock::from(Ok(toolchain)));
        found.insert(row.digest(), FoundRow { language: row.clone(), toolchain });
    }

    /// Does something, and beside it finds out what will be asked for soon: the toolchains of files of these names, as
    /// far as their endings tell. Some take a second. Why there is none hears who asks.
    pub fn with_toolchains_of<T>(&self, files: &[String], work: impl FnOnce() -> T) -> T {
        thread::scope(|scope| {
            scope.spawn(|| self.find_toolchains(files));
            work()
        })
    }

    fn find_toolchains(&self, files: &[String]) {
        let is_named = |row: &&Language| files.iter().any(|file| row.is_named_by(file));
        let rows: Vec<&Language> = self.table.languages().iter().filter(is_named).collect();
        map_in_parallel(&rows, rows.len(), |row| self.toolchain(row).is_ok());
    }

    fn identify_toolchain(&self, row: &Language) -> Result<Toolchain, NoToolchain> {
        // First of all: what changes from now on is noticed.
        let ToolchainLook { guard, stamps } = look_at_toolchain(row, &self.search)?;
        self.store.add_guard(guard);
        // A toolchain is identified inside a box, so the kind of box belongs to the name.
        let name = format!("toolchain {guard} in {}", self.sandbox.mode_name());
        let mut slot = self.sandbox.slot(None);
        let mut toolchain: Toolchain =
            match self.store.recall(&name).ok().flatten().filter(|_| !self.store.is_fresh()) {
                Some(known) => known,
                None => {
                    let toolchain = identify_toolchain(&mut slot, row, &self.search)?;
                    // Only a cache: what cannot be remembered is found out again.
                    let _ = self.store.remember(&name, &toolchain);
                    toolchain
                }
            };
        warm_toolchain(&mut slot, row, &mut toolchain, &self.store.warm())?;
        Ok(Toolchain { stamps, guard: Some(guard), ..toolchain })
    }

    /// Forgets the toolchains that changed since they were identified, and names their languages. Facts about what may have
    /// failed for want of a header or a module are unknown from then on.
    pub fn forget_changed_toolchains(&self) -> Vec<String> {
        let mut changed = Vec::new();
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.retain(|_, row| {
            let Some(Ok(Toolchain { guard: Some(guard), .. })) = row.toolchain.get() else { return true };
            let look = look_at_toolchain(&row.language, &self.search);
            if look.is_ok_and(|look| look.guard == *guard) {
                return true;
            }
            self.store.drop_guard(guard);
            changed.push(row.language.name.clone());
            false
        });
        if !changed.is_empty() {
            self.resolved.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        changed.sort();
        changed
    }

    /// Everything that scripts may call, as far as it is here.
    pub(crate) fn script_toolchain(&self) -> Toolchain {
        let mut whole = Toolchain { code: scripts::CODE.into(), ..answers_row::no_toolchain() };
        let shell = Digest::of_file(Path::new("/bin/sh")).unwrap_or(Digest::of(b"no shell"));
        let mut fields = DigestFields::new("scripts").with("shell", shell.as_bytes());
        for code in scripts::PROMISED {
            let Some(Ok(toolchain)) = self.table.get(code).map(|row| self.toolchain(row)) else {
                continue;
            };
            fields = fields.with(code, toolchain.digest.as_bytes());
            whole.roots.extend(toolchain.roots);
            whole.stamps.extend(toolchain.stamps);
        }
        // Toolchains may share roots.
        whole.roots.sort();
        whole.roots.dedup();
        whole.digest = fields.digest();
        whole
    }

    /// The toolchain that a task names, as it is on this machine.
    pub(crate) fn toolchain_of(&self, task: &BuildTask) -> Result<Arc<Toolchain>, Fault> {
        let resolved = || self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = resolved().get(&task.toolchain.digest).cloned().unwrap_or_default();
        // Two rows may have equal tools, and see different paths.
        if let Some(known) = rows.into_iter().find(|row| *row.language == task.language) {
            return Ok(known.toolchain);
        }
        let toolchain = match task.language.code.as_str() {
            answers_row::CODE => answers_row::no_toolchain(),
            scripts::CODE => self.script_toolchain(),
            _ => self.toolchain(&task.language).map_err(Fault::new)?,
        };
        // The key names the toolchain that was planned with: another one would make the fact a lie.
        if toolchain.digest == task.toolchain.digest {
            let toolchain = Arc::new(toolchain);
            let row = ResolvedRow { language: Arc::new(task.language.clone()), toolchain: toolchain.clone() };
            resolved().entry(toolchain.digest).or_default().push(row);
            return Ok(toolchain);
        }
        Err(Fault::new(format!(
            "the toolchain of {} on this machine ({}) is not the one that was planned with ({})",
            task.language.code, toolchain.version, task.toolchain.version
        )))
    }

    /// Why some builds took longer than they must, for people.
    pub fn slow_builds(&self) -> Vec<String> {
        let say = |why| format!("builds are slower than usual: no precompiled header for {why}");
        self.headers.failures().into_iter().map(say).collect()
    }

    /// A refusal is believed only of a toolchain that builds and runs a program known to be right.
    pub(crate) fn prove_toolchain(&self, slot: &mut dyn RunPrograms, task: &BuildTask) -> Result<(), Fault> {
        let toolchain = self.toolchain_of(task)?;
        let mut proven = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
        let prove = || match prove_toolchain(slot, &task.language, &toolchain) {
            Ok(()) => Ok(()),
            Err(NoToolchain::Missing(why)) => Err(Fault::new(why.to_string())),
            Err(NoToolchain::Fault(fault)) => Err(fault),
        };
        proven.entry(toolchain.digest).or_insert_with(prove).clone()
    }
}
