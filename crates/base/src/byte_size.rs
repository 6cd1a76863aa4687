//! Sizes in bytes as a type.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Bytes {
    /// `n` KiB.
    pub const fn kib(n: u64) -> Bytes {
        Bytes(n << 10)
    }

    /// `n` MiB.
    pub const fn mib(n: u64) -> Bytes {
        Bytes(n << 20)
    }
}

impl fmt::Display for Bytes {
    /// In the largest unit that gives at least one: `7 B`, `1.5 KiB`, `256 MiB`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
        for (unit, shift) in units {
            if self.0 >> shift > 0 {
                // In u128: ten times `u64::MAX` does not fit in 64 bits.
                let tenths = (u128::from(self.0) * 10) >> shift;
                return match tenths % 10 {
                    0 => write!(f, "{} {unit}", tenths / 10),
                    rest => write!(f, "{}.{rest} {unit}", tenths / 10),
                };
            }
        }
        write!(f, "{} B", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_shown_in_its_largest_unit() {
        let texts =
            [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (1 << 28, "256 MiB"), (1 << 31, "2 GiB")];
        for (n, text) in texts {
            assert_eq!(Bytes(n).to_string(), text);
        }
    }
}
