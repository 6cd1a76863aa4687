//! The kinds of engines: number types, instruction sets, shapes.

use crate::lane_number::LaneNumber;
#[cfg(target_arch = "x86_64")]
use crate::vector::{Avx2, Avx512, CpuFeatures};

/// The number type of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberType {
    /// 32-bit floats, exact up to 2^24.
    F32,
    /// 64-bit floats, exact up to 2^53.
    F64,
    /// 32-bit integers.
    I32,
    /// 64-bit integers.
    I64,
}

impl NumberType {
    pub const ALL: [NumberType; 4] = [NumberType::F32, NumberType::F64, NumberType::I32, NumberType::I64];

    /// The greatest absolute value of a state for which it is exact.
    pub fn limit(self) -> i64 {
        match self {
            NumberType::F32 => f32::LIMIT,
            NumberType::F64 => f64::LIMIT,
            NumberType::I32 => i32::LIMIT,
            NumberType::I64 => i64::LIMIT,
        }
    }
}

/// The instruction set for which an engine is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// The base instructions of every CPU of the family.
    Portable,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

impl Instructions {
    pub const ALL: [Instructions; 3] = [Instructions::Portable, Instructions::Avx2, Instructions::Avx512];

    /// Whether this CPU supports it.
    pub fn is_available(self) -> bool {
        match self {
            Instructions::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Instructions::Avx2 | Instructions::Avx512 => false,
        }
    }
}

/// The order in which layers are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One state at a time, checked 64-bit integers only.
    Scalar,
    Sweep,
    /// Tiles of `width` states, `block` layers at a time.
    Tiles {
        /// States per tile, at least 1.
        width: usize,
        /// Layers per block, at least 1.
        block: usize,
    },
    /// Transposed tiles of `rows` vectors (2 to 6 players, i32 or f64, AVX2 or AVX-512).
    Transposed {
        /// Vectors per tile, at least `m`.
        rows: usize,
        /// Layers per block, at least 1.
        block: usize,
    },
}
