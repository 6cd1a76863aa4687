//! The form of the inputs of a package, read from its cases: where there is no input validator, an input counts as valid
//! if it has this form.

use super::{
    decimal::Decimal,
    facts::{FactCase, Kind, PlaceFacts, read_facts},
    input_lines::{InputLine, bytes_of, input_lines, integer, is_numeral},
    layout::{Column, Count, Item, Nobody, Part, Reader, Scope, Visitor, counts, fields},
    layout_search::find_layout,
    pairs::{Pairs, add_pair_rules, pairs_of},
    row_keys::{RowKey, key_holds, row_keys},
    series::SeriesTokens,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// A case of a package.
#[derive(Debug, Clone)]
pub struct FormCase {
    pub name: String,
    pub input: Vec<u8>,
    /// Whether participants know it.
    pub is_sample: bool,
}

/// What all inputs of a package have in common.
#[derive(Debug, Clone)]
pub struct InputForm {
    pub(super) parts: Vec<Part>,
    pub(super) facts: Vec<PlaceFacts>,
    /// The places of numbers that count lines or items.
    counters: BTreeSet<usize>,
    /// The place of the number of nodes, by that of the second node of a pair.
    nodes: BTreeMap<usize, usize>,
    /// Columns in which no two lines of a block are equal.
    pub(super) row_keys: Vec<RowKey>,
    /// How many cases it was read from.
    pub cases: usize,
    /// Whether no case has blanks or empty lines at an end, and each ends with a newline.
    pub(super) is_exact: bool,
}

/// Why the cases show no form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoForm {
    /// The number of different cases.
    TooFew(usize),
    NotText(String),
    TooLarge(String),
    /// A case, and why it cannot be read.
    Unread(String, String),
    /// No layout reads all of them.
    Unlike,
}

impl fmt::Display for NoForm {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NoForm::TooFew(0) => f.write_str("there is no case"),
            NoForm::TooFew(_) => f.write_str("one case alone shows no form"),
            NoForm::NotText(case) => write!(f, "the input of {case} is not text"),
            NoForm::TooLarge(case) => write!(f, "the input of {case} is too large"),
            NoForm::Unread(case, why) => write!(f, "the input of {case} cannot be read: {why}"),
            NoForm::Unlike => f.write_str("the cases have no common form"),
        }
    }
}

/// Of larger inputs, reading the form takes longer than the search that it is for.
pub(crate) const MAX_INPUT: u64 = 10 << 20;
/// The smallest cases, in which the layout is searched; it must then read all.
const SEARCHED: usize = 12;

impl InputForm {
    /// The form of these cases.
    pub fn read(cases: &[FormCase]) -> Result<InputForm, NoForm> {
        let mut texts = Vec::new();
        let mut is_exact = true;
        for FormCase { name, input, is_sample } in cases {
            if input.len() as u64 > MAX_INPUT {
                return Err(NoForm::TooLarge(name.clone()));
            }
            let text = std::str::from_utf8(input).ok().filter(|text| !text.contains('\0'));
            let text = text.ok_or_else(|| NoForm::NotText(name.clone()))?;
            let lines = input_lines(text);
            is_exact &= bytes_of(&lines) == text.len() && text.ends_with('\n');
            texts.push((lines, *is_sample));
        }
        texts.sort_by_cached_key(|(lines, _)| bytes_of(lines));
        texts.dedup_by(|one, other| one.0 == other.0);
        if texts.len() < 2 {
            return Err(NoForm::TooFew(texts.len()));
        }
        let mut searched: Vec<Vec<InputLine>> =
            texts.iter().take(SEARCHED).map(|(lines, _)| lines.clone()).collect();
        // The largest has what small ones only happen to have.
        searched.extend(texts.last().map(|(lines, _)| lines.clone()));
        let parts = find_layout(&searched).ok_or(NoForm::Unlike)?;
        let facts_of: Vec<FactCase> =
            texts.iter().map(|(lines, is_sample)| FactCase { lines, is_sample: *is_sample }).collect();
        let mut facts = read_facts(&parts, &facts_of);
        let nodes = pairs_of(&parts, &facts);
        add_pair_rules(&parts, &facts_of, &nodes, &mut facts);
        if is_vague(&parts, &facts) || facts.iter().any(|facts| facts.is_counted_oddly) {
            return Err(NoForm::Unlike);
        }
        let mut counters = BTreeSet::new();
        for count in counts(&parts) {
            if let Count::Number { place, .. } = count {
                counters.insert(place);
            }
        }
        // So that words are short.
        let lengths = facts.iter().filter_map(|facts| facts.length_is);
        counters.extend(lengths.filter(|place| facts[*place].kind == Kind::Integer));
        let row_keys = row_keys(&parts, &facts_of, &facts);
        let form = InputForm { parts, facts, counters, nodes, row_keys, cases: texts.len(), is_exact };
        let reads_all = texts.iter().all(|(lines, _)| form.accepts_lines(lines));
        if reads_all { Ok(form) } else { Err(NoForm::Unlike) }
    }

