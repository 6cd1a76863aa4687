//! `kopek stress`: finds small inputs on which programs fail.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    loose_judging::adapt_checker,
    machine_options::{FreshOption, MachineOptions},
    named_packages::load_with_warnings,
    progress_bars::{HuntProgress, JudgingProgress},
    terminal_output::{OutputFormat, print_aside, print_document, print_json, print_message},
    time_span::parse_time_span,
};
use crate::{
    base::{
        Bytes, ScratchDir,
        files::write_atomic,
        wording::{counted, shortened, span_text},
    },
    class::read_program,
    exec::{Engine, local_executor},
    form::{InputForm, NoForm},
    form_of_tests,
    grade::CaseChoice,
    hunt::{HuntingGround, StressRequest, ground_of_package},
    loading::LoadedPackage,
    package::{Participant, RECIPE_FILE},
    render,
    results::{Found, StressReport},
    slow::{SlowLimits, SlowStart, run_slow_campaign},
    solution::{SamplePlace, SampleRules, SolutionLimits, load_samples},
    stress::{
        self, CampaignLimits, HuntLimits, HuntUntil, LooseRequest, TestedExamples, ground_of_files,
        recipe_line, run_campaign, test_examples,
    },
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

#[derive(clap::Args)]
#[command(after_help = "\
With a package, kopek uses its cases, recipe and validators. In --gen, {seed} is a seed and {a..b} a number, \
tried from small to large.\n\n\
Without a package: kopek stress SOLUTION --brute RIGHT [--gen \"FILE ARGUMENTS\"]. Without --gen, inputs have the form \
of the samples beside the solution.\n\n\
Exit codes: 0 nothing found; 1 counterexample found; 2 error; 3 nothing new, or not everything, was tested; \
130 interrupted.")]
pub(super) struct Args {
    /// Problem package; or with --brute the first solution
    target: PathBuf,
    /// Solutions to test [default: examples that pass every test]
    submissions: Vec<PathBuf>,
    /// Generator command, replaces the recipe's: `random.py --n {1..10} {seed}`
    #[arg(long = "gen", value_name = "COMMAND")]
    commands: Vec<String>,
    /// Correct solution, however slow, to stress without a package
    #[arg(long, value_name = "FILE")]
    brute: Option<PathBuf>,
    /// Output validator [default: compare tokens]
    #[arg(long = "check", value_name = "FILE", requires = "brute")]
    checker: Option<PathBuf>,
    /// Input validator; needed to shrink inputs
    #[arg(long = "validator", value_name = "FILE", requires = "brute")]
    validators: Vec<PathBuf>,
    /// CPU time per run without a package
    #[arg(long, value_name = "TIME", value_parser = parse_time_span, default_value = "2s", requires = "brute")]
    time_limit: Duration,
    /// Time to hunt and shrink
    #[arg(long, value_name = "TIME", value_parser = parse_time_span, default_value = "30s")]
    time: Duration,
    /// Hunt for a counterexample to every submission, not only the first
    #[arg(long)]
    all: bool,
    /// Find inputs on which the submissions are too slow, in --time of CPU time each
    #[arg(long, conflicts_with_all = ["brute", "commands"])]
    slow: bool,
    /// Write inputs, and answers if short, into DIR; show their lines for the recipe
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
    #[command(flatten, next_help_heading = "Machine")]
    fresh: FreshOption,
}

/// Memory limit of a run without a package.
const MEMORY: Bytes = Bytes::mib(1024);

/// A fixed seed, so that the same command tries the same inputs.
const SEED: u64 = 1;

/// What to hunt on.
enum HuntOn {
    /// Files without a package.
    Files(LooseRequest),
    /// The package, and the solutions that were named.
    Package(Vec<Participant>),
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    // Read first, because a mistyped path must not create a store.
    let goal = args.goal()?;
    let machine = args.machine.open_with_warning()?;
    args.fresh.apply(&machine);
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let engine = Engine::new(&machine, &executor, &stop);
    let Some(report) = args.hunt(goal, &engine)? else {
        print_message!("nothing to try: the tests catch every wrong submission");
        return Ok(ExitStatus::Success);
    };
    args.show(&report)?;
    // A counterexample counts even if other runs failed.
    let faults = if report.findings.is_empty() { &report.faults[..] } else { &[] };
    let complete = if report.findings.is_empty() { ExitStatus::Success } else { ExitStatus::Negative };
    Ok(ExitStatus::of_judging(&stop, faults, complete))
}

/// What the options ask for.
impl Args {
    fn goal(&self) -> Result<HuntOn> {
        let files = read_all(&self.submissions)?;
        if let Some(brute) = &self.brute {
            return Ok(HuntOn::Files(self.loose_request(brute, &files)?));
        }
        ensure!(
            self.target.join("problem.yaml").exists(),
            "{}: no problem.yaml here; without a package, give --brute",
            self.target.display()
        );
        Ok(HuntOn::Package(files))
    }

    fn loose_request(&self, brute: &Path, more: &[Participant]) -> Result<LooseRequest> {
        for command in &self.commands {
            let file =
                stress::command_file(command).with_context(|| format!("--gen `{command}`: no such file"))?;
            read_file(&file)?;
        }
        let form =
            if self.commands.is_empty() { Ok(self.form_of_samples()?) } else { Err(NoForm::TooFew(0)) };
        Ok(LooseRequest {
            solutions: [vec![read_file(&self.target)?], more.to_vec()].concat(),
            brute: read_file(brute)?,
            commands: self.commands.clone(),
            form,
            checker: self.checker.as_deref().map(read_file).transpose()?,
            validators: read_all(&self.validators)?,
            time_limit: self.time_limit,
            memory: MEMORY,
        })
    }

