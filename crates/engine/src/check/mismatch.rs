//! Where answer and output part, as the comparison finds it and people have it explained.

/// Where answer and output part.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// Start of the token in the answer, or its end.
    pub answer: u64,
    /// Start of the token in the output, or its end.
    pub output: u64,
    /// How many bytes of the two tokens are the same.
    pub same: u64,
    /// What differs there.
    pub kind: MismatchKind,
    /// The numeric error.
    pub error: Option<String>,
}

/// What differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MismatchKind {
    /// A token differs, or is missing on one side.
    Token,
    /// White space differs, where it must be the same.
    WhiteSpace,
}
