//! `kopek clean`: makes room in the store.

use crate::{
    base::Bytes,
    store::{Prune, Pruned},
};
use anyhow::Result;
use std::{path::PathBuf, process::ExitCode, time::Duration};

/// Arguments of `kopek clean`.
#[derive(clap::Args)]
pub struct Args {
    /// Remove what was not used for so long: 12h, 30d, 8w [default: 30d, if nothing else is asked]
    #[arg(long, value_name = "AGE", value_parser = age)]
    older_than: Option<Duration>,
    /// Then remove the least recently used until the rest has this size: 500MiB, 1GiB
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_size: Option<Bytes>,
    /// Remove everything, also from a damaged store; all is judged again
    #[arg(long, conflicts_with_all = ["older_than", "max_size"])]
    all: bool,
    /// Read everything and remove what is damaged; it is judged again
    #[arg(long, conflicts_with_all = ["older_than", "max_size", "all", "dry_run"])]
    damaged: bool,
    /// Say what would go, remove nothing
    #[arg(long)]
    dry_run: bool,
    /// The store's directory
    #[arg(long, value_name = "PATH", default_value = ".kopek", env = "KOPEK_STORE")]
    store: PathBuf,
}

/// What is old if nobody says.
const OLD: Duration = Duration::from_secs(30 * 86_400);

/// Prunes and says what went.
pub fn run(args: Args) -> Result<ExitCode> {
    let prune = asked(&args);
    let pruned = if args.dry_run { prune.rehearse(&args.store)? } else { prune.perform(&args.store)? };
    println!("{}", told(prune, &pruned, if args.dry_run { "would remove" } else { "removed" }));
    Ok(ExitCode::SUCCESS)
}

fn asked(args: &Args) -> Prune {
    match (args.older_than, args.max_size) {
        _ if args.all => Prune::All,
        _ if args.damaged => Prune::Damaged,
        (None, None) => Prune::Unneeded { older: Some(OLD), most: None },
        (older, most) => Prune::Unneeded { older, most },
    }
}

fn told(prune: Prune, pruned: &Pruned, verb: &str) -> String {
    let Pruned { freed, left, .. } = pruned;
    let (facts, blobs) = (counted(pruned.facts, "fact"), counted(pruned.blobs, "blob"));
    match prune {
        Prune::All => format!("{verb} everything: all facts and {blobs}, {freed}"),
        Prune::Damaged => format!("{verb} what was damaged: {facts} and {blobs}"),
        Prune::Unneeded { .. } => format!("{verb} {facts} and {blobs}, {freed}; {left} left"),
    }
}

fn counted(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

fn age(text: &str) -> Result<Duration, String> {
    let units = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 7 * 86_400)];
    measured(text, &units).map(Duration::from_secs).ok_or_else(|| "write it as 12h, 30d or 8w".to_owned())
}

fn size(text: &str) -> Result<Bytes, String> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40), ("B", 1)];
    measured(text, &units).map(Bytes).ok_or_else(|| "write it as 500MiB or 1GiB".to_owned())
}

/// A whole number and one of these units.
fn measured(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = (text[..digits].parse::<u64>().ok()?, text[digits..].trim_start());
    let (_, worth) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    number.checked_mul(*worth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_sizes_need_a_unit() {
        assert_eq!(age("30d"), Ok(OLD));
        assert_eq!(age("12h"), Ok(Duration::from_secs(43_200)));
        assert_eq!(size("1GiB"), Ok(Bytes::mib(1024)));
        assert_eq!(size("500 mib"), Ok(Bytes::mib(500)));
        for bad in ["", "30", "d", "-1d", "1.5GiB", "99999999999999999999d", "18446744073709551615TiB"] {
            assert!(age(bad).is_err() && size(bad).is_err(), "{bad}");
        }
    }
}
