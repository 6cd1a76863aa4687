//! What a misspelt word was meant to be.

/// `; did you mean ...?`, or what there is if no word is near.
pub fn meant<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.collect();
    known.sort_by_key(|candidate| distance(word, candidate));
    match known.first() {
        Some(nearest) if distance(word, nearest) <= word.chars().count().div_ceil(2) => {
            format!("; did you mean `{nearest}`?")
        }
        _ => {
            known.sort_unstable();
            format!("; known are {}", known.join(", "))
        }
    }
}

/// Levenshtein's, one row at a time.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_word_is_proposed_and_otherwise_all() {
        let known = || ["rust", "ruby", "cpp"].into_iter();
        assert_eq!(meant("rus", known()), "; did you mean `rust`?");
        assert_eq!(meant("cobol", known()), "; known are cpp, ruby, rust");
        assert_eq!(meant("", std::iter::empty()), "; known are ");
        assert_eq!([distance("kitten", "sitting"), distance("", "ab"), distance("ä", "a")], [3, 2, 1]);
    }
}
