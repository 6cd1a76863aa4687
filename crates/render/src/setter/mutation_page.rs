//! Mutants that the tests miss, as a self-contained page: groups in a table, survivors as small diffs.

use super::mutation_text::{summary, survivor_document};
use crate::{
    text_table::{Align, Cell, Column, TextTable},
    whole_page,
};
use kopek_base::wording::{counted, one_line};
use kopek_results::{GroupKills, Mutant, MutantFate, MutationReport};
use maud::{Markup, html};

/// The page of a report.
pub fn mutation_page(report: &MutationReport) -> String {
    let title = format!("Mutants of {}", one_line(&report.title));
    let missed = survivors(report, |fate| matches!(fate, MutantFate::Proven(_)));
    let equivalent = survivors(report, |fate| *fate == MutantFate::ProbablyEquivalent);
    let body = html! {
        h1 { (title) }
        p { (one_line(&summary(report))) }
        (doubts(report))
        (group_section(report))
        h2 id="missed" { "Missed by the tests" }
        @if missed.is_empty() { p { "None: the search found no input that kills a mutant which passes all tests." } }
        @for (mutant, fate) in &missed { (survivor_details(report, mutant, fate)) }
        h2 id="equivalent" { "Probably equivalent" }
        @if equivalent.is_empty() { p { "None." } } @else {
            p { "No test and no input of the search distinguishes these from the original. Check whether one could." }
        }
        @for (mutant, fate) in &equivalent { (survivor_details(report, mutant, fate)) }
    };
    whole_page(&title, &body)
}

fn survivors(report: &MutationReport, is_meant: impl Fn(&MutantFate) -> bool) -> Vec<&(Mutant, MutantFate)> {
    report.mutants.iter().filter(|(_, fate)| is_meant(fate)).collect()
}

/// Mutants that were not tried or are undecided: the page must not look more certain than the run was.
fn doubts(report: &MutationReport) -> Markup {
    let left_out = report.listed - report.mutants.len();
    let unknown = survivors(report, |fate| *fate == MutantFate::Unknown).len();
    html! {
        @if left_out > 0 {
            p class="note" { (counted(left_out, "further mutant")) " not tried: `--max` chose a sample, \
                evenly spread." }
        }
        @if unknown > 0 {
            p class="fault" { (counted(unknown, "mutant")) " undecided: out of time, or faults. Run again \
                with a longer `--budget`." }
        }
        @for fault in &report.faults { p class="fault" { (one_line(fault)) } }
    }
}

fn group_section(report: &MutationReport) -> Markup {
    let viable = report.viable();
    let columns = vec![
        Column::new("group", "", Align::Left),
        Column::new("kills", "", Align::Right),
        Column::new("misses", "", Align::Right),
        Column::new("killed only by it", "", Align::Right),
    ];
    let row = |GroupKills { name, all, alone }| {
        [one_line(name), all.to_string(), (viable - all).to_string(), alone.to_string()]
            .map(Cell::plain)
            .into()
    };
    let table = TextTable::new(columns, report.kills_by_group().into_iter().map(row).collect());
    html! {
        h2 { "Groups" }
        p class="soft" { (counted(viable, "mutant")) " tried that " @if viable == 1 { "differs" } @else { "differ" } " from the original." }
        (table.to_html("Groups"))
    }
}

fn survivor_details(report: &MutationReport, mutant: &Mutant, fate: &MutantFate) -> Markup {
    html! {
        details open[matches!(fate, MutantFate::Proven(_))] {
            summary { strong { (one_line(&mutant.name())) } " (" (mutant.mutation.kind) ")" }
            (survivor_document(report, mutant, fate).to_html())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_results::Mutation;
    use std::time::Duration;

    const SOURCE: &str = "first\nif (a < b) /* <script>alert(1)</script> */\nlast\n";

    fn report() -> MutationReport {
        let at = SOURCE.find('<').unwrap();
        let mutation = Mutation { kind: "comparison", range: at..at + 1, by: "<=".into(), line: 2 };
        let mutant = Mutant {
            submission: "<b>\u{202e}.c".into(),
            file: "a.c".into(),
            source: SOURCE.into(),
            mutation,
        };
        let killed = MutantFate::Killed(vec![None, Some("secret/2/1".into())]);
        let fates = [MutantFate::ProbablyEquivalent, killed, MutantFate::Unknown, MutantFate::Unviable];
        MutationReport {
            title: "<i>".into(),
            listed: 9,
            mutants: fates.into_iter().map(|fate| (mutant.clone(), fate)).collect(),
            groups: vec!["secret/1".into(), "secret/2".into()],
            hunt: None,
            trials: 3,
            took: Duration::ZERO,
            faults: vec!["a <fault>".into()],
        }
    }

    #[test]
    fn a_survivor_is_a_diff_in_its_context_and_nothing_is_markup() {
        let page = mutation_page(&report());
        for part in [
            "<span class=\"minus\">  -    2 | if (a &lt; b)",
            "<span class=\"plus\">  +    2 | if (a &lt;= b)",
            "       1 | first\n",
            "       3 | last\n",
            "&lt;i&gt;",
            "a &lt;fault&gt;",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert_eq!(page.matches("<script>").count(), 1);
        assert!(!page.contains('\u{202e}'));
        // Only the survivor of the four is shown.
        assert_eq!(page.matches("<details").count(), 1);
    }

    #[test]
    fn the_page_says_what_each_group_misses_and_what_was_not_tried() {
        let page = mutation_page(&report());
        let row = |name: &str, [kills, misses, alone]: [u32; 3]| {
            format!(
                "<th scope=\"row\">{name}</th><td class=\"n\">{kills}</td> <td class=\"n\">{misses}</td> \
                 <td class=\"n\">{alone}</td>"
            )
            .replace("</td> <td", "</td><td")
        };
        assert!(page.contains(&row("secret/1", [0, 2, 0])), "{page}");
        assert!(page.contains(&row("secret/2", [1, 1, 1])), "{page}");
        assert!(page.contains("5 further mutants not tried"), "{page}");
        assert!(page.contains("1 mutant undecided"), "{page}");
    }
}
