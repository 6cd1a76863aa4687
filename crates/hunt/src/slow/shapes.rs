//! Lists of numbers, words and pairs on which slow algorithms are slowest. Pure.

use kopek_sentences::Said;

/// An order or a choice of items. The list is as long as asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// As in the input, repeated.
    Same,
    Sorted,
    Reversed,
    AllLeast,
    AllLargest,
    CountingUp,
    CountingDown,
    Alternating,
    Blocks,
    Mountain,
    LargeFirst,
    LargeLast,
    SmallLast,
    NearlySorted,
    /// Multiples of a number of buckets of C++'s hash tables.
    Multiples(u64),
}

/// All shapes of numbers, those that most programs survive last.
pub(super) const NUMBER_SHAPES: [Shape; 17] = [
    Shape::CountingUp,
    Shape::CountingDown,
    Shape::AllLargest,
    Shape::AllLeast,
    Shape::Sorted,
    Shape::Reversed,
    Shape::Alternating,
    Shape::Mountain,
    Shape::Blocks,
    Shape::LargeFirst,
    Shape::LargeLast,
    Shape::SmallLast,
    Shape::NearlySorted,
    // Sizes of a growing table of libstdc++, each for more items than the one before.
    Shape::Multiples(42_043),
    Shape::Multiples(85_229),
    Shape::Multiples(172_933),
    Shape::Same,
];

impl Shape {
    /// Completes `line 2: …`.
    pub fn said(self) -> Said {
        match self {
            Shape::Same => Said::AsInCase,
            Shape::Sorted => Said::Sorted,
            Shape::Reversed => Said::SortedDown,
            Shape::AllLeast => Said::AllLeast,
            Shape::AllLargest => Said::AllLargest,
            Shape::CountingUp => Said::CountingUp,
            Shape::CountingDown => Said::CountingDown,
            Shape::Alternating => Said::TwoValuesByTurns,
            Shape::Blocks => Said::EqualBlocks,
            Shape::Mountain => Said::UpAndDown,
            Shape::LargeFirst => Said::LargestFirst,
            Shape::LargeLast => Said::LargestLast,
            Shape::SmallLast => Said::LeastLast,
            Shape::NearlySorted => Said::NearlySorted,
            Shape::Multiples(number) => Said::MultiplesOf { number },
        }
    }

    /// This many numbers, between the bounds.
    pub fn numbers(self, count: usize, values: &[i128], bounds: Bounds) -> Vec<i128> {
        let Bounds { least, largest } = bounds;
        let width = (largest - least).max(0) as u128 + 1;
        let start = if least <= 1 && largest >= 1 { least.max(0) } else { least };
        let room = (largest - start).max(0) as u128 + 1;
        let counted = |at: usize| start + (at as u128 % room) as i128;
        let side = ((count as f64).sqrt() as usize).max(1);
        let cycled = || (0..count).map(|at| values[at % values.len()]);
        let sorted = || {
            let mut sorted: Vec<i128> = cycled().collect();
            sorted.sort_unstable();
            sorted
        };
        let each = |value: &dyn Fn(usize) -> i128| (0..count).map(value).collect::<Vec<i128>>();
        let last = count.saturating_sub(1);
        match self {
            Shape::Same => cycled().collect(),
            Shape::Sorted => sorted(),
            Shape::Reversed => sorted().into_iter().rev().collect(),
            Shape::AllLeast => each(&|_| least),
            Shape::AllLargest => each(&|_| largest),
            Shape::CountingUp => each(&counted),
            Shape::CountingDown => each(&|at| counted(last - at)),
            Shape::Alternating => each(&|at| if at % 2 == 0 { least } else { largest }),
            Shape::Blocks => each(&|at| counted(at / side)),
            Shape::Mountain => each(&|at| counted((2 * at).min(2 * (last - at)))),
            Shape::LargeFirst => each(&|at| if at == 0 { largest } else { least }),
            Shape::LargeLast => each(&|at| if at == last { largest } else { least }),
            Shape::SmallLast => each(&|at| if at == last { least } else { largest }),
            Shape::NearlySorted => each(&|at| counted(if at % side == 0 { last - at } else { at })),
            Shape::Multiples(of) => {
                // More different ones let the table grow.
                let multiples = (width / u128::from(of)).clamp(1, u128::from(of));
                each(&|at| least.max(0) + ((at as u128 % multiples) * u128::from(of)) as i128)
            }
        }
    }
}

