//! Killed at any moment, a run goes on where it was, and ends in the same scorecards.

use super::{json, kopek, root};
use crate::{
    events::{Gate, Processes},
    handing_in::graded::{SUM, sums_package, write_file},
    leftovers::descendants,
    skip,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread::{self, sleep},
    time::Instant,
};

/// How often a run is killed.
const KILLS: u32 = 50;

/// Hand-ins of the example class that need no slow compiler: a kill during a build of one second says
/// as much as one of ten.
fn small_class(dir: &Path) {
    for entry in fs::read_dir(root().join("testdata/class")).unwrap().map(Result::unwrap) {
        if entry.path().extension().is_some_and(|ending| ending == "c" || ending == "py") {
            copy(&entry.path(), &dir.join(entry.file_name()));
        }
    }
}

/// The first problem without its recipe: samples and small cases in each group, so that the kill hits grading.
fn small_package(dir: &Path, cases: u64) {
    let from = root().join("problems/from-russia-with-love");
    for file in ["problem.yaml", "statement/problem.en.md"] {
        copy(&from.join(file), &dir.join(file));
    }
    for file in ["sample/example", "sample/corners"] {
        for end in ["in", "ans"] {
            copy(&from.join(format!("data/{file}.{end}")), &dir.join(format!("data/{file}.{end}")));
        }
    }
    copy(&from.join("data/secret/test_group.yaml"), &dir.join("data/secret/test_group.yaml"));
    for group in 1..=3 {
        let path = format!("data/secret/{group}/test_group.yaml");
        copy(&from.join(&path), &dir.join(&path));
        for case in 0..cases {
            let file = dir.join(format!("data/secret/{group}/{case:02}"));
            let row = format!("1\n4 2 1\n{} 2 5 4\n", case);
            // Of x 2 5 4 the second of two players is sure of x + … : computed by the definition.
            fs::write(file.with_extension("in"), row).unwrap();
            fs::write(file.with_extension("ans"), format!("{}\n", second_of_two(&[case, 2, 5, 4]))).unwrap();
        }
    }
}

/// The guaranteed value of the second of two players, by the definition.
fn second_of_two(row: &[u64]) -> u64 {
    fn first(row: &[u64]) -> u64 {
        match row {
            [] => 0,
            [a, rest @ ..] => {
                (a + second_of_two(rest)).max(row[row.len() - 1] + second_of_two(&row[..row.len() - 1]))
            }
        }
    }
    if row.is_empty() { 0 } else { first(&row[1..]).min(first(&row[..row.len() - 1])) }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from, to).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
}

