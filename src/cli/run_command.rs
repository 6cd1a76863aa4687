//! `kopek run`: judges one solution and shows its failures.

use super::{
    exit_status::ExitStatus,
    foreign_folders::ForeignFolders,
    hand_in_options::EntryOptions,
    judging::JudgingOptions,
    limit_options::LimitOptions,
    machine_options::{BuildKind, MachineOptions},
    named_packages::{LoadedPackage, load_package, locate_package},
    own_tests::{ChoiceOfBoth, OwnTests, about_package, choose_of_both},
    path_hints::missing_path,
    run_view::RunViewOptions,
    solo_run::judge_solution,
    timing_option::TimingOption,
    watch_loop::SoloRequest,
};
use crate::{
    exec::Engine,
    grade::{CaseChoice, GradeSession, Thoroughness, part_of},
    results::Noticed,
};
use anyhow::{Context, Result, bail};
use clap::Parser;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

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
          conflicts_with_all = ["case", "group", "samples", "again", "cases", "format", "watch", "save", "pictures"])]
    input: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Rules")]
    limits: LimitOptions,
    #[command(flatten, next_help_heading = "Rules")]
    judging: JudgingOptions,
    #[command(flatten, next_help_heading = "Rules")]
    entries: EntryOptions,
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
    /// Tests next to the solution, if another command found them.
    #[arg(skip)]
    own: Option<OwnTests>,
}

/// Options for choosing cases.
#[derive(clap::Args)]
struct ChoiceOptions {
    /// Run only this case; repeatable: `secret/2/*`
    #[arg(long, value_name = "NAME")]
    case: Vec<String>,
    /// Run only this group; repeatable
    #[arg(long, value_name = "GROUP")]
    group: Vec<String>,
    /// Run only the samples
    #[arg(long)]
    samples: bool,
}

impl ChoiceOptions {
    fn choice(&self) -> CaseChoice {
        let mut groups = self.group.clone();
        if self.samples {
            groups.push("sample".to_owned());
        }
        CaseChoice { cases: self.case.clone(), groups }
    }
}

/// A solution found by another command, with its package if it has one.
pub(super) struct FoundRun {
    pub(super) package: PathBuf,
    pub(super) solution: PathBuf,
    pub(super) cases: Vec<String>,
    pub(super) view: RunViewOptions,
    pub(super) limits: LimitOptions,
    pub(super) timing: TimingOption,
    pub(super) machine: MachineOptions,
    /// `None` for only the tests of the package.
    pub(super) own: Option<OwnTests>,
}

/// The defaults of all options.
#[derive(clap::Parser)]
struct UsualRun {
    #[command(flatten)]
    args: Args,
}

/// Judges a solution that another command passes on.
pub(super) fn run_found(found: FoundRun) -> Result<ExitStatus> {
    let FoundRun { package, solution, cases, view, limits, timing, machine, own } = found;
    let words = ["run".as_ref(), "--".as_ref(), package.as_os_str(), solution.as_os_str()];
    let mut args = UsualRun::try_parse_from(words).context("judge with the package")?.args;
    args.choice.case = cases;
    args.view = view;
    args.limits = limits;
    args.machine = machine;
    args.judging.timing = timing;
    args.own = own;
    run(args)
}

/// Judges one solution and shows samples, then groups, and the first difference.
pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let solution = checked_solution(&args.package, args.solution.as_deref())?;
    args.judging.limits.check_alone(&[
        (args.limits.time_limit.is_some(), "--time-limit"),
        (args.view.build_kind() == BuildKind::Debugging, "--debug"),
        (args.view.watch, "--watch"),
    ])?;
    // Read first, because a mistyped path must not create a store.
    let decisions = args.entries.read_decisions()?;
    if let Some(input) = args.input.as_deref().filter(|input| *input != Path::new("-") && !input.is_file()) {
        return Err(missing_path("read the input", input));
    }
    let place = locate_package(&args.package)?;
    let foreign = match args.only {
        Some(_) => ForeignFolders::of_class(solution),
        None => ForeignFolders::of_solutions([solution], Some(&args.package)),
    };
    let machine = args.machine.open_for(args.view.build_kind(), &foreign)?;
    let dir = place.dir();
    let mut tests = vec![dir.join("problem.yaml"), dir.join("data")];
    if let Some(own) = &args.own {
        tests.extend(own.dirs.iter().cloned());
    }
    let request = SoloRequest {
        solution,
        participant: args.only.as_deref(),
        tests: &tests,
        rules: args.entries.rules(&machine.table, &decisions),
        view: &args.view,
        whole: args.choice.choice().is_empty(),
        input: args.input.as_deref(),
        pictures: args.pictures.as_deref(),
        session: &|engine| GradeSession { thoroughness: args.thoroughness(), ..args.judging.session(engine) },
    };
    judge_solution(&request, &machine, &mut |engine| args.load(dir, engine))
}

