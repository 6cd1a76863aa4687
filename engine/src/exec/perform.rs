//! Does any job: each kind in its own file.

use super::{
    Local, Machine, Perform, build, drawing, grader, input_check, make_case, output_check, probe,
    retry::{
        FirstTry, LATEST_FIRST_STOP, LATEST_STOP, Tries, may_decide, stands_among_idlers,
        stop_when_disturbed, undecided, weigh_first_try,
    },
    turns::Company,
    worker::{JobSlots, Worker, fault},
};
use crate::{
    base::Bytes,
    plan::{Conditions, Job, Key, Outcome, Program, Task, Trial, TrialTask},
    sandbox::{CacheUse, Exit, Fault, FaultSource, Slowdown},
    verdict::Verdict,
};
use std::{
    sync::{Arc, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

impl Machine {
    /// The executor that does jobs on this machine.
    pub fn executor(&self) -> Local<'_> {
        self.measure_beforehand();
        Local::new(self.cpus.iter().map(|&cpu| self.performer(cpu)).collect())
    }

    /// Does jobs, one at a time, on a CPU.
    pub fn performer(&self, cpu: usize) -> Perform<'_> {
        let slots =
            JobSlots { submission: self.sandbox.slot(Some(cpu)), judge: self.sandbox.slot(Some(cpu)) };
        let mut worker = Worker::new(self, slots, cpu);
        Box::new(move |job| worker.perform(job))
    }
}

