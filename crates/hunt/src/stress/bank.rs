//! The bank of a package: inputs on which programs failed, kept in the store with their answers. A program that fails
//! later is tried on them, and its participant sees the first on which it fails.

use super::{
    confirmed_inputs::{ClassProgram, sample_name, shown_input, text_excerpt},
    cover::cover,
    hidden_cases::HiddenCases,
};
use crate::bench::{HuntingGround, is_claimed_right};
use anyhow::{Context, Result};
use kopek_base::{Digest, DigestFields};
use kopek_engine::{
    exec::{Engine, KnownFacts},
    store::Store,
};
use kopek_judge::grade::JudgedCohort;
use kopek_package::{
    language::SourceFiles,
    package::{Judge, Package, Participant, Submission, TestSet, read_tests},
    verdict::{Class, Verdict},
};
use kopek_plan::plan::{
    ANSWER_REPORTED, CaseFiles, DrawTask, Job, Outcome, ProbeFailure, Program, Setting, Task, TrialTask,
};
use kopek_results::{Counterexamples, Found, FoundFailure, InputOrigin, TextExcerpt, ValidBy};
use kopek_sandbox::Limits;
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::Arc,
    time::Duration,
};

/// Inputs of a bank. The wrong programs of a class have fewer different mistakes.
const MAX_INPUTS: usize = 30;
/// Longer inputs are not kept.
const MAX_BYTES: usize = 4 << 10;
/// CPU time of all runs of a program on a bank: an answer in Moodle takes 0.3 s longer at most.
const BUDGET: Duration = Duration::from_millis(300);
/// With less time a run of an interpreter does not even begin.
const SHORTEST_RUN: Duration = Duration::from_millis(10);

/// The inputs of a package, those that explain most programs first.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Bank {
    inputs: Vec<BankInput>,
    valid_by: ValidBy,
    /// Whether inputs for its wrong example submissions and its mutants were searched.
    pub(super) has_examples: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct BankInput {
    input: Vec<u8>,
    /// Index of its arguments in the ground of the search.
    ground: usize,
    origin: InputOrigin,
    /// `None`: a conversation has none.
    answer: Option<String>,
    args: Vec<String>,
    output_validator_args: Vec<String>,
    /// The builds of the programs that failed on it.
    failed: BTreeSet<Digest>,
}

/// Whether a package claims that a submission gives a wrong answer or crashes.
pub fn is_claimed_wrong(package: &Package, submission: &str) -> bool {
    let is_wrong = |class: &Class| matches!(class, Class::Wa | Class::Rte);
    let own = package.claims.iter().filter(|claim| claim.is_about(submission));
    own.filter_map(|claim| claim.required().or_else(|| claim.permitted())).flatten().any(is_wrong)
        && !is_claimed_right(package, submission)
}

/// Whether programs of the class vouch for answers, because the package has no validator or no solution.
pub(super) fn asks_class(package: &Package) -> bool {
    let is_right = |submission: &Submission| is_claimed_right(package, &submission.name);
    package.input_validators.is_empty() || !package.submissions.iter().any(is_right)
}

/// The name of the bank in the store. It changes with all that decides which inputs are valid, and their answers.
pub(super) fn name_of(package: &Package) -> Result<String> {
    let mut fields = DigestFields::new("bank of a package, with mutants")
        .with("constants", format!("{:?}", package.constants).as_bytes());
    let output_validators = match &package.judge {
        Judge::Default => &[][..],
        Judge::Programs { programs, .. } => programs,
    };
    let validators = package.input_validators.iter().chain(output_validators).map(|program| &program.source);
    let right = package.submissions.iter().filter(|one| is_claimed_right(package, &one.name));
    for SourceFiles { root, files } in validators.chain(right.map(|one| &one.source)) {
        for file in files {
            fields = fields.with("file", file.as_os_str().as_encoded_bytes());
            fields = fields.with("bytes", &read(&root.join(file))?);
        }
    }
    if asks_class(package) {
        // The tests decide who has all points, and the form.
        for case in read_tests(package)?.0.cases {
            fields = fields.with("input", &read(&case.input)?).with("answer", &read(&case.answer)?);
        }
    }
    let id = package.about.uuid.as_deref().unwrap_or(&package.name);
    Ok(format!("bank {id} {}", fields.digest()))
}

