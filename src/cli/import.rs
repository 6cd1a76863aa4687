//! `kopek import`: packages of other systems as packages of this format.

use super::shown::{page, print};
use crate::import::{self, Options, Regenerate, Testlib};
use anyhow::Result;
use std::{path::PathBuf, process::ExitCode};

/// Arguments of `kopek import`.
#[derive(clap::Args)]
#[command(after_help = "\
Reads packages of Polygon (problem.xml) and of the Italian format of CMS (task.yaml), told by what is \
there. Judge programs come along unchanged, beside an adapter. Points that were lost or changed are \
listed.\n\n\
Exit codes: 0 imported; 2 the request cannot be done.")]
pub struct Args {
    /// A package of another system: a directory, or a zip of one
    source: PathBuf,
    /// The new package [default: a directory of the problem's name, here]
    target: Option<PathBuf>,
    /// How the report is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// testlib.h, or its directory [default: in the source, else where compilers look]
    #[arg(long, value_name = "PATH")]
    testlib: Option<PathBuf>,
    /// Make tests by their commands even where their files are there
    #[arg(long)]
    regenerate: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Where compilers look besides what `CPATH` names.
const INCLUDE: [&str; 2] = ["/usr/local/include", "/usr/include"];

/// Imports it.
pub fn run(args: Args) -> Result<ExitCode> {
    let own = std::env::var_os("CPATH").map(|list| std::env::split_paths(&list).collect::<Vec<_>>());
    let own = own.unwrap_or_default().into_iter().filter(|dir| !dir.as_os_str().is_empty());
    let testlib = Testlib { given: args.testlib, path: own.chain(INCLUDE.map(PathBuf::from)).collect() };
    let regenerate = if args.regenerate { Regenerate::All } else { Regenerate::Missing };
    let imported = import::import(&args.source, args.target.as_deref(), &Options { testlib, regenerate })?;
    print(&match args.format {
        Format::Text => import::text(&imported, page().width),
        Format::Json => serde_json::to_string_pretty(&imported)? + "\n",
    })?;
    Ok(ExitCode::SUCCESS)
}
