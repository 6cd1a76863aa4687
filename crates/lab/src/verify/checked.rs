//! What a check found.

use kopek_package::package::Message;
use kopek_results::{LimitSurvey, MemoryMargin, Strength};
use std::path::PathBuf;

/// What a check found.
#[derive(Debug, Clone, Default)]
pub(super) struct Checked {
    /// The checked things, with their numbers.
    pub done: Vec<String>,
    /// Problems of the package.
    pub messages: Vec<Message>,
    /// Our own failures.
    pub faults: Vec<String>,
    pub measures: Vec<Measure>,
}

/// A measured property of the package, which is shown beside the problems.
#[derive(Debug, Clone)]
pub(super) enum Measure {
    Memory(MemoryMargin),
    Limits(LimitSurvey),
    Strength(Strength),
    Pictures(Vec<(PathBuf, Vec<u8>)>),
}

impl Checked {
    pub fn done(&mut self, what: impl Into<String>) {
        self.done.push(what.into());
    }

    pub fn add(&mut self, message: Message) {
        self.messages.push(message);
    }

    pub fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(what.into());
    }

    /// Adds what another check found.
    pub fn append(&mut self, other: Checked) {
        self.done.extend(other.done);
        self.messages.extend(other.messages);
        self.faults.extend(other.faults);
        self.measures.extend(other.measures);
    }
}

impl From<Vec<Message>> for Checked {
    fn from(messages: Vec<Message>) -> Checked {
        Checked { messages, ..Checked::default() }
    }
}

impl From<Measure> for Checked {
    fn from(measure: Measure) -> Checked {
        Checked { measures: vec![measure], ..Checked::default() }
    }
}
