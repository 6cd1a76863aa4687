//! The report of an import, for people.

use super::{
    changes::Loss,
    imported::{ForeignFormat, ImportResult},
};
use kopek_base::wording::{counted, wrap_text};
use std::fmt::Write;

/// The report, no line wider than this where words allow it.
pub fn render_report(imported: &ImportResult, width: usize) -> String {
    let mut text = String::new();
    let kind = match imported.kind {
        ForeignFormat::Polygon => "a Polygon package",
        ForeignFormat::Italian => "a task of the Italian format",
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
            push_wrapped(&format!("{}: {}", change.at, change.what), "  ", "    ", width, &mut text);
            push_wrapped(&format!("→ {}", change.instead), "    ", "      ", width, &mut text);
        }
    }
    if !imported.findings.is_empty() {
        let _ = writeln!(text, "\nodd about the result");
    }
    for finding in &imported.findings {
        push_wrapped(
            &format!("{}: {}: {}", finding.severity, finding.file.display(), finding.what),
            "  ",
            "    ",
            width,
            &mut text,
        );
        if let Some(hint) = &finding.hint {
            push_wrapped(&format!("→ {hint}"), "    ", "      ", width, &mut text);
        }
    }
    if imported.generated {
        let _ = writeln!(text, "\ntests are made by generators/generators.yaml when they are first needed");
    }
    let _ = writeln!(text, "\nnext: kopek verify {target}");
    text
}

fn push_wrapped(sentence: &str, first: &str, rest: &str, width: usize, text: &mut String) {
    for line in wrap_text(sentence, first, rest.len(), width) {
        let _ = writeln!(text, "{line}");
    }
}
