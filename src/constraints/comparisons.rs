//! Comparisons between names and numbers, in words of a text: `1 <= n <= 100`, `n > 10**5`.

use super::bound_words::{BoundWord, WordKind, WordSource};
use std::collections::BTreeMap;

/// Values of names that were given one, each the first it was given.
pub(super) type KnownValues = BTreeMap<String, i128>;

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operand {
    /// A number.
    Value(i128),
    /// Names that are compared together: `n, m`.
    Names(Vec<String>),
}

/// How two operands compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ComparisonSign {
    /// The left is not greater.
    AtMost,
    /// The left is less.
    Below,
    /// The left is not less.
    AtLeast,
    /// The left is greater.
    Above,
    /// They are the same.
    Same,
}

/// Operands with signs between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ComparisonChain {
    pub(super) operands: Vec<Operand>,
    pub(super) signs: Vec<ComparisonSign>,
    pub(super) line: u32,
}

/// Reads expressions in a list of words.
#[derive(Clone, Copy)]
pub(super) struct ExpressionReader<'a> {
    pub(super) words: &'a [BoundWord],
    pub(super) source: WordSource,
    pub(super) known: &'a KnownValues,
}

/// After these a sign of minus belongs to a number.
const WORDS_BEFORE: [&str; 8] = ["if", "elif", "assert", "and", "or", "not", "return", "while"];
/// Deeper nesting is no number that somebody wrote.
const DEEPEST: usize = 8;

