//! The judge survives, and leaves nothing behind.

use super::*;
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Command, Stdio},
};

/// Children of a process, and theirs.
fn descendants(pid: u32) -> Vec<u32> {
    let parent = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let all: Vec<u32> = all.filter_map(|e| e.file_name().to_str()?.parse().ok()).collect();
    let mut found = vec![pid];
    for _ in 0..4 {
        let next: Vec<u32> = all.iter().copied().filter(|p| !found.contains(p)).collect();
        found.extend(
            next.into_iter().filter(|p| parent(*p).is_some_and(|q| found.contains(&q))).collect::<Vec<_>>(),
        );
    }
    found[1..].to_vec()
}

fn alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|s| !s.contains(") Z "))
}

/// Our cgroups, by the keepers that they are named after.
fn cgroups() -> Vec<String> {
    let mut found = Vec::new();
    let walk = walkdir::WalkDir::new("/sys/fs/cgroup").max_depth(6).into_iter().flatten();
    for entry in walk.filter(|e| e.file_type().is_dir()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("kopek.") {
            found.push(name);
        }
    }
    found
}

fn until(what: &str, done: impl Fn() -> bool) {
    for _ in 0..400 {
        if done() {
            return;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("not within 10 s: {what}");
}

/// As a child process: judges for ever. Only does so when the test below starts it.
#[test]
fn a_judge_to_be_killed() {
    if std::env::var_os("KOPEK_TEST_VICTIM").is_none() {
        return;
    }
    let mut slot = open().slot(None);
    slot.run(&sh("true")).unwrap();
    std::io::stdout().write_all(b"\nready\n").unwrap();
    let mut sleep = sh("sleep 100 & sleep 100");
    sleep.limits.wall = Duration::from_secs(100);
    let _ = slot.run(&sleep);
}

#[test]
fn a_killed_judge_leaves_no_process_and_no_cgroup() {
    let mut judge = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "sandbox::survival::a_judge_to_be_killed", "--nocapture"])
        .env("KOPEK_TEST_VICTIM", "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(judge.stdout.take().unwrap());
    let mut line = String::new();
    while line.trim() != "ready" {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "the judge did not start");
    }
    until("the judge runs something", || descendants(judge.id()).len() >= 4);
    let family = descendants(judge.id());
    judge.kill().unwrap();
    judge.wait().unwrap();
    until("all its processes are gone", || family.iter().all(|pid| !alive(*pid)));
    let owned = |name: &String| family.iter().any(|pid| name.starts_with(&format!("kopek.{pid}.")));
    until("all its cgroups are gone", || !cgroups().iter().any(owned));
    let mut rest = String::new();
    let _ = said.read_to_string(&mut rest);
}

