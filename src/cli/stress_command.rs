//! `kopek stress`: finds small inputs on which programs fail.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::MachineOptions,
    named_packages::load_with_warnings,
    progress_bars::{HuntProgress, JudgingProgress},
    terminal_output::{OutputFormat, print_document, print_json, print_message, print_text},
    time_span::parse_time_span,
};
use crate::{
    base::{
        Bytes,
        files::write_atomic,
        wording::{counted, shortened, span_text},
    },
    class::read_program,
    exec::{Engine, local_executor},
    generate::{AddedCase, LockUpdate},
    loading::LoadedPackage,
    package::Participant,
    render,
    results::StressReport,
    slow::{SlowLimits, SlowStart, run_slow_campaign},
    stress::{
        self, AddedExample, CampaignLimits, HuntLimits, HuntUntil, HuntingGround, KeepRequest, LooseRequest,
        StressRequest, TestedExamples, ground_of_files, ground_of_package, run_campaign, test_examples,
    },
};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

#[derive(clap::Args)]
#[command(after_help = "\
With a package, kopek uses its cases, recipe and validators. In --gen, {seed} is a seed and {a..b} a number, \
tried from small to large.\n\n\
Without a package: kopek stress SOLUTION --brute RIGHT --gen \"FILE ARGUMENTS\"\n\n\
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
    #[arg(long, value_name = "FILE", requires = "commands")]
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
    /// Random seed; the same seed tries the same inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Group of the new inputs, and of --keep [default: the last case's]
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,
    /// Add counterexamples to the recipe as cases of this name; implies --all
    #[arg(long, value_name = "NAME", requires = "group", conflicts_with = "brute")]
    keep: Option<String>,
    /// Write inputs, and answers if short, into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
}

/// Memory limit of a run without a package.
const MEMORY: Bytes = Bytes::mib(1024);

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    // Read first, because a mistyped path must not create a store.
    let files = args.submissions.iter().map(|path| read_file(path)).collect::<Result<Vec<_>>>()?;
    let loose = args.brute.as_ref().map(|brute| loose_request(&args, brute, &files)).transpose()?;
    if loose.is_none() && !args.target.join("problem.yaml").exists() {
        bail!("{}: no problem.yaml here; without a package, give --brute and --gen", args.target.display());
    }
    let machine = args.machine.open_with_warning()?;
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let engine = Engine::new(&machine, &executor, &stop);
    let (report, loaded) = match &loose {
        Some(request) => {
            let ground = ground_of_files(&engine, request, &|file| read_file(Path::new(file)))?;
            (campaign(&args, &engine, &ground)?, None)
        }
        None => {
            let loaded = load_with_warnings(&args.target, &engine)?;
            let files = if files.is_empty() { args.examples_to_try(&engine, &loaded)? } else { files };
            if files.is_empty() {
                let what = if args.keep.is_some() { "keep" } else { "try" };
                print_message!("nothing to {what}: the tests catch every wrong submission");
                return Ok(ExitStatus::Success);
            }
            let report = if args.slow {
                slow_campaign(&args, &engine, &loaded, &files)?
            } else {
                let (commands, group) = (args.commands.clone(), args.group.clone());
                let request = StressRequest { files, commands, group, only_times: false };
                let ground = ground_of_package(&engine, &loaded.package, &loaded.tests, &request)?;
                campaign(&args, &engine, &ground)?
            };
            (report, Some(loaded))
        }
    };
    if args.format == OutputFormat::Text {
        print_document(&render::stress_document(&report))?;
    }
    let kept = match (&args.keep, &loaded) {
        (Some(name), Some(loaded)) if !engine.is_stopped() => {
            keep_found(&args, name, loaded, &engine, &report)?
        }
        _ => Vec::new(),
    };
    match args.format {
        OutputFormat::Text => kept.iter().try_for_each(|one| print_text(&added_case_line(one)))?,
        OutputFormat::Json => {
            let mut json = serde_json::to_value(&report)?;
            json["kept"] = serde_json::to_value(&kept)?;
            print_json(&json)?;
        }
    }
    if let Some(dir) = &args.out {
        write_examples(dir, &report)?;
    }
    // A counterexample counts even if other runs failed.
    let faults = if report.findings.is_empty() { &report.faults[..] } else { &[] };
    let complete = if report.findings.is_empty() { ExitStatus::Success } else { ExitStatus::Negative };
    Ok(ExitStatus::of_judging(&stop, faults, complete))
}

impl Args {
    /// The examples that pass every test: for a new test, only those that should not.
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
        Ok(if self.keep.is_some() { uncaught } else { [uncaught, right].concat() })
    }
}

