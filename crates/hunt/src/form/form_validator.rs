//! A form as an input validator in Python, which a teacher can read and correct.

use super::{
    facts::{Kind, Order, PlaceFacts},
    input_form::InputForm,
    layout::{Count, Field, Item, Part, fields},
    letters::{GridFacts, LetterCount},
    row_keys::RowKey,
    series::SeriesRule,
};
use std::fmt::Write;

const HEAD: &str = r#"import sys


def need(is_right, what):
    if not is_right:
        print(what)
        sys.exit(43)


def integer(token, least, most):
    need(token.lstrip("-").isdigit() and str(int(token)) == token, f"{token} is no integer")
    need(least <= int(token) <= most, f"{token} is not from {least} to {most}")
    return int(token)


def decimal(token, least, most):
    need(token.replace(".", "", 1).lstrip("-").isdigit(), f"{token} is no number")
    need(least <= float(token) <= most, f"{token} is not from {least} to {most}")
    return float(token)


def word(token, shortest, longest, letters):
    need(shortest <= len(token) <= longest, f"{token} has not {shortest} to {longest} letters")
    need(all(letter in letters for letter in token), f"{token} has other letters than {letters}")
    return token


def numeral(token, shortest, longest, letters):
    word(token, shortest, longest, letters)
    digits = token.removeprefix("-")
    need(token == "0" or digits.isdigit() and digits[0] != "0", f"{token} is no integer")
    return token


def take():
    need(lines, "a line is missing")
    return lines.pop(0)


text = sys.stdin.buffer.read().decode()
"#;

const EXACT: &str = r#"need(text.endswith("\n"), "the last line does not end")
lines = text[:-1].split("\n")
"#;

const WITH_BLANKS: &str = r#"lines = [line.rstrip() for line in text.rstrip().split("\n")]
"#;

impl InputForm {
    /// A program that accepts the inputs of this form, but for orders of pairs, which a teacher knows better.
    pub fn validator(&self) -> String {
        let mut writer = Writer { form: self, text: String::new(), indent: 0 };
        writer.parts(&self.parts);
        writer.line("need(not lines, \"there are more lines\")");
        writer.line("sys.exit(42)");
        format!(
            "# Accepts inputs of the form of the {} tests: {}.\n# Correct what is too narrow or too wide.\n{HEAD}{}{}",
            self.cases,
            self.description(),
            if self.is_exact { EXACT } else { WITH_BLANKS },
            writer.text
        )
    }
}