fn read(path: &std::path::Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("read {}", path.display()))
}

impl Bank {
    pub(super) fn recall(store: &Store, name: &str) -> Result<Bank> {
        Ok(store.recall(name)?.unwrap_or_default())
    }

    /// The bank of a package, without inputs that tell a hidden case: tests may be newer than it.
    pub fn open(store: &Store, package: &Package, tests: &TestSet) -> Result<Bank> {
        let mut bank = Bank::recall(store, &name_of(package)?)?;
        if bank.inputs.is_empty() {
            return Ok(bank);
        }
        let hidden = HiddenCases::read(package, tests)?;
        let mut shown = Vec::new();
        for one in bank.inputs {
            if !hidden.are_told_by(&one.input)? {
                shown.push(one);
            }
        }
        bank.inputs = shown;
        Ok(bank)
    }

    pub fn size(&self) -> usize {
        self.inputs.len()
    }

    /// Its inputs, to try them again.
    pub(super) fn found(&self) -> Vec<Found> {
        let found = |one: &BankInput| Found::new(one.input.clone(), one.ground, one.origin.clone());
        self.inputs.iter().map(found).collect()
    }

    /// Adds inputs of a hunt, and keeps the fewest that explain all programs.
    pub(super) fn add(&mut self, found: &[Found], ground: &HuntingGround, valid_by: &ValidBy) {
        for one in found {
            let case = &ground.grounds[one.ground].case;
            let failed: BTreeSet<Digest> =
                one.programs().map(|at| ground.subjects[at].program.build.key()).collect();
            let is_cut = one.answer.as_ref().is_some_and(|answer| answer.len() >= ANSWER_REPORTED);
            if sample_name(one).is_some() || one.input.len() > MAX_BYTES || is_cut {
                continue;
            }
            match self.inputs.iter_mut().find(|known| known.input == one.input && known.ground == one.ground)
            {
                Some(known) => known.failed.extend(failed),
                None => self.inputs.push(BankInput {
                    input: one.input.clone(),
                    ground: one.ground,
                    origin: one.origin.clone(),
                    answer: one.answer.clone(),
                    args: case.args.clone(),
                    output_validator_args: case.output_validator_args.clone(),
                    failed,
                }),
            }
        }
        self.valid_by = valid_by.clone();
        self.keep_fewest();
    }

    fn keep_fewest(&mut self) {
        let failed: Vec<BTreeSet<Digest>> = self.inputs.iter().map(|one| one.failed.clone()).collect();
        let rank = |at: usize, more| (Reverse(more), self.inputs[at].input.len());
        let chosen = cover(&failed, rank, MAX_INPUTS);
        self.inputs = chosen.into_iter().map(|at| self.inputs[at].clone()).collect();
    }

    /// The first input on which the program of a row prints a wrong answer or crashes, in the form of a hunt's result.
    /// Only the runs' CPU time counts, so the same program always gets the same.
    pub fn failing_input(
        &self,
        engine: &Engine,
        judged: &JudgedCohort,
        row: usize,
    ) -> Result<Option<Counterexamples>> {
        let Some((_, program)) = judged.runnable_program(row) else { return Ok(None) };
        let mut left = BUDGET;
        for one in &self.inputs {
            // Half of it, because the run that fails is repeated for its output.
            let cpu = judged.plan.setting.limits.cpu.min(left / 2);
            if cpu < SHORTEST_RUN {
                break;
            }
            let task = one.trial(engine, &program, &judged.plan.setting, cpu)?;
            let Some(Outcome::Trial(trial)) = outcome_of(engine, Task::Trial(task.clone()))? else { break };
            left = left.saturating_sub(trial.usage.cpu);
            let failure = match (trial.verdict, trial.verdict.class()) {
                (Verdict::MemoryLimit, _) | (_, Some(Class::Ac | Class::Tle) | None) => continue,
                (verdict, Some(Class::Wa | Class::Rte)) => ProbeFailure::Verdict(verdict),
            };
            let is_wrong = trial.verdict == Verdict::WrongAnswer && one.answer.is_some();
            let printed = if is_wrong { output_of(engine, task)? } else { None };
            let (program, message, trial) = (Some(0), String::new(), Some(trial));
            let failures = vec![FoundFailure { program, failure, message, trial, printed }];
            let answer = one.answer.clone();
            let found =
                Found { answer, failures, ..Found::new(one.input.clone(), one.ground, one.origin.clone()) };
            return Ok(Some(self.shown(&found, &judged.plan.rows[row].participant)));
        }
        Ok(None)
    }