    /// The form of the samples beside the solution.
    fn form_of_samples(&self) -> Result<Arc<InputForm>> {
        let aside = ScratchDir::new().context("make a directory for the samples")?;
        let place = SamplePlace::find(&self.target, None)?;
        let rules = SampleRules {
            checker: None,
            adapt: &adapt_checker,
            arguments: Vec::new(),
            limits: SolutionLimits::default(),
            choice: CaseChoice::default(),
        };
        let samples =
            load_samples(&place, &rules, aside.path()).context("read the form of inputs; or give --gen")?;
        match form_of_tests(&samples.value.tests) {
            Ok(form) => {
                print_message!("inputs have the form of the samples: {}", form.description());
                Ok(Arc::new(form))
            }
            Err(why) => bail!("{}: {why}; add samples, or give --gen", place.named.display()),
        }
    }
}

fn read_file(path: &Path) -> Result<Participant> {
    Ok(Participant::from(&read_program(path)?))
}

fn read_all(paths: &[PathBuf]) -> Result<Vec<Participant>> {
    paths.iter().map(|path| read_file(path)).collect()
}

/// The hunt.
impl Args {
    /// `None`: there is no solution to try.
    fn hunt(&self, goal: HuntOn, engine: &Engine) -> Result<Option<StressReport>> {
        let named = match goal {
            HuntOn::Package(named) => named,
            HuntOn::Files(request) => {
                let ground = ground_of_files(engine, &request, &|file| read_file(Path::new(file)))?;
                return self.campaign(engine, &ground).map(Some);
            }
        };
        let loaded = load_with_warnings(&self.target, engine)?;
        let files = if named.is_empty() { self.examples_to_try(engine, &loaded)? } else { named };
        if files.is_empty() {
            return Ok(None);
        }
        if self.slow {
            return self.slow_campaign(engine, &loaded, &files).map(Some);
        }
        let request = StressRequest { files, commands: self.commands.clone(), ..StressRequest::default() };
        let ground = ground_of_package(engine, &loaded.package, &loaded.tests, &request)?;
        self.campaign(engine, &ground).map(Some)
    }

    /// The examples that pass every test.
    fn examples_to_try(&self, engine: &Engine, loaded: &LoadedPackage) -> Result<Vec<Participant>> {
        let LoadedPackage { package, tests, .. } = loaded;
        let mut progress = JudgingProgress::new(&package.name);
        let examples = test_examples(engine, package, tests, &mut |event| progress.show_event(&event));
        progress.close();
        let TestedExamples { right, uncaught, caught, open } = examples?;
        for (names, why) in
            [(caught, "the tests catch them"), (open, "their result on the tests is undecided")]
        {
            if !names.is_empty() {
                let names = shortened(&names, 4, ", ");
                print_message!("not tried, because {why}: {names}; name a submission to try it");
            }
        }
        Ok([uncaught, right].concat())
    }

    fn campaign(&self, engine: &Engine, ground: &HuntingGround) -> Result<StressReport> {
        let mut hunt = HuntLimits { seed: SEED, time: self.time, until: HuntUntil::First };
        if self.all {
            hunt.time = self.time / 2;
            hunt.until = HuntUntil::All;
        }
        let limits = CampaignLimits { hunt, time: self.time };
        print_message!("hunting for up to {}; --time changes it", span_text(self.time));
        let mut progress = HuntProgress::new(&ground.title, ground.subjects.len());
        let report = run_campaign(engine, ground, limits, &mut |step| progress.show_step(&step));
        progress.close();
        report
    }

    fn slow_campaign(
        &self,
        engine: &Engine,
        loaded: &LoadedPackage,
        files: &[Participant],
    ) -> Result<StressReport> {
        let LoadedPackage { package, tests, .. } = loaded;
        let limits = SlowLimits { budget: self.time, seed: SEED, start: SlowStart::Largest };
        let time = span_text(self.time);
        print_message!("hunting for up to {time} of CPU time for each program; --time changes it");
        let mut progress = HuntProgress::new(&package.name, files.len());
        let report =
            run_slow_campaign(engine, package, tests, files, limits, &mut |step| progress.show_step(&step));
        progress.close();
        report
    }
}

/// What people and programs see.
impl Args {
    fn show(&self, report: &StressReport) -> Result<()> {
        match self.format {
            OutputFormat::Text => print_document(&render::stress_document(report))?,
            OutputFormat::Json => print_json(report)?,
        }
        let Some(dir) = &self.out else { return Ok(()) };
        write_examples(dir, report)?;
        if self.brute.is_none() {
            show_recipe_lines(report);
        }
        Ok(())
    }
}

fn write_examples(dir: &Path, report: &StressReport) -> Result<()> {
    for (number, finding) in report.findings.iter().enumerate() {
        let path = dir.join(example_name(number, report, finding) + ".in");
        write_atomic(&path, &finding.input)?;
        if let Some(answer) = finding.whole_answer() {
            write_atomic(&path.with_extension("ans"), answer.as_bytes())?;
        }
    }
    print_message!("wrote {} to {}", counted(report.findings.len(), "input"), dir.display());
    Ok(())
}

/// The name of a written input, without its extension.
fn example_name(number: usize, report: &StressReport, found: &Found) -> String {
    let name = report.program_of(found).map_or("package", |program| &program.name).replace(['/', '.'], "-");
    format!("{:02}-{name}", number + 1)
}

fn show_recipe_lines(report: &StressReport) {
    let numbered = report.findings.iter().enumerate();
    let lines: Vec<String> =
        numbered.filter_map(|(number, one)| recipe_line(&example_name(number, report, one), one)).collect();
    if !lines.is_empty() {
        print_message!("to add to a group of {RECIPE_FILE}:");
        // Not wrapped: they are pasted.
        print_aside(&(lines.join("\n") + "\n"));
    }
}
