//! Points and verdicts that changed since an earlier report, and why. A change of data or rules is a reason only if it touches a
//! group with another result.

use super::{
    earlier_report::{EarlierReport, row_then},
    total_changes::add_total_changes,
};
use kopek_package::package::{CaseDecision, RowPlace};
use kopek_plan::score::GroupScore;
use kopek_results::{
    ChangeReason, GradeChange, HandChange, PackageReport, Report, ReportChanges, RowByHand, RowReport,
};
use std::collections::BTreeSet;

/// How much of the class a report has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassExtent {
    /// All of it: participants of an earlier report who are missing handed in nothing now.
    Whole,
    /// A part, as by `--only`.
    Part,
}

/// All participants with changed points, another verdict or another comment, in order of their names.
pub fn changes_since(earlier: &EarlierReport, report: &Report, class: ClassExtent) -> ReportChanges {
    let packages = report.packages.iter();
    let mut changes: Vec<GradeChange> =
        packages.flat_map(|package| package_changes(earlier, package, class)).collect();
    let totals = add_total_changes(earlier, report, &mut changes);
    sort(&mut changes);
    ReportChanges { place: earlier.place.clone(), changes, totals }
}

/// The totals last.
fn sort(changes: &mut [GradeChange]) {
    let order =
        |change: &GradeChange| (change.name.clone(), change.package.is_none(), change.package.clone());
    changes.sort_by_cached_key(order);
}

/// Adds the changes that the earlier report lists, for a report that replaces it: their pages may not have gone out.
pub fn add_earlier_changes(since: &mut ReportChanges, earlier: &EarlierReport) {
    for then in earlier.changes() {
        let is_same = |now: &&mut GradeChange| now.name == then.name && now.package == then.package;
        match since.changes.iter_mut().find(is_same) {
            Some(now) => now.add_earlier(then),
            None => since.changes.push(then),
        }
    }
    sort(&mut since.changes);
}

fn package_changes(earlier: &EarlierReport, package: &PackageReport, class: ClassExtent) -> Vec<GradeChange> {
    let Some(earlier) = earlier.of_report(package) else { return Vec::new() };
    let data = DataChanges::between(earlier, package);
    let change = |row: &RowReport, then: Option<&RowReport>, now: Option<&RowReport>| GradeChange {
        name: row.card.name.clone(),
        id: row.hand_in.id.clone(),
        email: row.hand_in.email.clone(),
        package: Some(package.name.clone()),
        before: then.and_then(RowReport::worth),
        after: now.and_then(RowReport::worth),
        reasons: BTreeSet::from([ChangeReason::Program]),
        groups: Vec::new(),
    };
    let mut there = BTreeSet::new();
    let mut changes = Vec::new();
    for row in &package.rows {
        match row_then(earlier, row) {
            None => changes.push(change(row, None, Some(row))),
            Some(then) => {
                there.insert(then.card.name.as_str());
                if has_changed(then, row) {
                    let groups = changed_groups(then, row);
                    let reasons = change_reasons(&data, then, row, &groups);
                    changes.push(GradeChange { reasons, groups, ..change(row, Some(then), Some(row)) });
                }
            }
        }
    }
    let is_gone = |then: &&RowReport| class == ClassExtent::Whole && !there.contains(then.card.name.as_str());
    changes.extend(earlier.rows.iter().filter(is_gone).map(|then| change(then, Some(then), None)));
    changes
}

/// Whether a participant would see another grade.
fn has_changed(then: &RowReport, row: &RowReport) -> bool {
    let verdicts = then.card.state.key().zip(row.card.state.key());
    then.worth() != row.worth()
        || verdicts.is_some_and(|(then, now)| then != now)
        || comments(&then.by_hand) != comments(&row.by_hand)
}

/// The comments by hand, with their groups.
fn comments(by_hand: &Option<RowByHand>) -> Vec<(&Option<String>, &String)> {
    let changes = by_hand.iter().flat_map(|given| &given.changes);
    changes.filter_map(|change| Some((&change.group, change.comment.as_ref()?))).collect()
}

