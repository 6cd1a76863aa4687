//! The words of a generator's call with open places: seeds, ranges, and numbers that are explored. Pure.

use super::{
    call_orders::{CallNumber, GeneratorOrders},
    random::RandomStream,
};
use regex_lite::Regex;
use std::sync::LazyLock;

static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{(-?[0-9]{1,18})\.\.=?(-?[0-9]{1,18})\}|\{seed(:[0-9]+)?\}").expect("a fixed pattern")
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new("[0-9]{1,18}").expect("a fixed pattern"));

/// The words of a call, some places of which are open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TemplateWords {
    pub words: Vec<Vec<TemplatePiece>>,
}

/// A piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TemplatePiece {
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

/// A call that was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DrawnCall {
    pub args: Vec<String>,
    /// Its numbers that have a size, the first of every word.
    pub numbers: Vec<CallNumber>,
}

/// Once in so many times what is known of an order is tried again.
const RULE_BREAKS: usize = 16;

impl TemplateWords {
    /// Whether all calls are the same.
    pub fn is_fixed(&self) -> bool {
        self.words.iter().flatten().all(|piece| matches!(piece, TemplatePiece::Text(_)))
    }

    /// The greatest number that is open.
    pub fn greatest(&self) -> i128 {
        let width = |piece: &TemplatePiece| match piece {
            TemplatePiece::Text(_) | TemplatePiece::Seed => 0,
            TemplatePiece::Range(least, greatest) => greatest - least,
            TemplatePiece::Explored(number) => *number,
        };
        self.words.iter().flatten().map(width).max().unwrap_or(0)
    }

    /// A call, its numbers in the order that is known to be needed.
    pub fn draw_call(
        &self,
        size: RoundSize,
        orders: &GeneratorOrders,
        random: &mut RandomStream,
    ) -> DrawnCall {
        // Most bugs need small inputs, some one great number in them.
        let open = self.words.iter().flatten().filter(|piece| piece.has_size()).count();
        let whole = if random.is_once_in(4) && open > 0 { Some(random.below(open)) } else { None };
        let mut number = 0;
        let mut drawn = Vec::new();
        for word in &self.words {
            let mut text = DrawnWord::default();
            for piece in word {
                let size =
                    if piece.has_size() && whole == Some(number) { RoundSize { cap: None } } else { size };
                number += usize::from(piece.has_size());
                text.add(piece, size, random);
            }
            drawn.push(text);
        }
        self.put_in_order(&mut drawn, orders, random);
        DrawnCall {
            numbers: drawn.iter().enumerate().filter_map(|(at, word)| Some((at, word.value()?))).collect(),
            args: drawn.iter().map(DrawnWord::text).collect(),
        }
    }

    /// Exchanges numbers that are known to make a call fail; rarely not, for what is known may be wrong.
    fn put_in_order(&self, drawn: &mut [DrawnWord], orders: &GeneratorOrders, random: &mut RandomStream) {
        for one in 0..drawn.len() {
            for other in one + 1..drawn.len() {
                let Some(order) = orders.order_of(one, other) else { continue };
                let Some((left, right)) = drawn[one].value().zip(drawn[other].value()) else { continue };
                if left.cmp(&right) != order.reverse() || random.is_once_in(RULE_BREAKS) {
                    continue;
                }
                let fits =
                    [(one, right), (other, left)].map(|(at, value)| self.may_be(at, &drawn[at], value));
                // Both change places; where one may not be the other, the other becomes like it.
                if fits[0] {
                    drawn[one].set_value(right);
                }
                if fits[1] {
                    drawn[other].set_value(left);
                }
            }
        }
    }

    /// Whether the first number of a word may have this value.
    fn may_be(&self, at: usize, drawn: &DrawnWord, value: i128) -> bool {
        let bare = value * drawn.sign();
        match self.words[at].iter().find(|piece| piece.has_size()) {
            Some(TemplatePiece::Range(least, greatest)) => (*least..=*greatest).contains(&bare),
            Some(TemplatePiece::Explored(_)) => bare >= 0,
            Some(TemplatePiece::Text(_) | TemplatePiece::Seed) | None => false,
        }
    }
}

