//! How results are shown: one file per format, each renders into a string.
//!
//! Decides nothing: what a submission is worth stands in its [`Scorecard`].
//! Reads no files and knows no terminal; who calls says how wide it is.

mod csv;
mod details;
mod feedback;
mod json;
mod remarks;
mod table;
mod text;
mod words;

pub use details::{Reader, details};
pub use feedback::files;

use crate::{base::Bytes, plan::Trial, points::Points, score::Scorecard};
use std::time::Duration;

/// What is shown: one package or several, one participant or many.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// In the order they are to be shown.
    pub packages: Vec<PackageReport>,
    /// The kind of isolation, in a few words.
    pub isolation: String,
    /// The machine, in a few words.
    pub machine: String,
    /// What the reader must know before believing anything below.
    pub warnings: Vec<String>,
    /// Where *we* failed: not everything was judged.
    pub faults: Vec<String>,
    /// Jobs done now.
    pub ran: usize,
    /// Jobs known from before.
    pub reused: usize,
    /// How long it took.
    pub elapsed: Duration,
}

/// Results of one package.
#[derive(Debug, Clone)]
pub struct PackageReport {
    /// Its short name.
    pub name: String,
    /// Its title; may be empty.
    pub title: String,
    /// Whether it gives points, or only a verdict.
    pub kind: Kind,
    /// The groups, in the order of every scorecard's groups.
    pub groups: Vec<GroupHead>,
    /// CPU time per case.
    pub time_limit: Duration,
    /// Memory per case.
    pub memory_limit: Bytes,
    /// One per participant.
    pub rows: Vec<RowReport>,
}

/// What a package gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Points.
    Scoring,
    /// A verdict only.
    PassFail,
}

/// A group's column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupHead {
    /// Path below `data/`.
    pub name: String,
    /// Greatest score; `None`: unbounded, or it gives none.
    pub max: Option<Points>,
}

/// A participant's result.
#[derive(Debug, Clone)]
pub struct RowReport {
    /// What it is worth.
    pub card: Scorecard,
    /// What was handed in, as named in the folder.
    pub submission: String,
    /// Language code, if one was found.
    pub language: Option<String>,
    /// What the driver has to say; the participant reads it, too: refused because …
    pub notes: Vec<String>,
    /// Who handed in the same program. Never told to participants.
    pub same_as: Option<String>,
    /// What the compiler said.
    pub compile_message: String,
    /// Cases with what is known of them, in judging order. May be left out where only tables are wanted;
    /// notes on repeated and unstable trials come from here.
    pub cases: Vec<CaseReport>,
}

/// A case and what is known of it.
#[derive(Debug, Clone)]
pub struct CaseReport {
    /// Path below `data/`: `secret/1/03`.
    pub name: String,
    /// The column it belongs to: a [`GroupHead::name`].
    pub group: String,
    /// What came of it; `None`: not run.
    pub trial: Option<Trial>,
    /// Whether participants may see everything of it.
    pub full_feedback: bool,
    /// A hint for participants.
    pub hint: Option<String>,
    /// The beginning of the input, if the driver read it.
    pub input: Option<String>,
    /// The beginning of the answer, if the driver read it.
    pub answer: Option<String>,
}

/// A way of showing a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// A table for people.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
}

/// Why a word is not a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a report format; there are {names}", names = Format::NAMES.join(", "))]
pub struct NotAFormat(pub String);

impl Format {
    /// Their names, in the order of the type.
    pub const NAMES: [&str; 3] = ["text", "json", "csv"];

    /// The format of a name.
    pub fn parse(name: &str) -> Result<Format, NotAFormat> {
        match name {
            "text" => Ok(Format::Text),
            "json" => Ok(Format::Json),
            "csv" => Ok(Format::Csv),
            _ => Err(NotAFormat(name.to_owned())),
        }
    }
}

/// What the text is shown on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// In columns.
    pub width: usize,
    /// Whether colours can be seen.
    pub colour: Colour,
}

/// Whether colours can be seen. Nothing is said by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// No escape sequences.
    Plain,
    /// Verdicts are coloured.
    Coloured,
}

impl Default for Page {
    /// A plain page of 80 columns.
    fn default() -> Page {
        Page { width: 80, colour: Colour::Plain }
    }
}

impl Page {
    /// A terminal may call itself narrower than any table can be.
    fn usable(self) -> Page {
        Page { width: self.width.max(40), ..self }
    }
}

/// Shows a report.
pub fn render(report: &Report, format: Format, page: Page) -> String {
    match format {
        Format::Text => text::render(report, page.usable()),
        Format::Json => json::render(report),
        Format::Csv => csv::render(report),
    }
}
