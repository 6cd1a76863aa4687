//! Bounds in statements, Markdown or TeX: `$1 \le n \le 10^5$`, also in rows of a table of groups.

use super::{
    BoundEnd, NumberBound,
    bound_words::{WordSource, read_words},
    comparisons::{ComparisonChain, ComparisonSign, ExpressionReader, KnownValues, Operand},
    prose_bounds::prose_comparisons,
};
use regex_lite::Regex;
use std::sync::LazyLock;

/// A bound of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedBound {
    /// The bound, as the statement calls the number.
    pub bound: NumberBound,
    /// For which cases it holds.
    pub scope: StatedScope,
    /// Whether it stands where inputs are described.
    pub of_input: bool,
}

/// For which cases a bound holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatedScope {
    /// All.
    Everywhere,
    /// Those of the group with this number.
    Group(u32),
}

static GROUP: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)\b(?:sub-?tasks?|(?:test ?)?groups?|teilaufgaben?|gruppen?|batch)\W{0,3}(\d+)")
});
/// Bounds of some cases only, nobody knows which.
static SOME_CASES: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)%|\b(?:sub-?tasks?|groups?|teilaufgaben?|gruppen?|points|half of|for example|e\.g\.)\b")
});
pub(super) static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^\s*(?:#{1,6}\s|\\(?:sub)*section\*?\{|\*\*[^*]+\*\*\s*$|\\begin\{(?:Input|Output|InputFile|OutputFile)\})",
    )
});
static OF_INPUT: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)input|constraint|limit|bound|eingabe|grenze|schranke|entrada|entr[ée]e|contrainte")
});
static COMMANDS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\\(?:mathit|mathrm|mathbf|mathtt|mathsf|texttt|textit|text|operatorname|left|right|big|Big|displaystyle)\b",
    )
});
static THIN_SPACES: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(\d)(?:\\,|\\;|\\!|\\ |\{,\}|\{\\,\}|~|\x{202f}|\x{a0}|\x{2009})(\d{3})"));

pub(super) fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("patterns of this file are valid")
}

/// What a statement says, constants filled in, in order.
pub fn statement_bounds(text: &str) -> Vec<StatedBound> {
    let mut found = Vec::new();
    let (mut of_input, mut group, mut verbatim) = (false, None, false);
    for (line, number) in text.lines().zip(1..) {
        if line.trim_start().starts_with("```") || line.contains("{verbatim}") {
            verbatim = !verbatim;
            continue;
        }
        if verbatim {
            continue;
        }
        if HEADING.is_match(line) {
            of_input = OF_INPUT.is_match(line);
            group = group_number(line);
        }
        let scope = match (group_of_row(line).or_else(|| group_number(line)).or(group), line) {
            (Some(number), _) => StatedScope::Group(number),
            (None, line) if SOME_CASES.is_match(&line.replace("\\%", "%")) && !HEADING.is_match(line) => {
                continue;
            }
            (None, _) => StatedScope::Everywhere,
        };
        for mut bound in line_bounds(line, &scope) {
            bound.line = number;
            found.push(StatedBound { bound, scope: scope.clone(), of_input });
        }
    }
    found
}

fn group_number(line: &str) -> Option<u32> {
    GROUP.captures(line)?.get(1)?.as_str().parse().ok()
}

/// The number in the first cell of a table's row.
fn group_of_row(line: &str) -> Option<u32> {
    let line = line.trim();
    let (first, _) = match line.strip_prefix('|') {
        Some(row) => row.split_once('|')?,
        None => line.split_once('&').filter(|_| line.contains("\\\\"))?,
    };
    let digits = first.trim_matches(|c: char| !c.is_ascii_digit());
    let short = first.chars().filter(|c| c.is_alphanumeric()).count() <= 16;
    short.then(|| digits.parse().ok()).flatten()
}

fn line_bounds(line: &str, scope: &StatedScope) -> Vec<NumberBound> {
    let plain = plain_formulas(line);
    let said = prose_comparisons(&plain);
    std::iter::once(&plain).chain(&said).flat_map(|text| formula_bounds(text, scope)).collect()
}

fn formula_bounds(text: &str, scope: &StatedScope) -> Vec<NumberBound> {
    let words = read_words(text, WordSource::Prose);
    let reader = ExpressionReader { words: &words, source: WordSource::Prose, known: &KnownValues::new() };
    reader.chains().iter().flat_map(|chain| chain_bounds(chain, scope)).collect()
}

