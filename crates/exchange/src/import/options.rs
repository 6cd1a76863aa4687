//! Options of an import.

use super::testlib::Testlib;
use std::time::Duration;

/// Options of an import.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// The places of `testlib.h`.
    pub testlib: Testlib,
    /// The tests to make by commands.
    pub regenerate: Regenerate,
    /// Points of a folder of tests.
    pub scoring: TestScoring,
    /// Time limit for a folder of tests.
    pub time_limit: Option<Duration>,
}

/// Points of a folder of tests, which the files do not hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TestScoring {
    /// Right or wrong as a whole.
    #[default]
    None,
    /// Groups share 100 points.
    EqualShares,
    /// Points of each group, in order.
    Points(Vec<u64>),
}

/// The tests with a command that are made by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Regenerate {
    /// Those without files.
    #[default]
    Missing,
    /// All of them.
    All,
}
