//! Which numbers of a generator's call must not be greater than which others: learned from the calls that came
//! to nothing. A generator that draws between two of its arguments fails on half of all calls otherwise. Pure.

use std::{cmp::Ordering, collections::BTreeMap};

/// A number of a call: the word that it stands in, and its value.
pub(super) type CallNumber = (usize, i128);

/// What is known of all generators, by name.
#[derive(Debug, Clone, Default)]
pub(super) struct CallOrders {
    generators: BTreeMap<String, GeneratorOrders>,
}

/// What is known of one generator, by two words of its calls.
#[derive(Debug, Clone, Default)]
pub(super) struct GeneratorOrders {
    tallies: BTreeMap<(usize, usize), OrderTally>,
}

/// Of a generator that was never called.
static UNKNOWN: GeneratorOrders = GeneratorOrders { tallies: BTreeMap::new() };

/// What came of calls, by which of two numbers was greater.
#[derive(Debug, Clone, Copy, Default)]
struct OrderTally {
    rising: OrderCount,
    falling: OrderCount,
}

#[derive(Debug, Clone, Copy, Default)]
struct OrderCount {
    used: u32,
    unused: u32,
}

/// So many calls in one order must have come to nothing, and none to anything, …
const VAIN_CALLS: u32 = 10;
/// … while so many in the other order came to an input.
const GOOD_CALLS: u32 = 2;

impl CallOrders {
    /// What is known of a generator.
    pub fn of(&self, generator: &str) -> &GeneratorOrders {
        self.generators.get(generator).unwrap_or(&UNKNOWN)
    }

    /// Notes what came of a call.
    pub fn note_call(&mut self, generator: &str, numbers: &[CallNumber], is_used: bool) {
        let tallies = &mut self.generators.entry(generator.to_owned()).or_default().tallies;
        for (at, one) in numbers.iter().enumerate() {
            for other in &numbers[at + 1..] {
                let tally = tallies.entry((one.0, other.0)).or_default();
                let count = match one.1.cmp(&other.1) {
                    Ordering::Less => &mut tally.rising,
                    Ordering::Greater => &mut tally.falling,
                    Ordering::Equal => continue,
                };
                *if is_used { &mut count.used } else { &mut count.unused } += 1;
            }
        }
    }
}

impl GeneratorOrders {
    /// How the numbers in two words must compare, as far as it is known.
    pub fn order_of(&self, one: usize, other: usize) -> Option<Ordering> {
        let tally = self.tallies.get(&(one, other))?;
        let is_vain = |count: OrderCount| count.used == 0 && count.unused >= VAIN_CALLS;
        match () {
            () if is_vain(tally.falling) && tally.rising.used >= GOOD_CALLS => Some(Ordering::Less),
            () if is_vain(tally.rising) && tally.falling.used >= GOOD_CALLS => Some(Ordering::Greater),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_known_once_only_the_other_fails() {
        let mut orders = CallOrders::default();
        for seed in 0..120 {
            let (count, low, high) = (seed % 7, seed % 5, seed % 6);
            orders.note_call("gen.py", &[(0, count), (1, low), (3, high)], low <= high);
        }
        assert_eq!(orders.of("gen.py").order_of(1, 3), Some(Ordering::Less));
        assert_eq!(orders.of("gen.py").order_of(0, 1), None, "both orders came to something");
        assert_eq!(orders.of("other.py").order_of(1, 3), None);
    }

    #[test]
    fn a_generator_that_always_fails_teaches_nothing() {
        let mut orders = CallOrders::default();
        (0..40).for_each(|seed| orders.note_call("gen.py", &[(0, seed % 7), (1, seed % 5)], false));
        assert_eq!(orders.of("gen.py").order_of(0, 1), None);
    }
}
