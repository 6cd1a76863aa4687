//! A clock whose time a test can set.

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// The machine's clock, or one that only moves when it is advanced. Clones show the same time.
#[derive(Debug, Clone, Default)]
pub struct Clock(Option<Arc<Mutex<Instant>>>);

impl Clock {
    /// A clock that stands still until [`Clock::advance`].
    pub fn stopped() -> Clock {
        Clock(Some(Arc::new(Mutex::new(Instant::now()))))
    }

    pub fn now(&self) -> Instant {
        match &self.0 {
            Some(time) => *time.lock().unwrap_or_else(PoisonError::into_inner),
            None => Instant::now(),
        }
    }

    /// Sleeps; a stopped clock moves on at once.
    pub fn wait(&self, time: Duration) {
        match &self.0 {
            Some(_) => self.advance(time),
            None => thread::sleep(time),
        }
    }

    /// Moves a stopped clock; the machine's clock ignores it.
    pub fn advance(&self, by: Duration) {
        if let Some(time) = &self.0 {
            *time.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}
