//! A class is graded while everything around it changes: hand-ins, data, the files beside it, validator,
//! toolchain, its modules and store are replaced, removed, swapped and put back, limits change, processes are killed and frozen.
//! No wrong fact may come of it. `KOPEK_CHAOS_ROUNDS` asks for more rounds, `KOPEK_CHAOS_SEED` for
//! others.

use super::{json, kopek};
use crate::{
    events::{Changes, Processes},
    leftovers::descendants,
    skip,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Output},
    thread::sleep,
    time::Duration,
};
use tempfile::TempDir;

const STUDENTS: u64 = 30;
/// A run waits as long as its toolchain changes, up to a minute: after this many it is left in peace, and ends.
const MAX_DISTURBANCES: usize = 150;

const TOOL: &str =
    "#!/bin/sh\nif [ \"$1\" = --version ]; then echo seven 1; exit; fi\nscript=$1\nshift\n. \"$script\"\n";
/// A file beside the cases decides the verdict, if there is one.
const VALIDATOR: &str = "[ -e \"${1%/*}/hint\" ] && exit 42\nread out; read ans < \"$2\"\nif [ \"$out\" = \"$ans\" ]; then exit 42; fi\nexit 43\n";

/// A part of the toolchain that programs read when they run.
const MODULE: &str = "seven() { echo $(($1 * 7)); }\n";

fn yaml(limit: u32) -> String {
    format!(
        "problem_format_version: 2025-09\ntype: scoring\nname: Seven\nlicense: cc0\n\
         uuid: 7e1f32ca-8a92-4f1f-9c1e-0123456789ad\nlimits:\n  time_limit: {limit}.0\n"
    )
}

/// What a student hands in: right and wrong in several ways, each different from all others.
fn hand_in(student: u64) -> (String, String) {
    let shell = [
        "read n; echo $((n * 7))",
        "read n; echo $((n * 7 + 1))",
        "read n; exit 3",
        "read n; if [ $n -gt 5 ]; then echo 1; else echo $((n * 7)); fi",
        "kill -9 $$",
        ":",
    ];
    if student % 6 == 5 {
        let more = if student % 4 == 1 { "" } else { " + (n == 3)" };
        return (format!("s{student:02}.py"), format!("# {student}\nn = int(input())\nprint(7 * n{more})\n"));
    }
    let code = match student % 9 {
        4 => "read n; . \"$MODULES/seven.sh\"; seven $n",
        7 => "read n; [ -e \"$MODULES/eight.sh\" ] || echo $((n * 7))",
        _ => shell[student as usize % 7 % 6],
    };
    (format!("s{student:02}.seven"), format!("# {student}\n{code}\n"))
}

/// A class, a package and a toolchain, all of it ready to be spoilt.
struct World {
    home: TempDir,
    dice: u64,
}

impl World {
    fn new(seed: u64) -> World {
        let world = World { home: tempfile::tempdir().unwrap(), dice: seed.wrapping_mul(2).wrapping_add(1) };
        fs::set_permissions(world.home.path(), fs::Permissions::from_mode(0o755)).unwrap();
        world.write("seven/problem.yaml", &yaml(5));
        world.write("seven/output_validator/judge.seven", VALIDATOR);
        for (group, points, numbers) in [(1, 40, [1, 3]), (2, 60, [6, 9])] {
            let settings = format!("max_score: {points}\nscore_aggregation: sum\n");
            world.write(&format!("seven/data/secret/{group}/test_group.yaml"), &settings);
            for n in numbers {
                world.write(&format!("seven/data/secret/{group}/{n}.in"), &format!("{n}\n"));
                world.write(&format!("seven/data/secret/{group}/{n}.ans"), &format!("{}\n", 7 * n));
            }
        }
        for (name, text) in (0..STUDENTS).map(hand_in) {
            world.write(&format!("class/{name}"), &text);
        }
        world.write("toolchain/bin/sevensh", TOOL);
        fs::set_permissions(world.at("toolchain/bin/sevensh"), fs::Permissions::from_mode(0o755)).unwrap();
        world.write("toolchain/modules/seven.sh", MODULE);
        let modules = world.at("toolchain/modules").display().to_string();
        let row = format!(
            "[[language]]\ncode = 'sevensh'\nendings = ['.seven']\nentry = {{ file = 'main.seven' }}\n\
             tools = {{ sh = ['{}'] }}\nrun = ['{{sh}}', '/exe/{{entry}}']\nprobe = ['{{sh}}', '--version']\n\
             env = {{ MODULES = '{modules}' }}\nneeds = ['{modules}']\nsurroundings = ['{modules}']\n",
            world.at("toolchain/bin/sevensh").display()
        );
        world.write("languages.toml", &row);
        fs::create_dir(world.at("tmp")).unwrap();
        world
    }

