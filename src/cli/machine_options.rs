//! Options for this machine: the store, CPUs, languages, isolation.

use super::{
    interrupt::stop_flag,
    store_location::StorePlace,
    terminal_output::print_message,
    toolchain_search::{language_table, user_search},
};
use crate::{
    base::wording::counted,
    machine::{Machine, available_cpus},
    package::LinkReach,
    sandbox::Sandbox,
};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// Whether a variable switches something on.
#[expect(clippy::disallowed_methods, reason = "settings of the user")]
fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BuildKind {
    /// As in a contest.
    Usual,
    /// With checks that find bugs.
    Debugging,
}

/// Options of every command that runs programs.
#[derive(clap::Args, Debug, Clone)]
pub(super) struct MachineOptions {
    #[command(flatten)]
    store: StorePlace,
    /// Parallel runs [default: all CPUs, one less above two]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// The option of commands that judge.
#[derive(clap::Args, Debug, Clone)]
pub(super) struct FreshOption {
    /// Ignore cached results and replace them
    #[arg(long)]
    fresh: bool,
}

impl FreshOption {
    /// Forgets cached results, if the user wants that.
    pub(super) fn apply(&self, machine: &Machine) {
        if self.fresh {
            machine.store.ignore_older_facts();
        }
    }
}

impl MachineOptions {
    /// These options, with this store.
    pub(super) fn with_store(&self, store: &Path) -> MachineOptions {
        MachineOptions { store: StorePlace::at(store), ..self.clone() }
    }

    /// Opens the sandbox and the store, and reads the table of languages.
    pub(super) fn open(&self) -> Result<Machine> {
        let program = std::env::current_exe().context("find the kopek program itself")?;
        if is_set("KOPEK_STRICT") {
            let sandbox = Sandbox::open(&program)?;
            if !sandbox.warnings().is_empty() {
                let mode = sandbox.mode_name();
                bail!(
                    "KOPEK_STRICT is set, and isolation has gaps on this machine ({mode}); `kopek doctor` lists them"
                );
            }
        }
        // After that check: a command that refuses must not create a store.
        let store = self.store.open()?;
        let sandbox = Sandbox::open_remembered(&program, &store.isolation())?;
        let table = language_table()?;
        let mut machine = Machine::new(sandbox, store, table, user_search(), self.cpus()?);
        machine.stop = stop_flag();
        if is_set("KOPEK_FOLLOW_LINKS") {
            machine.links = LinkReach::Anywhere;
        }
        Ok(machine)
    }

    /// Like [`MachineOptions::open`], with this kind of builds.
    pub(super) fn open_for(&self, builds: BuildKind) -> Result<Machine> {
        let mut machine = self.open()?;
        if builds == BuildKind::Debugging {
            machine.table = machine.table.for_debugging()?;
        }
        Ok(machine)
    }

    /// Like [`MachineOptions::open`], for commands whose results do not name the isolation.
    pub(super) fn open_with_warning(&self) -> Result<Machine> {
        let machine = self.open()?;
        match machine.sandbox.warnings().len() {
            0 => {}
            weak => print_message!(
                "warning: weaker isolation in {}; `kopek doctor` shows why",
                counted(weak, "point")
            ),
        }
        Ok(machine)
    }

    /// The CPUs to use: all, minus one for the judge above two.
    fn cpus(&self) -> Result<Vec<usize>> {
        let all = available_cpus();
        let max = self.jobs.unwrap_or(if all.len() > 2 { all.len() - 1 } else { all.len() });
        if max == 0 {
            bail!("--jobs must be at least 1");
        }
        // More jobs than CPUs are allowed, but make timing worse.
        if max > all.len() {
            print_message!(
                "warning: --jobs {max} is more than the {}; programs will wait for each other",
                counted(all.len(), "CPU")
            );
        }
        Ok(all.iter().copied().cycle().take(max).collect())
    }
}
