//! What commands put out: text and JSON on standard output, files of pictures.

use crate::{
    base::{files::write_atomic, wording::counted},
    grade::CasePictures,
    report::{Colour, Page},
};
use anyhow::{Context, Result};
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// What commands without a table for spreadsheets can print.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum OutputFormat {
    Text,
    Json,
}

/// When results are coloured.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ColourChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

/// What was asked for, if anything was.
static COLOURS: OnceLock<Colour> = OnceLock::new();

/// Colours for this whole process.
pub(super) fn set_colours(choice: ColourChoice) {
    let colour = match choice {
        ColourChoice::Auto => return,
        ColourChoice::Always => Colour::Coloured,
        ColourChoice::Never => Colour::Plain,
    };
    // Asked once, before anything is shown.
    let _ = COLOURS.set(colour);
    console::set_colors_enabled_stderr(colour == Colour::Coloured);
}

/// The terminal's width and colours; 80 plain columns where standard output is no terminal.
pub(super) fn terminal_page() -> Page {
    let term = console::Term::stdout();
    let (width, usual) = match term.is_term() {
        true if console::colors_enabled() => (term.size().1.into(), Colour::Coloured),
        true => (term.size().1.into(), Colour::Plain),
        false => (Page::default().width, Colour::Plain),
    };
    Page { width, colour: COLOURS.get().copied().unwrap_or(usual) }
}

/// Prints to standard output. A closed pipe is an error without a message.
pub(super) fn print_text(text: &str) -> Result<()> {
    // Not `print!`, which panics on a closed pipe; flushed, so that a full disk is an error, too.
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("write to standard output")
}

/// Prints a value as JSON for programs.
pub(super) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print_text(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// Writes pictures below a directory, and says so.
pub(super) fn write_pictures(dir: &Path, pictures: &[(PathBuf, Vec<u8>)]) -> Result<()> {
    for (path, bytes) in pictures {
        write_atomic(&dir.join(path), bytes)?;
    }
    eprintln!("wrote {} to {}", counted(pictures.len(), "picture"), dir.display());
    Ok(())
}

/// As [`write_pictures`]; a visualizer that failed is a warning.
pub(super) fn write_case_pictures(dir: &Path, drawn: &CasePictures) -> Result<()> {
    drawn.problems.iter().for_each(|problem| eprintln!("warning: {}: {}", problem.at, problem.what));
    write_pictures(dir, &drawn.pictures)
}

/// Prints what a program printed: every byte for a file or a pipe, nothing that moves the cursor for a terminal.
pub(super) fn print_output(bytes: &[u8]) -> Result<()> {
    if console::Term::stdout().is_term() {
        return print_text(&crate::report::visible_text(&String::from_utf8_lossy(bytes)));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}
