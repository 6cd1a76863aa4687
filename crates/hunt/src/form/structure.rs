//! The items of an input, as a layout reads them, and which number counts them.

use super::{
    input_form::InputForm,
    input_lines::input_lines,
    input_text::{InputText, TokenPlace},
    item_groups::{ItemGroup, ItemList},
    layout::{Count, Item, Part, Reader, Step, Visitor},
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
        if let Some(form) = form.filter(|form| form.has_layout_of(&bytes)) {
            return InputLayout { parts: form.parts.clone(), is_guess: false };
        }
        let Ok(whole) = std::str::from_utf8(&bytes) else { return InputLayout::default() };
        let lines = input_lines(whole);
        let is_plain = lines.iter().any(|line| !line.text.is_empty());
        let parts = if is_plain { find_layout(&[lines]) } else { None };
        InputLayout { parts: parts.unwrap_or_default(), is_guess: true }
    }
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
        let mut found = ItemCollector::default();
        let mut reader = Reader::new(&lines);
        let is_read = reader.read(&layout.parts, &mut found) && reader.rest().is_empty();
        if !is_read || layout.parts.is_empty() {
            return None;
        }
        let mut structure = Structure { groups: found.groups, single: found.single };
        structure.add_words(text, &found.series);
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

/// Notes where the items of an input are.
#[derive(Default)]
struct ItemCollector {
    /// Where the number of each place of the layout was read last.
    places: HashMap<usize, TokenPlace>,
    groups: Vec<ItemGroup>,
    group_of: HashMap<TokenPlace, usize>,
    single: Vec<TokenPlace>,
    /// Tokens by their place in the layout.
    series: Vec<Vec<TokenPlace>>,
    /// Where the repetitions of each block around begin.
    blocks: Vec<Vec<usize>>,
}

impl Visitor<'_> for ItemCollector {
    fn step(&mut self, step: Step) {
        match step {
            Step::Item { place, item, line, from, count, is_plain } => {
                if self.series.len() <= place {
                    self.series.resize(place + 1, Vec::new());
                }
                self.series[place].extend((from..from + count).map(|token| TokenPlace { line, token }));
                let list = ItemList::Tokens { line, from, count };
                match item {
                    Item::Token => {
                        let found = TokenPlace { line, token: from };
                        self.places.insert(place, found);
                        if self.blocks.is_empty() {
                            self.single.push(found);
                        }
                    }
                    Item::List(counter) => self.add(counter, list),
                    Item::Text if is_plain => self.add(Count::Free, list),
                    Item::Text => {}
                }
            }
            Step::Line(line, fields) => {
                let are_tokens = fields.len() > 1 && fields.iter().all(|field| field.item == Item::Token);
                if self.blocks.is_empty() && are_tokens {
                    self.add(Count::Free, ItemList::Tokens { line, from: 0, count: fields.len() });
                }
            }
            Step::Enter => self.blocks.push(Vec::new()),
            Step::Repeat(line) => {
                if let Some(starts) = self.blocks.last_mut() {
                    starts.push(line);
                }
            }
            Step::Leave(count, end) => {
                let mut starts = self.blocks.pop().unwrap_or_default();
                starts.push(end);
                self.add(count, ItemList::Lines(starts));
            }
        }
    }
}

impl ItemCollector {
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
    use super::super::item_groups::Arrangement;
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
