//! `kopek init`: a new package to begin with.

use super::{exit_status::ExitStatus, terminal_output::print_text};
use crate::{
    ci_template::{CiSystem, write_ci_template},
    start::{self, TemplateKind},
};
use anyhow::Result;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
The package is small and whole: `kopek verify NAME` finds nothing wrong with it. Every file says \
what to change in it.

Exit codes: 0 the package is there; 2 the request cannot be done.")]
pub(super) struct Args {
    /// The new directory; with --ci that of the repository [default with --ci: here]
    #[arg(required_unless_present = "ci")]
    name: Option<PathBuf>,
    /// What kind of problem it is
    #[arg(long = "type", value_enum, default_value_t = ProblemType::PassFail)]
    kind: ProblemType,
    /// Instead of a package, write the file that makes GitHub or GitLab verify the packages of a repository on
    /// every push, with a report in JUnit
    #[arg(long, value_enum, value_name = "SYSTEM", conflicts_with = "kind")]
    ci: Option<PushCheck>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PushCheck {
    /// .github/workflows/kopek.yml
    Github,
    /// .gitlab-ci.yml
    Gitlab,
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
    let path = args.name.unwrap_or_else(|| ".".into());
    if let Some(ci) = args.ci {
        let system = match ci {
            PushCheck::Github => CiSystem::Github,
            PushCheck::Gitlab => CiSystem::Gitlab,
        };
        let file = write_ci_template(&path, system)?;
        let next = "next: set the variable KOPEK_URL there to the address of a static kopek program";
        print_text(&format!("{}: verifies the packages on every push\n{next}\n", file.display()))?;
        return Ok(ExitStatus::Success);
    }
    let files = start::create(&path, args.kind.kind())?;
    let name = path.display();
    let mut text = format!("{name}: a new package of {} files\n", files.len());
    let written = |file: &str| files.iter().any(|path| path.starts_with(file));
    for (file, why) in start::TOUR.iter().filter(|(file, _)| written(file)) {
        text += &format!("  {file:<26} {why}\n");
    }
    print_text(&format!("{text}next: kopek verify {name}\n"))?;
    Ok(ExitStatus::Success)
}
