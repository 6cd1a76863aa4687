//! The words of a generator's call with placeholders: seeds, ranges, and numbers to explore. Pure.

use crate::form::RandomStream;
use kopek_plan::plan::SeedPlace;
use regex_lite::{Captures, Regex};
use std::{ops::Range, sync::LazyLock};

static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{(-?[0-9]{1,18})\.\.=?(-?[0-9]{1,18})\}|\{seed(:[0-9]+)?\}").expect("a fixed pattern")
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new("[0-9]{1,18}").expect("a fixed pattern"));

/// The words of a call; pieces of them may be placeholders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TemplateWords {
    pub(super) words: Vec<Vec<TemplatePiece>>,
}

/// A piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TemplatePiece {
    Text(String),
    Seed,
    /// A range written by hand.
    Range(i128, i128),
    /// A number of the recipe; lower ones are tried, too.
    Explored(i128),
}

/// The size of the numbers of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RoundSize {
    /// The distance from the least number of a range; `None`: up to the maximum.
    pub cap: Option<i128>,
}

impl TemplateWords {
    /// The words with their placeholders, as people would write them.
    pub fn texts(&self) -> Vec<String> {
        let piece = |piece: &TemplatePiece| match piece {
            TemplatePiece::Text(text) => text.clone(),
            TemplatePiece::Seed => "{seed}".to_owned(),
            TemplatePiece::Range(from, to) => format!("{{{from}..{to}}}"),
            TemplatePiece::Explored(number) => format!("{{..{number}}}"),
        };
        self.words.iter().map(|word| word.iter().map(piece).collect()).collect()
    }

    /// The arguments of a command of a recipe: its seed becomes a placeholder, and its numbers are explored.
    pub fn of_recipe(args: &[String], seed: Option<&SeedPlace>) -> TemplateWords {
        let word = |(at, word): (usize, &String)| match seed {
            Some(SeedPlace { arg, prefix, suffix, .. }) if *arg == at => {
                let mut pieces = vec![TemplatePiece::Text(prefix.clone()), TemplatePiece::Seed];
                pieces.push(TemplatePiece::Text(suffix.clone()));
                pieces
            }
            Some(_) | None => explored_pieces(word),
        };
        TemplateWords { words: args.iter().enumerate().map(word).collect() }
    }

    /// The arguments of a command written by hand for a hunt, with `{seed}` and `{a..b}`; without any of these a seed is
    /// added, so that calls differ.
    pub fn by_hand(args: &[String]) -> TemplateWords {
        let mut template = TemplateWords { words: args.iter().map(|word| range_pieces(word)).collect() };
        if template.is_fixed() {
            template.words.push(vec![TemplatePiece::Seed]);
        }
        template
    }

    fn pieces(&self) -> impl Iterator<Item = &TemplatePiece> {
        self.words.iter().flatten()
    }

    /// Whether all calls are the same.
    pub fn is_fixed(&self) -> bool {
        self.pieces().all(|piece| matches!(piece, TemplatePiece::Text(_)))
    }

    /// The maximum number that a placeholder may have.
    pub fn max(&self) -> i128 {
        let width = |piece: &TemplatePiece| match piece {
            TemplatePiece::Text(_) | TemplatePiece::Seed => 0,
            TemplatePiece::Range(min, max) => max - min,
            TemplatePiece::Explored(number) => *number,
        };
        self.pieces().map(width).max().unwrap_or(0)
    }

    /// Whether calls with the same numbers can differ.
    pub fn has_seed(&self) -> bool {
        self.pieces().any(|piece| *piece == TemplatePiece::Seed)
    }

    fn open_pieces(&self) -> Vec<&TemplatePiece> {
        self.pieces().filter(|piece| piece.has_size()).collect()
    }

    /// Draws numbers: small ones in the first rounds, then greater ones, then small ones again.
    pub fn draw_numbers(&self, round: u64, random: &mut RandomStream) -> Vec<i128> {
        // Steps by half a power of two: 1, 1, 2, 3, 4, 6, 8, ….
        let step = round % self.size_steps();
        let power = 1i128 << (step / 2);
        let cap = if step.is_multiple_of(2) { power } else { power + power / 2 };
        let size = RoundSize { cap: Some(cap) };
        let open = self.open_pieces();
        // Most bugs need small inputs, some need one great number in them.
        let whole =
            if random.is_once_in(4) && !open.is_empty() { Some(random.below(open.len())) } else { None };
        let mut draw = |(at, piece): (usize, &&TemplatePiece)| {
            piece.draw_number(if whole == Some(at) { RoundSize { cap: None } } else { size }, random)
        };
        open.iter().enumerate().map(&mut draw).collect()
    }

    /// The number of sizes that the rounds go through.
    fn size_steps(&self) -> u64 {
        2 * u64::from(self.max().max(1).ilog2()) + 2
    }

    /// A round with the maximum numbers.
    pub fn largest_round(&self) -> u64 {
        self.size_steps() - 1
    }

    /// The numbers as written, if all placeholders have one.
    pub fn own_numbers(&self) -> Option<Vec<i128>> {
        let own = |piece: &TemplatePiece| match piece {
            TemplatePiece::Explored(number) => Some(*number),
            TemplatePiece::Text(_) | TemplatePiece::Seed | TemplatePiece::Range(..) => None,
        };
        self.open_pieces().into_iter().map(own).collect()
    }

