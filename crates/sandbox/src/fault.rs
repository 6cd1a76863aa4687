//! What *we* fail at: never a verdict, never stored.

use serde::{Deserialize, Serialize};
use std::fmt;

/// *We* failed: never a verdict, never stored, tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What failed, naming the act and the thing.
    pub what: String,
    /// Whose failure it was.
    #[serde(default)]
    pub source: FaultSource,
}

/// Whose failure a fault was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultSource {
    /// This program's, or the machine's.
    #[default]
    Machine,
    /// Of a trusted program that was asked about what an untrusted one did, and stumbled over it.
    TrustedProgram,
    /// Of whatever else ran: it disturbed the measuring. To wait helps, not to try again at once.
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

    /// Others disturbed the measuring.
    pub fn disturbed(what: impl Into<String>) -> Fault {
        Fault { what: what.into(), source: FaultSource::Disturbance }
    }

    /// A time above the limit that the machine's noise may explain.
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
