//! `kopek import`: converts packages of other systems to this format.

use super::{
    exit_status::ExitStatus,
    limit_options::parse_time,
    terminal_output::{OutputFormat, print_document, print_json},
    toolchain_search::user_testlib,
};
use crate::{
    import::{self, ImportOptions, Imported, Regenerate, TestComparison, TestScoring},
    render,
};
use anyhow::Result;
use std::{path::PathBuf, time::Duration};

#[derive(clap::Args)]
#[command(after_help = "\
Reads packages of Polygon (problem.xml) and CMS (task.yaml), and folders of tests: \
Code Expert, DOMjudge, USACO, CSES, courses. Everything that is lost or changed is listed.\n\n\
Exit codes: 0 imported; 1 some exercises were not imported; 2 error.")]
pub(super) struct Args {
    /// Package of another system, or folder of tests: directory or zip
    source: PathBuf,
    /// New package [default: named after the problem]
    target: Option<PathBuf>,
    /// Output format of the report
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// testlib.h or its directory [default: the source, then the include path]
    #[arg(long, value_name = "PATH")]
    testlib: Option<PathBuf>,
    /// Run the generators even of tests that have files
    #[arg(long)]
    regenerate: bool,
    /// Points for a folder of tests: 40,40,20 per group, 100 for all, or `equal` shares
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    points: Option<TestScoring>,
    /// Compare outputs of a folder of tests exactly: blanks, line breaks and case count
    #[arg(long)]
    exact: bool,
    /// CPU time limit for a folder of tests: 1.5, 500ms
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time_limit: Option<Duration>,
}

fn parse_points(text: &str) -> Result<TestScoring, &'static str> {
    if text == "equal" {
        return Ok(TestScoring::EqualShares);
    }
    let points: Result<_, _> = text.split(',').map(|part| part.trim().parse()).collect();
    points.map(TestScoring::Points).map_err(|_| "write whole numbers, such as 40,40,20, or equal")
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let testlib = user_testlib(args.testlib);
    let regenerate = if args.regenerate { Regenerate::All } else { Regenerate::Missing };
    let scoring = args.points.unwrap_or_default();
    let comparison = if args.exact { TestComparison::Exact } else { TestComparison::Words };
    let options = ImportOptions { testlib, regenerate, scoring, comparison, time_limit: args.time_limit };
    let imported = import::import(&args.source, args.target.as_deref(), &options)?;
    match args.format {
        OutputFormat::Text => print_document(&render::import_document(&imported))?,
        OutputFormat::Json => print_json(&imported)?,
    }
    let whole = !matches!(&imported, Imported::Course(course) if !course.failed.is_empty());
    Ok(if whole { ExitStatus::Success } else { ExitStatus::Negative })
}
