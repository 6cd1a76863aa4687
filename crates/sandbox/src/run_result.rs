//! The result of a run: plain data.

use super::{captured_output::CapturedOutput, exec::Limits};
use kopek_base::{Bytes, nanoseconds};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The part of standard error for messages.
const STDERR_READ: usize = 600;
const STDERR_LINES: usize = 5;
/// The last traceback of a program is at the end.
const TRACEBACK_READ: usize = 8 << 10;

/// Which limit was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// CPU time.
    Cpu,
    /// Wall time.
    Wall,
    /// Memory.
    Memory,
    /// Standard output or standard error.
    Output,
    /// Written files.
    Files,
    /// Processes and threads.
    Processes,
}

/// What else happened in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunNote {
    /// It started more processes than allowed.
    ProcessLimit,
    /// It made a forbidden system call.
    ForbiddenCall,
    /// The kernel stopped the program for lack of memory.
    NoMemory,
    /// Its directory was full.
    BoxFull,
    /// The number of processes that still ran at the end.
    LeftProcesses(u64),
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It exited with a code.
    Code(i32),
    /// A signal killed it that was not ours.
    Signal(i32),
    /// It was stopped at a limit.
    Exceeded(Limit),
}

impl Exit {
    /// A phrase that follows the program's name: `exited with 3`.
    pub fn in_words(&self, limits: &Limits) -> String {
        match self {
            Exit::Code(code) => format!("exited with {code}"),
            Exit::Signal(signal) => format!("was killed by signal {signal}"),
            Exit::Exceeded(Limit::Cpu) => {
                format!("used more than {} s of CPU time", limits.cpu.as_secs_f64())
            }
            Exit::Exceeded(Limit::Wall) => format!("did not end within {} s", limits.wall.as_secs_f64()),
            Exit::Exceeded(Limit::Memory) => format!("used more than {} of memory", limits.memory),
            Exit::Exceeded(Limit::Output | Limit::Files) => format!("wrote more than {}", limits.output),
            Exit::Exceeded(Limit::Processes) => format!("started more than {} processes", limits.processes),
        }
    }
}

/// The resources of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of all its processes, user and system together.
    #[serde(with = "nanoseconds")]
    pub cpu: Duration,
    /// Wall time from start to end.
    #[serde(with = "nanoseconds")]
    pub wall: Duration,
    /// Peak memory of all processes together. Without a memory cgroup, the largest resident set of any of
    /// them, or of the worker that executed it (less than 5 MiB) if that is larger.
    pub memory: Bytes,
    /// Processes still alive when the main one ended; they were killed.
    #[serde(default, skip_serializing_if = "is_none_left")]
    pub left: u32,
}

fn is_none_left(left: &u32) -> bool {
    *left == 0
}

/// The result of a run.
#[derive(Debug)]
pub struct RunResult {
    /// How it ended.
    pub exit: Exit,
    /// Its resources.
    pub usage: Usage,
    /// Further CPU time that child processes may have used unseen; zero with a cgroup. Without one, the
    /// kernel reports nothing about a child whose parent ignores its end.
    pub unseen: Duration,
    /// Its standard output.
    pub stdout: CapturedOutput,
    /// Its standard error.
    pub stderr: CapturedOutput,
    /// What else happened.
    pub notes: Vec<RunNote>,
}

impl RunResult {
    /// How it ended, with the first lines of its standard error.
    pub fn end_in_words(&self, limits: &Limits) -> String {
        self.with_stderr(self.exit.in_words(limits))
    }

    /// This phrase, with the first lines of its standard error.
    pub fn with_stderr(&self, words: String) -> String {
        if let Some(error) = self.python_error() {
            return format!("{words}: {error}");
        }
        let errors = self.stderr.head(STDERR_READ).unwrap_or_default();
        let errors = String::from_utf8_lossy(&errors);
        let lines = errors.lines().map(str::trim_end).filter(|line| !line.is_empty());
        let lines: Vec<&str> = lines.take(STDERR_LINES).collect();
        if lines.is_empty() { words } else { format!("{words}: {}", lines.join(" | ")) }
    }

