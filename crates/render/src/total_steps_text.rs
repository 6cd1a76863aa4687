//! How a participant's total came about, a sentence for each step that changed something.

use kopek_package::points::Points;
use kopek_results::{CourseTotal, CourseTotals, TotalPart};
use kopek_sentences::{Decimal, Names, Said};

/// Empty if the total is the points of the only package, or is not known.
pub(super) fn total_steps(sheet: &CourseTotals, name: &str) -> Vec<Said> {
    let Some(total) = sheet.total(name) else { return Vec::new() };
    let mut steps = computed_steps(sheet, total);
    steps.extend(total.by_hand_said());
    if let (Some(uncapped), Some(points)) = (&total.uncapped, &total.points) {
        steps.push(Said::AboveMaximum { points: Decimal::new(uncapped), max: Decimal::new(points) });
    }
    steps
}

fn computed_steps(sheet: &CourseTotals, total: &CourseTotal) -> Vec<Said> {
    let (Some(sum), Some(scaled)) = (&total.sum, &total.scaled) else { return Vec::new() };
    let mut steps = Vec::new();
    let is_weighted = total.parts.iter().any(|part| part.weight != Points::one());
    if total.parts.len() > 1 || is_weighted {
        steps.extend(sum_said(total).map(|terms| Said::SumIs {
            sum: terms.into(),
            points: Decimal::new(sum),
            max: Decimal::new(&sheet.max_sum),
        }));
    }
    let left_out = total.parts.iter().filter(|part| !part.counts);
    let left_out: Vec<String> = left_out.map(|part| part.package.clone()).collect();
    if !left_out.is_empty() {
        steps.push(Said::NotAmongBest { problems: Names::first(&left_out, usize::MAX) });
    }
    if sheet.max != sheet.max_sum {
        steps.push(Said::ScaledTo {
            points: Decimal::new(sum),
            most: Decimal::new(&sheet.max_sum),
            scaled: Decimal::new(scaled),
            max: Decimal::new(&sheet.max),
        });
    }
    let uncapped = if total.uncapped.is_some() { &total.uncapped } else { &total.points };
    let computed = total.by_hand.as_ref().map_or(uncapped, |change| &change.before);
    if let (Some(step), Some(rounded)) = (&sheet.round, computed)
        && scaled != rounded
    {
        let [step, points] = [step, rounded].map(|points| Decimal::new(format!("{points:.6}")));
        steps.push(Said::RoundedTo { step, points });
    }
    steps
}

/// `60 (pairs) + 2 × 40 (russia)`.
fn sum_said(total: &CourseTotal) -> Option<Said> {
    let term = |part: &TotalPart| {
        let points = Decimal::new(part.points.as_ref().map(Points::to_string).unwrap_or_default());
        let package = part.package.clone();
        if part.weight == Points::one() {
            return Said::Term { points, package };
        }
        Said::WeightedTerm { weight: Decimal::new(format!("{:.6}", part.weight)), points, package }
    };
    let counting = total.parts.iter().filter(|part| part.counts);
    counting.map(term).reduce(|left, right| Said::Plus { left: left.into(), right: right.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_results::HandChange;

    fn steps(sheet: &CourseTotals, name: &str) -> Vec<String> {
        total_steps(sheet, name).iter().map(Said::to_string).collect()
    }

    #[expect(clippy::fn_params_excessive_bools, reason = "a value of a field")]
    fn part(package: &str, points: u64, weight: u64, counts: bool) -> TotalPart {
        TotalPart { package: package.into(), points: Some(points.into()), weight: weight.into(), counts }
    }

    #[test]
    fn every_step_that_changes_something_is_a_sentence() {
        let points = |text: &str| Some(text.parse::<Points>().unwrap());
        let total = CourseTotal {
            name: "ada".into(),
            parts: vec![part("pairs", 60, 1, true), part("russia", 40, 2, true), part("nim", 5, 1, false)],
            sum: points("140"),
            by_hand: None,
            uncapped: None,
            scaled: Some(Points::from(14) / 3),
            points: points("4.5"),
        };
        let one = CourseTotal {
            name: "bob".into(),
            parts: vec![part("pairs", 60, 1, true)],
            scaled: points("60"),
            sum: points("60"),
            by_hand: None,
            uncapped: None,
            points: points("60"),
        };
        let unknown =
            CourseTotal { name: "eve".into(), sum: None, scaled: None, points: None, ..one.clone() };
        let totals = vec![total, one, unknown];
        let mut sheet = CourseTotals { max: 10.into(), max_sum: 300.into(), round: points("0.5"), totals };
        assert_eq!(
            steps(&sheet, "ada"),
            [
                "60 (pairs) + 2 × 40 (russia) = 140 of 300",
                "not among the best problems that count: nim",
                "140 of 300 are 4.67 of 10",
                "rounded to a multiple of 0.5: 4.5"
            ]
        );
        sheet.totals[0].uncapped = sheet.totals[0].points.replace(4.into());
        let capped = ["rounded to a multiple of 0.5: 4.5", "4.5 are above the maximum: 4 count"];
        assert_eq!(steps(&sheet, "ada")[3..], capped);
        sheet.max = 300.into();
        assert!(steps(&sheet, "bob").is_empty() && steps(&sheet, "eve").is_empty());
        let before = None;
        let (comment, by) = (Some("handed in on paper".into()), "Noether".into());
        sheet.totals[2].by_hand =
            Some(HandChange { group: None, before, after: points("7"), excused: false, comment, by });
        let by_hand = ["the total: not known → 7 points, by hand: Noether: handed in on paper"];
        assert_eq!(steps(&sheet, "eve"), by_hand);
    }
}
