//! Inputs that have another number in one place, made from a valid one: alone, and with what it may count made
//! longer or shorter. Which of them a validator can accept, it is asked.

use super::InputColumns;
use std::{borrow::Cow, ops::Range};

/// One input for each way of changing, always in the same order; `None`: that way leads nowhere.
pub type EdgeInputs = Vec<Option<Vec<u8>>>;

/// More words or lines are not made.
const MOST_COUNTED: i128 = 2_000_000;
/// Greater inputs, neither.
const LARGEST: usize = 24 << 20;
/// More lines are hardly counted by one number together.
const LONGEST_BLOCK: usize = 4;

/// An input whose words are separated by nothing but single spaces and newlines.
#[derive(Debug)]
pub struct PlainInput<'a> {
    lines: Vec<PlainLine<'a>>,
}

/// A line, and how many words it has.
#[derive(Debug, Clone, Copy)]
struct PlainLine<'a> {
    text: &'a str,
    words: usize,
}

/// Lines of a changed input.
type Lines<'a> = Vec<Cow<'a, str>>;

/// The number that is changed.
#[derive(Clone, Copy)]
struct ChangedNumber {
    line: usize,
    /// What it may count: so many words or lines.
    old: Option<usize>,
    /// What it may count then.
    new: Option<usize>,
}

impl<'a> PlainInput<'a> {
    /// `None`: something else separates its words.
    pub fn of(text: &'a str) -> Option<PlainInput<'a>> {
        let lines = text.strip_suffix('\n')?.split('\n').map(PlainLine::of);
        lines.collect::<Option<_>>().map(|lines| PlainInput { lines })
    }

    /// Changes the first number of a place; nothing where it is none.
    pub fn edge_inputs(&self, columns: &InputColumns, place: (usize, usize), value: i128) -> EdgeInputs {
        let Some((line, word, old)) = self.first_number(columns, place) else { return vec![] };
        let count = |number: i128| (0..=MOST_COUNTED).contains(&number).then_some(number as usize);
        let number = ChangedNumber { line, old: count(old), new: count(value) };
        let text = self.lines[line].text;
        let changed = format!("{}{value}{}", &text[..word.start], &text[word.end..]);
        let ways = [
            Some(self.texts().collect()),
            self.with_next_row(number),
            self.with_all_rows(number),
            self.with_blocks(number, columns.head()),
            self.with_letters(number),
        ];
        let input = |way: Option<Lines>| {
            let mut lines = way?;
            lines[line] = Cow::Borrowed(&changed);
            bytes_of(&lines)
        };
        ways.into_iter().map(input).collect()
    }

    fn texts(&self) -> impl Iterator<Item = Cow<'a, str>> + Clone {
        self.lines.iter().map(|line| Cow::Borrowed(line.text))
    }

    /// Its line, where it stands in it, and what it is.
    fn first_number(
        &self,
        columns: &InputColumns,
        place: (usize, usize),
    ) -> Option<(usize, Range<usize>, i128)> {
        let (row, word) = place;
        let at = (0..self.lines.len()).find(|&line| columns.row_of(line) == row)?;
        let line = self.lines[at];
        let start = line.start_of(word.saturating_sub(1))?;
        let length = line.text[start..].find(' ').unwrap_or(line.text.len() - start);
        let number = line.text[start..start + length].parse().ok()?;
        Some((at, start..start + length, number))
    }

    /// The line below has so many words.
    fn with_next_row(&self, number: ChangedNumber) -> Option<Lines<'a>> {
        let below = number.line + 1;
        let line = self.lines.get(below).filter(|line| Some(line.words) == number.old)?;
        let new = number.new?;
        (line.least_size(new) <= LARGEST).then_some(())?;
        let mut changed: Lines = self.texts().collect();
        changed[below] = line.resized(new);
        Some(changed)
    }

    /// All lines below that had so many words have so many.
    fn with_all_rows(&self, number: ChangedNumber) -> Option<Lines<'a>> {
        let (old, new) = (number.old?, number.new?);
        let is_counted = |(at, line): &(usize, &PlainLine)| *at > number.line && line.words == old;
        let counted = || self.lines.iter().enumerate().filter(is_counted);
        let (count, size) =
            (counted().count(), counted().map(|(_, line)| line.least_size(new)).sum::<usize>());
        (count > 1 && count as i128 * new as i128 <= MOST_COUNTED && size <= LARGEST).then_some(())?;
        let line = |one: (usize, &PlainLine<'a>)| match is_counted(&one) {
            true => one.1.resized(new),
            false => Cow::Borrowed(one.1.text),
        };
        Some(self.lines.iter().enumerate().map(line).collect())
    }

    /// There are so many blocks of lines behind the head.
    fn with_blocks(&self, number: ChangedNumber, head: usize) -> Option<Lines<'a>> {
        let (old, new) = (number.old?, number.new?);
        let from = head.max(number.line + 1);
        let block = self.lines.get(from..)?;
        (old > 0 && block.len().is_multiple_of(old)).then_some(())?;
        let length = block.len() / old;
        ((1..=LONGEST_BLOCK).contains(&length) && (length * new) as i128 <= MOST_COUNTED).then_some(())?;
        Some(self.texts().take(from).chain(self.texts().skip(from).cycle().take(length * new)).collect())
    }

    /// The line below is a word of so many letters.
    fn with_letters(&self, number: ChangedNumber) -> Option<Lines<'a>> {
        let below = number.line + 1;
        let &PlainLine { text, words } = self.lines.get(below)?;
        (words == 1 && text.len() == number.old? && text.is_ascii() && text.len() > 1).then_some(())?;
        let new = number.new?;
        let mut changed: Lines = self.texts().collect();
        changed[below] = format!("{}{}", text.repeat(new / text.len()), &text[..new % text.len()]).into();
        Some(changed)
    }
}

