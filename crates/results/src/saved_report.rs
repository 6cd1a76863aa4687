//! A report as a later run completes it: every row without loss, and all that the rows of one report must share.
//!
//! The other types here serialise as `report.json`, which leaves out what only pages show.

use super::{
    by_hand::{HandChange, RowByHand},
    case_report::CaseReport,
    counterexamples::Counterexamples,
    late_steps::LateSteps,
    notices::Notices,
    open_cases::{Evidence, OpenCase, UndecidedCase},
    report::{DataDigests, FeedbackLevel, Noise, PackageReport, Report, Slowness},
    row_report::{Deduction, RowReport},
};
use kopek_base::{
    Digest,
    wording::{one_line, shortened},
};
use kopek_engine::{
    language::{FileBytes, SourceFile},
    package::{CaseDecision, HandIn, Lateness, Participant},
    plan::Trial,
    points::Points,
    score::{GroupScore, Scorecard, State},
    verdict::Verdict,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    time::Duration,
};

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
            // Whether anybody is late is no term.
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

/// The end of a late rule that nobody in the class has to do with.
pub const NONE_LATE: &str = "; no late submission found";

impl SavedReport {
    /// The whole report, for a later run.
    pub fn of(report: &Report, kopek: &str) -> SavedReport {
        let Notices { warnings, toolchains, faults, undecided, .. } = report.notices.clone();
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
        let rows = self.packages.iter().flat_map(|package| &package.rows);
        rows.map(|row| row.card.name.as_str()).collect()
    }

    /// A row of each participant.
    pub fn rows(&self) -> impl Iterator<Item = &RowReport> {
        self.packages.iter().flat_map(|package| &package.rows)
    }

    /// Participants of a package who are not graded now, and for whom the teacher has ruled otherwise since.
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
        let mut dates = self.dates;
        for name in self.packages.iter().flat_map(|package| &package.rows).map(|row| &row.card.name) {
            dates.entry(name.clone()).or_insert_with(|| self.date.clone());
        }
        dates.retain(|name, _| !new.contains(name));
        report.dates = dates;
        let earlier = Notices {
            warnings: self.warnings,
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
        ..HandIn::default()
    };
    own.decisions.iter_mut().for_each(|decision| decision.line = 0);
    own.by_hand.iter_mut().for_each(|given| given.line = 0);
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
        return Some("it was judged with other limits or validators".to_owned());
    }
    let names: BTreeSet<&String> = then.cases.keys().chain(now.cases.keys()).collect();
    let changed = names.into_iter().filter(|name| then.cases.get(*name) != now.cases.get(*name));
    let changed: Vec<String> = changed.map(|name| one_line(name)).collect();
    Some(format!("it was judged with other cases: {}", shortened(&changed, 5, ", ")))
}

/// A type with a form for saved reports besides that of `report.json`.
trait Saved: Sized {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error>;
    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error>;
}

/// For `#[serde(with = …)]`: a list in this form.
mod each {
    use super::{Deserialize, Deserializer, Saved, Serialize, Serializer};

    struct One<T>(T);

    impl<T: Saved> Serialize for One<&T> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            self.0.save(to)
        }
    }

    impl<'de, T: Saved> Deserialize<'de> for One<T> {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<One<T>, D::Error> {
            T::load(from).map(One)
        }
    }

    pub(super) fn serialize<T: Saved, S: Serializer>(all: &[T], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(all.iter().map(One))
    }

    pub(super) fn deserialize<'de, T: Saved, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
        Ok(Vec::<One<T>>::deserialize(from)?.into_iter().map(|one| one.0).collect())
    }
}

/// For `#[serde(with = …)]`: one in this form, or none.
mod maybe {
    use super::{Deserializer, Saved, Serializer, each};

    pub(super) fn serialize<T: Saved, S: Serializer>(one: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        each::serialize(one.as_slice(), to)
    }

    pub(super) fn deserialize<'de, T: Saved, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
        Ok(each::deserialize(from)?.pop())
    }
}

