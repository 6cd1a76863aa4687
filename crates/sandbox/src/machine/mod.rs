//! The isolation that this machine supports, determined by trying, and its weak points.

pub(super) mod machine_check;
pub(super) mod modes;
pub(super) mod outer_limits;
mod profile;
pub(super) mod program_ids;
mod remedies;
