//! `kopek merge`: merges the stores of machines that judged parts of a class.

use super::{exit_status::ExitStatus, store_location::StorePlace, terminal_output::print_text};
use crate::{
    base::wording::counted,
    machine::LeastTimes,
    store::{Disagreement, Merged, Store, take_over},
};
use anyhow::{Result, bail};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Exit codes: 0 merged; 2 error; 3 stores disagree about equal work (listed): the older result is kept.")]
pub(super) struct Args {
    /// Stores to add to --store; they are not changed
    #[arg(required = true, value_name = "STORE")]
    from: Vec<PathBuf>,
    #[command(flatten, next_help_heading = "Machine")]
    store: StorePlace,
}

/// Disagreements to print; more are only counted.
const MAX_SHOWN: usize = 20;

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let to = args.store.dir()?;
    if let Some(same) = args.from.iter().find(|from| is_same_directory(from, &to)) {
        bail!("{} is the target store itself; name another target with --store", same.display());
    }
    // Opens all of them first, so that a wrong name fails before anything is written.
    let others = args.from.iter().map(|dir| Store::open_existing(dir)).collect::<Result<Vec<_>>>()?;
    let store = Store::open(&to)?;
    let mut disagreements = Vec::new();
    for other in &others {
        let merged = take_over(&store, other)?;
        LeastTimes::take_over(&store, other)?;
        print_text(&format!("{}: {}\n", other.dir().display(), merged_line(&merged)))?;
        disagreements.extend(merged.disagreements);
    }
    if disagreements.is_empty() {
        return Ok(ExitStatus::Success);
    }
    print_text(&disagreement_lines(&disagreements))?;
    Ok(ExitStatus::Faults)
}

fn is_same_directory(one: &std::path::Path, other: &std::path::Path) -> bool {
    let real = |path: &std::path::Path| path.canonicalize().ok();
    real(one).is_some() && real(one) == real(other)
}

fn merged_line(merged: &Merged) -> String {
    let Merged { added, known, lost, .. } = merged;
    let lost = match lost {
        0 => String::new(),
        lost => format!(", {} without contents skipped", counted(*lost, "fact")),
    };
    format!("{} added, {known} already there{lost}", counted(*added, "fact"))
}

pub(super) fn disagreement_lines(all: &[Disagreement]) -> String {
    let line = |one: &Disagreement| {
        format!("  {}: {} here, {} there\n", &one.key.to_string()[..12], one.here, one.there)
    };
    let mut text =
        format!("{} about equal jobs; the first result stays:\n", counted(all.len(), "disagreement"));
    text.extend(all.iter().take(MAX_SHOWN).map(line));
    if all.len() > MAX_SHOWN {
        text += &format!("  and {} more\n", all.len() - MAX_SHOWN);
    }
    text + "The program or the machine behaves differently from run to run. To decide, judge the class again\n\
            on one machine, with a new --store.\n"
}
