//! The subject, the tools and the options of a verification, and running validators in it.

use super::checked::Checked;
use anyhow::Result;
use kopek_base::Digest;
use kopek_engine::exec::{Engine, KnownFacts};
use kopek_judge::{
    generate,
    grade::{GradeEvent, GradeSession, JudgedCohort},
};
use kopek_package::package::{Group, Member, Package, Participant, Submission, TestSet};
use kopek_plan::plan::{Job, Outcome, Task, ValidatorReply};
use kopek_sandbox::Fault;
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

#[derive(Clone, Copy)]
pub struct Wishes<'a> {
    /// Whether to show the cases that each wrong submission fails.
    pub strength: bool,
    /// Whether to search inputs on which submissions are too slow.
    pub slow: bool,
    pub gallery: Gallery,
    /// Codes of languages whose example submissions are left out.
    pub excluded: &'a [String],
    /// Builds with sanitizers, if accepted submissions are tried with them.
    pub sanitizing: Option<&'a GradeSession<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gallery {
    /// The first of every directory: enough to check whether visualizers work.
    Specimens,
    Whole,
}

/// The subject and the tools of a verification.
#[derive(Clone, Copy)]
pub(super) struct Verification<'a> {
    pub(super) package: &'a Package,
    pub(super) tests: &'a TestSet,
    pub(super) session: &'a GradeSession<'a>,
    /// A tree of the files in `data/` that belong to no case.
    pub(super) data: Digest,
    pub(super) progress: &'a Progress<'a>,
}

/// A part that is built, and what went wrong with it.
pub(super) struct Found<T> {
    pub(super) value: T,
    pub(super) trouble: Checked,
}

#[derive(Debug)]
pub enum VerificationStep<'a> {
    /// The test set is made.
    Making(generate::GenerationStep),
    /// A check of several things begins.
    Begin {
        what: &'static str,
        jobs: usize,
    },
    /// One of them was checked.
    Done,
    Judging(GradeEvent<'a>),
}

/// Receives the progress; must be quick.
pub type OnVerificationStep<'a> = dyn FnMut(VerificationStep) + Send + 'a;

/// The same for several checks.
pub(super) type Progress<'a> = dyn Fn(VerificationStep) + Sync + 'a;

pub(super) fn shared_progress<'a>(
    on_step: &'a mut OnVerificationStep,
) -> impl Fn(VerificationStep) + Sync + 'a {
    let on_step = Mutex::new(on_step);
    move |step| (on_step.lock().unwrap_or_else(PoisonError::into_inner))(step)
}

/// The reply of a validator, or of several.
#[derive(Debug, Clone)]
pub(super) enum Answer<T = ValidatorReply> {
    Reply(T),
    Fault(Fault),
    /// The run was stopped before.
    None,
}

impl<'a> Verification<'a> {
    pub(super) fn engine(&self) -> &Engine<'a> {
        &self.session.engine
    }

    /// Runs validators and shows progress. Replies are in the order of the tasks.
    pub(super) fn ask_all(&self, what: &'static str, questions: Vec<Task>) -> Result<Vec<Answer>> {
        (self.progress)(VerificationStep::Begin { what, jobs: questions.len() });
        self.ask_each(questions, &mut || (self.progress)(VerificationStep::Done))
    }

    /// Judges submissions. No run is stopped before it has used `patience` of CPU time.
    pub(super) fn judge(
        &self,
        session: &GradeSession,
        patience: Duration,
        submissions: &[&Submission],
    ) -> Result<JudgedCohort> {
        let cohort: Vec<Participant> = submissions.iter().map(|&one| Participant::from(one)).collect();
        session.judge_patiently(patience, self.package, self.tests, &cohort, &mut |event| {
            (self.progress)(VerificationStep::Judging(event));
        })
    }

    /// Runs validators. Replies are in the order of the tasks.
    pub(super) fn ask_each(
        &self,
        questions: Vec<Task>,
        on_done: &mut (dyn FnMut() + Send),
    ) -> Result<Vec<Answer>> {
        ask_validators(self.engine(), questions, on_done)
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
    let answer = |result| match result {
        Some(Ok(Outcome::Validation(reply))) => Answer::Reply(reply),
        Some(Ok(other)) => {
            unreachable!("a question to validators has the outcome of one, not {other:?}")
        }
        Some(Err(fault)) => Answer::Fault(fault),
        None => Answer::None,
    };
    Ok(results.into_iter().map(answer).collect())
}

/// A group and all cases in and below it.
#[derive(Debug, Clone)]
pub(super) struct FlatGroup {
    /// `sample`, `secret/1`; `secret` if it has no groups.
    pub name: String,
    /// Indices into [`TestSet::cases`], in judging order.
    pub cases: Vec<usize>,
}

/// `sample`, then the groups in `secret`, or `secret` itself if it contains cases directly.
pub(super) fn flat_groups(tests: &TestSet) -> Vec<FlatGroup> {
    let mut flat = Vec::new();
    for member in &tests.root.members {
        let Member::Group(group) = member else { continue };
        let below: Vec<&Group> = group.members.iter().filter_map(as_group).collect();
        let direct = group.members.iter().any(|member| matches!(member, Member::Case(_)));
        if direct || below.is_empty() {
            flat.push(FlatGroup { name: group.name.clone(), cases: group.cases() });
        } else {
            flat.extend(
                below.iter().map(|group| FlatGroup { name: group.name.clone(), cases: group.cases() }),
            );
        }
    }
    flat.retain(|group| !group.cases.is_empty());
    flat
}

fn as_group(member: &Member) -> Option<&Group> {
    match member {
        Member::Group(group) => Some(group),
        Member::Case(_) => None,
    }
}
