//! The spelling of words: the edit distance of two words, and Unicode.

use unicode_normalization::UnicodeNormalization;

/// Longer words are compared by their beginnings, because the time is the product of the lengths.
const MAX_LENGTH: usize = 60;

/// The number of letters to insert, delete, replace or swap with a neighbour to turn one word into the other.
pub fn edit_distance(one: &str, other: &str) -> usize {
    strsim::osa_distance(beginning(one), beginning(other))
}

/// The name in composed Unicode: some systems write `ü` as `u` with a combining mark.
pub fn composed_name(name: &str) -> String {
    name.nfc().collect()
}

fn beginning(word: &str) -> &str {
    word.char_indices().nth(MAX_LENGTH).map_or(word, |(end, _)| &word[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_counted_not_bytes_and_a_swap_is_one_change() {
        for (one, other, distance) in
            [("kitten", "sitting", 3), ("", "ab", 2), ("ä", "a", 1), ("nmae", "name", 1), ("x", "x", 0)]
        {
            assert_eq!(edit_distance(one, other), distance, "{one} {other}");
        }
    }

    #[test]
    fn of_long_words_only_the_beginnings_count() {
        assert_eq!(edit_distance(&"ä".repeat(100_000), &"ä".repeat(90_000)), 0);
    }
}
