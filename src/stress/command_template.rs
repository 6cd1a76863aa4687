//! A generator's call with open places: seeds, ranges, and numbers that are explored. Pure.

use super::random::RandomStream;
use crate::plan::{Program, SeedPlace};
use regex_lite::Regex;
use std::sync::{Arc, LazyLock};

static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{(-?[0-9]{1,18})\.\.=?(-?[0-9]{1,18})\}|\{seed(:[0-9]+)?\}").expect("a fixed pattern")
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new("[0-9]{1,18}").expect("a fixed pattern"));

/// A generator's call with open places.
#[derive(Debug, Clone)]
pub struct CommandTemplate {
    /// For people: the command as it was written.
    pub text: String,
    /// The generator.
    pub program: Arc<Program>,
    words: Vec<Vec<TemplatePiece>>,
    /// Which of the hunt's grounds its inputs belong to.
    pub ground: usize,
}

/// A piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplatePiece {
    Text(String),
    Seed,
    /// Between two numbers that people wrote.
    Range(i128, i128),
    /// A number of the recipe: lower ones are tried, too.
    Explored(i128),
}

/// How great the numbers of a round may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RoundSize {
    /// From the least number of a range on; `None`: as great as it goes.
    pub cap: Option<i128>,
}

impl CommandTemplate {
    /// A command of a recipe: its seed becomes open, and its numbers are explored.
    pub(super) fn of_recipe(
        text: &str,
        program: Arc<Program>,
        (args, seed): (&[String], Option<&SeedPlace>),
        ground: usize,
    ) -> CommandTemplate {
        let word = |(at, word): (usize, &String)| match seed.filter(|seed| seed.arg == at) {
            Some(seed) => {
                let text = |text: &str| (!text.is_empty()).then(|| TemplatePiece::Text(text.to_owned()));
                [text(&seed.prefix), Some(TemplatePiece::Seed), text(&seed.suffix)]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            None => explored_pieces(word),
        };
        let words = args.iter().enumerate().map(word).collect();
        CommandTemplate { text: text.to_owned(), program, words, ground }
    }

    /// A command that people wrote for a hunt, with `{seed}` and `{a..b}`.
    pub(super) fn of_words(
        text: &str,
        program: Arc<Program>,
        args: &[String],
        ground: usize,
    ) -> CommandTemplate {
        let words = args.iter().map(|word| range_pieces(word)).collect();
        CommandTemplate { text: text.to_owned(), program, words, ground }
    }

    /// The same, with a seed at the end if it has no open place: each call must be another.
    #[must_use]
    pub(super) fn with_some_seed(mut self) -> CommandTemplate {
        if self.words.iter().flatten().all(|piece| matches!(piece, TemplatePiece::Text(_))) {
            self.words.push(vec![TemplatePiece::Seed]);
        }
        self
    }

    /// Whether all calls are the same.
    pub(super) fn is_fixed(&self) -> bool {
        self.words.iter().flatten().all(|piece| matches!(piece, TemplatePiece::Text(_)))
    }

    /// The greatest number that is open.
    pub(super) fn greatest(&self) -> i128 {
        let width = |piece: &TemplatePiece| match piece {
            TemplatePiece::Text(_) | TemplatePiece::Seed => 0,
            TemplatePiece::Range(least, greatest) => greatest - least,
            TemplatePiece::Explored(number) => *number,
        };
        self.words.iter().flatten().map(width).max().unwrap_or(0)
    }

    /// Arguments for a call.
    pub(super) fn draw_call(&self, size: RoundSize, random: &mut RandomStream) -> Vec<String> {
        // Most bugs need small inputs, some one great number in them.
        let open = self.words.iter().flatten().filter(|piece| piece.has_size()).count();
        let whole = if random.is_once_in(4) && open > 0 { Some(random.below(open)) } else { None };
        let mut number = 0;
        let mut words = Vec::new();
        for word in &self.words {
            let mut text = String::new();
            for piece in word {
                let size =
                    if piece.has_size() && whole == Some(number) { RoundSize { cap: None } } else { size };
                number += usize::from(piece.has_size());
                text += &piece.draw_text(size, random);
            }
            words.push(text);
        }
        words
    }
}

impl TemplatePiece {
    fn has_size(&self) -> bool {
        matches!(self, TemplatePiece::Range(..) | TemplatePiece::Explored(_))
    }

