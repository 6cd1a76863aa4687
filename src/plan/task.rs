//! Jobs as plain values, and the keys made of everything that can change their outcome.

use crate::{
    base::{Bytes, Digest, Fields},
    language::{Language, Source, Toolchain},
    package::{Case, Format, NamedFiles},
    sandbox::{Exec, Limits},
};
use serde::Serialize;
use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};

/// A digest of everything that can change a job's outcome.
pub type Key = Digest;

/// A job: a plain value with its key.
#[derive(Debug, Clone)]
pub struct Job {
    /// Names the fact that will come of it.
    pub key: Key,
    /// What to do.
    pub task: Task,
}

/// What to do.
#[derive(Debug, Clone)]
pub enum Task {
    /// Build a program.
    Build(Arc<BuildTask>),
    /// Run it on a case and check the output.
    Trial(TrialTask),
    /// Ask the static validator about its files.
    Static(StaticTask),
}

/// A static validation: one program for one group.
#[derive(Debug, Clone)]
pub struct StaticTask {
    /// How the program was built.
    pub program: Arc<BuildTask>,
    /// Name of the blob that holds its files.
    pub blob: Digest,
    /// The file or class that would be run.
    pub entry: String,
    /// What is asked.
    pub case: Arc<StaticCase>,
}

/// What the static validator is asked for a group.
#[derive(Debug, Clone)]
pub struct StaticCase {
    /// Name of the group.
    pub group: String,
    /// Arguments of the group.
    pub args: Vec<String>,
    /// The validator, built.
    pub validator: Ready,
}

impl StaticCase {
    /// What of a validation's key is the same for all programs.
    pub(super) fn digest(&self, isolation: &str) -> Digest {
        Fields::new("static case 1")
            .with("group", self.group.as_bytes())
            .with("args", &json(&self.args))
            .with("validator", self.validator.identity().as_bytes())
            .with("isolation", isolation.as_bytes())
            .digest()
    }
}

/// How to build a program.
#[derive(Debug, Clone)]
pub struct BuildTask {
    /// Its files.
    pub source: Source,
    /// Digest of the files as they are laid out, with what is laid over them, and of the entry point.
    pub digest: Digest,
    /// The row of the table.
    pub language: Language,
    /// What the row's commands really are.
    pub toolchain: Toolchain,
    /// Entry point, if declared.
    pub entry: Option<String>,
    /// Files of the package laid over the sources before building.
    pub include: Option<Source>,
    /// Limits of the compiler.
    pub limits: Limits,
    /// Greatest size of the sources.
    pub code: Bytes,
    /// The kind of isolation.
    pub isolation: String,
    /// The key, once computed: it is asked for at every trial.
    pub cached: OnceLock<Key>,
}

impl BuildTask {
    /// The key of the build.
    pub fn key(&self) -> Key {
        *self.cached.get_or_init(|| self.fields().digest())
    }

    fn fields(&self) -> Fields {
        Fields::new("build 1")
            .with("source", self.digest.as_bytes())
            .with("language", self.language.digest().as_bytes())
            .with("toolchain", self.toolchain.digest.as_bytes())
            .with("limits", &json(&self.limits))
            .with("code", &json(&self.code))
            .with("isolation", self.isolation.as_bytes())
    }
}

/// A trial: one program on one case.
#[derive(Debug, Clone)]
pub struct TrialTask {
    /// How the program was built: its language tells how to run it.
    pub program: Arc<BuildTask>,
    /// Name of the blob that holds the built files.
    pub blob: Digest,
    /// The file or class that is run.
    pub entry: String,
    /// The case.
    pub case: Arc<Case>,
    /// What is the same for all trials.
    pub setting: Arc<Setting>,
}

/// What is the same for all trials of a plan.
#[derive(Debug, Clone)]
pub struct Setting {
    /// What happens in a trial.
    pub course: Course,
    /// Limits of a run; `cpu` is the limit that decides.
    pub limits: Limits,
    /// CPU time at which a run is stopped: beyond the limit, so that near misses can be told apart.
    pub stop: Duration,
    /// CPU time above which a run is tried again even if it keeps the limit.
    pub doubt: Option<Duration>,
    /// How outputs are checked.
    pub checker: Checker,
    /// The directory of all cases, which validators may see.
    pub data: PathBuf,
    /// Whether submissions may write files.
    pub writable: bool,
    /// Validations without a run. They change no trial: their keys are their own.
    pub statics: Vec<Arc<StaticCase>>,
    /// File names instead of standard streams.
    pub named_files: Option<NamedFiles>,
    /// The kind of isolation.
    pub isolation: String,
    /// The class of machine.
    pub machine: String,
}

/// What happens in a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Course {
    /// Nothing runs: the outputs themselves were handed in.
    HandedIn,
    /// The program runs, then its output is checked.
    Alone {
        /// Passes at most; with one the validator cannot ask for another.
        passes: u32,
    },
    /// The program and the only validator run together and talk.
    Talk {
        /// Passes at most.
        passes: u32,
    },
}

/// How outputs are checked.
#[derive(Debug, Clone)]
pub enum Checker {
    /// The default validator of this version of the format, in this process.
    Default(Format),
    /// All of these programs must accept.
    Programs {
        /// The validators, built.
        programs: Vec<Ready>,
        /// Whether score files may be written.
        scores: bool,
    },
}

/// A program of the package, built and ready to be run.
#[derive(Debug, Clone)]
pub struct Ready {
    /// For people.
    pub name: String,
    /// Its run without arguments, input and files: the caller adds those.
    pub exec: Exec,
    /// Key of its build.
    pub key: Key,
}

impl Setting {
    /// What of a trial's key is the same for the whole plan.
    pub(super) fn digest(&self) -> Digest {
        Fields::new("setting 3")
            .with("course", &json(&self.course))
            .with("checker", &json(&self.checker.identity()))
            .with("limits", &json(&self.limits))
            .with("stop", &json(&self.stop))
            .with("doubt", &json(&self.doubt))
            .with("writable", &json(&self.writable))
            .with("files", &json(&self.named_files.as_ref().map(|f| (&f.input, &f.output))))
            .with("isolation", self.isolation.as_bytes())
            .with("machine", self.machine.as_bytes())
            .digest()
    }
}

/// What of a trial's key belongs to the case.
pub(super) fn case_digest(case: &Case) -> Digest {
    Fields::new("case 1")
        .with("files", case.digest.as_bytes())
        .with("args", &json(&case.args))
        .with("validator args", &json(&case.output_validator_args))
        .digest()
}

impl Ready {
    fn identity(&self) -> String {
        format!("{} {:?}", self.key, self.exec.limits)
    }
}

impl Checker {
    fn identity(&self) -> Vec<String> {
        match self {
            Checker::Default(format) => vec![format!("default {format:?}")],
            Checker::Programs { programs, scores } => {
                let rules = format!("scores {scores}");
                programs.iter().map(Ready::identity).chain([rules]).collect()
            }
        }
    }
}

fn json(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data without maps of odd keys becomes JSON")
}
