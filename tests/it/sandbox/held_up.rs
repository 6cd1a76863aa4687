//! Disturbances from outside are not the program's fault: a machine that stands still, memory that
//! others took, limits that kopek was started under.

use super::{exec, limits, open_sandbox, sh};
use crate::{
    child,
    events::{Gate, Processes},
    ordinary_user, skip,
};
use kopek::{
    base::Bytes,
    sandbox::{Exec, Exit, Limits, ReadOnlyMount},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

/// Where the gate of a child's program is.
pub const GATE: &str = "KOPEK_TEST_GATE";

/// A run that sees the gate of this child as `/gate/gate`.
pub fn at_gate(mut run: Exec) -> Exec {
    let host = env::var_os(GATE).expect("a gate").into();
    run.view.mounts.push(ReadOnlyMount { host, inside: "/gate".into() });
    run
}

/// Rests ten times for a tenth of a second, within a wall limit of two and a half.
pub fn rest_ten_times() {
    let limits = Limits { wall: Duration::from_millis(2500), ..limits() };
    let mut rests = at_gate(sh(": < /gate/gate; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done"));
    rests.limits = limits;
    let mut slot = open_sandbox().slot(Some(kopek::machine::available_cpus()[0]));
    slot.run(&sh("true")).unwrap();
    let ran = slot.run(&rests).unwrap();
    assert_eq!(ran.exit, Exit::Code(0), "{ran:?}");
}

#[test]
#[ignore = "a busy machine may starve the program instead: run it alone, as .ci/nightly does"]
fn a_paused_machine_makes_no_run_idle() {
    let (gate, mut judge) = (Gate::new(), child::command("rest ten times"));
    judge.env(GATE, gate.dir()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let judge = judge.spawn().unwrap();
    gate.await_arrival();
    // All but the program first: it must not end while others are being stopped.
    let tree = tree_of(judge.id());
    signal("-STOP", &tree);
    thread::sleep(Duration::from_secs(4));
    signal("-CONT", &tree);
    child::check_output(&judge.wait_with_output().unwrap());
}

fn signal(which: &str, tree: &[u32]) {
    let pids: Vec<String> = tree.iter().map(u32::to_string).collect();
    // Some may have ended meanwhile.
    let _ = Command::new("kill").arg(which).args(pids).stderr(Stdio::null()).status();
}

/// A process and everything that descends from it.
fn tree_of(pid: u32) -> Vec<u32> {
    let mut all = vec![pid];
    let mut at = 0;
    while let Some(pid) = all.get(at) {
        for thread in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            all.extend(children.split_ascii_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
        at += 1;
    }
    all
}

/// Wants 150 MiB of the 256 that it may have, where all of us may have 120.
pub fn want_more_than_there_is() {
    let hog = exec(&["python3", "-c", "x = bytearray(150 << 20); print(len(x))"]);
    let fault = open_sandbox().slot(None).run(&hog).unwrap_err();
    assert!(fault.what.contains("for lack of memory although it used only"), "{fault}");
    assert!(fault.what.contains("--jobs"), "{fault}");
    let small = exec(&["python3", "-c", "x = bytearray(1 << 20)"]);
    let held = Limits { memory: Bytes::mib(24), ..limits() };
    let own = Exec { limits: held, ..exec(&["python3", "-c", "x = bytearray(60 << 20)"]) };
    let mut slot = open_sandbox().slot(None);
    assert_eq!(slot.run(&small).unwrap().exit, Exit::Code(0));
    assert_eq!(slot.run(&own).unwrap().exit, Exit::Exceeded(kopek::sandbox::Limit::Memory));
    let refused = open_sandbox().check_outer_limits(&[limits()]).unwrap_err();
    assert!(refused.what.starts_with("kopek may use 120 MiB of memory here"), "{refused}");
}

#[test]
fn memory_that_others_took_is_not_the_programs_fault() {
    let Some(group) = SmallGroup::make(120 << 20) else {
        return skip::report("no memory cgroup can be made here");
    };
    let judge = child::command("want more than there is");
    let task = judge.get_envs().find_map(|(name, value)| Some((name, value?))).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", "echo $$ > \"$0/cgroup.procs\" && exec \"$@\""]).arg(&group.0);
    shell.arg(judge.get_program()).args(judge.get_args()).env(task.0, task.1);
    child::finish(&mut shell);
}

/// A memory cgroup of version 1 with a limit; version 2 would need a leaf for us first.
struct SmallGroup(PathBuf);

impl SmallGroup {
    fn make(bytes: u64) -> Option<SmallGroup> {
        if !ordinary_user::is_root() {
            return None;
        }
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own =
            own.lines().find_map(|line| line.split_once(":memory:").map(|(_, path)| path.to_owned()))?;
        let parent = Path::new("/sys/fs/cgroup/memory").join(own.trim_start_matches('/'));
        let group = SmallGroup(parent.join(format!("small-{}", std::process::id())));
        fs::create_dir(&group.0).ok()?;
        fs::write(group.0.join("memory.limit_in_bytes"), bytes.to_string()).ok()?;
        Some(group)
    }
}

impl Drop for SmallGroup {
    fn drop(&mut self) {
        // What the judge started may die after it.
        let members = fs::read_to_string(self.0.join("cgroup.procs")).unwrap_or_default();
        let members: Vec<u32> = members.lines().filter_map(|pid| pid.parse().ok()).collect();
        Processes::of(&members).await_end();
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn limits_that_kopek_was_started_under_are_named_before_anything_runs() {
    // (what the shell does first, what must be named)
    let cases = [
        ("ulimit -s 1000", "its stack (1000, `ulimit -Hs`)"),
        ("ulimit -d 100000", "its data (100000, `ulimit -Hd`)"),
        ("ulimit -v 500000", "its address space (500000, `ulimit -Hv`)"),
        ("ulimit -f 100000", "its file size ("),
        ("ulimit -n 100", "its open files (100, `ulimit -Hn`)"),
    ];
    let home = tempfile::tempdir().unwrap();
    let manifest = "problem_format_version: 2025-09\nname: One\nuuid: 5a7dc3b2-7c5e-4d6b-9a57-2f0a3f2f4b11\n";
    let write = |file: &str, text: &str| {
        let file = home.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write("a.py", "print(1)\n");
    write("one/problem.yaml", manifest);
    write("one/data/secret/1.in", "1\n");
    write("one/data/secret/1.ans", "1\n");
    for (limit, named) in cases {
        let script = format!("{limit}; exec \"$0\" run \"$1/one\" \"$1/a.py\" --store \"$1/store\"");
        let mut shell = Command::new("bash");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_kopek")]).arg(home.path());
        let output = shell.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{limit}: {message}");
        assert!(message.contains(named), "{limit}: {message}");
        let remedy = message.split('`').find(|part| part.starts_with(&limit[..9]) && !part.contains("-H"));
        let remedy = remedy.unwrap_or_else(|| panic!("{limit}: {message}"));
        // The number of files cannot be unlimited.
        let script = format!("{remedy} && test \"$({})\" = \"${{0##* }}\"", &limit[..9]);
        let valid = Command::new("bash").args(["-c", &script, remedy]).status().unwrap();
        assert!(valid.success(), "{remedy}");
    }
}
