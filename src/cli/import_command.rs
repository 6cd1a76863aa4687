//! `kopek import`: packages of other systems as packages of this format.

use super::{
    exit_status::ExitStatus,
    limit_options::parse_time,
    terminal_output::{OutputFormat, print_json, print_text, terminal_page},
    toolchain_search::user_testlib,
};
use crate::import::{self, ImportOptions, Imported, Regenerate, TestScoring};
use anyhow::Result;
use std::{path::PathBuf, time::Duration};

#[derive(clap::Args)]
#[command(after_help = "\
Reads packages of Polygon (recognised by problem.xml) and of the Italian format of CMS (by task.yaml), and folders \
of tests without a manifest: exports of Code Expert, folders of courses, zips of USACO and CSES. A folder with \
several exercises becomes a directory of packages and the contest file problems.yaml. Judge programs are copied \
unchanged, beside an adapter. Everything that was lost or changed is listed.\n\n\
Exit codes: 0 imported; 1 some of several exercises were not; 2 the request cannot be done.")]
pub(super) struct Args {
    /// A package of another system or a folder of tests: a directory, or a zip of one
    source: PathBuf,
    /// The new package [default: a directory of the problem's name, here]
    target: Option<PathBuf>,
    /// How the report is printed
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// testlib.h, or its directory [default: in the source, else where compilers look]
    #[arg(long, value_name = "PATH")]
    testlib: Option<PathBuf>,
    /// Make tests by their commands even where their files are there
    #[arg(long)]
    regenerate: bool,
    /// Points of the groups of a folder of tests, in order: 40,40,20
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    points: Vec<u64>,
    /// Groups of a folder of tests share 100 points equally
    #[arg(long, conflicts_with = "points")]
    groups: bool,
    /// CPU time per case for a folder of tests: 1.5, 500ms
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time_limit: Option<Duration>,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let testlib = user_testlib(args.testlib);
    let regenerate = if args.regenerate { Regenerate::All } else { Regenerate::Missing };
    let scoring = match (args.groups, args.points.is_empty()) {
        (true, _) => TestScoring::EqualShares,
        (false, true) => TestScoring::None,
        (false, false) => TestScoring::Points(args.points),
    };
    let options = ImportOptions { testlib, regenerate, scoring, time_limit: args.time_limit };
    let imported = import::import(&args.source, args.target.as_deref(), &options)?;
    match args.format {
        OutputFormat::Text => print_text(&import::render_imported(&imported, terminal_page().width))?,
        OutputFormat::Json => print_json(&imported)?,
    }
    let whole = !matches!(&imported, Imported::Course(course) if !course.failed.is_empty());
    Ok(if whole { ExitStatus::Success } else { ExitStatus::Negative })
}
