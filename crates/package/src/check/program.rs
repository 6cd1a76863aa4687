//! Custom output validators: builds the call in the sandbox, and interprets the reply.
//!
//! `validator input answer feedback/ arguments… < output`: exit code 42 accepts and 43 rejects. Anything else
//! is a failure of the validator: a [`Fault`] of that program, never a verdict on the submission. Builds no
//! programs and starts none.

use super::{OutputCheck, Score};
use crate::points::Points;
use kopek_base::{Bytes, files};
use kopek_sandbox::{
    BoxFile, CapturedOutput, Exec, Exit, Fault, Input, Keep, Limit, Limits, ReadOnlyMount, RunResult,
};
use std::{
    io::ErrorKind,
    os::fd::AsRawFd,
    path::{Path, PathBuf},
};

/// The exit code for a refusal.
pub const REFUSED: i32 = 43;
/// Inside path of the feedback directory; the format requires the slash at its end.
pub const FEEDBACK: &str = "/box/feedback/";
/// Inside path of the directory that holds inputs and answers.
const DATA: &str = "/data";
/// Score files hold one number.
const SCORE: u64 = 4 << 10;
/// Messages and standard error are read up to this length.
const MESSAGE: u64 = 64 << 10;

/// One call of a validator.
#[derive(Debug)]
pub struct ValidatorCall<'a> {
    /// The validator as [`crate::language::run_exec`] has it: no arguments yet, limits of validation.
    pub program: Exec,
    /// The directory of the tests. It is mounted as a whole, so that calls with inputs and answers in it have
    /// equal views and share a warm worker.
    pub data: &'a Path,
    /// The input of the submission; in a later pass, the input of that pass.
    pub input: &'a Path,
    pub answer: &'a Path,
    pub output: Input,
    pub args: &'a [String],
    /// An existing host directory: the validator gets its contents, and leaves its own files there.
    pub feedback: &'a Path,
}

impl ValidatorCall<'_> {
    /// The run to perform; interpret its result with [`read_validator_reply`].
    pub fn exec(self) -> Result<Exec, Fault> {
        let mut exec = with_case(self.program, self.data, self.input, self.answer)?;
        exec.argv.push(FEEDBACK.to_owned());
        exec.argv.extend_from_slice(self.args);
        exec.view.writable = true;
        exec.cwd = "/box".to_owned();
        exec.files.push(BoxFile::Tree("feedback".into(), self.feedback.to_owned()));
        exec.keep = Keep::Below("feedback".into(), self.feedback.to_owned());
        exec.stdin = self.output;
        Ok(exec)
    }
}

/// Adds input and answer as the next two arguments, at the paths where the program sees them.
pub fn with_case(mut exec: Exec, data: &Path, input: &Path, answer: &Path) -> Result<Exec, Fault> {
    let data = resolve_links(data)?;
    for (path, name) in [(input, "input"), (answer, "answer")] {
        let host = resolve_links(path)?;
        let inside = match host.strip_prefix(&data) {
            Ok(below) => Path::new(DATA).join(below),
            Err(_) => {
                let inside = Path::new("/files").join(name);
                exec.view.mounts.push(ReadOnlyMount { host, inside: inside.clone() });
                inside
            }
        };
        let inside = inside.into_os_string().into_string();
        exec.argv.push(inside.map_err(|name| Fault::new(format!("show {name:?}: not UTF-8")))?);
    }
    exec.view.mounts.push(ReadOnlyMount { host: data, inside: DATA.into() });
    Ok(exec)
}

/// Resolves symlinks: inside the sandbox, a link would leave the mounted directory.
fn resolve_links(path: &Path) -> Result<PathBuf, Fault> {
    path.canonicalize().map_err(|error| Fault::new(format!("find {}: {error}", path.display())))
}

/// One program's output as another's input.
pub fn output_of(written: &CapturedOutput) -> Input {
    // An empty output may be the null device, which is not a file that can be opened again.
    match written.size() {
        Ok(Bytes(0)) => Input::Nothing,
        Ok(_) | Err(_) => Input::Path(format!("/proc/self/fd/{}", written.file().as_raw_fd()).into()),
    }
}

