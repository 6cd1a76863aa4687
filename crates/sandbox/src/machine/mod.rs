//! What this machine offers, found by trying, and what it lacks.

pub(super) mod machine_check;
pub(super) mod modes;
pub(super) mod outer_limits;
mod profile;
pub(super) mod program_ids;
mod remedies;
