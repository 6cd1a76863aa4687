//! Results of a cohort, as every format shows them.

use super::{
    counterexamples::{Counterexamples, OwnCounterexample},
    course_totals::CourseTotals,
    note::Note,
    notices::Notices,
    open_cases::{OpenCase, UndecidedCase},
    report_changes::{GradeChange, ReportChanges},
    row_report::{RowReport, row_remarks},
};
use kopek_base::{Bytes, deserialize_seconds, serialize_seconds};
use kopek_package::{
    package::{Audience, Lateness, Subject, is_sample},
    points::{Points, exact_json},
};
use kopek_sentences::{PageLanguage, Said, serialize_all_said};
use serde::{Deserialize, Serialize, Serializer};
use std::{borrow::Cow, collections::BTreeMap, str::FromStr, time::Duration};

/// A row, and the name of its package.
pub struct RowOfPackage<'a> {
    pub package: &'a str,
    pub row: &'a RowReport,
}

/// Results of one package or several, of one participant or many.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// What the teacher calls all packages together.
    pub title: Option<String>,
    /// In the order in which they are shown.
    pub packages: Vec<PackageReport>,
    /// The totals, if a course has rules for them; else they are the sums of the packages' points.
    pub sheet: Option<CourseTotals>,
    /// The kind of isolation, in a few words.
    pub isolation: String,
    /// The machine, in a few words.
    pub machine: String,
    pub notices: Notices,
    /// How long it took.
    pub elapsed: Duration,
    /// When it was judged, as people write it; empty: not known.
    pub date: String,
    /// Whether participants have numbers instead of names.
    pub anonymous: bool,
    /// Where the rules come from, which only the teacher reads.
    pub rules_from: Option<String>,
    /// The penalty for late submissions; it concerns late participants only.
    pub late_rule: Option<Said>,
    /// How much participants see of the cases.
    pub feedback: FeedbackLevel,
    /// In which participants read about it.
    pub language: PageLanguage,
    /// Points that changed since an earlier report; `None`: not asked for.
    pub since: Option<ReportChanges>,
    /// Inputs on which failing programs fail, for each package; empty: not asked for.
    pub counterexamples: Vec<Counterexamples>,
}

impl Report {
    /// All rulings of the teacher, the late penalty last.
    pub fn all_rules(&self) -> Vec<Said> {
        let rules: Vec<&Said> = self.notices.rules.iter().chain(&self.late_rule).collect();
        // Where they come from is no rule.
        let from = if rules.is_empty() { None } else { self.rules_from.clone() };
        let from = from.map(Said::foreign);
        from.into_iter().chain(rules.into_iter().cloned()).collect()
    }

    /// The rulings that can change the points of these rows.
    pub fn rules_for<'r>(&self, rows: impl IntoIterator<Item = &'r RowReport>) -> Vec<Said> {
        let is_late = rows.into_iter().any(|row| matches!(row.hand_in.late, Some(Lateness::By(_))));
        self.notices.rules.iter().chain(self.late_rule.iter().filter(|_| is_late)).cloned().collect()
    }

    /// Whether points or the verdict of a participant are others than in the earlier report.
    pub fn has_changed(&self, name: &str) -> bool {
        self.since.iter().any(|since| since.of(name).next().is_some())
    }

    /// With these rows only, and without inputs for the class.
    pub fn with_rows(&self, keeps: &dyn Fn(&RowOfPackage) -> bool) -> Report {
        let mut part = Report { counterexamples: Vec::new(), ..self.clone() };
        for PackageReport { name, rows, .. } in &mut part.packages {
            rows.retain(|row| keeps(&RowOfPackage { package: name.as_str(), row }));
        }
        part
    }

    /// The sheet, if it has only one package, whose table shows the totals then.
    pub fn totals_of_only_package(&self) -> Option<&CourseTotals> {
        self.sheet.as_ref().filter(|_| self.packages.len() == 1)
    }

    /// Everything that was not judged.
    pub fn all_faults(&self) -> Vec<String> {
        let undecided = self.notices.undecided.iter().map(UndecidedCase::to_string);
        self.notices.faults.iter().map(OpenCase::to_string).chain(undecided).collect()
    }

    /// The inputs for a package; `None`: not asked for.
    pub fn counterexamples_of(&self, package: &str) -> Option<&Counterexamples> {
        self.counterexamples.iter().find(|found| found.package == package)
    }

    /// The input that a participant may see.
    pub fn counterexample_for(&self, package: &str, name: &str) -> Option<OwnCounterexample<'_>> {
        match self.feedback {
            FeedbackLevel::Brief => None,
            FeedbackLevel::AsDeclared | FeedbackLevel::Names | FeedbackLevel::Full => {
                self.counterexamples_of(package)?.of_participant(name)
            }
        }
    }
}