impl Worker<'_> {
    /// Does a job. What it names must still be as it was when all is over, or the outcome would be a
    /// fact about something else.
    fn perform(&mut self, job: &Job) -> Result<Outcome, Fault> {
        // Here, not where the slot is made: that happens on another thread than the one that does the jobs.
        self.slots.submission.pin_thread()?;
        self.forget_toolchains();
        self.machine.active.fetch_add(1, Ordering::Relaxed);
        let outcome = self.perform_task(job);
        self.machine.active.fetch_sub(1, Ordering::Relaxed);
        let outcome = outcome?;
        self.check_toolchains()?;
        self.machine.store.check_untouched(&job.task.blobs()).map_err(fault)?;
        Ok(outcome)
    }

    fn perform_task(&mut self, job: &Job) -> Result<Outcome, Fault> {
        match &job.task {
            Task::Build(task) => {
                build::build(self.machine, &mut self.slots.submission, task).map(Outcome::Build)
            }
            Task::MakeCase(task) => make_case::make_case(self, task).map(Outcome::Case),
            Task::CheckInput(task) => input_check::check_input(self, task).map(Outcome::Validation),
            Task::CheckOutput(task) => output_check::check_output(self, task).map(Outcome::Validation),
            Task::Trial(task) => {
                // Cases are made before trials: what made them would stay in memory for all of the class.
                self.programs.end_idle();
                let mut trial = self.trial(&job.key, task)?;
                // By it conditions were weighed; a fact is the same wherever it comes from.
                (trial.usage.resident, trial.usage.working_set) = (Bytes(0), None);
                Ok(Outcome::Trial(trial))
            }
            Task::CheckSource(task) => self.check_source(task).map(Outcome::Trial),
            Task::Grade(task) => grader::grade(self, task).map(Outcome::Grade),
            Task::Draw(task) => drawing::draw(self, task).map(Outcome::Drawing),
            Task::Probe(task) => probe::probe_inputs(self, task).map(Outcome::Probe),
        }
    }

    /// Tries a program on a case. What time decides is believed only if nobody disturbed; what was
    /// disturbed comes back as a fault, and is tried again alone when this is called again.
    pub(super) fn trial(&mut self, key: &Key, task: &TrialTask) -> Result<Trial, Fault> {
        let machine = self.machine;
        let aside = || machine.aside.lock().unwrap_or_else(PoisonError::into_inner);
        let put_aside = aside().remove(key);
        if let Some(first) = put_aside {
            return self.try_alone(task, first, Patience::UntilQuiet);
        }
        let first = self.first_try(task);
        let (kept, result) = match first {
            Ok(trial) => match weigh_first_try(&task.setting, &trial) {
                FirstTry::Believe => (None, Ok(trial)),
                FirstTry::Again => (None, self.try_alone(task, Some(trial), Patience::None)),
                FirstTry::AgainAmongIdlers => (None, self.try_among_idlers(task, trial)),
                FirstTry::Aside => {
                    let what = format!("{} while others disturbed, and not tried again yet", trial.verdict);
                    (Some(trial), Err(undecided(&what)))
                }
            },
            Err(fault) => (None, Err(fault)),
        };
        if result.as_ref().is_err_and(|fault| fault.source == FaultSource::Disturbance) {
            // Whoever asks again is not the first: what is disturbed then must not be put aside for good.
            aside().insert(*key, kept);
        }
        result
    }

    /// Tries it beside others.
    fn first_try(&mut self, task: &TrialTask) -> Result<Trial, Fault> {
        let _turn = self.machine.turns.begin(Company::Anybody);
        // What it uses is seen while it runs: if that is nothing it is stopped as early as ever.
        let cache = self.measured_cache_use(&task.program).unwrap_or(CacheUse::Little);
        self.recent_moment(cache.min(CacheUse::Little));
        let expected = self.expected_conditions(cache);
        match is_calm(&expected) {
            true => self.measured_trial(task),
            // Who goes on for long enough is too slow in quiet, too: that saves all other tries.
            false => self.measured_trial(&with_later_stop(task, expected.doubt_factor(), LATEST_FIRST_STOP)),
        }
    }

    /// Tries it again beside others that seem to idle; alone, if that tells nothing for certain.
    fn try_among_idlers(&mut self, task: &TrialTask, first: Trial) -> Result<Trial, Fault> {
        let again = {
            let _turn = self.machine.turns.begin(Company::Idlers);
            self.settle_closely(task, Some(first.clone()), Patience::None)
        };
        match again {
            Ok(trial) if stands_among_idlers(&task.setting, &trial) => Ok(trial),
            Ok(_) | Err(_) => self.try_alone(task, Some(first), Patience::None),
        }
    }

    /// Tries it again until the time is known, while all other slots wait.
    fn try_alone(
        &mut self,
        task: &TrialTask,
        first: Option<Trial>,
        patience: Patience,
    ) -> Result<Trial, Fault> {
        // Waits for the trials of all other slots to end: near the limit, neighbours decide the verdict.
        let _turn = self.machine.turns.begin(Company::Nobody);
        self.settle_closely(task, first, patience)
    }

    /// The tries, closely looked at.
    fn settle_closely(
        &mut self,
        task: &TrialTask,
        first: Option<Trial>,
        patience: Patience,
    ) -> Result<Trial, Fault> {
        self.yardsticks = CLOSE_YARDSTICKS;
        // Where time decides, no word is carried. Who idled or used up its memory did so by what was said.
        self.writes_talks_down = first
            .as_ref()
            .is_none_or(|first| matches!(first.verdict, Verdict::IdleLimit | Verdict::MemoryLimit));
        let settled = self.settle(task, first, patience);
        (self.yardsticks, self.writes_talks_down) = (1, false);
        settled
    }

    fn settle(&mut self, task: &TrialTask, first: Option<Trial>, patience: Patience) -> Result<Trial, Fault> {
        let mut tries = Tries::new(&task.setting, first);
        let mut patient = task.clone();
        while tries.may_go_on() {
            if patience == Patience::UntilQuiet {
                let now = self.conditions_to_try_in(&tries);
                let doubt = now.doubt_factor().max(tries.doubt_so_far());
                patient = with_later_stop(task, doubt, LATEST_STOP);
            }
            let start = Instant::now();
            tries.add(self.measured_trial(&patient))?;
            let spent = start.elapsed();
            // Bounded: on a machine that is busy all day one try alone must do.
            if patience == Patience::UntilQuiet && !self.machine.reference.take_patience(spent) {
                break;
            }
        }
        tries.result()
    }

    /// What it is like now, or when it has become quiet. Most miss by so much that one try tells whatever the
    /// machine is like: nobody waits before that.
    fn conditions_to_try_in(&mut self, tries: &Tries) -> Conditions {
        let cache = tries.cache_use();
        if !tries.were_any_alone() {
            self.measure_moment(cache);
            let now = self.expected_conditions(cache);
            if may_decide(now.doubt_factor()) {
                return now;
            }
        }
        let quietest = self.wait_for_quiet(cache);
        self.machine.reference.expect(quietest, cache)
    }

    /// One try, and what the machine was like.
    fn measured_trial(&mut self, task: &TrialTask) -> Result<Trial, Fault> {
        let known = self.known_cache_use(&task.program);
        // To look at more takes longer than most trials.
        let decides = self.yardsticks > 1;
        let before = self.recent_moment(if decides { known } else { known.min(CacheUse::Little) });
        let start = Instant::now();
        // Where all memory is as quick as ever it does not matter who uses how much.
        if CacheUse::ALL.iter().any(|cache| !self.may_be_calm(*cache)) {
            // Who uses little is not disturbed by those who take the cache, but by all others.
            let is_calm_for_small = is_calm(&self.expected_conditions(CacheUse::Nothing));
            let stop = if is_calm_for_small { task.setting.stop } else { Duration::MAX };
            self.slots.submission.watch_working_sets(Some(stop));
        }
        let tried = self.trial_once(task);
        self.slots.submission.watch_working_sets(None);
        let mut trial = tried?;
        let near = trial.usage.cpu > task.setting.limits.cpu.mul_f64(NEAR_THE_LIMIT);
        let matters = near || matches!(trial.verdict, Verdict::IdleLimit | Verdict::MemoryLimit);
        let doubted = task.setting.remeasure_above.is_some_and(|bound| trial.usage.cpu > bound);
        if trial.usage.working_set.is_some() {
            self.note_cache_use(&task.program, CacheUse::of(&trial.usage));
        }
        trial.conditions = match matters || doubted {
            true => self.conditions_of_run(&before, start, CacheUse::of(&trial.usage)),
            false => before.conditions(known.min(CacheUse::Little)),
        };
        Ok(trial)
    }

    /// Whether the next run seems to be undisturbed, as far as it was looked at what its use of the cache suffers.
    fn may_be_calm(&self, cache: CacheUse) -> bool {
        let expected = self.expected_conditions(cache);
        is_calm(&expected) || cache > CacheUse::Little && expected.slowdown.is_none()
    }

    /// What the next run may be like for who uses so much of the cache.
    fn expected_conditions(&self, cache: CacheUse) -> Conditions {
        self.machine.reference.expect(self.last_conditions(cache), cache)
    }

    /// What it was seen to use of the shared cache in other trials here. Most use nothing; what uses more and misses
    /// its limit in the first trial is weighed by that afterwards.
    fn known_cache_use(&self, program: &Program) -> CacheUse {
        self.measured_cache_use(program).unwrap_or(CacheUse::Nothing)
    }

    fn measured_cache_use(&self, program: &Program) -> Option<CacheUse> {
        self.cache_use.filter(|(blob, _)| *blob == program.blob).map(|(_, cache)| cache)
    }

    fn note_cache_use(&mut self, program: &Program, cache: CacheUse) {
        self.cache_use = Some((program.blob, cache.max(self.known_cache_use(program))));
    }

    fn trial_once(&mut self, task: &TrialTask) -> Result<Trial, Fault> {
        let mut trial = self.run_trial(task, &mut |_, _, _| Ok(()))?;
        // A program that kills itself does it every time; whoever killed it from outside hardly does.
        for _ in 0..KILLED_TRIES {
            if !may_be_killed_by_others(&trial.exit) {
                break;
            }
            trial = self.run_trial(task, &mut |_, _, _| Ok(()))?;
        }
        // A conversation is read only to find a mistake; those that went well would fill the store.
        if trial.verdict == Verdict::Accepted {
            trial.transcript.clear();
        }
        Ok(trial)
    }
}

