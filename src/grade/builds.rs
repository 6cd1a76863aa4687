//! Wave one: every distinct program is built once.

use super::{Event, Graded, Grading, Tell, owner};
use crate::{
    exec::{Executor, Work},
    plan::{Build, Job, Key, Outcome},
    sandbox::Fault,
};
use anyhow::Result;
use std::{collections::HashMap, sync::atomic::Ordering};

struct Builds<'a, 'b> {
    grading: &'a Grading<'a>,
    todo: std::vec::IntoIter<usize>,
    program: HashMap<Key, usize>,
    tell: &'a mut Tell<'b>,
    graded: &'a mut Graded,
}

pub(super) fn wave(
    grading: &Grading,
    executor: &dyn Executor,
    tell: &mut Tell,
    graded: &mut Graded,
) -> Result<()> {
    let programs = &grading.plan.programs;
    let keys: Vec<Key> = programs.iter().map(|program| program.key()).collect();
    graded.builds = known(grading, &keys)?;
    let todo: Vec<usize> = (0..programs.len()).filter(|&i| graded.builds[i].is_none()).collect();
    let reused = programs.len() - todo.len();
    graded.reused += reused;
    tell(Event::Wave { what: "build", jobs: todo.len(), known: reused });
    let program = keys.into_iter().enumerate().map(|(index, key)| (key, index)).collect();
    executor.run(&mut Builds { grading, todo: todo.into_iter(), program, tell, graded })
}

/// Facts of earlier runs. A program whose blob is gone is built again.
fn known(grading: &Grading, keys: &[Key]) -> Result<Vec<Option<Build>>> {
    let facts = grading.store.get_many(keys)?;
    let build = |fact: Option<Outcome>| match fact {
        Some(Outcome::Build(build @ Build::Refused { .. })) => Ok(Some(build)),
        Some(Outcome::Build(Build::Program { blob, entry, message })) => {
            Ok(grading.store.has(&blob).then_some(Build::Program { blob, entry, message }))
        }
        Some(Outcome::Trial(_)) | None => Ok(None),
    };
    facts.into_iter().map(build).collect()
}

impl Work for Builds<'_, '_> {
    fn next(&mut self, _warm: Option<&Key>) -> Option<Job> {
        if self.grading.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.todo.next().map(|program| self.grading.plan.build_job(program))
    }

    fn done(&mut self, job: Job, result: Result<Outcome, Fault>) -> Result<()> {
        let program = self.program[&job.key];
        let name = owner(self.grading.plan, program);
        match result {
            Ok(outcome) => {
                self.grading.store.put(&job.key, &outcome)?;
                let Outcome::Build(build) = outcome else { unreachable!("a build job has a build outcome") };
                (self.tell)(Event::Built { name, refused: matches!(build, Build::Refused { .. }) });
                self.graded.builds[program] = Some(build);
                self.graded.done += 1;
            }
            Err(fault) => {
                (self.tell)(Event::Failed(&fault));
                self.graded.faults.push((format!("build of {name}"), fault));
            }
        }
        Ok(())
    }
}
