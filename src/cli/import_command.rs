//! `kopek import`: packages of other systems as packages of this format.

use super::{
    exit_status::ExitStatus,
    terminal_output::{OutputFormat, print_json, print_text, terminal_page},
    toolchain_search::user_testlib,
};
use crate::import::{self, ImportOptions, Regenerate};
use anyhow::Result;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Reads packages of Polygon (recognised by problem.xml) and of the Italian format of CMS (by task.yaml). \
Judge programs are copied unchanged, beside an adapter. Everything that was lost or changed is listed.\n\n\
Exit codes: 0 imported; 2 the request cannot be done.")]
pub(super) struct Args {
    /// A package of another system: a directory, or a zip of one
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
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let testlib = user_testlib(args.testlib);
    let regenerate = if args.regenerate { Regenerate::All } else { Regenerate::Missing };
    let imported =
        import::import(&args.source, args.target.as_deref(), &ImportOptions { testlib, regenerate })?;
    match args.format {
        OutputFormat::Text => print_text(&import::render_report(&imported, terminal_page().width))?,
        OutputFormat::Json => print_json(&imported)?,
    }
    Ok(ExitStatus::Success)
}
