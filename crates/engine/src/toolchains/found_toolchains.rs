//! The toolchains of this machine, each identified at its first use.

use super::{
    guard::{ToolchainLook, look_at_toolchain},
    identify::identify_toolchain,
    locate::Search,
    modules::Modules,
    precompiled_headers::PrecompiledHeaders,
    prove::{prove_toolchain, warm_toolchain},
    tools::NoToolchain,
};
use crate::store::Store;
use kopek_base::{Digest, DigestFields};
use kopek_package::language::{Language, ReadyLanguage, Toolchain};
use kopek_plan::plan::BuildTask;
use kopek_sandbox::{Fault, RunPrograms, Sandbox};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

/// The toolchains of this machine.
pub(crate) struct FoundToolchains {
    /// Where to look for them.
    pub search: Search,
    /// Headers that are compiled once for many builds.
    pub headers: PrecompiledHeaders,
    /// The sandbox in which they are identified.
    sandbox: Sandbox,
    /// By digest of the row.
    found: Mutex<HashMap<Digest, FoundRow>>,
    /// By digest of the toolchain: those that tasks have named. Every run asks for it, so it must be cheap.
    resolved: Mutex<HashMap<Digest, Vec<ResolvedRow>>>,
    /// By digest of the toolchain: whether one that refused a program works at all.
    proven: Mutex<HashMap<Digest, Arc<ToolchainProof>>>,
}

/// A row with the result of the search for its toolchain.
struct FoundRow {
    language: Language,
    toolchain: Arc<FoundToolchain>,
}

impl FoundRow {
    /// None if it was not identified on this machine.
    fn guard(&self) -> Option<Digest> {
        self.toolchain.get()?.as_ref().ok()?.guards.first().copied()
    }
}

/// A toolchain, or why there is none; one thread finds out while others wait.
type FoundToolchain = OnceLock<Result<Toolchain, NoToolchain>>;

/// Whether a toolchain works; one thread finds out while others wait.
type ToolchainProof = OnceLock<Result<(), Fault>>;

/// A row that a task has named, with its toolchain on this machine.
#[derive(Clone)]
struct ResolvedRow {
    language: Arc<Language>,
    toolchain: Arc<Toolchain>,
}

impl FoundToolchains {
    pub(crate) fn new(sandbox: Sandbox, search: Search) -> FoundToolchains {
        let (headers, found, resolved, proven) = Default::default();
        FoundToolchains { search, headers, sandbox, found, resolved, proven }
    }

    /// A language's toolchain: cached if nothing of it changed, otherwise identified.
    pub(crate) fn find(&self, store: &Store, row: &Language) -> Result<Toolchain, NoToolchain> {
        let of_row = {
            let new = || FoundRow { language: row.clone(), toolchain: Arc::default() };
            lock(&self.found).entry(row.digest()).or_insert_with(new).toolchain.clone()
        };
        // Threads that ask for the same toolchain wait; others do not.
        of_row.get_or_init(|| self.identify(store, row)).clone()
    }

    /// Uses this toolchain for a row, without a search.
    pub(crate) fn set(&self, row: &Language, toolchain: Toolchain) {
        let toolchain = Arc::new(OnceLock::from(Ok(toolchain)));
        lock(&self.found).insert(row.digest(), FoundRow { language: row.clone(), toolchain });
    }

    fn identify(&self, store: &Store, row: &Language) -> Result<Toolchain, NoToolchain> {
        // First, so that later changes are noticed.
        let ToolchainLook { guard, modules } = look_at_toolchain(row, &self.search)?;
        store.add_guard(guard);
        // A toolchain is identified inside a sandbox, so the isolation mode is part of the name.
        let name = format!("toolchain {guard} in {}", self.sandbox.mode_name());
        let mut slot = self.sandbox.slot(None);
        let known: Option<Toolchain> = store.recall(&name).ok().flatten().filter(|_| !store.is_fresh());
        let mut toolchain = match known {
            Some(known) => known,
            None => {
                let toolchain = identify_toolchain(&mut slot, row, &self.search)?;
                // Only a cache: a toolchain that cannot be cached is identified again.
                let _ = store.remember(&name, &toolchain);
                toolchain
            }
        };
        if let Some(modules) = contents_of(&modules, store) {
            let fields =
                DigestFields::new("toolchain with modules").with("tools", toolchain.digest.as_bytes());
            toolchain.digest = fields.with("modules", modules.as_bytes()).digest();
        }
        warm_toolchain(&mut slot, row, &mut toolchain, &store.warm())?;
        Ok(Toolchain { guards: vec![guard], ..toolchain })
    }

