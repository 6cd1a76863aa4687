//! The items of an input, as a layout reads them: what can be left out or repeated, and which number counts it. Whatever
//! changes an input asks here.

use super::{
    input_form::InputForm,
    input_lines::{InputLine, input_lines, integer},
    input_text::{InputText, TokenPlace},
    layout::{Count, Field, Item, Part, Scope},
    layout_search::find_layout,
};
use std::collections::HashMap;

/// How an input is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct InputLayout {
    /// Empty: no layout reads it.
    parts: Vec<Part>,
    /// One input alone shows it, so that equal numbers may count the same.
    is_guess: bool,
}

impl InputLayout {
    /// That of the form, if it reads the input, otherwise the one that the input itself shows.
    pub fn of(form: Option<&InputForm>, text: &InputText) -> InputLayout {
        let bytes = text.bytes();
        let Ok(whole) = std::str::from_utf8(&bytes) else { return InputLayout::default() };
        let lines = input_lines(whole);
        if let Some(form) = form
            && Walker::read(&form.parts, &lines).is_some()
        {
            return InputLayout { parts: form.parts.clone(), is_guess: false };
        }
        let is_plain = lines.iter().any(|line| !line.text.is_empty());
        let parts = if is_plain { find_layout(&[lines]) } else { None };
        InputLayout { parts: parts.unwrap_or_default(), is_guess: true }
    }
}

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

/// What an input consists of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Structure {
    pub groups: Vec<ItemGroup>,
    /// Numbers and words that stand alone, in order.
    pub single: Vec<TokenPlace>,
}

impl Structure {
    /// `None`: the layout does not read the input.
    fn read(layout: &InputLayout, text: &InputText) -> Option<Structure> {
        let bytes = text.bytes();
        let lines = input_lines(std::str::from_utf8(&bytes).ok()?);
        let walker = Walker::read(&layout.parts, &lines)?;
        let mut structure = Structure { groups: walker.groups, single: walker.single };
        structure.add_words(text, &walker.series);
        if layout.is_guess {
            structure.add_guesses(text);
        }
        Some(structure)
    }

    /// Lines and their tokens; any number of the first line may count lines.
    fn of_lines(text: &InputText) -> Structure {
        let lines = text.full_lines();
        let mut groups = Vec::new();
        let mut series = Vec::new();
        let list = |from: usize| vec![ItemList::Lines((from..=lines).collect())];
        if lines > 0 {
            groups.push(ItemGroup { counter: None, count: lines, lists: list(0) });
        }
        for token in 0..text.lines[0].len().min(MAX_HEAD) {
            let counter = Some(TokenPlace { line: 0, token });
            if lines > 1 && counter.is_some_and(|place| text.number(place).is_some()) {
                groups.push(ItemGroup { counter, count: lines - 1, lists: list(1) });
            }
        }
        for line in 0..lines {
            let count = text.lines[line].len();
            groups.push(ItemGroup {
                counter: None,
                count,
                lists: vec![ItemList::Tokens { line, from: 0, count }],
            });
            series.push((0..count).map(|token| TokenPlace { line, token }).collect());
        }
        let mut structure = Structure { groups, single: Vec::new() };
        structure.add_words(text, &series);
        structure
    }

    /// Where two numbers of the first lines are equal, either may count. Perhaps nothing counts lines.
    fn add_guesses(&mut self, text: &InputText) {
        let mut guesses = Vec::new();
        for group in &self.groups {
            let Some(counter) = group.counter else { continue };
            let lines = group.lists.iter().filter(|list| matches!(list, ItemList::Lines(_)));
            let lines: Vec<ItemList> = lines.cloned().collect();
            // Not a square.
            if !lines.is_empty() && lines.len() < group.lists.len() {
                guesses.push(ItemGroup { lists: lines, ..group.clone() });
            }
            let is_other = |place: &&TokenPlace| {
                text.number(**place) == text.number(counter)
                    && self.groups.iter().all(|group| group.counter != Some(**place))
            };
            let other = self.single.iter().take(MAX_HEAD).find(is_other);
            guesses.extend(other.map(|other| ItemGroup { counter: Some(*other), ..group.clone() }));
        }
        let lines = text.full_lines();
        guesses.push(ItemGroup {
            counter: None,
            count: lines,
            lists: vec![ItemList::Lines((0..=lines).collect())],
        });
        self.groups.extend(guesses);
    }

    /// Letters of words: of all words of a list if they are of one length, which a number before them may count.
    fn add_words(&mut self, text: &InputText, series: &[Vec<TokenPlace>]) {
        for places in series {
            let is_word =
                |place: &&TokenPlace| text.number(**place).is_none() && text.token(**place).len() > 1;
            let words: Vec<TokenPlace> = places.iter().filter(is_word).copied().collect();
            let length = |place: &TokenPlace| text.token(*place).len();
            let are_even = words.iter().all(|word| length(word) == length(&words[0]));
            let lists =
                if are_even { vec![words] } else { words.into_iter().map(|word| vec![word]).collect() };
            for words in lists.into_iter().filter(|words| !words.is_empty()) {
                let count = length(&words[0]);
                self.add_letters(text, ItemList::Letters { words, count }, count);
            }
        }
    }

