//! The place where answer and output differ, as input for the explanation.

/// The place where answer and output differ.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// Start of the token in the answer, or its end.
    pub answer: u64,
    /// Start of the token in the output, or its end.
    pub output: u64,
    /// The number of equal bytes in the two tokens.
    pub same: u64,
    pub kind: MismatchKind,
    pub error: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MismatchKind {
    /// A token differs, or is missing on one side.
    Token,
    /// White space differs, though it must be equal.
    WhiteSpace,
}
