//! Where results go: standard output, files, and the exit code.

use crate::{
    base::files::write_atomic,
    exec::{Workshop, machine},
    grade::Album,
    report::{self, Colour, Format, Page, Report},
};
use anyhow::Result;
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
};

/// How results are shown.
#[derive(clap::Args)]
pub struct Shown {
    /// How the results are printed
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::NAMES)]
    pub format: String,
    /// Also write the report in all formats, and feedback per participant, into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Everything was judged.
const JUDGED: u8 = 0;
/// Not everything was judged: some of it by our fault.
const FAULTS: u8 = 3;
/// Everything was judged, but not as a package declares.
const UNSOUND: u8 = 4;
/// Stopped by a signal.
const INTERRUPTED: u8 = 130;

/// An empty report that knows where it was made.
pub fn report(workshop: &Workshop) -> Report {
    Report {
        isolation: workshop.sandbox.mode(),
        machine: machine(),
        warnings: workshop.sandbox.warnings(),
        ..Report::default()
    }
}

impl Shown {
    /// Prints the report, writes the files, chooses the exit code.
    pub fn show(&self, report: &Report, unsound: usize, stop: &AtomicBool) -> Result<ExitCode> {
        let format = Format::parse(&self.format)?;
        print(&report::render(report, format, page()))?;
        if let Some(dir) = &self.out {
            for (path, text) in report::files(report) {
                write_atomic(&dir.join(path), text.as_bytes())?;
            }
            eprintln!("wrote the report to {}", dir.display());
        }
        Ok(ExitCode::from(code(report, unsound, stop)))
    }
}

fn code(report: &Report, unsound: usize, stop: &AtomicBool) -> u8 {
    match (stop.load(Ordering::Relaxed), report.faults.is_empty(), unsound) {
        (true, _, _) => INTERRUPTED,
        (false, false, _) => FAULTS,
        (false, true, 0) => JUDGED,
        (false, true, _) => UNSOUND,
    }
}

/// Writes pictures below a directory, and says so.
pub fn keep(dir: &Path, pictures: &[(PathBuf, Vec<u8>)]) -> Result<()> {
    for (path, bytes) in pictures {
        write_atomic(&dir.join(path), bytes)?;
    }
    let number = pictures.len();
    eprintln!("wrote {number} picture{} to {}", if number == 1 { "" } else { "s" }, dir.display());
    Ok(())
}

/// Writes an album below a directory; what is wrong with visualizers is told and changes nothing else.
pub fn keep_album(dir: &Path, album: &Album) -> Result<()> {
    album.troubles.iter().for_each(|trouble| eprintln!("warning: {}: {}", trouble.at, trouble.what));
    keep(dir, &album.pictures)
}

/// Data to standard output; a closed pipe is an error that `main` forgives.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The terminal's width and colours; 80 plain columns where it is none.
pub fn page() -> Page {
    let term = console::Term::stdout();
    if !term.is_term() {
        return Page::default();
    }
    let colour = if console::colors_enabled() { Colour::Coloured } else { Colour::Plain };
    Page { width: term.size().1.into(), colour }
}