fn read_file(path: &Path) -> Result<Participant> {
    Ok(Participant::from(&read_program(path)?))
}

fn loose_request(args: &Args, brute: &Path, more: &[Participant]) -> Result<LooseRequest> {
    let read_all = |paths: &[PathBuf]| paths.iter().map(|path| read_file(path)).collect::<Result<Vec<_>>>();
    for command in &args.commands {
        let file =
            stress::command_file(command).with_context(|| format!("--gen `{command}`: no such file"))?;
        read_file(&file)?;
    }
    Ok(LooseRequest {
        solutions: [vec![read_file(&args.target)?], more.to_vec()].concat(),
        brute: read_file(brute)?,
        commands: args.commands.clone(),
        checker: args.checker.as_deref().map(read_file).transpose()?,
        validators: read_all(&args.validators)?,
        time_limit: args.time_limit,
        memory: MEMORY,
    })
}

fn campaign(args: &Args, engine: &Engine, ground: &HuntingGround) -> Result<StressReport> {
    let mut hunt = HuntLimits { seed: args.seed, time: args.time, until: HuntUntil::First };
    if args.all || args.keep.is_some() {
        hunt.time = args.time / 2;
        hunt.until = HuntUntil::All;
    }
    let limits = CampaignLimits { hunt, time: args.time };
    print_message!("hunting for up to {}; --time changes it", span_text(args.time));
    let mut progress = HuntProgress::new(&ground.title, ground.subjects.len());
    let report = run_campaign(engine, ground, limits, &mut |step| progress.show_step(&step));
    progress.close();
    report
}

fn slow_campaign(
    args: &Args,
    engine: &Engine,
    loaded: &LoadedPackage,
    files: &[Participant],
) -> Result<StressReport> {
    let LoadedPackage { package, tests, .. } = loaded;
    let limits = SlowLimits { budget: args.time, seed: args.seed, start: SlowStart::Largest };
    let time = span_text(args.time);
    print_message!("hunting for up to {time} of CPU time for each program; --time changes it");
    let mut progress = HuntProgress::new(&package.name, files.len());
    let report =
        run_slow_campaign(engine, package, tests, files, limits, &mut |step| progress.show_step(&step));
    progress.close();
    report
}

/// Adds the counterexamples to the recipe.
fn keep_found(
    args: &Args,
    name: &str,
    loaded: &LoadedPackage,
    engine: &Engine,
    report: &StressReport,
) -> Result<Vec<AddedExample>> {
    let group = args.group.clone().context("--keep needs a --group")?;
    let members: Vec<Participant> =
        args.submissions.iter().map(|path| read_file(path)).collect::<Result<_>>()?;
    // Without names, stress hunted only submissions that no test catches.
    let caught = if members.is_empty() {
        BTreeSet::new()
    } else {
        stress::caught_before(engine, &loaded.package, &loaded.tests, &members)?
    };
    let request = KeepRequest { name: name.to_owned(), group };
    let kept = stress::keep_examples(engine, &loaded.package, report, &request, caught)?;
    if kept.is_empty() {
        print_message!("nothing to keep: no new input was found");
    }
    Ok(kept)
}

fn added_case_line(one: &AddedExample) -> String {
    let AddedCase { case, added_lines, lock } = &one.kept;
    let caught = if one.newly_caught.is_empty() {
        "it fails no additional submission".to_owned()
    } else {
        format!("it also fails {}", one.newly_caught.join(", "))
    };
    let lock = match lock {
        LockUpdate::Updated => "the lock has it",
        LockUpdate::NoLock => "there is no lock",
        LockUpdate::DiffersElsewhere => {
            "the lock differs elsewhere, so it stays; see `kopek generate --check`"
        }
    };
    let lines = counted(*added_lines, "line");
    format!("kept data/{case}.in ({} bytes): {caught}; {lines} added to the recipe, {lock}\n", one.bytes)
}

fn write_examples(dir: &Path, report: &StressReport) -> Result<()> {
    for (number, finding) in report.findings.iter().enumerate() {
        let name = finding.name.as_deref().unwrap_or("package").replace(['/', '.'], "-");
        let path = dir.join(format!("{:02}-{name}.in", number + 1));
        write_atomic(&path, &finding.example.input)?;
        if let Some(answer) = finding.example.whole_answer() {
            write_atomic(&path.with_extension("ans"), answer.as_bytes())?;
        }
    }
    print_message!("wrote {} to {}", counted(report.findings.len(), "input"), dir.display());
    Ok(())
}
