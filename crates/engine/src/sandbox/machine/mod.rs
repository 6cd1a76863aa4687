//! What this machine offers, found by trying, and what it lacks.

pub(super) mod machine_check;
pub(super) mod modes;
pub(super) mod outer_limits;
pub(super) mod profile;
pub(super) mod program_ids;
pub(super) mod remedies;
