//! `kopek statement`: renders a statement as HTML or PDF.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::MachineOptions,
    named_packages::load_package,
    terminal_output::{print_message, print_output, print_text},
};
use crate::{
    base::files,
    contest::{ContestProblem, is_contest, read_contest},
    exec::{Engine, local_executor},
    loading::{LoadedPackage, locate_package},
    pack::{FormulaForm, content_of_page},
    package::{self, NoCases},
    results::Noticed,
    typeset::{NotTypeset, statement_html, statement_pdf},
};
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
HTML of a statement in TeX needs pandoc. PDF needs TeX: in Debian texlive-latex-recommended, lmodern, \
and librsvg2-bin for SVG figures.\n\n\
Exit codes: 0 written; 2 error, also in the statement; 3 kopek failed, or a tool is missing; 130 interrupted.")]
pub(super) struct Args {
    /// Problem package, directory or zip; a contest makes a booklet
    package: PathBuf,
    /// Output file [default: stdout]; its ending may be left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format [default: by the name of the output, else html]
    #[arg(long, value_name = "FORMAT")]
    format: Option<StatementFormat>,
    /// Language, as in problem.de.md [default: en, else the first]
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum StatementFormat {
    Html,
    Pdf,
}

impl Args {
    fn chosen_format(&self) -> StatementFormat {
        let ending = self.output.as_ref().and_then(|file| file.extension());
        let is_pdf = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"));
        self.format.unwrap_or(if is_pdf { StatementFormat::Pdf } else { StatementFormat::Html })
    }

    fn output_with_ending(&self) -> Option<PathBuf> {
        let ending = match self.chosen_format() {
            StatementFormat::Html => "html",
            StatementFormat::Pdf => "pdf",
        };
        let file = self.output.as_ref()?;
        Some(if file.extension().is_none() { file.with_extension(ending) } else { file.clone() })
    }
}

pub(super) fn run(mut args: Args) -> Result<ExitStatus> {
    args.output = args.output_with_ending();
    if args.chosen_format() == StatementFormat::Pdf
        && args.output.is_none()
        && console::Term::stdout().is_term()
    {
        bail!("cannot print a PDF to a terminal; add --output FILE.pdf");
    }
    let contest = if is_contest(&args.package) { Some(read_contest(&args.package)?) } else { None };
    let place = if contest.is_some() { None } else { Some(locate_package(&args.package)?) };
    let machine = args.machine.open()?;
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let engine = Engine::new(&machine, &executor, &stop);
    let made = match (&contest, &place) {
        (None, Some(place)) => render(&args, place.dir(), &engine),
        (contest, _) => booklet(&args, contest.as_ref().map_or(&[], |contest| &contest.problems), &engine),
    };
    let made = match made {
        Ok(made) => made,
        Err(error) => return end_without(error),
    };
    match &args.output {
        None => print_output(&made)?,
        Some(file) => {
            files::write_atomic(file, &made)?;
            print_text(&format!("{}\n", file.display()))?;
        }
    }
    Ok(ExitStatus::Success)
}

/// Distinguishes missing tools and faults from an invalid request.
fn end_without(error: anyhow::Error) -> Result<ExitStatus> {
    let status = match error.downcast_ref::<NotTypeset>() {
        Some(NotTypeset::NoTex(_) | NotTypeset::NoPandoc(_) | NotTypeset::Fault(_)) => ExitStatus::Faults,
        Some(NotTypeset::Interrupted) => ExitStatus::Interrupted,
        Some(NotTypeset::Statement(_)) | None => return Err(error),
    };
    print_message!("error: {error:#}");
    Ok(status)
}

fn render(args: &Args, dir: &Path, engine: &Engine) -> Result<Vec<u8>> {
    let LoadedPackage { package, tests, .. } = read_samples(dir, engine)?;
    let language = args.language.as_deref();
    let made = match args.chosen_format() {
        StatementFormat::Html => statement_html(engine, &package, &tests, language, FormulaForm::MathMl)?,
        StatementFormat::Pdf => statement_pdf(engine, &package, &tests, language)?,
    };
    made.remarks.iter().for_each(|remark| print_message!("{remark}"));
    Ok(made.bytes)
}

/// The statements of a contest in its order, each with its label and on a new page.
fn booklet(args: &Args, problems: &[ContestProblem], engine: &Engine) -> Result<Vec<u8>> {
    ensure!(
        args.chosen_format() == StatementFormat::Html,
        "a booklet is a page: choose --format html, and print it as PDF from a browser"
    );
    let mut text = String::new();
    for ContestProblem { label, id, dir, .. } in problems {
        let page = String::from_utf8(render(args, dir, engine).with_context(|| id.clone())?)?;
        if text.is_empty() {
            let (head, _) = page.split_once("<main>").context("a page has content")?;
            text = format!("{head}<main>\n");
        }
        let body = content_of_page(&page).replacen("<h1>", &format!("<h1>{label}. "), 1);
        text += &format!("<section style=\"break-after: page\">{body}</section>\n");
    }
    Ok((text + "</main>\n</body>\n</html>\n").into_bytes())
}

/// Reads the package and its samples; a statement needs no cases yet.
fn read_samples(dir: &Path, engine: &Engine) -> Result<LoadedPackage> {
    match load_package(dir, engine) {
        Ok(Noticed { value: loaded, .. }) => Ok(loaded),
        Err(error) => {
            let none = error.downcast::<NoCases>()?;
            let package = package::read(dir)?.package.context("problem.yaml changed while it was read")?;
            Ok(LoadedPackage::new(package, *none.tests))
        }
    }
}
