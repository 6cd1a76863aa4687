//! Why a machine cannot do a job from another machine.

use super::{resources::Machine, task_toolchain::toolchain_of_task};
use crate::plan::Job;

/// Why a machine must not do a job: it is of another kind than the plan requires, or lacks a toolchain.
pub fn refusal_of(machine: &Machine, job: &Job) -> Option<String> {
    let needs = job.task.needs();
    let of_settings = needs.settings.iter().map(|setting| (&setting.isolation, Some(&setting.machine)));
    let planned_for = needs.builds.iter().map(|build| (&build.isolation, None)).chain(of_settings);
    for (isolation, class) in planned_for {
        if *isolation != machine.kind.isolation {
            return Some(format!(
                "isolation is {} there, and {isolation} was asked for",
                machine.kind.isolation
            ));
        }
        if class.is_some_and(|class| *class != machine.kind.class) {
            return Some(format!("it is another kind of machine: {}", machine.kind.class));
        }
    }
    needs.builds.iter().find_map(|build| toolchain_of_task(machine, build).err()).map(|fault| fault.what)
}