    fn draw_text(&self, size: RoundSize, random: &mut RandomStream) -> String {
        match self {
            TemplatePiece::Text(text) => text.clone(),
            TemplatePiece::Seed => (random.next_number() % (1 << 31)).to_string(),
            TemplatePiece::Range(least, greatest) => draw_number(*least, *greatest, size, random).to_string(),
            TemplatePiece::Explored(number) => draw_explored(*number, size, random).to_string(),
        }
    }
}

fn draw_number(least: i128, greatest: i128, size: RoundSize, random: &mut RandomStream) -> i128 {
    let greatest = size.cap.map_or(greatest, |cap| greatest.min(least + cap));
    // At the bounds mistakes are more frequent.
    match random.below(4) {
        0 => greatest,
        _ => random.between(least, greatest),
    }
}

/// Between 1 and a number of the recipe; now and then nothing at all, or more than the recipe dares:
/// the validators know the bounds.
fn draw_explored(number: i128, size: RoundSize, random: &mut RandomStream) -> i128 {
    match (size.cap, random.below(16)) {
        (_, 0) => 0,
        (None, 1..4) => *random.choose(&[number + 1, next_round(number), 2 * number]),
        (None, 4..8) => number,
        _ => draw_number(1, number, size, random),
    }
}

/// The next number that is a digit and noughts: bounds often are.
fn next_round(number: i128) -> i128 {
    let unit = 10i128.pow(number.max(1).ilog10());
    (number / unit + i128::from(number % unit != 0)) * unit
}

/// Numbers above 1 are explored.
fn explored_pieces(word: &str) -> Vec<TemplatePiece> {
    let mut pieces = Vec::new();
    let mut end = 0;
    for found in NUMBER.find_iter(word) {
        let number: i128 = found.as_str().parse().unwrap_or(0);
        // A number that is part of a name is none.
        let is_name =
            word[..found.start()].ends_with(|c: char| c.is_alphabetic() || c == '_') && found.start() > 2;
        if number < 2 || is_name {
            continue;
        }
        push_text(&mut pieces, &word[end..found.start()]);
        pieces.push(TemplatePiece::Explored(number));
        end = found.end();
    }
    push_text(&mut pieces, &word[end..]);
    pieces
}

fn range_pieces(word: &str) -> Vec<TemplatePiece> {
    let mut pieces = Vec::new();
    let mut end = 0;
    for found in RANGE.captures_iter(word) {
        let whole = found.get(0).expect("a match has a whole");
        push_text(&mut pieces, &word[end..whole.start()]);
        let bound = |which: usize| found.get(which).and_then(|bound| bound.as_str().parse().ok());
        pieces.push(match (bound(1), bound(2)) {
            (Some(least), Some(greatest)) => TemplatePiece::Range(least, greatest),
            _ => TemplatePiece::Seed,
        });
        end = whole.end();
    }
    push_text(&mut pieces, &word[end..]);
    pieces
}

fn push_text(pieces: &mut Vec<TemplatePiece>, text: &str) {
    if !text.is_empty() {
        pieces.push(TemplatePiece::Text(text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_recipes_are_left_in_both_directions_now_and_then() {
        let mut random = RandomStream::new(1, 1);
        let mut draw =
            |cap| (0..400).map(|_| draw_explored(1999, RoundSize { cap }, &mut random)).collect::<Vec<_>>();
        let whole = draw(None);
        for number in [0, 1999, 2000, 3998] {
            assert!(whole.contains(&number), "{number}");
        }
        let small = draw(Some(2));
        assert!(small.iter().all(|number| (0..=3).contains(number)), "{small:?}");
        assert!((0..=3).all(|number| small.contains(&number)));
    }

    #[test]
    fn a_round_number_has_one_digit_that_is_not_nought() {
        for (number, round) in [(1, 1), (7, 7), (90, 90), (91, 100), (499, 500), (1999, 2000), (2000, 2000)] {
            assert_eq!(next_round(number), round, "{number}");
        }
    }

    #[test]
    fn numbers_of_recipes_and_ranges_of_people_are_open() {
        use TemplatePiece::{Explored, Range, Seed, Text};
        let text = |text: &str| Text(text.into());
        assert_eq!(
            explored_pieces("n=499,500..1"),
            [text("n="), Explored(499), text(","), Explored(500), text("..1")]
        );
        assert_eq!(explored_pieces("random2"), [text("random2")]);
        assert_eq!(explored_pieces("-n20"), [text("-n"), Explored(20)]);
        assert_eq!(
            range_pieces("a{1..10}b{seed}{-3..=3}{x}"),
            [text("a"), Range(1, 10), text("b"), Seed, Range(-3, 3), text("{x}")]
        );
    }
}
