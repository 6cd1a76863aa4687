//! Decides time limits.
//!
//! Noise only ever makes CPU time longer. A run within the limit therefore always counts. A run above the
//! limit needs evidence of how slow the machine was at that moment, for this kind of program: right after it,
//! on the same CPU, runs a *witness*, an accepted submission of the same problem. Its least time on this machine
//! is known, so the suspect's time is *adjusted*: time x witness's least time / witness's time now.
//!
//! The policy is a pure function over such pairs of runs: recorded runs replay it.

#[cfg(test)]
mod former_policy;
mod policy;
#[cfg(test)]
mod recording;
#[cfg(test)]
mod replay_tests;
mod suspect;

pub use policy::{
    ABOVE, CLEARLY_ABOVE, FIRST_STOP, MOST_PAIRS, MOST_SLOWNESS, NextStep, TimedPair, adjusted, next_step,
    slowness,
};
pub use suspect::{Suspect, SuspectStep, settle};
