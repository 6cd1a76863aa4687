//! `kopek init`: a new package to begin with.

use super::{exit_status::ExitStatus, terminal_output::print_text};
use crate::start::{self, TemplateKind};
use anyhow::Result;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
The package is small and whole: `kopek verify NAME` finds nothing wrong with it. Every file says \
what to change in it.

Exit codes: 0 the package is there; 2 the request cannot be done.")]
pub(super) struct Args {
    /// The new directory
    name: PathBuf,
    /// What kind of problem it is
    #[arg(long = "type", value_enum, default_value_t = ProblemType::PassFail)]
    kind: ProblemType,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ProblemType {
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

impl ProblemType {
    fn kind(self) -> TemplateKind {
        match self {
            ProblemType::PassFail => TemplateKind::PassFail,
            ProblemType::Scoring => TemplateKind::Scoring,
            ProblemType::Interactive => TemplateKind::Interactive,
            ProblemType::MultiPass => TemplateKind::MultiPass,
            ProblemType::SubmitAnswer => TemplateKind::SubmitAnswer,
        }
    }
}

/// Writes the files and says what to do next.
pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let files = start::create(&args.name, args.kind.kind())?;
    let name = args.name.display();
    let mut text = format!("{name}: a new package of {} files\n", files.len());
    let written = |file: &str| files.iter().any(|path| path.starts_with(file));
    for (file, why) in start::TOUR.iter().filter(|(file, _)| written(file)) {
        text += &format!("  {file:<26} {why}\n");
    }
    print_text(&format!("{text}next: kopek verify {name}\n"))?;
    Ok(ExitStatus::Success)
}
