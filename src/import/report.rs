//! What came of an import, for people.

use super::{Imported, Kind, Loss};
use crate::package::Severity;
use std::fmt::Write;

/// The report, no line wider than this where words allow it.
pub fn text(imported: &Imported, width: usize) -> String {
    let mut text = String::new();
    let kind = match imported.kind {
        Kind::Polygon => "a Polygon package",
        Kind::Italian => "a task of the Italian format",
    };
    let target = imported.target.display();
    let _ = writeln!(text, "imported {kind} into {target}");
    let groups =
        if imported.groups == 0 { "no groups".to_owned() } else { counted(imported.groups, "group") };
    let (tests, solutions) = (counted(imported.tests, "test"), counted(imported.submissions, "solution"));
    let _ = writeln!(text, "  {tests}, {groups}, {solutions}");
    for (loss, title) in [(Loss::Lost, "lost"), (Loss::Changed, "changed")] {
        let mut points = imported.changes.iter().filter(|change| change.loss == loss).peekable();
        if points.peek().is_some() {
            let _ = writeln!(text, "\n{title}");
        }
        for change in points {
            wrapped(&format!("{}: {}", change.at, change.what), "  ", "    ", width, &mut text);
            wrapped(&format!("→ {}", change.instead), "    ", "      ", width, &mut text);
        }
    }
    if !imported.findings.is_empty() {
        let _ = writeln!(text, "\nodd about the result");
    }
    for finding in &imported.findings {
        let severity = if finding.severity == Severity::Error { "error" } else { "warning" };
        wrapped(
            &format!("{severity}: {}: {}", finding.file.display(), finding.what),
            "  ",
            "    ",
            width,
            &mut text,
        );
        if let Some(hint) = &finding.hint {
            wrapped(&format!("→ {hint}"), "    ", "      ", width, &mut text);
        }
    }
    if imported.generated {
        let _ = writeln!(text, "\ntests are made by generators/generators.yaml when they are first needed");
    }
    let _ = writeln!(text, "\nnext: kopek verify {target}");
    text
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn wrapped(said: &str, first: &str, rest: &str, width: usize, text: &mut String) {
    let (mut line, mut empty) = (first.to_owned(), true);
    for word in said.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            let _ = writeln!(text, "{line}");
            (line, empty) = (rest.to_owned(), true);
        }
        if !empty {
            line.push(' ');
        }
        line += word;
        empty = false;
    }
    let _ = writeln!(text, "{line}");
}
