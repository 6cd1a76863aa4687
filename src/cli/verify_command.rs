//! `kopek verify`: checks the claims of packages.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::{BuildKind, FreshOption, MachineOptions},
    progress_bars::{CheckProgress, GenerationProgress, JudgingProgress},
    terminal_output::{print_document, print_json, print_message, print_text, write_pictures},
    timing_option::TimingOption,
};
use crate::{
    exec::{Engine, local_executor},
    grade::{GradeSession, Thoroughness},
    language::check_code,
    loading::find_packages,
    render,
    results::Verified,
    verify::{self, Gallery, VerificationStep, Wishes},
};
use anyhow::{Context, Result};
use std::{
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

#[derive(clap::Args)]
#[command(after_help = "\
Exit codes: 0 every claim holds (warnings do not count); 1 a claim is broken, or a package unsound; 2 error; \
3 some claims were not verified; 130 interrupted.")]
pub(super) struct Args {
    /// Packages, or folders of packages
    #[arg(required = true, value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// Show which cases fail each wrong submission
    #[arg(help_heading = "Checks", long)]
    strength: bool,
    /// Search inputs on which submissions are too slow, as `stress --slow` does
    #[arg(help_heading = "Checks", long)]
    slow: bool,
    /// Run accepted submissions with sanitizers on small cases
    #[arg(help_heading = "Checks", long)]
    sanitize: bool,
    /// Skip this language, by its code in `kopek languages`; repeatable
    #[arg(help_heading = "Checks", long, value_name = "ID")]
    exclude_language: Vec<String>,
    #[command(flatten, next_help_heading = "Checks")]
    timing: TimingOption,
    /// Output format
    #[arg(help_heading = "Output", long, value_enum, default_value_t = VerifyFormat::Text)]
    format: VerifyFormat,
    /// Draw every case into DIR [default: try one per group]
    #[arg(help_heading = "Output", long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
    #[command(flatten, next_help_heading = "Machine")]
    fresh: FreshOption,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum VerifyFormat {
    Text,
    Json,
    Junit,
    Github,
    Lines,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let found = find_packages(&args.packages)?;
    let machine = args.machine.open_with_warning()?;
    args.fresh.apply(&machine);
    args.exclude_language.iter().try_for_each(|code| check_code(&machine.table, code))?;
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let session = args.session(Engine::new(&machine, &executor, &stop));
    // Debug builds need their own table.
    let mut debugging = None;
    if args.sanitize {
        let options = args.machine.with_store(machine.store.dir());
        debugging = Some(options.open_for(BuildKind::Debugging)?);
    }
    let debug_executor = debugging.as_ref().map(local_executor);
    let sanitizing = debugging.as_ref().zip(debug_executor.as_ref());
    let sanitizing =
        sanitizing.map(|(machine, executor)| args.session(Engine::new(machine, executor, &stop)));
    let wishes = Wishes { sanitizing: sanitizing.as_ref(), ..args.wishes() };
    let mut all = Vec::new();
    for dir in &found {
        let verified = verify_package(dir, &session, wishes)?;
        if let Some(place) = &args.pictures {
            write_pictures(&place.join(&verified.name), &verified.pictures)?;
        }
        match args.format {
            VerifyFormat::Text => print_document(&render::verified_document(&verified))?,
            VerifyFormat::Github => print_text(&render::render_verified_github(dir, &verified))?,
            VerifyFormat::Lines => {
                print_text(&render::render_verified_lines(dir, &verified))?;
                verified.faults.iter().for_each(|fault| print_message!("fault: {fault}"));
            }
            // Printed at the end, as one document for all packages.
            VerifyFormat::Json | VerifyFormat::Junit => {}
        }
        all.push(verified);
        // Skips the other packages, but prints the results so far.
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    print_documents(args.format, &all)?;
    Ok(if stop.load(Ordering::Relaxed) { ExitStatus::Interrupted } else { exit_status(&all) })
}

/// Prints the formats with one document for all packages.
fn print_documents(format: VerifyFormat, all: &[Verified]) -> Result<()> {
    match format {
        VerifyFormat::Json => print_json(&all),
        VerifyFormat::Junit => print_text(&render::render_verified_junit(all)),
        VerifyFormat::Text | VerifyFormat::Github | VerifyFormat::Lines => Ok(()),
    }
}

impl Args {
    fn session<'a>(&self, engine: Engine<'a>) -> GradeSession<'a> {
        // The table of kills needs every submission to run on every case.
        let thoroughness = if self.strength { Thoroughness::All } else { Thoroughness::Sparing };
        GradeSession { timing: self.timing.policy, ..GradeSession::usual(engine, thoroughness) }
    }

    fn wishes(&self) -> Wishes<'_> {
        Wishes {
            strength: self.strength,
            slow: self.slow,
            gallery: if self.pictures.is_some() { Gallery::Whole } else { Gallery::Specimens },
            excluded: &self.exclude_language,
            sanitizing: None,
        }
    }
}

/// A broken claim comes before faults, because it is certain.
fn exit_status(all: &[Verified]) -> ExitStatus {
    let sound = all.iter().all(|verified| verified.sound);
    let complete = all.iter().all(|verified| verified.faults.is_empty());
    match (sound, complete) {
        (false, _) => ExitStatus::Negative,
        (true, false) => ExitStatus::Faults,
        (true, true) => ExitStatus::Success,
    }
}

fn verify_package(dir: &Path, session: &GradeSession, wishes: Wishes) -> Result<Verified> {
    let title = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut generation = GenerationProgress::hidden();
    let mut checks = CheckProgress::new(&title);
    let mut judging = JudgingProgress::new(&title);
    let verified = verify::verify(dir, session, wishes, &mut |step| match step {
        VerificationStep::Making(step) => generation.show_step(&step),
        VerificationStep::Begin { what, jobs } => {
            generation.close();
            checks.begin(what, jobs);
        }
        VerificationStep::Done => checks.advance(),
        VerificationStep::Judging(event) => {
            checks.close();
            judging.show_event(&event);
        }
    });
    generation.close();
    checks.close();
    judging.close();
    verified.with_context(|| format!("verify {}", dir.display()))
}