impl Args {
    /// Loads the package with the requested limits and cases.
    fn load(&self, dir: &Path, engine: &Engine) -> Result<Noticed<LoadedPackage>> {
        let Noticed { value: mut loaded, mut notices } = load_package(dir, engine)?;
        self.judging.limits.apply(&self.judging.session(*engine), &mut loaded)?;
        self.limits.apply(&mut loaded.package);
        let limits = &mut loaded.package.limits;
        limits.time = self.view.time_limit(self.limits.time_limit, limits.time);
        let own = match &self.own {
            Some(own) => own.load(&loaded)?.note_in(&mut notices),
            None => None,
        };
        match (self.choice.choice(), own) {
            (choice, own) if choice.is_empty() => loaded.own = own.map(Box::new),
            (choice, None) => choose_cases(&mut loaded, &choice)?,
            (choice, Some(own)) => choose_with_own(&mut loaded, own, &choice)?,
        }
        if self.own.is_some() {
            loaded.about = Some(about_package(&loaded, self.view.limits_origin(&self.limits)));
        }
        Ok(Noticed { value: loaded, notices })
    }

    /// Cases chosen by name all run.
    fn thoroughness(&self) -> Thoroughness {
        if self.choice.choice().is_empty() { self.judging.thoroughness() } else { Thoroughness::All }
    }
}

/// Keeps only the chosen cases, without points.
fn choose_cases(loaded: &mut LoadedPackage, choice: &CaseChoice) -> Result<()> {
    loaded.tests = choice.choose(&loaded.tests)?;
    if loaded.tests.cases.is_empty() {
        bail!("{}: no case was chosen", loaded.package.name);
    }
    loaded.package.kind.scoring = false;
    Ok(())
}

/// Like [`choose_cases`], with the user's own tests.
fn choose_with_own(loaded: &mut LoadedPackage, mut own: LoadedPackage, choice: &CaseChoice) -> Result<()> {
    let ChoiceOfBoth { of_package, of_own } = choose_of_both(choice, &loaded.tests, &own.tests)?;
    if of_own.is_empty() {
        return choose_cases(loaded, &of_package);
    }
    own.tests = of_own.choose(&own.tests)?;
    if of_package.is_empty() {
        // No case of the package runs.
        loaded.tests = part_of(&loaded.tests, &BTreeSet::new());
        loaded.package.kind.scoring = false;
    } else {
        choose_cases(loaded, &of_package)?;
    }
    loaded.own = Some(Box::new(own));
    Ok(())
}

/// The solution, if both arguments are valid.
fn checked_solution<'a>(package: &Path, solution: Option<&'a Path>) -> Result<&'a Path> {
    let Some(solution) = solution else {
        if is_package(package) {
            bail!("no solution given; use `kopek run {} SOLUTION`", package.display());
        }
        bail!(
            "no package given; use `kopek run PACKAGE {0}`, or `kopek test {0}` for the samples of this folder",
            package.display()
        );
    };
    if !is_package(package) && is_package(solution) {
        bail!(
            "{0} is not a problem package, but {1} is; did you mean `kopek run {1} {0}`?",
            package.display(),
            solution.display()
        );
    }
    match solution.symlink_metadata() {
        Ok(_) => Ok(solution),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(missing_path("read the solution", solution))
        }
        Err(error) => Err(error).with_context(|| format!("read {}", solution.display())),
    }
}

fn is_package(path: &Path) -> bool {
    path.join("problem.yaml").exists()
}
