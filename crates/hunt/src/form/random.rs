//! A stream of numbers that depends only on the seed, on every machine and in every version.

/// The stream: SplitMix64, whose state is one number.
#[derive(Debug, Clone)]
pub struct RandomStream(u64);

impl RandomStream {
    /// The stream for a seed and a place in the hunt; streams of different places are independent.
    pub fn new(seed: u64, place: u64) -> RandomStream {
        let mut stream = RandomStream(seed ^ place.wrapping_mul(0xa076_1d64_78bd_642f));
        stream.next_number();
        stream
    }

    pub fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next_number() % end as u64) as usize
    }

    /// A number in a range, including both ends.
    pub fn between(&mut self, min: i128, max: i128) -> i128 {
        if max <= min {
            return min;
        }
        let width = (max - min) as u128 + 1;
        let drawn = u128::from(self.next_number()) << 64 | u128::from(self.next_number());
        min + (drawn % width) as i128
    }

    /// True with probability 1 in `times`.
    pub fn is_once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
