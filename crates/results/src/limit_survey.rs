//! The times of a package's submissions compared with its time limit. Plain data.

use super::{
    exact_seconds::{exact_seconds, optional_seconds},
    remarks::Remark,
};
use kopek_package::verdict::{Class, Verdict, short_verdict};
use kopek_plan::growth::Growth;
use serde::{Serialize, Serializer};
use std::time::Duration;

/// The result of `kopek limits`.
#[derive(Debug, Clone, Serialize)]
pub struct LimitReport {
    /// Whether everything was measured, and the limit leaves room on both sides.
    pub fits: bool,
    /// The line of the proposed limit and its place, if everything was measured and the package has another limit.
    pub to_write: Option<String>,
    /// The package's short name.
    pub package: String,
    #[serde(flatten)]
    pub survey: LimitSurvey,
    /// Problems with the limit, or with the proposal if there is no limit.
    pub remarks: Vec<Remark>,
    pub faults: Vec<String>,
}

/// The times of a package's submissions compared with its time limit.
#[derive(Debug, Clone, Serialize)]
pub struct LimitSurvey {
    /// The limit in the package, in seconds.
    #[serde(rename = "limit_seconds", serialize_with = "optional_seconds")]
    pub declared: Option<Duration>,
    /// The limit by the rule of the format; `verify` measures it only for a package without a limit.
    #[serde(rename = "proposed_seconds", serialize_with = "optional_seconds")]
    pub proposed: Option<Duration>,
    /// The limit must be at least this factor times the slowest run that must fit.
    pub ac_to_time_limit: f64,
    /// The fastest run that must not fit must take at least this factor times the limit.
    pub time_limit_to_tle: f64,
    /// Limits are multiples of this resolution.
    #[serde(rename = "time_resolution_seconds", serialize_with = "exact_seconds")]
    pub resolution: Duration,
    /// First those that must fit; then the others. `kopek limits` sorts them by role and time, the slowest first.
    pub submissions: Vec<SurveyedSubmission>,
}

/// The time of a submission compared with the limit.
#[derive(Debug, Clone, Serialize)]
pub struct SurveyedSubmission {
    /// Relative to `submissions/`.
    pub submission: String,
    /// The cases of the claims that give this role, if it has another role on other cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    pub language: Option<String>,
    /// Its verdict; on the decisive case if the role is one of several.
    #[serde(serialize_with = "verdict_word")]
    pub verdict: Option<Verdict>,
    /// Its role for the limit.
    pub role: LimitRole,
    /// The decisive case: the slowest.
    pub case: Option<String>,
    /// The run on that case.
    pub run: Option<SurveyedRun>,
    /// The reason if there is no run.
    pub unmeasured: Option<String>,
    /// How its time grows with the cases, all submissions by the same measure; `None`: they do not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<Growth>,
}

/// The role of a submission for the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitRole {
    MustFit,
    /// No role.
    Neutral,
    MustNotFit,
}

/// A run, measured once or several times.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SurveyedRun {
    #[serde(serialize_with = "short_verdict::serialize")]
    pub verdict: Verdict,
    /// The least time, which counts, in seconds.
    #[serde(rename = "seconds", serialize_with = "exact_seconds")]
    pub min: Duration,
    #[serde(rename = "most_seconds", serialize_with = "exact_seconds")]
    pub most: Duration,
    /// How often it was measured.
    pub tries: usize,
    /// Whether it was stopped at that time, and would take longer.
    pub stopped: bool,
}

/// The limits that leave room on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllowedLimits {
    pub min: Duration,
    /// `None`: unknown.
    pub max: Option<Duration>,
}

fn verdict_word<S: Serializer>(verdict: &Option<Verdict>, to: S) -> Result<S::Ok, S::Error> {
    verdict.map(Verdict::short).serialize(to)
}

impl SurveyedRun {
    /// Whether it exceeded the limit.
    pub fn is_too_slow(&self) -> bool {
        self.verdict.class() == Some(Class::Tle)
    }

    /// Combines two measurements.
    #[must_use]
    pub fn with(self, other: SurveyedRun) -> SurveyedRun {
        SurveyedRun {
            verdict: self.verdict,
            min: self.min.min(other.min),
            most: self.most.max(other.most),
            tries: self.tries + other.tries,
            stopped: self.stopped && other.stopped,
        }
    }
}

impl LimitSurvey {
    /// The limit of the package, or the proposed one.
    pub fn limit(&self) -> Option<Duration> {
        self.declared.or(self.proposed)
    }

    /// The decisive runs of submissions with a role.
    pub fn runs_of(&self, role: LimitRole) -> impl Iterator<Item = (&SurveyedSubmission, &SurveyedRun)> {
        let chosen = self.submissions.iter().filter(move |one| one.role == role);
        chosen.filter_map(|one| Some((one, one.run.as_ref()?)))
    }

    /// The limits that leave room on both sides.
    pub fn allowed_range(&self) -> Option<AllowedLimits> {
        let slowest = self.runs_of(LimitRole::MustFit).map(|(_, run)| run.min).max()?;
        let too_slow = self.runs_of(LimitRole::MustNotFit).filter(|(_, run)| !run.stopped);
        let fastest = too_slow.map(|(_, run)| run.min).min();
        let max = fastest.map(|time| time.div_f64(self.time_limit_to_tle));
        Some(AllowedLimits { min: slowest.mul_f64(self.ac_to_time_limit), max })
    }
}
