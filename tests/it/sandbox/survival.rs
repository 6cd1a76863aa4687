//! The judge survives, and leaves nothing behind.

use super::*;
use crate::{
    child,
    leftovers::{Leftovers, cgroup_names, count_cgroups, descendants},
};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Command, Stdio},
    thread,
};

fn is_alive(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|s| !s.contains(") Z "))
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    for _ in 0..400 {
        if done() {
            return;
        }
        thread::sleep(Duration::from_millis(25));
    }
    panic!("not within 10 s: {what}");
}

pub fn judge_for_ever() {
    let mut slot = open_sandbox().slot(None);
    slot.run(&sh("true")).unwrap();
    std::io::stdout().write_all(b"\nready\n").unwrap();
    let mut sleep = sh("sleep 100 & sleep 100");
    sleep.limits.wall = Duration::from_secs(100);
    let _ = slot.run(&sleep);
}

#[test]
fn a_killed_judge_leaves_no_process_and_no_cgroup() {
    let mut judge = child::command("judge for ever").stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(judge.stdout.take().unwrap());
    let mut line = String::new();
    while line.trim() != "ready" {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "the judge did not start");
    }
    wait_until("the judge runs something", || descendants(judge.id()).len() >= 4);
    let family = descendants(judge.id());
    let groups = cgroup_names(&family);
    assert_eq!(count_cgroups(&groups) > 0, open_sandbox().mode_name().contains(", cgroup v"), "{groups:?}");
    judge.kill().unwrap();
    judge.wait().unwrap();
    wait_until("all its processes are gone", || family.iter().all(|pid| !is_alive(*pid)));
    wait_until("all its cgroups are gone", || count_cgroups(&groups) == 0);
    let mut rest = String::new();
    let _ = output.read_to_string(&mut rest);
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
        // Tests run side by side: ours is the one above the program that sleeps so.
        let killer = thread::spawn(move || {
            let mut ours = None;
            for _ in 0..400 {
                let sleeps = |pid: &u32| {
                    descendants(*pid).iter().any(|p| {
                        fs::read(format!("/proc/{p}/cmdline")).is_ok_and(|c| c.starts_with(b"sleep\x0077.7"))
                    })
                };
                ours = named(victim).into_iter().find(sleeps);
                if ours.is_some() {
                    break;
                }
                thread::sleep(Duration::from_millis(10));
            }
            let done = Command::new("kill").args(["-9", &ours.expect("a victim").to_string()]).status();
            assert!(done.unwrap().success());
        });
        let mut sleep = exec(&["sleep", "77.7"]);
        sleep.limits.wall = Duration::from_secs(60);
        let fault = slot.run(&sleep).unwrap_err();
        assert!(fault.what.contains("vanished"), "{fault}");
        killer.join().unwrap();
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
    let before = Leftovers::count();
    for _ in 0..100 {
        slot.run(&bomb).unwrap();
    }
    slot.run(&sh("true")).unwrap();
    assert_eq!(Leftovers::count(), before);
    drop(slot);
    wait_until("nothing of it is left", || {
        let left = Leftovers::count();
        left.processes == 0 && left.cgroups == 0
    });
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

/// Whether it sleeps as `sleep 55.5`.
fn sleeps(pid: u32) -> bool {
    fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|c| c.starts_with(b"sleep\x0055.5"))
}

/// As a child process, so that its only worker is the one to be stopped.
pub fn judge_with_a_worker_that_hangs() {
    let mut slot = open_sandbox().slot(None);
    let mut sleep = exec(&["sleep", "55.5"]);
    sleep.limits.wall = Duration::from_secs(1);
    // On a loaded machine the stop may come when the program's time is over: then once more.
    let hung = (0..10).find_map(|_| {
        assert_eq!(slot.run(&sh("true")).unwrap().exit, Exit::Code(0));
        let stopper = thread::spawn(stop_the_worker);
        let result = slot.run(&sleep);
        let (worker, program) = stopper.join().unwrap();
        result.err().map(|fault| (fault, worker, program))
    });
    let (fault, worker, program) = hung.expect("the worker could never be stopped in time");
    assert!(fault.what.contains("does not answer"), "{fault}");
    assert_eq!(slot.run(&sh("exit 7")).unwrap().exit, Exit::Code(7));
    wait_until("the worker and its program are gone", || !is_alive(worker) && !program.is_some_and(sleeps));
}

/// Stops the worker of this process while its program runs; both.
fn stop_the_worker() -> (u32, Option<u32>) {
    let is_worker =
        |pid: &u32| fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|c| c.trim() == "kopek-worker");
    let worker = descendants(std::process::id()).into_iter().find(is_worker).expect("a worker");
    let program = || descendants(worker).into_iter().find(|pid| sleeps(*pid));
    // It ends when the program has run into its limit meanwhile.
    let program = (0..500).find_map(|_| {
        thread::sleep(Duration::from_millis(2));
        program()
    });
    let done = Command::new("kill").args(["-STOP", &worker.to_string()]).status();
    done.expect("to send a signal");
    (worker, program)
}

#[test]
fn a_worker_that_hangs_is_a_fault_and_the_next_run_works() {
    child::finish(&mut child::command("judge with a worker that hangs"));
}
