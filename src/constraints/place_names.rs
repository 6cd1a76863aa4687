//! Which number of the inputs a name of the statement means, where its sentences leave no doubt: each line of
//! the input is described, in order, and names as many numbers as it has. Anything else ties nothing.

use super::{
    InputColumns,
    bound_words::{WordSource, read_words},
    comparisons::{ExpressionReader, KnownValues, Operand},
    statement_bounds::{HEADING, plain_formulas, regex, whole_number},
    without_index,
};
use regex_lite::{Captures, Regex};
use std::sync::LazyLock;

/// A name and where its number stands: a row of the layout, and a word in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPlace {
    /// As bounds call it: `a` of `a_i`.
    pub name: String,
    /// As in [`super::ColumnRanges`].
    pub place: (usize, usize),
}

/// What a sentence says about a line of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LineText {
    text: String,
    /// Whether it is one of those that every test case has.
    of_test_case: bool,
    /// Whether there are several of it: `the next $m$ lines`.
    repeats: bool,
}

static ABOUT_INPUT: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)\b(?:input|eingabe)"));
/// Where the description of a line begins.
static LINE_BEGIN: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:(?P<nth>first|second|third|fourth|erste|zweite|dritte|vierte) (?:line|zeile)|(?P<one>(?:single|only|one|eine|einzige) (?:line|zeile)|one with)|(?P<many>next|following|then|folgenden|nächsten) \$[^$]*\$ (?:lines|zeilen))\b",
    )
});
static OF_TEST_CASE: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)\b(?:each|every|a|the) (?:test|test ?case|case)\b|\bjede[rs]? (?:test)?fall")
});
static NAME: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^[A-Za-z][A-Za-z0-9]*(?:_(?:\{[^}]*\}|\w+))?(?:\[[^\]]*\])*$"));

/// Ties names to places. `is_bounded`: whether the statement bounds a name; one that it does not is hardly
/// a number of the input, and makes its line doubtful.
pub fn named_places(
    text: &str,
    columns: &InputColumns,
    is_bounded: &dyn Fn(&str) -> bool,
) -> Vec<NamedPlace> {
    let lines = described_lines(&input_section(text)).unwrap_or_default();
    if !columns.has_rows(lines.len(), lines.iter().position(|line| line.of_test_case || line.repeats)) {
        return vec![];
    }
    let (mut known, mut found): (Vec<String>, Vec<NamedPlace>) = (Vec::new(), Vec::new());
    for (row, line) in lines.iter().enumerate() {
        let Some(names) = names_in_order(&line.text) else { return vec![] };
        let new: Vec<NameInText> = names.into_iter().filter(|name| !known.contains(&name.stem)).collect();
        known.extend(new.iter().map(|name| name.stem.clone()));
        if new.iter().all(|name| is_bounded(&name.stem)) {
            found.extend(tied_names(&new, row, columns));
        }
    }
    found
}

/// The part of a statement that describes the input, in one line.
fn input_section(text: &str) -> String {
    let mut inside = false;
    let mut section = Vec::new();
    for line in text.lines() {
        if HEADING.is_match(line) {
            inside = ABOUT_INPUT.is_match(line);
        } else if inside {
            section.push(line.trim());
        }
    }
    plain_formulas(&section.join(" "))
}