    /// A summary of the traceback at the end of its standard error.
    pub fn python_error(&self) -> Option<String> {
        let errors = self.stderr.tail(TRACEBACK_READ).unwrap_or_default();
        last_traceback(&String::from_utf8_lossy(&errors))
    }
}

/// The result of two programs with crossed pipes.
#[derive(Debug)]
pub struct PairResult {
    /// The first program: its standard output went to the second's input.
    pub first: RunResult,
    /// The second.
    pub second: RunResult,
    /// Which of them ended first by itself.
    pub first_to_end: PairMember,
    /// Their messages to each other, in order.
    pub transcript: Vec<PairMessage>,
}

/// A program of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairMember {
    /// The first program.
    First,
    /// The second program.
    Second,
}

/// A piece of the conversation of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairMessage {
    /// Its author.
    pub speaker: PairMember,
    /// The time since the start.
    pub at: Duration,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// `KeyError: 7 (line 4)`: the end of a traceback, with its innermost line.
fn last_traceback(text: &str) -> Option<String> {
    let (_, traceback) = text.rsplit_once("Traceback (most recent call last):\n")?;
    let error = traceback.lines().find(|line| !line.is_empty() && !line.starts_with(' '))?;
    let mut lines = traceback.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("File \"")?.split_once("\", line ")?.1;
        rest.split(',').next()
    });
    let error = error.chars().take(STDERR_READ).collect::<String>();
    Some(match lines.next_back() {
        Some(line) => format!("{error} (line {line})"),
        None => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn ran(exit: Exit, errors: &str) -> RunResult {
        let captured = |text: &str| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            CapturedOutput::new(file)
        };
        RunResult {
            exit,
            usage: Usage::default(),
            unseen: Duration::ZERO,
            stdout: captured(""),
            stderr: captured(errors),
            notes: Vec::new(),
        }
    }

    #[test]
    fn a_traceback_is_its_last_line_and_the_innermost_place() {
        let text = "reading\nTraceback (most recent call last):\n  File \"/exe/__main__.py\", line 4, in <module>\n    \
                    main(x)\n    ~~~~^^^\n  File \"/exe/__main__.py\", line 2, in main\nIndexError: list index out of range\n";
        assert_eq!(last_traceback(text).unwrap(), "IndexError: list index out of range (line 2)");
        assert_eq!(last_traceback("no such thing\n"), None);
        assert_eq!(last_traceback("Traceback (most recent call last):\n  File \"/exe"), None);
    }

    #[test]
    fn how_a_run_ended_is_said_in_words_with_what_it_wrote() {
        let limits = Limits {
            cpu: Duration::from_secs(60),
            wall: Duration::from_millis(2500),
            memory: Bytes::mib(2048),
            output: Bytes::mib(256),
            files: Bytes::mib(256),
            processes: 64,
        };
        let ends = [
            (Exit::Code(3), "exited with 3"),
            (Exit::Signal(11), "was killed by signal 11"),
            (Exit::Exceeded(Limit::Cpu), "used more than 60 s of CPU time"),
            (Exit::Exceeded(Limit::Wall), "did not end within 2.5 s"),
            (Exit::Exceeded(Limit::Memory), "used more than 2 GiB of memory"),
            (Exit::Exceeded(Limit::Output), "wrote more than 256 MiB"),
            (Exit::Exceeded(Limit::Files), "wrote more than 256 MiB"),
            (Exit::Exceeded(Limit::Processes), "started more than 64 processes"),
        ];
        for (exit, words) in ends {
            assert_eq!(ran(exit, "").end_in_words(&limits), words);
            assert_eq!(ran(exit, "oh\n\n dear \n").end_in_words(&limits), format!("{words}: oh |  dear"));
        }
    }
}