/// A word of a call; its first number that has a size stands apart.
#[derive(Debug, Clone, Default)]
struct DrawnWord {
    before: String,
    /// Without a sign that stands before it.
    number: Option<i128>,
    after: String,
}

impl DrawnWord {
    fn add(&mut self, piece: &TemplatePiece, size: RoundSize, random: &mut RandomStream) {
        match piece.draw_number(size, random) {
            Some(number) if self.number.is_none() => self.number = Some(number),
            Some(number) => self.after += &number.to_string(),
            None => {
                let text = piece.draw_text(random);
                if self.number.is_none() { &mut self.before } else { &mut self.after }.push_str(&text);
            }
        }
    }

    fn text(&self) -> String {
        let number = self.number.map(|number| number.to_string()).unwrap_or_default();
        format!("{}{number}{}", self.before, self.after)
    }

    /// -1 behind a minus that is no hyphen.
    fn sign(&self) -> i128 {
        let stem = self.before.strip_suffix('-');
        if stem.is_some_and(|stem| !stem.ends_with(|c: char| c.is_alphanumeric() || c == '-')) {
            -1
        } else {
            1
        }
    }

    fn value(&self) -> Option<i128> {
        self.number.map(|number| number * self.sign())
    }

    fn set_value(&mut self, value: i128) {
        self.number = Some(value * self.sign());
    }
}

impl TemplatePiece {
    fn has_size(&self) -> bool {
        matches!(self, TemplatePiece::Range(..) | TemplatePiece::Explored(_))
    }

    fn draw_number(&self, size: RoundSize, random: &mut RandomStream) -> Option<i128> {
        match self {
            TemplatePiece::Text(_) | TemplatePiece::Seed => None,
            TemplatePiece::Range(least, greatest) => Some(draw_number(*least, *greatest, size, random)),
            TemplatePiece::Explored(number) => Some(draw_explored(*number, size, random)),
        }
    }

    fn draw_text(&self, random: &mut RandomStream) -> String {
        match self {
            TemplatePiece::Text(text) => text.clone(),
            TemplatePiece::Seed => (random.next_number() % (1 << 31)).to_string(),
            TemplatePiece::Range(..) | TemplatePiece::Explored(_) => String::new(),
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
pub(super) fn explored_pieces(word: &str) -> Vec<TemplatePiece> {
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

pub(super) fn range_pieces(word: &str) -> Vec<TemplatePiece> {
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
    use super::{super::call_orders::CallOrders, *};

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
    fn numbers_stand_in_the_order_that_is_known_to_be_needed() {
        let mut orders = CallOrders::default();
        for seed in 0..70 {
            let (low, high) = (seed % 7, seed % 5);
            orders.note_call("gen.py", &[(0, low), (1, high)], low <= high);
        }
        let words =
            |text: &[&str]| TemplateWords { words: text.iter().map(|word| range_pieces(word)).collect() };
        let draw = |template: &[&str], orders: &CallOrders| {
            let template = words(template);
            let mut random = RandomStream::new(1, 1);
            let size = RoundSize { cap: Some(8) };
            let calls = (0..400).map(|_| template.draw_call(size, orders.of("gen.py"), &mut random));
            calls.filter(|call| call.numbers[0].1 > call.numbers[1].1).count()
        };
        let equal = ["{0..9}", "{0..9}", "{seed}"];
        assert!(draw(&equal, &CallOrders::default()) > 100);
        assert!((1..40).contains(&draw(&equal, &orders)), "now and then the other order is tried");
        assert_eq!(draw(&["-{1..9}", "{0..9}"], &orders), 0, "a number behind a minus is negative");
        assert_eq!(draw(&["{5..9}", "{0..3}"], &orders), 400, "what people wrote is kept");
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
