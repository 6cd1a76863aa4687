//! Between the waves: the static validator on every program, for each group that wants it.
//! Before the trials, so that a group it loses is not run.

use super::{Event, Graded, Grading, Tell, owner};
use crate::{
    exec::{Executor, Work},
    plan::{Build, Job, Key, Outcome, StaticTask, Task},
    sandbox::Fault,
};
use anyhow::Result;
use std::{collections::BTreeMap, collections::HashMap, sync::atomic::Ordering};

struct Statics<'a, 'b> {
    grading: &'a Grading<'a>,
    todo: std::vec::IntoIter<(usize, usize)>,
    places: HashMap<Key, (usize, usize)>,
    tell: &'a mut Tell<'b>,
    graded: &'a mut Graded,
}

pub(super) fn wave(
    grading: &Grading,
    executor: &dyn Executor,
    tell: &mut Tell,
    graded: &mut Graded,
) -> Result<()> {
    let plan = grading.plan;
    graded.statics = vec![BTreeMap::new(); plan.programs.len()];
    let mut todo = Vec::new();
    for program in 0..plan.programs.len() {
        if !matches!(graded.builds[program], Some(Build::Program { .. })) {
            continue;
        }
        for (index, case) in plan.setting.statics.iter().enumerate() {
            match grading.store.get(&plan.static_key(program, index))? {
                Some(Outcome::Trial(known)) => {
                    graded.reused += 1;
                    graded.statics[program].insert(case.group.clone(), known);
                }
                Some(Outcome::Build(_)) | None => todo.push((program, index)),
            }
        }
    }
    if todo.is_empty() {
        return Ok(());
    }
    let known = graded.statics.iter().map(BTreeMap::len).sum();
    tell(Event::Wave { what: "static validation", jobs: todo.len(), known });
    let todo = todo.into_iter();
    executor.run(&mut Statics { grading, todo, places: HashMap::new(), tell, graded })
}

impl Work for Statics<'_, '_> {
    fn next(&mut self, _warm: Option<&Key>) -> Option<Job> {
        if self.grading.stop.load(Ordering::Relaxed) {
            return None;
        }
        let (program, index) = self.todo.next()?;
        let plan = self.grading.plan;
        let Some(Build::Program { blob, entry, .. }) = &self.graded.builds[program] else {
            unreachable!("only built programs are to be validated")
        };
        let key = plan.static_key(program, index);
        self.places.insert(key, (program, index));
        let task = StaticTask {
            program: plan.programs[program].clone(),
            blob: *blob,
            entry: entry.clone(),
            case: plan.setting.statics[index].clone(),
        };
        Some(Job { key, task: Task::Static(task) })
    }

    fn done(&mut self, job: Job, result: Result<Outcome, Fault>) -> Result<()> {
        let (program, index) = self.places.remove(&job.key).expect("a job that was taken has its place");
        let plan = self.grading.plan;
        let (name, group) = (owner(plan, program), &plan.setting.statics[index].group);
        match result {
            Ok(outcome) => {
                self.grading.store.put(&job.key, &outcome)?;
                let Outcome::Trial(trial) = outcome else { unreachable!("a validation is told as a trial") };
                (self.tell)(Event::Tried { name, verdict: trial.verdict });
                self.graded.statics[program].insert(group.clone(), trial);
                self.graded.done += 1;
            }
            Err(fault) => {
                (self.tell)(Event::Failed(&fault));
                self.graded.faults.push((format!("{name} in {group}"), fault));
            }
        }
        Ok(())
    }
}