#[test]
fn a_killed_worker_is_a_fault_and_the_next_run_works() {
    let mut slot = open().slot(None);
    assert_eq!(slot.run(&sh("true")).unwrap().exit, Exit::Code(0));
    let named = |name: &str| {
        let is =
            |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|c| c.trim() == name);
        descendants(std::process::id()).into_iter().filter(is).collect::<Vec<u32>>()
    };
    for victim in ["kopek-worker", "kopek-keeper"] {
        // Tests run side by side: tell ours by the program that sleeps below it.
        let killer = std::thread::spawn(move || {
            let mut ours = None;
            for _ in 0..400 {
                let sleeps = |pid: &u32| {
                    descendants(*pid).iter().any(|p| {
                        std::fs::read(format!("/proc/{p}/cmdline"))
                            .is_ok_and(|c| c.starts_with(b"sleep\x0077.7"))
                    })
                };
                ours = named(victim).into_iter().find(sleeps);
                if ours.is_some() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(10));
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
    let fault = Sandbox::open(std::path::Path::new("/bin/true")).unwrap_err();
    assert!(fault.what.contains("worker"), "{fault}");
    assert!(Sandbox::open(std::path::Path::new("/no/such/file")).unwrap_err().what.contains("/no/such/file"));
}

#[test]
fn a_thousand_runs_leave_no_descriptor_and_no_process() {
    let sandbox = open();
    let mut slot = sandbox.slot(None);
    let open_files = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    (0..10).for_each(|_| drop(slot.run(&sh("true")).unwrap()));
    let before = open_files();
    for n in 0..1000 {
        let ran = slot.run(&exec(&["true"])).unwrap();
        assert_eq!(ran.exit, Exit::Code(0), "run {n}");
    }
    // Other tests run beside this one; a leak would be a thousand.
    assert!(open_files() < before + 200, "{before} descriptors before, {} after", open_files());
}

#[test]
fn an_input_or_program_too_large_to_be_sent_is_a_fault() {
    let mut slot = open().slot(None);
    let mut long = sh("true");
    long.argv.push("x".repeat(1 << 20));
    assert!(slot.run(&long).unwrap_err().what.contains("too long"));
    assert_eq!(slot.run(&sh("true")).unwrap().exit, Exit::Code(0));
}

/// Everything that a run could leave: processes, mounts, cgroups, descriptors of ours.
fn machine() -> [usize; 4] {
    let family = descendants(std::process::id()).len();
    let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap().lines().count();
    let own = std::process::id();
    let of_us = |name: &String| {
        let pid = name.split('.').nth(1).and_then(|pid| pid.parse().ok()).unwrap_or(0);
        descendants(own).contains(&pid)
    };
    let groups = cgroups().iter().filter(|name| of_us(name)).count();
    [family, mounts, groups, std::fs::read_dir("/proc/self/fd").unwrap().count()]
}

/// As a child process, so that no other test makes or ends processes meanwhile.
#[test]
fn bombs_to_be_counted() {
    if std::env::var_os("KOPEK_TEST_BOMBS").is_none() {
        return;
    }
    let mut slot = open().slot(None);
    let mut bomb = sh("f() { f | f & f; }; f");
    bomb.limits.wall = Duration::from_millis(30);
    slot.run(&bomb).unwrap();
    slot.run(&sh("true")).unwrap();
    let before = machine();
    for _ in 0..100 {
        slot.run(&bomb).unwrap();
    }
    slot.run(&sh("true")).unwrap();
    assert_eq!(machine(), before, "processes, mounts, cgroups, descriptors");
    drop(slot);
    until("nothing of it is left", || machine()[0] == 0 && machine()[2] == 0);
}

#[test]
fn a_hundred_fork_bombs_leave_the_machine_as_it_was() {
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "sandbox::survival::bombs_to_be_counted"])
        .env("KOPEK_TEST_BOMBS", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}

/// As a child process: runs out of descriptors, and gets over it.
#[test]
fn a_judge_without_descriptors() {
    if std::env::var_os("KOPEK_TEST_FULL").is_none() {
        return;
    }
    let sandbox = open();
    let mut slot = sandbox.slot(None);
    slot.run(&sh("true")).unwrap();
    let mut hoard: Vec<std::fs::File> = Vec::new();
    while let Ok(file) = std::fs::File::open("/dev/null") {
        hoard.push(file);
    }
    // With each descriptor given back it gets a little further; no step may end in a verdict that is not true.
    let mut faults = 0;
    while !hoard.is_empty() && faults < 60 {
        slot.renew();
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
    let done = Command::new("sh")
        .args(["-c", "ulimit -n 64; exec \"$0\" --exact sandbox::survival::a_judge_without_descriptors"])
        .arg(std::env::current_exe().unwrap())
        .env("KOPEK_TEST_FULL", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}

/// Whether it sleeps as `sleep 55.5`.
fn sleeps(pid: u32) -> bool {
    std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|c| c.starts_with(b"sleep\x0055.5"))
}

/// As a child process, so that its only worker is the one to be stopped.
#[test]
fn a_judge_whose_worker_hangs() {
    if std::env::var_os("KOPEK_TEST_HANGS").is_none() {
        return;
    }
    let mut slot = open().slot(None);
    let mut sleep = exec(&["sleep", "55.5"]);
    sleep.limits.wall = Duration::from_secs(1);
    // On a loaded machine the stop may come when the program's time is over: then once more.
    let hung = (0..10).find_map(|_| {
        assert_eq!(slot.run(&sh("true")).unwrap().exit, Exit::Code(0));
        let stopper = std::thread::spawn(stop_the_worker);
        let result = slot.run(&sleep);
        let (worker, program) = stopper.join().unwrap();
        result.err().map(|fault| (fault, worker, program))
    });
    let (fault, worker, program) = hung.expect("the worker could never be stopped in time");
    assert!(fault.what.contains("does not answer"), "{fault}");
    assert_eq!(slot.run(&sh("exit 7")).unwrap().exit, Exit::Code(7));
    until("the worker and its program are gone", || !alive(worker) && !program.is_some_and(sleeps));
}

/// Stops the worker of this process while its program runs; both.
fn stop_the_worker() -> (u32, Option<u32>) {
    let is_worker = |pid: &u32| {
        std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|c| c.trim() == "kopek-worker")
    };
    let worker = descendants(std::process::id()).into_iter().find(is_worker).expect("a worker");
    let program = || descendants(worker).into_iter().find(|pid| sleeps(*pid));
    // It ends when the program has run into its limit meanwhile.
    let program = (0..500).find_map(|_| {
        std::thread::sleep(Duration::from_millis(2));
        program()
    });
    let done = Command::new("kill").args(["-STOP", &worker.to_string()]).status();
    done.expect("to send a signal");
    (worker, program)
}

#[test]
fn a_worker_that_hangs_is_a_fault_and_the_next_run_works() {
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "sandbox::survival::a_judge_whose_worker_hangs"])
        .env("KOPEK_TEST_HANGS", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}
