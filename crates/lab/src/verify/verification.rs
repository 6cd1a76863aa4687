//! The subject and the tools of a verification, and running validators in it.

use anyhow::Result;
use kopek_base::Digest;
use kopek_engine::{
    exec::{Engine, KnownFacts, NoProgram},
    package::{self, Package, TestSet},
    plan::{Job, Outcome, Program, Task, ValidatorReply},
};
use kopek_judge::{generate, grade::GradeEvent};
use kopek_sandbox::{Fault, Limits};
use std::sync::Arc;

/// The subject and the tools of a verification.
pub(super) struct Verification<'a> {
    pub(super) package: &'a Package,
    pub(super) tests: &'a TestSet,
    pub(super) engine: Engine<'a>,
    /// A tree of the files in `data/` that belong to no case.
    pub(super) data: Digest,
}

/// Progress of a verification.
#[derive(Debug)]
pub enum VerificationStep<'a> {
    /// The test set is made.
    Making(generate::GenerationStep),
    /// A check of several things begins.
    Begin {
        /// Their kind.
        what: &'static str,
        /// Their number.
        jobs: usize,
    },
    /// One of them was checked.
    Done,
    /// Submissions are judged.
    Judging(GradeEvent<'a>),
}

/// Receives the progress; must be quick.
pub type OnVerificationStep<'a> = dyn FnMut(VerificationStep) + Send + 'a;

/// The reply of a validator; `None`: interrupted before.
pub(super) type Answer = Option<Result<ValidatorReply, Fault>>;

impl Verification<'_> {
    /// Builds validators of the package in parallel.
    pub(super) fn build_validators<'p>(
        &self,
        programs: impl IntoIterator<Item = &'p package::PackageProgram>,
        limits: Limits,
    ) -> Result<Vec<Result<Arc<Program>, NoProgram>>> {
        let constants = &self.package.constants;
        let request = |one: &package::PackageProgram| {
            self.engine.tool_request(&one.name, &one.source, constants, limits)
        };
        self.engine.build_programs(&programs.into_iter().map(request).collect::<Vec<_>>())
    }

    /// Runs validators and shows progress. Replies are in the order of the tasks.
    pub(super) fn ask_all(
        &self,
        what: &'static str,
        questions: Vec<Task>,
        tell: &mut OnVerificationStep,
    ) -> Result<Vec<Answer>> {
        tell(VerificationStep::Begin { what, jobs: questions.len() });
        self.ask_each(questions, &mut || tell(VerificationStep::Done))
    }

    /// Runs validators. Replies are in the order of the tasks.
    pub(super) fn ask_each(
        &self,
        questions: Vec<Task>,
        on_done: &mut (dyn FnMut() + Send),
    ) -> Result<Vec<Answer>> {
        ask_validators(&self.engine, questions, on_done)
    }
}

/// Runs validators. Replies are in the order of the tasks.
pub(super) fn ask_validators(
    engine: &Engine,
    questions: Vec<Task>,
    on_done: &mut (dyn FnMut() + Send),
) -> Result<Vec<Answer>> {
    let jobs = questions.into_iter().map(Job::new).collect();
    let results = engine.run_all(jobs, KnownFacts::Use, &mut |_, _| {
        on_done();
        Ok(())
    })?;
    let reply = |outcome| match outcome {
        Outcome::Validation(reply) => reply,
        other => unreachable!("a question to validators has the outcome of one, not {other:?}"),
    };
    Ok(results.into_iter().map(|result| Some(result?.map(reply))).collect())
}
