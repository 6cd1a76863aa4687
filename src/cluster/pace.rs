//! How quick the machines of a run are, by the yardstick of one of them.

use crate::sandbox::YardstickTimes;
use serde::{Deserialize, Serialize};

/// Machines that agree differ by less than this in what the yardstick takes: the rest is chance, and what a near
/// miss is measured again for.
const MOST_UNEVEN: f64 = 1.2;

/// How many times slower a machine is than another, if that is too much for times of one problem; less than 1: quicker.
/// `None`: they agree.
pub(super) fn other_pace(own: &YardstickTimes, of_run: &YardstickTimes) -> Option<f64> {
    let factor = own.factor_over(of_run);
    (!(1.0 / MOST_UNEVEN..=MOST_UNEVEN).contains(&factor)).then_some(factor)
}

/// How quick the machines of a run are: as quick as one of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunPace {
    /// Whose it is.
    pub worker: String,
    /// What its yardstick takes.
    pub times: YardstickTimes,
}

impl RunPace {
    /// How many times slower a worker is, if its times must not stand beside those of the run. The machine that the
    /// run is bound to is never another one, whatever it knows of itself since.
    pub(super) fn differs_from(&self, worker: &str, times: &YardstickTimes) -> Option<f64> {
        if worker == self.worker { None } else { other_pace(times, &self.times) }
    }
}
