//! The counterexamples of a class in words: a few lines of text, and sentences of the pages, which show the inputs.

use super::page::Page;
use kopek_base::wording::{counted, one_line, shortened, wrap_text};
use kopek_results::{Boundary, Counterexamples, NoGrowth, Report, Unexplained, ValidBy};
use std::collections::BTreeSet;

/// Names in one line.
const MAX_NAMED: usize = 10;

/// The lines for all packages; `None`: not asked for.
pub(super) fn counterexample_lines(report: &Report, page: Page) -> Option<String> {
    let several = report.packages.len() > 1;
    let mut lines = Vec::new();
    for found in &report.counterexamples {
        let head = if several { format!("{}: ", one_line(&found.package)) } else { String::new() };
        lines.extend(wrap_text(&format!("{head}{}", summary(found)), "", 2, page.width));
        // The table has a note for each slow program.
        for LeftOut { names, why, .. } in left_out(found).iter().filter(|one| !one.is_slow) {
            let names: Vec<String> = names.iter().map(|name| one_line(name)).collect();
            let text = format!("{head}{}: {why}", shortened(&names, MAX_NAMED, ", "));
            lines.extend(wrap_text(&text, "", 2, page.width));
        }
        if let Some(text) = missed_text(found) {
            lines.extend(wrap_text(&format!("{head}{text}"), "", 2, page.width));
        }
        if let Some(text) = form_text(found) {
            lines.extend(wrap_text(&format!("{head}{text}"), "", 2, page.width));
        }
        let note = not_compared(found).map(|note| format!("{head}note: {note}"));
        lines.extend(note.iter().flat_map(|note| wrap_text(note, "", 2, page.width)));
    }
    (!lines.is_empty()).then(|| lines.join("\n") + "\n")
}

/// `4 inputs explain 11 of 12 failing programs`.
pub(super) fn summary(found: &Counterexamples) -> String {
    if found.failing == 0 {
        return "counterexamples: no program has a wrong answer or a run-time error".to_owned();
    }
    let inputs = counted(found.inputs.len(), "input");
    let verb = if found.inputs.len() == 1 { "explains" } else { "explain" };
    let programs = counted(found.failing, "failing program");
    format!("{inputs} {verb} {} of {programs}", found.explained)
}

/// Names programs with all points that are wrong on an input of the hunt, or right by luck.
fn missed_text(found: &Counterexamples) -> Option<String> {
    let failures = found.missed.iter().flat_map(|example| &example.failures);
    let wrong = failures.flat_map(|failure| &failure.programs).map(|program| &program.participants);
    let participants = wrong.chain(found.unset.iter().map(|one| &one.participants));
    let mut names: Vec<String> = participants.map(|names| one_line(&names.join(", "))).collect();
    let mut seen = BTreeSet::new();
    names.retain(|one| seen.insert(one.clone()));
    (!names.is_empty()).then(|| {
        format!(
            "the tests miss mistakes of {}; see the page of the class",
            shortened(&names, MAX_NAMED, ", ")
        )
    })
}

/// Says which inputs count as valid, if no validator says it.
pub(super) fn form_text(found: &Counterexamples) -> Option<String> {
    match &found.valid_by {
        ValidBy::Validator => None,
        ValidBy::Form { cases, description } => {
            Some(format!("no input validator: inputs have the form of the {cases} cases ({description})"))
        }
    }
}

/// Says which accepted submissions could not run.
pub(super) fn not_compared(found: &Counterexamples) -> Option<String> {
    let names = shortened(&found.accepted_not_run, 3, ", ");
    let text = || format!("expected outputs are not compared with {names}, which cannot run here");
    (!found.accepted_not_run.is_empty()).then(text)
}

/// Participants whose programs have no input.
pub(super) struct LeftOut<'a> {
    pub(super) names: Vec<&'a str>,
    pub(super) why: String,
    /// Whether they are known to grow, or a slow input is known.
    is_slow: bool,
}

