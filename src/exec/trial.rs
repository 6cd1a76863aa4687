//! Runs one program on one case and checks its output; what a trial is made of.

use super::{
    fairness::settle,
    passes::{Given, Pass, Round, directory, passes},
    validate::by_programs,
};
use crate::{
    base::Digest,
    check, language,
    package::Format,
    plan::{Checker, Course, Trial, TrialTask},
    sandbox::{Captured, Exec, Exit, Fault, Input, Keep, Limits, Placed, Ran, Slot},
    store::Store,
    verdict::Verdict,
};
use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::RwLock,
};
use tempfile::TempDir;

/// Where one trial at a time happens.
pub struct Stage<'a> {
    /// Runs submissions.
    pub slot: Slot,
    /// Runs validators, so that the submission's warm worker stays.
    pub judge: Slot,
    /// Built programs.
    pub store: &'a Store,
    /// Held shared by every run, alone by one that must not be disturbed.
    pub quiet: &'a RwLock<()>,
}

/// Sees every pass of a trial.
pub type Seen<'a> = dyn FnMut(&mut Slot, &Round, &Pass) -> Result<(), Fault> + 'a;

/// The most that is kept of standard error.
const STDERR: usize = 2 << 10;
/// Of standard error, where a runtime's last words are looked for.
const SEARCHED: usize = 64 << 10;

impl Stage<'_> {
    /// Tries a program on a case; near the time limit again, alone.
    pub fn trial(&mut self, task: &TrialTask) -> Result<Trial, Fault> {
        let quiet = self.quiet;
        let first = {
            let _shared = quiet.read().unwrap_or_else(|poisoned| poisoned.into_inner());
            self.once(task)?
        };
        settle((task.setting.limits.cpu, task.setting.doubt), first, || {
            let _alone = quiet.write().unwrap_or_else(|poisoned| poisoned.into_inner());
            self.once(task)
        })
    }

    fn once(&mut self, task: &TrialTask) -> Result<Trial, Fault> {
        let mut trial = self.course(task, &mut |_, _, _| Ok(()))?;
        if trial.verdict == Verdict::Accepted {
            trial.transcript.clear();
        }
        Ok(trial)
    }

    /// All passes; `seen` is shown each when it is over, and may use the validators' place.
    pub(super) fn course(&mut self, task: &TrialTask, seen: &mut Seen) -> Result<Trial, Fault> {
        let most = match task.setting.course {
            Course::HandedIn => 1,
            Course::Alone { passes } | Course::Talk { passes } => passes,
        };
        passes(task, most, |round| {
            let pass = match task.setting.course {
                Course::HandedIn => self.handed_in(task, round)?,
                Course::Alone { .. } => self.alone(task, round)?,
                Course::Talk { .. } => self.talk(task, round)?,
            };
            seen(&mut self.judge, round, &pass)?;
            Ok(pass)
        })
    }

    /// One pass: the program runs, then its output is checked.
    fn alone(&mut self, task: &TrialTask, round: &Round) -> Result<Pass, Fault> {
        let kept = match task.setting.named_files {
            Some(_) => Some(directory()?),
            None => None,
        };
        let kept = kept.as_ref().map(TempDir::path);
        let ran = self.slot.run(&self.exec(task, round.input, kept)?)?;
        let mut trial = told(&ran, task)?;
        if trial.verdict != Verdict::Accepted {
            return Ok(Pass { trial, again: false, given: Given::Nothing });
        }
        let Some(output) = output(task, &ran, kept)? else {
            trial.verdict = Verdict::WrongAnswer;
            trial.notes.push("the output file was not written".into());
            return Ok(Pass { trial, again: false, given: Given::Nothing });
        };
        let again = self.check(task, round, &output, &mut trial)?;
        Ok(Pass { trial, again, given: Given::Output(output) })
    }

    /// Where the built program lies.
    pub(super) fn built(&self, task: &TrialTask) -> Result<PathBuf, Fault> {
        self.tree(&task.blob)
    }

    /// Where a blob lies.
    pub(super) fn tree(&self, blob: &Digest) -> Result<PathBuf, Fault> {
        let built = self.store.tree(blob).map_err(|e| Fault::new(format!("{e:#}")))?;
        let short = blob.short();
        built.ok_or_else(|| {
            Fault::new(format!("blob {short} is gone from the store; run again to build it anew"))
        })
    }

    /// The run: the program, what it may see, its input.
    pub(super) fn exec(&self, task: &TrialTask, input: &Path, kept: Option<&Path>) -> Result<Exec, Fault> {
        let built = self.built(task)?;
        let (setting, case) = (&task.setting, &task.case);
        let limits = Limits { cpu: setting.stop, ..setting.limits };
        let program = &task.program;
        let mut exec =
            language::run(&program.language, &program.toolchain, &task.entry, &built, &case.args, limits);
        if setting.writable || case.files.is_some() || setting.named_files.is_some() {
            exec = language::writing(exec, &built);
            exec.view.writable = setting.writable || setting.named_files.is_some();
        }
        exec.files.extend(case.files.iter().map(|files| Placed::Tree(PathBuf::new(), files.clone())));
        match (&setting.named_files, kept) {
            (Some(names), Some(kept)) => {
                exec.files.push(Placed::File(PathBuf::from(&names.input), input.to_owned()));
                exec.keep = Keep::Below(PathBuf::new(), kept.to_owned());
            }
            _ => exec.stdin = Input::Path(input.to_owned()),
        }
        Ok(exec)
    }

    /// Checks an output; whether the validator asks for another pass.
    pub(super) fn check(
        &mut self,
        task: &TrialTask,
        round: &Round,
        output: &Captured,
        trial: &mut Trial,
    ) -> Result<bool, Fault> {
        let checked = match &task.setting.checker {
            Checker::Default(format) => by_tokens(task, output, *format)?,
            Checker::Programs { programs, scores } => {
                by_programs(&mut self.judge, task, round, output, (programs, *scores))?
            }
        };
        if !checked.accepted {
            trial.verdict = Verdict::WrongAnswer;
        }
        trial.score = checked.score;
        trial.difference = checked.difference;
        trial.judge_message = checked.judge_message;
        trial.team_message = checked.team_message;
        Ok(checked.next_pass)
    }
}

