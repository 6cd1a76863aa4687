//! A report as a later run completes it: every row without loss, and all that the rows of one report must share.

use super::{
    counterexamples::Counterexamples,
    notices::Notices,
    open_cases::{Evidence, OpenCase, UndecidedCase},
    report::{DataDigests, FeedbackLevel, Noise, PackageReport, Report, Slowness},
    row_report::RowReport,
    saved_rows::each,
};
use kopek_base::{
    message::{Level, Message},
    wording::{one_line, shortened},
};
use kopek_package::package::{HandIn, Lateness, Participant};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A report that a run of single participants completes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedReport {
    /// The version of kopek, because pages of two versions differ.
    pub kopek: String,
    terms: ReportTerms,
    date: String,
    dates: BTreeMap<String, String>,
    packages: Vec<SavedPackage>,
    warnings: Vec<String>,
    toolchains: BTreeSet<String>,
    faults: Vec<OpenCase>,
    undecided: Vec<SavedUndecided>,
    counterexamples: Vec<Counterexamples>,
}

/// What all rows of a report share: with other terms, points would not be comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportTerms {
    pub rules: Vec<String>,
    pub late_rule: Option<String>,
    pub feedback: FeedbackLevel,
    /// See [`Report::settings`].
    pub settings: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct SavedPackage {
    name: String,
    uuid: Option<String>,
    data: Option<DataDigests>,
    slowness: Option<Slowness>,
    repeated: usize,
    #[serde(with = "each")]
    rows: Vec<RowReport>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct SavedUndecided {
    package: String,
    participants: Vec<String>,
    case: String,
    evidence: String,
}

impl ReportTerms {
    pub fn of(report: &Report) -> ReportTerms {
        ReportTerms {
            rules: report.notices.rules.clone(),
            // The text says whether a hand-in of the class is late, which is no rule.
            late_rule: report.late_rule.as_deref().map(|rule| rule.trim_end_matches(NONE_LATE).to_owned()),
            feedback: report.feedback,
            settings: report.settings.clone(),
        }
    }

    /// What differs in a later run, in words; empty: nothing.
    fn differences(&self, now: &ReportTerms) -> Vec<String> {
        let mut all = Vec::new();
        let rules = |terms: &ReportTerms| -> Vec<String> {
            terms.rules.iter().chain(&terms.late_rule).chain(&terms.settings).cloned().collect()
        };
        let (then, later) = (rules(self), rules(now));
        let only = |these: &[String], others: &[String]| -> Vec<String> {
            these.iter().filter(|rule| !others.contains(rule)).map(|rule| one_line(rule)).collect()
        };
        let gone = only(&then, &later);
        let new = only(&later, &then);
        if !gone.is_empty() {
            all.push(format!("it has the rule: {}", shortened(&gone, 5, "; ")));
        }
        if !new.is_empty() {
            all.push(format!("it does not have the rule: {}", shortened(&new, 5, "; ")));
        }
        if self.feedback != now.feedback {
            all.push(format!("its feedback is {}, not {}", self.feedback.name(), now.feedback.name()));
        }
        all
    }
}

/// The end of a late rule in a class without late hand-ins.
pub const NONE_LATE: &str = "; no late submission found";

impl SavedReport {
    /// The whole report, for a later run.
    pub fn of(report: &Report, kopek: &str) -> SavedReport {
        let warnings = report.notices.warning_texts();
        let Notices { toolchains, faults, undecided, .. } = report.notices.clone();
        let undecided = undecided.into_iter().map(|open| SavedUndecided {
            evidence: open.evidence.to_string(),
            package: open.package,
            participants: open.participants,
            case: open.case,
        });
        SavedReport {
            kopek: kopek.to_owned(),
            terms: ReportTerms::of(report),
            date: report.date.clone(),
            dates: report.dates.clone(),
            packages: report.packages.iter().map(SavedPackage::of).collect(),
            warnings,
            toolchains,
            faults,
            undecided: undecided.collect(),
            counterexamples: report.counterexamples.clone(),
        }
    }

    /// Names of all participants.
    pub fn names(&self) -> BTreeSet<&str> {
        self.rows().map(|row| row.card.name.as_str()).collect()
    }

    /// All rows; a participant has one for each package.
    pub fn rows(&self) -> impl Iterator<Item = &RowReport> {
        self.packages.iter().flat_map(|package| &package.rows)
    }

    /// Of the participants who are not graded now, those whose rulings the teacher has changed since.
    pub fn ruled_otherwise(&self, package: &str, others: &[Participant]) -> BTreeSet<String> {
        let saved = self.packages.iter().filter(|own| own.name == package).flat_map(|own| &own.rows);
        let mut found = BTreeSet::new();
        for row in saved {
            let mut attempts = others.iter().filter(|one| one.name == row.card.name).peekable();
            let was = own_rulings(&row.hand_in);
            if attempts.peek().is_some() && attempts.all(|attempt| own_rulings(&attempt.hand_in) != was) {
                found.insert(row.card.name.clone());
            }
        }
        found
    }

    /// What differs in a run with these terms, packages and data; empty: it can complete the report.
    pub fn differences(&self, terms: &ReportTerms, packages: &[PackageReport]) -> Vec<String> {
        let mut all = self.terms.differences(terms);
        let name = |package: &SavedPackage| one_line(&package.name);
        for package in packages {
            let Some(own) = self.packages.iter().find(|own| own.is_of(package)) else {
                all.push(format!("it has no package {}", one_line(&package.name)));
                continue;
            };
            if let (Some(then), Some(now)) = (&own.data, &package.data) {
                all.extend(data_difference(then, now).map(|what| format!("{}: {what}", name(own))));
            }
        }
        for own in &self.packages {
            if !packages.iter().any(|package| own.is_of(package)) {
                all.push(format!("it also has the package {}", name(own)));
            }
        }
        all
    }

    /// Adds the rows of all participants that the report does not have, as they were then.
    pub fn complete(self, report: &mut Report) {
        let new: BTreeSet<String> = report
            .packages
            .iter()
            .flat_map(|package| &package.rows)
            .map(|row| row.card.name.clone())
            .collect();
        let mut dates = self.dates.clone();
        for name in self.names() {
            dates.entry(name.to_owned()).or_insert_with(|| self.date.clone());
        }
        dates.retain(|name, _| !new.contains(name));
        report.dates = dates;
        let known = report.notices.warning_texts();
        let is_new = |text: &String| !known.contains(text);
        let teachers = |text: String| Message::new(Level::Warning, text);
        let earlier = Notices {
            warnings: self.warnings.into_iter().filter(is_new).map(teachers).collect(),
            toolchains: self.toolchains,
            faults: self.faults.into_iter().filter(|open| !is_about(&open.what, &new)).collect(),
            undecided: self.undecided.into_iter().filter_map(|open| open.without(&new)).collect(),
            ..Notices::default()
        };
        report.notices.add(earlier);
        for found in self.counterexamples {
            match report.counterexamples.iter_mut().find(|own| own.package == found.package) {
                Some(own) => own.add_others(found, &new),
                None => report.counterexamples.push(found),
            }
        }
        for saved in self.packages {
            if let Some(package) = report.packages.iter_mut().find(|package| saved.is_of(package)) {
                saved.complete(package, &new, &report.notices.undecided);
            }
        }
        let mut rows = report.packages.iter().flat_map(|package| &package.rows);
        if rows.any(|row| matches!(row.hand_in.late, Some(Lateness::By(_)))) {
            report.late_rule = ReportTerms::of(report).late_rule;
        }
    }
}

/// The teacher's rulings for a participant, wherever in their tables.
fn own_rulings(hand_in: &HandIn) -> HandIn {
    let mut own = HandIn {
        extension: hand_in.extension,
        time_factor: hand_in.time_factor,
        decisions: hand_in.decisions.clone(),
        by_hand: hand_in.by_hand.clone(),
        total_by_hand: hand_in.total_by_hand.clone(),
        ..HandIn::default()
    };
    own.decisions.iter_mut().for_each(|decision| decision.line = 0);
    own.by_hand.iter_mut().chain(&mut own.total_by_hand).for_each(|given| given.line = 0);
    own
}

/// Whether an open job is one of these participants': `ada`, `ada on secret/1/03`.
fn is_about(what: &str, names: &BTreeSet<String>) -> bool {
    names.contains(what) || names.iter().any(|name| what.starts_with(&format!("{name} on ")))
}

impl SavedUndecided {
    /// The case of those participants who have no new row.
    fn without(mut self, new: &BTreeSet<String>) -> Option<UndecidedCase> {
        self.participants.retain(|name| !new.contains(name));
        if self.participants.is_empty() {
            return None;
        }
        let evidence = Evidence::Doubt(self.evidence);
        Some(UndecidedCase {
            package: self.package,
            participants: self.participants,
            case: self.case,
            evidence,
        })
    }
}

impl SavedPackage {
    fn of(package: &PackageReport) -> SavedPackage {
        SavedPackage {
            name: package.name.clone(),
            uuid: package.uuid.clone(),
            data: package.data.clone(),
            slowness: package.noise.slowness,
            repeated: package.noise.repeated,
            rows: package.rows.clone(),
        }
    }

    /// Rows have the name of the package in file names and texts, so it must be the same, too.
    fn is_of(&self, package: &PackageReport) -> bool {
        self.name == package.name && self.uuid == package.uuid
    }

    fn complete(self, package: &mut PackageReport, new: &BTreeSet<String>, undecided: &[UndecidedCase]) {
        let mut rows = self.rows;
        rows.retain(|row| !new.contains(&row.card.name));
        for row in &mut package.rows {
            row.same_as = row.same_as.take().or_else(|| twin_of(row, &rows));
        }
        for row in &mut rows {
            let of_twin = package.rows.iter().find(|new| Some(&new.card.name) == row.same_as.as_ref());
            if of_twin.is_some_and(|twin| twin.program != row.program) {
                row.same_as = None;
            }
        }
        package.rows.extend(rows);
        package.rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
        let Noise { slowness, repeated, .. } = package.noise;
        package.noise = Noise {
            slowness: [slowness, self.slowness]
                .into_iter()
                .flatten()
                .max_by(|a, b| a.worst.total_cmp(&b.worst)),
            repeated: repeated + self.repeated,
            undecided: undecided.iter().filter(|open| open.package == package.name).count(),
        };
    }
}

/// Who handed in the same program; a team may.
fn twin_of(row: &RowReport, others: &[RowReport]) -> Option<String> {
    let program = row.program.as_ref()?;
    let group = &row.hand_in.group;
    let is_apart = |other: &RowReport| group.is_none() || other.hand_in.group != *group;
    let twin = others.iter().find(|other| other.program.as_ref() == Some(program) && is_apart(other))?;
    Some(twin.card.name.clone())
}

fn data_difference(then: &DataDigests, now: &DataDigests) -> Option<String> {
    if then.whole == now.whole {
        return None;
    }
    if then.setting != now.setting {
        return Some("it was judged with other limits, rules or validators".to_owned());
    }
    let names: BTreeSet<&String> = then.cases.keys().chain(now.cases.keys()).collect();
    let changed = names.into_iter().filter(|name| then.cases.get(*name) != now.cases.get(*name));
    let changed: Vec<String> = changed.map(|name| one_line(name)).collect();
    Some(format!("it was judged with other cases: {}", shortened(&changed, 5, ", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        by_hand::{HandChange, RowByHand},
        late_steps::LateSteps,
        row_report::Deduction,
    };
    use kopek_package::{
        package::{NoSubmission, PointsByHand, PointsChange},
        points::Points,
    };
    use std::time::Duration;

    fn points(text: &str) -> Points {
        text.parse().unwrap()
    }

    fn participant(name: &str, hand_in: HandIn) -> Participant {
        let submission = Err(NoSubmission::Absent("nothing".into()));
        Participant { name: name.into(), file: name.into(), hand_in, submission }
    }

    fn by_hand(line: u64, change: PointsChange) -> PointsByHand {
        let [comment, by] = ["good idea", "Noether"].map(String::from);
        PointsByHand { group: Some("2".into()), change: Some(change), comment: Some(comment), by, line }
    }

    fn extended(line: u64, set: u64) -> HandIn {
        HandIn {
            extension: Duration::from_secs(172_800),
            late: Some(Lateness::By(Duration::from_millis(1_500))),
            by_hand: vec![by_hand(line, PointsChange::Set(points("0.1") * Points::from(set)))],
            ..HandIn::default()
        }
    }

    #[test]
    fn a_row_is_read_as_it_was() {
        let mut row = RowReport::unjudged(&participant("ada", extended(2, 7)));
        let third = Some(Points::from(100) / 3);
        row.card.points = third.clone();
        row.by_hand = Some(RowByHand {
            automatic_points: third.clone(),
            changes: vec![HandChange {
                group: Some("secret/2".into()),
                before: None,
                after: third,
                comment: Some("good idea".into()),
                by: "Noether".into(),
            }],
        });
        row.late_steps = Some(LateSteps { grace: Duration::from_millis(1), ..LateSteps::default() });
        row.deduction = Some(Deduction { points: Points::from(10) / 3, reason: "a day late".into() });
        let mut saved = Vec::new();
        each::serialize(std::slice::from_ref(&row), &mut serde_json::Serializer::new(&mut saved)).unwrap();
        let read: Vec<RowReport> =
            each::deserialize(&mut serde_json::Deserializer::from_slice(&saved)).unwrap();
        assert_eq!(format!("{read:?}"), format!("{:?}", [row]));
    }

    #[test]
    fn rulings_for_others_that_changed_since_are_found() {
        let rows = ["ada", "bob"].map(|name| RowReport::unjudged(&participant(name, extended(2, 7))));
        let package = SavedPackage {
            name: "sums".into(),
            uuid: None,
            data: None,
            slowness: None,
            repeated: 0,
            rows: rows.into(),
        };
        let report = SavedReport { packages: vec![package], ..SavedReport::of(&Report::default(), "0") };
        // A row of the table above theirs changes nothing.
        let others = [participant("ada", extended(3, 8)), participant("bob", extended(3, 7))];
        assert_eq!(report.ruled_otherwise("sums", &others), BTreeSet::from(["ada".to_owned()]));
        assert!(
            report.ruled_otherwise("sums", &[]).is_empty()
                && report.ruled_otherwise("nim", &others).is_empty()
        );
    }
}