/// With signs of programs instead of TeX's, and numbers in one piece.
pub(super) fn plain_formulas(line: &str) -> String {
    // Twice: `1\,000\,000` shares its middle digits.
    let joined = THIN_SPACES.replace_all(line, "$1$2").into_owned();
    let mut text = THIN_SPACES.replace_all(&joined, "$1$2").into_owned();
    text = COMMANDS.replace_all(&text, "").into_owned();
    let signs = [
        ("\\leqslant", "<="),
        ("\\leq", "<="),
        ("\\le", "<="),
        ("≤", "<="),
        ("⩽", "<="),
        ("&lt;", "<"),
        ("\\geqslant", ">="),
        ("\\geq", ">="),
        ("\\ge", ">="),
        ("≥", ">="),
        ("⩾", ">="),
        ("&gt;", ">"),
        ("\\cdot", "*"),
        ("\\times", "*"),
        ("·", "*"),
        ("×", "*"),
        ("\\lvert", "|"),
        ("\\rvert", "|"),
        ("\\vert", "|"),
        ("\\mid", "|"),
        ("−", "-"),
        ("\\_", "_"),
        ("\\lt", "<"),
        ("\\gt", ">"),
        ("\\dots", " "),
        ("\\ldots", " "),
        ("\\(", "$"),
        ("\\)", "$"),
        ("\\[", "$"),
        ("\\]", "$"),
        ("`", "$"),
    ];
    for (from, to) in signs {
        text = text.replace(from, to);
    }
    raised_digits(&text)
}

/// `10⁵` as `10^5`.
fn raised_digits(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut raised = false;
    for letter in text.chars() {
        let digit = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().zip('0'..='9').find(|(up, _)| *up == letter);
        match digit {
            Some((_, digit)) if raised => plain.push(digit),
            Some((_, digit)) => plain.extend(['^', digit]),
            None => plain.push(letter),
        }
        raised = digit.is_some();
    }
    plain
}

fn chain_bounds(chain: &ComparisonChain, scope: &StatedScope) -> Vec<NumberBound> {
    let mut found = Vec::new();
    let mut add = |names: &Operand, end, value: Option<i128>| {
        if let (Operand::Names(names), Some(value)) = (names, value) {
            // A macro that is not known may change what is bounded.
            let names = names.iter().filter(|name| !name.is_empty());
            found.extend(names.map(|name| NumberBound { name: name.clone(), end, value, line: chain.line }));
        }
    };
    for (pair, sign) in chain.operands.windows(2).zip(&chain.signs) {
        let [left, right] = pair else { continue };
        let value = |operand: &Operand| match operand {
            Operand::Value(value) => Some(*value),
            Operand::Names(_) => None,
        };
        let (low, high) = (value(left), value(right));
        let (up, down) = (|v: Option<i128>| v?.checked_add(1), |v: Option<i128>| v?.checked_sub(1));
        let (of_right, of_left) = match sign {
            ComparisonSign::AtMost => ((BoundEnd::Least, low), (BoundEnd::Greatest, high)),
            ComparisonSign::Below => ((BoundEnd::Least, up(low)), (BoundEnd::Greatest, down(high))),
            ComparisonSign::AtLeast => ((BoundEnd::Greatest, low), (BoundEnd::Least, high)),
            ComparisonSign::Above => ((BoundEnd::Greatest, down(low)), (BoundEnd::Least, up(high))),
            // `n = 5` is a bound of a group; anywhere else it is an example.
            ComparisonSign::Same if *scope == StatedScope::Everywhere => continue,
            ComparisonSign::Same => {
                add(left, BoundEnd::Least, high);
                ((BoundEnd::Least, None), (BoundEnd::Greatest, high))
            }
        };
        add(right, of_right.0, of_right.1);
        add(left, of_left.0, of_left.1);
    }
    found
}

