//! Splits command lines into words by the rules of Python's `shlex`, because the other tools for packages are
//! written in Python. Unlike in a shell, `#` starts no comment.

/// The words of a command line. Inside double quotes a backslash escapes only a double
/// quote and a backslash.
pub fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        match next {
            ' ' | '\t' | '\r' | '\n' => words.extend(word.take()),
            '\\' => word.get_or_insert_default().push(rest.next().ok_or("a backslash at the end")?),
            '\'' | '"' => push_quoted(next, &mut rest, word.get_or_insert_default())?,
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

fn push_quoted(quote: char, rest: &mut std::str::Chars, word: &mut String) -> Result<(), String> {
    loop {
        match rest.next().ok_or_else(|| format!("a quote {quote} without its end"))? {
            end if end == quote => return Ok(()),
            '\\' if quote == '"' => {
                let escaped = rest.next().ok_or("a backslash at the end")?;
                if !matches!(escaped, '"' | '\\') {
                    word.push('\\');
                }
                word.push(escaped);
            }
            other => word.push(other),
        }
    }
}

/// The quoted form of a word, which [`split_words()`] and shells read back unchanged.
pub fn quote_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+-./:@]_".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // A single quote cannot be escaped inside single quotes, so it is put inside double quotes.
    format!("'{}'", word.replace('\'', "'\"'\"'"))
}

/// A command line of these words.
pub fn quote_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quote_word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_python_splits_them() {
        let cases: [(&str, &[&str]); 7] = [
            ("a  b\n\tc", &["a", "b", "c"]),
            (r#"a "b c" 'd "e'"#, &["a", "b c", "d \"e"]),
            (r#"x"y z"w '' """#, &["xy zw", "", ""]),
            (r#"a\ b "\$ \" \\" '\n'"#, &["a b", r#"\$ " \"#, r"\n"]),
            ("g #1 a#b", &["g", "#1", "a#b"]),
            ("", &[]),
            ("a\u{a0}b", &["a\u{a0}b"]),
        ];
        for (text, split) in cases {
            assert_eq!(split_words(text).unwrap(), split, "{text}");
        }
        for broken in ["a 'b", "a \"b", "a\\", "\"\\"] {
            assert!(split_words(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn a_quoted_word_is_read_back() {
        for word in ["a", "", "a b", "it's", "\"", "\\", "#", "x=1", "ä", "'\"'", "a\nb"] {
            assert_eq!(split_words(&quote_word(word)).unwrap(), [word]);
        }
        assert_eq!(["a/b-1", "a b"].map(quote_word), ["a/b-1", "'a b'"]);
    }
}
