//! A form in words: `n (1 to 8); n integers, 0 to 9`.

use super::{
    decimal::Decimal,
    facts::{Kind, PairRule, PlaceFacts},
    input_form::InputForm,
    layout::{Count, Field, Item, Part, fields},
    letters::LetterCount,
    series::SeriesRule,
};

/// Names of numbers that count.
const NAMES: [&str; 8] = ["n", "m", "k", "q", "t", "a", "b", "c"];
const WORDS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

fn count_word(count: usize) -> String {
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

impl InputForm {
    /// What the inputs consist of.
    pub fn description(&self) -> String {
        self.parts_in_words(&self.parts)
    }

    fn parts_in_words(&self, parts: &[Part]) -> String {
        let shown: Vec<String> = parts.iter().map(|part| self.part_in_words(part)).collect();
        shown.join("; ")
    }

    fn part_in_words(&self, part: &Part) -> String {
        match part {
            Part::Line(line) => self.line_in_words(line),
            Part::Block(count, body) => {
                let lines = match self.count_in_words(*count) {
                    Some(count) => format!("{count} times"),
                    None => "lines of".to_owned(),
                };
                let keys: Vec<String> = part.row().map(|row| self.keys_in_words(row)).unwrap_or_default();
                format!("{lines} ({})", [vec![self.parts_in_words(body)], keys].concat().join("; "))
            }
        }
    }

    /// In which columns lines of a block are different.
    fn keys_in_words(&self, row: &[Field]) -> Vec<String> {
        let mut shown = Vec::new();
        for key in &self.row_keys {
            let columns = row.iter().enumerate().filter(|(_, field)| key.contains(&field.place));
            let columns: Vec<String> = columns.map(|(at, _)| (at + 1).to_string()).collect();
            match &columns[..] {
                [] => {}
                all if all.len() == row.len() => shown.push("no line twice".to_owned()),
                [others @ .., last] => {
                    shown.push(format!("no two lines equal in columns {} and {last}", others.join(", ")));
                }
            }
        }
        shown
    }

    fn line_in_words(&self, line: &[Field]) -> String {
        if line.is_empty() {
            return "an empty line".to_owned();
        }
        let groups: Vec<&[Field]> = line.chunk_by(|one, other| self.are_alike(one, other)).collect();
        match groups[..] {
            [only] => {
                let (what, details) = self.fields_in_words(only);
                [vec![what], details].concat().join(", ")
            }
            _ => {
                let shown = groups.iter().map(|group| {
                    let (what, details) = self.fields_in_words(group);
                    if details.is_empty() { what } else { format!("{what} ({})", details.join(", ")) }
                });
                shown.collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// Whether two tokens of a line are said at once.
    fn are_alike(&self, one: &Field, other: &Field) -> bool {
        let is_plain = |field: &Field| field.item == Item::Token && !self.is_counter(field.place);
        is_plain(one) && is_plain(other) && self.facts[one.place].kind == self.facts[other.place].kind
    }

    /// Equal tokens or a list, with their range and their rules.
    fn fields_in_words(&self, alike: &[Field]) -> (String, Vec<String>) {
        let Field { place, item } = alike[0];
        let facts = &self.facts[place];
        if self.is_counter(place) && item == Item::Token {
            let even = facts.rules_in_words();
            let details = [vec![range(facts.least, facts.most, facts.kind)], even].concat();
            return (format!("{} ({})", self.name(place), details.join(", ")), Vec::new());
        }
        let count = match item {
            Item::Token if alike.len() == 1 => None,
            Item::Token => Some(count_word(alike.len())),
            Item::List(count) => Some(self.count_in_words(count).unwrap_or_else(|| "some".to_owned())),
            Item::Text => None,
        };
        let least = alike.iter().map(|field| self.facts[field.place].least).min().unwrap_or(0);
        let most = alike.iter().map(|field| self.facts[field.place].most).max().unwrap_or(0);
        let [one, many] = match facts.kind {
            Kind::Integer => ["an integer", "integers"],
            Kind::Decimal(_) => ["a decimal", "decimals"],
            Kind::Word if facts.are_numerals => ["an integer", "integers"],
            Kind::Word => ["a word", "words"],
            Kind::Text => ["a line of text", "lines of text"],
        };
        let what = count.map_or_else(|| one.to_owned(), |count| format!("{count} {many}"));
        let values = match facts.kind {
            Kind::Integer | Kind::Decimal(_) => range(least, most, facts.kind),
            Kind::Word | Kind::Text => facts.letters_in_words(),
        };
        (what, [vec![values], facts.rules_in_words()].concat())
    }

    fn count_in_words(&self, count: Count) -> Option<String> {
        match count {
            Count::Fixed(count) => Some(count_word(count)),
            Count::Number { place, less: 0 } => Some(self.name(place)),
            Count::Number { place, less } => Some(format!("{} − {less}", self.name(place))),
            Count::Free => None,
        }
    }

    /// The name of a number that counts.
    pub(super) fn name(&self, place: usize) -> String {
        let counters = fields(&self.parts).into_iter().filter(|field| self.is_counter(field.place));
        let at = counters.take_while(|field| field.place != place).count();
        NAMES.get(at).map_or_else(|| format!("n{at}"), |name| (*name).to_owned())
    }
}

impl PlaceFacts {
    fn letters_in_words(&self) -> String {
        if let Some(words) = &self.words {
            return format!("one of {}", words.join(", "));
        }
        let [shortest, longest] = self.lengths;
        if self.are_numerals {
            return format!("{} digits", span(shortest as i128, longest as i128));
        }
        format!("{} letters of {}", span(shortest as i128, longest as i128), alphabet(&self.letters))
    }

    fn rules_in_words(&self) -> Vec<String> {
        let has = |rule: SeriesRule| self.rules.contains(&rule);
        let mut shown = Vec::new();
        match self.step {
            1 => {}
            2 if self.least % 2 == 0 => shown.push("even"),
            2 => shown.push("odd"),
            _ => shown.push("in equal steps"),
        }
        match () {
            () if has(SeriesRule::Permutation) => shown.push("a permutation"),
            () if has(SeriesRule::Increasing) => shown.push("increasing"),
            () if has(SeriesRule::Ascending) => shown.push("in ascending order"),
            () if has(SeriesRule::Decreasing) => shown.push("decreasing"),
            () if has(SeriesRule::Descending) => shown.push("in descending order"),
            () if has(SeriesRule::Distinct) => shown.push("all different"),
            () if has(SeriesRule::EqualLengths) => shown.push("of one length"),
            () => {}
        }
        if has(SeriesRule::BelowPosition) {
            shown.push("number i below i");
        } else if has(SeriesRule::AtMostPosition) {
            shown.push("number i at most i");
        }
        for rule in &self.pair_rules {
            shown.push(match rule {
                PairRule::Unequal => "no two equal in a line",
                PairRule::Distinct => "no pair twice",
                PairRule::Connected => "connected",
                PairRule::Forest => "without a cycle",
            });
        }
        [shown.into_iter().map(str::to_owned).collect(), self.grid_in_words()].concat()
    }

    fn grid_in_words(&self) -> Vec<String> {
        let mut shown = Vec::new();
        for (letter, count) in &self.grid.counts {
            shown.push(match count {
                LetterCount::Exactly(count) => format!("{} {letter}", count_word(*count)),
                LetterCount::AtLeastOne => format!("at least one {letter}"),
            });
        }
        for (letter, place) in self.grid.corners.iter().zip(["first", "last"]) {
            shown.extend(letter.map(|letter| format!("{letter} {place}")));
        }
        shown
    }
}

/// Letters, with alphabets as ranges.
pub(super) fn alphabet(letters: &std::collections::BTreeSet<char>) -> String {
    let mut shown = String::new();
    let mut left = letters.clone();
    for (first, last) in [('a', 'z'), ('A', 'Z'), ('0', '9')] {
        if (first..=last).all(|letter| left.contains(&letter)) {
            left.retain(|letter| !(first..=last).contains(letter));
            shown.push_str(&format!("{first}-{last}"));
        }
    }
    shown.extend(left.iter().map(|letter| if *letter == ' ' { '␣' } else { *letter }));
    shown
}

fn span(least: i128, most: i128) -> String {
    if least == most { minus(least) } else { format!("{} to {}", minus(least), minus(most)) }
}

fn minus(number: i128) -> String {
    number.to_string().replace('-', "−")
}

fn range(least: i128, most: i128, kind: Kind) -> String {
    match kind {
        Kind::Decimal(digits) => {
            let [least, most] = [least, most].map(|end| Decimal::text(end, digits).replace('-', "−"));
            format!("{least} to {most}")
        }
        Kind::Integer | Kind::Word | Kind::Text => span(least, most),
    }
}
