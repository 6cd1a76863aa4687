//! `kopek stats`: a table over many packages.

use super::{
    exit_status::ExitStatus,
    named_packages::find_packages,
    plain_table::plain_table,
    terminal_output::{OutputFormat, print_json, print_text},
};
use crate::{
    base::wording::counted,
    package_stats::{PackageStats, package_stats},
};
use anyhow::{Context, Result};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Nothing is built, run or made: `kopek verify` holds packages against their claims.\n\
cases: samples + secret ones, made or in the recipe; AC to RTE: submissions by what is claimed of \
them, `?` whatever else; in, out: validators of their own.\n\n\
Exit codes: 0 the table is there; 2 the request cannot be done.")]
pub(super) struct Args {
    /// Packages, or folders of packages
    #[arg(required = true, value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// How the table is printed
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let found = find_packages(&args.packages)?;
    let read = |dir: &PathBuf| package_stats(dir).with_context(|| format!("read {}", dir.display()));
    let all = found.iter().map(read).collect::<Result<Vec<_>>>()?;
    match args.format {
        OutputFormat::Text => print_text(&stats_table(&all))?,
        OutputFormat::Json => print_json(&all)?,
    }
    Ok(ExitStatus::Success)
}

fn stats_table(all: &[PackageStats]) -> String {
    let head = [
        "package", "text", "cases", "groups", "AC", "WA", "TLE", "RTE", "?", "in", "out", "limit", "findings",
    ];
    let mut table = plain_table(&head);
    for stats in all {
        table.add_row(stats_row(stats));
    }
    // Many columns: one space between them is enough.
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 1));
    });
    let lines = table.to_string();
    let trimmed = lines.lines().map(|line| format!("{}\n", line.trim_end()));
    trimmed.collect()
}

fn stats_row(stats: &PackageStats) -> Vec<String> {
    let number = |count: usize| if count == 0 { "–".to_owned() } else { count.to_string() };
    let of = &stats.submissions;
    let submissions = [of.accepted, of.wrong_answer, of.time_limit, of.run_time_error, of.other];
    let text = if stats.statements.is_empty() { "–".to_owned() } else { stats.statements.join(" ") };
    let mut row = vec![stats.name.clone(), text, format!("{}+{}", stats.samples, stats.secret)];
    row.push(number(stats.groups));
    row.extend(submissions.map(number));
    row.extend([number(stats.input_validators), number(stats.output_validators)]);
    row.push(stats.time_limit.map_or_else(|| "–".to_owned(), |limit| format!("{limit} s")));
    row.push(findings_cell(stats));
    row
}

fn findings_cell(stats: &PackageStats) -> String {
    let parts = [
        (stats.errors, counted(stats.errors, "error")),
        (stats.warnings, counted(stats.warnings, "warning")),
        (stats.not_made, format!("{} not made", stats.not_made)),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    if parts.is_empty() { "–".to_owned() } else { parts.join(", ") }
}
