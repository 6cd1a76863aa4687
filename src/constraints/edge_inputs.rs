//! Inputs that have another number in one place, made from a valid one: alone, and with what it may count made
//! longer or shorter. Which of them a validator can accept, it is asked.

use super::InputColumns;

/// One input for each way of changing, always in the same order; `None`: that way leads nowhere.
pub type EdgeInputs = Vec<Option<Vec<u8>>>;

/// More words or lines are not made.
const MOST_COUNTED: i128 = 2_000_000;
/// Greater inputs, neither.
const LARGEST: usize = 24 << 20;
/// More lines are hardly counted by one number together.
const LONGEST_BLOCK: usize = 4;

/// An input as lines of words.
type Lines<'a> = Vec<Vec<&'a str>>;

/// The number that is changed.
#[derive(Clone, Copy)]
struct ChangedNumber {
    line: usize,
    word: usize,
    /// What it may count: so many words or lines.
    old: Option<usize>,
    /// What it may count then.
    new: Option<usize>,
}

/// The number that an input has in a place, the first of them.
pub fn number_at(text: &str, columns: &InputColumns, place: (usize, usize)) -> Option<i128> {
    let lines = words_of(text)?;
    let (line, word) = first_of_place(&lines, columns, place)?;
    lines[line][word].parse().ok()
}

/// Changes the first number of a place; nothing where it is none, or the input is not written plainly.
pub fn edge_inputs(text: &str, columns: &InputColumns, place: (usize, usize), value: i128) -> EdgeInputs {
    let change = || {
        let lines = words_of(text)?;
        let (line, word) = first_of_place(&lines, columns, place)?;
        let old: i128 = lines[line][word].parse().ok()?;
        let count = |number: i128| (0..=MOST_COUNTED).contains(&number).then_some(number as usize);
        Some((lines, ChangedNumber { line, word, old: count(old), new: count(value) }))
    };
    let Some((mut lines, number)) = change() else { return vec![] };
    let value = value.to_string();
    lines[number.line][number.word] = &value;
    let ways = [
        Some(lines.clone()),
        with_next_row(&lines, number),
        with_all_rows(&lines, number),
        with_blocks(&lines, number, columns.head()),
    ];
    let mut inputs: EdgeInputs = ways.into_iter().map(|lines| text_of(&lines?)).collect();
    inputs.push(with_letters(&lines, number).and_then(|(line, word)| {
        let mut lines = lines.clone();
        lines[line] = vec![&word];
        text_of(&lines)
    }));
    inputs
}

/// Lines of words, if nothing but single spaces and newlines separates them.
fn words_of(text: &str) -> Option<Lines<'_>> {
    let body = text.strip_suffix('\n')?;
    let lines: Lines = body.split('\n').map(|line| line.split(' ').collect()).collect();
    let is_plain = |word: &&str| !word.is_empty() && !word.contains(char::is_whitespace);
    lines.iter().flatten().all(is_plain).then_some(lines)
}

fn text_of(lines: &Lines) -> Option<Vec<u8>> {
    let size: usize = lines.iter().flatten().map(|word| word.len() + 1).sum();
    let line = |line: &Vec<&str>| line.join(" ") + "\n";
    (size <= LARGEST).then(|| lines.iter().map(line).collect::<String>().into_bytes())
}

fn first_of_place(lines: &Lines, columns: &InputColumns, place: (usize, usize)) -> Option<(usize, usize)> {
    let (row, word) = place;
    let line = (0..lines.len()).find(|&line| columns.row_of(line) == row)?;
    let word = word.saturating_sub(1);
    (word < lines[line].len()).then_some((line, word))
}

/// So many of them, from the beginning again where there are too few.
fn resized<T: Clone>(all: &[T], length: usize) -> Vec<T> {
    all.iter().cycle().take(length).cloned().collect()
}

/// The line below has so many words.
fn with_next_row<'a>(lines: &Lines<'a>, number: ChangedNumber) -> Option<Lines<'a>> {
    let below = number.line + 1;
    (lines.get(below)?.len() == number.old?).then_some(())?;
    let mut changed = lines.clone();
    changed[below] = resized(&lines[below], number.new?);
    Some(changed)
}

/// All lines below that had so many words have so many.
fn with_all_rows<'a>(lines: &Lines<'a>, number: ChangedNumber) -> Option<Lines<'a>> {
    let (old, new) = (number.old?, number.new?);
    let counted: Vec<usize> =
        (number.line + 1..lines.len()).filter(|&line| lines[line].len() == old).collect();
    let fits = counted.len() > 1 && counted.len() as i128 * new as i128 <= MOST_COUNTED;
    fits.then_some(())?;
    let mut changed = lines.clone();
    counted.into_iter().for_each(|line| changed[line] = resized(&lines[line], new));
    Some(changed)
}

/// There are so many blocks of lines behind the head.
fn with_blocks<'a>(lines: &Lines<'a>, number: ChangedNumber, head: usize) -> Option<Lines<'a>> {
    let (old, new) = (number.old?, number.new?);
    let from = head.max(number.line + 1);
    let block = lines.get(from..)?;
    (old > 0 && block.len().is_multiple_of(old)).then_some(())?;
    let length = block.len() / old;
    ((1..=LONGEST_BLOCK).contains(&length) && (length * new) as i128 <= MOST_COUNTED).then_some(())?;
    Some([&lines[..from], &resized(block, length * new)].concat())
}

/// The line below is a word of so many letters.
fn with_letters(lines: &Lines, number: ChangedNumber) -> Option<(usize, String)> {
    let below = number.line + 1;
    let [word] = lines.get(below)?[..] else { return None };
    (word.len() == number.old? && word.is_ascii() && word.len() > 1).then_some(())?;
    Some((below, word.chars().cycle().take(number.new?).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::InputShape;

    fn changed(inputs: &[&str], place: (usize, usize), value: i128) -> Vec<String> {
        let columns = InputColumns::of(&inputs.iter().map(|text| InputShape::of(text)).collect::<Vec<_>>());
        let made = edge_inputs(inputs[0], &columns, place, value);
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
        let ways = |value| edge_inputs("2\n3 4\n", &columns, (0, 1), value);
        assert_eq!(ways(5).len(), ways(-5).len());
        assert!(edge_inputs("2\n3  4\n", &columns, (0, 1), 3).is_empty(), "not written plainly");
        assert!(edge_inputs("x\n3 4\n", &columns, (0, 1), 3).is_empty(), "no number");
    }
}
