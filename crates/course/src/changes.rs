//! Points and verdicts that changed since an earlier report, and why. A ruling for the whole class is a reason only if it touches a
//! group with a different result.

use super::{
    earlier_report::{EarlierReport, row_then},
    total_changes::add_total_changes,
};
use kopek_base::wording::{counted, one_line, shortened};
use kopek_package::{points::Points, verdict::Verdict};
use kopek_results::{
    CaseReport, GradeChange, HandChange, PackageReport, Report, ReportChanges, RowByHand, RowReport,
    case_in_text, changed_points, decided_case, group_in_text,
};
use std::collections::BTreeSet;

/// Cases or groups in one reason.
const MAX_NAMED: usize = 5;

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
            Some(now) => {
                now.why = format!("{}; {}", then.why, now.why);
                now.before = then.before;
            }
            None => since.changes.push(then),
        }
    }
    sort(&mut since.changes);
}

fn package_changes(earlier: &EarlierReport, package: &PackageReport, class: ClassExtent) -> Vec<GradeChange> {
    let Some(earlier) = earlier.of_report(package) else { return Vec::new() };
    let pair = PackagePair { package, data: DataChanges::between(earlier, package) };
    let mut there = BTreeSet::new();
    let mut changes = Vec::new();
    for row in &package.rows {
        let then = row_then(earlier, row);
        changes.extend(pair.change(then, row));
        there.extend(then.map(|then| then.card.name.as_str()));
    }
    let is_gone = |then: &&RowReport| class == ClassExtent::Whole && !there.contains(then.card.name.as_str());
    changes.extend(earlier.rows.iter().filter(is_gone).map(|then| GradeChange {
        name: then.card.name.clone(),
        id: then.hand_in.id.clone(),
        email: then.hand_in.email.clone(),
        package: Some(package.name.clone()),
        before: then.worth(),
        after: None,
        why: "handed in then, but not now".to_owned(),
    }));
    changes
}

/// A package then and now.
struct PackagePair<'a> {
    package: &'a PackageReport,
    data: DataChanges,
}

impl PackagePair<'_> {
    fn change(&self, earlier: Option<&RowReport>, row: &RowReport) -> Option<GradeChange> {
        let before = earlier.and_then(RowReport::worth);
        let after = row.worth();
        let has_same_verdict =
            |earlier: &RowReport| !is_other(earlier.card.state.key(), row.card.state.key());
        let has_same_comments = |earlier: &RowReport| comments(&earlier.by_hand) == comments(&row.by_hand);
        if before == after && earlier.is_some_and(|then| has_same_verdict(then) && has_same_comments(then)) {
            return None;
        }
        let why = match earlier {
            None => "not in the earlier report".to_owned(),
            Some(earlier) => change_reasons(&self.data, earlier, row).join("; "),
        };
        Some(GradeChange {
            name: row.card.name.clone(),
            id: row.hand_in.id.clone(),
            email: row.hand_in.email.clone(),
            package: Some(self.package.name.clone()),
            before,
            after,
            why,
        })
    }
}

/// The comments by hand, with their groups.
fn comments(by_hand: &Option<RowByHand>) -> Vec<(&Option<String>, &String)> {
    let changes = by_hand.iter().flat_map(|given| &given.changes);
    changes.filter_map(|change| Some((&change.group, change.comment.as_ref()?))).collect()
}

/// Changes of a package's cases and limits.
#[derive(Default)]
struct DataChanges {
    /// Cases that a rule left out since.
    left_out: Vec<String>,
    /// Cases that a rule left out then.
    taken_in: Vec<String>,
    /// Cases that changed, are new, or are gone.
    other: Vec<String>,
    /// Changes that concern all cases.
    setting: Option<String>,
}

/// A group with a different result.
struct GroupChange<'a> {
    name: &'a str,
    /// Whether it depends on another group that was not passed, then or now.
    depends: bool,
    /// `group 2 now passes`.
    text: String,
}

