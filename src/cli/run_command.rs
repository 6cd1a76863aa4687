//! `kopek run`: judges one solution and shows its failures.

use super::{
    exit_status::ExitStatus,
    hand_in_options::ChoiceOfProgram,
    judging::JudgingOptions,
    limit_options::LimitOptions,
    machine_options::{FreshOption, MachineOptions},
    named_packages::{check_order, load_package},
    own_input::check_input,
    run_view::RunViewOptions,
    solo_request::{BankOfTests, SoloRequest, places_of_package},
    solo_run::run_solution,
};
use crate::{
    class::{CohortRules, Decisions},
    grade::{CaseChoice, GradeSession, Thoroughness},
    loading::locate_package,
    package::missing_path,
    solution::{SolutionTests, TestRules},
};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
Without a package, use `kopek test SOLUTION`.\n\n\
Exit codes: 0 accepted; 1 not accepted; 2 error; 3 some runs were not judged; 130 interrupted.")]
pub(super) struct Args {
    /// Problem package: directory or zip
    package: PathBuf,
    /// Solution: file or directory; with --only, a class
    solution: Option<PathBuf>,
    /// Judge the hand-in of this participant of a class: folder, zip or tar
    #[arg(long, value_name = "NAME", conflicts_with = "watch")]
    only: Option<String>,
    #[command(flatten, next_help_heading = "Which cases")]
    choice: ChoiceOptions,
    /// Run on this input (`-` for stdin) and print the output without checking it
    #[arg(help_heading = "Which cases", long, value_name = "FILE",
          conflicts_with_all = ["case", "samples", "again", "cases", "format", "watch", "save", "pictures"])]
    input: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Rules")]
    limits: LimitOptions,
    #[command(flatten, next_help_heading = "Rules")]
    judging: JudgingOptions,
    /// File to run, by name; repeatable, first match counts
    #[arg(help_heading = "Rules", long = "entry", value_name = "FILE")]
    entries: Vec<String>,
    #[command(flatten, next_help_heading = "Rules")]
    program: ChoiceOfProgram,
    #[command(flatten, next_help_heading = "Output")]
    view: RunViewOptions,
    /// Draw the cases and outputs into DIR
    #[arg(
        help_heading = "Output",
        long,
        hide_short_help = true,
        value_name = "DIR",
        conflicts_with = "watch"
    )]
    pictures: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
    #[command(flatten, next_help_heading = "Machine")]
    fresh: FreshOption,
}

/// Options for choosing cases.
#[derive(clap::Args)]
struct ChoiceOptions {
    /// Run only this case or group; repeatable: `secret/2/*`
    #[arg(long, value_name = "NAME")]
    case: Vec<String>,
    /// Run only the samples
    #[arg(long)]
    samples: bool,
}

impl ChoiceOptions {
    fn choice(&self) -> CaseChoice {
        let mut cases = self.case.clone();
        if self.samples {
            cases.push("sample/*".to_owned());
        }
        CaseChoice { cases }
    }
}

/// Judges one solution and shows samples, then groups, and the first difference.
pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let solution = checked_solution(&args.package, args.solution.as_deref())?;
    // Read first, because a mistyped path must not create a store.
    let decisions = Decisions::read(&args.program.decisions)?;
    args.input.as_deref().map_or(Ok(()), check_input)?;
    let place = locate_package(&args.package)?;
    let machine = args.machine.open_for(args.view.build_kind())?;
    args.fresh.apply(&machine);
    let choice = args.choice.choice();
    let thoroughness = if choice.is_empty() { args.judging.thoroughness() } else { Thoroughness::All };
    let limits = args.limits.limits(args.view.build_kind());
    let rules = TestRules { choice, limits, own: None };
    let request = SoloRequest {
        solution,
        participant: args.only.as_deref(),
        tests: &places_of_package(place.dir(), &rules),
        rules: CohortRules {
            table: &machine.table,
            preferred: &args.entries,
            decisions: &decisions,
            attempts: args.program.attempts,
        },
        view: &args.view,
        whole: rules.choice.is_empty(),
        bank: BankOfTests::OfPackage,
        input: args.input.as_deref(),
        pictures: args.pictures.as_deref(),
        session: &|engine| GradeSession { thoroughness, ..args.judging.session(engine) },
    };
    run_solution(&request, &machine, &mut |engine| {
        SolutionTests::of_package(load_package(place.dir(), engine)?, &rules)
    })
}

/// The solution, if both arguments are valid.
fn checked_solution<'a>(package: &Path, solution: Option<&'a Path>) -> Result<&'a Path> {
    let Some(solution) = solution else {
        if package.join("problem.yaml").exists() {
            bail!("no solution given; use `kopek run {} SOLUTION`", package.display());
        }
        bail!(
            "no package given; use `kopek run PACKAGE {0}`, or `kopek test {0}` for the samples of this folder",
            package.display()
        );
    };
    check_order("run", package, solution)?;
    match solution.symlink_metadata() {
        Ok(_) => Ok(solution),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(missing_path("read the solution", solution))
        }
        Err(error) => Err(error).with_context(|| format!("read {}", solution.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn wrong_arguments_have_an_error_with_what_is_meant() {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name);
        fs::create_dir(path("sums")).unwrap();
        fs::write(path("sums/problem.yaml"), "").unwrap();
        fs::write(path("wrong.py"), "").unwrap();
        for (package, solution, message) in [
            ("wrong.py", Some("sums"), "did you mean `kopek run HOME/sums HOME/wrong.py`?"),
            (
                "sumz",
                Some("wrong.py"),
                "read package HOME/sumz: no such file or directory; did you mean `HOME/sums`?",
            ),
            ("sums", Some("wrong.cpp"), "did you mean `HOME/wrong.py`?"),
            ("sums", None, "no solution given; use `kopek run HOME/sums SOLUTION`"),
            ("wrong.py", None, "no package given"),
        ] {
            let (package, solution) = (path(package), solution.map(path));
            let checked = checked_solution(&package, solution.as_deref());
            let error = checked.and_then(|_| locate_package(&package)).err().unwrap();
            let error = format!("{error:#}").replace(&home.path().display().to_string(), "HOME");
            assert!(error.contains(message), "{error}");
        }
    }
}
