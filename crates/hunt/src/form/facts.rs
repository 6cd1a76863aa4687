//! The facts that hold in every case: kinds of tokens, ranges, letters, orders. A property counts if it holds in all cases and
//! enough of them show it.

use super::{
    decimal::Decimal,
    evidence::{Evidence, SHOWN, note},
    input_lines::{InputLine, integer, is_numeral},
    layout::{Count, Field, Item, Part, Reader, Scope, Visitor, counts, fields},
    letters::{GridFacts, SeenGrids},
    series::{SeriesRule, SeriesTokens},
};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers have a common step if this many different ones show it: three in a row are even by chance.
const SHOW_STEP: usize = 6;
/// Values of a place that are remembered.
const MAX_KNOWN: usize = 64;
/// With as many different letters, a place allows the whole alphabet; with as many digits, all of them.
const MANY_LETTERS: usize = 6;
const MANY_DIGITS: usize = 4;

/// With as many letters for each of an alphabet, those that are missing are not allowed.
const ENOUGH_LETTERS: usize = 50;

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
    /// The place of a number that is the length of each word, or of a word or a list that is as long.
    pub length_is: Option<usize>,
    /// Of lists and blocks that no number counts: the place whose size is their length.
    pub count_is: Option<usize>,
    /// Whether another rule gives their length, such as half of a number.
    pub is_counted_oddly: bool,
    pub orders: Vec<(usize, Order)>,
    pub rules: Vec<SeriesRule>,
    pub pair_rules: Vec<PairRule>,
    pub grid: GridFacts,
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
    let mut collector = Collector {
        places: vec![SeenPlace::default(); places],
        uncounted: uncounted_places(parts),
        is_sample: false,
    };
    for case in cases {
        collector.is_sample = case.is_sample;
        Reader::new(case.lines).read(parts, &mut collector);
    }
    let mut facts: Vec<PlaceFacts> =
        fields(parts).iter().map(|field| collector.places[field.place].facts(field.item)).collect();
    // Of a decimal, and of words that may be numbers, the size says nothing.
    let has_size: Vec<bool> = facts
        .iter()
        .zip(&collector.places)
        .map(|(facts, seen)| match facts.kind {
            Kind::Integer => true,
            Kind::Word => seen.integers == 0,
            Kind::Decimal(_) | Kind::Text => false,
        })
        .collect();
    let is_list = |place: usize| collector.uncounted.contains(&place);
    for facts in &mut facts {
        facts.orders.retain(|(other, _)| has_size[*other] || is_list(*other));
        facts.length_is = facts.length_is.filter(|other| has_size[*other] || is_list(*other));
    }
    if counts(parts).is_empty() {
        for (facts, seen) in facts.iter_mut().zip(&collector.places) {
            if facts.kind == Kind::Integer && seen.is_full() {
                facts.most = facts.most.max(facts.most.saturating_mul(2));
            }
        }
    }
    facts
}

/// The places of lists, and of columns of blocks, that no number counts.
fn uncounted_places(parts: &[Part]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for part in parts {
        match part {
            Part::Line(line) => {
                let is_free = |field: &&Field| field.item == Item::List(Count::Free);
                found.extend(line.iter().filter(is_free).map(|field| field.place));
            }
            Part::Block(Count::Free, _) => found.extend(part.places()),
            Part::Block(_, body) => found.extend(uncounted_places(body)),
        }
    }
    found
}

/// The lengths of lists, compared with the size of a place before them.
#[derive(Debug, Clone)]
struct SeenCount {
    /// The first length, and the size.
    first: [i128; 2],
    is_proportional: bool,
    lengths: BTreeSet<i128>,
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
    letters: BTreeMap<char, usize>,
    lengths: Option<[usize; 2]>,
    list_lengths: Option<[usize; 2]>,
    orders: BTreeMap<(usize, Order), Evidence>,
    length_is: BTreeMap<usize, Evidence>,
    counts: BTreeMap<usize, SeenCount>,
    grids: SeenGrids,
    rules: BTreeMap<SeriesRule, Evidence>,
    /// How many equal items there were in its lists and columns, if all were random.
    equal_by_chance: f64,
    public: BTreeSet<String>,
}

