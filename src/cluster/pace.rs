//! How quick the machines of a class are, by the yardstick. A run takes its times from those that agree; the
//! others build and generate for it.

use super::{coordinator::Coordinator, events::ClusterEvent, roster::WorkerStatus};
use crate::sandbox::YardstickTimes;

/// Machines that agree differ by less than this in what the yardstick takes: the rest is chance, and what a near
/// miss is measured again for.
const MOST_UNEVEN: f64 = 1.2;

/// How many times slower a machine is than those of a run, if that is too much for times of one problem; less
/// than 1: quicker. `None`: they agree.
pub(super) fn other_pace(own: &YardstickTimes, of_run: &YardstickTimes) -> Option<f64> {
    let factor = own.factor_over(of_run);
    (!(1.0 / MOST_UNEVEN..=MOST_UNEVEN).contains(&factor)).then_some(factor)
}

/// What the yardstick takes on the machines that most slots agree with; of equals the quickest.
fn majority_pace(live: &[WorkerStatus]) -> Option<YardstickTimes> {
    let timed = || live.iter().filter_map(|worker| Some((worker.yardstick?, worker.slots)));
    let agreeing = |pace: &YardstickTimes| -> usize {
        timed().filter(|(other, _)| other_pace(other, pace).is_none()).map(|(_, slots)| slots).sum()
    };
    let by_agreement = |one: &YardstickTimes, other: &YardstickTimes| {
        agreeing(one).cmp(&agreeing(other)).then(other.total().cmp(&one.total()))
    };
    timed().map(|(pace, _)| pace).max_by(by_agreement)
}

/// What to say of a machine that no times come from.
fn apart(worker: &WorkerStatus, of_run: &YardstickTimes) -> Option<String> {
    let factor = other_pace(worker.yardstick.as_ref()?, of_run)?;
    let (factor, what) = if factor > 1.0 { (factor, "slower") } else { (1.0 / factor, "quicker") };
    Some(format!(
        "{} is {factor:.2} times {what} than the machines whose times count here: it tries no programs for this run; \
         give it another class by `kopek worker --class`",
        worker.name
    ))
}

impl Coordinator<'_> {
    /// Binds the run to a pace as soon as one is known, and tells once who is kept apart by it.
    pub(super) fn compare_paces(&self, live: &[WorkerStatus]) {
        let pace = {
            let state = &mut self.state();
            state.pace = state.pace.or_else(|| majority_pace(live));
            state.pace
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
        let pace = |live: &[WorkerStatus]| majority_pace(live).map(|pace| pace.parts()[0]);
        assert_eq!(pace(&[]), None);
        assert_eq!(pace(&[WorkerStatus { yardstick: None, ..worker("a", 1, 1) }]), None);
        assert_eq!(pace(&[worker("a", 2, 1000), worker("b", 8, 1300)]), Some(1300), "more slots");
        assert_eq!(pace(&[worker("a", 8, 1300), worker("b", 8, 1000)]), Some(1000), "the quicker of equals");
        let between = [worker("a", 1, 1000), worker("b", 1, 1150), worker("c", 1, 1300)];
        assert_eq!(pace(&between), Some(1150), "both others agree with it");
    }

    #[test]
    fn a_machine_that_differs_too_much_is_told_with_its_factor() {
        let of_run = YardstickTimes::from_parts([1000; PARTS]);
        let said = |time| apart(&worker("b", 1, time), &of_run);
        assert_eq!((said(1190), said(840)), (None, None));
        assert!(said(1250).unwrap().starts_with("b is 1.25 times slower than"));
        assert!(said(800).unwrap().starts_with("b is 1.25 times quicker than"));
        assert_eq!(apart(&WorkerStatus { yardstick: None, ..worker("b", 1, 1) }, &of_run), None);
    }
}
