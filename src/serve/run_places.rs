//! The places where requests run, one per CPU, and those for requests in memory: given out in the order of the requests.

use crate::{
    exec::{Local, executor_on},
    machine::Machine,
    worker::PlainRunner,
};
use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// A place where one request runs at a time.
pub(super) struct RunPlace<'a> {
    /// Runs programs without a package.
    pub(super) plain: PlainRunner,
    /// Judges with a package.
    pub(super) executor: Local<'a>,
}

/// All places of a kind, and the requests that wait for one.
pub(super) struct Places<T> {
    state: Mutex<PlaceState<T>>,
    pub(super) count: usize,
    most_waiting: usize,
}

struct PlaceState<T> {
    free: Vec<T>,
    /// Signals of those that wait, the first first.
    waiting: VecDeque<Arc<Condvar>>,
    closed: bool,
    /// Requests that got a place so far.
    started: u64,
}

/// Why a request got no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoPlace {
    /// Too many wait, or the server stops.
    Overload,
    /// The client went away.
    Unwanted,
}

/// How often a waiting request looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(250);

impl<'a> RunPlace<'a> {
    /// A place on each CPU of a machine. `roots`: see [`PlainRunner::new`].
    pub(super) fn on_each_cpu(machine: &'a Machine, roots: &[PathBuf]) -> Vec<RunPlace<'a>> {
        let place = |&cpu: &usize| RunPlace {
            plain: PlainRunner::new(machine, cpu, roots),
            executor: executor_on(machine, &[cpu]),
        };
        // The last one is given out first.
        machine.cpus.iter().rev().map(place).collect()
    }
}

impl<T> Places<T> {
    pub(super) fn new(free: Vec<T>, most_waiting: usize) -> Places<T> {
        let count = free.len();
        let state = PlaceState { free, waiting: VecDeque::new(), closed: false, started: 0 };
        Places { state: Mutex::new(state), count, most_waiting }
    }

    fn lock(&self) -> MutexGuard<'_, PlaceState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests that wait.
    pub(super) fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Requests that got a place so far.
    pub(super) fn started(&self) -> u64 {
        self.lock().started
    }

    /// Gives requests that wait, and later ones, no place.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.waiting.iter().for_each(|signal| signal.notify_one());
    }

    /// Does something in a place, once one is free for this request.
    pub(super) fn with_place<R>(
        &self,
        is_wanted: &dyn Fn() -> bool,
        act: impl FnOnce(&mut T) -> R,
    ) -> Result<R, NoPlace> {
        let place = self.take(is_wanted)?;
        let mut taken = TakenPlace { places: self, place: Some(place) };
        Ok(act(taken.place.as_mut().expect("it is given back on drop")))
    }

    fn take(&self, is_wanted: &dyn Fn() -> bool) -> Result<T, NoPlace> {
        let mut state = self.lock();
        if state.closed || state.waiting.len() >= self.most_waiting {
            return Err(NoPlace::Overload);
        }
        if state.waiting.is_empty()
            && let Some(place) = state.free.pop()
        {
            state.started += 1;
            return Ok(place);
        }
        let own = Arc::new(Condvar::new());
        state.waiting.push_back(own.clone());
        loop {
            state = own.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
            let is_first = state.waiting.front().is_some_and(|first| Arc::ptr_eq(first, &own));
            let result = if state.closed {
                Err(NoPlace::Overload)
            } else if !is_wanted() {
                Err(NoPlace::Unwanted)
            } else {
                match if is_first { state.free.pop() } else { None } {
                    Some(place) => {
                        state.started += 1;
                        Ok(place)
                    }
                    None => continue,
                }
            };
            state.waiting.retain(|other| !Arc::ptr_eq(other, &own));
            // Another place may be free for the next one.
            state.wake_first();
            return result;
        }
    }
}

impl<T> PlaceState<T> {
    fn wake_first(&self) {
        if !self.free.is_empty()
            && let Some(first) = self.waiting.front()
        {
            first.notify_one();
        }
    }
}

/// A place that is given back on drop, also after a panic.
struct TakenPlace<'s, T> {
    places: &'s Places<T>,
    place: Option<T>,
}

impl<T> Drop for TakenPlace<'_, T> {
    fn drop(&mut self) {
        let mut state = self.places.lock();
        state.free.extend(self.place.take());
        state.wake_first();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "requests come in threads of their own")]
    fn a_request_beyond_those_that_may_wait_gets_no_place() {
        let places = Places::new(vec![()], 1);
        let ends = places.with_place(&|| true, |()| {
            thread::scope(|scope| {
                let next = scope.spawn(|| places.with_place(&|| true, |()| "waited"));
                while places.waiting() == 0 {
                    thread::yield_now();
                }
                let beyond = places.with_place(&|| true, |()| "did not wait");
                places.close();
                (next.join().unwrap(), beyond)
            })
        });
        assert_eq!(ends, Ok((Err(NoPlace::Overload), Err(NoPlace::Overload))));
        assert_eq!((places.waiting(), places.started()), (0, 1));
    }
}