struct Collector {
    places: Vec<SeenPlace>,
    uncounted: BTreeSet<usize>,
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

impl<'a> Visitor<'a> for Collector {
    fn token(&mut self, place: usize, token: &'a str, scope: &Scope) -> bool {
        let is_sample = self.is_sample;
        let seen = &mut self.places[place];
        seen.tokens += 1;
        for letter in token.chars() {
            *seen.letters.entry(letter).or_insert(0) += 1;
        }
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

    fn series(&mut self, place: usize, tokens: &[&'a str], scope: &Scope) -> bool {
        let seen = &mut self.places[place];
        if self.uncounted.contains(&place) {
            let length = tokens.len() as i128;
            for (other, size) in scope.before(place) {
                let count = seen.counts.entry(other).or_insert_with(|| SeenCount {
                    first: [length, size],
                    is_proportional: true,
                    lengths: BTreeSet::new(),
                });
                let [first, first_size] = count.first;
                count.is_proportional &= length.checked_mul(first_size) == first.checked_mul(size);
                if count.lengths.len() < SHOWN {
                    count.lengths.insert(length);
                }
            }
        }
        widen(&mut seen.list_lengths, tokens.len());
        let series = SeriesTokens::new(tokens);
        seen.equal_by_chance += pairs_among(tokens.len()) / series.value_count();
        for rule in SeriesRule::ALL {
            let shown = tokens.len().saturating_sub(1);
            note(&mut seen.rules, rule, Evidence { holds: rule.holds(&series), shown });
        }
        // Lists of numbers are no grids, and their digits would be counted in vain.
        if seen.rules[&SeriesRule::EqualLengths].holds {
            seen.grids.add(tokens);
        }
        true
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
        let counts =
            || self.counts.iter().filter(|(_, count)| count.is_proportional && count.lengths.len() >= SHOWN);
        let is_equal = |count: &SeenCount| count.first[0] == count.first[1];
        let count_is = counts().find(|(_, count)| is_equal(count)).map(|(place, _)| *place);
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
                // Small numbers are so in any case.
                SeriesRule::BelowPosition => kind == Kind::Integer && most >= SHOWN as i128,
                SeriesRule::AtMostPosition => {
                    kind == Kind::Integer && most > SHOWN as i128 && !holds(SeriesRule::BelowPosition)
                }
            };
            is_meant && evidence.counts()
        });
        let is_grid = kind == Kind::Word && holds(SeriesRule::EqualLengths);
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
            count_is,
            is_counted_oddly: count_is.is_none() && counts().next().is_some(),
            orders: orders.map(|(order, _)| *order).collect(),
            rules: rules.map(|(rule, _)| *rule).collect(),
            pair_rules: Vec::new(),
            grid: if is_grid { self.grids.facts() } else { GridFacts::default() },
            list_lengths: self.list_lengths.unwrap_or_default(),
            words: (kind == Kind::Word && repeat && long).then(|| self.values.iter().cloned().collect()),
            public: self.public.iter().cloned().collect(),
        }
    }
}

/// With many letters of an alphabet, all of it, unless the others would have been seen.
fn whole_alphabets(letters: &BTreeMap<char, usize>) -> BTreeSet<char> {
    let mut all: BTreeSet<char> = letters.keys().copied().collect();
    for (alphabet, many) in [('a'..='z', MANY_LETTERS), ('A'..='Z', MANY_LETTERS), ('0'..='9', MANY_DIGITS)] {
        let seen: Vec<usize> = letters.range(alphabet.clone()).map(|(_, count)| *count).collect();
        if seen.len() >= many && seen.iter().sum::<usize>() < ENOUGH_LETTERS * alphabet.clone().count() {
            all.extend(alphabet);
        }
    }
    all
}
