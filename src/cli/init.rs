//! `kopek init`: a new package to begin with.

use crate::{
    cli::shown::print,
    start::{self, Kind},
};
use anyhow::Result;
use std::{path::PathBuf, process::ExitCode};

/// Arguments of `kopek init`.
#[derive(clap::Args)]
#[command(after_help = "\
The package is small and whole: `kopek verify NAME` finds nothing wrong with it. Every file says \
what to change in it.

Exit codes: 0 the package is there; 2 the request cannot be done.")]
pub struct Args {
    /// The new directory
    name: PathBuf,
    /// What kind of problem it is
    #[arg(long = "type", value_enum, default_value_t = Type::PassFail)]
    kind: Type,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Type {
    /// All cases must be right
    PassFail,
    /// Groups of cases give points
    Scoring,
    /// The solution talks with the judge
    Interactive,
    /// The solution runs twice: it encodes, then decodes
    MultiPass,
    /// Outputs are handed in, not programs
    SubmitAnswer,
}

impl Type {
    fn kind(self) -> Kind {
        match self {
            Type::PassFail => Kind::PassFail,
            Type::Scoring => Kind::Scoring,
            Type::Interactive => Kind::Interactive,
            Type::MultiPass => Kind::MultiPass,
            Type::SubmitAnswer => Kind::SubmitAnswer,
        }
    }
}

/// Writes the files and says what to do next.
pub fn run(args: Args) -> Result<ExitCode> {
    let files = start::create(&args.name, args.kind.kind())?;
    let name = args.name.display();
    let mut text = format!("{name}: a new package of {} files\n", files.len());
    for (file, why) in start::TOUR.iter().filter(|(file, _)| files.iter().any(|have| have.starts_with(file)))
    {
        text += &format!("  {file:<26} {why}\n");
    }
    print(&format!("{text}next: kopek verify {name}\n"))?;
    Ok(ExitCode::SUCCESS)
}
