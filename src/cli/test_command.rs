//! `kopek test`: runs a solution on the samples in a folder, without a package.

use super::{
    editor_tests::EditorProblem,
    exit_status::ExitStatus,
    foreign_folders::ForeignFolders,
    limit_options::{DEFAULT_MEMORY, DEFAULT_TIME, LimitOptions},
    loose_judge::{LooseJudge, LooseJudgeOptions},
    machine_options::MachineOptions,
    named_packages::load_package,
    run_view::{LimitsOrigin, RunViewOptions, limits_of},
    solo_request::{PackageTests, SoloRequest},
    solo_run::run_solution,
    terminal_output::print_message,
    timing_option::TimingOption,
};
use crate::{
    base::{ScratchDir, files::directory_of, wording::counted},
    class::CohortRules,
    exec::Engine,
    grade::{CaseChoice, GradeSession, Thoroughness},
    loading::{locate_package, unpack_aside},
    machine::Machine,
    package::{LooseCases, LooseProblem, NamedFiles, Package, find_loose_cases, loose_package, missing_path},
    results::{Noticed, Notices},
    solution::{OwnTests, SolutionTests, unanswered_warning},
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

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
    judge: LooseJudgeOptions,
    /// File that the solution reads instead of stdin
    #[arg(
        help_heading = "Rules",
        long,
        hide_short_help = true,
        value_name = "NAME",
        requires = "output_file"
    )]
    input_file: Option<String>,
    /// File that the solution writes instead of stdout
    #[arg(
        help_heading = "Rules",
        long,
        hide_short_help = true,
        value_name = "NAME",
        requires = "input_file"
    )]
    output_file: Option<String>,
    #[command(flatten, next_help_heading = "Rules")]
    limits: LimitOptions,
    #[command(flatten, next_help_heading = "Rules")]
    timing: TimingOption,
    #[command(flatten, next_help_heading = "Output")]
    view: RunViewOptions,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    // Checked first, because a mistyped path must not create a store.
    if args.solution.symlink_metadata().is_err() {
        return Err(missing_path("read the solution", &args.solution));
    }
    let place = SamplePlace::find(&args)?;
    if let Some(package) = package_for(&args)? {
        return judge_in_package(&package, &args, &place);
    }
    let aside = ScratchDir::new().context("make a directory for the judge")?;
    // The judge's programs may look for data where a package has it.
    fs::create_dir(aside.path().join("data")).context("make a directory for the judge")?;
    // Also before opening the store: a folder without samples needs none.
    load_samples(&args, &place, aside.path())?;
    let foreign = ForeignFolders::of_solutions([&*args.solution], None);
    let machine = args.machine.open_for(args.view.build_kind(), &foreign)?;
    let request = SoloRequest {
        tests: &[place.dir().to_owned()],
        session: &|engine| args.session(engine),
        ..args.solo_request(&machine)
    };
    run_solution(&request, &machine, &mut |_| load_samples(&args, &place, aside.path()))
}

/// The package of a solution: the given directory of samples if that is a package; without one, the nearest
/// package around the solution, else around the current directory.
fn package_for(args: &Args) -> Result<Option<PathBuf>> {
    match &args.dir {
        Some(dir) => Ok(Some(&**dir).filter(is_package).map(Path::to_owned)),
        None => package_around(args),
    }
}

fn is_package(dir: &&Path) -> bool {
    dir.join("problem.yaml").is_file()
}

fn package_around(args: &Args) -> Result<Option<PathBuf>> {
    let solution = args.solution.canonicalize().context("find the solution")?;
    let here = std::env::current_dir().context("find out where we are")?;
    let mut dirs = solution.ancestors().skip(1).chain(here.ancestors());
    // Relative to the current directory, as the user would write it.
    Ok(dirs.find(is_package).map(|dir| match here.strip_prefix(dir) {
        Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Ok(_) | Err(_) => dir.strip_prefix(&here).unwrap_or(dir).to_owned(),
    }))
}

