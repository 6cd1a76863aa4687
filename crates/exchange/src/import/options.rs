//! What the user decides about an import.

use super::testlib::Testlib;

/// What the user decides.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Where `testlib.h` may be.
    pub testlib: Testlib,
    /// Which tests are made by commands.
    pub regenerate: Regenerate,
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