    /// The names of the rows whose toolchains were found, with versions and digests.
    pub(crate) fn identities(&self) -> BTreeMap<String, String> {
        let found = lock(&self.found);
        let identity = |row: &FoundRow| {
            let toolchain = row.toolchain.get()?.as_ref().ok()?;
            Some((row.language.name.clone(), format!("{} ({})", toolchain.version, toolchain.digest.short())))
        };
        found.values().filter_map(identity).collect()
    }

    /// Drops these guards from the store, if their toolchains changed since they were identified: all that programs
    /// did since may be about another toolchain. Facts that may depend on a missing header or module are unknown from
    /// then on.
    pub(crate) fn drop_changed(&self, store: &Store, guards: &BTreeSet<Digest>) {
        for row in lock(&self.found).values() {
            if row.guard().is_some_and(|guard| guards.contains(&guard)) {
                self.holds(store, row);
            }
        }
    }

    /// Whether the toolchain of a row is still the one that was identified. Its guard is dropped otherwise.
    fn holds(&self, store: &Store, row: &FoundRow) -> bool {
        let Some(guard) = row.guard() else { return true };
        if !store.has_guard(&guard) {
            return false;
        }
        let look = look_at_toolchain(&row.language, &self.search);
        if look.is_ok_and(|look| look.guard == guard) {
            return true;
        }
        store.drop_guard(&guard);
        false
    }

    /// Forgets toolchains that changed since they were identified, and returns their languages.
    pub(crate) fn forget_changed(&self, store: &Store) -> Vec<String> {
        let mut changed = Vec::new();
        lock(&self.found).retain(|_, row| {
            if self.holds(store, row) {
                return true;
            }
            changed.push(row.language.name.clone());
            false
        });
        if !changed.is_empty() {
            // While packages are being installed, a toolchain may be missing for a moment.
            lock(&self.found).retain(|_, row| !matches!(row.toolchain.get(), Some(Err(_))));
            lock(&self.resolved).clear();
            // One that failed while its toolchain was replaced says nothing.
            lock(&self.proven).clear();
        }
        changed.sort();
        changed
    }

    /// The toolchain that a task names, on this machine; calls `find` if it is not resolved yet.
    pub(crate) fn resolve(
        &self,
        task: &BuildTask,
        find: impl FnOnce() -> Result<Toolchain, Fault>,
    ) -> Result<Arc<Toolchain>, Fault> {
        let rows = lock(&self.resolved).get(&task.toolchain.digest).cloned().unwrap_or_default();
        // Two rows may have equal tools and see different paths.
        if let Some(known) = rows.into_iter().find(|row| *row.language == task.language) {
            return Ok(known.toolchain);
        }
        let toolchain = find()?;
        // The key names the toolchain of the plan: with another one the fact would be false.
        if toolchain.digest != task.toolchain.digest {
            return Err(Fault::new(format!(
                "the toolchain of {} on this machine ({}) differs from the planned one ({})",
                task.language.code, toolchain.version, task.toolchain.version
            )));
        }
        let toolchain = Arc::new(toolchain);
        let row = ResolvedRow { language: Arc::new(task.language.clone()), toolchain: toolchain.clone() };
        lock(&self.resolved).entry(toolchain.digest).or_default().push(row);
        Ok(toolchain)
    }

    /// Fails unless the toolchain builds and runs a program that is known to be correct. Only then its
    /// refusals count.
    pub(crate) fn prove(&self, slot: &mut dyn RunPrograms, language: ReadyLanguage) -> Result<(), Fault> {
        let proof = lock(&self.proven).entry(language.toolchain.digest).or_default().clone();
        // Threads that need the same proof wait, which is shorter than to make another; others do not.
        proof.get_or_init(|| prove_toolchain(slot, language).map_err(Fault::from)).clone()
    }
}

/// The digest of the modules' contents: read again only if a stamp changed.
fn contents_of(modules: &Modules, store: &Store) -> Option<Digest> {
    let name = format!("modules {}", modules.stamps());
    let known: Option<Option<Digest>> = store.recall(&name).ok().flatten().filter(|_| !store.is_fresh());
    known.unwrap_or_else(|| {
        let contents = modules.contents();
        // Only a cache, as above.
        let _ = store.remember(&name, &contents);
        contents
    })
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