    /// These words with their own numbers only, so that calls differ by their seed. `None`: they have none.
    pub fn with_own_numbers(&self) -> Option<TemplateWords> {
        let own = |piece: &TemplatePiece| match piece {
            TemplatePiece::Explored(number) => TemplatePiece::Text(number.to_string()),
            TemplatePiece::Text(_) | TemplatePiece::Seed | TemplatePiece::Range(..) => piece.clone(),
        };
        let words = self.words.iter().map(|word| word.iter().map(own).collect()).collect();
        self.has_seed().then_some(TemplateWords { words })
    }

    /// The same numbers with one changed, mostly to a lower one.
    pub fn change_one(&self, numbers: &[i128], random: &mut RandomStream) -> Vec<i128> {
        let open = self.open_pieces();
        let mut numbers = numbers.to_vec();
        if !open.is_empty() {
            let at = random.below(open.len());
            numbers[at] = if random.is_once_in(4) {
                open[at].draw_number(RoundSize { cap: None }, random)
            } else {
                random.between(open[at].min(), numbers[at])
            };
        }
        numbers
    }

    /// Arguments with these numbers, and new seeds.
    pub fn args(&self, numbers: &[i128], random: &mut RandomStream) -> Vec<String> {
        self.fill(numbers, &mut || (random.next_number() % (1 << 31)).to_string())
    }

    /// Arguments with these numbers, and placeholders for seeds.
    pub fn seedless_args(&self, numbers: &[i128]) -> Vec<String> {
        self.fill(numbers, &mut || "{seed}".to_owned())
    }

    fn fill(&self, numbers: &[i128], seed: &mut dyn FnMut() -> String) -> Vec<String> {
        let mut numbers = numbers.iter();
        let mut text = |piece: &TemplatePiece| match piece {
            TemplatePiece::Text(text) => text.clone(),
            TemplatePiece::Seed => seed(),
            TemplatePiece::Range(..) | TemplatePiece::Explored(_) => {
                numbers.next().expect("every open place has a number").to_string()
            }
        };
        let mut filled = |word: &Vec<TemplatePiece>| word.iter().map(&mut text).collect();
        self.words.iter().map(&mut filled).collect()
    }
}

impl TemplatePiece {
    fn has_size(&self) -> bool {
        matches!(self, TemplatePiece::Range(..) | TemplatePiece::Explored(_))
    }

    fn draw_number(&self, size: RoundSize, random: &mut RandomStream) -> i128 {
        match self {
            TemplatePiece::Range(min, max) => draw_number(*min, *max, size, random),
            TemplatePiece::Explored(number) => draw_explored(*number, size, random),
            TemplatePiece::Text(_) | TemplatePiece::Seed => unreachable!("it is no number"),
        }
    }

    /// The least number to try.
    fn min(&self) -> i128 {
        match self {
            TemplatePiece::Range(min, _) => *min,
            TemplatePiece::Text(_) | TemplatePiece::Seed | TemplatePiece::Explored(_) => 1,
        }
    }
}

fn draw_number(min: i128, max: i128, size: RoundSize, random: &mut RandomStream) -> i128 {
    let max = match size.cap {
        Some(cap) => max.min(min + cap),
        None => max,
    };
    // Mistakes are more frequent at bounds.
    match random.below(4) {
        0 => max,
        _ => random.between(min, max),
    }
}

/// Between 1 and a number of the recipe; sometimes 0, or more than the recipe uses: the validators know the bounds.
fn draw_explored(number: i128, size: RoundSize, random: &mut RandomStream) -> i128 {
    match (size.cap, random.below(16)) {
        (_, 0) => 0,
        (None, 1..4) => *random.choose(&[number + 1, next_round(number), 2 * number]),
        (None, 4..8) => number,
        _ => draw_number(1, number, size, random),
    }
}

/// The next number that is a digit followed by zeros: bounds often have this form.
fn next_round(number: i128) -> i128 {
    let unit = 10i128.pow(number.max(1).ilog10());
    (number / unit + i128::from(number % unit != 0)) * unit
}

/// A word whose matches become pieces, if they do.
fn pieces_of(
    word: &str,
    pattern: &Regex,
    piece: impl Fn(&Captures, Range<usize>) -> Option<TemplatePiece>,
) -> Vec<TemplatePiece> {
    let mut pieces = Vec::new();
    let mut end = 0;
    let text = |text: &str| Some(TemplatePiece::Text(text.to_owned())).filter(|_| !text.is_empty());
    for found in pattern.captures_iter(word) {
        let range = found.get(0).expect("a match has a whole").range();
        if let Some(piece) = piece(&found, range.clone()) {
            pieces.extend(text(&word[end..range.start]));
            pieces.push(piece);
            end = range.end;
        }
    }
    pieces.extend(text(&word[end..]));
    pieces
}

/// Numbers above 1 become explored pieces.
fn explored_pieces(word: &str) -> Vec<TemplatePiece> {
    pieces_of(word, &NUMBER, |found, range| {
        // A number that is part of a name is not a number.
        let is_name =
            word[..range.start].ends_with(|c: char| c.is_alphabetic() || c == '_') && range.start > 2;
        let number: i128 = found[0].parse().ok()?;
        (number > 1 && !is_name).then_some(TemplatePiece::Explored(number))
    })
}

fn range_pieces(word: &str) -> Vec<TemplatePiece> {
    pieces_of(word, &RANGE, |found, _| {
        let bound = |which: usize| found.get(which)?.as_str().parse().ok();
        Some(match (bound(1), bound(2)) {
            (Some(min), Some(max)) => TemplatePiece::Range(min, max),
            _ => TemplatePiece::Seed,
        })
    })
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