fn judge_in_package(package: &PathBuf, args: &Args, place: &SamplePlace) -> Result<ExitStatus> {
    let own =
        OwnTests { dirs: if args.dir.is_none() { place.dirs()? } else { Vec::new() }, stem: args.stem() };
    if !args.judge.is_usual() || args.input_file.is_some() || args.output_file.is_some() {
        bail!(
            "{} is a problem package with its own judge; remove that option, or name a directory of samples",
            package.display()
        );
    }
    print_message!("judging with the package {}, as `kopek run` does", package.display());
    let located = locate_package(package)?;
    let foreign = ForeignFolders::of_solutions([&*args.solution], Some(package));
    let machine = args.machine.open_for(args.view.build_kind(), &foreign)?;
    let choice = CaseChoice { cases: args.case.clone(), groups: Vec::new() };
    let thoroughness = if choice.is_empty() { Thoroughness::Needed } else { Thoroughness::All };
    let tests =
        PackageTests { dir: located.dir(), choice, limits: &args.limits, view: &args.view, own: Some(own) };
    let request = SoloRequest {
        tests: &tests.places(),
        whole: tests.choice.is_empty(),
        session: &|engine| GradeSession { thoroughness, ..args.session(engine) },
        ..args.solo_request(&machine)
    };
    run_solution(&request, &machine, &mut |engine| tests.of_package(load_package(located.dir(), engine)?))
}

impl Args {
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
            input: None,
            pictures: None,
            session: &|engine| GradeSession::usual(engine, Thoroughness::All),
        }
    }
}

/// The place of the samples.
struct SamplePlace {
    /// The path to show to the user.
    named: PathBuf,
    unpacked: Option<ScratchDir>,
}

impl SamplePlace {
    fn find(args: &Args) -> Result<SamplePlace> {
        let named = match &args.dir {
            Some(dir) => dir.clone(),
            None => args.place_of_solution()?,
        };
        if !named.exists() {
            return Err(missing_path("read the samples", &named));
        }
        let unpacked = if named.is_dir() { None } else { Some(unpack_aside(&named)?) };
        Ok(SamplePlace { named, unpacked })
    }

    /// The directories to search: archives may have a wrapper directory.
    fn dirs(&self) -> Result<Vec<PathBuf>> {
        let Some(unpacked) = &self.unpacked else { return Ok(vec![self.named.clone()]) };
        let mut dirs = Vec::new();
        for entry in WalkDir::new(unpacked.path()).max_depth(4).sort_by_file_name() {
            let entry = entry.context("read the unpacked files")?;
            if entry.file_type().is_dir() {
                dirs.push(entry.into_path());
            }
        }
        Ok(dirs)
    }

    fn dir(&self) -> &Path {
        match &self.unpacked {
            Some(unpacked) => unpacked.path(),
            None => &self.named,
        }
    }

    fn name(&self) -> String {
        let Ok(whole) = self.named.canonicalize() else { return "samples".into() };
        let name = if whole.is_dir() { whole.file_name() } else { whole.file_stem() };
        name.unwrap_or("samples".as_ref()).to_string_lossy().into_owned()
    }
}

fn remedy(found: &LooseCases) -> String {
    match &found.unanswered[..] {
        [] => "a sample is an input and an answer, such as 1.in and 1.out; `kopek test SOLUTION DIR` names \
               another directory or a zip"
            .into(),
        [input, ..] => format!("{} has no answer beside it (.out or .ans)", input.display()),
    }
}

