//! Wide vectors: the only unsafe file of the coin games.
//!
//! The file has two parts. [`CpuFeatures::run_task`] runs safe code compiled for an instruction set; [`Wide`]
//! is a vector of numbers with the few operations that the transposed tiles need. The gain for three players
//! and 10⁵ coins: the safe loops compiled for AVX-512 take 2.5 times as long as the transposed tiles; without
//! the choice of instruction set, they take about 8 times.
//!
//! Safety: a proof value ([`Avx2`], [`Avx512`]) is made only after a check of the CPU, and vectors are made
//! only with such a proof. Code that has a vector or a proof may therefore use the instructions; no other
//! code can.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "vector instructions exist only behind a run-time check")
)]

use super::lane_number::LaneNumber;

/// A computation that is compiled for every instruction set. Implementations of `run` must be
/// `#[inline(always)]` or they gain nothing.
pub trait VectorTask {
    fn run(self);
}

/// Proof that this CPU has an instruction set.
pub trait CpuFeatures: Copy + Send + Sync {
    /// The proof, if the CPU has the instructions.
    fn detect() -> Option<Self>;
    /// Runs the task with this instruction set.
    fn run_task<T: VectorTask>(self, task: T);
}

/// Runs a task with an instruction set that this CPU must have.
pub fn run_with<F: CpuFeatures, T: VectorTask>(task: T) {
    F::detect().expect("only engines that this CPU can run are used").run_task(task);
}

pub trait WideVector: Copy + Send + Sync {
    /// The type of its numbers.
    type Lane: LaneNumber;
    /// The required features of the CPU.
    type Features: CpuFeatures;
    const LANES: usize;
    /// The same number in all lanes.
    fn splat(cpu: Self::Features, value: Self::Lane) -> Self;
    /// The first `LANES` numbers of a slice.
    fn load(cpu: Self::Features, from: &[Self::Lane]) -> Self;
    /// Writes the lanes to the front of a slice.
    fn store(self, to: &mut [Self::Lane]);
    /// Lane 0.
    fn first(self) -> Self::Lane;
    /// The sum in each lane; integers wrap.
    fn plus(self, other: Self) -> Self;
    /// The lesser number of each lane.
    fn least(self, other: Self) -> Self;
    /// The greater number of each lane.
    fn most(self, other: Self) -> Self;
    /// Lanes `by ..` of `self`, then the first `by` lanes of `next`.
    fn slide(self, next: Self, by: usize) -> Self;
}

