//! Chapter: one solution at home, as its author sees it on a terminal.

mod closer;
mod editor_lines;
mod loose;
mod manners;
mod quick_builds;
mod run;
mod sessions;
mod solutions;
mod talking;
mod typist;
mod watching;

use regex_lite::Regex;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;

use crate::{ordinary_user::weak_points, scratch};

/// A folder that a contestant works in.
pub struct Desk(TempDir);

impl Desk {
    pub fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The command, with its output in pipes.
    pub fn kopek(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
        command.current_dir(self.path()).args(args).env("KOPEK_STORE", scratch::store());
        command
    }

    /// The screen of a terminal of this width, and the exit code in a line of its own.
    pub fn terminal(&self, columns: u32, line: &str) -> String {
        let kopek = env!("CARGO_BIN_EXE_kopek");
        let line = format!("stty cols {columns} rows 40; {kopek} {line}; echo \"exit code $?\"");
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).current_dir(self.path());
        script
            .env("KOPEK_STORE", scratch::store())
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .env("SHELL", "/bin/sh");
        let output = script.output().expect("`script` is part of every Debian (bsdutils)");
        let text = String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n");
        steady(&console::strip_ansi_codes(&text))
    }
}

/// Times and sizes differ from run to run. What a progress bar drew over is gone, as on a screen.
pub fn steady(text: &str) -> String {
    let text: Vec<&str> = text.lines().map(|line| line.rsplit('\r').next().unwrap_or(line)).collect();
    let text = without_weak_points(&text);
    let rules = [
        (r"\d+\.\d+ s\b", "0.00 s"),
        (r"\d+(\.\d+)? [KM]iB of", "0 MiB of"),
        (r" +\d+(\.\d+)? [KM]iB$", "  0 MiB"),
    ];
    let steady = |line: &str| {
        rules.iter().fold(line.to_owned(), |line, (from, to)| {
            Regex::new(from).unwrap().replace_all(&line, *to).into_owned()
        })
    };
    text.into_iter().map(steady).collect::<Vec<_>>().join("\n") + "\n"
}

/// Without the weak points of this machine's isolation, wrapped or not: an ordinary user's may have some that root's
/// has not.
fn without_weak_points<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let is_weak_point = |text: &str| {
        text.strip_prefix("warning: ").is_some_and(|text| weak_points().iter().any(|w| w == text))
    };
    let (mut lines, mut kept) = (lines.iter().copied().peekable(), Vec::new());
    while let Some(line) = lines.next() {
        let (mut whole, mut parts) = (line.to_owned(), vec![line]);
        let is_warning = line.starts_with("warning: ");
        while is_warning
            && !is_weak_point(&whole)
            && let Some(more) = lines.next_if(|line| line.starts_with("  "))
        {
            whole = format!("{whole} {}", more.trim_start());
            parts.push(more);
        }
        if !is_weak_point(&whole) {
            kept.extend(parts);
        }
    }
    kept
}

/// Exit code, standard output and standard error.
pub fn ended(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = text(&output.stderr);
    let said = without_weak_points(&said.split('\n').collect::<Vec<_>>()).join("\n");
    (output.status.code().unwrap_or(-1), text(&output.stdout), said)
}
