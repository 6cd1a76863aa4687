//! Bounds in the text of validators and generators, whatever they are written in.
//!
//! Understood are calls that name what they read and its bounds (`readInt(1, 100, "n")`,
//! `read_integer("n", 1, 100)`, `INT(1, 100, n)`, `n = inf.readInt(1, 100)`), comparisons that
//! close a range (`1 <= n <= 100`, `n < 1 || n > 100`), and constants such as `MAX_N`.

use super::{
    BoundEnd, NumberBound,
    bound_words::{BoundWord, WordKind, WordSource, read_words},
    comparisons::{ComparisonChain, ComparisonSign, ExpressionReader, KnownValues, Operand},
    without_index,
};
use std::collections::BTreeSet;

/// What the text of a program says about numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramBounds {
    /// Bounds that it certainly checks.
    pub stated: Vec<NumberBound>,
    /// Those of them that a call reads a number with.
    pub read: Vec<NumberBound>,
    /// What may be bounds: single comparisons, constants.
    pub possible: Vec<NumberBound>,
    /// Constants that are called like bounds.
    pub constants: Vec<NumberBound>,
    /// Every number that stands anywhere in it.
    pub numbers: BTreeSet<i128>,
}

impl ProgramBounds {
    /// Reads a text.
    pub fn of(text: &str) -> ProgramBounds {
        let words = read_words(text, WordSource::Program);
        let known = assigned_values(&words);
        let reader = ExpressionReader { words: &words, source: WordSource::Program, known: &known };
        let mut found = ProgramBounds::default();
        found.add_calls(reader);
        found.add_chains(&reader.chains());
        found.add_constants(reader);
        found.add_numbers(reader);
        found
    }

    fn add_calls(&mut self, reader: ExpressionReader) {
        for at in 0..reader.words.len() {
            let bounds = call_bounds(reader, at);
            self.stated.extend(bounds.iter().cloned());
            self.read.extend(bounds);
        }
    }

    fn add_chains(&mut self, chains: &[ComparisonChain]) {
        let mut singles: Vec<NumberBound> = Vec::new();
        for chain in chains {
            let bounds: Vec<NumberBound> = chain
                .operands
                .windows(2)
                .zip(&chain.signs)
                .flat_map(|(pair, sign)| simple_bound(pair, *sign, chain.line))
                .collect();
            if chain.signs.len() > 1 {
                self.stated.extend(bounds.iter().cloned());
            }
            // Either what is wanted, or what is refused.
            self.possible.extend(bounds.iter().map(opposite));
            singles.extend(bounds);
        }
        self.stated.extend(singles.windows(2).filter_map(closed_range).flatten());
        self.possible.extend(singles);
    }

    fn add_constants(&mut self, reader: ExpressionReader) {
        for at in 0..reader.words.len() {
            let Some((name, value, _)) = assignment(reader, at) else { continue };
            let bound = bound_of_name(name);
            let line = reader.words[at].line;
            self.constants.extend(bound.map(|(end, name)| NumberBound { name, end, value, line }));
        }
        self.possible.extend(self.constants.iter().cloned());
    }

    fn add_numbers(&mut self, reader: ExpressionReader) {
        for (at, word) in reader.words.iter().enumerate() {
            match &word.kind {
                WordKind::Quoted(text) => self.numbers.extend(plain_numbers(text)),
                WordKind::Number(value) => self.numbers.extend([*value]),
                WordKind::Name(_) | WordKind::Real | WordKind::Sign(_) => {}
            }
            self.numbers.extend(reader.number(at).map(|(value, _)| value));
        }
    }
}

fn plain_numbers(text: &str) -> impl Iterator<Item = i128> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}

/// The first value of every name.
fn assigned_values(words: &[BoundWord]) -> KnownValues {
    let mut known = KnownValues::new();
    for at in 0..words.len() {
        let reader = ExpressionReader { words, source: WordSource::Program, known: &known };
        let mut new: Vec<(String, i128)> = Vec::new();
        if let Some((name, value, _)) = assignment(reader, at) {
            new.push((name.to_owned(), value));
        }
        new.extend(tuple_assignment(reader, at));
        for (name, value) in new {
            known.entry(name).or_insert(value);
        }
    }
    known
}