    fn add_letters(&mut self, text: &InputText, letters: ItemList, count: usize) {
        let ItemList::Letters { words, .. } = &letters else { return };
        let first = words[0];
        let is_before = |place: &TokenPlace| (place.line, place.token) < (first.line, first.token);
        let counts = |place: &TokenPlace| is_before(place) && text.number(*place) == Some(count as i128);
        let group_of = |place: TokenPlace| self.groups.iter().position(|group| group.counter == Some(place));
        let single = self.single.iter().rev().find(|place| counts(place)).copied();
        let counting = self.groups.iter().rev().filter_map(|group| group.counter).find(counts);
        match (single.filter(|place| group_of(*place).is_none()), counting.and_then(group_of)) {
            (Some(counter), _) => {
                self.groups.push(ItemGroup { counter: Some(counter), count, lists: vec![letters.clone()] });
            }
            // A square.
            (None, Some(group)) => self.groups[group].lists.push(letters.clone()),
            (None, None) => {}
        }
        self.groups.push(ItemGroup { counter: None, count, lists: vec![letters] });
    }
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

/// An input, and what it consists of.
#[derive(Debug, Clone)]
pub(crate) struct LaidInput {
    pub text: InputText,
    pub(crate) structure: Structure,
}

impl LaidInput {
    /// An input that the layout may not read any longer: then it is lines.
    pub fn read(layout: &InputLayout, text: InputText) -> LaidInput {
        let structure = Structure::read(layout, &text).unwrap_or_else(|| Structure::of_lines(&text));
        LaidInput { text, structure }
    }

    /// By the layout of the form, or by its own.
    pub fn of_form(form: Option<&InputForm>, text: InputText) -> LaidInput {
        LaidInput::read(&InputLayout::of(form, &text), text)
    }

    /// Another input, by the layout of an earlier one, or by its own if that does not read it.
    pub fn read_again(layout: &mut InputLayout, form: Option<&InputForm>, text: InputText) -> LaidInput {
        if let Some(structure) = Structure::read(layout, &text) {
            return LaidInput { text, structure };
        }
        *layout = InputLayout::of(form, &text);
        LaidInput::read(layout, text)
    }
}

/// Numbers of the first lines that may count.
const MAX_HEAD: usize = 6;

/// Reads an input by a layout, and notes where its items are.
struct Walker<'a> {
    lines: &'a [InputLine<'a>],
    at: usize,
    depth: usize,
    scope: Scope,
    /// Where the number of each place of the layout was read last.
    places: HashMap<usize, TokenPlace>,
    groups: Vec<ItemGroup>,
    group_of: HashMap<TokenPlace, usize>,
    single: Vec<TokenPlace>,
    /// Tokens by their place in the layout.
    series: Vec<Vec<TokenPlace>>,
}

