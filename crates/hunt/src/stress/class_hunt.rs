//! The hunt for a class: small inputs on which its failing programs fail, as few as explain the most of them.
//!
//! An input counts if the validators and all accepted submissions agree on it, and if it tells no hidden case.
//! Budgets count tried inputs and not time, so the result does not depend on the speed of the machine. Inputs of the
//! bank come last: they never replace an input that would be found without them, and only explain programs for which
//! this hunt finds nothing.

use super::{
    bank::{self, Bank, asks_class, is_claimed_wrong},
    class_search::ClassSearch,
    confirmed_inputs::ClassProgram,
    confirming::{Confirmer, MIN_VOUCHERS, Vouching},
    hidden_cases::HiddenCases,
    hunt_result::{HuntLimits, HuntUntil, OnHuntStep},
};
use crate::fruitless::FruitlessSearch;
use crate::{
    bench::{
        Batch, BatchResult, Bench, HuntingGround, StressRequest, StressSubject, Until, as_solution,
        ground_of_package, is_claimed_right,
    },
    form::RandomStream,
};
use anyhow::{Context, Result, bail};
use kopek_base::Digest;
use kopek_engine::exec::Engine;
use kopek_package::package::{Package, Participant, TestSet};
use kopek_plan::plan::{ProbeGround, ProbeInputs, Program};
use kopek_results::{Counterexamples, Unexplained, UnexplainedProgram, ValidBy};
use std::{collections::BTreeSet, ops::Range, sync::Arc, time::Duration};

/// A hunt for a class.
#[derive(Clone, Copy)]
pub struct ClassHunt<'a> {
    pub engine: &'a Engine<'a>,
    pub package: &'a Package,
    pub tests: &'a TestSet,
    pub seed: u64,
    /// CPU time for each program, by what a run usually takes.
    pub budget: Duration,
    /// Different programs of the class with all points: they vouch for inputs where the package has no validator or no
    /// solution.
    pub right: &'a [ClassProgram],
}

/// Programs of a class that vouch for an input: more make it no surer.
const MAX_VOUCHERS: usize = 12;
/// Accepted submissions that are enough to vouch for an answer.
const MIN_ACCEPTED: usize = 2;

/// The programs of a class that can run.
struct ClassGround<'a> {
    /// Its subjects are the failing programs, then those that vouch, then all others of the class with all points.
    ground: HuntingGround,
    /// The failing ones, by index of the subject.
    programs: Vec<&'a ClassProgram>,
    vouchers: Range<usize>,
    /// Accepted submissions that cannot run on this machine.
    accepted_not_run: Vec<String>,
    vouching: Vouching,
    valid_by: ValidBy,
}

/// Says what a package lacks for such a hunt.
pub fn check_huntable(package: &Package) -> Result<()> {
    let name = &package.name;
    if let Some(kind) = unhunted_kind(package) {
        bail!("{name}: --counterexamples is not supported for {kind} problems; grade without it");
    }
    Ok(())
}

/// The kind of a problem whose submissions are not tried on single inputs.
pub(crate) fn unhunted_kind(package: &Package) -> Option<&'static str> {
    let submit_answer = package.kind.submit_answer.then_some("submit-answer");
    submit_answer.or(package.kind.multi_pass.then_some("multi-pass"))
}

/// Searches inputs for the wrong example submissions of a package and for its mutants, unless that was done. `budget`: CPU
/// time for each.
pub fn fill_bank(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    mutants: &[Participant],
    budget: Duration,
) -> Result<()> {
    let name = bank::name_of(package)?;
    if Bank::recall(engine.store(), &name)?.has_examples {
        return Ok(());
    }
    let wrong = package.submissions.iter().filter(|one| is_claimed_wrong(package, &one.name));
    let mut programs = Vec::new();
    for member in wrong.map(Participant::from).chain(mutants.iter().cloned()) {
        programs.push(ClassProgram { participants: vec![member.name.clone()], member, failed: Vec::new() });
    }
    if programs.is_empty() || unhunted_kind(package).is_some() {
        return Ok(());
    }
    ClassHunt { engine, package, tests, seed: 1, budget, right: &[] }.run(&programs, &mut |_| ())?;
    if !engine.is_stopped() {
        let mut bank = Bank::recall(engine.store(), &name)?;
        bank.has_examples = true;
        engine.store().remember(&name, &bank)?;
    }
    Ok(())
}

impl<'a> ClassHunt<'a> {
    /// Hunts inputs for all of these programs.
    pub fn run(self, programs: &'a [ClassProgram], tell: &mut OnHuntStep) -> Result<Counterexamples> {
        check_huntable(self.package)?;
        let mut result = Counterexamples {
            package: self.package.name.clone(),
            failing: programs.len(),
            seconds: self.budget.as_secs(),
            seed: self.seed,
            ..Counterexamples::default()
        };
        // Programs with all points are compared on new inputs even if no program fails.
        let can_compare =
            !self.right.is_empty() && (self.right.len() >= MIN_VOUCHERS || !asks_class(self.package));
        if programs.is_empty() && !can_compare {
            return Ok(result);
        }
        let ClassGround { ground, programs: run, vouchers, accepted_not_run, vouching, valid_by } =
            self.ground(programs)?;
        let name = bank::name_of(self.package)?;
        let mut bank = Bank::recall(self.engine.store(), &name)?;
        let hidden = HiddenCases::read(self.package, self.tests)?;
        let bench = Bench { engine: self.engine, ground: &ground };
        let confirmer = Confirmer::new(bench, vouchers, self.package.format, vouching);
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
            // A search with a disputed input is repeated, so that the report says the same again.
            let found_nothing = !search.confirmed.explain(at) && !search.disputed.contains(&at);
            if found_nothing && !self.engine.is_stopped() {
                one.keep(self.engine.store())?;
            }
        }
        search.confirm_known(bank.found(), tell)?;
        bank.add(&search.confirmed.inputs, &ground, &valid_by);
        self.engine.store().remember(&name, &bank)?;
        search.show_chosen(found, &mut result)?;
        search.show_missed(self.right, &mut result)?;
        for program in programs.iter().filter(|one| run.iter().all(|run| run.member.name != one.member.name))
        {
            let participants = program.participants.clone();
            result.unexplained.push(UnexplainedProgram { participants, why: Unexplained::NotRun });
        }
        result.accepted_not_run = accepted_not_run;
        result.valid_by = valid_by;
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

