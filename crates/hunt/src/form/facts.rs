//! The facts that hold in every case: kinds of tokens, ranges, letters, orders. A property counts if it holds in all cases and
//! enough of them show it.

use super::{
    input_lines::{InputLine, integer, is_numeral},
    layout::{Item, Part, Reader, Scope, Visitor, counts, fields},
};
use std::collections::{BTreeMap, BTreeSet};

/// A property counts if this many tokens show it.
pub(super) const SHOWN: usize = 3;
/// Numbers have a common step if this many different ones show it: three in a row are even by chance.
const SHOW_STEP: usize = 6;
/// Values of a place that are remembered.
const MAX_KNOWN: usize = 64;
/// With as many different letters, a place allows the whole alphabet; with as many digits, all of them.
const MANY_LETTERS: usize = 6;
const MANY_DIGITS: usize = 4;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    /// With at most this many digits after the point.
    Decimal(usize),
    Word,
    Text,
}

/// How a number compares with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    Less,
    AtMost,
    AtLeast,
    More,
}

impl Order {
    const ALL: [Order; 4] = [Order::Less, Order::AtMost, Order::AtLeast, Order::More];

    pub fn holds(self, one: i128, other: i128) -> bool {
        match self {
            Order::Less => one < other,
            Order::AtMost => one <= other,
            Order::AtLeast => one >= other,
            Order::More => one > other,
        }
    }
}

/// What may hold in a list, or in a column of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SeriesRule {
    Increasing,
    Ascending,
    Decreasing,
    Descending,
    /// All numbers from 1 to its length.
    Permutation,
    Distinct,
    /// Words of one length.
    EqualLengths,
}

/// What may hold in the first two columns of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PairRule {
    Unequal,
    /// No two pairs have the same numbers.
    Distinct,
    /// A graph in which each node reaches each other.
    Connected,
    /// A graph without a cycle.
    Forest,
}

/// How often something was seen, and whether it held each time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence {
    pub holds: bool,
    pub shown: usize,
}

impl Evidence {
    pub fn counts(&self) -> bool {
        self.holds && self.shown >= SHOWN
    }
}

pub(super) fn note<K: Ord>(all: &mut BTreeMap<K, Evidence>, key: K, seen: Evidence) {
    let known = all.entry(key).or_insert(Evidence { holds: true, shown: 0 });
    known.holds &= seen.holds;
    known.shown += seen.shown;
}

/// The facts of a place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlaceFacts {
    pub kind: Kind,
    /// Of integers, and of decimals without their point.
    pub least: i128,
    pub most: i128,
    /// All numbers are the least one and a multiple of this, as even numbers are.
    pub step: i128,
    /// Letters of words and texts.
    pub letters: BTreeSet<char>,
    /// Lengths of words and texts.
    pub lengths: [usize; 2],
    /// Whether all words are integers, some of them too large to compute with.
    pub are_numerals: bool,
    /// The place of a number that is the length of each word.
    pub length_is: Option<usize>,
    pub orders: Vec<(usize, Order)>,
    pub rules: Vec<SeriesRule>,
    pub pair_rules: Vec<PairRule>,
    /// Lengths of lists and columns.
    pub list_lengths: [usize; 2],
    /// All words, if there are few.
    pub words: Option<Vec<String>>,
    /// Tokens of samples, which everybody may see.
    pub public: Vec<String>,
}

/// An input of which the facts are read.
pub(super) struct FactCase<'a> {
    pub lines: &'a [InputLine<'a>],
    pub is_sample: bool,
}

/// The facts of all places.
pub(super) fn read_facts(parts: &[Part], cases: &[FactCase]) -> Vec<PlaceFacts> {
    let places = fields(parts).len();
    let mut collector = Collector { places: vec![SeenPlace::default(); places], is_sample: false };
    for case in cases {
        collector.is_sample = case.is_sample;
        Reader::new(case.lines).read(parts, &mut collector);
    }
    let mut facts: Vec<PlaceFacts> =
        fields(parts).iter().map(|field| collector.places[field.place].facts(field.item)).collect();
    if counts(parts).is_empty() {
        for (facts, seen) in facts.iter_mut().zip(&collector.places) {
            if facts.kind == Kind::Integer && seen.is_full() {
                facts.most = facts.most.max(facts.most.saturating_mul(2));
            }
        }
    }
    facts
}

/// The tokens of a place, summed up.
#[derive(Debug, Clone, Default)]
struct SeenPlace {
    tokens: usize,
    integers: usize,
    numerals: usize,
    decimals: usize,
    /// The most digits after a point.
    digits: usize,
    range: Option<[i128; 2]>,
    /// In units of [`Decimal`].
    decimal_range: Option<[i128; 2]>,
    /// The greatest common divisor of all differences.
    step: i128,
    /// Different values, until there are too many.
    values: BTreeSet<String>,
    letters: BTreeSet<char>,
    lengths: Option<[usize; 2]>,
    list_lengths: Option<[usize; 2]>,
    orders: BTreeMap<(usize, Order), Evidence>,
    length_is: BTreeMap<usize, Evidence>,
    rules: BTreeMap<SeriesRule, Evidence>,
    /// How many equal items there were in its lists and columns, if all were random.
    equal_by_chance: f64,
    public: BTreeSet<String>,
}

