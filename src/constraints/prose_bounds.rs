//! Bounds that a statement says in words: `$n$ is between 1 and 1000`, `$x$ is positive and does not exceed $10^9$`.
//!
//! English, and only where number and name are certain: the name stands in a formula of its own, nothing in the
//! clause before it makes it something else (`the sum of all $n$`, `if $n$`), and nothing behind the number makes that
//! something else (`at most 10 letters`). They become comparisons, which are read as any other.

use regex_lite::{Captures, Regex};
use std::sync::LazyLock;

/// In these lines numbers may hold now and then, or for several things together.
static UNCERTAIN: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:if|when|whenever|unless|until|while|otherwise|sum|sums|total|together|overall|product|average|respectively|for (?:all|any|each|every)|choose|pick|print|output|either|not (?:be|between|at))\b",
    )
});

/// What may stand in a clause before a name that is the subject of it.
static PLAIN_START: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:\s|the|an|a|one|two|single|first|second|third|following|next|lines?|input|contains?|consists|has|have|with|where|and|both|each|it|is|guaranteed|that|here|positive|non-?negative|integers?|numbers?|values?|[*_-])*$",
    )
});

/// A unit behind a number makes it a number of something else.
static PLAIN_END: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)^\s*(?:$|\.(?:\s|$)|[,;:)|]|\(?(?:both )?inclusive|and\s+\D)"));

const NAME: &str =
    r"\$\s*(?:[A-Za-z](?:_(?:\w|\{\w(?:,\s*\w)*\}))?|[A-Za-z][A-Za-z_]{1,15}|\|[A-Za-z]\|)\s*\$";
const NUMBER: &str = r"(?:\$\s*-?\d[\d^*{}()+ -]*\$|-?\d+(?:\^\d+|\^\{\d+\})?)";
const NOUN: &str = r"(?:integers?|numbers?|values?)";

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("patterns of this file are valid")
}

/// A phrase, and the comparisons that it stands for, of its names (`N`), its first number (`A`) and its second (`B`).
struct Phrase {
    pattern: Regex,
    meaning: &'static [&'static str],
}

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let names = format!(r"(?P<names>{NAME}(?:\s*(?:,|and|, and)\s*{NAME})*)");
    let (first, second) = (format!(r"(?P<a>{NUMBER})"), format!(r"(?P<b>{NUMBER})"));
    let is = r"(?:is|are|will be|must be)(?:\s+always)?";
    let kind = format!(r"(?:\s+an?)?(?:\s+positive)?(?:\s+{NOUN})?");
    let range = format!(
        r"(?:(?:in the range )?from\s+{first}\s+to|between\s+{first2}\s+and)\s+{second}",
        first2 = first.replace("<a>", "<c>")
    );
    let phrase = |pattern: String, meaning| Phrase { pattern: regex(&format!("(?i){pattern}")), meaning };
    let both: &[&str] = &["A <= N", "N <= B"];
    vec![
        phrase(format!(r"{names},?\s+(?:which\s+|that\s+)?{is}{kind}\s+{range}"), both),
        phrase(format!(r"{NOUN}\s+{names},?\s+{range}"), both),
        phrase(
            format!(
                r"{names}\s+{is}{kind}\s+(?:at most|no more than|not more than|no greater than|not greater than)\s+{first}"
            ),
            &["N <= A"],
        ),
        phrase(
            format!(
                r"{names}\s+{is}{kind}\s+(?:at least|no less than|not less than|no smaller than)\s+{first}"
            ),
            &["N >= A"],
        ),
        phrase(format!(r"{names}\s+{is}{kind}\s+(?:less than|smaller than)\s+{first}"), &["N < A"]),
        phrase(
            format!(r"{names}\s+{is}{kind}\s+(?:more than|greater than|larger than)\s+{first}"),
            &["N > A"],
        ),
        phrase(
            format!(
                r"{names}\s+(?:{is}{kind}(?:\s+positive)?,?\s+and\s+)?(?:(?:does|do|will|must) not exceed|never exceeds?)\s+{first}"
            ),
            &["N <= A"],
        ),
        phrase(
            format!(r"{NOUN}\s+{names},?\s+(?:at most|not exceeding|no more than)\s+{first}"),
            &["N <= A"],
        ),
    ]
});

/// The comparisons that a line says in words; formulas are plain already.
pub(super) fn prose_comparisons(line: &str) -> Vec<String> {
    if UNCERTAIN.is_match(line) {
        return vec![];
    }
    PHRASES.iter().flat_map(|phrase| phrase.comparisons(line)).collect()
}

impl Phrase {
    fn comparisons(&self, line: &str) -> Vec<String> {
        self.pattern
            .captures_iter(line)
            .filter_map(|found| self.of_captures(line, &found))
            .flatten()
            .collect()
    }

    fn of_captures(&self, line: &str, found: &Captures) -> Option<Vec<String>> {
        let whole = found.get(0)?;
        let before = line[..whole.start()].rsplit(['.', ';', ':', ',', '(', '|']).next().unwrap_or_default();
        if !PLAIN_START.is_match(before) || !PLAIN_END.is_match(&line[whole.end()..]) {
            return None;
        }
        let formula = |text: &str| text.replace('$', " ");
        let named = |name: &str| found.name(name).map(|part| formula(part.as_str()));
        let names = named("names")?.replace(" and ", ", ").replace(",,", ",");
        let (first, second) = (named("a").or_else(|| named("c"))?, named("b").unwrap_or_default());
        // One pass over the letters: a name may be called `A`.
        let fill = |meaning: &&str| -> String {
            meaning
                .split(' ')
                .map(|word| match word {
                    "N" => names.as_str(),
                    "A" => first.as_str(),
                    "B" => second.as_str(),
                    sign => sign,
                })
                .collect::<Vec<_>>()
                .join(" ")
        };
        Some(self.meaning.iter().map(fill).collect())
    }
}
