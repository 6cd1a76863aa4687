//! What a contest knows of a problem that its package does not.

/// A problem in a contest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Balloon {
    /// What contestants call it.
    pub label: Option<String>,
    /// The colour of its balloon, as `#ff0000` or a name.
    pub colour: Option<String>,
}