/// What the way of ending says; accepted so far if it ended well within its limits.
pub(super) fn told(ran: &Ran, task: &TrialTask) -> Result<Trial, Fault> {
    let over = ran.usage.cpu > task.setting.limits.cpu;
    let verdict = match Verdict::of_exit(&ran.exit) {
        _ if over => Verdict::TimeLimit,
        Some(Verdict::RunTimeError) if gave_up(ran, task)? => Verdict::MemoryLimit,
        Some(verdict) => verdict,
        None => Verdict::Accepted,
    };
    let output = ran.stdout.size().map_err(|e| Fault::new(format!("read the output: {e}")))?;
    Ok(Trial { usage: ran.usage, output, notes: notes(ran)?, ..Trial::ended(verdict, ran.exit) })
}

/// Whether the language's runtime says that its memory was used up.
fn gave_up(ran: &Ran, task: &TrialTask) -> Result<bool, Fault> {
    let said = ran.stderr.head(SEARCHED).map_err(|e| Fault::new(format!("read standard error: {e}")))?;
    Ok(matches!(ran.exit, Exit::Code(_)) && task.program.language.ran_out_of_memory(&said))
}

fn notes(ran: &Ran) -> Result<Vec<String>, Fault> {
    let mut notes = ran.notes.clone();
    let said = ran.stderr.tail(STDERR).map_err(|e| Fault::new(format!("read standard error: {e}")))?;
    if ran.exit != Exit::Code(0) && !said.is_empty() {
        notes.push(format!("standard error: {}", String::from_utf8_lossy(&said).trim_end()));
    }
    Ok(notes)
}

/// Standard output, or the named file; `None`: the file was not written.
fn output(task: &TrialTask, ran: &Ran, kept: Option<&Path>) -> Result<Option<Captured>, Fault> {
    let Some((names, kept)) = task.setting.named_files.as_ref().zip(kept) else {
        let file = ran.stdout.0.try_clone().map_err(|e| Fault::new(format!("read the output: {e}")))?;
        return Ok(Some(Captured(file)));
    };
    match File::open(kept.join(&names.output)) {
        Ok(file) => Ok(Some(Captured(file))),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Fault::new(format!("read {}: {e}", names.output))),
    }
}

fn by_tokens(task: &TrialTask, output: &Captured, format: Format) -> Result<check::Checked, Fault> {
    let case = &task.case;
    let options = match format {
        Format::V2025_09 => check::Options::parse(&case.output_validator_args),
        Format::Legacy => check::Options::parse_legacy(&case.output_validator_args),
    };
    let options = options.map_err(|e| Fault::new(format!("output_validator_args of {}: {e}", case.name)))?;
    let difference = check::compare_files(&case.answer, &output.0, &options)
        .map_err(|e| Fault::new(format!("compare with {}: {e}", case.answer.display())))?;
    Ok(check::Checked::compared(difference))
}