macro_rules! saved_as {
    ($($own:ty => $form:ident),* $(,)?) => {$(
        impl Saved for $own {
            fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $form::serialize(self, to)
            }

            fn load<'de, D: Deserializer<'de>>(from: D) -> Result<$own, D::Error> {
                $form::deserialize(from)
            }
        }
    )*};
}

saved_as! {
    RowReport => SavedRow,
    CaseReport => SavedCase,
    GroupScore => SavedGroup,
    RowByHand => SavedByHand,
    HandChange => SavedHandChange,
    LateSteps => SavedLateSteps,
    Deduction => SavedDeduction,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RowReport")]
struct SavedRow {
    #[serde(with = "SavedCard")]
    card: Scorecard,
    program: Option<String>,
    file: String,
    #[serde(with = "source_text")]
    source: FileBytes,
    hand_in: HandIn,
    #[serde(with = "maybe")]
    by_hand: Option<RowByHand>,
    #[serde(with = "maybe")]
    late_steps: Option<LateSteps>,
    #[serde(with = "maybe")]
    deduction: Option<Deduction>,
    language: Option<String>,
    notes: Vec<String>,
    same_as: Option<String>,
    compile_message: String,
    #[serde(with = "each")]
    cases: Vec<CaseReport>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Scorecard")]
struct SavedCard {
    name: String,
    points: Option<Points>,
    max: Option<Points>,
    #[serde(with = "SavedState")]
    state: State,
    #[serde(with = "each")]
    groups: Vec<GroupScore>,
    slowest: Option<(String, Duration)>,
    judge_errors: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "GroupScore")]
struct SavedGroup {
    name: String,
    points: Option<Points>,
    max: Option<Points>,
    #[serde(with = "SavedState")]
    state: State,
    culprit: Option<String>,
    slowest: Option<(String, Duration)>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "State")]
enum SavedState {
    Decided(Verdict),
    Requires(String),
    Unknown(usize),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CaseReport")]
struct SavedCase {
    name: String,
    group: String,
    trial: Option<Trial>,
    decided: Option<CaseDecision>,
    full_feedback: bool,
    hint: Option<String>,
    args: Vec<String>,
    files: Vec<String>,
    input: Option<String>,
    input_path: Option<PathBuf>,
    answer: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RowByHand")]
struct SavedByHand {
    automatic_points: Option<Points>,
    #[serde(with = "each")]
    changes: Vec<HandChange>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "HandChange")]
struct SavedHandChange {
    group: Option<String>,
    before: Option<Points>,
    after: Option<Points>,
    comment: Option<String>,
    by: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LateSteps")]
struct SavedLateSteps {
    extension: Duration,
    grace: Duration,
    budget: Duration,
    counted: Duration,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Deduction")]
struct SavedDeduction {
    points: Points,
    reason: String,
}

/// Programs as texts, which most are.
mod source_text {
    use super::{Deserialize, Deserializer, Digest, FileBytes, Serialize, Serializer, SourceFile};
    use std::path::PathBuf;

    #[derive(Serialize, Deserialize)]
    struct SavedFile {
        path: PathBuf,
        contents: Contents,
        executable: bool,
    }

    #[derive(Serialize, Deserialize)]
    enum Contents {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(files: &FileBytes, to: S) -> Result<S::Ok, S::Error> {
        let saved = |(path, file): (&PathBuf, &SourceFile)| SavedFile {
            path: path.clone(),
            contents: match std::str::from_utf8(&file.bytes) {
                Ok(text) => Contents::Text(text.to_owned()),
                Err(_) => Contents::Bytes(file.bytes.to_vec()),
            },
            executable: file.executable,
        };
        to.collect_seq(files.iter().map(saved))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<FileBytes, D::Error> {
        let read = Vec::<SavedFile>::deserialize(from)?.into_iter().map(|file| {
            let bytes = match file.contents {
                Contents::Text(text) => text.into_bytes(),
                Contents::Bytes(bytes) => bytes,
            };
            let digest = Digest::of(&bytes);
            (file.path, SourceFile { bytes: bytes.into(), digest, executable: file.executable })
        });
        Ok(read.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_engine::package::{NoSubmission, PointsByHand, PointsChange};

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
