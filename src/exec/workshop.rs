//! What all drivers work with: a sandbox, a store, the table of languages, and
//! the toolchains found so far. Makes sources ready to be built, built programs
//! ready to be run, and the executor that does jobs here.

use super::{Local, Perform, answers, build::build, filled::filled, scripts, trial::Stage};
use crate::{
    base::{Bytes, Digest},
    language::{self, Language, NoToolchain, Program, Search, Source, Table, Toolchain, Undetected},
    plan::{Build, BuildTask, Outcome, Ready, Task, Unplanned},
    sandbox::{Fault, Limits, Sandbox, Slot},
    store::Store,
};
use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    sync::{Mutex, PoisonError, RwLock},
};

/// What all drivers work with.
pub struct Workshop {
    /// What the machine offers.
    pub sandbox: Sandbox,
    /// What is known.
    pub store: Store,
    /// The languages.
    pub table: Table,
    /// Where toolchains are looked for.
    pub search: Search,
    /// CPUs for trials, one place each.
    pub cpus: Vec<usize>,
    quiet: RwLock<()>,
    found: Mutex<HashMap<String, Result<Toolchain, String>>>,
    /// By digest: whether a toolchain that refused something works at all.
    proven: Mutex<HashMap<Digest, Result<(), Fault>>>,
}

/// What a source is to the package it is built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Handed in by somebody: taken as it is.
    HandIn,
    /// A submission of the package: constants are put in.
    Example,
    /// A validator, grader, visualizer or generator: constants are put in, and it may be a directory
    /// with `build` and `run`.
    Program,
}

/// What a build is given of its package.
#[derive(Debug, Clone)]
pub struct Rules<'a> {
    /// What is built.
    pub role: Role,
    /// What `{{name}}` becomes.
    pub constants: &'a BTreeMap<String, String>,
    /// Codes that may be handed in; `None`: all.
    pub allowed: Option<&'a [String]>,
    /// Files laid over the sources, by language code; `default` for the others.
    pub include: &'a BTreeMap<String, Source>,
    /// Limits of the compiler.
    pub limits: Limits,
    /// Greatest size of the sources.
    pub code: Bytes,
}

impl Workshop {
    /// Puts the parts together.
    pub fn new(sandbox: Sandbox, store: Store, table: Table, search: Search, cpus: Vec<usize>) -> Workshop {
        let (quiet, found, proven) = Default::default();
        Workshop { sandbox, store, table, search, cpus, quiet, found, proven }
    }

    /// A place to run something of the package, on no particular CPU.
    pub fn slot(&self) -> Slot {
        self.sandbox.slot(None)
    }

