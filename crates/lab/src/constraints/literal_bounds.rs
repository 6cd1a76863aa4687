//! Bounds stated literally in the text of a program: a name with a literal number.

use super::{BoundEnd, NumberBound};
use regex_lite::{Captures, Regex};
use std::sync::LazyLock;

/// Named bounds in the text of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiteralBounds {
    /// Calls that read a number: `readInt(1, 100, "n")`, `read_int('n', 1, 100)`.
    pub read: Vec<NumberBound>,
    /// Comparisons that close a range: `1 <= n <= 100`.
    pub compared: Vec<NumberBound>,
    /// Constants that are named like bounds, each alone on its line: `MAX_N = 100`.
    pub constants: Vec<NumberBound>,
}

const NUMBER: &str =
    r"-?[0-9](?:[0-9_]|'[0-9])*(?:[eE][0-9]+|(?:\*\*|\^)[0-9]+)?(?:[uU]?[lL]{1,2}|_?[iu](?:32|64|128|size))?";

/// A variable with such a name may be a running maximum, so a constant needs a keyword or capitals.
static CONSTANT: LazyLock<Regex> = LazyLock::new(|| {
    let keywords = "const|constexpr|static|final|val";
    regex(&format!(
        r"^\s*(?:#define\s+(\w+)\s+|(?:\w+\s+)*(?:{keywords})\s+(?:\w+\s+)*(\w+)\s*(?::\s*\w+\s*)?=\s*|([A-Z][A-Z0-9_]*)\s*=\s*)({NUMBER})\s*;?\s*(?:(?://|#).*)?$"
    ))
});
static NAME_LAST: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(r#"(\w+)\s*\((?:[^(),]*,)?\s*({NUMBER})\s*,\s*({NUMBER})\s*,\s*["']([A-Za-z][^"']*)["']"#))
});
static NAME_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(r#"(\w+)\s*\(\s*["']([A-Za-z][^"']*)["']\s*,\s*({NUMBER})\s*,\s*({NUMBER})\s*[,)]"#))
});
static COMPARISON: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?:^|[(\[,]|\b(?:if|elif|assert|and|or|not|return|while)\b)\s*({NUMBER})\s*(<=?)\s*([A-Za-z_]\w*)\s*(<=?)\s*({NUMBER})\s*(?:$|[)\],;:]|and\b|or\b)"
    ))
});

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("patterns of this file are valid")
}

impl LiteralBounds {
    /// Reads a text.
    pub fn of(text: &str) -> LiteralBounds {
        let mut found = LiteralBounds::default();
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !is_comment(line)) {
            found.constants.extend(CONSTANT.captures(line).and_then(|parts| constant_bound(&parts, number)));
            for parts in NAME_LAST.captures_iter(line) {
                found.read.extend(call_bounds(&parts[1], &parts[4], [&parts[2], &parts[3]], number));
            }
            for parts in NAME_FIRST.captures_iter(line) {
                found.read.extend(call_bounds(&parts[1], &parts[2], [&parts[3], &parts[4]], number));
            }
            for parts in COMPARISON.captures_iter(line) {
                found.compared.extend(compared_bounds(&parts, number));
            }
        }
        found
    }
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "*"].iter().any(|start| line.starts_with(start))
        || (line.starts_with('#') && !line.starts_with("#define"))
}

fn constant_bound(parts: &Captures, line: u32) -> Option<NumberBound> {
    let name = parts.get(1).or(parts.get(2)).or(parts.get(3))?;
    let (end, name, value) = bound_of_argument(name.as_str(), &parts[4])?;
    Some(NumberBound { name, end, value, line })
}

fn call_bounds(callee: &str, title: &str, ends: [&str; 2], line: u32) -> Vec<NumberBound> {
    let callee = callee.to_ascii_lowercase();
    let reads = ["int", "long", "num"].iter().any(|word| callee.contains(word));
    match ends.map(literal_number) {
        [Some(low), Some(high)] if reads && !callee.contains("print") && low <= high => {
            range_bounds(title, low, high, line)
        }
        _ => vec![],
    }
}

fn compared_bounds(parts: &Captures, line: u32) -> Vec<NumberBound> {
    let (Some(low), Some(high)) = (literal_number(&parts[1]), literal_number(&parts[5])) else {
        return vec![];
    };
    let (low, high) = (low + i128::from(&parts[2] == "<"), high - i128::from(&parts[4] == "<"));
    range_bounds(&parts[3], low, high, line)
}

fn range_bounds(title: &str, low: i128, high: i128, line: u32) -> Vec<NumberBound> {
    let bound = |end, value| NumberBound { name: without_index(title).to_owned(), end, value, line };
    vec![bound(BoundEnd::Least, low), bound(BoundEnd::Greatest, high)]
}

/// A name without its index, as used for bounds: `a_i`, `a[i]`, `a_%d` and `a_{1}` are all `a`.
fn without_index(name: &str) -> &str {
    let name = name.split(['[', '{', '%', '(']).next().unwrap_or(name).trim_end_matches('_');
    match name.rsplit_once('_') {
        Some((stem, index)) if !stem.is_empty() && index.chars().count() <= 1 => stem,
        _ => name,
    }
}

/// A text that is a number and nothing else: `100_000`, `1e5`, `10**5`, `10^{5}`, `2 \cdot 10^5`, `100\,000`.
pub fn literal_number(text: &str) -> Option<i128> {
    let mut plain = text.replace("**", "^").replace("\\cdot", "*").replace("\\times", "*").replace("\\,", "");
    plain.retain(|c| !c.is_whitespace() && !matches!(c, '$' | '{' | '}' | '_' | '\''));
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, plain.as_str()),
    };
    digits.split('*').try_fold(sign, |product: i128, factor| product.checked_mul(literal_factor(factor)?))
}

