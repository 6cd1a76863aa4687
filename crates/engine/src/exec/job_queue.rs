//! The order of a list of jobs: none waits for what another job prepares while others could run.
//!
//! Jobs that prepare something for others take longest and come first; jobs for which it is prepared are short and
//! come last. Between them come the other jobs.

use super::executor::JobResult;
use kopek_plan::plan::{Build, Foresight, Job, Key, Outcome};
use std::collections::VecDeque;

/// Jobs that were not handed out yet.
#[derive(Default)]
pub(super) struct JobQueue {
    usual: VecDeque<Job>,
    /// Jobs for which everything is prepared.
    prepared: VecDeque<Job>,
    unprepared: Vec<UnpreparedJobs>,
}

/// Jobs that need the same preparation.
struct UnpreparedJobs {
    preparation: String,
    /// The job that makes the preparation now.
    maker: Option<Key>,
    jobs: VecDeque<Job>,
}

impl JobQueue {
    pub(super) fn push(&mut self, job: Job, foresight: Option<Foresight>) {
        match foresight {
            None => self.usual.push_back(job),
            Some(Foresight::IsPrepared) => self.prepared.push_back(job),
            Some(Foresight::Needs(preparation)) => {
                match self.unprepared.iter_mut().find(|one| one.preparation == preparation) {
                    Some(same) => same.jobs.push_back(job),
                    None => {
                        let jobs = VecDeque::from([job]);
                        self.unprepared.push(UnpreparedJobs { preparation, maker: None, jobs });
                    }
                }
            }
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        let unprepared: usize = self.unprepared.iter().map(|one| one.jobs.len()).sum();
        self.usual.len() + self.prepared.len() + unprepared
    }

    /// The next job; there is one until all were handed out.
    pub(super) fn pop(&mut self) -> Option<Job> {
        for one in self.unprepared.iter_mut().filter(|one| one.maker.is_none()) {
            if let Some(job) = one.jobs.pop_front() {
                one.maker = Some(job.key);
                return Some(job);
            }
        }
        let waiting = self.usual.pop_front().or_else(|| self.prepared.pop_front());
        // It is done without the preparation that another job makes: waiting would leave a slot idle.
        waiting.or_else(|| self.unprepared.iter_mut().find_map(|one| one.jobs.pop_front()))
    }

    /// Records that a job was done.
    pub(super) fn note_done(&mut self, key: &Key, result: &JobResult) {
        let Some(at) = self.unprepared.iter().position(|one| one.maker == Some(*key)) else { return };
        if matches!(result, Ok(Outcome::Build(Build::Program { .. }))) {
            self.prepared.extend(self.unprepared.remove(at).jobs);
        } else {
            // A program that does not compile proves nothing about its header: the next one tries it.
            self.unprepared[at].maker = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::build_of_test;
    use kopek_base::Digest;
    use kopek_plan::plan::Task;
    use kopek_sandbox::Fault;
    use std::collections::BTreeMap;

    /// Duration of jobs in an imagined unit.
    const MAKE: u32 = 30;
    const USUAL: u32 = 8;
    const PREPARED: u32 = 2;

    /// Needs nothing: `-`; is prepared: `+`; needs this: a letter.
    fn foresight(kind: char) -> Option<Foresight> {
        match kind {
            '-' => None,
            '+' => Some(Foresight::IsPrepared),
            needed => Some(Foresight::Needs(needed.to_string())),
        }
    }

    struct Simulation {
        queue: JobQueue,
        kinds: BTreeMap<Key, char>,
        slots: usize,
        /// The ends of running jobs.
        running: Vec<(u32, Job)>,
        made: Vec<char>,
        /// Kinds of jobs in the order of their beginning; uppercase: without what another job prepares.
        begun: String,
    }

    impl Simulation {
        fn new(slots: usize, kinds: &str) -> Simulation {
            let mut queue = JobQueue::default();
            let mut by_key = BTreeMap::new();
            for (number, kind) in kinds.chars().enumerate() {
                let mut task = build_of_test();
                task.digest = Digest::of(&number.to_le_bytes());
                task.cached = Default::default();
                let job = Job::new(Task::Build(task.into()));
                by_key.insert(job.key, kind);
                queue.push(job, foresight(kind));
            }
            Simulation { queue, kinds: by_key, slots, running: vec![], made: vec![], begun: String::new() }
        }

        /// Gives jobs to all idle slots.
        fn hand_out(&mut self, now: u32) {
            while self.running.len() < self.slots && self.queue.len() > 0 {
                let job = self.queue.pop().expect("a slot is idle, and a job waits");
                self.begin(job, now);
            }
        }

        fn begin(&mut self, job: Job, now: u32) {
            let kind = self.kinds[&job.key];
            let is_being_made = self.running.iter().any(|(_, other)| self.kinds[&other.key] == kind);
            let (mut shown, mut duration) = (kind, MAKE);
            if kind == '-' {
                duration = USUAL;
            } else if kind == '+' || self.made.contains(&kind) {
                duration = PREPARED;
            } else if is_being_made {
                let others = self.queue.usual.len() + self.queue.prepared.len();
                assert_eq!(others, 0, "{kind} is being made at {now}, and others wait");
                (shown, duration) = (kind.to_ascii_uppercase(), USUAL);
            }
            self.begun.push(shown);
            self.running.push((now + duration, job));
        }

        /// Ends the job that ends first, and returns the time.
        fn end_one(&mut self) -> Option<u32> {
            let first = (0..self.running.len()).min_by_key(|&at| self.running[at].0)?;
            let (end, job) = self.running.remove(first);
            if self.queue.unprepared.iter().any(|one| one.maker == Some(job.key)) {
                self.made.push(self.kinds[&job.key]);
            }
            let (blob, entry, message) = (Digest::of(b"built"), String::new(), String::new());
            self.queue.note_done(&job.key, &Ok(Outcome::Build(Build::Program { blob, entry, message })));
            Some(end)
        }

        /// The kinds of all jobs in the order of their beginning.
        fn run(mut self) -> String {
            self.hand_out(0);
            while let Some(now) = self.end_one() {
                self.hand_out(now);
            }
            assert_eq!(self.begun.len(), self.kinds.len());
            self.begun
        }
    }

    #[test]
    fn no_slot_is_idle_while_a_job_waits() {
        for kinds in
            ["", "-", "a", "aaaa", "a-a-a-", "aabbcc----", "+-+-a", "aaaaabbbbbccccc++++------------"]
        {
            for slots in 1..=8 {
                Simulation::new(slots, kinds).run();
            }
        }
    }

    #[test]
    fn jobs_that_prepare_others_begin_first() {
        let order = |slots, kinds| Simulation::new(slots, kinds).run();
        assert_eq!(order(1, "a-ab+b"), "ab-+ab");
        assert_eq!(order(2, "a-ab+b"), "ab-+ab");
        assert_eq!(order(2, "aaa------"), "a------aa");
        assert_eq!(order(3, "aaaa"), "aAAA");
    }

    #[test]
    fn a_program_that_is_refused_prepares_nothing() {
        let mut simulation = Simulation::new(2, "aaa-");
        let mut next = || simulation.queue.pop().unwrap();
        let (first, other) = (next(), next());
        assert_eq!((simulation.kinds[&first.key], simulation.kinds[&other.key]), ('a', '-'));
        for result in [
            Ok(Outcome::Build(Build::Refused { message: String::new() })),
            Err(Fault::new("the disk is full")),
        ] {
            simulation.queue.note_done(&first.key, &result);
            assert_eq!(simulation.queue.unprepared[0].maker, None);
        }
        let second = simulation.queue.pop().unwrap();
        assert_eq!(simulation.queue.unprepared[0].maker, Some(second.key));
    }
}