/// All lines in order; `None` if the order is not clear.
fn described_lines(section: &str) -> Option<Vec<LineText>> {
    let begins: Vec<Captures> = LINE_BEGIN.captures_iter(section).collect();
    let mut lines: Vec<LineText> = Vec::new();
    // Where the lines of a test case begin.
    let mut first = 0;
    for (at, begin) in begins.iter().enumerate() {
        let whole = begin.get(0)?;
        let end = begins.get(at + 1).and_then(|next| next.get(0)).map_or(section.len(), |next| next.start());
        let text = sentence_begin(&section[whole.end()..end]);
        let before = &section[..whole.start()];
        let before = &before[before.rfind(". ").map_or(0, |at| at + 2)..];
        let names_case = |text: &str| OF_TEST_CASE.is_match(text);
        let of_first_words: String = text.chars().take(24).collect();
        let begins_case = names_case(before) || names_case(&of_first_words);
        let is_inside = lines.last().is_some_and(|line| line.of_test_case);
        if begins_case && !is_inside {
            first = lines.len();
        }
        let repeats = begin.name("many").is_some();
        let nth = begin.name("nth").map(|nth| ordinal(nth.as_str()));
        let in_order = nth.is_none_or(|nth| first + nth == lines.len());
        // Behind lines that repeat nobody knows how many there are.
        if !in_order || lines.last().is_some_and(|line| line.repeats) {
            return None;
        }
        let text = text.to_owned();
        lines.push(LineText { text, of_test_case: begins_case || is_inside, repeats });
    }
    // A block of lines that repeat inside of test cases has no place of its own.
    let is_mixed = lines.iter().any(|line| line.of_test_case) && lines.iter().any(|line| line.repeats);
    (!is_mixed && !lines.is_empty()).then_some(lines)
}

/// From 0.
fn ordinal(word: &str) -> usize {
    let words = [["first", "erste"], ["second", "zweite"], ["third", "dritte"], ["fourth", "vierte"]];
    let word = word.to_lowercase();
    words.iter().position(|pair| pair.contains(&word.as_str())).unwrap_or(0)
}

/// A text up to the point that ends its sentence.
fn sentence_begin(text: &str) -> &str {
    let ends = text.match_indices(". ").map(|(at, _)| at);
    let is_outside = |at: &usize| text[..*at].matches('$').count().is_multiple_of(2);
    let end = ends.into_iter().find(is_outside).unwrap_or(text.len());
    &text[..end]
}

/// A name of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NameInText {
    /// Without its index.
    stem: String,
    is_indexed: bool,
}

/// Names in the order in which they come first; `None` if some formula is not understood.
fn names_in_order(text: &str) -> Option<Vec<NameInText>> {
    if !text.matches('$').count().is_multiple_of(2) {
        return None;
    }
    let mut names: Vec<NameInText> = Vec::new();
    for formula in text.split('$').skip(1).step_by(2) {
        for name in formula_names(formula)? {
            if names.iter().all(|known| known.stem != name.stem) {
                names.push(name);
            }
        }
    }
    Some(names)
}

fn formula_names(formula: &str) -> Option<Vec<NameInText>> {
    if formula.contains(['<', '>']) {
        return compared_names(formula);
    }
    let mut names = Vec::new();
    for piece in formula.split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
        let piece = piece.strip_prefix('{').and_then(|piece| piece.strip_suffix('}')).unwrap_or(piece).trim();
        if whole_number(piece).is_some() {
            continue;
        }
        NAME.is_match(piece).then_some(())?;
        let stem = without_index(piece);
        names.push(NameInText { stem: stem.to_owned(), is_indexed: stem != piece });
    }
    Some(names)
}

/// Names of `1 <= n, m <= 5`; `None` for comparisons of anything else.
fn compared_names(formula: &str) -> Option<Vec<NameInText>> {
    let words = read_words(formula, WordSource::Prose);
    let reader = ExpressionReader { words: &words, source: WordSource::Prose, known: &KnownValues::new() };
    let chains = reader.chains();
    let operands = chains.iter().flat_map(|chain| &chain.operands);
    let mut names = Vec::new();
    for operand in operands {
        let Operand::Names(of_operand) = operand else { continue };
        for stem in of_operand {
            (!stem.is_empty()).then_some(())?;
            let is_indexed =
                [format!("{stem}_"), format!("{stem}[")].iter().any(|begin| formula.contains(begin));
            names.push(NameInText { stem: stem.clone(), is_indexed });
        }
    }
    (!names.is_empty()).then_some(names)
}

