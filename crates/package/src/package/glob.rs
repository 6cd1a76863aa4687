//! The patterns of claims: `*` within a name, `{a,b}` alternatives, nothing else.

/// The largest number of alternatives in a pattern.
const MAX_COUNT: usize = 256;
const MAX_LENGTH: usize = 1000;

/// Whether a pattern matches a path or a directory above it.
///
/// `*` matches any text without `/`; `{a,b}` matches either alternative; all other characters match
/// themselves.
///
/// ```
/// use kopek_package::package::glob_matches;
/// assert!(glob_matches("accepted/*.{py,cpp}", "accepted/slow.py"));
/// assert!(glob_matches("secret", "secret/1/03"));
/// assert!(!glob_matches("*", "")); // nothing is not a name
/// ```
pub fn glob_matches(pattern: &str, path: &str) -> bool {
    Pattern::new(pattern).matches(path)
}

/// A pattern that is matched often: its braces are expanded once.
#[derive(Debug, Clone)]
pub(super) struct Pattern(Vec<String>);

impl Pattern {
    /// Parses a pattern; a faulty one matches nothing, and [`glob_fault`] says why.
    pub(crate) fn new(pattern: &str) -> Pattern {
        Pattern(brace_alternatives(pattern).unwrap_or_default())
    }

    /// As [`glob_matches`].
    pub(crate) fn matches(&self, path: &str) -> bool {
        self.0.iter().any(|alternative| {
            let mut parts = path.split('/');
            let mut patterns = alternative.trim_end_matches('/').split('/');
            // The path may be longer than the pattern: a match of a parent directory counts.
            patterns.all(|pattern| parts.next().is_some_and(|part| part_matches(pattern, part)))
        })
    }
}

/// The error in a pattern, if there is one.
pub fn glob_fault(pattern: &str) -> Option<String> {
    // Other globs support these; taken literally here, they would silently match nothing.
    if pattern.contains("**") {
        return Some("`**` is not supported".into());
    }
    if pattern.contains(['[', ']']) {
        return Some("`[…]` is not supported".into());
    }
    if pattern.starts_with('/') || pattern.split('/').any(|part| part == ".." || part == ".") {
        return Some("a pattern is relative and has no `.` or `..`".into());
    }
    brace_alternatives(pattern).err()
}

/// The alternatives of a pattern, with its braces expanded.
fn brace_alternatives(pattern: &str) -> Result<Vec<String>, String> {
    if pattern.len() > MAX_LENGTH {
        return Err(format!("longer than {MAX_LENGTH} bytes"));
    }
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(text) = open.pop() {
        // The innermost pair contains no braces, so it can be split at its commas.
        match text.find('}') {
            None if text.contains('{') => return Err("`{` without `}`".into()),
            None => done.push(text),
            Some(end) => {
                let start = text[..end].rfind('{').ok_or("`}` without `{`")?;
                let wrap = |middle: &str| format!("{}{middle}{}", &text[..start], &text[end + 1..]);
                // Reversed, because the last one pushed is popped first: the alternatives stay in order.
                open.extend(text[start + 1..end].split(',').rev().map(wrap));
            }
        }
        if done.len() + open.len() > MAX_COUNT {
            return Err(format!("more than {MAX_COUNT} alternatives"));
        }
    }
    Ok(done)
}

/// Matches one name against one part of a pattern, in time O(pattern × name).
fn part_matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(first).filter(|_| !name.is_empty()) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let Some(last) = pieces.pop() else { return true };
    // The leftmost match leaves the most for the rest, so no backtracking is needed.
    for piece in pieces {
        match left.find(piece) {
            Some(at) => left = &left[at + piece.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_the_format_says() {
        let yes = [
            ("accepted", "accepted/a.py"),
            ("accepted/*", "accepted/a.py"),
            ("accepted/*", "accepted/dir/a.py"),
            ("*", "accepted/a.py"),
            ("*/a.{py,cpp}", "rejected/a.cpp"),
            ("{a,b}{1,2}", "b1"),
            ("x{,y}", "x"),
            ("x{a{b,c},d}", "xac"),
            ("secret/*-easy", "secret/03-easy"),
            ("secret/1", "secret/1/03"),
            ("a*b*c", "a-b-bc"),
            ("a.c++", "a.c++"),
        ];
        for (pattern, path) in yes {
            assert!(glob_matches(pattern, path), "{pattern} {path}");
        }
        let no = [
            ("accepted/*", "accepted"),
            ("acc", "accepted/a.py"),
            ("*.py", "accepted/a.py"),
            ("secret/1", "secret/10/1"),
            ("a?c", "abc"),
            ("a*b*c", "acb"),
            ("a*a", "a"),
            ("", "a"),
            ("{a", "a"),
        ];
        for (pattern, path) in no {
            assert!(!glob_matches(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn patterns_that_the_format_lacks_are_named() {
        for pattern in ["a/**", "[ab]", "{a", "a}", "/a", "../a"] {
            assert!(glob_fault(pattern).is_some(), "{pattern}");
        }
        assert_eq!(glob_fault("a/*.{py,c}"), None);
        assert!(glob_fault(&"{a,b}".repeat(30)).is_some());
    }
}