/// `name = value`, `name: type = value`, `#define name value`.
fn assignment<'a>(reader: ExpressionReader<'a>, at: usize) -> Option<(&'a str, i128, usize)> {
    let WordKind::Name(name) = &reader.words[at].kind else { return None };
    let is = |at: usize, sign: &'static str| {
        reader.words.get(at).is_some_and(|word| word.kind == WordKind::Sign(sign))
    };
    let is_define = at > 0 && reader.words[at - 1].kind == WordKind::Name("define".to_owned());
    let value_at = match () {
        () if is_define => at + 1,
        () if is(at + 1, "=") || is(at + 1, ":=") => at + 2,
        () if is(at + 1, ":") && is(at + 3, "=") => at + 4,
        () => return None,
    };
    reader.number(value_at).map(|(value, end)| (name.as_str(), value, end))
}

/// `(a, b) = (1, 2)` and `a, b = 1, 2`.
fn tuple_assignment(reader: ExpressionReader, at: usize) -> Vec<(String, i128)> {
    let sign = |at: usize| match reader.words.get(at).map(|word| &word.kind) {
        Some(WordKind::Sign(sign)) => *sign,
        _ => "",
    };
    if sign(at) != "=" {
        return vec![];
    }
    let mut names = Vec::new();
    for word in reader.words[..at].iter().rev() {
        match &word.kind {
            WordKind::Name(name) if ["let", "mut", "const", "var"].contains(&name.as_str()) => {}
            WordKind::Name(name) => names.push(name.clone()),
            WordKind::Sign("," | "(" | ")") => {}
            _ => break,
        }
        if word.line != reader.words[at].line {
            break;
        }
    }
    names.reverse();
    let mut values = Vec::new();
    let mut next = at + 1 + usize::from(sign(at + 1) == "(");
    while let Some((value, end)) = reader.number(next) {
        values.push(value);
        if sign(end) != "," {
            break;
        }
        next = end + 1;
    }
    if names.len() < 2 || names.len() != values.len() {
        return vec![];
    }
    names.into_iter().zip(values).collect()
}

/// An argument of a call, as far as it matters.
enum CallArgument {
    Value(i128),
    Title(String),
    Other(Option<String>),
}

impl CallArgument {
    fn value(&self) -> Option<i128> {
        match self {
            CallArgument::Value(value) => Some(*value),
            CallArgument::Title(_) | CallArgument::Other(_) => None,
        }
    }
}

/// A call that reads a named number within bounds.
fn call_bounds(reader: ExpressionReader, at: usize) -> Vec<NumberBound> {
    let WordKind::Name(callee) = &reader.words[at].kind else { return vec![] };
    let Some(arguments) = call_arguments(reader, at + 1) else { return vec![] };
    let callee = callee.rsplit(['.', ':']).next().unwrap_or(callee).to_ascii_lowercase();
    if ["print", "format", "log"].iter().any(|word| callee.contains(word)) {
        return vec![];
    }
    let reads = ["int", "long", "num"].iter().any(|word| callee.contains(word));
    let title = arguments.iter().find_map(|argument| match argument {
        CallArgument::Title(title) if !title.is_empty() => Some(title.clone()),
        CallArgument::Title(_) | CallArgument::Value(_) | CallArgument::Other(_) => None,
    });
    let others: Vec<&CallArgument> =
        arguments.iter().filter(|argument| !matches!(argument, CallArgument::Title(_))).collect();
    let (name, low, high) = match (title, others.as_slice()) {
        (Some(title), [.., low, high]) => match number_pair(&others) {
            Some((low, high)) => (Some(title), low, high),
            None => (Some(title), *low, *high),
        },
        // Checktestdata names what it reads last.
        (None, [low, high, CallArgument::Other(Some(name))]) if reads => (Some(name.clone()), *low, *high),
        (None, [low, high]) if reads => (assigned_name(reader, at), *low, *high),
        _ => return vec![],
    };
    let Some(name) = name else { return vec![] };
    let (low, high) = (low.value(), high.value());
    if low.zip(high).is_some_and(|(low, high)| low > high) {
        return vec![];
    }
    let line = reader.words[at].line;
    let name = without_index(&name).to_owned();
    let bound = |end, value: Option<i128>| Some(NumberBound { name: name.clone(), end, value: value?, line });
    [bound(BoundEnd::Least, low), bound(BoundEnd::Greatest, high)].into_iter().flatten().collect()
}

