//! The judge survives, and leaves nothing behind.

use super::{
    held_up::{GATE, at_gate},
    *,
};
use crate::{
    child,
    events::{Gate, Processes},
    leftovers::{Leftovers, cgroup_names, count_cgroups, descendants},
};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
};

pub fn judge_for_ever() {
    let mut slot = open_sandbox().slot(None);
    slot.run(&sh("true")).unwrap();
    let mut sleep = at_gate(sh("sleep 100 & : < /gate/gate; sleep 100"));
    sleep.limits.wall = Duration::from_secs(100);
    let _ = slot.run(&sleep);
}

#[test]
fn a_killed_judge_leaves_no_process_and_no_cgroup() {
    let (gate, mut judge) = (Gate::new(), child::command("judge for ever"));
    let mut judge = judge.env(GATE, gate.dir()).stdout(Stdio::null()).spawn().unwrap();
    gate.await_arrival();
    let family = descendants(judge.id());
    let groups = cgroup_names(&family);
    assert_eq!(count_cgroups(&groups) > 0, open_sandbox().mode_name().contains(", cgroup v"), "{groups:?}");
    assert!(family.len() >= 4, "{family:?}");
    let processes = Processes::of(&family);
    judge.kill().unwrap();
    judge.wait().unwrap();
    processes.await_end();
    assert_eq!(count_cgroups(&groups), 0, "they are removed before the last process ends");
}

#[test]
fn a_killed_worker_is_a_fault_and_the_next_run_works() {
    let mut slot = open_sandbox().slot(None);
    assert_eq!(slot.run(&sh("true")).unwrap().exit, Exit::Code(0));
    let named = |name: &str| {
        let is = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|c| c.trim() == name);
        descendants(std::process::id()).into_iter().filter(is).collect::<Vec<u32>>()
    };
    for victim in ["kopek-worker", "kopek-supervise"] {
        let gate = Gate::new();
        let mut sleep = sh(": 77.7 < /gate/gate; sleep 77.7");
        sleep.view.mounts.push(ReadOnlyMount { host: gate.dir().into(), inside: "/gate".into() });
        sleep.limits.wall = Duration::from_secs(60);
        // Tests run side by side: ours is the one above the program that sleeps so.
        let killer = thread::spawn(move || {
            gate.await_arrival();
            let program = |pid: &u32| descendants(*pid).into_iter().find(|pid| is_sleeper(*pid));
            let ours = named(victim).into_iter().find_map(|pid| Some((pid, program(&pid)?)));
            let (ours, program) = ours.expect("a victim");
            let program = Processes::of(&[program]);
            let done = Command::new("kill").args(["-9", &ours.to_string()]).status();
            assert!(done.unwrap().success());
            program
        });
        let fault = slot.run(&sleep).unwrap_err();
        assert!(fault.what.contains("vanished"), "{fault}");
        killer.join().unwrap().await_end();
        assert_eq!(slot.run(&sh("true")).unwrap().exit, Exit::Code(0), "after {victim}");
    }
}

#[test]
fn a_worker_that_cannot_be_one_is_a_fault_that_says_so() {
    let fault = Sandbox::open(Path::new("/bin/true")).unwrap_err();
    assert!(fault.what.contains("worker"), "{fault}");
    assert!(Sandbox::open(Path::new("/no/such/file")).unwrap_err().what.contains("/no/such/file"));
}

/// As a child process, so that nothing but the runs opens files.
pub fn judge_a_thousand_times() {
    let sandbox = open_sandbox();
    let mut slot = sandbox.slot(None);
    (0..10).for_each(|_| drop(slot.run(&sh("true")).unwrap()));
    let before = Leftovers::count();
    for n in 0..1000 {
        let ran = slot.run(&exec(&["true"])).unwrap();
        assert_eq!(ran.exit, Exit::Code(0), "run {n}");
    }
    assert_eq!(Leftovers::count(), before);
}

#[test]
fn a_thousand_runs_leave_no_descriptor_and_no_process() {
    child::finish(&mut child::command("judge a thousand times"));
}

