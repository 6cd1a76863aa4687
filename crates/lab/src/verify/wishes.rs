//! What a user wants of verifying beside the remarks.

use kopek_judge::grade::GradeSession;

/// What is wanted beside the remarks.
#[derive(Clone, Copy)]
pub struct Wishes<'a> {
    /// Whether to show which case kills whom.
    pub strength: bool,
    /// Whether to show the least and greatest numbers of the inputs.
    pub numbers: bool,
    /// What is drawn.
    pub gallery: Gallery,
    /// Codes of languages whose example submissions are left out.
    pub excluded: &'a [String],
    /// What becomes of the times in the lock.
    pub times: TimesInLock,
    /// Builds with sanitizers, if accepted submissions are tried with them, too.
    pub sanitizing: Option<&'a GradeSession<'a>>,
}

/// What becomes of the times in the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimesInLock {
    /// They stay.
    Keep,
    /// They are those of this machine, if the package is sound.
    Update,
}

/// Which cases are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gallery {
    /// The first of every directory: enough to see whether visualizers work.
    Specimens,
    /// All.
    Whole,
}