/// The last two numbers that stand side by side: before or behind them may be how many are read, or which.
fn number_pair<'a>(arguments: &[&'a CallArgument]) -> Option<(&'a CallArgument, &'a CallArgument)> {
    let pairs = arguments.windows(2).rev();
    pairs.map(|pair| (pair[0], pair[1])).find(|(low, high)| low.value().is_some() && high.value().is_some())
}

/// What stands before `= inf.readInt(…)`.
fn assigned_name(reader: ExpressionReader, at: usize) -> Option<String> {
    let equal = (at.saturating_sub(3)..at).rev().find(|&at| reader.words[at].kind == WordKind::Sign("="))?;
    match &reader.words.get(equal.checked_sub(1)?)?.kind {
        WordKind::Name(name) => Some(name.clone()),
        _ => None,
    }
}

fn call_arguments(reader: ExpressionReader, open: usize) -> Option<Vec<CallArgument>> {
    let sign = |at: usize| match reader.words.get(at).map(|word| &word.kind) {
        Some(WordKind::Sign(sign)) => Some(*sign),
        _ => None,
    };
    (sign(open)? == "(").then_some(())?;
    let mut arguments = Vec::new();
    let (mut depth, mut start) = (0, open + 1);
    // More words than any call of this kind has.
    for at in open + 1..(open + 80).min(reader.words.len()) {
        match sign(at) {
            Some("(" | "[" | "{") => depth += 1,
            Some(")") if depth == 0 => {
                if at > start {
                    arguments.push(argument_of(reader, start, at));
                }
                return Some(arguments);
            }
            Some(")" | "]" | "}") => depth -= 1,
            Some(",") if depth == 0 => {
                arguments.push(argument_of(reader, start, at));
                start = at + 1;
            }
            Some(";") => return None,
            Some(_) | None => {}
        }
    }
    None
}

fn argument_of(reader: ExpressionReader, start: usize, end: usize) -> CallArgument {
    match &reader.words[start].kind {
        // One letter between quotes is a letter that ends something, as often as a name.
        WordKind::Quoted(text) if end == start + 1 && is_title(text) => CallArgument::Title(text.clone()),
        WordKind::Name(name) if end == start + 1 && reader.number(start).is_none() => {
            CallArgument::Other(Some(name.clone()))
        }
        _ => match reader.number(start) {
            Some((value, stop)) if stop == end => CallArgument::Value(value),
            _ if is_byte(reader, start, end) => CallArgument::Title(String::new()),
            _ => CallArgument::Other(None),
        },
    }
}

/// `b' '` of Rust, which is read as a name and a quote, and other quoted texts that are no names.
fn is_byte(reader: ExpressionReader, start: usize, end: usize) -> bool {
    reader.words[start..end].iter().any(|word| matches!(word.kind, WordKind::Quoted(_)))
}

fn is_title(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic())
}

/// The bound that a comparison is, if it holds a name against a number.
fn simple_bound(pair: &[Operand], sign: ComparisonSign, line: u32) -> Option<NumberBound> {
    use ComparisonSign::{Above, AtLeast, AtMost, Below, Same};
    let (names, value, sign) = match pair {
        [Operand::Names(names), Operand::Value(value)] => (names, *value, sign),
        [Operand::Value(value), Operand::Names(names)] => {
            let mirrored = match sign {
                AtMost => AtLeast,
                Below => Above,
                AtLeast => AtMost,
                Above => Below,
                Same => Same,
            };
            (names, *value, mirrored)
        }
        _ => return None,
    };
    let (end, value) = match sign {
        AtMost => (BoundEnd::Greatest, value),
        Below => (BoundEnd::Greatest, value - 1),
        AtLeast => (BoundEnd::Least, value),
        Above => (BoundEnd::Least, value + 1),
        Same => return None,
    };
    Some(NumberBound { name: names.first()?.clone(), end, value, line })
}

