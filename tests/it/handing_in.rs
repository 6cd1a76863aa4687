//! Chapter: hand-ins: who handed in what, and which file is run.

mod graded;
mod specimens;