    fn shown(&self, found: &Found, participant: &Participant) -> Counterexamples {
        let (participants, failed) = (vec![participant.name.clone()], Vec::new());
        let program = ClassProgram { participants, member: participant.clone(), failed };
        let inputs = vec![shown_input(found, &[&program], &BTreeMap::new())];
        Counterexamples { inputs, valid_by: self.valid_by.clone(), ..Counterexamples::default() }
    }
}

impl BankInput {
    /// A run of a program on it. The shorter time is part of the setting, and so of the key.
    fn trial(
        &self,
        engine: &Engine,
        program: &Program,
        setting: &Setting,
        cpu: Duration,
    ) -> Result<TrialTask> {
        // Wall time only ends programs that wait.
        let limited = |limits: Limits| Limits { cpu, wall: limits.wall.min(4 * cpu), ..limits };
        let hold = |bytes: &[u8]| engine.store().hold(&bytes.into());
        let case = CaseFiles {
            name: "bank/input".into(),
            input: hold(&self.input)?,
            answer: hold(self.answer.as_deref().unwrap_or_default().as_bytes())?,
            files: None,
            args: self.args.clone(),
            output_validator_args: self.output_validator_args.clone(),
            input_visualizer_args: vec![],
            output_visualizer_args: vec![],
        };
        let program = Program { limits: limited(program.limits), ..program.clone() };
        let setting = Setting { limits: limited(setting.limits), stop: cpu, ..setting.clone() };
        Ok(TrialTask::new(Arc::new(program), Arc::new(case), Arc::new(setting)))
    }
}

/// What a program printed in a run.
fn output_of(engine: &Engine, trial: TrialTask) -> Result<Option<TextExcerpt>> {
    let drawing = match outcome_of(engine, Task::Draw(DrawTask::Files { trial }))? {
        Some(Outcome::Drawing(drawing)) => drawing,
        Some(_) | None => return Ok(None),
    };
    let Some(digest) = drawing.pictures.into_values().next_back() else { return Ok(None) };
    Ok(engine.store().bytes(&digest)?.map(|bytes| text_excerpt(&bytes)))
}

/// `None`: the run was stopped, or has a fault. A reason is an extra: without it, the verdict stands.
fn outcome_of(engine: &Engine, task: Task) -> Result<Option<Outcome>> {
    let results = engine.run_all(vec![Job::new(task)], KnownFacts::Use, &mut |_, _| Ok(()))?;
    Ok(results.into_iter().next().flatten().and_then(Result::ok))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_keeps_the_fewest_inputs_that_explain_all_programs_those_that_explain_most_first() {
        let input = |text: &str, failed: &[u8]| BankInput {
            input: text.into(),
            ground: 0,
            origin: InputOrigin::Form,
            answer: Some("1\n".into()),
            args: vec![],
            output_validator_args: vec![],
            failed: failed.iter().map(|program| Digest::of(&[*program])).collect(),
        };
        let inputs =
            vec![input("5\n", &[1]), input("7 7\n", &[1, 2]), input("8\n", &[3]), input("9 9\n", &[3])];
        let mut bank = Bank { inputs, ..Bank::default() };
        bank.keep_fewest();
        let kept: Vec<&[u8]> = bank.inputs.iter().map(|one| &one.input[..]).collect();
        assert_eq!(kept, [b"7 7\n", &b"8\n"[..]]);
        bank.inputs = (0..50).map(|at| input(&format!("{at}\n"), &[at])).collect();
        bank.keep_fewest();
        assert_eq!(bank.size(), MAX_INPUTS);
    }
}