/// With up to six decimals, so that a small change is visible.
pub fn changed_points(points: Option<&Points>) -> Option<String> {
    Some(format!("{:.6}", points?))
}

/// As [`changed_points`], with a sign for points that are not known.
pub fn points_or_dash(points: &Option<Points>) -> String {
    changed_points(points.as_ref()).unwrap_or_else(|| "–".to_owned())
}

/// How much participants see of the cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum FeedbackLevel {
    /// Names and verdicts of all cases, and the data of those with full feedback in the package.
    #[default]
    AsDeclared,
    /// Points and verdicts of groups; single cases only of the samples.
    Brief,
    /// Names and verdicts of cases, too; the data of the samples only.
    Names,
    /// Everything of every case.
    Full,
}

impl FeedbackLevel {
    /// The levels that a teacher can choose.
    pub const CHOICES: [FeedbackLevel; 3] = [FeedbackLevel::Brief, FeedbackLevel::Names, FeedbackLevel::Full];

    /// As the option has it.
    pub fn name(self) -> &'static str {
        match self {
            FeedbackLevel::AsDeclared => "as the package says",
            FeedbackLevel::Brief => "brief",
            FeedbackLevel::Names => "names",
            FeedbackLevel::Full => "full",
        }
    }
}

impl FromStr for FeedbackLevel {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<FeedbackLevel, &'static str> {
        let level = FeedbackLevel::CHOICES.into_iter().find(|level| level.name() == text);
        level.ok_or("write brief, names or full")
    }
}

/// Results of one package.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PackageReport {
    #[serde(rename = "package")]
    pub name: String,
    /// The package's own identity, which stays when its folder is renamed.
    pub uuid: Option<String>,
    /// Its title; may be empty.
    pub title: String,
    /// Whether it gives points, or only a verdict.
    pub kind: ResultKind,
    /// CPU time per case.
    #[serde(
        rename = "time_limit_seconds",
        serialize_with = "serialize_seconds",
        deserialize_with = "deserialize_seconds"
    )]
    pub time_limit: Duration,
    /// Memory per case.
    #[serde(rename = "memory_limit_bytes")]
    pub memory_limit: Bytes,
    /// How noisy the machine was.
    #[serde(flatten)]
    pub noise: Noise,
    /// The groups, in the order of every scorecard's groups.
    pub groups: Vec<GroupHead>,
    /// One per participant.
    #[serde(rename = "participants", serialize_with = "serialize_rows")]
    pub rows: Vec<RowReport>,
    /// Digests of the test data; `None`: not known.
    #[serde(flatten)]
    pub data: Option<DataDigests>,
    /// Cases that the teacher ruled out, by their names.
    #[serde(rename = "excluded_cases")]
    pub excluded: Vec<String>,
}

/// With their remarks, and in a fixed order, so that two reports can be compared line by line.
fn serialize_rows<S: Serializer>(rows: &[RowReport], to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct RemarkedRow<'a> {
        #[serde(flatten)]
        row: &'a RowReport,
        #[serde(serialize_with = "serialize_all_said")]
        notes: Vec<Said>,
    }
    let notes = |row| row_remarks(row, Audience::Teacher).into_iter().map(|note| note.said).collect();
    let remarked = |row| RemarkedRow { row, notes: notes(row) };
    let mut rows: Vec<RemarkedRow> = rows.iter().map(remarked).collect();
    rows.sort_by_key(|remarked| &remarked.row.card.name);
    rows.serialize(to)
}

/// A package of `report.json`, as it is written and read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredPackage<'a> {
    /// [`StoredPackage::VERSION`].
    pub version: u32,
    #[serde(flatten)]
    pub package: Cow<'a, PackageReport>,
    /// Since an earlier report; `None`: not asked for.
    pub changes: Option<Vec<Cow<'a, GradeChange>>>,
    /// The same for all packages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub total_changes: Vec<Cow<'a, GradeChange>>,
    /// The same for all packages.
    pub sheet: Option<Cow<'a, CourseTotals>>,
    /// Whether participants have numbers instead of names.
    pub anonymous: bool,
}

