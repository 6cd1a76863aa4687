//! The time from a save to the verdict: `kopek test --watch` on a small Python program and a small C++
//! program, repeatedly. Prints the median and the target; for C++, without the compiler's own time.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark")]

use std::{
    fs,
    io::{BufRead, BufReader, Lines},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

const SAVES: usize = 15;
/// From the save of a small Python program to its verdict.
const PYTHON_TARGET: Duration = Duration::from_millis(150);
/// The same for C++, beyond the compiler's own time.
const CPP_TARGET: Duration = Duration::from_millis(100);

fn python(n: usize) -> String {
    format!("# {n}\nprint(sum(map(int, input().split())))\n")
}

fn cpp(n: usize) -> String {
    format!(
        "// {n}\n#include <iostream>\nint main() {{ int a, b; std::cin >> a >> b; std::cout << a + b; }}\n"
    )
}

/// A running `kopek test --watch` with its output.
struct Watch {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watch {
    fn start(dir: &Path, file: &str) -> Watch {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
        command.args(["test", file, "--watch", "--store", "store"]).current_dir(dir);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Watch { child, lines }
    }

    fn wait_for_verdict(&mut self) {
        let mut accepted = false;
        for line in self.lines.by_ref().map(Result::unwrap) {
            accepted |= line == "accepted";
            if line.starts_with("--- watching") {
                assert!(accepted, "the solution is right");
                return;
            }
        }
        panic!("kopek ended");
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The median over all saves.
fn median_of_saves(dir: &Path, file: &str, text: fn(usize) -> String) -> Duration {
    fs::write(dir.join(file), text(0)).unwrap();
    let mut watch = Watch::start(dir, file);
    watch.wait_for_verdict();
    let save = |n: usize| {
        // A pause, as people make between two saves.
        std::thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        fs::write(dir.join(file), text(n)).unwrap();
        watch.wait_for_verdict();
        start.elapsed()
    };
    median((1..=SAVES).map(save).collect())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The time of the compiler alone, with the same options.
fn compiler_alone(dir: &Path) -> Duration {
    fs::write(dir.join("alone.cpp"), cpp(0)).unwrap();
    let compile = |_| {
        let start = Instant::now();
        let mut command = Command::new("g++");
        command.args(["-std=gnu++20", "-O2", "-pipe", "-static", "-o", "alone", "alone.cpp"]);
        assert!(command.current_dir(dir).status().unwrap().success());
        start.elapsed()
    };
    let time = median((0..5).map(compile).collect());
    fs::remove_file(dir.join("alone.cpp")).unwrap();
    time
}

fn print_row(what: &str, time: Duration, target: Duration) {
    let mark = if time <= target { "PASS" } else { "FAIL" };
    println!("{mark}  {what:<44} {:>6.0} ms  target {:>4} ms", time.as_secs_f64() * 1e3, target.as_millis());
}

fn main() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("1.in"), "1 2\n").unwrap();
    fs::write(dir.path().join("1.ans"), "3\n").unwrap();
    print_row("save to verdict, Python", median_of_saves(dir.path(), "a.py", python), PYTHON_TARGET);
    let alone = compiler_alone(dir.path());
    let beyond = median_of_saves(dir.path(), "a.cpp", cpp).saturating_sub(alone);
    print_row(
        &format!("save to verdict, C++, beyond {:.0} ms of g++", alone.as_secs_f64() * 1e3),
        beyond,
        CPP_TARGET,
    );
}