    /// The executor that does jobs on this machine.
    pub fn executor(&self) -> Local<'_> {
        Local::new(self.cpus.iter().map(|&cpu| self.place(cpu)).collect())
    }

    /// Where single trials happen, on no particular CPU.
    pub(super) fn stage(&self) -> Stage<'_> {
        Stage { slot: self.slot(), judge: self.slot(), store: &self.store, quiet: &self.quiet }
    }

    fn place(&self, cpu: usize) -> Perform<'_> {
        let slot = || self.sandbox.slot(Some(cpu));
        let mut stage = Stage { slot: slot(), judge: slot(), store: &self.store, quiet: &self.quiet };
        Box::new(move |job| {
            stage.slot.settle_here()?;
            match &job.task {
                Task::Build(task) => self.build(&mut stage.slot, task).map(Outcome::Build),
                Task::Trial(task) => stage.trial(task).map(Outcome::Trial),
                Task::Static(task) => stage.validate_files(task).map(Outcome::Trial),
            }
        })
    }

    /// Builds; a refusal is believed only of a toolchain that builds and runs a program known to be right.
    fn build(&self, slot: &mut Slot, task: &BuildTask) -> Result<Build, Fault> {
        let built = build(slot, &self.store, task)?;
        if matches!(built, Build::Refused { .. }) {
            let mut proven = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
            let prove = || match language::prove(slot, &task.language, &task.toolchain) {
                Ok(()) => Ok(()),
                Err(NoToolchain::Missing(why)) => Err(Fault::new(why.to_string())),
                Err(NoToolchain::Fault(fault)) => Err(fault),
            };
            proven.entry(task.toolchain.digest).or_insert_with(prove).clone()?;
        }
        Ok(built)
    }

    /// A language's toolchain: remembered if nothing of it changed, else asked for.
    pub fn toolchain(&self, row: &Language) -> Result<Toolchain, String> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = found.get(&row.code) {
            return known.clone();
        }
        let toolchain = self.identify(row).map_err(|e| e.to_string());
        found.insert(row.code.clone(), toolchain.clone());
        toolchain
    }

    fn identify(&self, row: &Language) -> Result<Toolchain, NoToolchain> {
        let stamp = language::stamp(row, &self.search)?;
        let name = format!("toolchain {stamp} in {}", self.sandbox.mode());
        let mut toolchain = match self.store.recall(&name).ok().flatten() {
            Some(known) => known,
            None => {
                let toolchain = language::identify(&mut self.slot(), row, &self.search)?;
                // Only a cache: what cannot be remembered is asked again.
                let _ = self.store.remember(&name, &toolchain);
                toolchain
            }
        };
        language::warm(&mut self.slot(), row, &mut toolchain, &self.store.warm())?;
        Ok(toolchain)
    }

    /// How to build a source: its language found, its toolchain known, its files read.
    pub fn task(
        &self,
        source: &Source,
        declared: Option<&str>,
        entry: Option<&str>,
        rules: &Rules,
    ) -> Result<BuildTask, Unplanned> {
        small(source, rules.code)?;
        let source = &match rules.role {
            Role::HandIn => source.clone(),
            Role::Example | Role::Program => self.filled(source, rules)?,
        };
        if rules.role == Role::Program
            && let Some((row, toolchain)) = self.outside_the_table(source)?
        {
            return self.laid_out(source, (&row, toolchain), None, None, rules);
        }
        let row = language::detect(&self.table, source, declared, rules.allowed).map_err(undetected)?;
        let toolchain = self.toolchain(row).map_err(Unplanned::Ours)?;
        let include = rules.include.get(&row.code).or(rules.include.get("default"));
        let include = include.map(|include| self.filled(include, rules)).transpose()?;
        self.laid_out(source, (row, toolchain), include.as_ref(), entry, rules)
    }

    fn filled(&self, source: &Source, rules: &Rules) -> Result<Source, Unplanned> {
        let ours = |error: anyhow::Error| Unplanned::Ours(format!("{error:#}"));
        filled(&self.store, source, rules.constants).map_err(ours)
    }

    /// Scripts, or a description of inputs.
    fn outside_the_table(&self, source: &Source) -> Result<Option<(Language, Toolchain)>, Unplanned> {
        if let Some(row) = scripts::scripted(source) {
            return Ok(Some((row, scripts::toolchain(self))));
        }
        let Some(row) = scripts::checktestdata(source) else { return Ok(None) };
        let toolchain = self.toolchain(&row).map_err(Unplanned::Ours)?;
        Ok(Some((row, toolchain)))
    }

    /// Why a program of the package cannot be run on this machine though nothing is wrong with it:
    /// what it is written for is not installed. `None`: it can.
    pub fn lacks(&self, source: &Source) -> Option<String> {
        let row = scripts::checktestdata(source)?;
        language::find(&row, &self.search).err().map(|missing| missing.what)
    }

    /// How to keep outputs that were handed in instead of a program.
    pub fn answers(&self, source: &Source, rules: &Rules) -> Result<BuildTask, Unplanned> {
        small(source, rules.code)?;
        self.laid_out(source, (&answers::row(), answers::toolchain()), None, None, rules)
    }

    fn laid_out(
        &self,
        source: &Source,
        (row, toolchain): (&Language, Toolchain),
        include: Option<&Source>,
        entry: Option<&str>,
        rules: &Rules,
    ) -> Result<BuildTask, Unplanned> {
        let refused = |why: &dyn std::fmt::Display| Unplanned::Refused(why.to_string());
        let program = Program::new(row, source, include, entry).map_err(|why| refused(&why))?;
        let digest = program.digest().map_err(|why| refused(&format!("cannot be read: {why}")))?;
        Ok(BuildTask {
            digest,
            source: source.clone(),
            language: row.clone(),
            toolchain,
            entry: entry.map(str::to_owned),
            include: include.cloned(),
            limits: rules.limits,
            code: rules.code,
            isolation: self.sandbox.mode(),
            cached: Default::default(),
        })
    }

    /// Builds a program of the package, unless its fact is known: `Err` says why it cannot be.
    pub fn built(&self, slot: &mut Slot, task: &BuildTask) -> Result<Build> {
        let key = task.key();
        if let Some(Outcome::Build(known)) = self.store.get(&key)? {
            let there = match &known {
                Build::Program { blob, .. } => self.store.tree(blob)?.is_some(),
                Build::Refused { .. } => true,
            };
            if there {
                return Ok(known);
            }
        }
        let build = self.build(slot, task)?;
        self.store.put(&key, &Outcome::Build(build.clone()))?;
        Ok(build)
    }

    /// A program of the package (validator, generator, solution), built and ready to run
    /// with these limits. `name` is for messages.
    pub fn ready(
        &self,
        slot: &mut Slot,
        name: &str,
        source: &Source,
        constants: &BTreeMap<String, String>,
        limits: Limits,
    ) -> Result<Ready> {
        let rules = Rules {
            role: Role::Program,
            constants,
            allowed: None,
            include: &BTreeMap::new(),
            limits: package_limits(),
            code: Bytes::mib(64),
        };
        let task = self.task(source, None, None, &rules);
        let task = task.with_context(|| format!("build {name}"))?;
        match self.built(slot, &task).with_context(|| format!("build {name}"))? {
            Build::Refused { message } => anyhow::bail!("build {name}: it does not compile:\n{message}"),
            Build::Program { blob, entry, .. } => {
                let dir = self.store.tree(&blob)?.context("a blob vanished from the store; run again")?;
                let exec = language::run(&task.language, &task.toolchain, &entry, &dir, &[], limits);
                Ok(Ready { name: name.to_owned(), exec, key: task.key() })
            }
        }
    }
}

fn small(source: &Source, limit: Bytes) -> Result<(), Unplanned> {
    let sizes = source.files.iter().map(|f| fs::metadata(source.root.join(f)).map_or(0, |m| m.len()));
    let size = Bytes(sizes.sum());
    match size > limit {
        true => Err(Unplanned::Refused(format!("{size} were handed in; the limit is {limit}"))),
        false => Ok(()),
    }
}

/// Limits for building programs of a package.
fn package_limits() -> Limits {
    let time = std::time::Duration::from_secs(60);
    Limits {
        cpu: time,
        wall: time * 2,
        memory: Bytes::mib(2048),
        output: Bytes::mib(8),
        files: Bytes::mib(512),
        processes: 256,
    }
}

fn undetected(why: Undetected) -> Unplanned {
    match why {
        Undetected::Unknown(_) => Unplanned::Foreign(why.to_string()),
        Undetected::Empty
        | Undetected::Mixed(_)
        | Undetected::NoRow { .. }
        | Undetected::NoSource { .. }
        | Undetected::NotAllowed { .. } => Unplanned::Refused(why.to_string()),
    }
}
