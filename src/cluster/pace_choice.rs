//! To which machine's pace a run is bound. The run takes its times from those that agree; the others build and
//! generate for it.

use super::{
    coordinator::Coordinator,
    events::ClusterEvent,
    pace::{RunPace, other_pace},
    roster::WorkerStatus,
};
use crate::sandbox::YardstickTimes;

impl RunPace {
    /// That of the machine that most slots agree with; of equals the quickest.
    fn of_most(live: &[WorkerStatus]) -> Option<RunPace> {
        let timed = || live.iter().filter_map(|worker| Some((worker, worker.yardstick?)));
        let agreeing = |pace: &YardstickTimes| -> usize {
            let alike = timed().filter(|(_, other)| other_pace(other, pace).is_none());
            alike.map(|(worker, _)| worker.slots).sum()
        };
        let most = timed().max_by(|(_, one), (_, other)| {
            agreeing(one).cmp(&agreeing(other)).then(other.total().cmp(&one.total()))
        });
        most.map(|(worker, times)| RunPace { worker: worker.name.clone(), times })
    }

    /// The same machine's, as it knows itself now: the longer it measures the better.
    fn followed(self, live: &[WorkerStatus]) -> RunPace {
        let now = live.iter().find(|worker| worker.name == self.worker).and_then(|worker| worker.yardstick);
        RunPace { times: now.unwrap_or(self.times), ..self }
    }
}

/// What to say of a machine that no times come from.
fn apart(worker: &WorkerStatus, of_run: &RunPace) -> Option<String> {
    let factor = of_run.differs_from(&worker.name, worker.yardstick.as_ref()?)?;
    let (factor, what) = if factor > 1.0 { (factor, "slower") } else { (1.0 / factor, "quicker") };
    Some(format!(
        "{} is {factor:.2} times {what} than the machines whose times count here: it tries no programs for this run; \
         give it another class by `kopek worker --class`",
        worker.name
    ))
}

impl Coordinator<'_> {
    /// Binds the run to a machine's pace as soon as one is known, and tells once who is kept apart by it.
    pub(super) fn compare_paces(&self, live: &[WorkerStatus]) {
        let pace = {
            let state = &mut self.state();
            state.pace = match state.pace.take() {
                Some(known) => Some(known.followed(live)),
                None => RunPace::of_most(live),
            };
            state.pace.clone()
        };
        let Some(pace) = pace else { return };
        for worker in live {
            if let Some(what) = apart(worker, &pace)
                && self.is_news(&format!("pace of {}", worker.name))
            {
                (self.tell)(&ClusterEvent::Uneven(what));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::PARTS;

    fn worker(name: &str, slots: usize, time: u64) -> WorkerStatus {
        let yardstick = Some(YardstickTimes::from_parts([time; PARTS]));
        WorkerStatus { slots, yardstick, ..WorkerStatus::example(name) }
    }

    #[test]
    fn times_come_from_the_machines_that_most_slots_agree_with() {
        let pace = |live: &[WorkerStatus]| RunPace::of_most(live).map(|pace| pace.times.parts()[0]);
        assert_eq!(pace(&[]), None);
        assert_eq!(pace(&[WorkerStatus { yardstick: None, ..worker("a", 1, 1) }]), None);
        assert_eq!(pace(&[worker("a", 2, 1000), worker("b", 8, 1300)]), Some(1300), "more slots");
        assert_eq!(pace(&[worker("a", 8, 1300), worker("b", 8, 1000)]), Some(1000), "the quicker of equals");
        let between = [worker("a", 1, 1000), worker("b", 1, 1150), worker("c", 1, 1300)];
        assert_eq!(pace(&between), Some(1150), "both others agree with it");
    }

    #[test]
    fn a_run_is_bound_to_a_machine_and_not_to_what_it_measured_first() {
        let bound = RunPace::of_most(&[worker("a", 8, 1300), worker("b", 1, 1000)]).unwrap();
        let after = |live: &[WorkerStatus]| bound.clone().followed(live).times.parts()[0];
        assert_eq!(after(&[worker("b", 8, 1000), worker("a", 8, 1010)]), 1010, "it had been disturbed");
        assert_eq!(after(&[worker("b", 8, 1000)]), 1300, "times that it took stand in the results");
        assert_eq!(after(&[WorkerStatus { yardstick: None, ..worker("a", 8, 1) }]), 1300);
    }

    #[test]
    fn a_machine_that_differs_too_much_is_told_with_its_factor() {
        let of_run = RunPace::of_most(&[worker("a", 1, 1000)]).unwrap();
        let said = |time| apart(&worker("b", 1, time), &of_run);
        assert_eq!((said(1190), said(840)), (None, None));
        assert!(said(1250).unwrap().starts_with("b is 1.25 times slower than"));
        assert!(said(800).unwrap().starts_with("b is 1.25 times quicker than"));
        assert_eq!(apart(&worker("a", 1, 1300), &of_run), None, "it is the one of the run");
        assert_eq!(apart(&WorkerStatus { yardstick: None, ..worker("b", 1, 1) }, &of_run), None);
    }
}
