//! The kind of machine of a class: jobs are planned for it, and times of different kinds are not mixed.

use super::{
    connection::Connection,
    events::ClusterEvent,
    roster::{Roster, WorkerStatus},
    streams::DEFAULT_LEASE,
};
use anyhow::{Context, Result, bail};
use kopek_engine::machine::MachineKind;
use kopek_sandbox::Sandbox;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// A class of workers, and the kind of machine that jobs are planned for.
pub struct WorkerClass<'a> {
    /// The name of the class.
    pub name: &'a str,
    /// From [`Connection::await_kind`].
    pub kind: MachineKind,
}

impl Connection {
    /// Waits for a worker and returns the kind of machine of the whole class. Fails if the class has several kinds, or
    /// isolates programs less than this machine.
    pub fn await_kind(
        &self,
        class: &str,
        own: &Sandbox,
        stop: &AtomicBool,
        on_event: &dyn Fn(&ClusterEvent),
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
                on_event(&ClusterEvent::NoWorker { class: class.to_owned() });
            }
            self.pause(Duration::from_millis(200));
        };
        only_kind(&live, own.warnings().len()).map(Some).with_context(|| format!("use the class `{class}`"))
    }
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

    fn worker(name: &str, class: &str, weak_points: usize) -> WorkerStatus {
        let kind = MachineKind { isolation: "namespaces".into(), class: class.into() };
        WorkerStatus { weak_points, kind, ..WorkerStatus::example(name) }
    }

    #[test]
    fn a_class_of_two_kinds_or_of_weaker_isolation_is_refused_by_name() {
        let (new, old, weak) = (worker("a", "new", 0), worker("b", "old", 0), worker("c", "new", 2));
        assert_eq!(only_kind(&[new.clone(), worker("d", "new", 0)], 0).unwrap(), new.kind);
        let text = |live: &[WorkerStatus], own| only_kind(live, own).unwrap_err().to_string();
        let several = text(&[new.clone(), old], 0);
        assert!(several.contains("a is new") && several.contains("b is old"), "{several}");
        assert!(text(&[new.clone(), weak.clone()], 1).starts_with("c isolates programs less"));
        assert!(only_kind(&[new, weak], 2).is_ok());
    }
}
