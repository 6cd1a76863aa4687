//! Facts about a problem that only the contest knows.

/// A problem in a contest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Balloon {
    /// Its label for contestants.
    pub label: Option<String>,
    /// The colour of its balloon, as `#ff0000` or a name.
    pub colour: Option<String>,
}
