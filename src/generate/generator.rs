//! A generator's call, and how closely it is looked at: does it make the same
//! again, does its seed matter? Knows no case and no package.

use super::{
    command::Command,
    place::Files,
    programs::Built,
    recipe::{PICTURES, TEXTS},
};
use crate::{
    base::Bytes,
    sandbox::{Exit, Fault, Keep, Limit, Limits, Ran, Slot},
};
use std::{fs, path::PathBuf, time::Duration};

/// A generator and how it is called.
pub struct Call<'a> {
    /// The program.
    pub program: &'a Built,
    /// Arguments and seed.
    pub command: &'a Command,
}

/// The files of a call, and what is odd about them.
pub type Generated = (Files, Option<String>);

/// How closely a generator is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probe {
    /// It is believed.
    Trust,
    /// It is run again, and with other seeds.
    Doubt,
}

/// A generator, a solution, an input validator may take this long.
const PATIENCE: Duration = Duration::from_secs(60);
/// No file of a case is larger.
const LARGEST: Bytes = Bytes::mib(256);
pub const MEMORY: Bytes = Bytes::mib(2048);
/// With so many other seeds a generator that uses its seed makes something else.
const OTHER_SEEDS: u32 = 10;
/// Limits of generators, solutions and input validators.
pub const LIMITS: Limits = Limits {
    cpu: PATIENCE,
    wall: Duration::from_secs(2 * PATIENCE.as_secs()),
    memory: MEMORY,
    output: LARGEST,
    files: LARGEST,
    processes: 64,
};

/// Why a generator made nothing, and whether another seed may help.
struct Failure {
    what: String,
    again: bool,
}

impl Call<'_> {
    /// The files it writes, and what is odd about them; or what is wrong.
    pub fn make(
        &self,
        tries: u32,
        probe: Probe,
        slot: &mut Slot,
    ) -> Result<Result<Generated, String>, Fault> {
        let mut further = 0;
        let files = loop {
            match self.run(further, slot)? {
                Ok(files) => break files,
                Err(Failure { what, again }) if !again || further + 1 >= tries => return Ok(Err(what)),
                Err(_) => further += 1,
            }
        };
        match probe {
            Probe::Trust => Ok(Ok((files, None))),
            Probe::Doubt => self.doubt(files, further, slot),
        }
    }

    /// Runs it again, and with other seeds.
    fn doubt(&self, files: Files, further: u32, slot: &mut Slot) -> Result<Result<Generated, String>, Fault> {
        let shown = self.command.shown();
        match self.run(further, slot)? {
            Ok(again) if again == files => (),
            Ok(_) => return Ok(Err(format!("generator `{shown}` made other bytes when run again"))),
            Err(failure) => return Ok(Err(format!("when run again: {}", failure.what))),
        }
        let ignored = self.command.seed.is_some() && self.ignores_seed(&files, further, slot)?;
        let remark = || format!("`{}` makes the same whatever its seed", self.command.text.trim());
        Ok(Ok((files, ignored.then(remark))))
    }

    /// The files it writes; what it prints is the input unless it wrote that.
    fn run(&self, further: u32, slot: &mut Slot) -> Result<Result<Files, Failure>, Fault> {
        let name = self.command.shown();
        let fault = |e: std::io::Error| Fault::new(format!("take what `{name}` wrote: {e}"));
        let kept = tempfile::tempdir().map_err(fault)?;
        let mut exec = self.program.alone(&self.command.args(further), LIMITS);
        exec.keep = Keep::Below(PathBuf::new(), kept.path().to_owned());
        let ran = slot.run(&exec)?;
        if ran.exit != Exit::Code(0) {
            let again = !matches!(ran.exit, Exit::Exceeded(_));
            return Ok(Err(Failure { what: format!("generator `{name}` {}", told(&ran, &LIMITS)), again }));
        }
        let mut files = Files::new();
        for ext in TEXTS.iter().chain(&PICTURES) {
            let path = kept.path().join(format!("testcase.{ext}"));
            if path.is_file() {
                files.insert((*ext).to_owned(), fs::read(&path).map_err(fault)?);
            }
        }
        if !files.contains_key("in") {
            files.insert("in".into(), ran.stdout.bytes().map_err(fault)?);
        }
        if files["in"].is_empty() {
            let what = format!("generator `{name}` wrote nothing, neither to its output nor to testcase.in");
            return Ok(Err(Failure { what, again: false }));
        }
        Ok(Ok(files))
    }

    /// Whether other seeds make the same. A failure with another seed is a difference.
    fn ignores_seed(&self, files: &Files, further: u32, slot: &mut Slot) -> Result<bool, Fault> {
        for other in 1..=OTHER_SEEDS {
            match self.run(further + other, slot)? {
                Ok(made) if made.get("in") == files.get("in") => (),
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// How a run ended, and the first lines of what it said.
pub fn told(ran: &Ran, limits: &Limits) -> String {
    let end = match ran.exit {
        Exit::Code(code) => format!("exited with {code}"),
        Exit::Signal(signal) => format!("was killed by signal {signal}"),
        Exit::Exceeded(Limit::Cpu) => format!("used more than {} s of CPU time", limits.cpu.as_secs()),
        Exit::Exceeded(Limit::Wall) => format!("did not end within {} s", limits.wall.as_secs()),
        Exit::Exceeded(Limit::Memory) => format!("used more than {} of memory", limits.memory),
        Exit::Exceeded(Limit::Output | Limit::Files) => format!("wrote more than {}", limits.output),
        Exit::Exceeded(Limit::Processes) => format!("started more than {} processes", limits.processes),
    };
    let said = ran.stderr.head(600).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<_> = said.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(5).collect();
    if lines.is_empty() { end } else { format!("{end}: {}", lines.join(" | ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{Captured, Usage};
    use std::io::Write;

    fn ran(exit: Exit, said: &str) -> Ran {
        let captured = |text: &str| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            Captured(file)
        };
        Ran { exit, usage: Usage::default(), stdout: captured(""), stderr: captured(said), notes: Vec::new() }
    }

    #[test]
    fn how_a_run_ended_is_told_in_words_with_what_it_said() {
        let ends = [
            (Exit::Code(3), "exited with 3"),
            (Exit::Signal(11), "was killed by signal 11"),
            (Exit::Exceeded(Limit::Cpu), "used more than 60 s of CPU time"),
            (Exit::Exceeded(Limit::Wall), "did not end within 120 s"),
            (Exit::Exceeded(Limit::Memory), "used more than 2 GiB of memory"),
            (Exit::Exceeded(Limit::Output), "wrote more than 256 MiB"),
            (Exit::Exceeded(Limit::Files), "wrote more than 256 MiB"),
            (Exit::Exceeded(Limit::Processes), "started more than 64 processes"),
        ];
        for (exit, words) in ends {
            assert_eq!(told(&ran(exit, ""), &LIMITS), words);
            assert_eq!(told(&ran(exit, "oh\n\n dear \n"), &LIMITS), format!("{words}: oh |  dear"));
        }
    }
}
