//! Chooses the witness that shows how slow the machine is while a suspect runs: an accepted submission or a spin.
//!
//! Nothing is planned or built before the first time above a limit.

use super::{
    prepare::{MemberRoles, candidate},
    request::{AcceptedSubmission, GradeRequest, WitnessSource},
};
use kopek_engine::{
    machine::Machine,
    package::{Package, Participant, TestSet},
    plan::{Build, BuildTask, Candidate as PlannedCandidate, Job, Key, Program, Task, Witness},
};
use std::{cmp::Reverse, sync::Arc};

/// The witnesses of a cohort's suspects.
pub(super) struct Witnesses<'a> {
    source: WitnessSource<'a>,
    grading: &'a GradeRequest<'a>,
    /// Accepted submissions, in the order of the package; none until the first time above a limit.
    candidates: Option<Vec<Candidate>>,
}

struct Candidate {
    accepted: AcceptedSubmission,
    state: WitnessState,
}

enum WitnessState {
    Unbuilt,
    Building,
    Ready(Witness),
    /// It does not compile here.
    Useless,
}

/// A suspect's witness, or the job to do first.
pub(super) enum WitnessAnswer {
    Ready(Witness),
    Build(Job),
    /// Another job is building it.
    Wait,
}

impl<'a> Witnesses<'a> {
    pub(super) fn new(source: WitnessSource<'a>, grading: &'a GradeRequest<'a>) -> Witnesses<'a> {
        Witnesses { source, grading, candidates: None }
    }

    /// The witness of a suspect if it can run at once; starts no job.
    pub(super) fn at_hand(&self, suspect: &BuildTask) -> Option<Witness> {
        let candidates = self.candidates.as_ref()?;
        match choose(candidates, suspect) {
            None => Some(Witness::Spin),
            Some(at) => match &candidates[at].state {
                WitnessState::Ready(witness) => Some(witness.clone()),
                WitnessState::Unbuilt | WitnessState::Building | WitnessState::Useless => None,
            },
        }
    }

    /// The witness of a suspect.
    pub(super) fn witness_of(&mut self, suspect: &BuildTask) -> WitnessAnswer {
        let source = self.source;
        let planned = || (source.accepted)().into_iter().map(Candidate::new).collect();
        let candidates = self.candidates.get_or_insert_with(planned);
        let Some(at) = choose(candidates, suspect) else { return WitnessAnswer::Ready(Witness::Spin) };
        let one = &mut candidates[at];
        match &one.state {
            WitnessState::Ready(witness) => WitnessAnswer::Ready(witness.clone()),
            WitnessState::Building => WitnessAnswer::Wait,
            WitnessState::Unbuilt | WitnessState::Useless => {
                one.state = WitnessState::Building;
                WitnessAnswer::Build(Job::new(Task::Build(one.accepted.build.clone())))
            }
        }
    }

    /// Records the result of a build; `None`: it failed by our fault.
    pub(super) fn note_build(&mut self, key: &Key, build: Option<&Build>) {
        let grading = self.grading;
        for one in self.candidates.iter_mut().flatten().filter(|one| one.accepted.build.key() == *key) {
            one.state = match build {
                Some(Build::Program { blob, entry, .. }) => {
                    let program = Program {
                        name: one.accepted.name.clone(),
                        build: one.accepted.build.clone(),
                        blob: *blob,
                        entry: entry.clone(),
                        limits: grading.plan.setting.limits,
                    };
                    let case = grading.plan.cases[largest_case(grading)].clone();
                    WitnessState::Ready(Witness::Submission { program: Arc::new(program), case })
                }
                Some(Build::Refused { .. }) | None => WitnessState::Useless,
            };
        }
    }
}

impl Candidate {
    fn new(accepted: AcceptedSubmission) -> Candidate {
        Candidate { accepted, state: WitnessState::Unbuilt }
    }
}

/// A candidate in the suspect's language, otherwise the first. Never the suspect itself.
fn choose(candidates: &[Candidate], suspect: &BuildTask) -> Option<usize> {
    let own = suspect.key();
    let usable =
        |one: &Candidate| !matches!(one.state, WitnessState::Useless) && one.accepted.build.key() != own;
    let is_alike = |one: &Candidate| one.accepted.build.language.code == suspect.language.code;
    let alike = candidates.iter().position(|one| usable(one) && is_alike(one));
    alike.or_else(|| candidates.iter().position(usable))
}

/// The submissions that the package claims to be accepted everywhere, if this machine has their languages.
pub(super) fn plan_accepted(
    machine: &Machine,
    package: &Package,
    tests: &TestSet,
) -> Vec<AcceptedSubmission> {
    let is_accepted =
        |name: &str| package.claims.iter().any(|claim| claim.is_about(name) && claim.is_of_right());
    let accepted = package.submissions.iter().filter(|one| is_accepted(&one.name));
    let roles = MemberRoles::of(package);
    let planned = accepted.map(|one| candidate(machine, package, tests, &roles, &Participant::from(one)));
    let accepted = |one: PlannedCandidate| {
        Some(AcceptedSubmission { name: one.participant.name, build: Arc::new(one.task.ok()?) })
    };
    planned.filter_map(accepted).collect()
}

/// The largest case: accepted submissions take longest on it.
fn largest_case(grading: &GradeRequest) -> usize {
    let size = |&case: &usize| (grading.rules.tests.cases[case].ids.input.stamp.size(), Reverse(case));
    let cases = 0..grading.plan.cases.len();
    cases.max_by_key(size).expect("a time above the limit is one on a case")
}
