//! New inputs of a form: small ones first, with values at the ends of their ranges, and with equal ones.

use super::{
    decimal::Decimal,
    facts::{Kind, Order, PairRule, PlaceFacts},
    input_form::InputForm,
    input_lines::{integer, is_numeral},
    layout::{Count, Field, Item, Part, Scope},
    letters::{GridFacts, LetterCount},
    random::RandomStream,
    series::SeriesRule,
};
use std::{cmp::Ordering, collections::HashSet};

/// Inputs to draw until one has all properties of the form.
const ATTEMPTS: usize = 40;
/// Longer inputs are hard to read.
const MAX_BYTES: usize = 64 << 10;

impl InputForm {
    /// An input of this form, where numbers that count are at most about `size`; `None`: chance made none.
    pub fn draw(&self, size: usize, random: &mut RandomStream) -> Option<Vec<u8>> {
        for _ in 0..ATTEMPTS {
            let mut drawing =
                Drawing { form: self, size, random, scope: Scope::default(), text: String::new() };
            if drawing.draw(&self.parts).is_some() {
                let text = drawing.text.into_bytes();
                if self.accepts(&text) {
                    return Some(text);
                }
            }
        }
        None
    }
}

/// In which order the numbers of a series are.
#[derive(Clone, Copy)]
enum SeriesOrder {
    Ascending,
    Descending,
}

impl SeriesOrder {
    fn compare(self, one: &str, other: &str) -> Ordering {
        let ascending = integer(one).cmp(&integer(other));
        match self {
            SeriesOrder::Ascending => ascending,
            SeriesOrder::Descending => ascending.reverse(),
        }
    }
}

impl PlaceFacts {
    fn order(&self) -> Option<SeriesOrder> {
        self.rules.iter().find_map(|rule| match rule {
            SeriesRule::Ascending | SeriesRule::Increasing => Some(SeriesOrder::Ascending),
            SeriesRule::Descending | SeriesRule::Decreasing => Some(SeriesOrder::Descending),
            SeriesRule::Permutation
            | SeriesRule::Distinct
            | SeriesRule::EqualLengths
            | SeriesRule::BelowPosition
            | SeriesRule::AtMostPosition => None,
        })
    }
}

struct Drawing<'a> {
    form: &'a InputForm,
    size: usize,
    random: &'a mut RandomStream,
    scope: Scope,
    text: String,
}

