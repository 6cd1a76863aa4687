//! A case of a participant: its run, the decision of a person, and the data that the reader may see.

use kopek_base::seconds_number;
use kopek_package::package::CaseDecision;
use kopek_plan::{plan::Trial, score::CasePoints};
use kopek_sandbox::{Exit, Limit};
use kopek_sentences::Said;
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
pub fn exit_said(exit: &Exit) -> Said {
    match exit {
        Exit::Code(0) => Said::EndedWell,
        Exit::Code(code) => Said::ExitCode { number: *code },
        Exit::Signal(number) => match SIGNALS.iter().find(|(own, ..)| own == number) {
            Some((_, name, meaning)) => {
                Said::KilledBy { signal: (*name).to_owned(), reason: meaning.clone().into() }
            }
            None => Said::KilledBySignal { number: *number },
        },
        Exit::Exceeded(limit) => Said::StoppedBy { reason: limit_said(*limit).into() },
    }
}

/// The same in English.
pub fn exit_text(exit: &Exit) -> String {
    exit_said(exit).to_string()
}

fn limit_said(limit: Limit) -> Said {
    match limit {
        Limit::Cpu => Said::CpuTime,
        Limit::Wall => Said::Waited,
        Limit::Memory => Said::Memory,
        Limit::Output => Said::TooMuchOutput,
        Limit::Files => Said::TooMuchInFiles,
        Limit::Processes => Said::TooManyProcesses,
    }
}

/// Signals that end a program, and what they mean for its author.
const SIGNALS: [(i32, &str, Said); 10] = [
    (4, "SIGILL", Said::IllegalInstruction),
    (6, "SIGABRT", Said::Aborted),
    (7, "SIGBUS", Said::NoSuchMemory),
    (8, "SIGFPE", Said::DivisionByZero),
    (9, "SIGKILL", Said::Killed),
    (11, "SIGSEGV", Said::InvalidMemory),
    (13, "SIGPIPE", Said::ReaderGone),
    (15, "SIGTERM", Said::Terminated),
    (25, "SIGXFSZ", Said::FileTooLarge),
    (31, "SIGSYS", Said::ForbiddenCall),
];

/// Who decided a case that no run decided, and why.
pub fn decision_said(decision: &CaseDecision) -> Said {
    Said::DecidedBy { by: decision.by.clone(), comment: decision.reason.clone() }
}
