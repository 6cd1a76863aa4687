//! Who may be tried beside whom. Whoever came first is let in first, so nobody waits for ever.

use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

/// Beside whom a program may be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    /// First tries beside each other.
    Anybody,
    /// What seems to idle beside others that seem to: they need no CPU.
    Idlers,
    /// What must not be disturbed.
    Nobody,
}

/// Lets tries in.
#[derive(Debug, Default)]
pub(super) struct Turns {
    state: Mutex<TurnState>,
    left: Condvar,
}

#[derive(Debug, Default)]
struct TurnState {
    /// How many are in, and in what company.
    inside: (usize, Option<Company>),
    waiting: VecDeque<u64>,
    next_ticket: u64,
}

impl TurnState {
    fn admits(&self, company: Company) -> bool {
        let (count, now) = self.inside;
        count == 0 || (now == Some(company) && company != Company::Nobody)
    }
}

/// Somebody is in, until this is dropped.
#[derive(Debug)]
pub(super) struct Turn<'a>(&'a Turns);

impl Turns {
    /// Waits until it may begin.
    pub(super) fn begin(&self, company: Company) -> Turn<'_> {
        let mut state = self.lock();
        if !state.waiting.is_empty() || !state.admits(company) {
            let ticket = state.next_ticket;
            state.next_ticket += 1;
            state.waiting.push_back(ticket);
            let must_wait =
                |state: &mut TurnState| state.waiting.front() != Some(&ticket) || !state.admits(company);
            state = self.left.wait_while(state, must_wait).unwrap_or_else(PoisonError::into_inner);
            state.waiting.pop_front();
            // The next one may be of the same company.
            self.left.notify_all();
        }
        state.inside = (state.inside.0 + 1, Some(company));
        Turn(self)
    }

    fn lock(&self) -> MutexGuard<'_, TurnState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.inside.0 -= 1;
        if !state.waiting.is_empty() {
            self.0.left.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::mpsc::{self, Receiver},
        thread::{self, Scope},
        time::Duration,
    };

    /// Stands in line for a turn on another thread; says when it has it, and keeps it until the sender is dropped.
    fn stand_in_line<'s>(
        scope: &'s Scope<'s, '_>,
        turns: &'s Turns,
        company: Company,
    ) -> (Receiver<()>, mpsc::Sender<()>) {
        let ((has, told), (keep, end)) = (mpsc::channel(), mpsc::channel());
        let place = turns.lock().waiting.len();
        scope.spawn(move || {
            let _turn = turns.begin(company);
            let _ = has.send(());
            let _ = end.recv();
        });
        // So that the next one comes after it.
        while turns.lock().waiting.len() == place {
            thread::yield_now();
        }
        (told, keep)
    }

    fn is_let_in(told: &Receiver<()>) -> bool {
        told.recv_timeout(Duration::from_secs(10)).is_ok()
    }

    #[test]
    fn some_share_a_turn_and_others_wait_in_their_order() {
        use Company::{Anybody, Idlers, Nobody};
        let turns = Turns::default();
        thread::scope(|scope| {
            let first = [turns.begin(Anybody), turns.begin(Anybody)];
            let (alone, end_alone) = stand_in_line(scope, &turns, Nobody);
            let (idler, end_idler) = stand_in_line(scope, &turns, Idlers);
            let (other, end_other) = stand_in_line(scope, &turns, Idlers);
            let (late, _end_late) = stand_in_line(scope, &turns, Anybody);
            assert_eq!(turns.lock().waiting.len(), 4, "one who comes later is not let in before the others");
            drop(first);
            assert!(is_let_in(&alone));
            assert_eq!((turns.lock().inside, idler.try_recv().is_err()), ((1, Some(Nobody)), true));
            drop(end_alone);
            assert!(is_let_in(&idler) && is_let_in(&other));
            assert_eq!((turns.lock().inside, late.try_recv().is_err()), ((2, Some(Idlers)), true));
            drop((end_idler, end_other));
            assert!(is_let_in(&late));
            assert_eq!(turns.lock().inside, (1, Some(Anybody)));
        });
    }
}