struct Collector {
    places: Vec<SeenPlace>,
    is_sample: bool,
}

fn widen<T: Ord + Copy>(range: &mut Option<[T; 2]>, value: T) {
    let [least, most] = range.unwrap_or([value, value]);
    *range = Some([least.min(value), most.max(value)]);
}

fn common_divisor(mut one: i128, mut other: i128) -> i128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.abs()
}

/// The number of pairs of items.
pub(super) fn pairs_among(items: usize) -> f64 {
    items as f64 * items.saturating_sub(1) as f64 / 2.0
}

/// How many values a list or a column seems to have: all between its ends, or the words that are there.
pub(super) fn value_count(tokens: &[&str]) -> f64 {
    let numbers: Option<Vec<i128>> = tokens.iter().map(|token| integer(token)).collect();
    let numbers = numbers.unwrap_or_default();
    match (numbers.iter().min(), numbers.iter().max()) {
        (Some(least), Some(most)) => (most - least + 1) as f64,
        _ => tokens.iter().collect::<BTreeSet<_>>().len().max(1) as f64,
    }
}

/// A decimal number.
pub(super) struct Decimal {
    /// The number in units of the last of [`Decimal::MOST_DIGITS`].
    pub units: i128,
    /// How many digits stand behind the point.
    pub digits: usize,
}

impl Decimal {
    const MOST_DIGITS: usize = 12;
    /// So that the units of any decimal fit.
    const MOST_WHOLE: usize = 20;

    pub fn read(token: &str) -> Option<Decimal> {
        let (whole, part) = token.split_once('.').unwrap_or((token, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole_length, digits) = (whole.len(), part.len());
        let unsigned = whole.strip_prefix('-').unwrap_or(whole);
        // Such are rows of digits.
        let has_leading_zero = unsigned.len() > 1 && unsigned.starts_with('0');
        if !is_digits(unsigned)
            || has_leading_zero
            || !is_digits(part)
            || whole_length > Decimal::MOST_WHOLE
            || digits > Decimal::MOST_DIGITS
        {
            return None;
        }
        let number: i128 = format!("{whole}{part}").parse().ok()?;
        Some(Decimal { units: number * Decimal::units_of_last(digits), digits })
    }

    /// The value of the last of so many digits behind the point.
    pub fn units_of_last(digits: usize) -> i128 {
        10_i128.pow((Decimal::MOST_DIGITS - digits) as u32)
    }

    /// A number of so many digits behind the point, without it, as text.
    pub fn text(number: i128, digits: usize) -> String {
        let sign = if number < 0 { "-" } else { "" };
        let text = format!("{:0>width$}", number.unsigned_abs(), width = digits + 1);
        let (whole, part) = text.split_at(text.len() - digits);
        format!("{sign}{whole}.{part}")
    }
}

impl<'a> Visitor<'a> for Collector {
    fn token(&mut self, place: usize, token: &'a str, scope: &Scope) -> bool {
        let is_sample = self.is_sample;
        let seen = &mut self.places[place];
        seen.tokens += 1;
        seen.letters.extend(token.chars());
        seen.numerals += usize::from(is_numeral(token));
        let length = token.chars().count();
        widen(&mut seen.lengths, length);
        if seen.values.len() <= MAX_KNOWN {
            seen.values.insert(token.to_owned());
        }
        if is_sample && seen.public.len() < MAX_KNOWN {
            seen.public.insert(token.to_owned());
        }
        if let Some(Decimal { units, digits }) = Decimal::read(token) {
            seen.decimals += 1;
            seen.digits = seen.digits.max(digits);
            widen(&mut seen.decimal_range, units);
        }
        if let Some(number) = integer(token) {
            seen.integers += 1;
            let [least, _] = *seen.range.get_or_insert([number, number]);
            seen.step = common_divisor(seen.step, number - least);
            widen(&mut seen.range, number);
            for (other, value) in scope.before(place) {
                for order in Order::ALL {
                    let holds = order.holds(number, value);
                    note(&mut seen.orders, (other, order), Evidence { holds, shown: 1 });
                }
            }
        }
        for (other, value) in scope.before(place) {
            let holds = value == length as i128;
            note(&mut seen.length_is, other, Evidence { holds, shown: 1 });
        }
        true
    }

    fn series(&mut self, place: usize, tokens: &[&'a str], _scope: &Scope) -> bool {
        let seen = &mut self.places[place];
        widen(&mut seen.list_lengths, tokens.len());
        seen.equal_by_chance += pairs_among(tokens.len()) / value_count(tokens);
        for rule in SeriesRule::ALL {
            let shown = tokens.len().saturating_sub(1);
            note(&mut seen.rules, rule, Evidence { holds: rule.holds(tokens), shown });
        }
        true
    }
}

impl SeriesRule {
    const ALL: [SeriesRule; 7] = [
        SeriesRule::Increasing,
        SeriesRule::Ascending,
        SeriesRule::Decreasing,
        SeriesRule::Descending,
        SeriesRule::Permutation,
        SeriesRule::Distinct,
        SeriesRule::EqualLengths,
    ];