/// What must not depend on how often the run was killed: who got how many points, and why.
/// Times may differ, and which of several limits ends a hostile program.
fn essence(graded: &Value) -> String {
    let groups = |row: &Value| -> String {
        let groups = row["groups"].as_array().unwrap();
        groups
            .iter()
            .map(|group| format!(" {} {} {}", group["name"], group["points"], group["verdict"]))
            .collect()
    };
    let line = |row: &Value| match row["name"].as_str() {
        Some("mallory") => format!("{} {}\n", row["name"], row["points"]),
        _ => format!("{} {} {}{}\n", row["name"], row["points"], row["verdict"], groups(row)),
    };
    graded["participants"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn a_run_killed_fifty_times_ends_in_the_same_scorecards() {
    let dir = tempfile::tempdir().unwrap();
    let (package, class) = (dir.path().join("from-russia-with-love"), dir.path().join("class"));
    small_package(&package, 12);
    small_class(&class);
    let grade = |store: &str| {
        let mut command = kopek();
        // What a killed process leaves in the temporary directory goes with the test's own.
        command.arg("grade").arg(&package).arg(&class).env("TMPDIR", dir.path());
        command.args(["--format", "json", "--store"]).arg(dir.path().join(store));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let start = Instant::now();
    let whole = json(&grade("whole").output().unwrap());
    let length = start.elapsed();
    let (mut killed, mut rounds, mut dice) = (0, 0, 0x9e37_79b9_u64);
    while killed < KILLS {
        rounds += 1;
        let store = format!("killed-{rounds}");
        loop {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moment = length.mul_f64((dice >> 33) as f64 / (1u64 << 31) as f64 / 4.0);
            let mut child = grade(&store).spawn().unwrap();
            sleep(moment);
            if killed == KILLS || child.try_wait().unwrap().is_some() {
                let graded = json(&child.wait_with_output().unwrap());
                assert_eq!(essence(&graded), essence(&whole), "after {killed} kills");
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            killed += 1;
        }
    }
    skip::note(&format!("{killed} kills in {rounds} runs of {length:?} each"));
}

/// How many files a folder has, none of them cut off; hidden ones left out.
fn count_whole_files(out: &Path) -> usize {
    let visible = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
    };
    let entries = walkdir::WalkDir::new(out).into_iter().filter_entry(visible).flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    files
        .inspect(|entry| {
            let text = fs::read_to_string(entry.path()).unwrap();
            let is_whole = match entry.path().extension().unwrap().to_str().unwrap() {
                "json" => serde_json::from_str::<Value>(&text).is_ok(),
                "html" => text.trim_end().ends_with("</html>"),
                _ => text.ends_with('\n'),
            };
            assert!(is_whole, "{}", entry.path().display());
        })
        .count()
}

#[test]
fn a_run_killed_twenty_times_leaves_no_file_of_out_half_written() {
    let dir = tempfile::tempdir().unwrap();
    sums_package(&dir.path().join("sums"));
    // Many, so that most of the run is writing: equal programs are judged once.
    for n in 0..40 {
        write_file(&dir.path().join(format!("class/p{n}.py")), SUM);
    }
    let grade = |out: &str| {
        let mut command = kopek();
        command.current_dir(dir.path()).args(["grade", "sums", "class", "--store", "store", "--out", out]);
        command.env("TMPDIR", dir.path()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let finish = |out: &str| {
        let output = grade(out).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    finish("whole");
    let start = Instant::now();
    finish("whole");
    let length = start.elapsed();
    let mut dice = 0x9e37_79b9_u64;
    for _ in 0..20 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut child = grade("killed").spawn().unwrap();
        sleep(length.mul_f64((dice >> 33) as f64 / (1u64 << 31) as f64));
        child.kill().unwrap();
        child.wait().unwrap();
        count_whole_files(&dir.path().join("killed"));
    }
    finish("killed");
    let [whole, killed] = ["whole", "killed"].map(|out| dir.path().join(out));
    assert_eq!(count_whole_files(&killed), count_whole_files(&whole));
    let hidden = |out: &Path| {
        let all = walkdir::WalkDir::new(out).into_iter().flatten();
        all.filter(|entry| entry.file_name().to_string_lossy().starts_with('.')).count()
    };
    assert_eq!(
        (hidden(&whole), hidden(&killed)),
        (2, 2),
        "the list of the files and the lock, and no rest of a killed run"
    );
}

/// Runs a program that sleeps, and waits until it does.
fn start_sleeping_run(dir: &Path, gate: &Gate) -> Child {
    let package = dir.join("from-russia-with-love");
    small_package(&package, 1);
    let slow = dir.join("slow.py");
    let script = format!("import time\nopen('{}').close()\ntime.sleep(9)\n", gate.file().display());
    fs::write(&slow, script).unwrap();
    start_until_gate(dir, gate, &[Path::new("run"), &package, &slow])
}

/// Runs a command, and waits until a program of it is at the gate.
fn start_until_gate(dir: &Path, gate: &Gate, args: &[&Path]) -> Child {
    let row = format!(
        "[[language]]\ncode = 'python3'\nrun = ['{{python}}', '-E', '-s', '-B', '/exe/{{entry}}']\nneeds = ['{}']\n",
        gate.dir().display()
    );
    fs::write(dir.join("languages.toml"), row).unwrap();
    // A run that starts with the hangup ignored, as under `nohup`, goes on ignoring it.
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP", env!("CARGO_BIN_EXE_kopek")]).current_dir(root());
    command.args(args).arg("--store").arg(dir.join("store"));
    command.env("KOPEK_LANGUAGES", dir.join("languages.toml")).env("TMPDIR", dir);
    let output = || fs::File::options().create(true).append(true).open(dir.join("output")).unwrap();
    let child = command.stdout(output()).stderr(output()).spawn().unwrap();
    gate.await_arrival();
    child
}

#[test]
fn a_signal_stops_a_generator_that_runs() {
    let (dir, gate) = (tempfile::tempdir().unwrap(), Gate::new());
    let package = dir.path().join("slow");
    let script = format!("open('{}').close()\nwhile True: pass\n", gate.file().display());
    for (file, text) in [
        ("problem.yaml", "problem_format_version: 2025-09\nname: Slow\nuuid: u\n"),
        ("generators/gen.py", &script),
        ("generators/generators.yaml", "data: {secret: {data: {a: gen.py}}}\n"),
    ] {
        fs::create_dir_all(package.join(file).parent().unwrap()).unwrap();
        fs::write(package.join(file), text).unwrap();
    }
    let output = dir.path().join("slow.zip");
    let args =
        [Path::new("pack"), Path::new("--for"), Path::new("kattis"), &package, Path::new("-o"), &output];
    let mut child = start_until_gate(dir.path(), &gate, &args);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let status = child.wait().unwrap();
    let text = fs::read_to_string(dir.path().join("output")).unwrap();
    assert_eq!((status.code(), output.exists()), (Some(130), false), "{text}");
    assert!(text.contains("interrupted") && !text.contains("CPU time"), "it was not waited for: {text}");
}

#[test]
fn a_run_whose_workers_are_killed_says_that_it_was_not_judged() {
    let (dir, gate) = (tempfile::tempdir().unwrap(), Gate::new());
    let mut child = start_sleeping_run(dir.path(), &gate);
    let (ended, pid) = (AtomicBool::new(false), child.id());
    let status = thread::scope(|scope| {
        // Whatever was started for the run, but not the judge itself, as often as it tries again.
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                for pid in descendants(pid).into_iter().filter_map(|pid| Pid::from_raw(pid as i32)) {
                    let _ = kill_process(pid, Signal::KILL);
                }
                gate.await_arrival();
            }
        });
        let status = child.wait().unwrap();
        ended.store(true, Ordering::Relaxed);
        drop(fs::File::open(gate.file()).unwrap());
        status
    });
    let text = fs::read_to_string(dir.path().join("output")).unwrap();
    assert_eq!(status.code(), Some(3), "{text}");
    assert!(text.contains("not judged: "), "{text}");
}

#[test]
fn a_killed_judge_leaves_no_process_behind() {
    let (dir, gate) = (tempfile::tempdir().unwrap(), Gate::new());
    let mut child = start_sleeping_run(dir.path(), &gate);
    let processes = Processes::of(&descendants(child.id()));
    child.kill().unwrap();
    child.wait().unwrap();
    processes.await_end();
}

#[test]
fn a_run_whose_terminal_closes_ends_in_order() {
    let (dir, gate) = (tempfile::tempdir().unwrap(), Gate::new());
    let mut child = start_sleeping_run(dir.path(), &gate);
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