/// All that is known of the reasons.
fn change_reasons(data: &DataChanges, earlier: &RowReport, row: &RowReport) -> Vec<String> {
    let run = reasons_of_run(earlier, row);
    let groups = group_changes(earlier, row);
    let is_by_hand = |name: &str| {
        let changes = row.by_hand.iter().flat_map(|given| &given.changes);
        changes
            .filter(|change| change.before != change.after)
            .any(|change| change.group.as_deref() == Some(name))
    };
    let is_explained = |group: &&GroupChange| {
        !run.is_empty() || group.depends || data.explains(group.name) || is_by_hand(group.name)
    };
    let unexplained: Vec<String> =
        groups.iter().filter(|group| !is_explained(group)).map(|group| group_in_text(group.name)).collect();
    let mut all = run.clone();
    all.extend(decided_now(earlier, row, &groups));
    all.extend(row.by_hand.iter().flat_map(RowByHand::texts));
    all.extend(gone_by_hand(earlier, row));
    all.extend(taken_off_now(earlier, row));
    all.extend(data.reasons_for(&groups));
    if all.is_empty() {
        all.push("same program, other result".to_owned());
    } else if !unexplained.is_empty() {
        let names = shortened(&unexplained, MAX_NAMED, ", ");
        all.push(format!("same program, other result in {names}"));
    }
    // The text of a change by hand has the points.
    let others = groups.into_iter().filter(|group| !is_by_hand(group.name));
    let texts: Vec<String> = others.map(|group| group.text).collect();
    all.extend(texts);
    all
}

/// Reasons that concern all groups of this participant.
fn reasons_of_run(earlier: &RowReport, row: &RowReport) -> Vec<String> {
    let mut all = Vec::new();
    if earlier.worth().is_none() {
        all.push("was not judged then".to_owned());
    }
    if row.worth().is_none() {
        all.push("is not judged now".to_owned());
    }
    if is_other(earlier.program.as_deref(), row.program.as_deref()) {
        all.push(match (earlier.hand_in.entry.as_deref(), row.hand_in.entry.as_deref()) {
            (Some(old), Some(new)) if old != new => {
                format!("another program: {} instead of {}", one_line(new), one_line(old))
            }
            _ => "other program handed in".to_owned(),
        });
    }
    if earlier.hand_in.time_factor != row.hand_in.time_factor {
        let [now, then] = [row, earlier]
            .map(|row| row.hand_in.time_factor.map_or_else(|| "1".to_owned(), |factor| factor.to_string()));
        all.push(format!("another time factor: {now} instead of {then}"));
    }
    all
}

/// Cases of these groups that a person decided since.
fn decided_now(earlier: &RowReport, row: &RowReport, groups: &[GroupChange]) -> Vec<String> {
    let then: BTreeSet<&str> =
        earlier.cases.iter().filter(|case| case.decided.is_some()).map(|case| case.name.as_str()).collect();
    let is_new = |case: &&CaseReport| {
        !then.contains(case.name.as_str()) && groups.iter().any(|group| is_below(&case.name, group.name))
    };
    row.cases.iter().filter(is_new).filter_map(decided_case).collect()
}

/// What a person had changed, and does not change any more.
fn gone_by_hand(earlier: &RowReport, row: &RowReport) -> Option<String> {
    let now: Vec<&HandChange> = row.by_hand.iter().flat_map(|given| &given.changes).collect();
    let mut then = earlier.by_hand.iter().flat_map(|given| &given.changes);
    let is_gone = |then: &HandChange| !now.iter().any(|now| now.group == then.group);
    then.any(is_gone).then(|| "no longer changed by hand".to_owned())
}

/// By the reason: how much it is follows from the points.
fn taken_off_now(earlier: &RowReport, row: &RowReport) -> Option<String> {
    let then = earlier.deduction.as_ref().map(|then| then.reason.as_str());
    match &row.deduction {
        Some(taken) if then != Some(taken.reason.as_str()) => {
            Some(format!("penalty of {:.6} points: {}", taken.points, taken.reason))
        }
        None if then.is_some() => Some("no penalty any more".to_owned()),
        Some(_) | None => None,
    }
}

