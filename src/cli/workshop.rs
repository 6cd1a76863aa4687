//! The options that say where and with what is worked, and the workshop they make.

use crate::{exec::Workshop, language::Table, sandbox::Sandbox, store::Store};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Where and with what is worked.
#[derive(clap::Args, Debug, Clone)]
pub struct Tools {
    /// What is known already, and where it is kept
    #[arg(long, value_name = "DIR", default_value = ".kopek", env = "KOPEK_STORE")]
    pub store: PathBuf,
    /// Trials at the same time, one CPU each [default: all CPUs; one fewer if there are more than two]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Rows added to the table of languages, or replacing some
    #[arg(long, value_name = "FILE", env = "KOPEK_LANGUAGES")]
    pub languages: Option<PathBuf>,
    /// Refuse to work where isolation is weaker than this machine could offer
    #[arg(long)]
    pub strict: bool,
}

impl Tools {
    /// Opens the store, finds out what the machine offers, reads the tables.
    pub fn open(&self, own_table: Option<&Path>) -> Result<Workshop> {
        let program = std::env::current_exe().context("find the kopek program itself")?;
        let sandbox = Sandbox::open(&program)?;
        if self.strict && !sandbox.warnings().is_empty() {
            bail!(
                "--strict: this mode of isolation ({}) is not the strongest; see `kopek doctor`",
                sandbox.mode()
            );
        }
        let store = Store::open(&self.store)?;
        Ok(Workshop::new(sandbox, store, self.table(own_table)?, super::languages::search(), self.cpus()?))
    }

    /// As [`Tools::open`], for whoever prints no report that tells how strong the isolation is.
    pub fn open_and_tell(&self) -> Result<Workshop> {
        let workshop = self.open(None)?;
        match workshop.sandbox.warnings().len() {
            0 => {}
            weak => eprintln!(
                "warning: isolation is weaker than it could be in {weak} points: see `kopek doctor`"
            ),
        }
        Ok(workshop)
    }

    fn table(&self, own: Option<&Path>) -> Result<Table> {
        let files = self.languages.as_deref().into_iter().chain(own);
        files.into_iter().try_fold(Table::embedded(), |table, file| {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("read languages {}", file.display()))?;
            table.with(&text, &file.display().to_string())
        })
    }

    /// One CPU is left for the judge where there are more than two.
    fn cpus(&self) -> Result<Vec<usize>> {
        let all = crate::exec::cpus();
        let most = self.jobs.unwrap_or(if all.len() > 2 { all.len() - 1 } else { all.len() });
        if most == 0 {
            bail!("--jobs must be at least 1");
        }
        // More jobs than CPUs share them: allowed when asked for, and bad for timing.
        Ok(all.iter().copied().cycle().take(most).collect())
    }
}
