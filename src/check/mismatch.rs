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
    /// Whether it is about white space.
    pub space: bool,
    /// The numeric error.
    pub error: Option<String>,
}
