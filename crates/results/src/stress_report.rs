//! The result of a hunt for inputs on which submissions fail. Plain data.

use super::{found::Found, slow_input::SlowInput};
use kopek_plan::plan::ProbeResult;
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Value, json};
use std::time::Duration;

/// The result of a campaign.
#[derive(Debug, Clone, Default)]
pub struct StressReport {
    pub goal: StressGoal,
    /// The name of the package or of the files.
    pub title: String,
    pub seed: u64,
    /// By their indices in the ground.
    pub programs: Vec<TriedProgram>,
    /// The package's mistakes first, then the inputs that explain the most programs; in their order if equal.
    pub findings: Vec<Found>,
    /// Whether the hunt ended at an input for one submission, with others left.
    pub ended_at_first: bool,
    /// The submissions without a finding.
    pub not_found: Vec<NotFound>,
    /// Submissions that could not be tried, and why.
    pub skipped: Vec<String>,
    /// How much was tried.
    pub counts: HuntCounts,
    /// How long the hunt took, without shrinking.
    pub took: Duration,
    /// Why inputs were unusable, for each generator.
    pub complaints: Vec<String>,
    /// The complaint about a call that failed, if one did.
    pub failed_call: Option<String>,
    /// Why a run of the hunt is undecided, if one is.
    pub doubt: Option<String>,
    pub faults: Vec<String>,
}

/// A program for which inputs were looked for.
#[derive(Debug, Clone)]
pub struct TriedProgram {
    pub name: String,
    /// Whether the package claims that it is correct.
    pub claimed_right: bool,
}

impl StressReport {
    /// The program for which an input was found; `None`: the package.
    pub fn program_of(&self, found: &Found) -> Option<&TriedProgram> {
        found.program().map(|at| &self.programs[at])
    }

    /// Other programs that fail on an input.
    pub fn others_on(&self, found: &Found) -> Vec<String> {
        found
            .failures
            .iter()
            .skip(1)
            .filter_map(|one| Some(self.programs[one.program?].name.clone()))
            .collect()
    }

    fn finding_json(&self, found: &Found) -> Value {
        let program = self.program_of(found);
        let first = found.failures.first();
        let trial = first.and_then(|first| first.trial.as_ref());
        json!({
            "submission": program.map(|program| &program.name),
            "claimed_right": program.is_some_and(|program| program.claimed_right),
            "failure": first.map(|first| first.failure),
            "message": first.map(|first| &first.message),
            "difference": trial.and_then(|trial| trial.difference.as_ref()).map(|difference| difference.in_words()),
            "judge_message": trial.map(|trial| &trial.judge_message),
            "input": String::from_utf8_lossy(&found.input),
            "answer": found.answer.as_deref().unwrap_or_default(),
            "origin": found.origin.text(),
            "seconds": found.after.as_secs_f64(),
            "found_bytes": found.shrinking.found_bytes,
            "bytes": found.input.len(),
            "shrinking": found.shrinking.end,
            "tried": found.shrinking.tried,
            "steps": found.shrinking.steps,
            "also": self.others_on(found),
        })
    }
}

impl Serialize for StressReport {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let findings: Vec<Value> = self.findings.iter().map(|found| self.finding_json(found)).collect();
        let mut report = to.serialize_map(None)?;
        report.serialize_entry("title", &self.title)?;
        report.serialize_entry("seed", &self.seed)?;
        report.serialize_entry("findings", &findings)?;
        report.serialize_entry("not_found", &self.not_found)?;
        report.serialize_entry("skipped", &self.skipped)?;
        report.serialize_entry("counts", &self.counts)?;
        report.serialize_entry("seconds", &self.took.as_secs_f64())?;
        report.serialize_entry("complaints", &self.complaints)?;
        report.serialize_entry("doubt", &self.doubt)?;
        report.serialize_entry("faults", &self.faults)?;
        report.end()
    }
}

/// What inputs were looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StressGoal {
    #[default]
    Failures,
    /// Inputs on which submissions exceed the time limit.
    SlowRuns,
}

/// A submission without a failure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NotFound {
    pub name: String,
    /// Whether it is claimed to be correct.
    pub claimed_right: bool,
    /// The slowest input, if slow ones were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slowest: Option<SlowInput>,
}

/// How much was tried.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct HuntCounts {
    /// Inputs that the validators accept.
    pub valid: u64,
    /// Inputs that they refuse.
    pub refused: u64,
    /// Calls of generators that failed.
    pub failed_calls: u64,
    /// Inputs that occurred earlier in their batch.
    #[serde(skip)]
    pub repeated: u64,
    pub trials: u64,
    /// Undecided runs of submissions, because the machine was too busy.
    pub undecided: u64,
    pub rounds: u64,
}

/// After this many failed calls, and none that made an input, the generators are broken or their numbers are. That
/// is three rounds: numbers of all sizes were tried, for 2 s with a generator in Python.
const HOPELESS_CALLS: u64 = 256;

impl HuntCounts {
    pub fn add(&mut self, result: &ProbeResult) {
        self.valid += u64::from(result.valid);
        self.refused += u64::from(result.refused);
        self.failed_calls += u64::from(result.failed_calls);
        self.repeated += u64::from(result.repeated);
        self.trials += u64::from(result.trials);
        self.undecided += result.undecided.len() as u64;
    }

    pub fn join(&mut self, other: &HuntCounts) {
        let HuntCounts { valid, refused, failed_calls, repeated, trials, undecided, rounds } = *other;
        self.valid += valid;
        self.refused += refused;
        self.failed_calls += failed_calls;
        self.repeated += repeated;
        self.trials += trials;
        self.undecided += undecided;
        self.rounds += rounds;
    }

    /// Whether generators only fail.
    pub fn is_hopeless(&self) -> bool {
        self.failed_calls >= HOPELESS_CALLS && self.valid == 0 && self.refused == 0
    }
}
