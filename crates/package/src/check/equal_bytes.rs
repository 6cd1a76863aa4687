//! Finds the length of a common prefix at memory speed.

/// The length of the common prefix. Compares words while the difference may be near, and whole blocks if it
/// is far.
#[inline]
pub(super) fn same_prefix(a: &[u8], b: &[u8]) -> usize {
    const NEAR: usize = 64;
    let max = a.len().min(b.len());
    let near = same_words(&a[..max.min(NEAR)], &b[..max.min(NEAR)]);
    if near < NEAR {
        return near;
    }
    let far = near + same_chunks(&a[near..max], &b[near..max], 8 << 10);
    let far = far + same_chunks(&a[far..max], &b[far..max], NEAR);
    far + same_words(&a[far..max], &b[far..max])
}

fn same_chunks(a: &[u8], b: &[u8], size: usize) -> usize {
    let chunks = a.chunks_exact(size).zip(b.chunks_exact(size));
    chunks.take_while(|(a, b)| a == b).count() * size
}

/// The same for two slices of one length.
// Indices instead of chunks: differences are mostly within a few bytes.
#[inline]
fn same_words(a: &[u8], b: &[u8]) -> usize {
    const WORD: usize = size_of::<u64>();
    let word = |bytes: &[u8], at: usize| {
        u64::from_le_bytes(bytes[at..at + WORD].try_into().expect("a slice of a word's size"))
    };
    let mut same = 0;
    while same + WORD <= a.len() {
        let differing = word(a, same) ^ word(b, same);
        if differing != 0 {
            // In little-endian order, the lowest bit that differs is in the first byte that differs.
            return same + (differing.trailing_zeros() / u8::BITS) as usize;
        }
        same += WORD;
    }
    while same < a.len() && a[same] == b[same] {
        same += 1;
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_end_at_the_first_difference() {
        for length in [0, 1, 7, 8, 63, 64, 65, 8200, 20_000] {
            let a = vec![b'x'; length];
            assert_eq!(same_prefix(&a, &a), length);
            for at in
                [0, 1, 5, 8, 63, 64, 100, 8191, 8192, 8199, 19_999].into_iter().filter(|&at| at < length)
            {
                let mut b = a.clone();
                b[at] = b'y';
                assert_eq!((same_prefix(&a, &b), same_prefix(&a[..at], &b)), (at, at), "{length}");
            }
        }
    }
}
