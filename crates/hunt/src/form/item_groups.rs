//! What can be left out of an input or repeated: items of a list, lines, letters. Whatever changes an input asks here.

use super::input_text::{InputText, TokenPlace};

/// Items that are as many as a number says, or as there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ItemGroup {
    pub counter: Option<TokenPlace>,
    /// How many items its longest list has, or would have: a tree of n nodes has n - 1 edges.
    pub count: usize,
    pub lists: Vec<ItemList>,
}

/// The items of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemList {
    /// The line where each begins, and the one behind the last.
    Lines(Vec<usize>),
    Tokens {
        line: usize,
        from: usize,
        count: usize,
    },
    /// Letters of words of one length.
    Letters {
        words: Vec<TokenPlace>,
        count: usize,
    },
}

impl ItemList {
    pub fn len(&self) -> usize {
        match self {
            ItemList::Lines(starts) => starts.len() - 1,
            ItemList::Tokens { count, .. } | ItemList::Letters { count, .. } => *count,
        }
    }
}

/// What to do with the items of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrangement {
    Remove {
        from: usize,
        count: usize,
    },
    Only(usize),
    /// They are cut or repeated.
    Resize(usize),
}

impl Arrangement {
    /// The items that a list of this length has then.
    fn order(self, length: usize, group: &ItemGroup) -> Vec<usize> {
        match self {
            Arrangement::Remove { from, count } => {
                let count = count.min(length);
                let from = from.min(length - count);
                (0..from).chain(from + count..length).collect()
            }
            Arrangement::Only(item) => {
                let kept = if length + 1 > group.count { 1 } else { 0 };
                (item..length).take(kept).collect()
            }
            Arrangement::Resize(size) => {
                let new = (size + length).saturating_sub(group.count);
                (0..if length == 0 { 0 } else { new }).map(|at| at % length).collect()
            }
        }
    }

    /// By how much the number of items changes.
    pub fn change(self, group: &ItemGroup) -> i128 {
        match self {
            Arrangement::Remove { count, .. } => -(count as i128),
            Arrangement::Only(_) => 1 - group.count as i128,
            Arrangement::Resize(size) => size as i128 - group.count as i128,
        }
    }
}

impl ItemGroup {
    /// The input with these items, and the number that counts them.
    #[must_use]
    pub fn arranged(&self, text: &InputText, arrangement: Arrangement) -> InputText {
        self.with_items(text, arrangement.change(self), &|list| arrangement.order(list.len(), self))
    }

    /// The input with the items that are meant of each list, and the number that counts them changed.
    #[must_use]
    pub fn with_items(
        &self,
        text: &InputText,
        change: i128,
        items: &dyn Fn(&ItemList) -> Vec<usize>,
    ) -> InputText {
        let mut text = match self.counter.and_then(|place| Some((place, text.number(place)?))) {
            Some((place, number)) => text.with_number(place, number + change),
            None => text.clone(),
        };
        // From the end, so that places stay; lines last, because letters and tokens are in them.
        for list in self.lists.iter().rev() {
            match list {
                ItemList::Lines(_) => {}
                ItemList::Tokens { line, from, count } => {
                    replace(&mut text.lines[*line], *from..*from + *count, &items(list));
                }
                ItemList::Letters { words, count } => {
                    for place in words {
                        replace(&mut text.lines[place.line][place.token], 0..*count, &items(list));
                    }
                }
            }
        }
        for list in self.lists.iter().rev() {
            if let ItemList::Lines(starts) = list {
                let first = starts[0];
                let old = text.lines[first..starts[starts.len() - 1]].to_vec();
                let item = |at: usize| old[starts[at] - first..starts[at + 1] - first].to_vec();
                text.lines.splice(first..first + old.len(), items(list).into_iter().flat_map(item));
            }
        }
        text
    }
}

fn replace<T: Clone>(all: &mut Vec<T>, range: std::ops::Range<usize>, items: &[usize]) {
    let old = all[range.clone()].to_vec();
    all.splice(range, items.iter().map(|&at| old[at].clone()));
}

/// Tokens of a list, or those at one position of the lines of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Series {
    Row { first: TokenPlace, count: usize },
    Column { first: TokenPlace, count: usize },
}

impl Series {
    /// Some of it.
    pub fn part(self, from: usize, count: usize) -> Series {
        match self {
            Series::Row { first, .. } => {
                Series::Row { first: TokenPlace { token: first.token + from, ..first }, count }
            }
            Series::Column { first, .. } => {
                Series::Column { first: TokenPlace { line: first.line + from, ..first }, count }
            }
        }
    }

    pub fn places(self) -> impl Iterator<Item = TokenPlace> {
        let (Series::Row { first, count } | Series::Column { first, count }) = self;
        let is_row = matches!(self, Series::Row { .. });
        (0..count).map(move |at| match is_row {
            true => TokenPlace { token: first.token + at, ..first },
            false => TokenPlace { line: first.line + at, ..first },
        })
    }
}

impl ItemGroup {
    /// The tokens of its lists, and the columns of its lines.
    pub fn series(&self, text: &InputText) -> Vec<Series> {
        let mut found = Vec::new();
        for list in &self.lists {
            match list {
                ItemList::Tokens { line, from, count } => {
                    found
                        .push(Series::Row { first: TokenPlace { line: *line, token: *from }, count: *count });
                }
                ItemList::Lines(starts) if starts.windows(2).all(|pair| pair[0] + 1 == pair[1]) => {
                    let rows = &text.lines[starts[0]..starts[0] + list.len()];
                    let width = rows.iter().map(Vec::len).min().unwrap_or(0);
                    found.extend((0..width).map(|token| {
                        let first = TokenPlace { line: starts[0], token };
                        Series::Column { first, count: rows.len() }
                    }));
                }
                ItemList::Lines(_) | ItemList::Letters { .. } => {}
            }
        }
        found
    }
}