    fn ground(self, programs: &'a [ClassProgram]) -> Result<ClassGround<'a>> {
        let is_right = |name: &str| is_claimed_right(self.package, name);
        let right = self.package.submissions.iter().filter(|one| is_right(&one.name));
        let names: BTreeSet<&str> = right.clone().map(|one| one.name.as_str()).collect();
        let members = programs.iter().map(|program| program.member.clone());
        let mut files: Vec<Participant> = members.chain(right.map(Participant::from)).collect();
        files.extend(self.right.iter().map(|program| program.member.clone()));
        let right = self.right.iter().map(|program| program.member.name.clone()).collect();
        let request = StressRequest { files, right, ..StressRequest::default() };
        let mut ground = ground_of_package(self.engine, self.package, self.tests, &request)?;
        let (mut failing, mut accepted, mut of_class) = (Vec::new(), Vec::new(), Vec::new());
        for subject in std::mem::take(&mut ground.subjects) {
            match () {
                () if names.contains(subject.name.as_str()) => accepted.push(subject),
                () if request.right.contains(&subject.name) => of_class.push(subject),
                () => failing.push(subject),
            }
        }
        // A copy of a solution vouches for nothing.
        let solutions: Vec<Digest> =
            accepted.iter().map(|one: &StressSubject| one.program.build.key()).collect();
        of_class.retain(|one: &StressSubject| !solutions.contains(&one.program.build.key()));
        if asks_class(self.package) {
            accepted.extend(of_class.drain(..of_class.len().min(MAX_VOUCHERS)));
        }
        let valid_by = ground.valid_by()?;
        self.check_vouchers(&accepted, &ground.skipped)?;
        let is_run = |name: &&&str| accepted.iter().any(|subject| subject.name == **name);
        let accepted_not_run =
            names.iter().filter(|name| !is_run(name)).map(|name| (*name).to_owned()).collect();
        let of_subject =
            |subject: &StressSubject| programs.iter().find(|program| program.member.name == subject.name);
        let run: Option<Vec<&ClassProgram>> = failing.iter().map(of_subject).collect();
        let programs = run.context("a program of the class has two names")?;
        let first = failing.len();
        let vouchers = first..first + accepted.len();
        ground.subjects = [failing, accepted, of_class].concat();
        let vouching = if asks_class(self.package) { Vouching::Most } else { Vouching::All };
        // What participants print in a conversation is no answer.
        if names.is_empty() && ground.has_answers() {
            let bench = Bench { engine: self.engine, ground: &ground };
            let speaker = typical_voucher(bench, vouchers.clone())?;
            ground.answer_by(speaker);
        }
        Ok(ClassGround { ground, programs, vouchers, accepted_not_run, vouching, valid_by })
    }

    fn check_vouchers(&self, vouchers: &[StressSubject], skipped: &[String]) -> Result<()> {
        let accepted = vouchers.iter().filter(|voucher| voucher.claimed_right).count();
        if !asks_class(self.package) && vouchers.is_empty() {
            bail!("no accepted submission can run, so expected outputs are unknown:\n{}", skipped.join("\n"));
        }
        if asks_class(self.package) && vouchers.len() < MIN_VOUCHERS && accepted < MIN_ACCEPTED {
            bail!(
                "expected outputs need {MIN_VOUCHERS} different programs with all points, or {MIN_ACCEPTED} correct solutions in \
                 submissions/accepted/; there are only {}",
                vouchers.len()
            );
        }
        Ok(())
    }
}

/// Inputs on which the programs that vouch are compared with each other.
const COMPARED: usize = 10;
/// Programs that are compared to find a typical one.
const SPEAKERS: usize = 3;

/// The program whose answers most others give: one with all points may still be wrong.
fn typical_voucher(bench: Bench, vouchers: Range<usize>) -> Result<usize> {
    let HuntingGround { form, grounds, subjects, .. } = bench.ground;
    let Ok(form) = form else { return Ok(vouchers.start) };
    let mut random = RandomStream::new(1, 0);
    let inputs: Vec<Vec<u8>> = (0..COMPARED).filter_map(|at| form.draw(1 + at / 2, &mut random)).collect();
    let mut batches = Vec::new();
    for speaker in vouchers.clone().take(SPEAKERS) {
        let solution = Some(as_solution(&subjects[speaker].program));
        let ground = ProbeGround { solution, ..(*grounds[0]).clone() };
        let (ground, inputs) = (Arc::new(ground), ProbeInputs::Given(inputs.clone()));
        batches.push(Batch { ground, inputs, programs: vouchers.clone().collect() });
    }
    let results = bench.try_batches(&batches, Until::END)?;
    let others = |result: &BatchResult| match result {
        BatchResult::Tried(tried) if tried.undecided.is_empty() => tried.hits.len(),
        // Nothing is known about it.
        BatchResult::Tried(_) | BatchResult::Failed(_) | BatchResult::NotTried => usize::MAX,
    };
    let best = (0..results.len()).min_by_key(|&at| others(&results[at]));
    Ok(vouchers.start + best.unwrap_or(0))
}
