//! `kopek test`: runs a solution on the samples in a folder, without a package.

use super::{
    exit_status::ExitStatus,
    limit_options::LimitOptions,
    loose_judging::{LooseJudgingOptions, adapt_checker},
    machine_options::{FreshOption, MachineOptions},
    named_packages::load_package,
    run_view::{RunViewOptions, about_package, limits_of},
    solo_request::{BankOfTests, SoloRequest, places_of_package},
    solo_run::run_solution,
    terminal_output::print_message,
    timing_option::TimingOption,
};
use crate::{
    base::{ScratchDir, wording::counted},
    class::CohortRules,
    exec::Engine,
    grade::{CaseChoice, GradeSession, Thoroughness},
    loading::{locate_package, package_around},
    machine::Machine,
    package::missing_path,
    solution::{SamplePlace, SampleRules, SolutionLimits, SolutionTests, TestRules, load_samples},
};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
Cases are pairs of files such as 1.in and 1.out, beside the solution or in tests/, samples/ or similar. \
In a package, its cases are run, too.\n\n\
Exit codes: 0 accepted; 1 not accepted; 2 error; 3 some runs were not judged; 130 interrupted.")]
pub(super) struct Args {
    /// Solution: file or directory
    solution: PathBuf,
    /// Samples: directory or zip [default: the solution's directory]
    dir: Option<PathBuf>,
    /// Run only this case; repeatable: `1*`
    #[arg(help_heading = "Which cases", long, value_name = "NAME")]
    case: Vec<String>,
    #[command(flatten, next_help_heading = "Rules")]
    judging: LooseJudgingOptions,
    #[command(flatten, next_help_heading = "Rules")]
    limits: LimitOptions,
    #[command(flatten, next_help_heading = "Rules")]
    timing: TimingOption,
    #[command(flatten, next_help_heading = "Output")]
    view: RunViewOptions,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
    #[command(flatten, next_help_heading = "Machine")]
    fresh: FreshOption,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    // Checked first, because a mistyped path must not create a store.
    if args.solution.symlink_metadata().is_err() {
        return Err(missing_path("read the solution", &args.solution));
    }
    let place = SamplePlace::find(&args.solution, args.dir.as_deref())?;
    if let Some(package) = args.package()? {
        return judge_in_package(&package, &args, &place);
    }
    let aside = ScratchDir::new().context("make a directory for the judge")?;
    let rules = args.sample_rules();
    // Also before opening the store: a folder without samples needs none.
    load_samples(&place, &rules, aside.path())?;
    let machine = args.machine.open_for(args.view.build_kind())?;
    args.fresh.apply(&machine);
    let request = SoloRequest {
        tests: &[place.dir().to_owned()],
        session: &|engine| args.session(engine),
        ..args.solo_request(&machine)
    };
    run_solution(&request, &machine, &mut |_| {
        let mut samples = load_samples(&place, &rules, aside.path())?;
        samples.value.about = Some(args.about(&place, &samples.value));
        Ok(samples)
    })
}

fn judge_in_package(package: &Path, args: &Args, place: &SamplePlace) -> Result<ExitStatus> {
    let rules = TestRules { choice: args.choice(), limits: args.limits(), own: Some(place.own_tests()?) };
    if !args.judging.is_usual() {
        bail!(
            "{} is a problem package with its own judge; remove that option, or name a directory of samples",
            package.display()
        );
    }
    print_message!("judging with the package {}, as `kopek run` does", package.display());
    let located = locate_package(package)?;
    let machine = args.machine.open_for(args.view.build_kind())?;
    args.fresh.apply(&machine);
    let thoroughness = if rules.choice.is_empty() { Thoroughness::Needed } else { Thoroughness::All };
    let request = SoloRequest {
        tests: &places_of_package(located.dir(), &rules),
        whole: rules.choice.is_empty(),
        bank: BankOfTests::OfPackage,
        session: &|engine| GradeSession { thoroughness, ..args.session(engine) },
        ..args.solo_request(&machine)
    };
    run_solution(&request, &machine, &mut |engine| {
        let mut tests = SolutionTests::of_package(load_package(located.dir(), engine)?, &rules)?;
        tests.value.about = Some(about_package(&tests.value, rules.limits));
        Ok(tests)
    })
}

impl Args {
    /// The package of the solution: the given directory of samples if that is a package; without one, the nearest
    /// package around the solution, else around the current directory.
    fn package(&self) -> Result<Option<PathBuf>> {
        let is_package = |dir: &&Path| dir.join("problem.yaml").is_file();
        match self.dir.as_deref() {
            Some(dir) => Ok(Some(dir).filter(is_package).map(Path::to_owned)),
            None => self.package_around(),
        }
    }

    fn package_around(&self) -> Result<Option<PathBuf>> {
        package_around(&self.solution, &std::env::current_dir().context("find out where we are")?)
    }

    fn choice(&self) -> CaseChoice {
        CaseChoice { cases: self.case.clone() }
    }

    fn limits(&self) -> SolutionLimits {
        self.limits.limits(self.view.build_kind())
    }

    fn sample_rules(&self) -> SampleRules<'_> {
        SampleRules {
            checker: self.judging.checker.as_deref(),
            adapt: &adapt_checker,
            arguments: self.judging.arguments(),
            limits: self.limits(),
            choice: self.choice(),
        }
    }

    /// All samples run, because they are few.
    fn session<'a>(&self, engine: Engine<'a>) -> GradeSession<'a> {
        GradeSession {
            timing: self.timing.at_home().policy,
            ..GradeSession::usual(engine, Thoroughness::All)
        }
    }

    /// A run of the solution on all samples.
    fn solo_request<'a>(&'a self, machine: &'a Machine) -> SoloRequest<'a> {
        SoloRequest {
            participant: None,
            solution: &self.solution,
            tests: &[],
            rules: CohortRules::usual(&machine.table),
            view: &self.view,
            whole: true,
            bank: BankOfTests::None,
            input: None,
            pictures: None,
            session: &|engine| GradeSession::usual(engine, Thoroughness::All),
        }
    }

    /// A line about the tests and limits.
    fn about(&self, place: &SamplePlace, samples: &SolutionTests) -> String {
        let mut other = String::new();
        // The solution may be missing for a moment while an editor saves it.
        if let Ok(Some(dir)) = self.package_around() {
            let dir = dir.canonicalize().unwrap_or(dir);
            if let Some(name) = dir.file_name() {
                other = format!("; nothing of the package {}", name.to_string_lossy());
            }
        }
        let usual = if self.limits().are_usual() { "default limits" } else { "limits" };
        let SolutionTests { package, tests, .. } = samples;
        let cases = counted(tests.cases.len(), "case");
        format!("tests: {cases} in {}; {usual}: {}{other}", place.named.display(), limits_of(package))
    }
}