    pub fn holds(self, tokens: &[&str]) -> bool {
        let numbers = || tokens.iter().map(|token| integer(token)).collect::<Option<Vec<i128>>>();
        let each =
            |is_right: fn(&[i128]) -> bool| numbers().is_some_and(|numbers| numbers.windows(2).all(is_right));
        match self {
            SeriesRule::Increasing => each(|pair| pair[0] < pair[1]),
            SeriesRule::Ascending => each(|pair| pair[0] <= pair[1]),
            SeriesRule::Decreasing => each(|pair| pair[0] > pair[1]),
            SeriesRule::Descending => each(|pair| pair[0] >= pair[1]),
            SeriesRule::Permutation => numbers().is_some_and(|mut numbers| {
                numbers.sort_unstable();
                numbers.into_iter().eq(1..=tokens.len() as i128)
            }),
            SeriesRule::Distinct => tokens.iter().collect::<BTreeSet<_>>().len() == tokens.len(),
            SeriesRule::EqualLengths => tokens.iter().all(|token| token.len() == tokens[0].len()),
        }
    }
}

impl SeenPlace {
    /// Whether all values of its range were seen, so that a new one is beyond; a yes or no has no others.
    fn is_full(&self) -> bool {
        let Some([least, most]) = self.range else { return false };
        (3..=MAX_KNOWN).contains(&self.values.len()) && most - least < self.values.len() as i128
    }

    fn kind(&self, item: Item) -> Kind {
        match () {
            () if item == Item::Text => Kind::Text,
            () if self.integers == self.tokens => Kind::Integer,
            // Without any digit behind a point, they are integers of too many digits.
            () if self.decimals == self.tokens && self.digits > 0 => Kind::Decimal(self.digits),
            () => Kind::Word,
        }
    }

    fn facts(&self, item: Item) -> PlaceFacts {
        let kind = self.kind(item);
        let [least, most] = match kind {
            Kind::Decimal(digits) => {
                let units = Decimal::units_of_last(digits);
                self.decimal_range.unwrap_or([0, 0]).map(|end| end / units)
            }
            Kind::Integer | Kind::Word | Kind::Text => self.range.unwrap_or([0, 0]),
        };
        let orders = self.orders.iter().filter(|(_, evidence)| kind == Kind::Integer && evidence.counts());
        let length_is = self.length_is.iter().find(|(_, evidence)| kind == Kind::Word && evidence.counts());
        let is_chance = self.equal_by_chance < SHOWN as f64;
        let holds = |rule: SeriesRule| self.rules.get(&rule).is_some_and(Evidence::counts);
        let rules = self.rules.iter().filter(|(rule, evidence)| {
            let is_meant = match rule {
                SeriesRule::EqualLengths => kind == Kind::Word,
                // Rows of a grid are different by chance, and of random numbers of a large range.
                SeriesRule::Distinct => match kind {
                    Kind::Integer => !is_chance,
                    Kind::Word => !holds(SeriesRule::EqualLengths),
                    Kind::Decimal(_) | Kind::Text => false,
                },
                SeriesRule::Increasing
                | SeriesRule::Ascending
                | SeriesRule::Decreasing
                | SeriesRule::Descending
                | SeriesRule::Permutation => kind == Kind::Integer,
            };
            is_meant && evidence.counts()
        });
        let repeat = self.values.len() <= 12 && self.tokens >= 3 * self.values.len();
        let long = self.lengths.is_some_and(|lengths| lengths[1] > 1);
        PlaceFacts {
            kind,
            least,
            most,
            step: if self.values.len() >= SHOW_STEP { self.step.max(1) } else { 1 },
            letters: whole_alphabets(&self.letters),
            lengths: self.lengths.unwrap_or_default(),
            are_numerals: kind == Kind::Word && self.numerals == self.tokens,
            length_is: length_is.map(|(place, _)| *place),
            orders: orders.map(|(order, _)| *order).collect(),
            rules: rules.map(|(rule, _)| *rule).collect(),
            pair_rules: Vec::new(),
            list_lengths: self.list_lengths.unwrap_or_default(),
            words: (kind == Kind::Word && repeat && long).then(|| self.values.iter().cloned().collect()),
            public: self.public.iter().cloned().collect(),
        }
    }
}

/// With many letters of an alphabet, all of it.
fn whole_alphabets(letters: &BTreeSet<char>) -> BTreeSet<char> {
    let mut all = letters.clone();
    for (alphabet, many) in [('a'..='z', MANY_LETTERS), ('A'..='Z', MANY_LETTERS), ('0'..='9', MANY_DIGITS)] {
        if letters.iter().filter(|letter| alphabet.contains(letter)).count() >= many {
            all.extend(alphabet);
        }
    }
    all
}
