//! `kopek import`: packages of other systems as packages of this format.

use super::{
    exit_status::ExitStatus,
    terminal_output::{OutputFormat, print_json, print_text, terminal_page},
};
use crate::import::{self, ImportOptions, Regenerate, Testlib};
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

/// Where compilers look besides what `CPATH` names.
const INCLUDE: [&str; 2] = ["/usr/local/include", "/usr/include"];

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let own = std::env::var_os("CPATH").map(|list| std::env::split_paths(&list).collect::<Vec<_>>());
    let own = own.unwrap_or_default().into_iter().filter(|dir| !dir.as_os_str().is_empty());
    let testlib = Testlib { given: args.testlib, path: own.chain(INCLUDE.map(PathBuf::from)).collect() };
    let regenerate = if args.regenerate { Regenerate::All } else { Regenerate::Missing };
    let imported =
        import::import(&args.source, args.target.as_deref(), &ImportOptions { testlib, regenerate })?;
    match args.format {
        OutputFormat::Text => print_text(&import::render_report(&imported, terminal_page().width))?,
        OutputFormat::Json => print_json(&imported)?,
    }
    Ok(ExitStatus::Success)
}
