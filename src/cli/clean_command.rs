//! `kopek clean`: frees space in the store.

use super::{exit_status::ExitStatus, store_location::StorePlace, terminal_output::print_text};
use crate::{
    base::{Bytes, wording::counted},
    store::{Prune, Pruned},
};
use anyhow::Result;
use std::time::Duration;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Remove results unused for AGE, 30d if no option is given: 12h, 30d, 8w
    #[arg(long, value_name = "AGE", value_parser = parse_age)]
    older_than: Option<Duration>,
    /// Remove the least recently used results until SIZE is left: 500MiB, 1GiB
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_size: Option<Bytes>,
    /// Remove everything, even from a damaged store
    #[arg(long, conflicts_with_all = ["older_than", "max_size"])]
    all: bool,
    /// Check all entries and remove damaged ones
    #[arg(long, conflicts_with_all = ["older_than", "max_size", "all", "dry_run"])]
    damaged: bool,
    /// Print the result without removing anything
    #[arg(long)]
    dry_run: bool,
    #[command(flatten, next_help_heading = "Machine")]
    store: StorePlace,
}

/// Default maximum age of facts, if no option gives an age or a size.
const DEFAULT_AGE: Duration = Duration::from_secs(30 * 86_400);

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let prune = prune_from(&args);
    let store = args.store.dir()?;
    let summary = if args.dry_run {
        prune_summary(prune, &prune.rehearse(&store)?, "would remove")
    } else {
        prune_summary(prune, &prune.perform(&store)?, "removed")
    };
    print_text(&(summary + "\n"))?;
    Ok(ExitStatus::Success)
}

fn prune_from(args: &Args) -> Prune {
    match (args.older_than, args.max_size) {
        _ if args.all => Prune::All,
        _ if args.damaged => Prune::Damaged,
        (None, None) => Prune::Unneeded { older: Some(DEFAULT_AGE), max: None },
        (older, max) => Prune::Unneeded { older, max },
    }
}

fn prune_summary(prune: Prune, pruned: &Pruned, verb: &str) -> String {
    let Pruned { freed, left, .. } = pruned;
    let facts = counted(pruned.facts as usize, "fact");
    let blobs = counted(pruned.blobs as usize, "blob");
    match prune {
        Prune::All => format!("{verb} everything: all facts and {blobs}, {freed}"),
        Prune::Damaged => format!("{verb} damaged entries: {facts} and {blobs}"),
        Prune::Unneeded { .. } => format!("{verb} {facts} and {blobs}, {freed}; {left} left"),
    }
}

fn parse_age(text: &str) -> Result<Duration, String> {
    let units = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 7 * 86_400)];
    parse_with_unit(text, &units)
        .map(Duration::from_secs)
        .ok_or_else(|| "write it as 12h, 30d or 8w".to_owned())
}

fn parse_size(text: &str) -> Result<Bytes, String> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40), ("B", 1)];
    parse_with_unit(text, &units).map(Bytes).ok_or_else(|| "write it as 500MiB or 1GiB".to_owned())
}

/// Parses a whole number with one of these units.
fn parse_with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let number: u64 = text[..digits].parse().ok()?;
    let unit = text[digits..].trim_start();
    let (_, worth) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    // Checked: an overflow must not become a small size that empties the store.
    number.checked_mul(*worth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_sizes_need_a_unit() {
        assert_eq!(parse_age("30d"), Ok(DEFAULT_AGE));
        assert_eq!(parse_age("12h"), Ok(Duration::from_secs(43_200)));
        assert_eq!(parse_size("1GiB"), Ok(Bytes::mib(1024)));
        assert_eq!(parse_size("500 mib"), Ok(Bytes::mib(500)));
        for bad in ["", "30", "d", "-1d", "1.5GiB", "99999999999999999999d", "18446744073709551615TiB"] {
            assert!(parse_age(bad).is_err() && parse_size(bad).is_err(), "{bad}");
        }
    }
}
