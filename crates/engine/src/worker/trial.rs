//! Runs one program on one case and checks its output; what a trial is made of.

use super::{
    job_worker::Worker,
    output_validators::check_by_programs,
    passes::{JudgedInPass, Pass, PassDirs, directory, run_passes},
};
use crate::{
    base::{Bytes, ScratchDir},
    check::{self, program::output_of},
    language::{Language, LanguageTable},
    package::Format,
    plan::{CaseFiles, Checker, Trial, TrialMode, TrialTask},
    sandbox::{BoxFile, CapturedOutput, Exec, Exit, Fault, Input, Keep, RunResult},
    verdict::Verdict,
};
use std::{
    fs::File,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Looks at every pass of a trial when it is over; may use the judge's slot.
pub(super) type OnPass<'a> = dyn FnMut(&mut Worker, &PassDirs, &Pass) -> Result<(), Fault> + 'a;

/// The most that is kept of standard error, half of it from the beginning.
const LONGEST_STDERR: usize = 2 << 10;
/// Of standard error, where a runtime's last words are looked for.
const STDERR_SEARCHED: usize = 64 << 10;

impl Worker<'_> {
    /// All passes of a trial.
    pub(super) fn run_trial(&mut self, task: &TrialTask, on_pass: &mut OnPass) -> Result<Trial, Fault> {
        let most = match task.setting.mode {
            TrialMode::HandedIn => 1,
            TrialMode::Alone { passes } | TrialMode::Talk { passes } => passes,
        };
        let input = self.path_of(&task.case.input)?;
        let mut is_first = true;
        run_passes(&task.case.name, input, most, |dirs| {
            if !std::mem::take(&mut is_first) {
                self.slots.submission.renew_worker();
            }
            let pass = match task.setting.mode {
                TrialMode::HandedIn => self.check_handed_in(task, dirs)?,
                TrialMode::Alone { .. } => self.run_alone(task, dirs)?,
                TrialMode::Talk { .. } => self.run_conversation(task, dirs)?,
            };
            on_pass(self, dirs, &pass)?;
            Ok(pass)
        })
    }

    /// One pass: the program runs, then its output is checked.
    fn run_alone(&mut self, task: &TrialTask, dirs: &PassDirs) -> Result<Pass, Fault> {
        let kept = task.setting.named_files.as_ref().map(|_| directory()).transpose()?;
        let kept = kept.as_ref().map(ScratchDir::path);
        let mut exec = self.submission_exec(task, dirs.input, kept)?;
        self.hide_store(&mut exec, &task.program)?;
        let start = Instant::now();
        let ran = self.slots.submission.run(&exec);
        let end = ran.as_ref().ok().map(|ran| ran.exit);
        self.machine.extensions.note(&task.program.blob, exec.limits.wall, start.elapsed(), end);
        let ran = ran?;
        let mut trial = judge_exit(&ran, task)?;
        let output = output(task, ran.stdout, kept)?;
        if trial.verdict != Verdict::Accepted {
            let printed = output.map_or(JudgedInPass::Nothing, JudgedInPass::Unjudged);
            return Ok(Pass { trial, again: false, judged: printed });
        }
        // A program that forgot its file is wrong, not our fault.
        let Some(output) = output else {
            trial.verdict = Verdict::WrongAnswer;
            trial.notes.push("the output file was not written".into());
            return Ok(Pass { trial, again: false, judged: JudgedInPass::Nothing });
        };
        let again = self.check_output(task, dirs, &output, &mut trial)?;
        Ok(Pass { trial, again, judged: JudgedInPass::Output(output) })
    }

    /// The run of the submission: what it may see, and its input.
    pub(super) fn submission_exec(
        &self,
        task: &TrialTask,
        input: &Path,
        kept: Option<&Path>,
    ) -> Result<Exec, Fault> {
        let (setting, case) = (&task.setting, &task.case);
        let writable = setting.writable || setting.named_files.is_some();
        let mut exec = if writable || case.files.is_some() {
            let mut exec = self.exec_at_home(&task.program, &case.args)?;
            exec.view.writable = writable || task.program.build.language.scratch;
            exec
        } else {
            self.exec_of(&task.program, &case.args)?
        };
        exec.extension = Some(self.machine.extensions.left(&task.program.blob, exec.limits.wall));
        exec.files.extend(self.placed_tree(case.files.as_ref())?);
        match (&setting.named_files, kept) {
            (Some(names), Some(kept)) => {
                exec.files.push(BoxFile::File(PathBuf::from(&names.input), input.to_owned()));
                exec.keep = Keep::Below(PathBuf::new(), kept.to_owned());
            }
            _ => exec.stdin = Input::Path(input.to_owned()),
        }
        Ok(exec)
    }

    /// Checks an output; whether the validator asks for another pass.
    pub(super) fn check_output(
        &mut self,
        task: &TrialTask,
        dirs: &PassDirs,
        output: &CapturedOutput,
        trial: &mut Trial,
    ) -> Result<bool, Fault> {
        let checked = match &*task.setting.checker {
            Checker::Default(format) => self.check_by_tokens(&task.case, output.file(), *format)?,
            Checker::Programs { .. } => {
                check_by_programs(self, &task.setting.checker, &task.case, dirs, || output_of(output))?
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
pub(super) fn judge_exit(ran: &RunResult, task: &TrialTask) -> Result<Trial, Fault> {
    let limit = task.setting.limits.cpu;
    check_unseen(ran, limit)?;
    let over = ran.usage.cpu > limit;
    let verdict = match Verdict::of_exit(&ran.exit) {
        // First: the program is stopped a tenth above the limit, so one in between ends by itself.
        _ if over => Verdict::TimeLimit,
        Some(Verdict::RunTimeError) if ran_out_of_memory(ran, task)? => Verdict::MemoryLimit,
        Some(verdict) => verdict,
        None => Verdict::Accepted,
    };
    let output = ran.stdout.size().map_err(|e| Fault::new(format!("read the output: {e}")))?;
    let (mut notes, stderr) = (ran.notes.clone(), stderr_ends(&ran.stderr)?);
    notes.extend(idle_hint(verdict, task.setting.mode, &task.program.build.language));
    Ok(Trial { usage: ran.usage, output, notes, stderr, ..Trial::ended(verdict, ran.exit) })
}

/// A hint for a program that idles. In a conversation it most likely waits for an answer.
fn idle_hint(verdict: Verdict, mode: TrialMode, language: &Language) -> Option<String> {
    let may_be_stuck = verdict == Verdict::IdleLimit && matches!(mode, TrialMode::Alone { .. });
    let hint = "stuck without using CPU; memory may be overwritten: --debug shows";
    (may_be_stuck && LanguageTable::may_overwrite_memory(language)).then(|| hint.into())
}

/// Fails if unseen CPU time may put a run above the limit. A run that was stopped at a limit keeps that verdict.
fn check_unseen(ran: &RunResult, limit: Duration) -> Result<(), Fault> {
    let (cpu, most) = (ran.usage.cpu, ran.usage.cpu + ran.unseen);
    if matches!(ran.exit, Exit::Exceeded(_)) || cpu > limit || most <= limit {
        return Ok(());
    }
    Err(Fault::disturbed(format!(
        "undecided: {:.2} s of CPU time, up to {:.2} s with child processes that ended, at a limit of {} s; only a \
         cgroup counts these: `kopek doctor` says how to get one",
        cpu.as_secs_f64(),
        most.as_secs_f64(),
        limit.as_secs_f64()
    )))
}

/// Whether the language's runtime says that its memory was used up.
fn ran_out_of_memory(ran: &RunResult, task: &TrialTask) -> Result<bool, Fault> {
    let errors =
        ran.stderr.head(STDERR_SEARCHED).map_err(|e| Fault::new(format!("read standard error: {e}")))?;
    Ok(matches!(ran.exit, Exit::Code(_)) && task.program.build.language.ran_out_of_memory(&errors))
}

/// The whole of standard error if it is short; else its beginning and its end, by whole lines.
fn stderr_ends(errors: &CapturedOutput) -> Result<String, Fault> {
    let fault = |e| Fault::new(format!("read standard error: {e}"));
    let size = errors.size().map_err(fault)?.0;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if size <= LONGEST_STDERR as u64 {
        return Ok(text(errors.head(LONGEST_STDERR).map_err(fault)?));
    }
    let first = text(errors.head(LONGEST_STDERR / 2).map_err(fault)?);
    let last = text(errors.tail(LONGEST_STDERR / 2).map_err(fault)?);
    // A cut line would pass for one that the program wrote; only a line longer than all that is kept is cut.
    let first = first.rsplit_once('\n').map_or(&*first, |(whole, _)| whole);
    let last = last.split_once('\n').map_or(&*last, |(_, whole)| whole);
    let left_out = size.saturating_sub((first.len() + last.len()) as u64);
    Ok(format!("{first}\n… {} left out …\n{last}", Bytes(left_out)))
}

/// Standard output, or the named file; `None`: the file was not written.
fn output(
    task: &TrialTask,
    stdout: CapturedOutput,
    kept: Option<&Path>,
) -> Result<Option<CapturedOutput>, Fault> {
    let Some((names, kept)) = task.setting.named_files.as_ref().zip(kept) else {
        return Ok(Some(stdout));
    };
    match File::open(kept.join(&names.output)) {
        Ok(file) => Ok(Some(CapturedOutput::new(file))),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Fault::new(format!("read {}: {e}", names.output))),
    }
}

/// What the case's arguments mean to the default validator.
pub(super) fn checker_options(
    case: &CaseFiles,
    format: Format,
) -> Result<check::CompareOptions, check::BadOption> {
    match format {
        Format::V2025_09 => check::CompareOptions::parse(&case.output_validator_args),
        Format::Legacy => check::CompareOptions::parse_legacy(&case.output_validator_args),
    }
}

impl Worker<'_> {
    /// The default validator of the format, in this process.
    fn check_by_tokens(
        &self,
        case: &CaseFiles,
        output: &File,
        format: Format,
    ) -> Result<check::OutputCheck, Fault> {
        let options = checker_options(case, format)
            .map_err(|e| Fault::new(format!("output_validator_args of {}: {e}", case.name)))?;
        Ok(check::OutputCheck::compared(self.difference(case, output, &options)?))
    }

    /// The first difference between a case's answer and an output.
    pub(super) fn difference(
        &self,
        case: &CaseFiles,
        output: &File,
        options: &check::CompareOptions,
    ) -> Result<Option<check::Difference>, Fault> {
        let answer = self.path_of(&case.answer)?;
        check::compare_files(&answer, output, options)
            .map_err(|e| Fault::new(format!("compare with the answer of {}: {e}", case.name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stuck_program_in_a_language_with_sanitizers_gets_a_hint() {
        let (usual, table) = (LanguageTable::embedded(), LanguageTable::embedded().for_debugging().unwrap());
        let has_hint = |verdict, mode, table: &LanguageTable, code| {
            idle_hint(verdict, mode, table.get(code).unwrap()).is_some()
        };
        let (alone, talk) = (TrialMode::Alone { passes: 1 }, TrialMode::Talk { passes: 1 });
        assert!(has_hint(Verdict::IdleLimit, alone, &usual, "c"));
        assert!(has_hint(Verdict::IdleLimit, alone, &usual, "cpp"));
        assert!(!has_hint(Verdict::IdleLimit, alone, &usual, "java"), "it checks every access");
        assert!(!has_hint(Verdict::IdleLimit, alone, &table, "c"), "this build has the sanitizers");
        assert!(!has_hint(Verdict::IdleLimit, talk, &usual, "c"), "it waits for an answer");
        assert!(!has_hint(Verdict::TimeLimit, alone, &usual, "c"), "it computes");
    }
}
