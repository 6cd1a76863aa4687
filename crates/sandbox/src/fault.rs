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
    /// Other programs that disturbed the measurement. Waiting helps, an immediate retry does not.
    Disturbance,
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

    /// A fault because other programs disturbed the measurement.
    pub fn disturbed(what: impl Into<String>) -> Fault {
        Fault { what: what.into(), source: FaultSource::Disturbance }
    }

    /// A fault for a time above the limit that the machine's noise may explain.
    pub fn undecided(measured: &str) -> Fault {
        Fault::disturbed(format!("undecided: {measured}"))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}
