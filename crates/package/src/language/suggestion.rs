//! Suggests the known word that is most similar to a misspelt one.

use kopek_base::edit_distance;

/// `; did you mean ...?`, or the list of known words if none is similar.
pub(crate) fn suggest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.collect();
    known.sort_by_key(|candidate| edit_distance(word, candidate));
    match known.first() {
        Some(nearest) if edit_distance(word, nearest) <= word.chars().count().div_ceil(2) => {
            format!("; did you mean `{nearest}`?")
        }
        _ => {
            known.sort_unstable();
            format!("; known are {}", known.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_word_is_proposed_and_otherwise_all() {
        let known = || ["rust", "ruby", "cpp"].into_iter();
        assert_eq!(suggest("rus", known()), "; did you mean `rust`?");
        assert_eq!(suggest("cobol", known()), "; known are cpp, ruby, rust");
        assert_eq!(suggest("", std::iter::empty()), "; known are ");
    }
}