/// What is left if the comparison says what is refused.
fn opposite(bound: &NumberBound) -> NumberBound {
    let (end, value) = match bound.end {
        BoundEnd::Greatest => (BoundEnd::Least, bound.value + 1),
        BoundEnd::Least => (BoundEnd::Greatest, bound.value - 1),
    };
    NumberBound { end, value, ..bound.clone() }
}

/// Two comparisons of one name in one line: what is wanted, or the two sides of it that are refused.
fn closed_range(pair: &[NumberBound]) -> Option<Vec<NumberBound>> {
    let [first, second] = pair else { return None };
    if first.name != second.name || first.line != second.line || first.end == second.end {
        return None;
    }
    let least = if first.end == BoundEnd::Least { first } else { second };
    let greatest = if first.end == BoundEnd::Least { second } else { first };
    match least.value <= greatest.value {
        true => Some(vec![least.clone(), greatest.clone()]),
        false => Some(vec![opposite(greatest), opposite(least)]),
    }
}

/// The bound that a name speaks of: `MAX_N`, `nmax`, `max-n`, `minValue`.
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

/// `maxValue` and `max-value` as `max value`, in small letters.
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

/// The bound that an argument of a validator is: `--max-n=5`, or `--max-n` before `5`.
pub fn bound_of_argument(name: &str, value: &str) -> Option<(BoundEnd, String, i128)> {
    let value = super::whole_number(value)?;
    bound_of_name(name).map(|(end, name)| (end, name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(text: &str) -> Vec<String> {
        ProgramBounds::of(text).stated.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn calls_that_read_numbers_are_understood() {
        for text in [
            "int n = inf.readInt(1, 100000, \"n\");",
            "int n = inf.readInt(1, 1e5);",
            "const int MAXN = 100'000;\nint n = inf.readInt(1, MAXN, \"n\");",
            "#define MAXN 100000\nn = inf.readLong(1LL, MAXN);",
            "n = v.read_integer('n', 1, 10**5)",
            "INT(1, 100000, n)",
            "inf.readInts(m, 1, pow(10, 5), \"n_i\");",
            "let (mut t, mut max_n) = (30, 100_000);\nlet n = input.number(\"n\", 1, max_n, b'\\n');",
            "input.row(\"n\", count, 1, 100_000);",
            "ok = read_int('n', 1, 100000, n)",
        ] {
            assert_eq!(stated(text), ["n ≥ 1", "n ≤ 100000"], "{text}");
        }
        assert_eq!(stated("k = inf.readInt(0, m - 1, \"k\")"), ["k ≥ 0"]);
        assert!(stated("printf(\"n\", 1, 2, 3); f(\"x.txt\"); format(\"n\", 1, 2)").is_empty());
    }

    #[test]
    fn ranges_are_understood_however_they_are_refused() {
        for text in [
            "assert 1 <= n <= 10**5",
            "if not (1 <= n <= 100000): sys.exit(43)",
            "if (n < 1 || n > 100000) return 43;",
            "assert(n >= 1 && n <= 100000);",
            "MAXN = 10**5\nassert 1 <= n <= MAXN",
            "if n < 1 or 100_000 < n:",
        ] {
            assert!(
                stated(text).starts_with(&["n ≥ 1".into(), "n ≤ 100000".into()]),
                "{text}: {:?}",
                stated(text)
            );
        }
        assert_eq!(stated("if n > 100: fail()"), Vec::<String>::new());
        assert_eq!(stated("assert x - 1 <= n <= 2 * m"), Vec::<String>::new());
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