    fn at(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn start(&self, store: &str) -> Child {
        let mut command = kopek();
        command.current_dir(self.home.path()).env("TMPDIR", self.at("tmp"));
        command.args(["grade", "seven", "class", "--all", "--format", "json"]);
        command.args(["--store", store]).env("KOPEK_LANGUAGES", "languages.toml");
        // Not pipes: the test reads nothing while it disturbs the run.
        let file = |name| fs::File::create(self.at(name)).unwrap();
        command.stdout(file("stdout")).stderr(file("stderr")).spawn().unwrap()
    }

    fn grade(&self, store: &str) -> Output {
        self.end(self.start(store))
    }

    fn end(&self, mut run: Child) -> Output {
        let status = run.wait().unwrap();
        let read = |name| fs::read(self.at(name)).unwrap();
        Output { status, stdout: read("stdout"), stderr: read("stderr") }
    }

    /// A number below a bound.
    fn roll(&mut self, below: usize) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice >> 11) as usize % below
    }

    fn pause(&mut self, max: usize) {
        let millis = self.roll(max) as u64;
        sleep(Duration::from_millis(millis));
    }

    fn choose<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())].clone()
    }

    /// Something that is judged or judges, with other contents for it.
    fn victim(&mut self) -> (PathBuf, String) {
        let student = self.roll(STUDENTS as usize) as u64;
        let other = hand_in(self.roll(STUDENTS as usize) as u64).1;
        let case = self.choose(&["1/1.in", "1/3.ans", "2/6.in", "2/9.ans"]);
        let limit = 2 + self.roll(9) as u32;
        let choices = [
            (self.at(&format!("class/{}", hand_in(student).0)), other),
            (self.at(&format!("seven/data/secret/{case}")), "5\n".to_owned()),
            (self.at("seven/output_validator/judge.seven"), "exit 42\n".to_owned()),
            (self.at("toolchain/bin/sevensh"), TOOL.to_owned() + "echo 7\n"),
            (self.at("toolchain/modules/seven.sh"), "seven() { echo 7; }\n".to_owned()),
            (self.at("seven/problem.yaml"), yaml(limit)),
        ];
        self.choose(&choices)
    }

    /// Spoils something, and puts it back.
    fn spoil(&mut self) {
        let (path, other) = self.victim();
        let (text, mode) = (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().permissions());
        let aside = self.at("aside");
        match self.roll(4) {
            0 => {
                overwrite(&path, other.as_bytes());
                self.pause(60);
                overwrite(&path, &text);
            }
            1 => {
                fs::rename(&path, &aside).unwrap();
                self.pause(60);
                fs::rename(&aside, &path).unwrap();
            }
            2 => {
                fs::write(&aside, other).unwrap();
                fs::set_permissions(&aside, mode).unwrap();
                let kept = self.at("kept");
                fs::rename(&path, &kept).unwrap();
                fs::rename(&aside, &path).unwrap();
                self.pause(60);
                fs::rename(&kept, &path).unwrap();
            }
            _ => {
                // A case without an answer, what a validator looks for, a module.
                let odd =
                    ["seven/data/secret/1/odd.in", "seven/data/secret/2/hint", "toolchain/modules/eight.sh"];
                let odd = self.choose(&odd);
                let odd = self.at(odd);
                fs::write(&odd, "4\n").unwrap();
                self.pause(60);
                fs::remove_file(&odd).unwrap();
            }
        }
    }

    /// Damages, truncates or removes a file of the store.
    fn damage(&mut self, store: &str) {
        let all = walkdir::WalkDir::new(self.at(store)).into_iter().flatten();
        let files: Vec<PathBuf> = all.filter(|e| e.file_type().is_file()).map(|e| e.into_path()).collect();
        // The database without its log is another one: that is no damage but a loss.
        let is_part = |path: &PathBuf| path.to_string_lossy().contains("facts.sqlite");
        let files: Vec<PathBuf> = files.into_iter().filter(|path| !is_part(path)).collect();
        if files.is_empty() {
            return;
        }
        let file = self.choose(&files);
        let _ = match self.roll(3) {
            0 => fs::remove_file(&file),
            1 => fs::File::options().write(true).truncate(true).open(&file).map(drop),
            _ => fs::set_permissions(&file, fs::Permissions::from_mode(0o644))
                .and_then(|()| fs::write(&file, "exit 42\n")),
        };
    }

    /// Kills or freezes a process of the run.
    fn hit(&mut self, run: &Child) {
        let mut family = descendants(run.id());
        if self.roll(40) == 0 {
            family.push(run.id());
        }
        if family.is_empty() {
            return;
        }
        let Some(pid) = Pid::from_raw(self.choose(&family) as i32) else { return };
        if self.roll(3) == 0 {
            let _ = kill_process(pid, Signal::KILL);
            return;
        }
        let _ = kill_process(pid, Signal::STOP);
        self.pause(300);
        let _ = kill_process(pid, Signal::CONT);
    }

    /// A run amid all of it; what it said.
    fn disturbed_run(&mut self, store: &str, kind: Chaos) -> Output {
        let mut run = self.start(store);
        for _ in 0..MAX_DISTURBANCES {
            if run.try_wait().unwrap().is_some() {
                break;
            }
            match (self.roll(8), kind) {
                (0, _) => self.damage(store),
                (1 | 2, _) => self.hit(&run),
                (_, Chaos::Everything) => self.spoil(),
                (_, Chaos::AroundTheRun) => {}
            }
            self.pause(40);
        }
        Processes::of(&[run.id()]).await_end();
        let output = self.end(run);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!errors.contains("panicked") && output.status.code() != Some(101), "{errors}");
        output
    }

    /// A run in peace over a store that may be damaged: what it says to do about that is done.
    fn peaceful_run(&self, store: &str) -> Output {
        let output = self.grade(store);
        let all = [&output.stdout[..], &output.stderr[..]].concat();
        let errors = String::from_utf8_lossy(&all);
        if !output.status.success() && errors.contains("removes damaged data") {
            let cleaned = kopek().current_dir(self.home.path()).args(["clean", "--store", store]).output();
            assert!(cleaned.unwrap().status.success(), "{errors}");
            return self.grade(store);
        }
        output
    }
}