impl Drawing<'_> {
    /// Draws parts; `None`: a count is negative, or the input is too long.
    fn draw(&mut self, parts: &[Part]) -> Option<()> {
        for part in parts {
            match part {
                Part::Line(fields) => {
                    let tokens = self.line(fields)?;
                    self.push_line(&tokens)?;
                }
                Part::Block(count, body) => {
                    let first = part.places().start;
                    let count = self.count(*count, first)?;
                    match part.row() {
                        Some(fields) => self.rows(fields, count)?,
                        None => (0..count).try_for_each(|_| self.draw(body))?,
                    }
                    for place in part.places() {
                        self.scope.clear(place);
                    }
                }
            }
        }
        Some(())
    }

    fn push_line(&mut self, tokens: &[String]) -> Option<()> {
        self.text.push_str(&tokens.join(" "));
        self.text.push('\n');
        (self.text.len() <= MAX_BYTES).then_some(())
    }

    /// How often something at a place repeats.
    fn count(&mut self, count: Count, place: usize) -> Option<usize> {
        if count != Count::Free {
            return count.value(&self.scope);
        }
        if let Some(size) = self.form.facts[place].count_is.and_then(|place| self.scope.size(place)) {
            return usize::try_from(size).ok();
        }
        let [shortest, longest] = self.form.facts[place].list_lengths;
        Some(self.small_between(shortest as i128, longest as i128) as usize)
    }

    fn line(&mut self, fields: &[Field]) -> Option<Vec<String>> {
        let mut tokens = Vec::new();
        for &Field { place, item } in fields {
            match item {
                Item::Token | Item::Text => {
                    let token = self.token(place)?;
                    self.scope.set_token(place, &token);
                    tokens.push(token);
                }
                Item::List(count) => {
                    let length = self.count(count, place)?;
                    tokens.extend(self.list(place, length)?);
                    if count == Count::Free {
                        self.scope.set_length(place, length);
                    }
                }
            }
        }
        Some(tokens)
    }

    fn list(&mut self, place: usize, count: usize) -> Option<Vec<String>> {
        let palette = self.palette(place, count)?;
        let mut tokens = Vec::new();
        for _ in 0..count {
            let token =
                if palette.is_empty() { self.token(place)? } else { self.random.choose(&palette).clone() };
            tokens.push(token);
        }
        self.keep_rules(place, &mut tokens);
        Some(tokens)
    }

    /// Sometimes a few tokens of which all are chosen: equal ones are where programs are wrong.
    fn palette(&mut self, place: usize, count: usize) -> Option<Vec<String>> {
        let few = if count > 1 && self.random.is_once_in(2) { 1 + self.random.below(3) } else { 0 };
        (0..few).map(|_| self.token(place)).collect()
    }

    /// The lines of a block, then column by column in order.
    fn rows(&mut self, row: &[Field], count: usize) -> Option<()> {
        let mut lines: Vec<Vec<String>> = Vec::new();
        let tree = row.get(1).filter(|field| self.must_join(field.place)).map(|field| field.place);
        let mut taken = HashSet::new();
        for done in 0..count {
            let tokens = (0..ATTEMPTS).find_map(|_| {
                let mut tokens = self.line(row)?;
                if let Some(place) = tree {
                    self.join(place, done, &mut tokens);
                }
                self.take_keys(row, &tokens, &mut taken).then_some(tokens)
            });
            lines.push(tokens?);
        }
        // Whole lines, so that their tokens stay together.
        let order =
            |field: &Field| self.form.facts[field.place].order().filter(|_| field.item == Item::Token);
        if let Some((column, order)) =
            row.iter().map(order).enumerate().find_map(|(at, order)| Some((at, order?)))
        {
            lines.sort_by(|one, other| order.compare(&one[column], &other[column]));
        }
        for (column, field) in row.iter().enumerate() {
            if field.item == Item::Token {
                let mut tokens: Vec<String> = lines.iter().map(|line| line[column].clone()).collect();
                self.keep_rules(field.place, &mut tokens);
                for (line, token) in lines.iter_mut().zip(tokens) {
                    line[column] = token;
                }
            }
        }
        lines.iter().try_for_each(|line| self.push_line(line))
    }

    /// Whether no line before is equal in the columns of a key.
    fn take_keys(&self, row: &[Field], tokens: &[String], taken: &mut HashSet<(usize, Vec<String>)>) -> bool {
        let mut keys = Vec::new();
        for (at, key) in self.form.row_keys.iter().enumerate() {
            let is_meant = |(field, _): &(&Field, &String)| key.contains(&field.place);
            let columns: Vec<String> =
                row.iter().zip(tokens).filter(is_meant).map(|(_, token)| token.clone()).collect();
            if !columns.is_empty() {
                keys.push((at, columns));
            }
        }
        let are_new = keys.iter().all(|key| !taken.contains(key));
        if are_new {
            taken.extend(keys);
        }
        are_new
    }

    fn must_join(&self, place: usize) -> bool {
        let rules = &self.form.facts[place].pair_rules;
        rules.contains(&PairRule::Connected) || rules.contains(&PairRule::Forest)
    }

    /// Makes a pair the edge of a tree: node `done + 2` and one before it.
    fn join(&mut self, place: usize, done: usize, tokens: &mut [String]) {
        let facts = &self.form.facts[place];
        let next = done as i128 + 1 + facts.least.max(1);
        let [_, most] = self.bounds(facts);
        let [_, most_before] = self.bounds(&self.form.facts[place - 1]);
        if most >= next || most_before >= next {
            let before = self.random.between(1, next - 1);
            let is_ordered = facts.orders.contains(&(place - 1, Order::Less));
            let pair = if is_ordered || self.random.is_once_in(2) { [next, before] } else { [before, next] };
            tokens[0] = pair[0].to_string();
            tokens[1] = pair[1].to_string();
        }
    }

    /// Sorts or replaces tokens as the rules of a list say.
    fn keep_rules(&mut self, place: usize, tokens: &mut [String]) {
        let rules = &self.form.facts[place].rules;
        let has = |rule: SeriesRule| rules.contains(&rule);
        if has(SeriesRule::Permutation) {
            let mut left: Vec<usize> = (1..=tokens.len()).collect();
            for token in tokens.iter_mut() {
                *token = left.swap_remove(self.random.below(left.len())).to_string();
            }
        } else if [SeriesRule::Distinct, SeriesRule::Increasing, SeriesRule::Decreasing].into_iter().any(has)
        {
            self.make_distinct(place, tokens);
        }
        let [least, _] = self.bounds(&self.form.facts[place]);
        for (at, token) in tokens.iter_mut().enumerate() {
            let most = rules.iter().filter_map(|rule| rule.most_at(at)).min();
            if let (Some(number), Some(most)) = (integer(token), most)
                && number > most
            {
                *token = self.random.between(least.min(most), most).to_string();
            }
        }
        if let Some(order) = self.form.facts[place].order() {
            tokens.sort_by(|one, other| order.compare(one, other));
        }
        if let [first, others @ ..] = tokens
            && has(SeriesRule::EqualLengths)
        {
            let length = first.len();
            for token in others {
                *token = self.word_of_length(place, length);
            }
        }
        if self.form.facts[place].grid != GridFacts::default() {
            self.set_letters(place, tokens);
        }
    }

    /// Gives a grid its corners, and letters as often as they must be there.
    fn set_letters(&mut self, place: usize, words: &mut [String]) {
        let PlaceFacts { grid, letters, .. } = &self.form.facts[place];
        let mut rows: Vec<Vec<char>> = words.iter().map(|word| word.chars().collect()).collect();
        let is_counted = |letter: &char| {
            grid.counts.iter().any(|(one, count)| one == letter && *count != LetterCount::AtLeastOne)
        };
        let others: Vec<char> = letters.iter().filter(|letter| !is_counted(letter)).copied().collect();
        let mut left: Vec<[usize; 2]> = Vec::new();
        for (row, cells) in rows.iter_mut().enumerate() {
            for (column, cell) in cells.iter_mut().enumerate() {
                if is_counted(cell) && !others.is_empty() {
                    *cell = *self.random.choose(&others);
                }
                left.push([row, column]);
            }
        }
        let ends = [left.first().copied(), left.last().copied()];
        for (end, letter) in ends.into_iter().zip(grid.corners) {
            if let (Some([row, column]), Some(letter)) = (end, letter) {
                rows[row][column] = letter;
                left.retain(|cell| *cell != [row, column]);
            }
        }
        for (letter, count) in &grid.counts {
            let known = rows.iter().flatten().filter(|cell| *cell == letter).count();
            let wanted = match count {
                LetterCount::Exactly(count) => *count,
                LetterCount::AtLeastOne => 1,
            };
            for _ in known..wanted {
                if !left.is_empty() {
                    let [row, column] = left.swap_remove(self.random.below(left.len()));
                    rows[row][column] = *letter;
                }
            }
        }
        for (word, row) in words.iter_mut().zip(rows) {
            *word = row.into_iter().collect();
        }
    }

    fn make_distinct(&mut self, place: usize, tokens: &mut [String]) {
        for at in 1..tokens.len() {
            for _ in 0..ATTEMPTS {
                if !tokens[..at].contains(&tokens[at]) {
                    break;
                }
                if let Some(token) = self.token(place) {
                    tokens[at] = token;
                }
            }
        }
    }

    fn token(&mut self, place: usize) -> Option<String> {
        let facts = &self.form.facts[place];
        match facts.kind {
            Kind::Integer => Some(self.number(place)?.to_string()),
            Kind::Decimal(digits) => {
                let number = self.value_between(facts.least, facts.most, &[]);
                Some(Decimal::text(number, digits))
            }
            Kind::Word if facts.are_numerals => {
                (0..ATTEMPTS).map(|_| self.numeral(place)).find(|numeral| is_numeral(numeral))
            }
            Kind::Word | Kind::Text => Some(self.word(place)),
        }
    }

    fn number(&mut self, place: usize) -> Option<i128> {
        let facts = &self.form.facts[place];
        let [least, most] = self.bounds(facts);
        if least > most {
            return None;
        }
        let number = if self.form.is_counter(place) {
            self.small_between(least, most)
        } else {
            let public: Vec<i128> = facts.public.iter().filter_map(|token| integer(token)).collect();
            self.value_between(least, most, &public)
        };
        // Bounds that other numbers give may not be on a step.
        Some((number - (number - facts.least).rem_euclid(facts.step)).max(facts.least))
    }

    /// The range of a place after the numbers before it.
    fn bounds(&self, facts: &PlaceFacts) -> [i128; 2] {
        let [mut least, mut most] = [facts.least, facts.most];
        for (place, order) in &facts.orders {
            let Some(value) = self.scope.size(*place) else { continue };
            match order {
                Order::AtLeast => least = least.max(value),
                Order::More => least = least.max(value + 1),
                Order::AtMost => most = most.min(value),
                Order::Less => most = most.min(value - 1),
            }
        }
        [least, most]
    }

    /// A size: seldom a large one.
    fn small_between(&mut self, least: i128, most: i128) -> i128 {
        let size = self.random.below(self.size.max(1) + 1) as i128;
        let from_one = size.clamp(least, most);
        if self.random.is_once_in(3) { (least + size).clamp(least, most) } else { from_one }
    }

    /// A value: near an end, near zero, as in a sample, of any size, or any.
    fn value_between(&mut self, least: i128, most: i128, public: &[i128]) -> i128 {
        let near = self.random.below(4) as i128;
        let value = match self.random.below(8) {
            0 | 1 => least + near,
            2 => most - near,
            3 => near - 1,
            4 if !public.is_empty() => *self.random.choose(public) + near - 1,
            5 => {
                let digits = self.random.below(most.abs().max(least.abs()).to_string().len()) as u32;
                self.random.between(-(10_i128.pow(digits)), 10_i128.pow(digits))
            }
            _ => self.random.between(least, most),
        };
        value.clamp(least, most)
    }

    fn word(&mut self, place: usize) -> String {
        let facts = &self.form.facts[place];
        if let Some(words) = &facts.words {
            return self.random.choose(words).clone();
        }
        if facts.length_is.is_none() && !facts.public.is_empty() && self.random.is_once_in(3) {
            return self.piece(place);
        }
        let [shortest, longest] = facts.lengths;
        let counted = facts.length_is.and_then(|place| self.scope.size(place));
        let length = match counted {
            Some(length) => length.max(0),
            None => self.small_between(shortest as i128, longest as i128),
        };
        self.letters(place, length as usize)
    }

    /// A word of digits, perhaps with a sign in the place of the first one.
    fn numeral(&mut self, place: usize) -> String {
        let word = self.word(place);
        let is_signed = self.form.facts[place].letters.contains(&'-') && self.random.is_once_in(2);
        match word.get(1..) {
            Some(digits) if is_signed => format!("-{digits}"),
            _ => word,
        }
    }

    fn word_of_length(&mut self, place: usize, length: usize) -> String {
        let words = self.form.facts[place].words.iter().flatten();
        let known: Vec<&String> = words.filter(|word| word.len() == length).collect();
        if known.is_empty() { self.letters(place, length) } else { (*self.random.choose(&known)).clone() }
    }

    /// Words of a sample, one after the other.
    fn piece(&mut self, place: usize) -> String {
        let public = self.random.choose(&self.form.facts[place].public);
        let words: Vec<&str> = public.split(' ').collect();
        let from = self.random.below(words.len());
        let count = 1 + self.random.below(words.len() - from);
        words[from..from + count].join(" ")
    }

    /// A word of a few letters, or of any.
    fn letters(&mut self, place: usize, length: usize) -> String {
        let facts = &self.form.facts[place];
        // A sign is not among the digits.
        let is_meant = |letter: &&char| !facts.are_numerals || letter.is_ascii_digit();
        let all: Vec<char> = facts.letters.iter().filter(is_meant).copied().collect();
        if all.is_empty() {
            return String::new();
        }
        let few: Vec<char> = (0..1 + self.random.below(3)).map(|_| *self.random.choose(&all)).collect();
        let from = if self.random.is_once_in(3) { &all } else { &few };
        let letters: String = (0..length).map(|_| *self.random.choose(from)).collect();
        if !self.random.is_once_in(4) {
            return letters;
        }
        // The same from both ends.
        let letters: Vec<char> = letters.chars().collect();
        let half = letters[..length / 2].iter().rev();
        letters[..length.div_ceil(2)].iter().chain(half).collect()
    }
}
