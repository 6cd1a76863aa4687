//! Which kind of machine a class is: jobs are planned for it, and times of several kinds are not mixed.

use super::{
    connection::Connection,
    events::ClusterEvent,
    roster::{Roster, WorkerStatus},
    streams::DEFAULT_LEASE,
};
use crate::{exec::MachineKind, sandbox::Sandbox};
use anyhow::{Context, Result, bail};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

impl Connection {
    /// The kind of machine that the workers of a class are, all of them; waits for the first. Refuses a class
    /// of several kinds, and one whose isolation is weaker than that of this machine.
    pub fn await_kind(
        &self,
        class: &str,
        (own, stop): (&Sandbox, &AtomicBool),
        tell: &dyn Fn(&ClusterEvent),
    ) -> Result<Option<MachineKind>> {
        self.set_up(class, DEFAULT_LEASE)?;
        let roster = Roster::default();
        self.wait(roster.follow(self, class))?;
        let mut told = false;
        let live = loop {
            self.check_known()?;
            let live = roster.live();
            if !live.is_empty() {
                break live;
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if !std::mem::replace(&mut told, true) {
                tell(&ClusterEvent::NoWorker { class: class.to_owned() });
            }
            self.pause(Duration::from_millis(200));
        };
        if let Some(what) = unevenness(&live) {
            tell(&ClusterEvent::Uneven(what));
        }
        only_kind(&live, own.warnings().len()).map(Some).with_context(|| format!("use the class `{class}`"))
    }
}

/// Machines of one kind differ by less than this in what the yardstick takes.
const MOST_UNEVEN: f64 = 1.15;

/// What to say where the quickest and the slowest of a class are far apart.
fn unevenness(live: &[WorkerStatus]) -> Option<String> {
    let time = |worker: &WorkerStatus| worker.yardstick.map(|times| times.total().as_secs_f64());
    let mut timed: Vec<(f64, &str)> =
        live.iter().filter_map(|one| Some((time(one)?, one.name.as_str()))).collect();
    timed.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (quickest, slowest) = (timed.first()?, timed.last()?);
    let factor = slowest.0 / quickest.0;
    (factor > MOST_UNEVEN).then(|| {
        format!(
            "{} is {factor:.2} times slower than {}: times of one problem should not come from both; give one of them \
             another class by `kopek worker --class`",
            slowest.1, quickest.1
        )
    })
}

fn only_kind(live: &[WorkerStatus], own_weak_points: usize) -> Result<MachineKind> {
    let first = &live[0];
    if let Some(other) = live.iter().find(|worker| worker.kind != first.kind) {
        bail!(
            "its machines are of several kinds, whose times cannot be compared: {} is {} with isolation {}, {} is {} \
             with isolation {}; give each kind a class of its own by `kopek worker --class`",
            first.name,
            first.kind.class,
            first.kind.isolation,
            other.name,
            other.kind.class,
            other.kind.isolation
        );
    }
    if let Some(weak) = live.iter().find(|worker| worker.weak_points > own_weak_points) {
        bail!(
            "{} isolates programs less than this machine does ({}): run `kopek doctor` there",
            weak.name,
            weak.kind.isolation
        );
    }
    Ok(first.kind.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{PARTS, YardstickTimes};

    fn worker(name: &str, class: &str, weak_points: usize, time: u64) -> WorkerStatus {
        WorkerStatus {
            form: 1,
            name: name.into(),
            class: "default".into(),
            version: "1".into(),
            kind: MachineKind { isolation: "namespaces".into(), class: class.into() },
            weak_points,
            slots: 1,
            doing: vec![],
            done: 0,
            since: 0,
            yardstick: Some(YardstickTimes::from_parts([time; PARTS])),
            lacks: vec![],
            leaving: false,
        }
    }

    #[test]
    fn a_class_of_two_kinds_or_of_weaker_isolation_is_refused_by_name() {
        let (new, old, weak) = (worker("a", "new", 0, 1), worker("b", "old", 0, 1), worker("c", "new", 2, 1));
        assert_eq!(only_kind(&[new.clone(), worker("d", "new", 0, 1)], 0).unwrap(), new.kind);
        let text = |live: &[WorkerStatus], own| only_kind(live, own).unwrap_err().to_string();
        let several = text(&[new.clone(), old], 0);
        assert!(several.contains("a is new") && several.contains("b is old"), "{several}");
        assert!(text(&[new.clone(), weak.clone()], 1).starts_with("c isolates programs less"));
        assert!(only_kind(&[new, weak], 2).is_ok());
    }

    #[test]
    fn machines_of_one_kind_that_differ_much_are_told() {
        let all = [worker("a", "new", 0, 1000), worker("b", "new", 0, 1100)];
        assert_eq!(unevenness(&all), None);
        assert_eq!(unevenness(&[]), None);
        let slow = unevenness(&[all[0].clone(), worker("b", "new", 0, 1200)]).unwrap();
        assert!(slow.starts_with("b is 1.20 times slower than a:"), "{slow}");
    }
}
