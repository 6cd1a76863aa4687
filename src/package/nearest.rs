//! The known word that somebody probably meant.

/// The nearest of the known words, if it is near enough to be a slip.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let fold = |text: &str| text.to_ascii_lowercase().replace('-', "_");
    let folded = fold(word);
    let allowed = (word.chars().count() / 3).clamp(1, 3);
    known
        .iter()
        .map(|candidate| (distance(&folded, &fold(candidate)), *candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours; of two long
/// words only the beginnings are compared.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(60).collect(), b.chars().take(60).collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_word_and_strangers_do_not() {
        let known = ["time_limit", "time_resolution", "memory", "name"];
        assert_eq!(nearest("tme_limit", &known), Some("time_limit"));
        assert_eq!(nearest("time-limit", &known), Some("time_limit"));
        assert_eq!(nearest("Memory", &known), Some("memory"));
        assert_eq!(nearest("nmae", &known), Some("name"));
        assert_eq!(nearest("banana", &known), None);
        assert_eq!(nearest("", &known), None);
    }
}