/// The reply of a validator that ran under these limits: its exit code and its feedback directory.
pub fn read_validator_reply(ran: &RunResult, limits: &Limits, feedback: &Path) -> Result<OutputCheck, Fault> {
    let accepted = match ran.exit {
        Exit::Code(42) => true,
        Exit::Code(REFUSED) => false,
        Exit::Code(_) | Exit::Signal(_) | Exit::Exceeded(_) => return Err(validator_failure(ran, limits)),
    };
    let checked = OutputCheck {
        accepted,
        score: read_score(feedback)?,
        difference: None,
        judge_message: read_message(feedback, "judgemessage.txt")?,
        team_message: read_message(feedback, "teammessage.txt")?,
        // Not through a symlink, which could lead to any file of this machine.
        next_pass: feedback.join("nextpass.in").symlink_metadata().is_ok_and(|file| file.is_file()),
    };
    match (checked.next_pass, accepted) {
        (true, false) => {
            Err(Fault::of_trusted_program("the output validator wrote nextpass.in and exited with 43"))
        }
        (true, true) | (false, _) => Ok(checked),
    }
}

/// How a validator failed; for an exceeded limit, with the key that raises it.
fn validator_failure(ran: &RunResult, limits: &Limits) -> Fault {
    let words = ran.exit.in_words(limits);
    let key = match ran.exit {
        Exit::Code(_) => return validator_fault(ran, &format!("{words} instead of 42 or 43")),
        Exit::Signal(_) | Exit::Exceeded(Limit::Processes) => return validator_fault(ran, &words),
        Exit::Exceeded(Limit::Cpu | Limit::Wall) => "validation_time",
        Exit::Exceeded(Limit::Memory) => "validation_memory",
        Exit::Exceeded(Limit::Output | Limit::Files) => "validation_output",
    };
    let remedy = format!("raise `{key}` below `limits` in problem.yaml, or let it need less");
    validator_fault(ran, &format!("{words} ({remedy})"))
}

fn validator_fault(ran: &RunResult, what: &str) -> Fault {
    let whole = || ran.stderr.head(MESSAGE as usize / 16).unwrap_or_default();
    let message = ran.python_error().unwrap_or_else(|| String::from_utf8_lossy(&whole()).into_owned());
    let colon = if message.trim().is_empty() { "" } else { ": " };
    Fault::of_trusted_program(format!("the output validator {what}{colon}{}", message.trim()))
}

fn read_score(feedback: &Path) -> Result<Option<Score>, Fault> {
    let points = read_number(feedback, "score.txt")?.map(Score::Points);
    let share = read_number(feedback, "score_multiplier.txt")?.map(Score::Multiplier);
    match (points, share) {
        (Some(_), Some(_)) => {
            let what = "the output validator wrote both score.txt and score_multiplier.txt";
            Err(Fault::of_trusted_program(what))
        }
        (points, share) => Ok(points.or(share)),
    }
}

fn read_number(feedback: &Path, name: &str) -> Result<Option<Points>, Fault> {
    let Some(bytes) = read_head(feedback, name, SCORE)? else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes);
    let number = text.trim_ascii().parse::<Points>();
    number
        .map(Some)
        .map_err(|error| Fault::of_trusted_program(format!("the output validator's {name}: {error}")))
}

