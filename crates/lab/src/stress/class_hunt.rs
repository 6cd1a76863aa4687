//! The hunt for a class: small inputs on which its failing programs fail, as few as explain the most of them.
//!
//! An input counts if the validators and all accepted submissions agree on it, and if it reveals no hidden case.
//! Budgets count tried inputs and not time, so the result does not depend on the speed of the machine. Inputs of
//! earlier hunts come last: they never replace an input that would be found without them, and only explain programs
//! for which this hunt finds nothing.

use super::{
    class_search::ClassSearch,
    confirmed_inputs::{FailingProgram, FoundInput},
    confirming::Confirmer,
    experiment::Experiment,
    hidden_cases::HiddenCases,
    hunt_result::{HuntLimits, HuntUntil, OnHuntStep},
    hunting_ground::{HuntingGround, StressRequest, StressSubject, ground_of_package, is_claimed_right},
};
use crate::fruitless::FruitlessSearch;
use anyhow::{Context, Result, bail};
use kopek_engine::exec::Engine;
use kopek_package::package::{Package, Participant, TestSet};
use kopek_plan::plan::Program;
use kopek_results::{Counterexamples, Unexplained, UnexplainedProgram};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc, time::Duration};

/// A hunt for a class.
#[derive(Clone, Copy)]
pub struct ClassHunt<'a> {
    pub engine: &'a Engine<'a>,
    pub package: &'a Package,
    pub tests: &'a TestSet,
    pub seed: u64,
    /// CPU time for each program, by what a run usually takes.
    pub budget: Duration,
}

/// Inputs that are kept for later hunts.
const MAX_REMEMBERED: usize = 50;
/// Longer inputs are not kept.
const MAX_REMEMBERED_BYTES: usize = 4 << 10;

/// What earlier hunts on a package found.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Remembered {
    inputs: Vec<FoundInput>,
    /// Inputs made from hidden cases that were shown.
    shown: Vec<FoundInput>,
}

/// The programs of a class that can run.
struct ClassGround<'a> {
    /// Its subjects are the failing programs, then the accepted submissions.
    ground: HuntingGround,
    /// By index of the subject.
    programs: Vec<&'a FailingProgram>,
    /// Accepted submissions that cannot run on this machine.
    accepted_not_run: Vec<String>,
}

/// Says what a package lacks for such a hunt.
pub fn check_huntable(package: &Package) -> Result<()> {
    let name = &package.name;
    if let Some(kind) = unhunted_kind(package) {
        bail!("{name}: --counterexamples is not supported for {kind} problems; grade without it");
    }
    check_input_validator(package, "--counterexamples")?;
    if !package.submissions.iter().any(|submission| is_claimed_right(package, &submission.name)) {
        bail!(
            "{name}: --counterexamples needs a correct solution for the expected outputs; add one to \
             submissions/accepted/"
        );
    }
    Ok(())
}

/// The kind of a problem whose submissions are not tried on single inputs.
pub(crate) fn unhunted_kind(package: &Package) -> Option<&'static str> {
    let submit_answer = package.kind.submit_answer.then_some("submit-answer");
    submit_answer.or(package.kind.multi_pass.then_some("multi-pass"))
}

/// Fails if nothing knows the valid inputs.
pub(crate) fn check_input_validator(package: &Package, user: &str) -> Result<()> {
    if package.input_validators.is_empty() {
        bail!(
            "{}: {user} needs an input validator, which knows the valid inputs; add a program to \
             input_validators/ that exits with 42 for a valid input and with 43 for any other",
            package.name
        );
    }
    Ok(())
}

