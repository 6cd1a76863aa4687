//! What the static validator says of a program's files: it is shown them, and
//! told the language and the entry point; nothing of the submission runs.

use super::{passes::directory, trial::Stage};
use crate::{
    check::program::{FEEDBACK, verdict},
    plan::{StaticTask, Trial},
    sandbox::{Exit, Fault, Keep, Placed, Shown},
    verdict::Verdict,
};
use std::path::PathBuf;

/// Inside path of the submission's files.
const FILES: &str = "/submission";

impl Stage<'_> {
    /// Asks the static validator.
    pub fn validate_files(&mut self, task: &StaticTask) -> Result<Trial, Fault> {
        let (host, feedback) = (self.tree(&task.blob)?, directory()?);
        let mut exec = task.case.validator.exec.clone();
        exec.argv.extend([task.program.language.code.clone(), task.entry.clone(), FEEDBACK.to_owned()]);
        exec.argv.extend(task.case.args.iter().cloned());
        exec.view.shown.push(Shown { host, inside: FILES.into() });
        exec.view.writable = true;
        exec.cwd = FILES.to_owned();
        exec.files.push(Placed::Dir(PathBuf::from("feedback")));
        exec.keep = Keep::Below(PathBuf::from("feedback"), feedback.path().to_owned());
        let ran = self.judge.run(&exec)?;
        let checked = verdict(&ran, feedback.path()).map_err(|fault| {
            Fault::new(format!("static validation: {}", fault.what.replace("the output", "the static")))
        })?;
        if checked.next_pass {
            return Err(Fault::new("static validation: the static validator wrote nextpass.in"));
        }
        let verdict = if checked.accepted { Verdict::Accepted } else { Verdict::WrongAnswer };
        Ok(Trial {
            score: checked.score,
            judge_message: checked.judge_message,
            team_message: checked.team_message,
            ..Trial::ended(verdict, Exit::Code(0))
        })
    }
}