fn read_message(feedback: &Path, name: &str) -> Result<String, Fault> {
    let bytes = read_head(feedback, name, MESSAGE)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The first bytes of a feedback file; `None` if it does not exist.
fn read_head(feedback: &Path, name: &str, max: u64) -> Result<Option<Vec<u8>>, Fault> {
    match files::read_beginning(&feedback.join(name), max) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::new(format!("read the output validator's {name}: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_sandbox::{FaultSource, Usage};
    use std::time::Duration;

    fn ran(exit: Exit, stderr: &str) -> RunResult {
        let captured = |text: &str| {
            let mut file = tempfile::tempfile().unwrap();
            std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
            CapturedOutput::new(file)
        };
        RunResult {
            exit,
            usage: Usage::default(),
            unseen: Duration::ZERO,
            stdout: captured(""),
            stderr: captured(stderr),
            notes: vec![],
        }
    }

    fn reply(exit: Exit, files: &[(&str, &str)]) -> Result<OutputCheck, Fault> {
        let dir = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, text)| std::fs::write(dir.path().join(name), text).unwrap());
        let limits = Limits {
            cpu: Duration::from_secs(2),
            wall: Duration::from_secs(5),
            memory: Bytes::mib(64),
            output: Bytes::mib(8),
            files: Bytes::mib(8),
            processes: 1,
        };
        read_validator_reply(&ran(exit, "oh dear\n"), &limits, dir.path())
    }

    #[test]
    fn only_42_and_43_are_a_validators_word() {
        assert!(reply(Exit::Code(42), &[]).unwrap().accepted);
        assert!(!reply(Exit::Code(43), &[]).unwrap().accepted);
        for (exit, what) in [
            (Exit::Code(0), "exited with 0 instead of 42 or 43: oh dear"),
            (Exit::Signal(11), "was killed by signal 11: oh dear"),
        ] {
            let fault = reply(exit, &[]).unwrap_err();
            assert_eq!(fault.what, format!("the output validator {what}"));
            assert_eq!(fault.source, FaultSource::TrustedProgram);
        }
    }

    #[test]
    fn a_validator_at_a_limit_is_reported_with_the_key_that_raises_it() {
        for (limit, max, key) in [
            (Limit::Cpu, "more than 2 s of CPU time", "validation_time"),
            (Limit::Wall, "within 5 s", "validation_time"),
            (Limit::Memory, "64 MiB", "validation_memory"),
            (Limit::Output, "8 MiB", "validation_output"),
            (Limit::Files, "8 MiB", "validation_output"),
        ] {
            let what = reply(Exit::Exceeded(limit), &[]).unwrap_err().what;
            assert!(what.contains(max) && what.contains(key) && what.ends_with(": oh dear"), "{what}");
        }
    }

    #[test]
    fn feedback_files_are_read_and_bounded() {
        let long = "é".repeat(1 << 20);
        let files =
            [("score.txt", "\n 12.5 \n"), ("judgemessage.txt", &long), ("teammessage.txt", "try again")];
        let checked = reply(Exit::Code(42), &files).unwrap();
        assert_eq!(checked.score, Some(Score::Points("12.5".parse().unwrap())));
        assert_eq!(checked.judge_message.len(), MESSAGE as usize);
        assert_eq!(checked.team_message, "try again");
        assert!(!checked.next_pass);
        let checked = reply(Exit::Code(43), &[("score_multiplier.txt", "0.25")]).unwrap();
        assert_eq!(
            checked.score,
            Some(Score::Multiplier("0.25".parse().unwrap())),
            "judged where groups are"
        );
        assert!(reply(Exit::Code(42), &[("nextpass.in", "")]).unwrap().next_pass);
    }

    #[test]
    fn feedback_that_breaks_the_rules_is_the_validators_fault_and_no_verdict() {
        for (code, files, what) in [
            (42, vec![("score.txt", "many")], "score.txt: `many` is not a decimal number"),
            (42, vec![("score.txt", "")], "score.txt"),
            (42, vec![("score.txt", "1 2")], "score.txt: `1 2`"),
            (42, vec![("score_multiplier.txt", "inf")], "score_multiplier.txt: `inf`"),
            (42, vec![("score.txt", "1"), ("score_multiplier.txt", "1")], "both score.txt and"),
            (43, vec![("nextpass.in", "1")], "nextpass.in and exited with 43"),
        ] {
            let fault = reply(Exit::Code(code), &files).unwrap_err();
            assert!(fault.what.contains(what), "{fault}");
            assert_eq!(fault.source, FaultSource::TrustedProgram, "{fault}");
        }
    }
}
