//! Tries a batch of new inputs: makes, validates and answers each, then runs every subject on it.

use super::{
    job_worker::{JobSlots, Worker, fault},
    output_checker::check_output,
    passes::{DirOnDemand, PassDirs, directory},
    probe_place::{CaseBytes, ProbePlace},
    submission_run::submission_exec,
    validate_input::ACCEPTED,
    witnessed_trial::settle_trial,
};
use kopek_base::{Bytes, Digest, DigestFields, wording::short_line};
use kopek_package::verdict::Verdict;
use kopek_plan::plan::{
    ANSWER_REPORTED, CaseFile, CaseFiles, Checker, ProbeFailure, ProbeHit, ProbeInputs, ProbeResult,
    ProbeTask, ProbeUntil, Program, Trial, TrialTask, UnusedInput,
};
use kopek_sandbox::{Exit, Fault, FaultSource, Input, Keep, Limit, RunResult};
use std::{collections::HashSet, fs, path::PathBuf, sync::Arc};

/// Tries all inputs of a batch, or stops where the task says.
pub(super) fn probe_inputs(worker: &mut Worker, task: &ProbeTask) -> Result<ProbeResult, Fault> {
    let data = match &*task.ground.setting.checker {
        Checker::Default(_) => None,
        Checker::Programs { data, .. } => Some(*data),
    };
    let case = &task.ground.case;
    if !worker.place.as_ref().is_some_and(|place| place.suits(data, case)) {
        worker.place = Some(ProbePlace::new(&worker.machine.store, data, case)?);
    }
    let mut batch = ProbeBatch {
        worker,
        task,
        result: ProbeResult::default(),
        known: HashSet::new(),
        failed: vec![false; task.subjects.len()],
    };
    batch.run()?;
    Ok(batch.result)
}

struct ProbeBatch<'a, 'm> {
    worker: &'a mut Worker<'m>,
    task: &'a ProbeTask,
    result: ProbeResult,
    /// Inputs so far: small generators repeat themselves.
    known: HashSet<Digest>,
    /// Whether a subject has failed, by subject.
    failed: Vec<bool>,
}

impl ProbeBatch<'_, '_> {
    fn run(&mut self) -> Result<(), Fault> {
        let inputs = match &self.task.inputs {
            ProbeInputs::Generated { calls, .. } => calls.len(),
            ProbeInputs::Given(inputs) => inputs.len(),
        };
        for at in 0..inputs {
            if self.is_over() {
                break;
            }
            self.look_at(at)?;
        }
        Ok(())
    }

    fn is_time_up(&mut self) -> bool {
        let now = self.worker.machine.clock.now();
        self.result.cut |= self.task.deadline.is_some_and(|deadline| now >= deadline);
        self.result.cut
    }

    fn is_over(&mut self) -> bool {
        if self.is_time_up() || self.result.hung.is_some() {
            return true;
        }
        match self.task.until {
            ProbeUntil::FirstHit => !self.result.hits.is_empty(),
            ProbeUntil::EachFailed => self.failed.iter().all(|failed| *failed),
            ProbeUntil::Failure(failure) => self.result.hits.iter().any(|hit| hit.failure == failure),
            ProbeUntil::End => false,
        }
    }

    fn look_at(&mut self, at: usize) -> Result<(), Fault> {
        let Some(input) = self.input(at)? else {
            self.result.failed_calls += 1;
            self.note_unused(at);
            return Ok(());
        };
        if !self.known.insert(Digest::of(&input)) {
            self.result.repeated += 1;
            return Ok(());
        }
        if let Some(why) = self.refusal(&input)? {
            self.result.refused += 1;
            self.note_unused(at);
            self.result.complaint.get_or_insert(UnusedInput::Unusable(why));
            return Ok(());
        }
        self.result.valid += 1;
        let Some(answer) = self.answer(at, &input)? else { return Ok(()) };
        let case = CaseBytes { input: &input, answer: &answer };
        self.place().put(case)?;
        self.try_subjects(at, case)
    }

    /// Records a generated input that gave no result, so that the caller can learn from it. Given inputs
    /// teach nothing.
    fn note_unused(&mut self, at: usize) {
        if matches!(self.task.inputs, ProbeInputs::Generated { .. }) {
            self.result.unused.extend(u32::try_from(at));
        }
    }

    /// Records a call that takes too long, which ends the batch: the next calls are likely to hang as well.
    /// Given inputs have no call.
    fn note_hung(&mut self, at: usize, why: UnusedInput) {
        if matches!(self.task.inputs, ProbeInputs::Generated { .. }) {
            self.result.hung = u32::try_from(at).ok();
            self.result.complaint.get_or_insert(why);
        }
    }