impl<'a> StoredPackage<'a> {
    /// Raised when a key gets another meaning, so that no later kopek compares with a report that it misunderstands.
    pub const VERSION: u32 = 2;

    pub fn of(package: &'a PackageReport, report: &'a Report) -> StoredPackage<'a> {
        let changes_of = |package: Option<&str>| -> Option<Vec<Cow<'a, GradeChange>>> {
            let all = report.since.as_ref()?.changes.iter();
            Some(all.filter(|one| one.package.as_deref() == package).map(Cow::Borrowed).collect())
        };
        StoredPackage {
            version: StoredPackage::VERSION,
            package: Cow::Borrowed(package),
            changes: changes_of(Some(&package.name)),
            total_changes: changes_of(None).unwrap_or_default(),
            sheet: report.sheet.as_ref().map(Cow::Borrowed),
            anonymous: report.anonymous,
        }
    }
}

impl PackageReport {
    /// The groups as people look at them: the samples first, the others in judging order.
    pub fn samples_first(&self) -> Vec<&GroupHead> {
        let mut groups: Vec<&GroupHead> = self.groups.iter().collect();
        groups.sort_by_key(|group| !is_sample(&group.name));
        groups
    }

    /// The time limit that a row has.
    pub fn time_limit_of(&self, row: &RowReport) -> Duration {
        row.hand_in.time_factor.map_or(self.time_limit, |factor| factor.of(self.time_limit))
    }

    /// Leaves one row for each participant: the attempt with the most points, of equal ones the latest.
    /// An attempt without known points could be the best, so it is kept.
    pub fn keep_best_attempts(&mut self) {
        let mut best: Vec<RowReport> = Vec::new();
        let mut counts: Vec<usize> = Vec::new();
        for row in std::mem::take(&mut self.rows) {
            match best.iter().position(|other| other.card.name == row.card.name) {
                None => {
                    best.push(row);
                    counts.push(1);
                }
                Some(at) => {
                    counts[at] += 1;
                    if is_better(&row, &best[at]) {
                        best[at] = row;
                    }
                }
            }
        }
        for (row, count) in best.iter_mut().zip(counts).filter(|(_, count)| *count > 1) {
            row.notes.push(Note::new(Subject::Whole, Said::BestOfAttempts { number: count }));
        }
        self.rows = best;
    }
}

fn is_better(row: &RowReport, other: &RowReport) -> bool {
    match (row.worth(), other.worth()) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(points), Some(others)) => {
            points > others || points == others && row.hand_in.attempt >= other.hand_in.attempt
        }
    }
}

/// Digests that show a later report which data changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataDigests {
    /// Changes with all of it.
    #[serde(rename = "data")]
    pub whole: String,
    /// Changes with the limits and the validators.
    pub setting: String,
    /// Of each case that counts.
    #[serde(rename = "case_digests")]
    pub cases: BTreeMap<String, String>,
}

/// How noisy the machine was while a package was judged.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Noise {
    /// How slow it was; `None`: not measured, because nothing needed it.
    #[serde(rename = "slowdown")]
    pub slowness: Option<Slowness>,
    /// How many runs above the limit were repeated.
    #[serde(rename = "repeated_runs")]
    pub repeated: usize,
    /// How many cases no run decided.
    #[serde(skip)]
    pub undecided: usize,
}

/// How many times slower than idle a machine was.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Slowness {
    /// In the worst moment.
    pub worst: f64,
    /// In the middle one.
    pub median: f64,
}

/// The kind of a package's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultKind {
    Scoring,
    /// A verdict only.
    PassFail,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupHead {
    /// Path below `data/`.
    pub name: String,
    /// Maximum score; `None`: unbounded, or it gives none.
    #[serde(with = "exact_json")]
    pub max: Option<Points>,
}

/// What a person can be known by. Numbers of different kinds may be equal, so each is looked for in its own column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonKey {
    /// Moodle's number of a participant.
    Participant,
    /// Canvas' number of a user.
    User,
    /// The number that the institution gave.
    Student,
    /// The e-mail address.
    Email,
    /// The name for logging in.
    Account,
    /// The name, which others may have, too.
    Name,
}

/// Facts that a platform states about a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubmissionCells<'a> {
    /// Its status: `Submitted for grading - 1 day late`.
    pub status: Option<&'a str>,
    /// When it was changed last.
    pub modified: Option<&'a str>,
}