impl ExpressionReader<'_> {
    /// All chains, in order.
    pub(super) fn chains(self) -> Vec<ComparisonChain> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            let chain = if self.begins_operand(at) { self.chain(at) } else { None };
            match chain {
                Some((chain, end)) => {
                    found.push(chain);
                    at = end;
                }
                None => at += 1,
            }
        }
        found
    }

    /// Whether what stands before does not belong to the same operand.
    fn begins_operand(self, at: usize) -> bool {
        let is_minus = self.sign_at(at) == Some("-");
        match at.checked_sub(1).map(|before| &self.words[before].kind) {
            Some(WordKind::Sign(sign)) => {
                let closes = [")", "]", "}"].contains(sign);
                let goes_on = ["+", "-", "*", "/", "%", "^", "**", "<<", ">>", "]"].contains(sign);
                !goes_on && (!is_minus || !closes)
            }
            Some(WordKind::Number(_) | WordKind::Real) => false,
            Some(WordKind::Name(name)) => !is_minus || WORDS_BEFORE.contains(&name.as_str()),
            Some(WordKind::Quoted(_)) | None => true,
        }
    }

    fn chain(self, start: usize) -> Option<(ComparisonChain, usize)> {
        let (first, mut at) = self.operand(start)?;
        let mut chain =
            ComparisonChain { operands: vec![first], signs: vec![], line: self.words[start].line };
        while let Some(sign) = self.comparison_sign(at) {
            match self.operand(at + 1) {
                Some((operand, end)) => {
                    chain.signs.push(sign);
                    chain.operands.push(operand);
                    at = end;
                }
                None => break,
            }
        }
        (!chain.signs.is_empty()).then_some((chain, at))
    }

    fn comparison_sign(self, at: usize) -> Option<ComparisonSign> {
        match self.words.get(at)?.kind {
            WordKind::Sign("<=") => Some(ComparisonSign::AtMost),
            WordKind::Sign("<") => Some(ComparisonSign::Below),
            WordKind::Sign(">=") => Some(ComparisonSign::AtLeast),
            WordKind::Sign(">") => Some(ComparisonSign::Above),
            WordKind::Sign("=") if self.source == WordSource::Prose => Some(ComparisonSign::Same),
            WordKind::Sign("==") => Some(ComparisonSign::Same),
            _ => None,
        }
    }

    fn operand(self, at: usize) -> Option<(Operand, usize)> {
        if let Some((value, end)) = self.number(at) {
            return Some((Operand::Value(value), end));
        }
        self.names(at).map(|(names, end)| (Operand::Names(names), end))
    }

    /// A number that nothing is added to: `5` of `5 * n` is none.
    pub(super) fn number(self, at: usize) -> Option<(i128, usize)> {
        let (value, end) = self.sum(at, DEEPEST)?;
        (!self.goes_on(end)).then_some((value, end))
    }

    /// Whether the operand before goes on in a way that is not understood.
    fn goes_on(self, at: usize) -> bool {
        match self.words.get(at).map(|word| &word.kind) {
            Some(WordKind::Sign(sign)) => {
                ["+", "-", "*", "/", "%", "^", "**", "<<", ">>", "(", "[", "."].contains(sign)
            }
            Some(WordKind::Number(_) | WordKind::Real) => self.source == WordSource::Prose,
            // `5n` is a product; a word after it is not.
            Some(WordKind::Name(name)) => {
                self.source == WordSource::Prose && name.chars().count() == 1 && name.is_ascii()
            }
            Some(WordKind::Quoted(_)) | None => false,
        }
    }

    fn sign_at(self, at: usize) -> Option<&'static str> {
        match self.words.get(at)?.kind {
            WordKind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    fn sum(self, at: usize, depth: usize) -> Option<(i128, usize)> {
        let (mut value, mut at) = match self.sign_at(at) {
            Some("-") => self.product(at + 1, depth).map(|(value, end)| (-value, end))?,
            _ => self.product(at, depth)?,
        };
        while let Some(sign @ ("+" | "-")) = self.sign_at(at) {
            let Some((other, end)) = self.product(at + 1, depth) else { break };
            value = if sign == "+" { value.checked_add(other)? } else { value.checked_sub(other)? };
            at = end;
        }
        Some((value, at))
    }

    fn product(self, at: usize, depth: usize) -> Option<(i128, usize)> {
        let (mut value, mut at) = self.power(at, depth)?;
        while let Some(sign @ ("*" | "<<")) = self.sign_at(at) {
            let Some((other, end)) = self.power(at + 1, depth) else { break };
            value = match sign {
                "*" => value.checked_mul(other)?,
                _ => 2i128.checked_pow(u32::try_from(other).ok()?)?.checked_mul(value)?,
            };
            at = end;
        }
        Some((value, at))
    }

    fn power(self, at: usize, depth: usize) -> Option<(i128, usize)> {
        let (value, end) = self.atom(at, depth)?;
        let is_power = match self.sign_at(end) {
            Some("**") => true,
            // In programs it is something else.
            Some("^") => self.source == WordSource::Prose,
            _ => false,
        };
        if !is_power {
            return Some((value, end));
        }
        let (exponent, end) = self.atom(end + 1, depth)?;
        Some((value.checked_pow(u32::try_from(exponent).ok()?)?, end))
    }

    fn atom(self, at: usize, depth: usize) -> Option<(i128, usize)> {
        let depth = depth.checked_sub(1)?;
        match &self.words.get(at)?.kind {
            WordKind::Number(value) => Some((*value, at + 1)),
            WordKind::Sign("(" | "{") => {
                let (value, end) = self.sum(at + 1, depth)?;
                matches!(self.sign_at(end)?, ")" | "}").then_some((value, end + 1))
            }
            WordKind::Name(name) if self.source == WordSource::Program => self.named_number(name, at, depth),
            _ => None,
        }
    }

    /// A constant, a conversion such as `int(1e5)`, or `pow(10, 5)`.
    fn named_number(self, name: &str, at: usize, depth: usize) -> Option<(i128, usize)> {
        let last = name.rsplit('.').next().unwrap_or(name);
        if self.sign_at(at + 1) != Some("(") {
            let value = self.known.get(name).or_else(|| self.known.get(last)).copied();
            return value.or_else(|| machine_constant(name)).map(|value| (value, at + 1));
        }
        let (first, end) = self.sum(at + 2, depth)?;
        match (last, self.sign_at(end)?) {
            ("int" | "long" | "Integer" | "ll" | "int64_t" | "to_i", ")") => Some((first, end + 1)),
            ("pow", ",") => {
                let (exponent, end) = self.sum(end + 1, depth)?;
                (self.sign_at(end)? == ")").then_some(())?;
                Some((first.checked_pow(u32::try_from(exponent).ok()?)?, end + 1))
            }
            _ => None,
        }
    }

    /// `n`, `a[i]`, `|s|`; in prose also `n, m` and `n and m`.
    fn names(self, at: usize) -> Option<(Vec<String>, usize)> {
        let (first, mut at) = self.name(at)?;
        let mut names = vec![first];
        while self.source == WordSource::Prose && self.sign_at(at) == Some(",") {
            let Some((name, end)) = self.name(at + 1) else { break };
            names.push(name);
            at = end;
        }
        (!self.goes_on(at)).then_some((names, at))
    }

    fn name(self, at: usize) -> Option<(String, usize)> {
        match &self.words.get(at)?.kind {
            WordKind::Sign("|") => {
                let (inner, end) = self.name(at + 1)?;
                (self.sign_at(end)? == "|").then(|| (format!("|{inner}|"), end + 1))
            }
            WordKind::Name(name) => {
                let end = self.index_end(at + 1)?;
                let name = name.rsplit('.').next().unwrap_or(name);
                Some((super::without_index(name).to_owned(), end))
            }
            _ => None,
        }
    }

    /// Where the index of a name ends, `[i]`, `_{i,j}` or none.
    fn index_end(self, at: usize) -> Option<usize> {
        let close = match self.sign_at(at) {
            Some("[") => "]",
            Some("{") if self.source == WordSource::Prose => "}",
            _ => return Some(at),
        };
        let length = self.words[at..].iter().take(8).position(|word| word.kind == WordKind::Sign(close))?;
        Some(at + length + 1)
    }
}

/// The greatest and least numbers of machines, as programs name them.
fn machine_constant(name: &str) -> Option<i128> {
    match name {
        "INT_MAX" | "i32::MAX" | "Integer.MAX_VALUE" => Some(i128::from(i32::MAX)),
        "INT_MIN" | "Integer.MIN_VALUE" => Some(i128::from(i32::MIN)),
        "LLONG_MAX" | "INT64_MAX" | "Long.MAX_VALUE" | "sys.maxsize" => Some(i128::from(i64::MAX)),
        "LLONG_MIN" | "INT64_MIN" | "Long.MIN_VALUE" => Some(i128::from(i64::MIN)),
        _ => None,
    }
}
