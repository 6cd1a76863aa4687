//! Pure work in parallel. Untrusted programs never run here: those are jobs of an executor.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Applies a function to every item, on at most this many threads; results are in the order of the items.
#[expect(clippy::disallowed_methods, reason = "pure work on many things at once")]
pub fn map_in_parallel<T: Sync, R: Send>(
    items: &[T],
    most_threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    let threads = cpus.min(most_threads).min(items.len());
    if threads <= 1 {
        return items.iter().map(work).collect();
    }
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(items.len())));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut own = Vec::new();
                // One at a time, because one item may take as long as all others.
                while let Some((at, item)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
                {
                    own.push((at, work(item)));
                }
                results.lock().unwrap_or_else(PoisonError::into_inner).append(&mut own);
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Threads end in any order, but callers match the results with their items.
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let squares = map_in_parallel(&items, 8, |item| item * item);
        assert!(squares.iter().zip(&items).all(|(square, item)| *square == item * item));
        assert!(map_in_parallel(&[] as &[u8], 8, |item| *item).is_empty());
    }
}
