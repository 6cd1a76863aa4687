//! `kopek stats`: shows a table of many packages.

use super::{
    exit_status::ExitStatus,
    foreign_folders::ForeignFolders,
    named_packages::find_packages,
    plain_table::plain_table,
    store_location::StoreOptions,
    terminal_output::{print_json, print_text},
};
use crate::{
    base::wording::counted,
    contest::{ContestProblem, read_contest},
    last_results::{LastMutation, LastResults, LastVerified, Remembered, last_results},
    package_stats::{PackageStats, package_stats},
    render::table_page,
};
use anyhow::{Context, Result};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Reads the packages and the last results of `kopek verify` and `kopek mutate`; runs nothing.\n\n\
cases: samples + secret; AC to RTE: submissions by expected verdict, `?` others; in, out: own validators.\n\n\
Exit codes: 0 done; 2 error.")]
pub(super) struct Args {
    /// Packages, or folders of packages
    #[arg(required_unless_present = "contest", value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// Show a contest in order: problems.yaml, problemset.yaml or contest.yaml
    #[arg(long, value_name = "FILE", conflicts_with = "packages")]
    contest: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Machine")]
    store: StoreOptions,
    /// Output format
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    format: StatsFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum StatsFormat {
    Text,
    Json,
    Html,
}

/// A package in the JSON.
#[derive(serde::Serialize)]
struct StatsJson<'a> {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    contest: Option<&'a ContestProblem>,
    #[serde(flatten)]
    stats: &'a PackageStats,
    last: &'a LastResults,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let contest = args.contest.as_deref().map(read_contest).transpose()?;
    let problems = contest.as_ref().map_or(&[][..], |contest| &contest.problems);
    let found = match &contest {
        Some(contest) => contest.problems.iter().map(|one| one.dir.clone()).collect(),
        None => find_packages(&args.packages)?,
    };
    let read = |dir: &PathBuf| package_stats(dir).with_context(|| format!("read {}", dir.display()));
    let all = found.iter().map(read).collect::<Result<Vec<_>>>()?;
    let last = all_last_results(&args.store, &found)?;
    let row = |(at, stats): (usize, &PackageStats)| contest_row(problems.get(at), stats);
    let rows = || all.iter().enumerate().map(row).collect::<Vec<_>>();
    match args.format {
        StatsFormat::Text => {
            let of_package = |(stats, last): (&PackageStats, &LastResults)| {
                [vec![stats.name.clone()], last_cells(last)].concat()
            };
            let below = all.iter().zip(&last).map(of_package).collect();
            let tables = [stats_table(&table_head(problems), rows()), stats_table(&last_head(), below)];
            print_text(&tables.join("\n"))?;
        }
        StatsFormat::Json => {
            let json = |(at, stats)| StatsJson { contest: problems.get(at), stats, last: &last[at] };
            print_json(&all.iter().enumerate().map(json).collect::<Vec<_>>())?;
        }
        StatsFormat::Html => {
            let name = contest.as_ref().and_then(|contest| contest.name.clone());
            let head = [table_head(problems), last_head()[1..].to_vec()].concat();
            let whole = |(row, last)| [row, last_cells(last)].concat();
            let rows: Vec<Vec<String>> = rows().into_iter().zip(&last).map(whole).collect();
            print_text(&table_page(name.as_deref().unwrap_or("Packages"), &head, &rows))?;
        }
    }
    Ok(ExitStatus::Success)
}

fn all_last_results(store: &StoreOptions, packages: &[PathBuf]) -> Result<Vec<LastResults>> {
    let store = store.open_if_there(&ForeignFolders::of_packages(packages))?;
    let of_package = |dir: &PathBuf| match &store {
        Some(store) => last_results(store, dir),
        None => Ok(LastResults::default()),
    };
    packages.iter().map(of_package).collect()
}

fn last_head() -> Vec<&'static str> {
    vec!["package", "slowest", "memory", "mutants killed", "open"]
}

fn last_cells(last: &LastResults) -> Vec<String> {
    let mutants = last.mutated.as_ref().map_or_else(|| "not tried".to_owned(), mutants_cell);
    let Some(verified) = &last.verified else {
        return vec!["–".into(), "–".into(), mutants, "not verified".into()];
    };
    let LastVerified { time, memory, .. } = &verified.result;
    let time = time.map_or_else(|| "–".into(), |(used, limit)| format!("{used:.2} of {limit} s"));
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let memory =
        memory.map_or_else(|| "–".into(), |(used, limit)| format!("{} of {} MiB", mib(used), mib(limit)));
    vec![time, memory, mutants, open_cell(verified)]
}

fn mutants_cell(last: &Remembered<LastMutation>) -> String {
    let LastMutation { killed, missed, undecided, .. } = last.result;
    let undecided = if undecided > 0 { format!(", {undecided} undecided") } else { String::new() };
    format!("{killed} of {}{undecided}{}", killed + missed, since(last))
}

fn open_cell(last: &Remembered<LastVerified>) -> String {
    let LastVerified { errors, warnings, faults, .. } = last.result;
    let parts = [(errors, "error"), (warnings, "warning"), (faults, "fault")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| counted(count, word));
    let parts: Vec<String> = parts.collect();
    let parts = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
    parts + since(last)
}

fn since<T>(last: &Remembered<T>) -> &'static str {
    if last.edited_since { " (edited since)" } else { "" }
}

const HEAD: [&str; 13] =
    ["package", "text", "cases", "groups", "AC", "WA", "TLE", "RTE", "?", "in", "out", "limit", "findings"];

fn table_head(problems: &[ContestProblem]) -> Vec<&'static str> {
    let of_contest: &[&str] = if problems.is_empty() { &[] } else { &["", "colour"] };
    of_contest.iter().chain(&HEAD).copied().collect()
}

fn contest_row(problem: Option<&ContestProblem>, stats: &PackageStats) -> Vec<String> {
    let colour = |one: &ContestProblem| one.colour.clone().unwrap_or_else(|| "–".to_owned());
    let of_contest = problem.map(|one| [one.label.clone(), colour(one)]);
    of_contest.into_iter().flatten().chain(stats_row(stats)).collect()
}

fn stats_table(head: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = plain_table(head);
    for row in rows {
        table.add_row(row);
    }
    // With many columns, one space between them is enough.
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
