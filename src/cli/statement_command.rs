//! `kopek statement`: a statement as a page for browsers.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::MachineOptions,
    named_packages::{load_package, locate_package},
    save_watcher::SaveWatcher,
    terminal_output::{print_message, print_text},
};
use crate::{
    base::files,
    exec::Engine,
    pack::statement_page,
    package::{self, NoCases, Package, TestSet},
    report::Report,
};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
Formulas and figures are inside of the page; it loads nothing. Samples are made where they are missing. \
Statements in TeX, and PDF, need a TeX.\n\n\
Exit codes: 0 the page is there; 2 the request cannot be done; 130 interrupted.")]
pub(super) struct Args {
    /// The package: a directory or a zip
    package: PathBuf,
    /// The page [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The language, as in problem.de.md [default: en, or what there is]
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Write the page anew on every save, until Ctrl-C; a browser that shows it follows
    #[arg(long, requires = "output")]
    watch: bool,
    #[command(flatten)]
    machine: MachineOptions,
}

/// Makes a browser load the page again every second.
const FOLLOW: &str = "<meta http-equiv=\"refresh\" content=\"1\">";

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let place = locate_package(&args.package)?;
    let machine = args.machine.open()?;
    let (stop, executor) = (stop_on_interrupt()?, machine.executor());
    let engine = Engine::new(&machine, &executor, &stop);
    if args.watch {
        return watch(&args, place.dir(), &engine);
    }
    let page = render(&args, place.dir(), &engine)?;
    match &args.output {
        None => print_text(&page)?,
        Some(file) => {
            write(file, &page)?;
            print_text(&format!("{}\n", file.display()))?;
        }
    }
    Ok(ExitStatus::Success)
}

fn render(args: &Args, dir: &Path, engine: &Engine) -> Result<String> {
    let (package, tests) = read_samples(dir, engine)?;
    statement_page(&package, &tests, args.language.as_deref())
}

/// A statement may be written before there are any cases.
fn read_samples(dir: &Path, engine: &Engine) -> Result<(Package, TestSet)> {
    let mut report = Report::default();
    match load_package(dir, engine, &mut report) {
        Ok(loaded) => Ok((loaded.package, loaded.tests)),
        Err(error) => {
            let none = error.downcast::<NoCases>()?;
            let package = package::read(dir)?.package.context("problem.yaml was changed meanwhile")?;
            Ok((package, *none.tests))
        }
    }
}

fn write(file: &Path, page: &str) -> Result<()> {
    files::write_atomic(file, page.as_bytes())
}

/// What cannot be shown is told, and tried again on the next save.
fn watch(args: &Args, dir: &Path, engine: &Engine) -> Result<ExitStatus> {
    let file = args.output.as_ref().context("--watch needs --output")?;
    let below = ["statement", "problem_statement", "problem.yaml", "generators", "data/sample"];
    let mut watcher = SaveWatcher::new(&below.map(|path| dir.join(path)))?;
    let mut last = None;
    loop {
        match render(args, dir, engine) {
            Ok(page) => {
                write(file, &page.replacen("<head>", &format!("<head>{FOLLOW}"), 1))?;
                print_message!("{}: written", file.display());
                last = Some(page);
            }
            Err(error) => print_message!("error: {error:#}"),
        }
        // Making the samples writes into the places that are watched.
        watcher.saved_now()?;
        if watcher.wait(|| engine.is_stopped())?.is_none() {
            break;
        }
    }
    // The page stays, and no browser needs to follow it any longer.
    if let Some(page) = last {
        write(file, &page)?;
    }
    Ok(ExitStatus::Interrupted)
}
