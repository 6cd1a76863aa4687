//! The number types of layers.
//!
//! A narrow type means more states per vector. One bound decides which one is exact: the absolute value of a
//! state is at most `turns · max|x|`. Floats are exact integers below their limits, and the oldest vector
//! instructions have minima of floats but not of integers. A type is never used beyond its limit.

/// A number type of the engines.
pub trait LaneNumber: Copy + Default + PartialOrd + Send + Sync + 'static {
    /// Exact for states whose absolute value is at most this.
    const LIMIT: i64;
    /// Exact for values within the limit.
    fn of(value: i64) -> Self;
    /// The value as an `i64`.
    fn value(self) -> i64;
    /// The sum. It may wrap around, but only in cells that no state of the game reads.
    fn plus(self, other: Self) -> Self;

    /// The lesser one. A comparison and not `min`: the vector instruction computes exactly this, while
    /// `f32::min` must handle NaN and costs several instructions.
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The greater one, as a comparison for the same reason.
    #[inline(always)]
    fn most(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

macro_rules! lane_number {
    ($name:ty, $limit:expr, $plus:expr) => {
        impl LaneNumber for $name {
            const LIMIT: i64 = $limit;
            #[inline(always)]
            fn of(value: i64) -> Self {
                value as $name
            }
            #[inline(always)]
            fn value(self) -> i64 {
                self as i64
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                $plus(self, other)
            }
        }
    };
}

lane_number!(f32, 1 << 24, |a: f32, b: f32| a + b);
lane_number!(f64, 1 << 53, |a: f64, b: f64| a + b);
lane_number!(i32, i32::MAX as i64, i32::wrapping_add);
lane_number!(i64, super::game::MAX_TOTAL, i64::wrapping_add);
