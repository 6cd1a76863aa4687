//! The options of a verification, beside the remarks.

use kopek_judge::grade::GradeSession;

/// The requested extras.
#[derive(Clone, Copy)]
pub struct Wishes<'a> {
    /// Whether to show the cases that each wrong submission fails.
    pub strength: bool,
    /// Whether to show the least and greatest numbers of the inputs.
    pub numbers: bool,
    /// The pictures to draw.
    pub gallery: Gallery,
    /// Codes of languages whose example submissions are left out.
    pub excluded: &'a [String],
    /// Builds with sanitizers, if accepted submissions are tried with them.
    pub sanitizing: Option<&'a GradeSession<'a>>,
}

/// The cases to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gallery {
    /// The first of every directory: enough to check whether visualizers work.
    Specimens,
    /// All.
    Whole,
}