fn group_changes<'a>(earlier: &RowReport, row: &'a RowReport) -> Vec<GroupChange<'a>> {
    let mut changes = Vec::new();
    for group in &row.card.groups {
        let Some(then) = earlier.card.groups.iter().find(|then| then.name == group.name) else { continue };
        let before = then.state.key();
        let after = group.state.key();
        let name = group_in_text(&group.name);
        let text = if before != after && after == Some(Verdict::Accepted.short()) {
            format!("{name} now passes")
        } else if before != after {
            format!("{name}: {}, was {}", verdict_text(after), verdict_text(before))
        } else if then.points != group.points {
            let number =
                |points: &Option<Points>| changed_points(points.as_ref()).unwrap_or("not known".to_owned());
            format!("{name}: {} points, was {}", number(&group.points), number(&then.points))
        } else {
            continue;
        };
        let depends = [before, after].contains(&Some("skipped"));
        changes.push(GroupChange { name: &group.name, depends, text });
    }
    changes
}

impl DataChanges {
    /// Compares the data of a package with its earlier report.
    fn between(earlier: &PackageReport, package: &PackageReport) -> DataChanges {
        let (Some(data), Some(data_then)) = (&package.data, &earlier.data) else {
            return DataChanges::default();
        };
        let cases = &data_then.cases;
        let then: &BTreeSet<String> = &earlier.excluded.iter().cloned().collect();
        let now: BTreeSet<String> = package.excluded.iter().cloned().collect();
        let names: BTreeSet<&String> = cases.keys().chain(data.cases.keys()).collect();
        let is_other_case = |name: &&String| {
            !then.contains(*name) && !now.contains(*name) && cases.get(*name) != data.cases.get(*name)
        };
        let is_other_setting = data_then.setting != data.setting;
        DataChanges {
            left_out: now.difference(then).cloned().collect(),
            taken_in: then.difference(&now).cloned().collect(),
            other: names.into_iter().filter(is_other_case).cloned().collect(),
            setting: if is_other_setting { Some(setting_reason(earlier, package)) } else { None },
        }
    }

    /// Whether changed data may have changed a group's result.
    fn explains(&self, group: &str) -> bool {
        let all = [&self.left_out, &self.taken_in, &self.other];
        self.setting.is_some() || all.into_iter().flatten().any(|case| is_below(case, group))
    }

    /// The changes that touch these groups.
    fn reasons_for(&self, groups: &[GroupChange]) -> Vec<String> {
        let mut all: Vec<String> = self.setting.iter().filter(|_| !groups.is_empty()).cloned().collect();
        let lists = [
            (&self.left_out, "no longer counts"),
            (&self.taken_in, "counts again"),
            (&self.other, "was changed"),
        ];
        for (cases, verb) in lists {
            let is_touching = |case: &&String| groups.iter().any(|group| is_below(case, group.name));
            let touching: Vec<&String> = cases.iter().filter(is_touching).collect();
            all.extend(touching.iter().take(MAX_NAMED).map(|case| format!("{} {verb}", case_in_text(case))));
            if let Some(more @ 1..) = touching.len().checked_sub(MAX_NAMED) {
                all.push(format!("the same of {}", counted(more, "more case")));
            }
        }
        all
    }
}

fn verdict_text(short: Option<&str>) -> String {
    let verdict = short.map(|short| Verdict::of_case(short).map_or(short.to_owned(), |it| it.to_string()));
    verdict.unwrap_or("not judged".to_owned())
}

fn setting_reason(earlier: &PackageReport, package: &PackageReport) -> String {
    if earlier.time_limit == package.time_limit {
        return "other limits, rules or validators".to_owned();
    }
    let [now, then] = [package, earlier].map(|package| package.time_limit.as_secs_f64());
    format!("the time limit is {now} s, was {then} s")
}

fn is_below(case: &str, group: &str) -> bool {
    case.strip_prefix(group).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether both are known, and differ.
fn is_other(earlier: Option<&str>, now: Option<&str>) -> bool {
    earlier.zip(now).is_some_and(|(earlier, now)| earlier != now)
}
