//! `--watch` judges again on every save.

use super::Desk;
use crate::events::Changes;
use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

/// A watching kopek; ended when it is dropped.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(desk: &Desk, args: &[&str]) -> Watch {
        let mut child = desk.command(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Watch { child, lines }
    }

    /// The next whole result.
    fn next(&self) -> String {
        let mut text = String::new();
        loop {
            // Generous: the machine may be busy with the other tests.
            let line = self.lines.recv_timeout(Duration::from_secs(60)).expect("a result");
            if line.starts_with("--- watching") {
                return text;
            }
            text += &(line + "\n");
        }
    }

    /// Results up to the first that holds a text: a save in two steps may be judged twice.
    fn until(&self, text: &str) -> String {
        let mut results = (0..10).map(|_| self.next());
        results.find(|result| result.contains(text)).unwrap_or_else(|| panic!("no result with `{text}`"))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
        assert_eq!(self.child.wait().unwrap().code(), Some(130));
    }
}

const RIGHT: &str = "print(sum(map(int, input().split())))\n";
const WRONG: &str = "print(7)\n";

#[test]
fn every_save_is_judged_however_the_editor_writes() {
    let desk = Desk::new();
    for (name, input, answer) in [("1", "1 2", "3"), ("2", "3 4", "7")] {
        desk.write(&format!("{name}.in"), input);
        desk.write(&format!("{name}.ans"), answer);
    }
    desk.write("a.py", WRONG);
    let watch = Watch::start(&desk, &["test", "a.py", "--watch"]);
    assert!(watch.next().contains("wrong answer"));
    desk.write("a.py", RIGHT);
    watch.until("2 cases right");
    // An editor that writes beside and renames.
    desk.write(".a.py.new", WRONG);
    fs::rename(desk.path().join(".a.py.new"), desk.path().join("a.py")).unwrap();
    watch.until("sample/1: wrong answer");
    desk.write("a.py", "print(\n");
    watch.until("compile error");
    // The file is gone for a moment, as between two renames.
    fs::remove_file(desk.path().join("a.py")).unwrap();
    watch.until("error: read");
    desk.write("a.py", RIGHT);
    watch.until("2 cases right");
    // A test that changes is read again.
    desk.write("2.ans", "8");
    watch.until("sample/2: wrong answer");
}

#[test]
fn a_save_of_any_source_file_restarts_the_run() {
    let desk = Desk::new();
    desk.write("tests/1.in", "1\n");
    desk.write("tests/1.ans", "5\n");
    desk.write("sol/main.py", "from lib import n\nprint(n)\n");
    desk.write("sol/lib.py", "n = 4\n");
    let watch = Watch::start(&desk, &["test", "sol", "tests", "--watch"]);
    watch.until("wrong answer");
    let reads = Changes::reads_of(&desk.path().join("sol/lib.py"));
    desk.write("sol/lib.py", "import time\ntime.sleep(0.5)\nn = 6\n");
    reads.next("the next run reads the file");
    for n in [7, 8, 5] {
        desk.write("sol/lib.py", &format!("n = {n}\n"));
    }
    watch.until("1 case right");
}