#[cfg(target_arch = "x86_64")]
pub use x86::*;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{CpuFeatures, VectorTask, WideVector};
    use std::arch::x86_64::*;

    macro_rules! cpu_features {
        ($name:ident, $doc:literal, $($feature:tt),+; $features:literal) => {
            #[doc = $doc]
            #[derive(Debug, Clone, Copy)]
            pub struct $name(());

            impl CpuFeatures for $name {
                fn detect() -> Option<Self> {
                    ($(is_x86_feature_detected!($feature))&&+).then_some($name(()))
                }

                #[inline(always)]
                fn run_task<T: VectorTask>(self, task: T) {
                    // A separate function, because a trait method cannot enable features.
                    #[target_feature(enable = $features)]
                    fn run_with_features<T: VectorTask>(task: T) {
                        task.run();
                    }
                    // SAFETY: `self` was made by `detect`, which asked the CPU for these very features.
                    unsafe { run_with_features(task) }
                }
            }
        };
    }

    cpu_features!(Avx2, "The CPU has AVX2.", "avx2"; "avx2");
    cpu_features!(Avx512, "The CPU has AVX-512 F, VL, BW and DQ.", "avx512f", "avx512vl", "avx512bw", "avx512dq", "avx2";
         "avx512f,avx512vl,avx512bw,avx512dq,avx2");

    macro_rules! wide_vector {
        ($name:ident($raw:ty): $lanes:literal x $lane:ty, $features:ty;
         $splat:ident, $load:ident, $store:ident, $plus:ident, $least:ident, $most:ident, $slide:ident) => {
            #[doc = concat!(stringify!($lanes), " numbers of type ", stringify!($lane), ".")]
            #[derive(Clone, Copy)]
            pub struct $name($raw);

            impl WideVector for $name {
                type Lane = $lane;
                type Features = $features;
                const LANES: usize = $lanes;

                #[inline(always)]
                fn splat(_: $features, value: $lane) -> Self {
                    // SAFETY: the proof says the CPU has the instruction.
                    Self(unsafe { $splat(value) })
                }
                #[inline(always)]
                fn load(_: $features, from: &[$lane]) -> Self {
                    let from: &[$lane; $lanes] =
                        from.first_chunk().expect("a slice of at least LANES numbers");
                    // SAFETY: the proof says the CPU has the instruction; the array has just the bytes it reads,
                    // and unaligned loads need no alignment.
                    Self(unsafe { $load(from.as_ptr().cast()) })
                }
                #[inline(always)]
                fn store(self, to: &mut [$lane]) {
                    let to: &mut [$lane; $lanes] =
                        to.first_chunk_mut().expect("a slice of at least LANES numbers");
                    // SAFETY: a vector exists only where the CPU has the instruction; the array has just the
                    // bytes it writes, and unaligned stores need no alignment.
                    unsafe { $store(to.as_mut_ptr().cast(), self.0) }
                }
                #[inline(always)]
                fn first(self) -> $lane {
                    let mut lanes = [<$lane>::default(); $lanes];
                    self.store(&mut lanes);
                    lanes[0]
                }
                #[inline(always)]
                fn plus(self, other: Self) -> Self {
                    // SAFETY: a vector exists only where the CPU has the instruction.
                    Self(unsafe { $plus(self.0, other.0) })
                }
                #[inline(always)]
                fn least(self, other: Self) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $least(self.0, other.0) })
                }
                #[inline(always)]
                fn most(self, other: Self) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $most(self.0, other.0) })
                }
                #[inline(always)]
                fn slide(self, next: Self, by: usize) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $slide(self.0, next.0, by as i32) })
                }
            }
        };
    }

    wide_vector!(I32x16(__m512i): 16 x i32, Avx512; _mm512_set1_epi32, _mm512_loadu_si512, _mm512_storeu_si512,
          _mm512_add_epi32, _mm512_min_epi32, _mm512_max_epi32, slide_i32x16);
    wide_vector!(F64x8(__m512d): 8 x f64, Avx512; _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd,
          _mm512_add_pd, _mm512_min_pd, _mm512_max_pd, slide_f64x8);
    wide_vector!(I32x8(__m256i): 8 x i32, Avx2; _mm256_set1_epi32, _mm256_loadu_si256, _mm256_storeu_si256,
          _mm256_add_epi32, _mm256_min_epi32, _mm256_max_epi32, slide_i32x8);
    wide_vector!(F64x4(__m256d): 4 x f64, Avx2; _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd,
          _mm256_add_pd, _mm256_min_pd, _mm256_max_pd, slide_f64x4);

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn slide_i32x16(a: __m512i, b: __m512i, by: i32) -> __m512i {
        let lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        _mm512_permutex2var_epi32(a, _mm512_add_epi32(lane, _mm512_set1_epi32(by)), b)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn slide_f64x8(a: __m512d, b: __m512d, by: i32) -> __m512d {
        let lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        _mm512_permutex2var_pd(a, _mm512_add_epi64(lane, _mm512_set1_epi64(i64::from(by))), b)
    }

    /// AVX2 has no permutation of two sources: both are rotated, then blended.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn slide_i32x8(a: __m256i, b: __m256i, by: i32) -> __m256i {
        let lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let from = _mm256_add_epi32(lane, _mm256_set1_epi32(by));
        let past_the_end = _mm256_cmpgt_epi32(from, _mm256_set1_epi32(7));
        let (a, b) = (_mm256_permutevar8x32_epi32(a, from), _mm256_permutevar8x32_epi32(b, from));
        _mm256_blendv_epi8(a, b, past_the_end)
    }

    /// Four wide lanes slide like eight narrow ones.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn slide_f64x4(a: __m256d, b: __m256d, by: i32) -> __m256d {
        _mm256_castsi256_pd(slide_i32x8(_mm256_castpd_si256(a), _mm256_castpd_si256(b), 2 * by))
    }
}