fn literal_factor(text: &str) -> Option<i128> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let value: i128 = text[..end].parse().ok()?;
    let rest = &text[end..];
    let is_suffix =
        |rest: &str| matches!(rest, "i32" | "i64" | "u32" | "u64" | "i128" | "u128" | "usize" | "isize");
    match rest.chars().next() {
        Some('^') => value.checked_pow(rest[1..].parse().ok()?),
        Some('e' | 'E') => value.checked_mul(10_i128.checked_pow(rest[1..].parse().ok()?)?),
        _ => (rest.chars().all(|c| "uUlL".contains(c)) || is_suffix(rest)).then_some(value),
    }
}

/// The bound that a name describes: `MAX_N`, `nmax`, `max-n`, `minValue`.
pub fn bound_of_name(name: &str) -> Option<(BoundEnd, String)> {
    let spaced = spaced_words(name);
    let mut words: Vec<&str> = spaced.split(' ').filter(|word| !word.is_empty()).collect();
    let (end, at) = words.iter().enumerate().find_map(|(at, word)| Some((end_of_word(word)?, at)))?;
    let glued = words[at].replacen(if end == BoundEnd::Greatest { "max" } else { "min" }, "", 1);
    let rest = glued.trim_start_matches("imum").to_owned();
    if rest.is_empty() {
        words.remove(at);
    } else {
        words[at] = &rest;
    }
    let name = words.join("_");
    (!name.is_empty() && end_of_word(&name).is_none()).then_some((end, name))
}

fn end_of_word(word: &str) -> Option<BoundEnd> {
    let has = |part: &str| word.starts_with(part) || word.ends_with(part);
    match (has("min"), has("max")) {
        (true, false) => Some(BoundEnd::Least),
        (false, true) => Some(BoundEnd::Greatest),
        // `minmax` could be either.
        (true, true) | (false, false) => None,
    }
}

/// `maxValue` and `max-value` as `max value`, in lower case.
fn spaced_words(name: &str) -> String {
    let mut spaced = String::new();
    let mut small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() {
            spaced.push(' ');
        } else {
            if letter.is_uppercase() && small {
                spaced.push(' ');
            }
            spaced.extend(letter.to_lowercase());
        }
        small = letter.is_lowercase();
    }
    spaced
}

/// The bound in an argument of a validator or in a constant: `--max-n=5`, `MAX_N = 5`.
pub fn bound_of_argument(name: &str, value: &str) -> Option<(BoundEnd, String, i128)> {
    let value = literal_number(value)?;
    bound_of_name(name).map(|(end, name)| (end, name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bounds: &[NumberBound]) -> Vec<String> {
        bounds.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn calls_and_comparisons_with_literal_bounds_are_read() {
        for text in [
            "int n = inf.readInt(1, 100000, \"n\");",
            "inf.readInts(m, 1, 100'000, \"n_i\");",
            "n = v.read_integer('n', 1, 10**5)",
            "let n = input.number(\"n\", 1, 100_000, b' ');",
        ] {
            assert_eq!(shown(&LiteralBounds::of(text).read), ["n ≥ 1", "n ≤ 100000"], "{text}");
        }
        for text in ["assert 1 <= n <= 1e5", "if not (0 < n < 100001):"] {
            assert_eq!(shown(&LiteralBounds::of(text).compared), ["n ≥ 1", "n ≤ 100000"], "{text}");
        }
        for text in [
            "printf(\"n\", 1, 2, 3); format(\"n\", 1, 2)",
            "readInt(1, m - 1, \"n\")",
            "assert x - 1 <= n <= 2 * m",
            "assert 1 <= n <= 2 * m",
        ] {
            assert_eq!(LiteralBounds::of(text), LiteralBounds::default(), "{text}");
        }
    }

    #[test]
    fn only_constants_alone_on_their_line_count() {
        for text in [
            "MAX_N = 100",
            "const int MAXN = 100;  // all",
            "#define MAXN 100",
            "pub const MAX_N: usize = 100;",
            "    static final long MAX_N = 100L;",
            "const maxN = 1e2",
        ] {
            assert_eq!(shown(&LiteralBounds::of(text).constants), ["n ≤ 100"], "{text}");
        }
        for text in [
            "max_n, max_m = 20000, 50000",
            "MAX_N, MAX_M = 20000, 50000",
            "max_n = 0",
            "MAX_N = 100 + 5",
            "# MAX_N = 100",
            "MAX_N = M",
            "let (mut max_t, mut max_n) = (30, 100);",
        ] {
            assert_eq!(LiteralBounds::of(text), LiteralBounds::default(), "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_programs_and_statements_write_them() {
        for text in
            ["100000", "100_000", "100'000", "1e5", "10**5", "10^{5}", "$10^5$", "1 \\cdot 10^5", "100\\,000"]
        {
            assert_eq!(literal_number(text), Some(100_000), "{text}");
        }
        assert_eq!(literal_number("-5LL"), Some(-5));
        assert!(
            ["", "x", "1.5", "5n", "10^", "9e99", "1-1"].iter().all(|text| literal_number(text).is_none())
        );
    }

    #[test]
    fn names_of_bounds_are_taken_apart() {
        for name in ["max-n", "MAX_N", "maxN", "nmax", "MAXN", "n_max", "--maxn"] {
            assert_eq!(bound_of_name(name), Some((BoundEnd::Greatest, "n".into())), "{name}");
        }
        assert_eq!(bound_of_name("min_value"), Some((BoundEnd::Least, "value".into())));
        assert_eq!(bound_of_name("max_n_1"), Some((BoundEnd::Greatest, "n_1".into())));
        assert!(["max", "minmax", "n", "--last"].iter().all(|name| bound_of_name(name).is_none()));
    }
}
