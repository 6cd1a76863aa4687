//! Plans the work: jobs and their keys. Pure.
//!
//! A [`Plan`] contains every distinct program once, even if several participants submitted it, and one
//! [`Row`] for each participant. Jobs of every kind, their outcomes and their keys are defined here, and only
//! this module makes keys. [`MEANINGS`] holds the current meaning of each kind of job.

mod check;
mod job;
mod key;
mod make;
mod outcome;
mod probe;
mod program;
mod trial;

pub use check::{DrawTask, GradeTask, InputTask, OutputTask, SourceCase, SourceTask};
pub use job::{BlobName, Job, Task};
pub use key::{JobKind, Key, MEANINGS};
pub use make::{
    AnswerSource, GeneratorCall, InputRule, MAKE_LIMITS, MakePlace, MakeTask, Scrutiny, SeedPlace,
};
pub use outcome::{
    ANSWER_REPORTED, AdjustedTime, Build, CaseFile, CaseResult, Drawing, Outcome, ProbeHit, ProbeResult,
    Slowdown, TranscriptPiece, Trial, UnusedInput, ValidatorReply, WitnessTime,
};
pub use probe::{InputRuling, ProbeFailure, ProbeGround, ProbeInputs, ProbeTask, ProbeUntil};
pub use program::{BuildTask, LaidFile, Program, ToolchainId};
pub use trial::{CaseFiles, Checker, Setting, TrialMode, TrialTask, Witness, decision_key};

use kopek_base::{Digest, DigestFields};
use kopek_package::{
    language::MissingToolchain,
    package::{Case, Participant},
};
use kopek_sandbox::Limits;
use kopek_sentences::Said;
use std::{collections::HashMap, sync::Arc};

/// All work for a cohort on a test set.
#[derive(Debug, Clone)]
pub struct Plan {
    pub programs: Vec<Arc<BuildTask>>,
    /// One per submission, in the cohort's order.
    pub rows: Vec<Row>,
    /// The cases, in judging order.
    pub cases: Vec<Arc<CaseFiles>>,
    /// The part that all trials share.
    pub setting: Arc<Setting>,
    /// Validations of sources, which run nothing of the submission: one for each group that declares it. They
    /// change no trial.
    pub source_cases: Vec<Arc<SourceCase>>,
    /// The parts of the trials' keys, computed once: there may be millions of trials.
    case_digests: Vec<Digest>,
    setting_digest: Digest,
    failure_digest: Option<Digest>,
    /// By case: all cases with the same key, including itself.
    twins: Vec<Arc<[usize]>>,
}

/// A participant's place in the plan.
#[derive(Debug, Clone)]
pub struct Row {
    pub participant: Participant,
    /// The index of the program, or why there is none.
    pub program: Result<usize, Unplanned>,
}

/// Why a submission gets no jobs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unplanned {
    /// A mistake in the hand-in: empty, too large, of several languages, …
    #[error("{0}")]
    Refused(Said),
    /// In no language of the table: a mistake in a hand-in, but an example submission may be meant for
    /// another judge.
    #[error("{0}")]
    Foreign(Said),
    /// For another version of its interpreter, which counts as another language. Never a verdict.
    #[error("{0}")]
    OtherVersion(String),
    /// Ambiguous: a person must decide which of several files is the program. Never a verdict.
    #[error("{0}")]
    Undecided(String),
    /// Its language cannot be used on this machine. Never a verdict.
    #[error(transparent)]
    NoToolchain(MissingToolchain),
    /// A fault of ours: an unreadable file. Never a verdict.
    #[error("{0}")]
    Ours(String),
}

/// A participant before planning.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub participant: Participant,
    /// How to build it, or why it cannot be planned.
    pub task: Result<BuildTask, Unplanned>,
}

