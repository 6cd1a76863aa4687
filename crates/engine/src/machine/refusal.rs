//! Why a machine cannot do a job that was planned elsewhere.

use super::resources::Machine;
use crate::plan::Job;

impl Machine {
    /// Why this machine must not do a job: it is of another kind than was planned for, or lacks a toolchain.
    pub fn refusal(&self, job: &Job) -> Option<String> {
        let needs = job.task.needs();
        let of_settings = needs.settings.iter().map(|setting| (&setting.isolation, Some(&setting.machine)));
        let planned_for = needs.builds.iter().map(|build| (&build.isolation, None)).chain(of_settings);
        for (isolation, class) in planned_for {
            if *isolation != self.kind.isolation {
                return Some(format!(
                    "isolation is {} there, and {isolation} was asked for",
                    self.kind.isolation
                ));
            }
            if class.is_some_and(|class| *class != self.kind.class) {
                return Some(format!("it is another kind of machine: {}", self.kind.class));
            }
        }
        needs.builds.iter().find_map(|build| self.toolchain_of(build).err()).map(|fault| fault.what)
    }
}
