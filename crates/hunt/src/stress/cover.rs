//! Chooses the fewest inputs on which the most programs fail. Pure.

use std::collections::BTreeSet;

/// Chooses inputs, by the programs that fail on each, until all of these programs are explained or there are `max`
/// inputs. The next one is the least by its rank, which depends on its index and on how many more programs it explains.
pub(super) fn cover<P: Ord + Clone, R: Ord>(
    failing: &[BTreeSet<P>],
    rank: impl Fn(usize, usize) -> R,
    max: usize,
) -> Vec<usize> {
    let mut open: BTreeSet<P> = failing.iter().flatten().cloned().collect();
    let mut chosen = Vec::new();
    while chosen.len() < max && !open.is_empty() {
        let more = |at: usize| failing[at].intersection(&open).count();
        let useful = (0..failing.len()).filter(|&at| more(at) > 0);
        let best = useful.min_by_key(|&at| rank(at, more(at))).expect("an open program fails on an input");
        open.retain(|program| !failing[best].contains(program));
        chosen.push(best);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Reverse;

    #[test]
    fn the_input_that_explains_most_comes_first_then_the_least() {
        let choose = |inputs: &[&[usize]], max| {
            let failing: Vec<BTreeSet<usize>> =
                inputs.iter().map(|fails| fails.iter().copied().collect()).collect();
            cover(&failing, |at, more| (Reverse(more), Reverse(at)), max)
        };
        assert_eq!(choose(&[&[0], &[0, 1, 2], &[3], &[1]], 12), [1, 2]);
        assert_eq!(choose(&[&[0], &[0, 1, 2], &[3], &[1]], 1), [1]);
        assert_eq!(choose(&[&[0], &[0]], 12), [1]);
        assert_eq!(choose(&[], 12), [0; 0]);
    }
}
