//! `kopek clean`: frees space in the store.

use super::{exit_status::ExitStatus, store_location::StorePlace, terminal_output::print_text};
use crate::{
    base::wording::counted,
    store::{Prune, Pruned},
};
use anyhow::Result;
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "\
Removes results that were not used for 30 days, and damaged ones. They are judged again on demand.")]
pub(super) struct Args {
    /// Remove everything, even from a damaged store
    #[arg(long)]
    all: bool,
    #[command(flatten, next_help_heading = "Machine")]
    store: StorePlace,
}

/// Results that were used later are kept.
const MAX_AGE: Duration = Duration::from_secs(30 * 86_400);

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let prune = if args.all { Prune::All } else { Prune::Unneeded(MAX_AGE) };
    let Pruned { facts, blobs, freed, left } = prune.perform(&args.store.dir()?)?;
    let blobs = counted(blobs as usize, "blob");
    let summary = match prune {
        Prune::All => format!("removed everything: all facts and {blobs}, {freed}\n"),
        Prune::Unneeded(_) => {
            format!("removed {} and {blobs}, {freed}; {left} left\n", counted(facts as usize, "fact"))
        }
    };
    print_text(&summary)?;
    Ok(ExitStatus::Success)
}
