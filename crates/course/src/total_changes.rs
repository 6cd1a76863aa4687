//! Totals that changed since an earlier report, and why.

use super::{
    changes::is_same_change,
    earlier_report::{EarlierReport, row_then},
};
use kopek_base::PersonName;
use kopek_package::points::Points;
use kopek_results::{
    ChangeReason, CourseTotal, CourseTotals, GradeChange, HandChange, Report, RowReport, RowsOfParticipant,
    rows_by_name, total_points,
};
use std::collections::{BTreeMap, BTreeSet};

/// Adds all participants with another total or another comment on it, if the totals have rules, now or then. Returns
/// the known totals of the earlier report, by the names of now.
pub(super) fn add_total_changes(
    earlier: &EarlierReport,
    report: &Report,
    changes: &mut Vec<GradeChange>,
) -> BTreeMap<String, Points> {
    let have_rules = earlier.total_rules().is_some() || report.sheet.is_some();
    let mut totals = BTreeMap::new();
    let mut totals_changed = Vec::new();
    for (PersonName(name), rows) in rows_by_name(&report.packages) {
        let Some(pair) = TotalPair::of(earlier, report, &rows) else { continue };
        if have_rules {
            totals_changed.extend(pair.change(name, report, changes));
        }
        totals.extend(pair.before.map(|before| (name.to_owned(), before)));
    }
    changes.extend(totals_changed);
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

    /// `parts`: the changes on the packages.
    fn change(&self, name: &str, report: &Report, parts: &[GradeChange]) -> Option<GradeChange> {
        let sheet = report.sheet.as_ref();
        let by_hand = sheet.and_then(|sheet| sheet.total(name)?.by_hand.as_ref());
        let by_hand_then = self.total_then().and_then(|then| then.by_hand.as_ref());
        let after = total_points(self.rows, sheet);
        if self.before == after && comment(by_hand) == comment(by_hand_then) {
            return None;
        }
        let own = parts.iter().filter(|part| part.name == name && part.before != part.after);
        let mut reasons: BTreeSet<ChangeReason> = own.flat_map(|part| part.reasons.clone()).collect();
        let is_same = match (by_hand_then, by_hand) {
            (Some(then), Some(now)) => is_same_change(then, now),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_same {
            reasons.insert(ChangeReason::ByHand);
        }
        // Equal points have another total by another rule only.
        if reasons.is_empty() || self.sheet.map(TotalRules::of) != sheet.map(TotalRules::of) {
            reasons.insert(ChangeReason::Course);
        }
        let hand_in = &self.rows.iter().flatten().next()?.hand_in;
        Some(GradeChange {
            name: name.to_owned(),
            id: hand_in.id.clone(),
            email: hand_in.email.clone(),
            package: None,
            before: self.before.clone(),
            after,
            reasons,
            groups: Vec::new(),
        })
    }
}

fn comment(by_hand: Option<&HandChange>) -> Option<&String> {
    by_hand?.comment.as_ref()
}

/// What a course rules about totals.
#[derive(PartialEq)]
struct TotalRules<'a> {
    max: &'a Points,
    round: &'a Option<Points>,
    /// How many problems count.
    best: usize,
    weights: Vec<(&'a str, &'a Points)>,
}

impl<'a> TotalRules<'a> {
    fn of(sheet: &'a CourseTotals) -> TotalRules<'a> {
        let parts = sheet.totals.first().map_or(&[][..], |total| &total.parts);
        TotalRules {
            max: &sheet.max,
            round: &sheet.round,
            best: parts.iter().filter(|part| part.counts).count(),
            weights: parts.iter().map(|part| (part.package.as_str(), &part.weight)).collect(),
        }
    }
}
