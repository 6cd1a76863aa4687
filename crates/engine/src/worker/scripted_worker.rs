//! A machine whose programs are scripts, and jobs for it: see [`ScriptedSandbox`].

use super::{perform::performer, scripted::ScriptedSandbox};
use crate::{
    machine::{Machine, no_toolchain, row_of_answers},
    store::Store,
    toolchains::Search,
};
use kopek_base::{Bytes, Digest, FileId, TreeId};
use kopek_package::{
    language::{Language, LanguageTable},
    package::Format,
};
use kopek_plan::plan::{
    BuildTask, CaseFiles, Checker, Job, Outcome, Program, Setting, Task, ToolchainId, Trial, TrialMode,
    TrialTask,
};
use kopek_sandbox::{Fault, FaultSource, Limits, Sandbox};
use std::{
    fs,
    sync::{Arc, OnceLock},
    time::Duration,
};
use tempfile::TempDir;

/// Submissions have a limit of 1 s and are stopped at 2 s.
pub(super) const LIMIT: Duration = Duration::from_secs(1);
pub(super) const STOP: Duration = Duration::from_secs(2);

pub(super) const LIMITS: Limits = Limits {
    cpu: STOP,
    wall: Duration::from_secs(3),
    memory: Bytes::mib(64),
    output: Bytes::mib(1),
    files: Bytes::mib(1),
    processes: 1,
};

/// One pass, without a partner.
pub(super) const ALONE: TrialMode = TrialMode::Alone { passes: 1 };

pub(super) struct ScriptedWorker {
    pub machine: Machine,
    pub sandbox: ScriptedSandbox,
    home: TempDir,
}

impl ScriptedWorker {
    pub(super) fn new() -> ScriptedWorker {
        ScriptedWorker::with_spins("cpu 100")
    }

    /// A worker whose spins take these times, written as in the text of a program.
    pub(super) fn with_spins(spins: &str) -> ScriptedWorker {
        static TABLE: OnceLock<LanguageTable> = OnceLock::new();
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("store")).unwrap();
        let table = TABLE.get_or_init(LanguageTable::embedded).clone();
        let mut machine = Machine::new(Sandbox::untried(), store, table, Search::default(), vec![0]);
        let sandbox = ScriptedSandbox::new(spins);
        let opened = sandbox.clone();
        machine.slots = Box::new(move |_| Box::new(opened.clone()));
        machine.name = "here".into();
        ScriptedWorker { machine, sandbox, home }
    }

    /// A program with this text.
    pub(super) fn program(&self, name: &str, text: &str) -> Program {
        let blob = Digest::of(format!("{name}: {text}").as_bytes());
        let dir = self.home.path().join(blob.to_string());
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join(name), text).unwrap();
        // Lent to the store: a copy takes longer than a trial.
        self.machine.store.lend_tree(&dir, &TreeId { digest: blob, stamps: Vec::new() });
        let build = BuildTask {
            files: Vec::new(),
            digest: blob,
            entry: name.into(),
            language: Language { run: vec!["/exe/{entry}".into()], ..row_of_answers() },
            toolchain: ToolchainId::from(&no_toolchain()),
            limits: LIMITS,
            isolation: self.machine.kind.isolation.clone(),
            cached: OnceLock::new(),
        };
        Program { name: name.into(), build: Arc::new(build), blob, entry: name.into(), limits: LIMITS }
    }

    /// The case `secret/1`.
    pub(super) fn case(&self, input: &str, answer: &str) -> CaseFiles {
        CaseFiles {
            name: "secret/1".into(),
            input: self.lend("secret/1.in", input),
            answer: self.lend("secret/1.ans", answer),
            files: None,
            args: Vec::new(),
            output_validator_args: Vec::new(),
            input_visualizer_args: Vec::new(),
            output_visualizer_args: Vec::new(),
        }
    }

    /// A file of the package's data.
    pub(super) fn lend(&self, path: &str, text: &str) -> Digest {
        let path = self.home.path().join("data").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let id = FileId::read(&path).unwrap();
        self.machine.store.lend_file(&path, id);
        id.digest
    }

    /// Output validators with these texts, named `validator0` and so on, which may write scores.
    pub(super) fn validators(&self, texts: &[&str]) -> Checker {
        let program = |(at, text): (usize, &&str)| self.program(&format!("validator{at}"), text);
        let programs = texts.iter().enumerate().map(program).collect();
        Checker::Programs { programs, scores: true, data: self.data() }
    }

    pub(super) fn data(&self) -> Digest {
        let digest = Digest::of(b"data");
        let tree = TreeId { digest, stamps: Vec::new() };
        self.machine.store.lend_tree(&self.home.path().join("data"), &tree);
        digest
    }

    pub(super) fn setting(&self, mode: TrialMode, checker: Checker) -> Setting {
        Setting {
            mode,
            limits: Limits { cpu: LIMIT, ..LIMITS },
            stop: STOP,
            checker: Arc::new(checker),
            writable: false,
            named_files: None,
            isolation: self.machine.kind.isolation.clone(),
            machine: self.machine.kind.class.clone(),
        }
    }

    /// A submission on a case with the input `1` and the answer `one`.
    pub(super) fn trial_task(&self, submission: &str, setting: Setting) -> TrialTask {
        let program = Arc::new(self.program("submission", submission));
        TrialTask::new(program, Arc::new(self.case("1\n", "one\n")), Arc::new(setting))
    }

    /// A submission that prints to the default validator.
    pub(super) fn alone(&self, submission: &str) -> TrialTask {
        self.trial_task(submission, self.setting(ALONE, Checker::Default(Format::V2025_09)))
    }

    /// Does a job once, even if it fails.
    pub(super) fn perform(&self, task: Task) -> Result<Outcome, Fault> {
        performer(&self.machine, 0)(&Job::new(task))
    }

    pub(super) fn trial(&self, task: TrialTask) -> Result<Trial, Fault> {
        self.perform(Task::Trial(task)).map(trial_of)
    }
}

pub(super) fn trial_of(outcome: Outcome) -> Trial {
    match outcome {
        Outcome::Trial(trial) => trial,
        other => panic!("{other:?}"),
    }
}

/// The verdict, or the source of the fault.
pub(super) fn in_short(result: &Result<Trial, Fault>) -> String {
    match result {
        Ok(trial) => trial.verdict.short().to_owned(),
        Err(fault) => format!("{}: {}", source_of(fault), fault.what),
    }
}

pub(super) fn source_of(fault: &Fault) -> &'static str {
    match fault.source {
        FaultSource::Machine => "machine",
        FaultSource::TrustedProgram => "validator",
        FaultSource::Undecided | FaultSource::UnclearMemory => "undecided",
    }
}
