//! Chapter: hand-ins: who handed in what, and which file is run.

mod appeals;
mod course;
mod decided_cases;
mod first_look;
mod going_back;
pub mod graded;
mod in_memory;
mod private;
mod regrading;
mod shards;
mod slurm;
mod specimens;
