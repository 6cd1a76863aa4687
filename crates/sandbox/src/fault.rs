//! Failures of ours: never a verdict, never stored.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A failure of ours: never a verdict, never stored, always retried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The failure, with action and object.
    pub what: String,
    /// Whose failure it was.
    #[serde(default)]
    pub source: FaultSource,
}

/// The source of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultSource {
    /// This program or the machine.
    #[default]
    Machine,
    /// A trusted program that failed while it judged an untrusted one.
    TrustedProgram,
    /// Other programs that disturbed the measurement, or a machine that cannot measure exactly enough: the verdict is
    /// undecided. Waiting may help, an immediate retry does not.
    Undecided,
    /// Memory that may be files which were read for the program: the verdict is undecided. An immediate retry helps,
    /// because the files are cached then.
    UnclearMemory,
}

impl FaultSource {
    /// Whether the verdict is undecided.
    pub fn is_undecided(self) -> bool {
        matches!(self, FaultSource::Undecided | FaultSource::UnclearMemory)
    }
}

impl Fault {
    /// A fault with this text.
    pub fn new(what: impl Into<String>) -> Fault {
        Fault { what: what.into(), source: FaultSource::Machine }
    }

    /// The failure of a trusted program.
    pub fn of_trusted_program(what: impl Into<String>) -> Fault {
        Fault { what: what.into(), source: FaultSource::TrustedProgram }
    }

    /// A verdict that this measurement leaves undecided.
    pub fn undecided(measured: impl Into<String>) -> Fault {
        Fault { what: measured.into(), source: FaultSource::Undecided }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.source.is_undecided() {
            f.write_str("undecided: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}
