//! All inputs that are smaller than a shrunk one, with no number above its maximum, for an exhaustive check.

use std::ops::RangeInclusive;

/// The allowed numbers of the next line, a range for each; `None` ends the input.
type NextLine = fn(&[Vec<i64>], &Max) -> Option<Vec<RangeInclusive<i64>>>;

/// Bounds of the numbers to try.
struct Max {
    /// The bound of all numbers.
    number: i64,
    /// The bound of numbers after the first line, which are values and not counts.
    value: i64,
}

/// Stops after this many lines per wanted input.
const DETOURS: usize = 20;

/// The smaller inputs of a package, unless there are more than `most`. Some may be invalid: validators
/// decide.
pub fn smaller_inputs(package: &str, input: &[u8], most: usize) -> Option<Vec<Vec<u8>>> {
    let next: NextLine = match package {
        "a-game" => game_line,
        "burning-coins" => row_line,
        "beat-them-all" => table_line,
        "road-trips" => road_line,
        "rope" => pole_line,
        "twice-told" => return smaller_texts(input, most),
        other => panic!("{other}: nothing here says what its inputs are"),
    };
    let lines: Vec<Vec<i64>> = std::str::from_utf8(input)
        .ok()?
        .lines()
        .map(|line| line.split(' ').filter_map(|word| word.parse().ok()).collect())
        .collect();
    let max = |from: usize| lines.iter().skip(from).flatten().map(|number| number.abs()).max();
    let bounds = Max { number: max(0)?, value: max(1).unwrap_or(1) };
    let mut search = Search { next, bounds, input, most, looked_at: 0, found: Vec::new() };
    search.extend(&mut Vec::new()).then_some(search.found)
}

struct Search<'a> {
    next: NextLine,
    bounds: Max,
    input: &'a [u8],
    most: usize,
    looked_at: usize,
    found: Vec<Vec<u8>>,
}

impl Search<'_> {
    /// Tries all inputs that begin with these lines; returns whether it tried them all.
    fn extend(&mut self, lines: &mut Vec<Vec<i64>>) -> bool {
        self.looked_at += 1;
        if self.looked_at > self.most * DETOURS || self.found.len() > self.most {
            return false;
        }
        let Some(ranges) = (self.next)(lines, &self.bounds) else {
            let text = text_of(lines);
            if size(&text) < size(self.input) {
                self.found.push(text);
            }
            return true;
        };
        let tokens: usize = lines.iter().map(Vec::len).sum();
        if tokens + ranges.len() > size(self.input).0 {
            return true;
        }
        let mut line: Vec<i64> = ranges.iter().map(|range| *range.start()).collect();
        if ranges.iter().any(RangeInclusive::is_empty) {
            return true;
        }
        loop {
            lines.push(line.clone());
            let is_whole = self.extend(lines);
            lines.pop();
            if !is_whole {
                return false;
            }
            // The next line in these ranges, in counting order.
            let Some(at) = (0..line.len()).rev().find(|&at| line[at] < *ranges[at].end()) else {
                return true;
            };
            line[at] += 1;
            for later in at + 1..line.len() {
                line[later] = *ranges[later].start();
            }
        }
    }
}

fn text_of(lines: &[Vec<i64>]) -> Vec<u8> {
    let line = |line: &Vec<i64>| line.iter().map(i64::to_string).collect::<Vec<_>>().join(" ") + "\n";
    lines.iter().map(line).collect::<String>().into_bytes()
}

/// The order that shrinking uses: tokens, then bytes, then the text.
fn size(text: &[u8]) -> (usize, usize, &[u8]) {
    let tokens = text.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()).count();
    (tokens, text.len(), text)
}

fn game_line(lines: &[Vec<i64>], max: &Max) -> Option<Vec<RangeInclusive<i64>>> {
    match lines {
        [] => Some(vec![2..=max.number.max(2)]),
        [head] => Some(vec![1..=max.value; head[0] as usize]),
        _ => None,
    }
}

fn row_line(lines: &[Vec<i64>], max: &Max) -> Option<Vec<RangeInclusive<i64>>> {
    let Some(head) = lines.first() else { return Some(vec![1..=max.number]) };
    match lines.len() {
        whole if whole as i64 == 1 + 2 * head[0] => None,
        odd if odd % 2 == 1 => Some(vec![1..=max.value]),
        _ => Some(vec![1..=max.value; lines[lines.len() - 1][0] as usize]),
    }
}

fn table_line(lines: &[Vec<i64>], max: &Max) -> Option<Vec<RangeInclusive<i64>>> {
    let Some(head) = lines.first() else { return Some(vec![1..=max.number]) };
    match lines.len() {
        whole if whole as i64 == 1 + 2 * head[0] => None,
        odd if odd % 2 == 1 => Some(vec![1..=max.value, 1..=max.value, 0..=(max.value - 1).max(0)]),
        _ => Some(vec![0..=max.value; lines[lines.len() - 1][0] as usize]),
    }
}

fn road_line(lines: &[Vec<i64>], max: &Max) -> Option<Vec<RangeInclusive<i64>>> {
    let Some(head) = lines.first() else { return Some(vec![1..=max.number, 0..=max.number]) };
    let town = 1..=head[0];
    (lines.len() as i64 <= head[1]).then(|| vec![town.clone(), town, 1..=max.value])
}

fn pole_line(lines: &[Vec<i64>], max: &Max) -> Option<Vec<RangeInclusive<i64>>> {
    let Some(head) = lines.first() else { return Some(vec![1..=max.number.max(2)]) };
    (lines.len() as i64 <= head[0]).then(|| vec![-max.value..=max.value; 2])
}

fn smaller_texts(input: &[u8], most: usize) -> Option<Vec<Vec<u8>>> {
    let text = input.strip_suffix(b"\n")?;
    let letters = b'a'..=*text.iter().max()?;
    let (mut found, mut longest): (Vec<Vec<u8>>, Vec<Vec<u8>>) = (Vec::new(), vec![Vec::new()]);
    for _ in 0..text.len() {
        let longer = |text: &Vec<u8>| {
            letters.clone().map(|letter| [&text[..], &[letter]].concat()).collect::<Vec<_>>()
        };
        if longest.len() * letters.len() + found.len() > most * DETOURS {
            return None;
        }
        longest = longest.iter().flat_map(longer).collect();
        found.extend(
            longest.iter().map(|text| [&text[..], b"\n"].concat()).filter(|text| size(text) < size(input)),
        );
    }
    (found.len() <= most).then_some(found)
}