    fn place(&mut self) -> &mut ProbePlace {
        self.worker.place.as_mut().expect("a batch begins with a place")
    }

    /// The input with this number; `None` if the generator failed.
    fn input(&mut self, at: usize) -> Result<Option<Vec<u8>>, Fault> {
        match &self.task.inputs {
            ProbeInputs::Given(inputs) => Ok(Some(inputs[at].clone())),
            ProbeInputs::Generated { program, calls } => self.generate(at, program, &calls[at]),
        }
    }

    fn generate(
        &mut self,
        at: usize,
        program: &Arc<Program>,
        args: &[String],
    ) -> Result<Option<Vec<u8>>, Fault> {
        let fault = |e: std::io::Error| Fault::new(format!("take what `{}` wrote: {e}", program.name));
        let to = directory()?;
        let mut exec = self.worker.exec_in_empty_box(program, args)?;
        exec.keep = Keep::Below(PathBuf::new(), to.path().to_owned());
        let ran = self.worker.run_in_own_slot(program, &exec)?;
        let file = to.path().join("testcase.in");
        let bytes = if file.is_file() {
            fs::read(&file).map_err(fault)?
        } else {
            ran.stdout.bytes().map_err(fault)?
        };
        if ran.exit == Exit::Code(0) && !bytes.is_empty() {
            self.result.longest_call = self.result.longest_call.max(ran.usage.cpu);
            return Ok(Some(bytes));
        }
        let call = [std::slice::from_ref(&program.name), args].concat().join(" ");
        let why = short_line(&format!("generator `{call}` {}", ran.end_in_words(&program.limits)));
        let why = UnusedInput::NotMade(why);
        match ran.exit {
            Exit::Exceeded(_) => self.note_hung(at, why),
            Exit::Code(_) | Exit::Signal(_) => drop(self.result.complaint.get_or_insert(why)),
        }
        Ok(None)
    }

    /// Why an input is not valid.
    fn refusal(&mut self, input: &[u8]) -> Result<Option<String>, Fault> {
        for ruling in &self.task.ground.input_validators {
            let validator = &ruling.validator;
            let mut exec = self.worker.exec_of(validator, &ruling.args)?;
            exec.stdin = Input::Bytes(input.to_vec());
            let ran = self.worker.run_in_own_slot(validator, &exec)?;
            if ran.exit != ACCEPTED {
                let end = ran.end_in_words(&validator.limits);
                return Ok(Some(short_line(&format!("input validator `{}` {end}", validator.name))));
            }
        }
        Ok(None)
    }

    /// The answer to an input; `None` if there is no usable one. That counts as a hit, unless the solution
    /// only takes too long for a hunt.
    fn answer(&mut self, at: usize, input: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        let Some(solution) = self.task.ground.solution.clone() else { return Ok(Some(Vec::new())) };
        let unanswered = CaseBytes { input, answer: b"" };
        self.place().put(unanswered)?;
        let task = self.trial_task(&solution, unanswered);
        let names = &task.setting.named_files;
        let to = names.as_ref().map(|_| directory()).transpose()?;
        let to = to.as_ref().map(kopek_base::ScratchDir::path);
        let path = self.place().input.clone();
        let exec = submission_exec(self.worker, &task, &path, to)?;
        let ran = self.worker.run_in_own_slot(&solution, &exec)?;
        let bytes = match (names, to) {
            (Some(names), Some(to)) => fs::read(to.join(&names.output)).unwrap_or_default(),
            _ => ran.stdout.bytes().map_err(|e| Fault::new(format!("read an answer: {e}")))?,
        };
        if ran.exit != Exit::Code(0) {
            let message = format!("`{}` {}", solution.name, ran.end_in_words(&solution.limits));
            if ran.exit == Exit::Exceeded(Limit::Cpu) {
                self.note_hung(at, UnusedInput::Unusable(short_line(&message)));
                return Ok(None);
            }
            self.add_hit(at, input, Hit::of_package(ProbeFailure::SolutionFailed, message))?;
            return Ok(None);
        }
        match self.refused_answer(&solution, CaseBytes { input, answer: &bytes }, &ran)? {
            None => Ok(Some(bytes)),
            Some(hit) => {
                self.add_hit(at, input, Hit { answer: &bytes, ..hit })?;
                Ok(None)
            }
        }
    }

