//! Decides time limits.
//!
//! Noise can only lengthen CPU time, so a run within the limit always counts. A run above the limit needs
//! evidence of how slow the machine was at that moment, for this kind of program. Therefore a *witness*, an
//! accepted submission of the same problem, runs right after it on the same CPU. Its least time on this
//! machine is known, so the suspect's time is *adjusted*: time x witness's least time / witness's time now.
//!
//! The policy is a pure function over such pairs of runs, so it can be replayed on recorded runs.

mod policy;
#[cfg(test)]
mod recording;
#[cfg(test)]
mod replay_tests;
mod suspect;

pub use policy::{
    ABOVE, CLEARLY_ABOVE, FIRST_STOP, MAX_PAIRS, MAX_SLOWNESS, NextStep, TimedPair, adjusted, is_busy,
    is_slightly_above, next_step, slowness,
};
pub use suspect::{ReferenceTimes, Suspect, SuspectStep, TimesOfRuns};
