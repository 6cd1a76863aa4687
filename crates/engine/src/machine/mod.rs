//! This machine: the resources for planning and doing jobs. Plans builds; does no jobs.
//!
//! ```text
//! sources, scripts, document ──plan_build──► BuildTask       read once, language found, laid out, held by the store
//! ```

mod answer_files;
mod answers_row;
mod document;
mod least_times;
mod package_files;
mod resources;
mod scripts;
mod sources;
mod task_toolchain;
mod wall_extensions;

pub(crate) use answer_files::file_for_case;
pub use answers_row::no_toolchain;
#[cfg(test)]
pub(crate) use answers_row::row_of_answers;
pub use document::{draws_svg, missing_pandoc, missing_tex, plan_document, plan_markdown};
pub use least_times::LeastTimes;
pub use package_files::{read_package, remember_files};
pub use resources::{Machine, MachineKind, SlotOpener, available_cpus, machine_class};
pub use sources::{
    BuildRules, DeclaredSource, SourceRole, TOOL_BUILD_LIMITS, missing_tool, plan_answers, plan_build,
    plan_submission,
};
pub(crate) use task_toolchain::toolchain_of_task;
pub(crate) use wall_extensions::WallTime;
