//! Others have the CPUs: a program that waits for one is not idle, and no verdict flips.

use super::{limits, open_sandbox, sh};
use crate::skip;
use kopek::sandbox::{Exec, Exit, Limit, Limits};
use std::{
    process::{Child, Command},
    time::Duration,
};

/// How far the load may prolong a wall limit: so far that every run is decided.
const LONG: Duration = Duration::from_secs(300);

/// Spinners on every CPU, gone when dropped.
struct Load(Vec<Child>);

impl Load {
    fn new(spinners: usize) -> Load {
        // Sessions of their own: schedulers share the CPUs among sessions first.
        let spin = || Command::new("setsid").args(["sh", "-c", "while :; do :; done"]).spawn().unwrap();
        Load((0..spinners).map(|_| spin()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
#[ignore = "keeps all CPUs busy, which disturbs other tests: run it alone, as .ci/nightly does"]
fn waiting_for_a_cpu_is_not_idling() {
    let cpus = kopek::machine::available_cpus();
    let _load = Load::new(cpus.len() * 6);
    let tight = Limits { cpu: Duration::from_secs(5), wall: Duration::from_millis(600), ..limits() };
    let tight = |script: &str| Exec { limits: tight, extension: Some(LONG), ..sh(script) };
    let mut slot = open_sandbox().slot(Some(cpus[0]));
    // Some 0.3 s of work: alone within the wall limit, with six others on the CPU far beyond it.
    let mut waited = Duration::ZERO;
    for _ in 0..10 {
        let worked = slot.run(&tight("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")).unwrap();
        assert_eq!(worked.exit, Exit::Code(0), "{worked:?}");
        waited = waited.max(worked.usage.wall);
    }
    if waited < Duration::from_millis(600) {
        skip::report(&format!("the load did not slow the program down ({waited:?})"));
    }
    let asleep = slot.run(&tight("sleep 999")).unwrap();
    assert_eq!(asleep.exit, Exit::Exceeded(Limit::Wall), "{asleep:?}");
}

/// Work that is spread over many short lives is work as well.
#[test]
#[ignore = "keeps all CPUs busy, which disturbs other tests: run it alone, as .ci/nightly does"]
fn children_that_are_gone_have_waited_too() {
    let cpus = kopek::machine::available_cpus();
    let _load = Load::new(cpus.len() * 6);
    let tight = Limits { cpu: Duration::from_secs(5), wall: Duration::from_millis(600), ..limits() };
    let mut slot = open_sandbox().slot(Some(cpus[0]));
    let scripts = [
        "for i in $(seq 150); do /bin/true; done",
        "python3 -c 'import threading\nfor i in range(60):\n t=threading.Thread(target=lambda: sum(range(60000)))\n \
         t.start(); t.join()'",
    ];
    for script in scripts {
        let ran = slot.run(&Exec { limits: tight, extension: Some(LONG), ..sh(script) }).unwrap();
        assert_eq!(ran.exit, Exit::Code(0), "{script}: {ran:?}");
    }
}