impl<'a> ClassHunt<'a> {
    /// Hunts inputs for all of these programs.
    pub fn run(self, programs: &'a [FailingProgram], tell: &mut OnHuntStep) -> Result<Counterexamples> {
        check_huntable(self.package)?;
        let mut result = Counterexamples {
            package: self.package.name.clone(),
            failing: programs.len(),
            seconds: self.budget.as_secs(),
            seed: self.seed,
            ..Counterexamples::default()
        };
        if programs.is_empty() {
            return Ok(result);
        }
        let ClassGround { ground, programs: run, accepted_not_run } = self.ground(programs)?;
        let name =
            format!("counterexamples {}", self.package.about.uuid.as_deref().unwrap_or(&self.package.name));
        let Remembered { inputs, shown } = self.engine.store().recall(&name)?.unwrap_or_default();
        let hidden = HiddenCases::read(self.package, self.tests, shown)?;
        let experiment = Experiment { engine: self.engine, ground: &ground };
        let confirmer = Confirmer::new(experiment, run.len(), self.package.format);
        let limits = HuntLimits { seed: self.seed, time: self.budget, until: HuntUntil::All };
        let mut search = ClassSearch::new(confirmer, &run, hidden, limits);
        let searches: Vec<FruitlessSearch> =
            (0..run.len()).map(|at| self.fruitless_search(&ground, run.len(), at)).collect();
        for (at, one) in searches.iter().enumerate() {
            if one.is_known(self.engine.store())? {
                search.fruitless.insert(at);
            }
        }
        search.search(tell)?;
        let found = search.confirmed.inputs.len();
        for (at, one) in searches.iter().enumerate() {
            if !search.confirmed.explain(at) && !self.engine.is_stopped() {
                one.keep(self.engine.store())?;
            }
        }
        search.confirm_known(inputs, tell)?;
        self.engine.store().remember(&name, &to_remember(&search))?;
        search.show_chosen(found, &mut result)?;
        for program in programs.iter().filter(|one| run.iter().all(|run| run.member.name != one.member.name))
        {
            let participants = program.participants.clone();
            result.unexplained.push(UnexplainedProgram { participants, why: Unexplained::NotRun });
        }
        result.accepted_not_run = accepted_not_run;
        result.interrupted = self.engine.is_stopped();
        Ok(result)
    }

    /// The search for a program of this ground, whose accepted submissions begin at `failing`.
    fn fruitless_search(&self, ground: &HuntingGround, failing: usize, program: usize) -> FruitlessSearch {
        let own = std::iter::once(&ground.subjects[program]);
        let programs: Vec<Arc<Program>> =
            own.chain(&ground.subjects[failing..]).map(|subject| subject.program.clone()).collect();
        let more = format!("{} ms, seed {}", self.budget.as_millis(), self.seed);
        FruitlessSearch::new("counterexample", &ground.keys_of(&programs), &more)
    }

    fn ground(self, programs: &'a [FailingProgram]) -> Result<ClassGround<'a>> {
        let is_right = |name: &str| is_claimed_right(self.package, name);
        let right = self.package.submissions.iter().filter(|one| is_right(&one.name));
        let names: BTreeSet<&str> = right.clone().map(|one| one.name.as_str()).collect();
        let members = programs.iter().map(|program| program.member.clone());
        let files = members.chain(right.map(Participant::from)).collect();
        let request = StressRequest { files, ..StressRequest::default() };
        let mut ground = ground_of_package(self.engine, self.package, self.tests, &request)?;
        let (accepted, failing): (Vec<_>, Vec<_>) =
            ground.subjects.into_iter().partition(|subject| names.contains(subject.name.as_str()));
        if accepted.is_empty() {
            bail!(
                "no accepted submission can run, so expected outputs are unknown:\n{}",
                ground.skipped.join("\n")
            );
        }
        let is_run = |name: &&&str| accepted.iter().any(|subject| subject.name == **name);
        let accepted_not_run =
            names.iter().filter(|name| !is_run(name)).map(|name| (*name).to_owned()).collect();
        let of_subject =
            |subject: &StressSubject| programs.iter().find(|program| program.member.name == subject.name);
        let run: Option<Vec<&FailingProgram>> = failing.iter().map(of_subject).collect();
        let programs = run.context("a program of the class has two names")?;
        ground.subjects = [failing, accepted].concat();
        Ok(ClassGround { ground, programs, accepted_not_run })
    }
}

fn to_remember(search: &ClassSearch) -> Remembered {
    let new = search.confirmed.inputs.iter().map(|one| &one.found);
    let short = new.filter(|one| !one.is_sample() && one.bytes.len() <= MAX_REMEMBERED_BYTES);
    let inputs = short.take(MAX_REMEMBERED).cloned().collect();
    Remembered { inputs, shown: search.hidden.published().to_vec() }
}
