//! A remark on a row.

use kopek_package::package::{Audience, Subject};
use kopek_sentences::Said;

/// A remark on the row of a participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub about: Subject,
    pub audience: Audience,
    pub said: Said,
}

impl Note {
    /// A remark that the participant reads, too.
    pub fn new(about: Subject, said: Said) -> Note {
        Note { about, audience: Audience::Everyone, said }
    }

    /// Why the teacher has to settle a result. It may name files and packages of others.
    pub fn for_teacher(text: impl Into<String>) -> Note {
        Note { about: Subject::Open, audience: Audience::Teacher, said: Said::foreign(text) }
    }

    pub fn is_for(&self, reader: Audience) -> bool {
        self.audience >= reader
    }
}