/// The least and the largest value that may be in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub least: i128,
    pub largest: i128,
}

/// Words that are slow to compare and to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordShape {
    Same,
    OneLetter,
    OtherLetter,
    OtherLast,
    OtherFirst,
    OtherMiddle,
    TwoByTurns,
    Halves,
    Fibonacci,
    /// Lines of one letter, between lines of the other with an opening at the end and at the beginning by turns.
    Serpentine,
}

/// Those first that are tried together with changes of other parts.
pub(super) const WORD_SHAPES: [WordShape; 10] = [
    WordShape::OneLetter,
    WordShape::OtherLast,
    WordShape::OtherFirst,
    WordShape::Halves,
    WordShape::OtherLetter,
    WordShape::OtherMiddle,
    WordShape::TwoByTurns,
    WordShape::Fibonacci,
    WordShape::Serpentine,
    WordShape::Same,
];

/// The length of a word, and its place among those of the part.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordPlace {
    pub row: usize,
    pub length: usize,
}

impl WordShape {
    pub fn said(self) -> Said {
        match self {
            WordShape::Same => Said::AsInCase,
            WordShape::OneLetter => Said::OneLetter,
            WordShape::OtherLetter => Said::LastLetterOnly,
            WordShape::Serpentine => Said::Serpentine,
            WordShape::OtherLast => Said::OtherLetterLast,
            WordShape::OtherFirst => Said::OtherLetterFirst,
            WordShape::OtherMiddle => Said::OtherLetterMiddle,
            WordShape::TwoByTurns => Said::TwoLettersByTurns,
            WordShape::Halves => Said::OneThenAnother,
            WordShape::Fibonacci => Said::FibonacciWord,
        }
    }

    /// A word of the least and the largest of these letters, or of another word, repeated.
    pub fn word(self, place: WordPlace, before: &[u8], letters: &[u8]) -> Vec<u8> {
        let WordPlace { row, length } = place;
        let (one, other) = (*letters.first().unwrap_or(&b'a'), *letters.last().unwrap_or(&b'b'));
        let last = length.saturating_sub(1);
        let each = |is_other: &dyn Fn(usize) -> bool| {
            (0..length).map(|at| if is_other(at) { other } else { one }).collect()
        };
        let opening = if row % 4 == 1 { last } else { 0 };
        match self {
            WordShape::Same => (0..length).map(|at| before[at % before.len()]).collect(),
            WordShape::OneLetter => each(&|_| false),
            WordShape::OtherLetter => each(&|_| true),
            WordShape::Serpentine => each(&|at| row % 2 == 0 || at == opening),
            WordShape::OtherLast => each(&|at| at == last),
            WordShape::OtherFirst => each(&|at| at == 0),
            WordShape::OtherMiddle => each(&|at| at == length / 2),
            WordShape::TwoByTurns => each(&|at| at % 2 == 1),
            WordShape::Halves => each(&|at| at >= length / 2),
            WordShape::Fibonacci => {
                let (mut word, mut before) = (vec![one, other], vec![one]);
                while word.len() < length {
                    let next = [word.as_slice(), &before].concat();
                    before = std::mem::replace(&mut word, next);
                }
                word.truncate(length);
                word
            }
        }
    }
}

/// Trees and other graphs as pairs of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GraphShape {
    Path,
    PathFromEnd,
    /// Each node beside one far away.
    MixedPath,
    Star,
    StarAtEnd,
    Caterpillar,
    Broom,
    BinaryTree,
    Bipartite,
}

pub(super) const GRAPH_SHAPES: [GraphShape; 9] = [
    GraphShape::Path,
    GraphShape::PathFromEnd,
    GraphShape::Star,
    GraphShape::StarAtEnd,
    GraphShape::MixedPath,
    GraphShape::Broom,
    GraphShape::Caterpillar,
    GraphShape::BinaryTree,
    GraphShape::Bipartite,
];

impl GraphShape {
    pub fn said(self) -> Said {
        match self {
            GraphShape::Path => Said::Path,
            GraphShape::PathFromEnd => Said::PathFromEnd,
            GraphShape::MixedPath => Said::MixedPath,
            GraphShape::Star => Said::Star,
            GraphShape::StarAtEnd => Said::StarAtEnd,
            GraphShape::Caterpillar => Said::Caterpillar,
            GraphShape::Broom => Said::Broom,
            GraphShape::BinaryTree => Said::BinaryTree,
            GraphShape::Bipartite => Said::CompleteBipartite,
        }
    }

