//! Jobs: all building and running of untrusted programs. A job is a plain value that names files by digest
//! and never by a local path, so any machine that can get the blobs can do it.

use super::{
    check::{DrawTask, GradeTask, InputTask, OutputTask, SourceTask},
    key::Key,
    make::{AnswerSource, MakeTask},
    probe::{ProbeInputs, ProbeTask},
    program::{BuildTask, Program},
    trial::{CaseFiles, Checker, TrialTask, Witness},
};
use kopek_base::Digest;
use std::{collections::BTreeSet, sync::Arc};

/// A task with its key.
#[derive(Debug, Clone)]
pub struct Job {
    /// The key of the resulting fact.
    pub key: Key,
    pub task: Task,
}

#[derive(Debug, Clone)]
pub enum Task {
    Build(Arc<BuildTask>),
    /// Make a test case.
    MakeCase(Arc<MakeTask>),
    CheckInput(InputTask),
    CheckOutput(OutputTask),
    /// Run a submission on a case and check its output.
    Trial(TrialTask),
    /// Validate the files of a submission.
    CheckSource(SourceTask),
    /// Run a custom grader.
    Grade(GradeTask),
    Draw(DrawTask),
    /// Try programs on a batch of new inputs.
    Probe(Arc<ProbeTask>),
}

/// A blob that a job or an outcome names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlobName {
    File(Digest),
    Tree(Digest),
}

impl BlobName {
    pub fn digest(&self) -> &Digest {
        let (BlobName::File(digest) | BlobName::Tree(digest)) = self;
        digest
    }
}

impl Job {
    /// A job with the key of its task.
    pub fn new(task: Task) -> Job {
        Job { key: task.key(), task }
    }
}

impl Task {
    /// The key of the task.
    pub fn key(&self) -> Key {
        match self {
            Task::Build(task) => task.key(),
            Task::MakeCase(task) => task.key(),
            Task::CheckInput(task) => task.key(),
            Task::CheckOutput(task) => task.key(),
            Task::Trial(task) => task.key(),
            Task::CheckSource(task) => task.key(),
            Task::Grade(task) => task.key(),
            Task::Draw(task) => task.key(),
            Task::Probe(task) => task.key(),
        }
    }

    /// All blobs that the task needs, without duplicates.
    pub fn blobs(&self) -> BTreeSet<BlobName> {
        self.needs().blobs
    }

    /// The builds of all programs that the task may run; its own, if it is one.
    pub fn builds(&self) -> Vec<&BuildTask> {
        self.needs().builds
    }

    fn needs(&self) -> Needs<'_> {
        let mut needs = Needs::default();
        match self {
            Task::Build(task) => {
                needs.builds.push(task);
                task.files.iter().for_each(|file| needs.file(file.digest));
            }
            Task::MakeCase(task) => needs.case_to_make(task),
            Task::CheckInput(task) => {
                needs.program(&task.validator);
                needs.file(task.input);
                task.files.iter().for_each(|files| needs.tree(*files));
            }
            Task::CheckOutput(task) => {
                needs.checker(&task.checker);
                needs.case(&task.case);
                needs.file(task.output);
            }
            Task::Trial(task) => needs.trial(task),
            Task::CheckSource(task) => {
                needs.program(&task.program);
                needs.program(&task.case.validator);
            }
            Task::Grade(task) => needs.program(&task.grader),
            Task::Draw(DrawTask::Input { visualizer, case, data }) => {
                needs.program(visualizer);
                needs.case(case);
                needs.tree(*data);
            }
            Task::Draw(DrawTask::Files { trial }) => needs.trial(trial),
            Task::Draw(DrawTask::Output { visualizer, trial, data }) => {
                visualizer.iter().for_each(|program| needs.program(program));
                needs.trial(trial);
                needs.tree(*data);
            }
            Task::Probe(task) => needs.probe(task),
        }
        needs
    }
}

#[derive(Default)]
struct Needs<'t> {
    blobs: BTreeSet<BlobName>,
    builds: Vec<&'t BuildTask>,
}

impl<'t> Needs<'t> {
    fn file(&mut self, digest: Digest) {
        self.blobs.insert(BlobName::File(digest));
    }

    fn tree(&mut self, digest: Digest) {
        self.blobs.insert(BlobName::Tree(digest));
    }

    fn program(&mut self, program: &'t Program) {
        self.tree(program.blob);
        self.builds.push(&program.build);
    }

    fn case(&mut self, case: &CaseFiles) {
        self.file(case.input);
        // Every trial names the answer, even if only the validator reads it: it must not change in the
        // meantime.
        self.file(case.answer);
        case.files.iter().for_each(|files| self.tree(*files));
    }

    fn checker(&mut self, checker: &'t Checker) {
        match checker {
            Checker::Default(_) => {}
            Checker::Programs { programs, data, .. } => {
                programs.iter().for_each(|program| self.program(program));
                self.tree(*data);
            }
        }
    }

    fn trial(&mut self, task: &'t TrialTask) {
        self.program(&task.program);
        self.case(&task.case);
        self.checker(&task.setting.checker);
        if let Some(Witness::Submission { program, case }) = &task.witness {
            self.program(program);
            self.case(case);
        }
    }

    fn probe(&mut self, task: &'t ProbeTask) {
        if let ProbeInputs::Generated { program, .. } = &task.inputs {
            self.program(program);
        }
        let ground = &task.ground;
        ground.input_validators.iter().for_each(|ruling| self.program(&ruling.validator));
        task.subjects.iter().chain(&ground.solution).for_each(|program| self.program(program));
        self.checker(&ground.setting.checker);
    }

    fn case_to_make(&mut self, task: &'t MakeTask) {
        task.generator.iter().for_each(|call| self.program(&call.program));
        if let AnswerSource::Solution(program) = &task.answer {
            self.program(program);
        }
        for validator in task.input_validators.iter().chain(&task.output_validators) {
            self.program(validator);
        }
        task.copies.values().for_each(|copy| self.file(*copy));
    }
}
