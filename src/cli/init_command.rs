//! `kopek init`: a new package to begin with.

use super::{exit_status::ExitStatus, terminal_output::print_text};
use crate::{
    base::wording::counted,
    ci_template::{CiSystem, write_ci_template},
    start::{self, NewContest, TemplateKind, ToolLanguage},
};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
The package is small and whole: `kopek verify NAME` finds nothing wrong with it. Every file says \
what to change in it. With --tools its validators and generators are in C++ or Rust, with nothing but the standard \
library: every judge can build them.

--contest DIR makes a directory with problems.yaml, which DOMjudge, BAPCtools and `kopek stats|pack --contest` read \
(order, labels, colours of balloons), contest.yaml, and a package for each name: \
kopek init --contest spring-finals apples bridges.

Exit codes: 0 the package is there; 2 the request cannot be done.")]
pub(super) struct Args {
    /// The new directory; with --contest the problems, in their order; with --ci the directory of the repository
    /// [default with --ci: here]
    #[arg(required_unless_present = "ci", value_name = "NAME")]
    names: Vec<PathBuf>,
    /// What kind of problem it is
    #[arg(long = "type", value_enum, default_value_t = ProblemType::PassFail)]
    kind: ProblemType,
    /// What validators and generators are written in
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t = ToolOption::Python)]
    tools: ToolOption,
    /// Make a contest in this new directory, with a package for each NAME
    #[arg(long, value_name = "DIR")]
    contest: Option<PathBuf>,
    /// Instead of a package, write the file that makes GitHub or GitLab verify the packages of a repository on
    /// every push, with a report in JUnit
    #[arg(long, value_enum, value_name = "SYSTEM", conflicts_with_all = ["kind", "tools", "contest"])]
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
enum ToolOption {
    /// Python
    Python,
    /// C++
    Cpp,
    /// Rust
    Rust,
}

impl ToolOption {
    fn language(self) -> ToolLanguage {
        match self {
            ToolOption::Python => ToolLanguage::Python,
            ToolOption::Cpp => ToolLanguage::Cpp,
            ToolOption::Rust => ToolLanguage::Rust,
        }
    }
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
    let name = |names: &[PathBuf]| one_name(names).map(|name| name.unwrap_or_else(|| ".".into()));
    let text = match (&args.contest, args.ci) {
        (Some(dir), _) => begin_contest(dir, &args)?,
        (None, Some(ci)) => write_push_check(&name(&args.names)?, ci)?,
        (None, None) => begin_package(&name(&args.names)?, &args)?,
    };
    print_text(&text)?;
    Ok(ExitStatus::Success)
}

fn one_name(names: &[PathBuf]) -> Result<Option<PathBuf>> {
    if names.len() > 1 {
        bail!("{} names, and one is wanted: for the problems of a contest give --contest DIR", names.len());
    }
    Ok(names.first().cloned())
}

fn write_push_check(repository: &Path, ci: PushCheck) -> Result<String> {
    let system = match ci {
        PushCheck::Github => CiSystem::Github,
        PushCheck::Gitlab => CiSystem::Gitlab,
    };
    let file = write_ci_template(repository, system)?;
    let next = "next: set the variable KOPEK_URL there to the address of a static kopek program";
    Ok(format!("{}: verifies the packages on every push\n{next}\n", file.display()))
}

fn begin_package(path: &Path, args: &Args) -> Result<String> {
    let files = start::create(path, args.kind.kind(), args.tools.language())?;
    let name = path.display();
    let mut text = format!("{name}: a new package of {} files\n", files.len());
    let written = |file: &str| files.iter().any(|path| path.starts_with(file));
    for (file, why) in start::TOUR.iter().filter(|(file, _)| written(file)) {
        text += &format!("  {file:<26} {why}\n");
    }
    Ok(format!("{text}next: kopek verify {name}\n"))
}

fn begin_contest(dir: &Path, args: &Args) -> Result<String> {
    let contest = NewContest { problems: &args.names, kind: args.kind.kind(), tools: args.tools.language() };
    let problems = start::create_contest(dir, &contest)?;
    let name = dir.display();
    let mut text = format!("{name}: a new contest of {}\n", counted(problems.len(), "package"));
    for one in &problems {
        text += &format!("  {:<3} {:<26} {}\n", one.label, one.id, one.colour.as_deref().unwrap_or("–"));
    }
    text += "  problems.yaml has their order, labels and colours; contest.yaml the name\n";
    Ok(format!("{text}next: kopek verify {name}; kopek stats --contest {name}\n"))
}
