//! Files that change during judging: either the contents match the key, or no fact is stored.

use crate::ordinary_user::worker;
use kopek::{
    base::Clock,
    exec::{Engine, JobResult, Local},
    grade::{GradeEvent, GradeSession, JudgedCohort, OnGradeEvent, Thoroughness},
    language::{LanguageTable, SourceFiles},
    machine::{Machine, available_cpus},
    package::{self, Participant, Submission},
    plan::{Job, Task, Unplanned},
    sandbox::Sandbox,
    score::State,
    store::Store,
    toolchains::Search,
    verdict::Verdict,
    worker::{Perform, performer},
};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// A problem with one case, `2` → `2`, and a class of one who prints the input.
fn lay_out(home: &Path) {
    let write = |path: &str, text: &str| {
        let path = home.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let problem = "problem_format_version: 2025-09\nname: Echo\nuuid: u\nlimits: {time_limit: 5}\n";
    write("echo/problem.yaml", problem);
    write("echo/data/secret/1.in", "2\n");
    write("echo/data/secret/1.ans", "2\n");
    write("class/ada.py", "print(input())\n");
}

/// With the Python in `home`, if there is one.
fn machine(home: &Path) -> Machine {
    let store = Store::open(&home.join("store")).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let dirs: Vec<PathBuf> =
        [home.join("python/bin")].into_iter().chain(std::env::split_paths(&path)).collect();
    let search = Search { path: std::env::join_paths(dirs).unwrap(), ..Search::default() };
    let sandbox = Sandbox::open(&worker()).unwrap();
    Machine::new(sandbox, store, LanguageTable::embedded(), search, available_cpus())
}

/// Judges the class; `between` happens after the hand-ins were listed, `meanwhile` just before a job.
fn judge(home: &Path, between: impl Fn(), meanwhile: impl Fn(&Job) + Send + Sync) -> JudgedCohort {
    judge_on(&machine(home), home, between, meanwhile, &mut |_| ()).unwrap()
}

fn judge_on(
    machine: &Machine,
    home: &Path,
    between: impl Fn(),
    meanwhile: impl Fn(&Job) + Send + Sync,
    on_event: &mut OnGradeEvent,
) -> anyhow::Result<JudgedCohort> {
    let package = package::read(&home.join("echo")).unwrap().package.unwrap();
    let (tests, _) = package::read_tests(&package).unwrap();
    let source = SourceFiles { root: home.join("class"), files: vec![PathBuf::from("ada.py")] };
    let submission =
        Submission { name: "ada".into(), source, contents: None, language: None, entry: None, tags: vec![] };
    let cohort = [Participant::from(&submission)];
    between();
    let mut perform = performer(machine, machine.cpus[0]);
    let disturbed = |job: &Job| -> JobResult {
        meanwhile(job);
        perform(job)
    };
    let (executor, stop) = (Local::new(vec![Box::new(disturbed) as Perform]), AtomicBool::new(false));
    let engine = Engine::new(machine, &executor, &stop);
    let session = GradeSession::usual(engine, Thoroughness::All);
    session.judge(&package, &tests, &cohort, on_event)
}

#[test]
fn a_hand_in_that_becomes_a_link_after_it_was_listed_is_not_followed() {
    let home = tempfile::tempdir().unwrap();
    lay_out(home.path());
    let (secret, hand_in): (PathBuf, PathBuf) = (home.path().join("key"), home.path().join("class/ada.py"));
    fs::write(&secret, "print(2)\n").unwrap();
    let swap = || {
        fs::remove_file(&hand_in).unwrap();
        std::os::unix::fs::symlink(&secret, &hand_in).unwrap();
    };
    let judged = judge(home.path(), swap, |_| ());
    assert_eq!(judged.cards[0].state, State::Decided(Verdict::NoProgram), "{:?}", judged.failures());
}

#[test]
fn programs_are_built_from_the_bytes_that_were_read() {
    let home = tempfile::tempdir().unwrap();
    lay_out(home.path());
    let hand_in = home.path().join("class/ada.py");
    let replace = |job: &Job| {
        if matches!(job.task, Task::Build(_)) {
            fs::write(&hand_in, "print(3)\n").unwrap();
        }
    };
    let judged = judge(home.path(), || (), replace);
    assert_eq!(judged.cards[0].state, State::Decided(Verdict::Accepted), "{:?}", judged.failures());
}

#[test]
fn data_that_changes_while_it_is_judged_is_a_fault_and_leaves_no_fact() {
    let home = tempfile::tempdir().unwrap();
    lay_out(home.path());
    let answer = home.path().join("echo/data/secret/1.ans");
    let disturb = |job: &Job| {
        if matches!(job.task, Task::Trial(_)) {
            // Changed and put back: the contents are those that were digested, the file is not.
            fs::write(&answer, "3\n").unwrap();
            fs::write(&answer, "2\n").unwrap();
        }
    };
    let judged = judge(home.path(), || (), disturb);
    let faults = judged.failures();
    assert!(
        faults.len() == 1 && faults[0].fault.what.contains("was changed while it was in use"),
        "{faults:?}"
    );
    assert_eq!(judged.cards[0].points, None, "the unknown is never a pass");
    let judged = judge(home.path(), || (), |_| ());
    assert_eq!(judged.cards[0].state, State::Decided(Verdict::Accepted));
}

#[test]
fn a_file_that_appears_beside_the_cases_while_a_validator_runs_decides_nothing() {
    let home = tempfile::tempdir().unwrap();
    lay_out(home.path());
    let validator = home.path().join("echo/output_validator/judge.py");
    fs::create_dir(validator.parent().unwrap()).unwrap();
    let code =
        "import os, sys\nsys.exit(42 if os.path.exists(os.path.dirname(sys.argv[1]) + '/hint') else 43)\n";
    fs::write(&validator, code).unwrap();
    let hint = home.path().join("echo/data/secret/hint");
    let disturb = |job: &Job| {
        if matches!(job.task, Task::Trial(_)) {
            fs::write(&hint, "").unwrap();
        }
    };
    let judged = judge(home.path(), || (), disturb);
    let faults = judged.failures();
    assert!(
        faults.len() == 1 && faults[0].fault.what.contains("was changed while it was in use"),
        "{faults:?}"
    );
    fs::remove_file(&hint).unwrap();
    let judged = judge(home.path(), || (), |_| ());
    assert_eq!(judged.cards[0].state, State::Decided(Verdict::WrongAnswer), "{:?}", judged.failures());
}

/// A Python that is replaced while it is used, at each of its first builds or trials.
struct ChangingPython {
    home: tempfile::TempDir,
    is_used: fn(&Task) -> bool,
    changes: usize,
    uses: AtomicUsize,
}

impl ChangingPython {
    fn new(is_used: fn(&Task) -> bool, changes: usize) -> ChangingPython {
        let home = tempfile::tempdir().unwrap();
        lay_out(home.path());
        let python = ChangingPython { home, is_used, changes, uses: AtomicUsize::new(0) };
        python.install(0);
        python
    }

    fn install(&self, version: usize) {
        let python = self.home.path().join("python/bin/python3");
        fs::create_dir_all(python.parent().unwrap()).unwrap();
        fs::write(&python, format!("#!/bin/sh\n# {version}\nexec /usr/bin/python3 \"$@\"\n")).unwrap();
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn judge(&self, machine: &Machine) -> anyhow::Result<JudgedCohort> {
        self.judge_noting_waits(machine, &mut Vec::new())
    }

    /// Judges, and adds the seconds of each wait that it announces.
    fn judge_noting_waits(&self, machine: &Machine, waits: &mut Vec<u32>) -> anyhow::Result<JudgedCohort> {
        let upgrade = |job: &Job| {
            if !(self.is_used)(&job.task) {
                return;
            }
            let uses = self.uses.fetch_add(1, Ordering::Relaxed);
            if uses < self.changes {
                self.install(uses + 1);
            }
        };
        judge_on(machine, self.home.path(), || (), upgrade, &mut |event| {
            if let GradeEvent::Waiting { toolchains, seconds } = event {
                assert_eq!(toolchains, ["Python 3"]);
                waits.push(seconds);
            }
        })
    }
}

fn is_trial(task: &Task) -> bool {
    matches!(task, Task::Trial(_))
}

#[test]
fn programs_of_a_changed_toolchain_are_judged_again_until_it_is_installed() {
    for (changes, waited) in [(1, &[][..]), (4, &[2, 4, 8])] {
        let python = ChangingPython::new(is_trial, changes);
        let mut machine = machine(python.home.path());
        machine.clock = Clock::stopped();
        let start = machine.clock.now();
        let mut waits = Vec::new();
        let judged = python.judge_noting_waits(&machine, &mut waits).unwrap();
        assert_eq!(judged.changed_toolchains, ["Python 3"]);
        assert_eq!(judged.cards[0].state, State::Decided(Verdict::Accepted), "{:?}", judged.failures());
        assert_eq!(waits, waited, "{changes} changes");
        let seconds = u64::from(waits.iter().sum::<u32>());
        assert_eq!((machine.clock.now() - start).as_secs(), seconds);
        let tried = python.uses.load(Ordering::Relaxed);
        let judged = python.judge(&machine).unwrap();
        let now = (judged.changed_toolchains.len(), python.uses.load(Ordering::Relaxed));
        assert_eq!(now, (0, tried), "now it is known");
    }
}

#[test]
fn a_validator_is_built_again_if_its_toolchain_changes_meanwhile() {
    let python = ChangingPython::new(|task| matches!(task, Task::Build(_)), 2);
    let validator = python.home.path().join("echo/output_validator/judge.py");
    fs::create_dir(validator.parent().unwrap()).unwrap();
    fs::write(&validator, "import sys\nsys.exit(42)\n").unwrap();
    let mut machine = machine(python.home.path());
    machine.clock = Clock::stopped();
    let judged = python.judge(&machine).unwrap();
    assert_eq!(judged.changed_toolchains, ["Python 3"]);
    assert_eq!(judged.cards[0].state, State::Decided(Verdict::Accepted), "{:?}", judged.failures());
}

#[test]
fn a_toolchain_that_changes_for_a_minute_ends_the_judging() {
    let python = ChangingPython::new(is_trial, usize::MAX);
    let mut machine = machine(python.home.path());
    machine.clock = Clock::stopped();
    let start = machine.clock.now();
    let error = python.judge(&machine).err().unwrap().to_string();
    assert!(error.starts_with("Python 3 kept changing while it was used: wait until"), "{error}");
    assert_eq!((machine.clock.now() - start).as_secs(), 60);
}

#[test]
fn a_hand_in_that_cannot_be_read_is_our_fault_and_no_compile_error() {
    let home = tempfile::tempdir().unwrap();
    lay_out(home.path());
    let hand_in = home.path().join("class/ada.py");
    let judged = judge(home.path(), || fs::remove_file(&hand_in).unwrap(), |_| ());
    assert!(matches!(judged.cards[0].state, State::Unknown(_)), "{:?}", judged.cards[0].state);
    let program = &judged.plan.rows[0].program;
    assert!(matches!(program, Err(Unplanned::Ours(why)) if why.contains("cannot read")), "{program:?}");
}