#[test]
fn an_input_or_program_too_large_to_be_sent_is_a_fault() {
    let mut slot = open_sandbox().slot(None);
    let mut long = sh("true");
    long.argv.push("x".repeat(1 << 20));
    assert!(slot.run(&long).unwrap_err().what.contains("too long"));
    assert_eq!(slot.run(&sh("true")).unwrap().exit, Exit::Code(0));
}

pub fn judge_a_hundred_bombs() {
    let mut slot = open_sandbox().slot(None);
    let mut bomb = sh("f() { f | f & f; }; f");
    bomb.limits.wall = Duration::from_millis(30);
    slot.run(&bomb).unwrap();
    slot.run(&sh("true")).unwrap();
    let groups = cgroup_names(&descendants(std::process::id()));
    let before = Leftovers::count();
    for _ in 0..100 {
        slot.run(&bomb).unwrap();
    }
    slot.run(&sh("true")).unwrap();
    assert_eq!(Leftovers::count(), before);
    let processes = Processes::of(&descendants(std::process::id()));
    drop(slot);
    processes.await_end();
    assert_eq!(count_cgroups(&groups), 0);
}

#[test]
fn a_hundred_fork_bombs_leave_the_machine_as_it_was() {
    child::finish(&mut child::command("judge a hundred bombs"));
}

/// Runs out of descriptors, and gets over it.
pub fn judge_without_descriptors() {
    let few = rustix::process::Rlimit { current: Some(64), maximum: Some(64) };
    rustix::process::setrlimit(rustix::process::Resource::Nofile, few).unwrap();
    let sandbox = open_sandbox();
    let mut slot = sandbox.slot(None);
    slot.run(&sh("true")).unwrap();
    let mut hoard: Vec<fs::File> = Vec::new();
    while let Ok(file) = fs::File::open("/dev/null") {
        hoard.push(file);
    }
    // With each descriptor given back it gets a little further; no step may end in a verdict that is not true.
    let mut faults = 0;
    while !hoard.is_empty() && faults < 60 {
        slot.renew_worker();
        match slot.run(&sh("exit 7")) {
            Ok(ran) => assert_eq!(ran.exit, Exit::Code(7)),
            Err(_) => faults += 1,
        }
        hoard.pop();
    }
    assert!(faults > 0, "there were enough descriptors all the time");
    drop(hoard);
    assert_eq!(slot.run(&sh("exit 7")).unwrap().exit, Exit::Code(7));
}

#[test]
fn a_judge_that_has_no_descriptors_left_faults_and_recovers() {
    child::finish(&mut child::command("judge without descriptors"));
}

/// Whether it is the program that sleeps as `sleep 77.7`.
fn is_sleeper(pid: u32) -> bool {
    let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    (line.starts_with("sh") || line.starts_with("sleep")) && line.contains("77.7")
}

/// As a child process, so that its only worker is the one to be stopped.
pub fn judge_with_a_worker_that_hangs() {
    let mut slot = open_sandbox().slot(None);
    assert_eq!(slot.run(&sh("true")).unwrap().exit, Exit::Code(0));
    let is_worker =
        |pid: &u32| fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|c| c.trim() == "kopek-worker");
    let worker = descendants(std::process::id()).into_iter().find(is_worker).expect("a worker");
    let done = Command::new("kill").args(["-STOP", &worker.to_string()]).status();
    assert!(done.unwrap().success());
    let worker = Processes::of(&[worker]);
    let mut short = sh("true");
    short.limits.wall = Duration::from_millis(100);
    let fault = slot.run(&short).unwrap_err();
    assert!(fault.what.contains("does not answer"), "{fault}");
    assert_eq!(slot.run(&sh("exit 7")).unwrap().exit, Exit::Code(7));
    worker.await_end();
}

#[test]
fn a_worker_that_hangs_is_a_fault_and_the_next_run_works() {
    child::finish(&mut child::command("judge with a worker that hangs"));
}
