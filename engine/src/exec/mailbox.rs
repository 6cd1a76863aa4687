//! Hands things from one thread to another. Who waits sleeps at once: a channel that spins first takes as much
//! of a CPU as a short trial needs for itself, and takes it from the program that runs there.

use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// A queue that any thread may fill, and one empties.
pub(super) struct Mailbox<T> {
    contents: Mutex<MailboxContents<T>>,
    changed: Condvar,
}

struct MailboxContents<T> {
    waiting: VecDeque<T>,
    is_closed: bool,
    /// Whether somebody sleeps: to wake nobody is a call of the kernel, too.
    has_sleeper: bool,
}

/// What came of waiting.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Received<T> {
    Item(T),
    /// Nothing more will come.
    Closed,
    /// Nothing came in time.
    Nothing,
}

impl<T> Mailbox<T> {
    pub(super) fn new() -> Mailbox<T> {
        let contents = MailboxContents { waiting: VecDeque::new(), is_closed: false, has_sleeper: false };
        Mailbox { contents: Mutex::new(contents), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, MailboxContents<T>> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn put(&self, item: T) {
        let mut contents = self.lock();
        contents.waiting.push_back(item);
        let has_sleeper = contents.has_sleeper;
        // Not under the lock: who is woken wants it at once.
        drop(contents);
        if has_sleeper {
            self.changed.notify_one();
        }
    }

    /// Nothing more comes; what lies in it can still be taken.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// The oldest of what lies in it; waits until there is something, or until this moment.
    pub(super) fn take(&self, end: Option<Instant>) -> Received<T> {
        let mut contents = self.lock();
        loop {
            if let Some(item) = contents.waiting.pop_front() {
                return Received::Item(item);
            }
            if contents.is_closed {
                return Received::Closed;
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Received::Nothing;
            }
            contents.has_sleeper = true;
            contents = self.sleep(contents, left);
            contents.has_sleeper = false;
        }
    }

    fn sleep<'a>(
        &self,
        contents: MutexGuard<'a, MailboxContents<T>>,
        most: Option<Duration>,
    ) -> MutexGuard<'a, MailboxContents<T>> {
        match most {
            None => self.changed.wait(contents).unwrap_or_else(PoisonError::into_inner),
            Some(most) => {
                let waited = self.changed.wait_timeout(contents, most);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn what_was_put_in_is_taken_in_order_and_the_end_comes_last() {
        let mailbox = Mailbox::new();
        mailbox.put(1);
        mailbox.put(2);
        mailbox.close();
        let taken: Vec<Received<i32>> = (0..3).map(|_| mailbox.take(None)).collect();
        assert_eq!(taken, [Received::Item(1), Received::Item(2), Received::Closed]);
    }

    #[test]
    fn nobody_waits_beyond_a_moment() {
        let mailbox = Mailbox::<i32>::new();
        let start = Instant::now();
        let pause = Duration::from_millis(5);
        assert_eq!(mailbox.take(Some(start + pause)), Received::Nothing);
        assert!(start.elapsed() >= pause);
    }

    #[test]
    fn who_sleeps_is_woken_by_a_thing_and_by_the_end() {
        let (there, back) = (Mailbox::new(), Mailbox::new());
        thread::scope(|scope| {
            scope.spawn(|| {
                while let Received::Item(number) = there.take(None) {
                    back.put(number + 1);
                }
                back.close();
            });
            for number in 0..100 {
                there.put(number);
                assert_eq!(back.take(None), Received::Item(number + 1));
            }
            there.close();
            assert_eq!(back.take(None), Received::Closed);
        });
    }
}