    /// Why output validators refuse the answer.
    fn refused_answer(
        &mut self,
        solution: &Arc<Program>,
        case: CaseBytes,
        ran: &RunResult,
    ) -> Result<Option<Hit<'static>>, Fault> {
        if matches!(*self.task.ground.setting.checker, Checker::Default(_)) {
            return Ok(None);
        }
        self.place().put(case)?;
        let task = self.trial_task(solution, case);
        let before = DirOnDemand::default();
        let after = DirOnDemand::default();
        let path = self.place().input.clone();
        let dirs = PassDirs { input: &path, before: &before, after: &after };
        let checked =
            with_probe_slots(self.worker, &task, |worker| check_output(worker, &task, &dirs, &ran.stdout));
        match checked {
            Ok(checked) if checked.accepted => Ok(None),
            Ok(checked) => Ok(Some(Hit::of_package(ProbeFailure::AnswerRefused, checked.judge_message))),
            Err(fault) if fault.source == FaultSource::TrustedProgram => {
                Ok(Some(Hit::of_package(ProbeFailure::ValidatorFailedOnAnswer, fault.what)))
            }
            Err(fault) => Err(fault),
        }
    }

    fn trial_task(&self, program: &Arc<Program>, case: CaseBytes) -> TrialTask {
        let case: CaseFiles = self.task.ground.case_of(case.input, case.answer);
        let setting = self.task.ground.setting.clone();
        TrialTask::new(program.clone(), Arc::new(case), setting)
    }

    fn try_subjects(&mut self, at: usize, case: CaseBytes) -> Result<(), Fault> {
        for (number, subject) in self.task.subjects.iter().enumerate() {
            if self.is_time_up() {
                break;
            }
            if self.failed[number] && self.task.until == ProbeUntil::EachFailed {
                continue;
            }
            let task = self.trial_task(subject, case);
            self.result.trials += 1;
            let (failure, trial, message) =
                match with_probe_slots(self.worker, &task, |worker| settle_trial(worker, &task)) {
                    Ok(trial) if trial.verdict == Verdict::Accepted => continue,
                    Ok(trial) => (ProbeFailure::Verdict(trial.verdict), Some(trial), String::new()),
                    Err(fault) if fault.source == FaultSource::TrustedProgram => {
                        (ProbeFailure::ValidatorFailed, None, fault.what)
                    }
                    // Keep the other inputs of the batch, and the mistakes that they found.
                    Err(fault) if fault.source.is_undecided() => {
                        self.result.undecided.push(short_line(&fault.what));
                        continue;
                    }
                    Err(fault) => return Err(fault),
                };
            self.failed[number] = true;
            let subject = Some(number as u32);
            let answer = case.answer;
            self.add_hit(at, case.input, Hit { subject, failure, message, answer, trial })?;
        }
        Ok(())
    }

    fn add_hit(&mut self, at: usize, input: &[u8], hit: Hit) -> Result<(), Fault> {
        let contents = match self.task.inputs {
            // The caller already has the inputs that it gave.
            ProbeInputs::Given(_) => None,
            ProbeInputs::Generated { .. } => {
                let digest = self.worker.machine.store.put_bytes(input).map_err(fault)?;
                Some(CaseFile { digest, size: Bytes(input.len() as u64) })
            }
        };
        let answer = &hit.answer[..hit.answer.len().min(ANSWER_REPORTED)];
        self.result.hits.push(ProbeHit {
            input: at as u32,
            subject: hit.subject,
            failure: hit.failure,
            message: short_line(&hit.message),
            contents,
            answer: String::from_utf8_lossy(answer).into_owned(),
            trial: hit.trial,
        });
        Ok(())
    }
}

/// A mistake that is not yet recorded.
struct Hit<'a> {
    subject: Option<u32>,
    failure: ProbeFailure,
    message: String,
    answer: &'a [u8],
    trial: Option<Trial>,
}

impl Hit<'static> {
    fn of_package(failure: ProbeFailure, message: String) -> Hit<'static> {
        Hit { subject: None, failure, message, answer: b"", trial: None }
    }
}

/// Runs `act` with the slots that belong to a subject and to the validators.
fn with_probe_slots<T>(worker: &mut Worker, task: &TrialTask, act: impl FnOnce(&mut Worker) -> T) -> T {
    let names = [
        DigestFields::new("subject").with("blob", task.program.blob.as_bytes()).digest(),
        Digest::of(b"output validators"),
    ];
    let [submission, judge] = names.map(|name| worker.programs.take(worker.machine, name));
    let own = std::mem::replace(&mut worker.slots, JobSlots { submission, judge });
    let done = act(worker);
    let used = std::mem::replace(&mut worker.slots, own);
    worker.programs.give_back(names[0], used.submission);
    worker.programs.give_back(names[1], used.judge);
    done
}
