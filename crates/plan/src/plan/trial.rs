//! Trials: a submission on a case, and the part that all trials of a plan share.

use super::{
    key::{JobKind, Key, bytes_of},
    program::Program,
};
use kopek_base::{Digest, DigestFields};
use kopek_package::package::{Case, Format, NamedFiles};
use kopek_sandbox::Limits;
use serde::Serialize;
use std::{sync::Arc, time::Duration};

/// A trial: one program on one case.
#[derive(Debug, Clone)]
pub struct TrialTask {
    /// The submission. The CPU time in its limits is beyond the time limit that decides, so that near misses
    /// can be measured.
    pub program: Arc<Program>,
    pub case: Arc<CaseFiles>,
    /// The part that all trials share.
    pub setting: Arc<Setting>,
    /// The program to run right after it if its time is above the limit.
    pub witness: Option<Witness>,
    /// The number of the pair with a witness; 0 is the first run, which has the same key with and without a
    /// witness.
    pub repetition: u32,
    /// Whether its job settles a time above the limit at once, by pairs with a spin.
    pub settles: bool,
}

/// A run that shows how slow the machine is at the moment.
#[derive(Debug, Clone)]
pub enum Witness {
    /// A fixed piece of arithmetic, for problems without an accepted submission.
    Spin,
    /// An accepted submission on a case, under the setting of the trial.
    Submission { program: Arc<Program>, case: Arc<CaseFiles> },
}

impl Witness {
    /// The key of the witness under this setting.
    pub fn key(&self, setting: &Setting) -> Key {
        self.key_under(&setting.digest())
    }

    fn key_under(&self, setting: &Digest) -> Key {
        match self {
            Witness::Spin => Digest::of(b"spin"),
            Witness::Submission { program, case } => trial_key(&program.build.key(), setting, &case.digest()),
        }
    }

    /// For messages.
    pub fn name(&self) -> &str {
        match self {
            Witness::Spin => "a spin",
            Witness::Submission { program, .. } => &program.name,
        }
    }
}

impl TrialTask {
    /// The first run, without a witness.
    pub fn new(program: Arc<Program>, case: Arc<CaseFiles>, setting: Arc<Setting>) -> TrialTask {
        TrialTask { program, case, setting, witness: None, repetition: 0, settles: false }
    }

    /// The same with a time above the limit settled, for drivers without an accepted submission. If it stays undecided,
    /// the job is a fault.
    pub fn settled(self) -> TrialTask {
        TrialTask { settles: true, ..self }
    }

    /// Another run with a witness right after it, stopped at `stop` or where the first one was, whichever is
    /// later.
    pub fn pair(&self, witness: &Witness, repetition: u32, stop: Duration) -> TrialTask {
        let mut program = Program::clone(&self.program);
        let more = stop.saturating_sub(program.limits.cpu);
        program.limits.cpu += more;
        program.limits.wall += more;
        TrialTask {
            program: Arc::new(program),
            witness: Some(witness.clone()),
            repetition,
            settles: false,
            ..self.clone()
        }
    }

    /// The key of the trial; to plan many, keep the parts: see `trial_key`.
    pub fn key(&self) -> Key {
        self.key_under(&self.setting.digest())
    }

    /// The key of the run if the submission fails in it by itself: the same for all output validators.
    pub fn failure_key(&self) -> Option<Key> {
        self.setting.failure_digest().map(|setting| self.key_under(&setting))
    }

    fn key_under(&self, setting: &Digest) -> Key {
        let first = trial_key(&self.program.build.key(), setting, &self.case.digest());
        let fields = || JobKind::Trial.fields().with("first", first.as_bytes());
        match &self.witness {
            _ if self.settles => fields().with("settled", b"by a spin").digest(),
            Some(witness) if self.repetition > 0 => fields()
                .with("witness", witness.key_under(setting).as_bytes())
                .with("repetition", &self.repetition.to_le_bytes())
                .digest(),
            Some(_) | None => first,
        }
    }
}

/// The key of the verdict that pairs gave a first run above the limit. A least time falls with every quick run of a
/// witness: without this fact, a verdict that was given would open again.
pub fn decision_key(first: &Key) -> Key {
    JobKind::Trial.fields().with("first", first.as_bytes()).with("decided", b"by pairs").digest()
}

/// The key of a trial from its parts, because there may be millions of trials.
pub(super) fn trial_key(build: &Key, setting: &Digest, case: &Digest) -> Key {
    JobKind::Trial
        .fields()
        .with("build", build.as_bytes())
        .with("setting", setting.as_bytes())
        .with("case", case.as_bytes())
        .digest()
}

/// A case by the digests of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFiles {
    /// For messages, and the path below `data/` at which validators see it.
    pub name: String,
    pub input: Digest,
    pub answer: Digest,
    /// A tree for the working directory.
    pub files: Option<Digest>,
    pub args: Vec<String>,
    /// Arguments of the output validator.
    pub output_validator_args: Vec<String>,
    /// Arguments of the input visualizer.
    pub input_visualizer_args: Vec<String>,
    /// Arguments of the output visualizer.
    pub output_visualizer_args: Vec<String>,
}

impl CaseFiles {
    /// The digests of a case. Without an answer file, the answer is empty.
    pub fn new(case: &Case) -> CaseFiles {
        CaseFiles {
            name: case.name.clone(),
            input: case.ids.input.digest,
            answer: case.ids.answer.map_or(Digest::of(b""), |id| id.digest),
            files: case.ids.files.as_ref().map(|id| id.digest),
            args: case.arguments.args.clone(),
            output_validator_args: case.arguments.output.clone(),
            input_visualizer_args: case.input_visualizer_args.clone(),
            output_visualizer_args: case.output_visualizer_args.clone(),
        }
    }

