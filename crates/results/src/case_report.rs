//! A case of a participant: its run, the decision of a person, and the data that the reader may see.

use kopek_base::{seconds_number, wording::one_line};
use kopek_package::package::CaseDecision;
use kopek_plan::{plan::Trial, score::CasePoints};
use kopek_sandbox::{Exit, Limit};
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::path::PathBuf;

/// A case and its results.
#[derive(Debug, Clone)]
pub struct CaseReport {
    /// Path below `data/`: `secret/1/03`.
    pub name: String,
    /// The column it belongs to: a [`GroupHead::name`].
    pub group: String,
    /// Its result; `None`: not run.
    pub trial: Option<Trial>,
    /// Its points, if the validator gives a score to each output.
    pub points: Option<CasePoints>,
    /// Why a person decided the result; no run did.
    pub decided: Option<CaseDecision>,
    /// Whether participants may see everything of it.
    pub full_feedback: bool,
    pub hint: Option<String>,
    pub args: Vec<String>,
    /// Names of the files that the submission finds beside its input, if the driver read them.
    pub files: Vec<String>,
    /// The beginning of the input, if the driver read it.
    pub input: Option<String>,
    /// The path of the input, for readers who may see the package.
    pub input_path: Option<PathBuf>,
    /// The beginning of the answer, if the driver read it.
    pub answer: Option<String>,
}

impl CaseReport {
    /// A case that was not run, and of which nothing is shown.
    pub fn named(name: String) -> CaseReport {
        CaseReport {
            name,
            group: String::new(),
            trial: None,
            points: None,
            decided: None,
            full_feedback: false,
            hint: None,
            args: Vec::new(),
            files: Vec::new(),
            input: None,
            input_path: None,
            answer: None,
        }
    }
}

/// As `run --format json` has it.
impl Serialize for CaseReport {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let trial = self.trial.as_ref();
        let run = trial.filter(|_| self.decided.is_none());
        let difference = trial.and_then(|trial| trial.difference.as_ref());
        let message = |text: fn(&Trial) -> &str| trial.map(text).filter(|text| !text.is_empty());
        let decided = self.decided.as_ref().map(|one| Decided { reason: &one.reason, by: &one.by });
        let mut json = to.serialize_map(None)?;
        json.serialize_entry("name", &self.name)?;
        json.serialize_entry("group", &self.group)?;
        json.serialize_entry("verdict", &trial.map(|trial| trial.verdict.short()))?;
        json.serialize_entry("points", &self.points.as_ref().map(|one| &one.points))?;
        json.serialize_entry("max", &self.points.as_ref().and_then(|one| one.max.as_ref()))?;
        json.serialize_entry("decided", &decided)?;
        json.serialize_entry("seconds", &run.map(|trial| seconds_number(trial.usage.cpu)))?;
        json.serialize_entry("memory_bytes", &run.map(|trial| trial.usage.memory))?;
        json.serialize_entry("exit", &run.map(|trial| exit_text(&trial.exit)))?;
        json.serialize_entry("input", &self.input_path.as_ref().map(|path| path.to_string_lossy()))?;
        json.serialize_entry("line", &difference.map(|difference| difference.line))?;
        json.serialize_entry("column", &difference.map(|difference| difference.column))?;
        json.serialize_entry("expected", &difference.and_then(|difference| difference.expected.as_ref()))?;
        json.serialize_entry("found", &difference.and_then(|difference| difference.found.as_ref()))?;
        json.serialize_entry("judge_message", &message(|trial| &trial.judge_message))?;
        json.serialize_entry("team_message", &message(|trial| &trial.team_message))?;
        json.serialize_entry("stderr", &message(|trial| &trial.stderr))?;
        json.end()
    }
}

#[derive(Serialize)]
struct Decided<'a> {
    reason: &'a str,
    by: &'a str,
}

/// How a program ended.
pub fn exit_text(exit: &Exit) -> String {
    match exit {
        Exit::Code(0) => "ended well".to_owned(),
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(number) => match signal_meaning(*number) {
            Some((name, meaning)) => format!("killed by {name} ({meaning})"),
            None => format!("killed by signal {number}"),
        },
        Exit::Exceeded(limit) => format!("stopped: {}", limit_name(*limit)),
    }
}

fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Cpu => "CPU time",
        Limit::Wall => "waited for input or slept",
        Limit::Memory => "memory",
        Limit::Output => "too much output",
        Limit::Files => "too much written to files",
        Limit::Processes => "too many processes",
    }
}

/// Signals that end a program, and what they mean for its author.
const SIGNALS: [(i32, &str, &str); 10] = [
    (4, "SIGILL", "illegal instruction"),
    (6, "SIGABRT", "aborted: a failed assertion or an uncaught exception"),
    (7, "SIGBUS", "access to memory that does not exist"),
    (8, "SIGFPE", "division by zero"),
    (9, "SIGKILL", "killed"),
    (11, "SIGSEGV", "invalid memory access, or stack overflow"),
    (13, "SIGPIPE", "the reader of its output was gone"),
    (15, "SIGTERM", "terminated"),
    (25, "SIGXFSZ", "file too large"),
    (31, "SIGSYS", "a forbidden system call"),
];

fn signal_meaning(number: i32) -> Option<(&'static str, &'static str)> {
    SIGNALS.iter().find(|(n, ..)| *n == number).map(|(_, name, meaning)| (*name, *meaning))
}

/// Who decided a case that no run decided, and why.
pub fn decision_text(decision: &CaseDecision) -> String {
    format!("decided by {}: {}", one_line(&decision.by), one_line(&decision.reason))
}