/// The groups with another result or other points.
fn changed_groups(then: &RowReport, row: &RowReport) -> Vec<String> {
    let mut changed = Vec::new();
    for group in &row.card.groups {
        let earlier = then.card.groups.iter().find(|earlier| earlier.name == group.name);
        let is_same =
            |earlier: &GroupScore| earlier.state.key() == group.state.key() && earlier.points == group.points;
        if earlier.is_some_and(|earlier| !is_same(earlier)) {
            changed.push(group.name.clone());
        }
    }
    changed
}

fn change_reasons(
    data: &DataChanges,
    then: &RowReport,
    row: &RowReport,
    groups: &[String],
) -> BTreeSet<ChangeReason> {
    let touches =
        |cases: &BTreeSet<String>| cases.iter().any(|case| groups.iter().any(|group| is_below(case, group)));
    let penalty = |row: &RowReport| row.deduction.as_ref().map(|taken| taken.reason.clone());
    let facts = [
        (ChangeReason::Program, then.program != row.program),
        (ChangeReason::ByHand, !has_same_hand_rows(then, row) || decided(then) != decided(row)),
        (ChangeReason::Lateness, penalty(then) != penalty(row)),
        (ChangeReason::Data, data.is_other_setting && !groups.is_empty() || touches(&data.changed)),
        (ChangeReason::Course, then.hand_in.time_factor != row.hand_in.time_factor || touches(&data.ruled)),
    ];
    facts.into_iter().filter(|(_, holds)| *holds).map(|(reason, _)| reason).collect()
}

/// What a person gave a row. The same points, set or added, are the same whatever the program got.
fn has_same_hand_rows(then: &RowReport, row: &RowReport) -> bool {
    let [then, now] = [then, row].map(|row| row.by_hand.as_ref().map_or(&[][..], |given| &given.changes));
    then.len() == now.len() && then.iter().zip(now).all(|(then, now)| is_same_change(then, now))
}

pub(super) fn is_same_change(then: &HandChange, now: &HandChange) -> bool {
    let more = |one: &HandChange| Some(one.after.clone()? - one.before.clone()?);
    let has_same_points = then.after == now.after || more(then) == more(now);
    has_same_points
        && then.excused == now.excused
        && [&then.group, &then.comment] == [&now.group, &now.comment]
        && then.by == now.by
}

/// The cases that a person decided, without the rows of tables.
fn decided(row: &RowReport) -> Vec<CaseDecision> {
    let decided = row.cases.iter().filter_map(|case| case.decided.clone());
    decided.map(|one| CaseDecision { place: RowPlace::default(), ..one }).collect()
}

/// Changes of a package's cases and limits.
#[derive(Default)]
struct DataChanges {
    /// Cases that a rule leaves out now or left out then.
    ruled: BTreeSet<String>,
    /// Cases that changed, are new, or are gone.
    changed: BTreeSet<String>,
    /// Whether limits or validators are others.
    is_other_setting: bool,
}

impl DataChanges {
    /// Compares the data of a package with its earlier report.
    fn between(earlier: &PackageReport, package: &PackageReport) -> DataChanges {
        let (Some(now), Some(then)) = (&package.data, &earlier.data) else { return DataChanges::default() };
        let excluded = [earlier, package].map(|one| one.excluded.iter().cloned().collect::<BTreeSet<_>>());
        let counts = |name: &&String| excluded.iter().all(|excluded| !excluded.contains(*name));
        let is_other = |name: &&String| then.cases.get(*name) != now.cases.get(*name);
        let all = then.cases.keys().chain(now.cases.keys());
        DataChanges {
            ruled: &excluded[0] ^ &excluded[1],
            changed: all.filter(counts).filter(is_other).cloned().collect(),
            is_other_setting: then.setting != now.setting,
        }
    }
}

fn is_below(case: &str, group: &str) -> bool {
    case.strip_prefix(group).is_some_and(|rest| rest.starts_with('/'))
}