/// A text that is a number and nothing else, as statements write it: `10^5`, `2 \cdot 10^{5}`, `100\,000`.
pub fn whole_number(text: &str) -> Option<i128> {
    let plain = plain_formulas(text).replace('$', " ");
    let words = read_words(&plain, WordSource::Prose);
    let reader = ExpressionReader { words: &words, source: WordSource::Prose, known: &KnownValues::new() };
    reader.number(0).filter(|(_, end)| *end == words.len()).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    fn shown(text: &str) -> Vec<String> {
        let scope = |one: &StatedBound| match one.scope {
            StatedScope::Everywhere => String::new(),
            StatedScope::Group(number) => format!("{number}: "),
        };
        statement_bounds(text).iter().map(|one| format!("{}{}", scope(one), one.bound)).collect()
    }

    #[test]
    fn formulas_are_understood_in_their_usual_spellings() {
        let both = ["n ≥ 1", "n ≤ 100000"];
        for text in [
            r"$1 \le n \le 10^5$",
            r"$1\leq n\leq 10^{5}$",
            "1 ≤ n ≤ 10⁵",
            r"\(1 \leqslant n \leqslant 100\,000\)",
            r"`1 <= n <= 100000`",
            r"$0 < n < 100{,}001$",
            r"$1 \le n \le 100\ 000$",
            r"$1 \le n \le 1 \cdot 10^5$",
        ] {
            assert_eq!(shown(text), both, "{text}");
        }
        assert_eq!(shown(r"$1 \le n, m \le 50$"), ["n ≥ 1", "m ≥ 1", "n ≤ 50", "m ≤ 50"]);
        assert_eq!(
            shown(r"$-10^9 \le a_i \le 10^9+7$, $a_{i,j} \ge 3$"),
            ["a ≥ -1000000000", "a ≤ 1000000007", "a ≥ 3"]
        );
        assert_eq!(shown(r"$1 \le |s| \le 2^{31}-1$"), ["|s| ≥ 1", "|s| ≤ 2147483647"]);
    }

    #[test]
    fn what_is_no_bound_of_all_cases_is_none() {
        for text in [
            r"$0 \le k < m$".replace("0 \\le ", ""),
            r"$k = 5$".into(),
            "For 50\\% of the cases $n \\le 10$".into(),
            r"$n \le 2m$".into(),
            "```\n1 <= n <= 5\n```".into(),
            r"$n \le 0.5$".into(),
        ] {
            assert_eq!(shown(&text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn bounds_in_words_are_understood_where_name_and_number_are_certain() {
        for (text, expected) in [
            ("An integer $n$ between 1 and 1000.", "n ≥ 1, n ≤ 1000"),
            ("one integer $n$ from $1$ to $2 \\cdot 10^5$", "n ≥ 1, n ≤ 200000"),
            ("$x$ is between $-1000$ and $1000$, inclusive.", "x ≥ -1000, x ≤ 1000"),
            ("$n$ and $m$ are at most $10^5$.", "n ≤ 100000, m ≤ 100000"),
            ("Each $a_i$ is an integer between 0 and $10^9$ (inclusive).", "a ≥ 0, a ≤ 1000000000"),
            ("$x$ is positive and does not exceed $10^9$.", "x ≤ 1000000000"),
            ("- $k$ is less than 7;", "k ≤ 6"),
            ("It is guaranteed that $n$ does not exceed 50.", "n ≤ 50"),
            ("`rows` is at least 2", "rows ≥ 2"),
            ("the integer $n$, not exceeding 40", "n ≤ 40"),
        ] {
            assert_eq!(shown(text).join(", "), expected, "{text}");
        }
    }

    #[test]
    fn words_that_leave_a_doubt_say_nothing() {
        for text in [
            "$n$ integers between $-1000$ and $1000$, separated by single spaces",
            "The sum of all $n$ does not exceed $10^6$.",
            "all $n$ of one input together are at most $10^6$",
            "If $n$ is between 1 and 10, print it.",
            "for each $i$ from 1 to 5",
            "the number of $x$ is at most 5",
            "$s$ is at most 10 letters long",
            "$x$ is at most 2.5",
            "$x$ is between 1 and $n$",
            "$n$ is at most 5 times $m$",
            "$n$ and $m$ are at most 10 and 20, respectively",
            "the distance of $a$ and $b$ is at most 9",
            "integers from 1 to 200",
            "The length of $s$ does not exceed 100.",
            "the node $v$ is at least 3 edges away",
        ] {
            assert_eq!(shown(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn nothing_of_our_own_statements_is_misread() {
        let mut said = vec![];
        for dir in ["problems", "testdata", "src/start", "src/start_checker"] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
            let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().flatten();
            for file in files.filter(|file| file.file_name().to_string_lossy().starts_with("problem.")) {
                let is_text =
                    ["md", "tex"].iter().any(|ending| file.path().extension().is_some_and(|e| e == *ending));
                let text =
                    if is_text { fs::read_to_string(file.path()).unwrap_or_default() } else { String::new() };
                said.extend(text.lines().flat_map(|line| prose_comparisons(&plain_formulas(line))));
            }
        }
        assert_eq!(said, [] as [&str; 0], "read each of them, and say here that it is right");
    }

    #[test]
    fn rows_of_groups_hold_for_their_group() {
        assert_eq!(shown("| 2 | 40 | $m \\le 3$ and $k = 1$ |"), ["2: m ≤ 3", "2: k ≥ 1", "2: k ≤ 1"]);
        assert_eq!(shown("1 & 20 & $n \\le 10$ \\\\"), ["1: n ≤ 10"]);
        assert_eq!(shown("- Subtask 3 (10 points): $n \\le 7$"), ["3: n ≤ 7"]);
        assert_eq!(shown("## Group 1\n$n \\le 7$\n## Input\n$n \\le 9$"), ["1: n ≤ 7", "n ≤ 9"]);
    }
}
