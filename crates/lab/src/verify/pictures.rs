//! The visualizers of a package on its cases, with a correct submission. Pictures are kept for further use.

use super::{
    checked::{Checked, Measure},
    judged::JudgedSubmission,
    verification::{Gallery, Verification},
};
use kopek_base::wording::counted;
use kopek_judge::grade::{CasePictures, JudgedCohort, PictureRequest, draw_cases};
use kopek_package::{
    package::{Judge, Message, Place, TestSet},
    verdict::Verdict,
};
use kopek_plan::score::State;
use std::collections::BTreeSet;

/// Draws pictures if the package has a visualizer.
pub(super) fn check_pictures(
    verification: &Verification,
    gallery: Gallery,
    judged: &JudgedCohort,
    seen: &[JudgedSubmission],
) -> Checked {
    let mut checked = Checked::default();
    let Verification { package, data, .. } = *verification;
    let has_visualizer = package.input_visualizer.is_some() || package.output_visualizer.is_some();
    // A validator may draw, too, but only a run shows it; this is done if pictures are requested.
    let validator_draws = gallery == Gallery::Whole && matches!(package.judge, Judge::Programs { .. });
    if !has_visualizer && !validator_draws {
        return checked;
    }
    let right = |seen: &JudgedSubmission| seen.card.state == State::Decided(Verdict::Accepted);
    let row = match seen.iter().find(|seen| right(seen)) {
        Some(seen) => seen.row,
        None => 0,
    };
    let cases = chosen_cases(verification.tests, gallery);
    let request = PictureRequest { package, data, judged, cases: &cases };
    match draw_cases(verification.engine(), request, row) {
        Ok(drawn) if !has_visualizer && drawn.pictures.is_empty() => {}
        Ok(drawn) => checked = check_drawn(drawn, cases.len()),
        Err(error) => checked.fault(format!("draw pictures: {error:#}")),
    }
    checked
}

fn chosen_cases(tests: &TestSet, gallery: Gallery) -> Vec<usize> {
    let all = tests.cases.iter().enumerate();
    let mut seen = BTreeSet::new();
    let mut first = |name: &str| seen.insert(name.rsplit_once('/').map(|(dir, _)| dir.to_owned()));
    let wanted = all.filter(|(_, case)| gallery == Gallery::Whole || first(&case.name));
    wanted.map(|(index, _)| index).collect()
}

/// A problem that occurs on many cases is reported once, with their number.
fn check_drawn(drawn: CasePictures, cases: usize) -> Checked {
    let mut checked = Checked::default();
    for at in ["input_visualizer", "output_visualizer"] {
        let place = Place::new(at, None);
        let own: Vec<&Message> = drawn.problems.iter().filter(|one| one.place() == Some(&place)).collect();
        let Some(first) = own.first() else { continue };
        let more = if own.len() > 1 { format!("; {} more", own.len() - 1) } else { String::new() };
        let what = format!("{}{more}", first.what);
        let todo = "fix the visualizer, or remove it; verdicts do not depend on it";
        checked.add(Message::error(at, what).todo(todo));
    }
    if drawn.problems.is_empty() {
        let pictures = counted(drawn.pictures.len(), "picture");
        checked.done(format!("{pictures} of {}", counted(cases, "case")));
    }
    checked.measures.push(Measure::Pictures(drawn.pictures));
    checked
}
