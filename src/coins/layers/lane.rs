//! The numbers a layer is computed in.
//!
//! A narrow number means more states per vector. Which one is exact follows
//! from one bound: no value of any state passes `turns · max|x|`. Floats are
//! exact integers below their limits, and the oldest vector instructions can take
//! minima of floats but not of integers. Beyond its limit a lane is never used.

/// A number type of the engines.
pub(crate) trait Lane: Copy + Default + PartialOrd + Send + Sync + 'static {
    /// Exact for states whose absolute value is at most this.
    const LIMIT: i64;
    /// Exact for values within the limit.
    fn of(value: i64) -> Self;
    /// Back again.
    fn value(self) -> i64;
    /// The sum. Wraps in cells that no state of the game reads, nowhere else.
    fn plus(self, other: Self) -> Self;

    /// The lesser, written as the vector instruction computes it.
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The greater, written as the vector instruction computes it.
    #[inline(always)]
    fn most(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

macro_rules! lane {
    ($name:ty, $limit:expr, $plus:expr) => {
        impl Lane for $name {
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

lane!(f32, 1 << 24, |a: f32, b: f32| a + b);
lane!(f64, 1 << 53, |a: f64, b: f64| a + b);
lane!(i32, i32::MAX as i64, i32::wrapping_add);
lane!(i64, super::super::game::GREATEST_TOTAL, i64::wrapping_add);