impl<'a> PlainLine<'a> {
    fn of(text: &'a str) -> Option<PlainLine<'a>> {
        // Bytes, counted by hand: inputs are long, and this is not always compiled to be quick.
        let (bytes, mut at, mut words, mut is_word) = (text.as_bytes(), 0, 0, false);
        while at < bytes.len() {
            match (bytes[at], is_word) {
                (b' ', true) => is_word = false,
                (b' ' | b'\t'..=b'\r', _) => return None,
                (_, false) => (words, is_word) = (words + 1, true),
                (_, true) => {}
            }
            at += 1;
        }
        let is_plain =
            is_word && (text.is_ascii() || text.split(' ').all(|word| !word.contains(char::is_whitespace)));
        is_plain.then_some(PlainLine { text, words })
    }

    /// Where a word begins.
    fn start_of(&self, word: usize) -> Option<usize> {
        let (bytes, mut at, mut left) = (self.text.as_bytes(), 0, word);
        while left > 0 && at < bytes.len() {
            left -= usize::from(bytes[at] == b' ');
            at += 1;
        }
        (left == 0).then_some(at)
    }

    /// With so many words it is no shorter than this.
    fn least_size(&self, words: usize) -> usize {
        self.text.len() * (words / self.words)
    }

    /// So many of its words, from the beginning again where there are too few.
    fn resized(&self, words: usize) -> Cow<'a, str> {
        if words <= self.words {
            let end = self.start_of(words).map_or(self.text.len(), |start| start.saturating_sub(1));
            return Cow::Borrowed(&self.text[..end]);
        }
        let whole = format!("{} ", self.text).repeat(words / self.words);
        let rest = self.resized(words % self.words);
        Cow::Owned((whole + &rest).trim_end_matches(' ').to_owned())
    }
}

fn bytes_of(lines: &Lines) -> Option<Vec<u8>> {
    let size: usize = lines.iter().map(|line| line.len() + 1).sum();
    (size <= LARGEST).then_some(())?;
    let mut bytes = Vec::with_capacity(size);
    for line in lines {
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::InputShape;

    fn changed(inputs: &[&str], place: (usize, usize), value: i128) -> Vec<String> {
        let columns = InputColumns::of(&inputs.iter().map(|text| InputShape::of(text)).collect::<Vec<_>>());
        let made = PlainInput::of(inputs[0]).unwrap().edge_inputs(&columns, place, value);
        made.into_iter().flatten().map(|bytes| String::from_utf8(bytes).unwrap()).collect()
    }

    #[test]
    fn what_a_number_counts_becomes_longer_and_shorter_with_it() {
        let rows = ["2\n3 4\n", "3\n5 6 7\n"];
        assert_eq!(changed(&rows, (0, 1), 3), ["3\n3 4\n", "3\n3 4 3\n"]);
        assert_eq!(changed(&rows, (0, 1), 0), ["0\n3 4\n", "0\n\n"]);
        assert_eq!(changed(&rows, (0, 1), -1), ["-1\n3 4\n"]);
        assert_eq!(changed(&rows, (1, 0), 1001), ["2\n1001 4\n"]);
        let edges = ["3 2\n1 2\n2 3\n", "2 1\n1 2\n"];
        assert_eq!(
            changed(&edges, (0, 2), 3),
            ["3 3\n1 2\n2 3\n", "3 3\n1 2 1\n2 3\n", "3 3\n1 2 1\n2 3 2\n", "3 3\n1 2\n2 3\n1 2\n"]
        );
        let cases = ["1\n2\n3 4\n", "2\n1\n5\n3\n1 2 3\n"];
        assert_eq!(changed(&cases, (0, 1), 2)[2..], ["2\n2\n3 4\n2\n3 4\n"]);
        assert_eq!(changed(&cases, (1, 1), 3), ["1\n3\n3 4\n", "1\n3\n3 4 3\n"]);
        assert_eq!(changed(&["3\nabc\n", "2\nxy\n"], (0, 1), 4), ["4\nabc\n", "4\nabca\n"]);
    }

    #[test]
    fn ways_have_the_same_order_whatever_the_number_becomes() {
        let columns = InputColumns::of(&[InputShape::of("2\n3 4\n")]);
        let ways =
            |text, value| PlainInput::of(text).map(|input| input.edge_inputs(&columns, (0, 1), value).len());
        assert_eq!((ways("2\n3 4\n", 5), ways("2\n3 4\n", -5)), (Some(5), Some(5)));
        assert_eq!(ways("x\n3 4\n", 3), Some(0), "no number");
        for not_plain in ["2\n3  4\n", "2\n3 4", "2\n3 4 \n", "2\n\n3 4\n", "2\n3\t4\n", "2\n3\u{a0}4\n", ""]
        {
            assert_eq!(ways(not_plain, 3), None, "{not_plain:?}");
        }
    }

    #[test]
    fn what_would_be_too_large_is_not_made() {
        let text = format!("1 1\n{0}\n{0}\n", "7".repeat(1 << 20));
        let columns = InputColumns::of(&[InputShape::of(&text)]);
        let ways = PlainInput::of(&text).unwrap().edge_inputs(&columns, (0, 1), MOST_COUNTED);
        assert_eq!(ways.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, false, false, false]);
    }
}
