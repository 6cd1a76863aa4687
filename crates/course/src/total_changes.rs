//! Totals that changed since an earlier report, and why.

use super::earlier_report::{EarlierReport, row_then};
use kopek_package::points::Points;
use kopek_results::{
    CourseTotal, CourseTotals, GradeChange, HandChange, Report, RowReport, RowsOfParticipant, TotalPart,
    points_or_dash, rows_by_name, total_points,
};
use std::collections::BTreeMap;

/// Adds all participants with another total or another comment on it, if the totals have rules, now or then. Returns
/// the known totals of the earlier report, by the names of now.
pub(super) fn add_total_changes(
    earlier: &EarlierReport,
    report: &Report,
    changes: &mut Vec<GradeChange>,
) -> BTreeMap<String, Points> {
    let have_rules = earlier.total_rules().is_some() || report.sheet.is_some();
    let mut totals = BTreeMap::new();
    for (name, rows) in rows_by_name(&report.packages) {
        let Some(pair) = TotalPair::of(earlier, report, &rows) else { continue };
        if have_rules {
            changes.extend(pair.change(name, report));
        }
        totals.extend(pair.before.map(|before| (name.to_owned(), before)));
    }
    totals
}

/// A participant then and now.
struct TotalPair<'a> {
    rows: &'a RowsOfParticipant<'a>,
    /// The rows of then, in the order of the packages of now.
    rows_then: Vec<Option<&'a RowReport>>,
    sheet: Option<&'a CourseTotals>,
    before: Option<Points>,
}

impl<'a> TotalPair<'a> {
    /// `None`: not in the earlier report.
    fn of(
        earlier: &'a EarlierReport,
        report: &Report,
        rows: &'a RowsOfParticipant<'a>,
    ) -> Option<TotalPair<'a>> {
        let person = *rows.iter().flatten().next()?;
        let row_of = |package| row_then(earlier.of_report(package)?, person);
        let rows_then: Vec<Option<&RowReport>> = report.packages.iter().map(row_of).collect();
        let mut pair = TotalPair { rows, rows_then, sheet: earlier.total_rules(), before: None };
        pair.before = match pair.sheet {
            Some(_) => pair.total_then()?.points.clone(),
            None => pair.sum_then(),
        };
        pair.rows_then.iter().any(Option::is_some).then_some(pair)
    }

    fn total_then(&self) -> Option<&'a CourseTotal> {
        self.sheet?.total_of_rows(&self.rows_then)
    }

    /// `None`: a part is not known.
    fn sum_then(&self) -> Option<Points> {
        let points = |(then, now): (&Option<&RowReport>, &Option<&RowReport>)| match (then, now) {
            (Some(then), _) => then.worth(),
            (None, Some(_)) => None,
            (None, None) => Some(Points::zero()),
        };
        self.rows_then.iter().zip(self.rows).map(points).sum()
    }

    fn change(&self, name: &str, report: &Report) -> Option<GradeChange> {
        let sheet = report.sheet.as_ref();
        let by_hand = sheet.and_then(|sheet| sheet.total(name)?.by_hand.as_ref());
        let by_hand_then = self.total_then().and_then(|then| then.by_hand.as_ref());
        let after = total_points(self.rows, sheet);
        let has_other_comment = comment(by_hand) != comment(by_hand_then);
        if self.before == after && !has_other_comment {
            return None;
        }
        let mut why = self.part_changes(report);
        why.extend(rule_changes(self.sheet, sheet));
        why.extend(by_hand.filter(|_| by_hand != by_hand_then).map(HandChange::text));
        if by_hand.is_none() && by_hand_then.is_some() {
            why.push("no longer changed by hand".to_owned());
        }
        if why.is_empty() {
            why.push("other rules for the total".to_owned());
        }
        let hand_in = &self.rows.iter().flatten().next()?.hand_in;
        Some(GradeChange {
            name: name.to_owned(),
            id: hand_in.id.clone(),
            email: hand_in.email.clone(),
            package: None,
            before: self.before.clone(),
            after,
            why: why.join("; "),
        })
    }

    /// `60 → 100 in sums`.
    fn part_changes(&self, report: &Report) -> Vec<String> {
        let mut all = Vec::new();
        for ((then, now), package) in self.rows_then.iter().zip(self.rows).zip(&report.packages) {
            let then = then.and_then(RowReport::worth);
            let now = now.and_then(RowReport::worth);
            if then != now {
                all.push(format!("{} → {} in {}", points_or_dash(&then), points_or_dash(&now), package.name));
            }
        }
        all
    }
}

fn comment(by_hand: Option<&HandChange>) -> Option<&String> {
    by_hand?.comment.as_ref()
}

/// Rules for totals that are others than then.
fn rule_changes(then: Option<&CourseTotals>, now: Option<&CourseTotals>) -> Vec<String> {
    let (Some(then), Some(now)) = (then, now) else { return Vec::new() };
    let (then, now) = (rules(then), rules(now));
    let changed = now.iter().filter(|(what, value)| then.get(*what).is_some_and(|then| then != *value));
    changed.map(|(what, value)| format!("{what} {value}, was {}", then[what])).collect()
}

/// What is ruled, and how.
fn rules(sheet: &CourseTotals) -> BTreeMap<String, String> {
    let parts: &[TotalPart] = sheet.totals.first().map(|total| total.parts.as_slice()).unwrap_or_default();
    let best = parts.iter().filter(|part| part.counts).count();
    let mut all = BTreeMap::from([
        ("the total is out of".to_owned(), format!("{:.6}", sheet.max)),
        ("it is rounded to multiples of".to_owned(), points_or_dash(&sheet.round)),
        ("problems that count:".to_owned(), best.to_string()),
    ]);
    let weight =
        |part: &TotalPart| (format!("the weight of {} is", part.package), format!("{:.6}", part.weight));
    all.extend(parts.iter().map(weight));
    all
}