    /// The nodes that so many edges need.
    pub fn nodes(self, edges: usize) -> usize {
        match self {
            GraphShape::Bipartite => 2 * ((edges as f64).sqrt().ceil() as usize),
            _ => edges + 1,
        }
    }

    /// This many edges; the first node has this number.
    pub fn edges(self, count: usize, first: i128) -> Vec<[i128; 2]> {
        let nodes = self.nodes(count);
        let side = nodes / 2;
        let edge = |at: usize| match self {
            GraphShape::Path => [at, at + 1],
            GraphShape::PathFromEnd => [count - at - 1, count - at],
            GraphShape::MixedPath => [mixed(at, nodes), mixed(at + 1, nodes)],
            GraphShape::Star => [0, at + 1],
            GraphShape::StarAtEnd => [at, count],
            GraphShape::Caterpillar => [at / 2 * 2, at + 1],
            GraphShape::Broom => [at.min(count / 2), at + 1],
            GraphShape::BinaryTree => [at / 2, at + 1],
            GraphShape::Bipartite => [at / side.max(1), side + at % side.max(1)],
        };
        (0..count).map(edge).map(|edge| edge.map(|node| node as i128 + first)).collect()
    }
}

/// Even numbers from below, odd ones from above: neighbours of the path are far apart.
fn mixed(at: usize, nodes: usize) -> usize {
    if at.is_multiple_of(2) { at / 2 } else { nodes - 1 - at / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_stay_between_the_bounds() {
        for shape in NUMBER_SHAPES {
            for (least, largest) in [(0, 0), (1, 9), (-5, 1_000_000_000), (7, 8)] {
                let numbers =
                    shape.numbers(50, &[7, 7], Bounds { least: least.min(7), largest: largest.max(7) });
                assert_eq!(numbers.len(), 50);
                let is_inside = numbers.iter().all(|one| (least.min(7)..=largest.max(7)).contains(one));
                assert!(is_inside, "{shape:?} {numbers:?}");
            }
        }
        let bounds = Bounds { least: 1, largest: 1_000_000_000 };
        assert_eq!(Shape::CountingUp.numbers(3, &[5], bounds), [1, 2, 3]);
        assert_eq!(Shape::Mountain.numbers(5, &[5], bounds), [1, 3, 5, 3, 1]);
        assert_eq!(Shape::Reversed.numbers(4, &[5, 1], bounds), [5, 5, 1, 1]);
        assert_eq!(Shape::Multiples(42_043).numbers(3, &[5], bounds)[2], 84_087);
    }

    #[test]
    fn words_have_the_letters_of_the_case() {
        let word = |shape: WordShape, row: usize| {
            String::from_utf8(shape.word(WordPlace { row, length: 6 }, b"xay", b"axy")).unwrap()
        };
        let words = WORD_SHAPES.map(|shape| word(shape, 0));
        let expected = [
            "aaaaaa", "aaaaay", "yaaaaa", "aaayyy", "yyyyyy", "aaayaa", "ayayay", "ayaaya", "yyyyyy",
            "xayxay",
        ];
        assert_eq!(words, expected);
        let rows = [1, 2, 3, 4].map(|row| word(WordShape::Serpentine, row));
        assert_eq!(rows, ["aaaaay", "yyyyyy", "yaaaaa", "yyyyyy"]);
    }

    #[test]
    fn trees_connect_all_nodes() {
        for shape in GRAPH_SHAPES {
            let edges = shape.edges(9, 1);
            let nodes: BTreeSet<i128> = edges.iter().flatten().copied().collect();
            assert_eq!(nodes, (1..=shape.nodes(9) as i128).collect(), "{shape:?}");
            let mut reached = BTreeSet::from([1]);
            for _ in 0..9 {
                for [one, other] in &edges {
                    if reached.contains(one) || reached.contains(other) {
                        reached.extend([*one, *other]);
                    }
                }
            }
            assert_eq!(reached.len(), nodes.len(), "{shape:?}");
            assert!(edges.iter().all(|[one, other]| one != other));
        }
    }
}