impl<'a> Walker<'a> {
    /// `None`: the layout does not read the whole input.
    fn read(parts: &[Part], lines: &'a [InputLine<'a>]) -> Option<Walker<'a>> {
        let mut walker = Walker {
            lines,
            at: 0,
            depth: 0,
            scope: Scope::default(),
            places: HashMap::new(),
            groups: Vec::new(),
            group_of: HashMap::new(),
            single: Vec::new(),
            series: Vec::new(),
        };
        walker.parts(parts)?;
        (walker.at == lines.len() && !parts.is_empty()).then_some(walker)
    }

    fn parts(&mut self, parts: &[Part]) -> Option<()> {
        parts.iter().try_for_each(|part| match part {
            Part::Line(fields) => self.line(fields),
            Part::Block(count, body) => self.block(*count, body),
        })
    }

    fn line(&mut self, fields: &[Field]) -> Option<()> {
        let line = self.lines.get(self.at)?;
        let place = |token: usize| TokenPlace { line: self.at, token };
        let (at, mut token) = (self.at, 0);
        let mut lists = Vec::new();
        for &Field { place: of_layout, item } in fields {
            let rest = line.tokens.len() - token;
            let count = match item {
                Item::Token => 1,
                Item::List(Count::Free) | Item::Text => rest,
                Item::List(count) => count.value(&self.scope)?,
            };
            if count > rest || item != Item::Text && !line.is_plain() {
                return None;
            }
            if self.series.len() <= of_layout {
                self.series.resize(of_layout + 1, Vec::new());
            }
            self.series[of_layout].extend((token..token + count).map(place));
            match item {
                Item::Token => {
                    self.scope.set(of_layout, integer(line.tokens[token]));
                    self.places.insert(of_layout, place(token));
                    if self.depth == 0 {
                        self.single.push(place(token));
                    }
                }
                Item::List(counter) => {
                    lists.push((counter, ItemList::Tokens { line: at, from: token, count }))
                }
                Item::Text if line.is_plain() => {
                    lists.push((Count::Free, ItemList::Tokens { line: at, from: 0, count }));
                }
                Item::Text => {}
            }
            token += count;
        }
        if token < line.tokens.len() {
            return None;
        }
        if self.depth == 0 && fields.len() > 1 && fields.iter().all(|field| field.item == Item::Token) {
            lists.push((Count::Free, ItemList::Tokens { line: at, from: 0, count: token }));
        }
        lists.into_iter().for_each(|(count, list)| self.add(count, list));
        self.at += 1;
        Some(())
    }

    fn block(&mut self, count: Count, body: &[Part]) -> Option<()> {
        let wanted = count.value(&self.scope)?;
        let mut starts = vec![self.at];
        self.depth += 1;
        while starts.len() <= wanted {
            if count == Count::Free && self.at == self.lines.len() {
                break;
            }
            self.parts(body)?;
            starts.push(self.at);
        }
        self.depth -= 1;
        self.add(count, ItemList::Lines(starts));
        Some(())
    }

    fn add(&mut self, count: Count, list: ItemList) {
        let (counter, less) = match count {
            Count::Number { place, less } => (self.places.get(&place).copied(), less),
            Count::Fixed(_) | Count::Free => (None, 0),
        };
        let items = list.len() + less;
        let known = counter.and_then(|counter| self.group_of.get(&counter).copied());
        match (known, counter) {
            (Some(known), _) => {
                let group = &mut self.groups[known];
                // Lines of items are in those of the items around them.
                if let ItemList::Lines(around) = &list {
                    let is_outside = |list: &ItemList| match list {
                        ItemList::Lines(starts) => starts[0] < around[0],
                        ItemList::Tokens { .. } | ItemList::Letters { .. } => true,
                    };
                    group.lists.retain(is_outside);
                }
                group.count = group.count.max(items);
                group.lists.push(list);
            }
            (None, _) => {
                if let Some(counter) = counter {
                    self.group_of.insert(counter, self.groups.len());
                }
                self.groups.push(ItemGroup { counter, count: items, lists: vec![list] });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &str) -> (InputText, Structure) {
        let LaidInput { text, structure } = LaidInput::of_form(None, InputText::read(input.as_bytes()));
        (text, structure)
    }

    /// An input after an arrangement of the group that the number at a place of the first lines counts.
    fn after(input: &str, counter: [usize; 2], arrangement: Arrangement) -> String {
        let (text, structure) = read(input);
        let counter = Some(TokenPlace { line: counter[0], token: counter[1] });
        let group = structure.groups.iter().find(|group| group.counter == counter);
        let group = group.unwrap_or_else(|| panic!("{input}{structure:#?}"));
        String::from_utf8(group.arranged(&text, arrangement).bytes()).unwrap()
    }

    #[test]
    fn items_go_and_repeat_with_the_number_that_counts_them() {
        let remove = |from, count| Arrangement::Remove { from, count };
        for (input, counter, arrangement, expected) in [
            ("3\n7 8 9\n", [0, 0], remove(1, 1), "2\n7 9\n"),
            ("3\n7 8 9\n", [0, 0], Arrangement::Resize(5), "5\n7 8 9 7 8\n"),
            ("3 7 8 9\n", [0, 0], remove(0, 2), "1 9\n"),
            ("3\n7 8 9\n1 2 3\n", [0, 0], remove(2, 1), "2\n7 8\n1 2\n"),
            ("3\n7\n8\n9", [0, 0], Arrangement::Resize(2), "2\n7\n8"),
            ("4 3\n1 2\n2 3\n3 4\n", [0, 1], remove(1, 1), "4 2\n1 2\n3 4\n"),
            ("4\n1 2\n2 3\n3 4\n", [0, 0], Arrangement::Resize(3), "3\n1 2\n2 3\n"),
            ("4\n1 2\n2 3\n3 4\n", [0, 0], remove(3, 1), "3\n1 2\n2 3\n"),
            ("5\nabcab\n", [0, 0], Arrangement::Resize(2), "2\nab\n"),
            ("3 5\nab.de\n.....\n#.#.#\n", [0, 1], remove(0, 3), "3 2\nde\n..\n.#\n"),
            ("3 5\nab.de\n.....\n#.#.#\n", [0, 0], remove(0, 1), "2 5\n.....\n#.#.#\n"),
            ("3\n1 2 3\n4 5 6\n7 8 9\n", [0, 0], remove(1, 1), "2\n1 3\n7 9\n"),
            ("2\n1\n5\n3\n7 8 9\n", [0, 0], Arrangement::Only(1), "1\n3\n7 8 9\n"),
            ("2\n1\n5\n3\n7 8 9\n", [3, 0], remove(0, 1), "2\n1\n5\n2\n8 9\n"),
        ] {
            assert_eq!(after(input, counter, arrangement), expected, "{input}");
        }
    }

    #[test]
    fn of_equal_numbers_either_may_count() {
        let (_, structure) = read("4 4\n1 2 9\n2 3 9\n3 4 9\n1 4 9\n");
        let counters: Vec<usize> =
            structure.groups.iter().filter_map(|group| Some(group.counter?.token)).collect();
        assert_eq!(counters, [0, 1]);
    }
}