/// Makes the plan: equal programs are merged.
pub fn plan(
    candidates: Vec<Candidate>,
    cases: &[Case],
    setting: Setting,
    source_cases: Vec<SourceCase>,
) -> Plan {
    let mut programs: Vec<Arc<BuildTask>> = Vec::new();
    let mut known: HashMap<Key, usize> = HashMap::new();
    let mut index = |task: BuildTask| {
        *known.entry(task.key()).or_insert_with(|| {
            programs.push(Arc::new(task));
            programs.len() - 1
        })
    };
    let rows = candidates
        .into_iter()
        .map(|c| Row { participant: c.participant, program: c.task.map(&mut index) })
        .collect();
    let cases: Vec<Arc<CaseFiles>> = cases.iter().map(CaseFiles::new).map(Arc::new).collect();
    // Digested once: every key of a trial is made from these parts.
    let case_digests: Vec<Digest> = cases.iter().map(|case| case.digest()).collect();
    let setting_digest = setting.digest();
    let failure_digest = setting.failure_digest();
    let twins = equal_cases(&case_digests);
    let source_cases = source_cases.into_iter().map(Arc::new).collect();
    let setting = Arc::new(setting);
    Plan { programs, rows, cases, setting, source_cases, case_digests, setting_digest, failure_digest, twins }
}

fn equal_cases(digests: &[Digest]) -> Vec<Arc<[usize]>> {
    let mut equal: HashMap<Digest, Vec<usize>> = HashMap::new();
    for (case, digest) in digests.iter().enumerate() {
        equal.entry(*digest).or_default().push(case);
    }
    let shared: HashMap<Digest, Arc<[usize]>> =
        equal.into_iter().map(|(d, cases)| (d, cases.into())).collect();
    digests.iter().map(|digest| shared[digest].clone()).collect()
}

impl Plan {
    /// The key of a program's trial on a case.
    pub fn trial_key(&self, program: usize, case: usize) -> Key {
        trial::trial_key(&self.programs[program].key(), &self.setting_digest, &self.case_digests[case])
    }

    /// The key of a program's trial on a case if it fails by itself, whatever the output validators are.
    pub fn failure_key(&self, program: usize, case: usize) -> Option<Key> {
        let setting = self.failure_digest.as_ref()?;
        Some(trial::trial_key(&self.programs[program].key(), setting, &self.case_digests[case]))
    }

    /// A built program, as it runs on the cases.
    pub fn runnable(&self, program: usize, name: &str, blob: Digest, entry: &str) -> Program {
        // Stopped beyond the time limit that decides, so that the time of a near miss is measured.
        let limits = Limits { cpu: self.setting.stop, ..self.setting.limits };
        let build = self.programs[program].clone();
        Program { name: name.to_owned(), build, blob, entry: entry.to_owned(), limits }
    }

    /// The trial of a built program on a case.
    pub fn trial(&self, program: &Arc<Program>, case: usize) -> TrialTask {
        TrialTask::new(program.clone(), self.cases[case].clone(), self.setting.clone())
    }

    /// Changes with the cases, and with the part that all trials share.
    pub fn data_digest(&self) -> Digest {
        let cases = self.case_digests.iter().zip(&self.cases);
        let fields = DigestFields::new("data").with("setting", self.setting_digest.as_bytes());
        let add = |fields: DigestFields, (digest, case): (&Digest, &Arc<CaseFiles>)| {
            fields.with(&case.name, digest.as_bytes())
        };
        cases.fold(fields, add).digest()
    }

    /// The digest of the part that all trials share.
    pub fn setting_digest(&self) -> &Digest {
        &self.setting_digest
    }

    /// The name of each case, with a digest of its files and arguments.
    pub fn case_digests(&self) -> impl Iterator<Item = (&str, &Digest)> {
        self.cases.iter().map(|case| case.name.as_str()).zip(&self.case_digests)
    }

    /// All cases with the same key as this one, including itself, in judging order.
    pub fn twins(&self, case: usize) -> &[usize] {
        &self.twins[case]
    }

    /// The job that builds a program.
    pub fn build_job(&self, program: usize) -> Job {
        Job::new(Task::Build(self.programs[program].clone()))
    }
}
