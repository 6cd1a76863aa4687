//! What is verified, with what, and how validators are asked about it.

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

/// What is verified, and with what.
pub(super) struct Verification<'a> {
    pub(super) package: &'a Package,
    pub(super) tests: &'a TestSet,
    pub(super) engine: Engine<'a>,
    /// A tree: what lies in `data/` beside the cases.
    pub(super) data: Digest,
}

/// What happens, for whoever shows progress.
#[derive(Debug)]
pub enum VerificationStep<'a> {
    /// The test set is made.
    Making(generate::GenerationStep),
    /// So many things of a kind will be looked at.
    Begin {
        /// What.
        what: &'static str,
        /// How many.
        jobs: usize,
    },
    /// One of them was.
    Done,
    /// Submissions are judged.
    Judging(GradeEvent<'a>),
}

/// Sees what happens; must be quick.
pub type OnVerificationStep<'a> = dyn FnMut(VerificationStep) + Send + 'a;

/// What a validator answered to a question; `None`: interrupted before.
pub(super) type Answer = Option<Result<ValidatorReply, Fault>>;

impl Verification<'_> {
    /// Builds validators of the package side by side.
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

    /// Asks validators, and shows progress. Answers in the order of the questions.
    pub(super) fn ask_all(
        &self,
        what: &'static str,
        questions: Vec<Task>,
        tell: &mut OnVerificationStep,
    ) -> Result<Vec<Answer>> {
        tell(VerificationStep::Begin { what, jobs: questions.len() });
        self.ask_each(questions, &mut || tell(VerificationStep::Done))
    }

    /// Asks validators. Answers in the order of the questions.
    pub(super) fn ask_each(
        &self,
        questions: Vec<Task>,
        on_done: &mut (dyn FnMut() + Send),
    ) -> Result<Vec<Answer>> {
        ask_validators(&self.engine, questions, on_done)
    }
}

/// Asks validators. Answers in the order of the questions.
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
