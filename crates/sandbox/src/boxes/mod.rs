//! The box, the only directory that a program can write to: filling, watching, copying out, emptying.

pub(super) mod box_dir;
pub(super) mod box_fill;
pub(super) mod box_walk;
pub(super) mod box_watch;
pub(super) mod built_programs;
pub(super) mod host_boxes;