impl Args {
    /// The solution's name without extension.
    fn stem(&self) -> String {
        self.solution.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// A line about the tests and limits.
    fn about(
        &self,
        place: &SamplePlace,
        kept: Option<&EditorProblem>,
        package: &Package,
        cases: usize,
    ) -> String {
        // The solution may be missing for a moment while an editor saves it.
        let mut other = String::new();
        if let Ok(Some(dir)) = package_around(self) {
            let dir = dir.canonicalize().unwrap_or(dir);
            if let Some(name) = dir.file_name() {
                other = format!("; nothing of the package {}", name.to_string_lossy());
            }
        }
        let usual = match self.view.limits_origin(&self.limits) {
            LimitsOrigin::Package if kept.is_some() => "its limits",
            LimitsOrigin::Package => "default limits",
            LimitsOrigin::CommandLine => "limits",
        };
        let cases = counted(cases, "case");
        let place = match kept {
            Some(problem) => &problem.file,
            None => &place.named,
        };
        format!("tests: {cases} in {}; {usual}: {}{other}", place.display(), limits_of(package))
    }
}

/// Directories for the program of an exercise, without its tests.
const SOURCE_FOLDERS: [&str; 6] = ["src", "source", "sol", "solution", "solutions", "code"];

impl Args {
    /// The directory of the solution, or the parent of a `src/` without tests.
    fn place_of_solution(&self) -> Result<PathBuf> {
        let beside = directory_of(&self.solution);
        let whole = beside.canonicalize().with_context(|| format!("read {}", beside.display()))?;
        let name = whole.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_source = SOURCE_FOLDERS.contains(&name.as_str());
        if !is_source || !find_loose_cases(&[beside.to_owned()], Some(&self.stem()))?.pairs.is_empty() {
            return Ok(beside.to_owned());
        }
        Ok(match beside.file_name() {
            Some(_) => directory_of(beside).to_owned(),
            None if beside == Path::new(".") => PathBuf::from(".."),
            None => beside.join(".."),
        })
    }

    /// The problem that a plug-in keeps for the solution, unless a directory is given.
    fn editor_problem(&self) -> Result<Option<EditorProblem>> {
        let found = if self.dir.is_none() { EditorProblem::find(&self.solution)? } else { None };
        if let Some(problem) = found.as_ref().filter(|problem| problem.interactive && !self.judge.talks()) {
            bail!("{}: the problem is interactive; give --interactor PROGRAM", problem.file.display());
        }
        Ok(found)
    }
}

/// Reads the current samples. Warns about those that do not run.
fn load_samples(args: &Args, place: &SamplePlace, aside: &Path) -> Result<Noticed<SolutionTests>> {
    let stem = args.stem();
    // With a given folder, every case counts, regardless of its name.
    let own = if args.dir.is_none() { Some(&*stem) } else { None };
    let kept = args.editor_problem()?;
    let cases = match &kept {
        Some(problem) => problem.write_tests(&aside.join("tests"))?,
        None => find_loose_cases(&place.dirs()?, own)?,
    };
    if cases.pairs.is_empty() {
        bail!("{}: no samples here; {}", place.named.display(), remedy(&cases));
    }
    let warnings = unanswered_warning(&cases).into_iter().collect();
    let LooseJudge { judge, interactive } = args.judge.judge(aside)?;
    let named_files = args.input_file.clone().zip(args.output_file.clone());
    if named_files.is_some() && interactive {
        bail!("--input-file cannot be combined with --interactor");
    }
    let own_time = kept.as_ref().and_then(|problem| problem.time_limit).unwrap_or(DEFAULT_TIME);
    let own_memory = kept.as_ref().and_then(|problem| problem.memory_limit);
    let problem = LooseProblem {
        name: place.name(),
        dir: aside.to_owned(),
        judge,
        interactive,
        judge_args: args.judge.arguments(),
        named_files: named_files.map(|(input, output)| NamedFiles { input, output }),
        time_limit: args.view.time_limit(args.limits.time_limit, Some(own_time)).unwrap_or(own_time),
        memory_limit: args.limits.memory_limit.or(own_memory).unwrap_or(DEFAULT_MEMORY),
    };
    let (package, mut tests) = loose_package(problem, &cases.pairs)?;
    let choice = CaseChoice { cases: args.case.clone(), groups: vec![] };
    if !choice.is_empty() {
        tests = choice.choose(&tests)?;
    }
    let about = args.about(place, kept.as_ref(), &package, tests.cases.len());
    let tests = SolutionTests { package, tests, about: Some(about) };
    Ok(Noticed { value: tests, notices: Notices { warnings, ..Notices::default() } })
}