struct Writer<'a> {
    form: &'a InputForm,
    text: String,
    indent: usize,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.text, "{}{line}", "    ".repeat(self.indent));
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Line(fields) => self.fields(fields),
                Part::Block(count, body) => self.block(part, *count, body),
            }
        }
    }

    fn block(&mut self, part: &Part, count: Count, body: &[Part]) {
        let columns: Vec<usize> = part
            .row()
            .into_iter()
            .flatten()
            .filter(|field| field.item == Item::Token && !self.form.facts[field.place].rules.is_empty())
            .map(|field| field.place)
            .collect();
        let is_own = |key: &&RowKey| part.row().is_some() && part.places().contains(&key[0]);
        let keys: Vec<RowKey> = self.form.row_keys.iter().filter(is_own).cloned().collect();
        for place in &columns {
            self.line(&format!("column{place} = []"));
        }
        for at in 0..keys.len() {
            self.line(&format!("lines{at} = []"));
        }
        match self.count(count) {
            Some(count) => self.line(&format!("for _ in range({count}):")),
            None => self.line("while lines:"),
        }
        self.indent += 1;
        self.parts(body);
        for place in &columns {
            let name = self.name(*place);
            self.line(&format!("column{place}.append({name})"));
        }
        for (at, key) in keys.iter().enumerate() {
            let names: Vec<String> = key.iter().map(|place| self.name(*place)).collect();
            self.line(&format!("lines{at}.append(({}))", names.join(", ")));
        }
        self.indent -= 1;
        for place in columns {
            self.rules(place, &format!("column{place}"));
        }
        for at in 0..keys.len() {
            self.line(&format!("need(len(set(lines{at})) == len(lines{at}), \"a line is there twice\")"));
        }
    }

    fn fields(&mut self, fields: &[Field]) {
        if let [Field { place, item: Item::Text }] = fields {
            let check = self.check(*place, "take()");
            return self.line(&check);
        }
        self.line("tokens = take().split(\" \")");
        for field in fields {
            match field.item {
                Item::Token | Item::Text => {
                    self.line("need(tokens, \"a line is too short\")");
                    let check = self.check(field.place, "tokens.pop(0)");
                    let name = self.name(field.place);
                    self.line(&format!("{name} = {check}"));
                    self.comparisons(field.place, &name);
                }
                Item::List(count) => self.list(field.place, count),
            }
        }
        self.line("need(not tokens, \"a line is too long\")");
    }

    fn list(&mut self, place: usize, count: Count) {
        let count = self.count(count).unwrap_or_else(|| "len(tokens)".to_owned());
        self.line(&format!("need(len(tokens) >= {count}, \"a line is too short\")"));
        let (check, items) = (self.check(place, "token"), self.name(place));
        self.line(&format!("{items} = [{check} for token in tokens[:{count}]]"));
        self.line(&format!("tokens = tokens[{count}:]"));
        let PlaceFacts { orders, step, length_is, .. } = &self.form.facts[place];
        if !orders.is_empty() || *step > 1 || length_is.is_some() {
            self.line(&format!("for item in {items}:"));
            self.indent += 1;
            self.comparisons(place, "item");
            self.indent -= 1;
        }
        if let Some(size) = self.form.facts[place].count_is.map(|place| self.size(place)) {
            self.line(&format!("need(len({items}) == {size}, \"a line has another length\")"));
        }
        self.rules(place, &items);
    }

    /// The check of a token, whose value it is.
    fn check(&self, place: usize, token: &str) -> String {
        let facts: &PlaceFacts = &self.form.facts[place];
        match facts.kind {
            Kind::Integer => format!("integer({token}, {}, {})", facts.least, facts.most),
            Kind::Decimal(digits) => {
                let value = |number: i128| number as f64 / 10_f64.powi(digits as i32);
                format!("decimal({token}, {:?}, {:?})", value(facts.least), value(facts.most))
            }
            Kind::Word | Kind::Text => {
                let letters: String = facts.letters.iter().collect();
                let [shortest, longest] = facts.lengths;
                let check = if facts.are_numerals { "numeral" } else { "word" };
                format!("{check}({token}, {shortest}, {longest}, {})", python_text(&letters))
            }
        }
    }

    fn comparisons(&mut self, place: usize, value: &str) {
        let PlaceFacts { step, least, length_is, .. } = self.form.facts[place];
        if let Some(length) = length_is.map(|other| self.size(other)) {
            self.line(&format!(
                "need(len({value}) == {length}, f\"{{{value}}} has not {{{length}}} letters\")"
            ));
        }
        if step > 1 {
            self.line(&format!("need(({value} - {least}) % {step} == 0, f\"{{{value}}} is not {least} and a multiple of {step}\")"));
        }
        for (other, order) in self.form.facts[place].orders.clone() {
            let sign = match order {
                Order::Less => "<",
                Order::AtMost => "<=",
                Order::AtLeast => ">=",
                Order::More => ">",
            };
            let other = self.size(other);
            self.line(&format!("need({value} {sign} {other}, f\"{{{value}}} is not {sign} {{{other}}}\")"));
        }
    }

    fn rules(&mut self, place: usize, list: &str) {
        for rule in self.form.facts[place].rules.clone() {
            let (test, what) = match rule {
                SeriesRule::Increasing => {
                    (format!("sorted(set({list})) == {list}"), "numbers are not increasing")
                }
                SeriesRule::Ascending => (format!("sorted({list}) == {list}"), "numbers are not ascending"),
                SeriesRule::Decreasing => {
                    (format!("sorted(set({list}), reverse=True) == {list}"), "numbers are not decreasing")
                }
                SeriesRule::Descending => {
                    (format!("sorted({list}, reverse=True) == {list}"), "numbers are not descending")
                }
                SeriesRule::Permutation => {
                    (format!("sorted({list}) == list(range(1, len({list}) + 1))"), "not a permutation")
                }
                SeriesRule::Distinct => {
                    (format!("len(set({list})) == len({list})"), "an item is there twice")
                }
                SeriesRule::BelowPosition => (
                    format!("all(item <= at for at, item in enumerate({list}))"),
                    "a number is not below its position",
                ),
                SeriesRule::AtMostPosition => (
                    format!("all(item <= at + 1 for at, item in enumerate({list}))"),
                    "a number is above its position",
                ),
                SeriesRule::EqualLengths => {
                    (format!("len(set(map(len, {list}))) <= 1"), "words have different lengths")
                }
            };
            self.line(&format!("need({test}, \"{what}\")"));
        }
        let GridFacts { counts, corners } = self.form.facts[place].grid.clone();
        for (letter, count) in counts {
            let test = match count {
                LetterCount::Exactly(count) => format!("== {count}"),
                LetterCount::AtLeastOne => "> 0".to_owned(),
            };
            let letter = python_text(&letter.to_string());
            self.line(&format!(
                "need(\"\".join({list}).count({letter}) {test}, \"too few or too many letters\")"
            ));
        }
        for (letter, end) in corners.into_iter().zip(["0", "-1"]) {
            if let Some(letter) = letter.map(|letter| python_text(&letter.to_string())) {
                self.line(&format!(
                    "need(\"\".join({list})[{end}:][:1] == {letter}, \"a corner has another letter\")"
                ));
            }
        }
    }

    fn count(&self, count: Count) -> Option<String> {
        match count {
            Count::Fixed(count) => Some(count.to_string()),
            Count::Number { place, less: 0 } => Some(self.name(place)),
            Count::Number { place, less } => Some(format!("{} - {less}", self.name(place))),
            Count::Free => None,
        }
    }

    /// The number, or the length of the word or of the list.
    fn size(&self, place: usize) -> String {
        let name = self.name(place);
        if self.form.facts[place].kind == Kind::Integer && !self.is_list(place) {
            name
        } else {
            format!("len({name})")
        }
    }

    fn is_list(&self, place: usize) -> bool {
        let is_own = |field: &Field| field.place == place && matches!(field.item, Item::List(_));
        fields(&self.form.parts).iter().any(is_own)
    }

    /// A variable.
    fn name(&self, place: usize) -> String {
        if self.form.is_counter(place) { self.form.name(place) } else { format!("x{}", place + 1) }
    }
}

fn python_text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