/// Slow programs are grouped by their growth, and the first of them shows an input.
pub(super) fn left_out(found: &Counterexamples) -> Vec<LeftOut<'_>> {
    let mut whys: Vec<&Unexplained> = found.unexplained.iter().map(|one| &one.why).collect();
    whys.sort_unstable();
    whys.dedup_by(|one, other| is_alike(one, other));
    let left_out = |why: &Unexplained| {
        let programs = found.unexplained.iter().filter(|one| is_alike(&one.why, why));
        let names = programs.flat_map(|one| &one.participants).map(String::as_str).collect();
        LeftOut { names, why: why_text(why, found), is_slow: matches!(why, Unexplained::Slow { .. }) }
    };
    whys.into_iter().map(left_out).collect()
}

fn is_alike(one: &Unexplained, other: &Unexplained) -> bool {
    match (one, other) {
        (Unexplained::Slow { growth: Some(growth), .. }, Unexplained::Slow { growth: Some(other), .. }) => {
            growth == other
        }
        _ => one == other,
    }
}

fn why_text(why: &Unexplained, found: &Counterexamples) -> String {
    match why {
        Unexplained::NoneFound if found.interrupted => {
            "none found before the search was interrupted".to_owned()
        }
        Unexplained::NoneFound => format!("none found in {} s", found.seconds),
        Unexplained::Disputed => {
            "right programs print different answers on the inputs that were found for it".to_owned()
        }
        Unexplained::TooMany => "fails on another input, which is not shown".to_owned(),
        Unexplained::NotRun => "has no result this time".to_owned(),
        // The row of the class has an input that is not for participants.
        Unexplained::Slow { growth: None, example: None } => EXCEEDS.to_owned(),
        Unexplained::Slow { growth, example } => {
            growth.iter().chain(example).cloned().collect::<Vec<_>>().join("; ")
        }
        Unexplained::OnlyLimits { growth, searched } => {
            let growth = match growth {
                NoGrowth::NotShown => Some("its runs show no growth"),
                NoGrowth::Busy => Some("its growth could not be measured while the machine was busy"),
                NoGrowth::NotMeasured => None,
            };
            let search = searched.then_some("no change of a sample makes it slow");
            let known: Vec<&str> = growth.into_iter().chain(search).collect();
            let ending = if known.is_empty() { String::new() } else { format!("; {}", known.join(", and ")) };
            format!("{EXCEEDS}{ending}")
        }
    }
}

const EXCEEDS: &str = "exceeds the time or memory limit";

/// `fails with 1001 as the first number, passes with 1000`.
pub(super) fn boundary_text(boundary: Boundary) -> String {
    format!("fails with {} as the first number, passes with {}", boundary.fails, boundary.passes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_results::UnexplainedProgram;

    #[test]
    fn a_program_without_a_known_growth_is_not_said_to_have_none() {
        let text = |growth, searched| {
            why_text(&Unexplained::OnlyLimits { growth, searched }, &Counterexamples::default())
        };
        assert_eq!(text(NoGrowth::NotMeasured, false), "exceeds the time or memory limit");
        assert_eq!(
            text(NoGrowth::NotShown, true),
            "exceeds the time or memory limit; its runs show no growth, and no change of a sample makes it slow"
        );
        assert_eq!(
            text(NoGrowth::Busy, false),
            "exceeds the time or memory limit; its growth could not be measured while the machine was busy"
        );
        let hidden = Unexplained::Slow { growth: None, example: None };
        assert_eq!(why_text(&hidden, &Counterexamples::default()), "exceeds the time or memory limit");
    }

    #[test]
    fn slow_programs_are_grouped_by_their_growth() {
        let slow = |name: &str, growth: Option<&str>, example: &str| {
            let why =
                Unexplained::Slow { growth: growth.map(str::to_owned), example: Some(example.to_owned()) };
            UnexplainedProgram { participants: vec![name.to_owned()], why }
        };
        let unexplained = vec![
            slow("bob", Some("4 times"), "n = 9"),
            slow("ada", Some("4 times"), "n = 8"),
            slow("eve", None, "n = 8"),
        ];
        let found = Counterexamples { unexplained, ..Counterexamples::default() };
        let line = |one: &LeftOut| format!("{}: {}", one.names.join(" "), one.why);
        let shown: Vec<String> = left_out(&found).iter().map(line).collect();
        assert_eq!(shown, ["eve: n = 8", "bob ada: 4 times; n = 8"]);
    }
}