    /// The case's part of a trial's key. Without the arguments of visualizers, which change no verdict.
    pub(super) fn digest(&self) -> Digest {
        DigestFields::new("case")
            .with("input", self.input.as_bytes())
            .with("answer", self.answer.as_bytes())
            .with("files", &bytes_of(&self.files))
            .with("args", &bytes_of(&self.args))
            .with("validator args", &bytes_of(&self.output_validator_args))
            .digest()
    }

    /// The path at which validators see the input, relative to the data directory.
    pub fn input_path(&self) -> String {
        format!("{}.in", self.name)
    }

    /// The path at which validators see the answer, relative to the data directory.
    pub fn answer_path(&self) -> String {
        format!("{}.ans", self.name)
    }
}

/// The part that all trials of a plan share.
#[derive(Debug, Clone)]
pub struct Setting {
    /// How a trial runs.
    pub mode: TrialMode,
    /// Limits of a run; `cpu` is the time limit that decides.
    pub limits: Limits,
    /// CPU time at which a run is stopped.
    pub stop: Duration,
    /// How outputs are checked.
    pub checker: Arc<Checker>,
    /// Whether submissions may write files.
    pub writable: bool,
    /// File names instead of standard streams.
    pub named_files: Option<NamedFiles>,
    pub isolation: String,
    pub machine: String,
}

/// How a trial runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialMode {
    /// Nothing runs: the outputs themselves were submitted.
    HandedIn,
    /// The program runs, then its output is checked.
    Alone {
        /// The largest number of passes; with one, the validator cannot request another.
        passes: u32,
    },
    /// The program and the only validator run together and talk.
    Talk {
        /// The largest number of passes.
        passes: u32,
    },
}

impl TrialMode {
    /// The largest number of passes.
    pub fn most_passes(self) -> u32 {
        match self {
            TrialMode::HandedIn => 1,
            TrialMode::Alone { passes } | TrialMode::Talk { passes } => passes,
        }
    }
}

/// How outputs are checked.
#[derive(Debug, Clone)]
pub enum Checker {
    /// The default validator of this version of the format, in the judge's process.
    Default(Format),
    /// All of these programs must accept.
    Programs {
        programs: Vec<Program>,
        /// Whether score files may be written.
        scores: bool,
        /// A tree: the files in `data/` beside the cases. Validators may read them.
        data: Digest,
    },
}

impl Setting {
    /// The part of a trial's key that the whole plan shares.
    pub(super) fn digest(&self) -> Digest {
        self.digest_with(&self.checker.digest())
    }

    /// The same for all output validators of a package; `None` if they take part in the runs. A run that fails by
    /// itself is repeated only if something else changes: such runs are the longest.
    pub(super) fn failure_digest(&self) -> Option<Digest> {
        match (self.mode, &*self.checker) {
            (TrialMode::Alone { passes: 1 }, Checker::Programs { .. }) => {
                Some(self.digest_with(&Digest::of(b"any output validators")))
            }
            (TrialMode::Alone { .. } | TrialMode::HandedIn | TrialMode::Talk { .. }, _) => None,
        }
    }

    fn digest_with(&self, checker: &Digest) -> Digest {
        DigestFields::new("setting")
            .with("mode", &bytes_of(&self.mode))
            .with("checker", checker.as_bytes())
            .with("limits", &bytes_of(&self.limits))
            .with("stop", &bytes_of(&self.stop))
            .with("writable", &bytes_of(&self.writable))
            .with("files", &bytes_of(&self.named_files))
            .with("isolation", self.isolation.as_bytes())
            .with("machine", self.machine.as_bytes())
            .digest()
    }
}

impl Checker {
    /// A digest of everything that can change its reply about an output.
    pub(super) fn digest(&self) -> Digest {
        match self {
            Checker::Default(format) => {
                DigestFields::new("default checker").with("format", &bytes_of(format)).digest()
            }
            Checker::Programs { programs, scores, data } => {
                let fields = DigestFields::new("output validators").with("scores", &bytes_of(scores));
                let fields = fields.with("data", data.as_bytes());
                programs
                    .iter()
                    .fold(fields, |all, one| all.with("program", one.identity().as_bytes()))
                    .digest()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_base::Bytes;

    fn digests(mode: TrialMode, checker: Checker) -> (Digest, Option<Digest>) {
        let second = Duration::from_secs(1);
        let size = Bytes::mib(64);
        let limits =
            Limits { cpu: second, wall: second, memory: size, output: size, files: size, processes: 1 };
        let setting = Setting {
            mode,
            limits,
            stop: second,
            checker: Arc::new(checker),
            writable: false,
            named_files: None,
            isolation: "some".into(),
            machine: "some".into(),
        };
        (setting.digest(), setting.failure_digest())
    }

    #[test]
    fn a_failure_has_one_key_under_all_output_validators_that_run_after_it() {
        let checker =
            |data: &[u8]| Checker::Programs { programs: vec![], scores: false, data: Digest::of(data) };
        let alone = TrialMode::Alone { passes: 1 };
        let (one, of_failure) = digests(alone, checker(b"1"));
        assert_ne!(digests(alone, checker(b"2")).0, one);
        assert_eq!(digests(alone, checker(b"2")).1, of_failure);
        assert!(of_failure.is_some_and(|digest| digest != one));
        for mode in [TrialMode::Alone { passes: 2 }, TrialMode::Talk { passes: 1 }, TrialMode::HandedIn] {
            assert_eq!(digests(mode, checker(b"1")).1, None, "{mode:?}");
        }
        assert_eq!(digests(alone, Checker::Default(Format::V2025_09)).1, None);
    }
}