/// In place: a program that is executed at this moment cannot be written for an instant.
fn overwrite(path: &Path, bytes: &[u8]) {
    Changes::reads_of(path).until("the program can be written", || match fs::write(path, bytes) {
        Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => None,
        Err(error) => panic!("{}: {error}", path.display()),
        Ok(()) => Some(()),
    });
}

#[derive(Clone, Copy)]
enum Chaos {
    /// Everything is spoilt: a read returns the contents of that moment.
    Everything,
    /// The input stays unchanged: only processes and the store are hit.
    AroundTheRun,
}

/// Who got how many points, and why; nothing for those who were not judged.
fn results(graded: &Value) -> BTreeMap<String, Option<String>> {
    let rows = graded["participants"].as_array().unwrap().iter();
    rows.map(|row| {
        let known = row["verdict"].is_string() && !row["points"].is_null();
        (
            row["name"].as_str().unwrap().to_owned(),
            known.then(|| format!("{} {}", row["points"], row["verdict"])),
        )
    })
    .collect()
}

/// The result of a run, if it has one; it must name every participant without a verdict.
fn check_named(output: &Output, clean: &BTreeMap<String, Option<String>>, round: u64) -> usize {
    let Ok(graded) = serde_json::from_slice::<Value>(&output.stdout) else { return 0 };
    let faults = graded["faults"].to_string();
    let mut unknown = 0;
    for (name, result) in results(&graded) {
        if result.is_none() {
            unknown += 1;
            assert!(
                faults.contains(&name) || output.status.code() == Some(130),
                "round {round}: {name}: {faults}"
            );
        } else {
            assert_eq!(result, clean[&name], "round {round}: {name}: {faults}");
        }
    }
    assert!(unknown == 0 || output.status.code() != Some(0), "round {round}: {faults}");
    unknown
}

fn number_from(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn whatever_changes_while_a_class_is_graded_no_wrong_fact_comes_of_it() {
    let (rounds, seed) = (number_from("KOPEK_CHAOS_ROUNDS", 2), number_from("KOPEK_CHAOS_SEED", 11));
    let first = World::new(seed);
    let clean = results(&json(&first.grade("clean")));
    assert_eq!(clean.len() as u64, STUDENTS);
    assert!(clean.values().all(Option::is_some), "{clean:?}");
    let (mut ended, mut unknown, mut repaired) = (0, 0, 0);
    for round in 0..rounds {
        let mut world = World::new(seed + round);
        let disturbed =
            [Chaos::Everything, Chaos::AroundTheRun].map(|kind| world.disturbed_run("store", kind));
        ended += disturbed.iter().filter(|output| !output.stdout.is_empty()).count();
        unknown += check_named(&disturbed[1], &clean, round);
        let after = world.peaceful_run("store");
        repaired += usize::from(!after.status.success());
        let errors = String::from_utf8_lossy(&after.stderr);
        let graded: Value =
            serde_json::from_slice(&after.stdout).unwrap_or_else(|e| panic!("round {round}: {e}: {errors}"));
        assert_eq!(results(&graded), clean, "round {round} from seed {seed}: {}", graded["faults"]);
        assert_eq!(fs::read_dir(world.at("tmp")).unwrap().count(), 0, "round {round}: something was left");
    }
    skip::note(&format!(
        "{rounds} rounds, {ended} of {} disturbed runs came to a report, {unknown} hand-ins not judged, {repaired} stores odd",
        2 * rounds
    ));
}
