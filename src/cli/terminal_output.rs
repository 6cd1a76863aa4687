//! Output of commands: text and JSON on standard output, picture files.

use crate::{
    base::{
        files::write_atomic,
        wording::{counted, without_control_characters, wrap_text},
    },
    grade::CasePictures,
    render::{Colour, Document, Page, try_json_text},
};
use anyhow::{Context, Result};
use base64::{Engine, prelude::BASE64_STANDARD};
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// Output formats of commands without CSV.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum OutputFormat {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ColourChoice {
    Auto,
    Always,
    Never,
}

/// The requested colours, if any.
static COLOURS: OnceLock<Colour> = OnceLock::new();

/// Sets the colours of this process.
pub(super) fn set_colours(choice: ColourChoice) {
    let colour = match choice {
        ColourChoice::Auto => return,
        ColourChoice::Always => Colour::Coloured,
        ColourChoice::Never => Colour::Plain,
    };
    // Set once, before any output.
    let _ = COLOURS.set(colour);
    console::set_colors_enabled_stderr(colour == Colour::Coloured);
}

/// The terminal's width and colours; 80 plain columns if standard output is not a terminal.
pub(super) fn terminal_page() -> Page {
    let term = console::Term::stdout();
    let is_term = term.is_term();
    let width = if is_term { term.size().1.into() } else { Page::default().width };
    let usual = if is_term && console::colors_enabled() { Colour::Coloured } else { Colour::Plain };
    Page { width, colour: COLOURS.get().copied().unwrap_or(usual), ..Page::default() }
}

/// Prints to standard output. A closed pipe is an error without a message.
pub(super) fn print_text(text: &str) -> Result<()> {
    // Not `print!`, which panics on a closed pipe. Flushed, so that a full disk is also an error.
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("write to standard output")
}

/// Prints a document to standard output, as wide as the terminal.
pub(super) fn print_document(document: &Document) -> Result<()> {
    print_text(&document.to_text(terminal_page()))
}

/// Like [`print_aside`], with a line end, and with word wrap on a terminal.
macro_rules! print_message {
    ($($part:tt)*) => { $crate::cli::terminal_output::print_wrapped(&format!($($part)*)) };
}
pub(super) use print_message;

/// Prints to standard error, with word wrap on a terminal. Messages name files of others.
pub(super) fn print_wrapped(text: &str) {
    let text = without_control_characters(text);
    let term = console::Term::stderr();
    let text = if term.is_term() { wrapped_lines(&text, term.size().1.into()) } else { text };
    print_aside(&(text + "\n"));
}

/// Prints to standard error. Unlike `eprint!` it does not panic if nothing can be written there, such as to a
/// log on a full disk: results and the exit code still count, and there is no other place for the error.
pub(super) fn print_aside(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Wraps long lines with a small indent; keeps the others unchanged.
fn wrapped_lines(text: &str, width: usize) -> String {
    let wrap = |line: &str| {
        if console::measure_text_width(line) <= width {
            return line.to_owned();
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        wrap_text(line, &" ".repeat(indent), indent + 2, width).join("\n")
    };
    text.lines().map(wrap).collect::<Vec<_>>().join("\n")
}

/// Prints a value as JSON for programs.
pub(super) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print_text(&try_json_text(value)?)
}

/// Writes pictures below a directory, and prints a message.
pub(super) fn write_pictures(dir: &Path, pictures: &[(PathBuf, Vec<u8>)]) -> Result<()> {
    for (path, bytes) in pictures {
        let file = dir.join(path);
        if path.extension().is_some_and(|ending| ending == "svg") {
            write_atomic(&file, inert_svg(bytes).as_bytes())?;
        } else {
            write_atomic(&file, bytes)?;
        }
    }
    print_message!("wrote {} to {}", counted(pictures.len(), "picture"), dir.display());
    Ok(())
}

/// An SVG that shows another one as an image. A browser runs scripts of an SVG that it opens, and loads what that
/// names; of an image it does neither. A visualizer may draw what a submission printed.
fn inert_svg(svg: &[u8]) -> String {
    let image = BASE64_STANDARD.encode(svg);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><image width=\"100%\" height=\"100%\" \
         href=\"data:image/svg+xml;base64,{image}\"/></svg>\n"
    )
}

/// Like [`write_pictures`], with a warning for a failed visualizer.
pub(super) fn write_case_pictures(dir: &Path, drawn: &CasePictures) -> Result<()> {
    drawn.problems.iter().for_each(|problem| print_message!("{problem}"));
    write_pictures(dir, &drawn.pictures)
}

/// Prints the output of a program: unchanged to a file or pipe, without control characters to a terminal.
pub(super) fn print_output(bytes: &[u8]) -> Result<()> {
    if console::Term::stdout().is_term() {
        return print_text(&crate::render::visible_text(&String::from_utf8_lossy(bytes)));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_lines_are_wrapped() {
        let text = "error: read the solution\n  of somebody  who\n      3 |   x = 1;";
        assert_eq!(
            wrapped_lines(text, 20),
            "error: read the\n  solution\n  of somebody  who\n      3 |   x = 1;"
        );
        assert_eq!(wrapped_lines("", 20), "");
    }
}