    /// Whether an input has this form.
    pub fn accepts(&self, input: &[u8]) -> bool {
        std::str::from_utf8(input).is_ok_and(|text| self.accepts_lines(&input_lines(text)))
    }

    fn accepts_lines(&self, lines: &[InputLine]) -> bool {
        let mut check = Check { form: self };
        let mut reader = Reader::new(lines);
        reader.read(&self.parts, &mut check) && reader.rest().is_empty()
    }

    /// Whether an input has the same lines and lists, with whatever values.
    pub fn has_layout_of(&self, input: &[u8]) -> bool {
        let Ok(text) = std::str::from_utf8(input) else { return false };
        let lines = input_lines(text);
        let mut reader = Reader::new(&lines);
        reader.read(&self.parts, &mut Nobody) && reader.rest().is_empty()
    }

    /// Whether a number counts lines or items.
    pub(super) fn is_counter(&self, place: usize) -> bool {
        self.counters.contains(&place)
    }
}

/// Whether lines are commands such as `push 3`, where the first word decides the others, or lists of any length, which read
/// everything.
fn is_vague(parts: &[Part], facts: &[PlaceFacts]) -> bool {
    let in_blocks = parts.iter().filter_map(|part| match part {
        Part::Block(_, body) => Some(body),
        Part::Line(_) => None,
    });
    in_blocks.flat_map(|body| fields(body)).any(|field| {
        let has_digits = || facts[field.place].letters.iter().any(char::is_ascii_digit);
        field.item == Item::List(Count::Free) || field.item == Item::Text && has_digits()
    })
}

/// Checks the facts of each place.
struct Check<'f> {
    form: &'f InputForm,
}

impl<'a> Visitor<'a> for Check<'_> {
    fn token(&mut self, place: usize, token: &'a str, scope: &Scope) -> bool {
        self.form.facts[place].allows(token, scope)
    }

    fn series(&mut self, place: usize, tokens: &[&'a str], scope: &Scope) -> bool {
        let facts = &self.form.facts[place];
        let [shortest, longest] = facts.list_lengths;
        let count = facts.count_is.and_then(|place| scope.size(place));
        let series = SeriesTokens::new(tokens);
        (shortest..=longest).contains(&tokens.len())
            && count.is_none_or(|count| count == tokens.len() as i128)
            && facts.rules.iter().all(|rule| rule.holds(&series))
            && facts.grid.hold(tokens)
    }

    fn columns(&mut self, columns: &[Column<'a>], scope: &Scope) -> bool {
        let are_pairs_right = match Pairs::read(columns, &self.form.nodes, scope) {
            Some((place, pairs)) => self.form.facts[place].pair_rules.iter().all(|rule| rule.holds(&pairs)),
            None => true,
        };
        are_pairs_right && self.form.row_keys.iter().all(|key| key_holds(key, columns))
    }
}

impl PlaceFacts {
    /// Whether the place allows a token after these numbers.
    fn allows(&self, token: &str, scope: &Scope) -> bool {
        let number = match self.kind {
            Kind::Integer => integer(token),
            Kind::Decimal(digits) => Decimal::read(token)
                .filter(|decimal| decimal.digits <= digits)
                .map(|decimal| decimal.units / Decimal::units_of_last(digits)),
            Kind::Word | Kind::Text => return self.allows_word(token, scope),
        };
        number.is_some_and(|number| {
            (self.least..=self.most).contains(&number)
                && (number - self.least) % self.step == 0
                && self
                    .orders
                    .iter()
                    .all(|(place, order)| scope.size(*place).is_none_or(|one| order.holds(number, one)))
        })
    }

    fn allows_word(&self, word: &str, scope: &Scope) -> bool {
        if let Some(words) = &self.words {
            return words.iter().any(|known| known == word);
        }
        let length = word.chars().count();
        let [shortest, longest] = self.lengths;
        let counted = self.length_is.and_then(|place| scope.size(place));
        (shortest..=longest).contains(&length)
            && (!self.are_numerals || is_numeral(word))
            && counted.is_none_or(|count| count == length as i128)
            && word.chars().all(|letter| self.letters.contains(&letter))
    }
}
