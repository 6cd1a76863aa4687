//! Finds the known word that is most similar to a misspelt one.

use kopek_base::edit_distance;

/// The most similar known word, if it is similar enough to be a misspelling.
pub fn nearest_word<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let fold = |text: &str| text.to_ascii_lowercase().replace('-', "_");
    let folded = fold(word);
    // Relative to its length: with a fixed number, every short word would be similar to every other.
    let allowed = (word.chars().count() / 3).clamp(1, 3);
    known
        .iter()
        .map(|candidate| (edit_distance(&folded, &fold(candidate)), *candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_word_and_strangers_do_not() {
        let known = ["time_limit", "time_resolution", "memory", "name"];
        assert_eq!(nearest_word("tme_limit", &known), Some("time_limit"));
        assert_eq!(nearest_word("time-limit", &known), Some("time_limit"));
        assert_eq!(nearest_word("Memory", &known), Some("memory"));
        assert_eq!(nearest_word("nmae", &known), Some("name"));
        assert_eq!(nearest_word("banana", &known), None);
        assert_eq!(nearest_word("", &known), None);
    }
}