/// Names of a line, if it has as many numbers as names; or the one of all its numbers.
fn tied_names(new: &[NameInText], row: usize, columns: &InputColumns) -> Vec<NamedPlace> {
    let named =
        |(at, name): (usize, &NameInText)| NamedPlace { name: name.stem.clone(), place: (row, at + 1) };
    match (columns.width_of(row), new) {
        (Some(width), _) if width == new.len() => new.iter().enumerate().map(named).collect(),
        (None, [one]) if one.is_indexed => vec![NamedPlace { name: one.stem.clone(), place: (row, 0) }],
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::InputShape;

    fn tied(statement: &str, inputs: &[&str]) -> Vec<String> {
        let shapes: Vec<InputShape> = inputs.iter().map(|text| InputShape::of(text)).collect();
        let columns = InputColumns::of(&shapes);
        let text = format!("Story.\n\n## Input\n\n{statement}\n\n## Output\n\nOne line with $z$.\n");
        let places = named_places(&text, &columns, &|name| name != "G");
        places.iter().map(|one| format!("{} {}", one.name, columns.place_name(one.place))).collect()
    }

    const ROWS: [&str; 2] = ["2\n3 4\n", "3\n5 6 7\n"];
    const EDGES: [&str; 2] = ["2 1\n1 2\n", "3 2\n1 2\n2 3\n"];
    const CASES: [&str; 2] = ["1\n2\n3 4\n", "2\n1\n5\n3\n1 2 3\n"];

    #[test]
    fn names_are_tied_where_every_line_is_described() {
        for statement in [
            "The first line has an integer $n$, $1 \\le n \\le 9$.\nThe second line has $n$ integers $a_1, a_2, \\dots, a_n$ ($1 \\le a_i \\le 9$).",
            "Two lines: one with $n$ ($1 \\le n \\le 9$), one with $n$ integers $a_0, \\ldots, a_{n-1}$.",
            "Die erste Zeile enthält $n$. Die zweite Zeile enthält $n$ Zahlen $a_i$. Alle $a_i$ sind größer als $G$.",
        ] {
            assert_eq!(tied(statement, &ROWS), ["n line 1", "a line 2, all words"], "{statement}");
        }
        for statement in [
            "One line with $n$ ($1 \\le n \\le 9$) and $m$. The next $m$ lines contain two integers $u_i$ and $v_i$.",
            "The first line contains $n$ and $m$. Each of the following $m$ lines contains $u$ and $v$ ($1 \\le u, v \\le n$).",
        ] {
            let expected =
                ["n line 1, word 1", "m line 1, word 2", "u lines from 2, word 1", "v lines from 2, word 2"];
            assert_eq!(tied(statement, &EDGES), expected, "{statement}");
        }
        for statement in [
            "The first line has the number $t$ of test cases. Each test case has two lines: one with $n$, one with $n$ integers $a_i$.",
            "The first line has $t$. The first line of each test case has $n$. The second line has $a_1, \\dots, a_n$.",
        ] {
            let expected = ["t line 1", "n lines 2, 4, …", "a lines 3, 5, …, all words"];
            assert_eq!(tied(statement, &CASES), expected, "{statement}");
        }
    }

    #[test]
    fn what_leaves_a_doubt_is_not_tied() {
        for (statement, inputs) in [
            ("The first line has $n$.", &ROWS[..]),
            ("The first line has $n$ and the graph $G$. The second line has $n$ integers.", &ROWS[..]),
            ("The first line has $n$ and $k$. The second line has $n$ numbers.", &ROWS[..]),
            ("The second line has $n$ numbers $a_i$. The first line has $n$.", &ROWS[..]),
            ("The first line has $n$. The first line has $k$.", &ROWS[..]),
            ("The first line has $n \\cdot k$. The second line has $a_i$.", &ROWS[..]),
            ("The first line has two integers, the size and $n$.", &["1 2\n", "3 4\n"][..]),
            ("", &ROWS[..]),
        ] {
            assert_eq!(tied(statement, inputs), Vec::<String>::new(), "{statement}");
        }
    }
}