/// From this part of the limit on it matters what the machine was like.
const NEAR_THE_LIMIT: f64 = 0.9;

/// A machine that was no slower just now is hardly disturbed during a run.
const CALM: Slowdown = Slowdown(1050);

fn is_calm(expected: &Conditions) -> bool {
    expected.is_quiet() && expected.slowdown.is_some_and(|slowdown| slowdown <= CALM)
}

/// How often the yardstick is used before and after a try that decides: one use takes fifteen milliseconds, and others
/// use caches in bursts.
pub(super) const CLOSE_YARDSTICKS: usize = 5;

/// Whether a retry waits for a quiet moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Patience {
    None,
    UntilQuiet,
}

/// The same trial, stopped later.
fn with_later_stop(task: &TrialTask, doubt_factor: f64, latest: f64) -> TrialTask {
    let stop = stop_when_disturbed(&task.setting, doubt_factor, latest);
    let mut program = Program::clone(&task.program);
    let more = stop.saturating_sub(program.limits.cpu);
    program.limits.cpu += more;
    program.limits.wall += more;
    TrialTask { program: Arc::new(program), ..task.clone() }
}

/// How often a program that was killed is tried again. Twice was too few: a random killer hit one twice.
const KILLED_TRIES: u32 = 3;

/// Whether this is how a person or a machine short of memory ends a program.
fn may_be_killed_by_others(exit: &Exit) -> bool {
    matches!(exit, Exit::Signal(libc::SIGKILL | libc::SIGTERM))
}
