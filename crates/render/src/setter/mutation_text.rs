//! The report of mutants that the tests miss, for people. Strings only.

use super::stress_text::found_document;
use crate::{
    Document,
    text_table::{Align, Cell, Column, TextTable},
};
use kopek_base::wording::{counted, one_line};
use kopek_results::{GroupKills, Mutant, MutantFate, MutationReport};

pub fn mutation_document(report: &MutationReport) -> Document<'static> {
    let mut document = Document::default();
    document.item("", &summary(report));
    document.gap();
    document.table(group_table(report));
    for (mutant, fate) in &report.mutants {
        let head = match fate {
            MutantFate::Proven(_) => "MISSED by the tests",
            MutantFate::ProbablyEquivalent => "survives, probably equivalent",
            _ => continue,
        };
        document.gap();
        document.item("", &format!("{}: {head} ({})", mutant.name(), mutant.mutation.kind));
        document.append(survivor_document(report, mutant, fate));
    }
    for fault in &report.faults {
        document.item("fault: ", fault);
    }
    document
}

/// A survivor: its change, and the input that kills it.
fn survivor_document(report: &MutationReport, mutant: &Mutant, fate: &MutantFate) -> Document<'static> {
    let mut document = Document::default();
    document.diff(mutant.diff_lines());
    if let (MutantFate::Proven(number), Some(hunt)) = (fate, &report.hunt)
        && let Some(finding) = hunt.findings.get(*number)
    {
        document.append(found_document(hunt, finding));
    }
    document
}

fn summary(report: &MutationReport) -> String {
    let killed = report.count(|fate| matches!(fate, MutantFate::Killed(_)));
    let proven = report.count(|fate| matches!(fate, MutantFate::Proven(_)));
    let equivalent = report.count(|fate| *fate == MutantFate::ProbablyEquivalent);
    let mut parts = vec![
        format!("{killed} killed"),
        format!("{proven} missed"),
        format!("{equivalent} probably equivalent"),
    ];
    for (fate, word) in [
        (MutantFate::Unviable, "do not compile"),
        (MutantFate::SameProgram, "are the same program"),
        (MutantFate::Duplicate, "are the same as another"),
        (MutantFate::Unknown, "UNKNOWN: out of time, or we failed"),
    ] {
        let number = report.count(|other| *other == fate);
        if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    }
    let of =
        if report.listed == report.mutants.len() { String::new() } else { format!(" of {}", report.listed) };
    format!(
        "{}: {}{of}: {}; {} in {:.1} s",
        report.title,
        counted(report.mutants.len(), "mutant"),
        parts.join(", "),
        counted(report.trials, "new run"),
        report.took.as_secs_f64()
    )
}

fn group_table(report: &MutationReport) -> TextTable {
    let viable = report.viable();
    let columns = vec![
        Column::new("group", "", Align::Left),
        Column::new("kills", "", Align::Right).at_least(9),
        Column::new("only it", "", Align::Right).at_least(10),
    ];
    let row = |GroupKills { name, all, alone }| {
        [one_line(name), format!("{all}/{viable}"), alone.to_string()].map(Cell::plain).into()
    };
    TextTable::new(columns, report.kills_by_group().into_iter().map(row).collect()).indented(2)
}
