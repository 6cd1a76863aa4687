//! The report of mutants that the tests miss, for people and for programs. Strings only.

use super::stress_text::{example_document, stress_json};
use crate::{
    Document,
    text_table::{Align, Cell, Column, TextTable},
};
use kopek_base::wording::{counted, one_line};
use kopek_lab::mutate::{Mutant, MutantFate, MutationReport};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Lines before and after a change.
const CONTEXT: usize = 2;

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
pub(super) fn survivor_document(
    report: &MutationReport,
    mutant: &Mutant,
    fate: &MutantFate,
) -> Document<'static> {
    let mut document = Document::default();
    document.diff(diff_lines(mutant));
    if let (MutantFate::Proven(number), Some(hunt)) = (fate, &report.hunt)
        && let Some(finding) = hunt.findings.get(*number)
    {
        document.append(example_document(finding));
    }
    document
}

fn count(report: &MutationReport, is_meant: impl Fn(&MutantFate) -> bool) -> usize {
    report.mutants.iter().filter(|(_, fate)| is_meant(fate)).count()
}

/// The number of mutants that are different programs and were tried.
pub(super) fn count_viable(report: &MutationReport) -> usize {
    count(report, is_viable)
}

fn is_viable(fate: &MutantFate) -> bool {
    matches!(fate, MutantFate::Killed(_) | MutantFate::Proven(_) | MutantFate::ProbablyEquivalent)
}

pub(super) fn summary(report: &MutationReport) -> String {
    let killed = count(report, |fate| matches!(fate, MutantFate::Killed(_)));
    let proven = count(report, |fate| matches!(fate, MutantFate::Proven(_)));
    let equivalent = count(report, |fate| *fate == MutantFate::ProbablyEquivalent);
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
        let number = count(report, |other| *other == fate);
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

/// The kills of a group.
pub(super) struct GroupKills<'a> {
    pub name: &'a str,
    /// How many mutants.
    pub all: usize,
    /// How many of these no other group kills.
    pub alone: usize,
}

pub(super) fn kills_by_group(report: &MutationReport) -> Vec<GroupKills<'_>> {
    let mut kills = vec![(0, 0); report.groups.len()];
    for (_, fate) in &report.mutants {
        let MutantFate::Killed(killers) = fate else { continue };
        let killing: Vec<usize> = (0..killers.len()).filter(|&group| killers[group].is_some()).collect();
        killing.iter().for_each(|&group| kills[group].0 += 1);
        if let [alone] = killing[..] {
            kills[alone].1 += 1;
        }
    }
    report.groups.iter().zip(kills).map(|(name, (all, alone))| GroupKills { name, all, alone }).collect()
}

fn group_table(report: &MutationReport) -> TextTable {
    let viable = count_viable(report);
    let columns = vec![
        Column::new("group", "", Align::Left),
        Column::new("kills", "", Align::Right).at_least(9),
        Column::new("only it", "", Align::Right).at_least(10),
    ];
    let row = |GroupKills { name, all, alone }| {
        [one_line(name), format!("{all}/{viable}"), alone.to_string()].map(Cell::plain).into()
    };
    TextTable::new(columns, kills_by_group(report).into_iter().map(row).collect()).indented(2)
}

/// The change with the lines around it.
fn diff_lines(mutant: &Mutant) -> Vec<String> {
    let range = &mutant.mutation.range;
    let source = &mutant.source;
    let start = source[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = source[range.end..].find('\n').map_or(source.len(), |at| range.end + at);
    let changed = [&source[start..range.start], &mutant.mutation.by, &source[range.end..end]].concat();
    let line = mutant.mutation.line;
    let shown = |mark: char, number: usize, text: &str| format!("  {mark} {number:>4} | {}", cut_line(text));
    let before: Vec<&str> = source[..start].lines().collect();
    let behind: Vec<&str> = source[end..].lines().skip(1).take(CONTEXT).collect();
    let first = before.len().saturating_sub(CONTEXT);
    let mut lines: Vec<String> =
        before[first..].iter().enumerate().map(|(at, text)| shown(' ', first + at + 1, text)).collect();
    let old: Vec<&str> = source[start..end].lines().collect();
    lines.extend(old.iter().enumerate().map(|(at, text)| shown('-', line + at, text)));
    lines.extend(changed.lines().enumerate().map(|(at, text)| shown('+', line + at, text)));
    lines.extend(behind.iter().enumerate().map(|(at, text)| shown(' ', line + old.len() + at, text)));
    lines
}

fn cut_line(text: &str) -> String {
    let letters = text.chars().take(120);
    letters.map(|c| if c.is_control() { ' ' } else { c }).collect()
}

pub fn mutation_json(report: &MutationReport) -> Value {
    let mutant = |(mutant, fate): &(Mutant, MutantFate)| {
        json!({
            "name": mutant.name(),
            "submission": mutant.submission,
            "file": mutant.file,
            "line": mutant.mutation.line,
            "kind": mutant.mutation.kind,
            "before": mutant.source[mutant.mutation.range.clone()],
            "after": mutant.mutation.by,
            "fate": fate_word(fate),
            "killers": killers_json(report, fate),
            "diff": diff_lines(mutant),
        })
    };
    let groups: Vec<Value> = kills_by_group(report)
        .into_iter()
        .map(|GroupKills { name, all, alone }| json!({"name": name, "kills": all, "alone": alone}))
        .collect();
    json!({
        "title": report.title,
        "listed": report.listed,
        "viable": count_viable(report),
        "killed": count(report, |fate| matches!(fate, MutantFate::Killed(_))),
        "missed": count(report, |fate| matches!(fate, MutantFate::Proven(_))),
        "probably_equivalent": count(report, |fate| *fate == MutantFate::ProbablyEquivalent),
        "groups": groups,
        "mutants": report.mutants.iter().map(mutant).collect::<Vec<_>>(),
        "hunt": report.hunt.as_ref().map(stress_json),
        "seconds": report.took.as_secs_f64(),
        "faults": report.faults,
    })
}

fn fate_word(fate: &MutantFate) -> &'static str {
    match fate {
        MutantFate::Unviable => "unviable",
        MutantFate::SameProgram => "same_program",
        MutantFate::Duplicate => "duplicate",
        MutantFate::Killed(_) => "killed",
        MutantFate::Proven(_) => "missed",
        MutantFate::ProbablyEquivalent => "probably_equivalent",
        MutantFate::Unknown => "unknown",
    }
}

/// By group: the case that kills it.
fn killers_json(report: &MutationReport, fate: &MutantFate) -> Value {
    let MutantFate::Killed(killers) = fate else { return json!({}) };
    let named = report.groups.iter().zip(killers).filter_map(|(group, case)| Some((group, case.as_ref()?)));
    let named: BTreeMap<&String, &String> = named.collect();
    json!(named)
}
