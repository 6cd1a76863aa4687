//! Limits for a solution that replace those of its problem.

use crate::grade::DEFAULT_TIME;
use kopek_base::Bytes;
use kopek_package::package::ProblemLimits;
use std::time::Duration;

#[derive(Debug, Clone, Copy, Default)]
pub struct SolutionLimits {
    pub time: Option<Duration>,
    pub memory: Option<Bytes>,
    /// How much slower the solution may be than the problem allows, because of the way it is built.
    pub slowdown: Option<u32>,
}

impl SolutionLimits {
    /// Whether they are those of the problem.
    pub fn are_usual(self) -> bool {
        self.time.is_none() && self.memory.is_none() && self.slowdown.is_none()
    }

    pub fn apply(self, limits: &mut ProblemLimits) {
        if let Some(factor) = self.slowdown {
            limits.time = Some(limits.time.unwrap_or(DEFAULT_TIME) * factor);
        }
        limits.time = self.time.or(limits.time);
        limits.memory = self.memory.unwrap_or(limits.memory);
    }
}
