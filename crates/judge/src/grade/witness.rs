//! Chooses the witness that shows how slow the machine is while a suspect runs: an accepted submission or a spin.
//!
//! The witnesses in the languages of new programs are built together with them: the first run above a limit is then the
//! first pair. All others are planned and built after the first time above a limit.

use super::{
    prepare::{MemberRoles, candidate},
    request::{AcceptedSubmission, GradeRequest, TimePolicy, WitnessSource},
};
use kopek_engine::machine::Machine;
use kopek_package::{
    language::detect_language,
    package::{Package, Participant, Submission, TestSet},
};
use kopek_plan::plan::{Build, BuildTask, Candidate as PlannedCandidate, Job, Key, Program, Task, Witness};
use std::{cmp::Reverse, collections::BTreeSet, mem, sync::Arc};

/// The witnesses of a cohort's suspects.
pub(super) struct Witnesses<'a> {
    source: WitnessSource<'a>,
    grading: &'a GradeRequest<'a>,
    /// Built before the first trial: the first of each language.
    early: Vec<Candidate>,
    /// Accepted submissions, in the order of the package; none until the first time above a limit.
    candidates: Option<Vec<Candidate>>,
}

/// A witness that was built together with the programs.
pub(super) struct EarlyWitness {
    pub(super) accepted: AcceptedSubmission,
    pub(super) build: Build,
}

struct Candidate {
    accepted: AcceptedSubmission,
    state: WitnessState,
}

#[derive(Clone)]
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
    pub(super) fn new(
        source: WitnessSource<'a>,
        grading: &'a GradeRequest<'a>,
        early: Vec<EarlyWitness>,
    ) -> Witnesses<'a> {
        let built = |EarlyWitness { accepted, build }| Candidate {
            state: WitnessState::of_build(grading, &accepted, Some(&build)),
            accepted,
        };
        let early = early.into_iter().map(built).collect();
        Witnesses { source, grading, early, candidates: None }
    }

    /// The witness of a suspect if it can run at once; starts no job.
    pub(super) fn at_hand(&self, suspect: &BuildTask) -> Option<Witness> {
        let chosen = match &self.candidates {
            None => &self.early[choose_alike(&self.early, suspect)?],
            Some(candidates) => match choose(candidates, suspect) {
                None => return Some(Witness::Spin),
                Some(at) => &candidates[at],
            },
        };
        match &chosen.state {
            WitnessState::Ready(witness) => Some(witness.clone()),
            WitnessState::Unbuilt | WitnessState::Building | WitnessState::Useless => None,
        }
    }

    /// The witness of a suspect.
    pub(super) fn witness_of(&mut self, suspect: &BuildTask) -> WitnessAnswer {
        let (source, early) = (self.source, &mut self.early);
        let candidates = self.candidates.get_or_insert_with(|| plan_candidates(source, mem::take(early)));
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
            one.state = WitnessState::of_build(grading, &one.accepted, build);
        }
    }
}

impl WitnessState {
    fn of_build(
        grading: &GradeRequest,
        accepted: &AcceptedSubmission,
        build: Option<&Build>,
    ) -> WitnessState {
        match build {
            Some(Build::Program { blob, entry, .. }) => {
                let program = Program {
                    name: accepted.name.clone(),
                    build: accepted.build.clone(),
                    blob: *blob,
                    entry: entry.clone(),
                    limits: grading.plan.setting.limits,
                };
                let case = grading.plan.cases[largest_case(grading)].clone();
                WitnessState::Ready(Witness::Submission { program: Arc::new(program), case })
            }
            Some(Build::Refused { .. }) | None => WitnessState::Useless,
        }
    }
}

/// All accepted submissions; some were built early.
fn plan_candidates(source: WitnessSource, early: Vec<Candidate>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for accepted in (source.accepted)(None) {
        let built = early.iter().find(|one| one.accepted.build.key() == accepted.build.key());
        let state = built.map_or(WitnessState::Unbuilt, |one| one.state.clone());
        candidates.push(Candidate { accepted, state });
    }
    candidates
}

/// A candidate in the suspect's language, otherwise the first. Never the suspect itself.
fn choose(candidates: &[Candidate], suspect: &BuildTask) -> Option<usize> {
    let own = suspect.key();
    choose_alike(candidates, suspect).or_else(|| candidates.iter().position(|one| one.may_be_of(&own)))
}

/// The first candidate in the suspect's language.
fn choose_alike(candidates: &[Candidate], suspect: &BuildTask) -> Option<usize> {
    let own = suspect.key();
    let is_alike = |one: &Candidate| one.accepted.build.language.code == suspect.language.code;
    candidates.iter().position(|one| one.may_be_of(&own) && is_alike(one))
}

impl Candidate {
    /// Whether it may be the witness of the suspect with this build.
    fn may_be_of(&self, suspect: &Key) -> bool {
        !matches!(self.state, WitnessState::Useless) && self.accepted.build.key() != *suspect
    }
}

/// The witnesses to build together with new programs in these languages: the first of each.
pub(super) fn early_witnesses(
    grading: &GradeRequest,
    mut languages: BTreeSet<&str>,
) -> Vec<AcceptedSubmission> {
    // At home most runs above the limit are verdicts without a witness.
    if grading.timing != TimePolicy::Witness || grading.plan.cases.is_empty() {
        return vec![];
    }
    let mut accepted = (grading.witnesses.accepted)(Some(&languages));
    accepted.retain(|one| languages.remove(&*one.build.language.code));
    accepted
}

/// The submissions that the package claims to be accepted everywhere, if this machine has their languages: all,
/// or those in languages with these codes.
pub(super) fn plan_accepted(
    machine: &Machine,
    package: &Package,
    tests: &TestSet,
    languages: Option<&BTreeSet<&str>>,
) -> Vec<AcceptedSubmission> {
    let is_accepted =
        |name: &str| package.claims.iter().any(|claim| claim.is_about(name) && claim.is_of_right());
    // Before toolchains are searched, which takes a second for some languages.
    let is_meant = |one: &Submission| {
        let Some(codes) = languages else { return true };
        let language = detect_language(&machine.table, &one.source, one.language.as_deref(), None);
        language.is_ok_and(|language| codes.contains(&*language.code))
    };
    let accepted = package.submissions.iter().filter(|one| is_accepted(&one.name) && is_meant(one));
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
