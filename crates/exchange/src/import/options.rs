//! What the user decides about an import.

use super::testlib::Testlib;
use std::time::Duration;

/// What the user decides.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Where `testlib.h` may be.
    pub testlib: Testlib,
    /// Which tests are made by commands.
    pub regenerate: Regenerate,
    /// What tests of a folder are worth.
    pub scoring: TestScoring,
    /// Time limit of a folder of tests, which has none.
    pub time_limit: Option<Duration>,
}

/// What tests of a folder are worth: files do not say it.
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

/// Which of the tests that have a command are made by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Regenerate {
    /// Those whose files are not there.
    #[default]
    Missing,
    /// All of them.
    All,
}
