//! Finds the layout that all cases share: the first of the simplest ones that reads each of them to its end.

use super::{
    input_lines::{InputLine, bytes_of, integer},
    layout::{Count, Field, Item, Nobody, Part, Reader, Scope, counts},
};

/// Parts to try. Designed inputs need fewer than fifty; of large ones, each try reads up to all bytes.
const MAX_TRIES: usize = 3_000;
const FEWEST_TRIES: usize = 50;
/// Bytes that all tries may read together: some seconds.
const MAX_READ: usize = 256 << 20;
/// Parts in a row: designed inputs have fewer.
const MAX_PARTS: usize = 8;
/// Lines of a block.
const MAX_BODY: usize = 3;
/// More tokens are a list.
const MAX_TOKENS: usize = 10;
/// Single numbers before a list in the same line.
const MAX_BEFORE_LIST: usize = 2;

/// A layout that reads all inputs to their ends.
pub(super) fn find_layout(inputs: &[Vec<InputLine>]) -> Option<Vec<Part>> {
    let readers = inputs.iter().map(|lines| Reader::new(lines)).collect();
    let bytes: usize = inputs.iter().map(|lines| bytes_of(lines)).sum();
    let left = (MAX_READ / bytes.max(1)).clamp(FEWEST_TRIES, MAX_TRIES);
    Search { left }.extend(&State { parts: Vec::new(), readers, places: 0 }, 0)
}

#[derive(Clone)]
struct State<'a> {
    parts: Vec<Part>,
    /// One for each input, behind the parts.
    readers: Vec<Reader<'a>>,
    /// The number of the next place.
    places: usize,
}

struct Search {
    /// Parts that may still be tried.
    left: usize,
}

impl Search {
    /// The parts, and those that read the rest.
    fn extend(&mut self, state: &State, depth: usize) -> Option<Vec<Part>> {
        let ended = state.readers.iter().filter(|reader| reader.rest().is_empty()).count();
        if ended == state.readers.len() {
            return Some(state.parts.clone());
        }
        if ended > 0 || depth == MAX_PARTS {
            return None;
        }
        if let Some(tests) = self.test_block(state) {
            return Some(tests);
        }
        for part in options(state) {
            self.left = self.left.checked_sub(1)?;
            let found = state.with(part).and_then(|next| self.extend(&next, depth + 1));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Several tests: a number alone, and then as many times the same parts. Of the first tests it is not known where
    /// they end, so each beginning of the rest is tried as the body.
    fn test_block(&mut self, state: &State) -> Option<Vec<Part>> {
        let [Part::Line(fields)] = &state.parts[..] else { return None };
        let [Field { place, item: Item::Token }] = fields[..] else { return None };
        let number = |reader: &Reader| reader.scope.number(place);
        if !state.readers.iter().all(|reader| number(reader).is_some_and(|tests| tests >= 1)) {
            return None;
        }
        // A block of lines of equal lengths is found without this.
        let body = State { parts: Vec::new(), ..state.clone() };
        self.extend_test(state, Count::Number { place, less: 0 }, &body)
    }

    fn extend_test(&mut self, state: &State, count: Count, body: &State) -> Option<Vec<Part>> {
        if body.parts.len() > 1 {
            let block = Part::Block(count, body.parts.clone());
            let whole = state.with(block).filter(State::is_at_end);
            if whole.is_some() {
                return whole.map(|state| state.parts);
            }
        }
        if body.parts.len() == MAX_BODY || body.readers.iter().any(|reader| reader.rest().is_empty()) {
            return None;
        }
        for part in options(body) {
            self.left = self.left.checked_sub(1)?;
            // Free lists and whole lines fit everything, also the next test.
            if !is_determined(&part) {
                continue;
            }
            let found = body.with(part).and_then(|next| self.extend_test(state, count, &next));
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

fn is_determined(part: &Part) -> bool {
    match part {
        Part::Line(fields) => {
            fields.iter().all(|field| !matches!(field.item, Item::List(Count::Free) | Item::Text))
        }
        Part::Block(count, body) => *count != Count::Free && body.iter().all(is_determined),
    }
}

impl<'a> State<'a> {
    /// Behind one more part, if all inputs have it.
    fn with(&self, part: Part) -> Option<State<'a>> {
        let mut next = self.clone();
        for reader in &mut next.readers {
            if !reader.read(std::slice::from_ref(&part), &mut Nobody) {
                return None;
            }
        }
        next.places = next.places.max(part.places().end);
        next.parts.push(part);
        Some(next)
    }

    fn is_at_end(&self) -> bool {
        self.readers.iter().all(|reader| reader.rest().is_empty())
    }

    /// Single numbers that may count something.
    fn counters(&self) -> Vec<usize> {
        (0..self.places).filter(|&place| self.values(place).is_some()).collect()
    }

    /// The numbers at a place, one for each input.
    fn values(&self, place: usize) -> Option<Vec<i128>> {
        self.readers.iter().map(|reader| reader.scope.number(place)).collect()
    }
}

/// What may come next, the most telling first: counted blocks to the end, then those that something follows, then lists
/// and lines, and what fits everything last.
fn options(state: &State) -> Vec<Part> {
    let firsts: Vec<SampleLine> = state
        .readers
        .iter()
        .map(|reader| SampleLine { line: &reader.rest()[0], scope: &reader.scope })
        .collect();
    let (counted, free): (Vec<Part>, Vec<Part>) =
        lines_of(&firsts, state.places).into_iter().map(Part::Line).partition(is_determined);
    let mut found = Vec::new();
    let mut blocks = Vec::new();
    let mut short_blocks = Vec::new();
    // A count of one less is a tree, or chance.
    for less in [0, 1] {
        for place in state.counters() {
            let count = Count::Number { place, less };
            found.extend((1..=MAX_BODY).filter_map(|size| block_to_end(state, count, size)));
            let others = if less == 0 { &mut blocks } else { &mut short_blocks };
            others.extend(block_of_lines(state, count));
        }
    }
    found.extend(blocks);
    found.extend(counted);
    found.extend(short_blocks);
    found.extend(free_block(state));
    found.extend(free);
    found
}

/// The first line of each input, or each line of a block.
#[derive(Clone, Copy)]
struct SampleLine<'a, 'b> {
    line: &'b InputLine<'a>,
    scope: &'b Scope,
}

/// Lines that fit all of these: lists that a number counts, single tokens, a list without a counter, a whole line.
fn lines_of(samples: &[SampleLine], places: usize) -> Vec<Vec<Field>> {
    let token = |at: usize| Field { place: places + at, item: Item::Token };
    let width = |sample: &SampleLine| sample.line.tokens.len();
    let first = width(&samples[0]);
    let are_even = samples.iter().all(|sample| width(sample) == first);
    let mut found = Vec::new();
    // Lists of one item in all of them.
    let mut short = Vec::new();
    if samples.iter().all(|sample| sample.line.is_plain()) {
        for before in 0..=MAX_BEFORE_LIST {
            for place in 0..places + before {
                let Some(longest) = longest_list(samples, before, place, places, 0) else { continue };
                let list = Item::List(Count::Number { place, less: 0 });
                let mut line: Vec<Field> = (0..before).map(token).collect();
                line.push(Field { place: places + before, item: list });
                if longest > 1 { found.push(line) } else { short.push(line) }
            }
        }
        if are_even && first <= MAX_TOKENS {
            found.push((0..first).map(token).collect());
        } else if are_even {
            found.push(vec![Field { place: places, item: Item::List(Count::Fixed(first)) }]);
        }
        // One less is a tree, or chance.
        for place in if are_even { 0..0 } else { 0..places } {
            if longest_list(samples, 0, place, places, 1).is_some() {
                let list = Item::List(Count::Number { place, less: 1 });
                found.push(vec![Field { place: places, item: list }]);
            }
        }
        let is_number = |sample: &SampleLine| sample.line.tokens.iter().all(|token| integer(token).is_some());
        if !are_even && samples.iter().all(is_number) {
            found.push(vec![Field { place: places, item: Item::List(Count::Free) }]);
        }
    }
    found.extend(short);
    found.push(vec![Field { place: places, item: Item::Text }]);
    found
}

/// The most tokens after some first ones in these lines, if a number counts them, or them and some more, in each.
fn longest_list(
    samples: &[SampleLine],
    before: usize,
    place: usize,
    places: usize,
    less: usize,
) -> Option<usize> {
    let counted = |sample: &SampleLine| {
        let length = sample.line.tokens.len().checked_sub(before)?;
        let number = match place.checked_sub(places) {
            Some(at) => integer(sample.line.tokens[at])?,
            None => sample.scope.number(place)?,
        };
        (number == (length + less) as i128).then_some(length)
    };
    let lengths: Option<Vec<usize>> = samples.iter().map(counted).collect();
    lengths?.into_iter().max()
}

/// A block of this many lines that ends where all inputs end.
fn block_to_end(state: &State, count: Count, size: usize) -> Option<Part> {
    let mut lines: Vec<Vec<SampleLine>> = vec![Vec::new(); size];
    let mut repeats = false;
    for reader in &state.readers {
        let count = count.value(&reader.scope)?;
        let rest = reader.rest();
        if rest.len() != count.checked_mul(size)? {
            return None;
        }
        repeats |= count > 1;
        for (at, line) in rest.iter().enumerate() {
            lines[at % size].push(SampleLine { line, scope: &reader.scope });
        }
    }
    if !repeats {
        return None;
    }
    let mut body = Vec::new();
    let mut places = state.places;
    for samples in lines {
        // In a block of several lines, a number of the first may count items of the second: that is found by its parts.
        let line = lines_of(&samples, places).into_iter().next()?;
        places += line.len();
        body.push(Part::Line(line));
    }
    let block = Part::Block(count, body);
    ((size == 1 || is_determined(&block)) && is_usual(&block)).then_some(block)
}

/// Whether not both the lines of a block and their items are counted by one number, the lines with one less.
fn is_usual(block: &Part) -> bool {
    let Part::Block(Count::Number { place, less: 1 }, body) = block else { return true };
    counts(body).iter().all(|count| *count != Count::Number { place: *place, less: 0 })
}

/// A block of lines of one kind, which other lines may follow.
fn block_of_lines(state: &State, count: Count) -> Option<Part> {
    let mut samples = Vec::new();
    let mut repeats = false;
    for reader in &state.readers {
        let count = count.value(&reader.scope)?;
        repeats |= count > 1;
        for line in reader.rest().get(..count)? {
            samples.push(SampleLine { line, scope: &reader.scope });
        }
    }
    let line = (repeats && !samples.is_empty()).then(|| lines_of(&samples, state.places).swap_remove(0))?;
    let block = Part::Block(count, vec![Part::Line(line)]);
    (is_determined(&block) && is_usual(&block)).then_some(block)
}

/// Lines of one kind to the end, without a counter.
fn free_block(state: &State) -> Option<Part> {
    let mut samples = Vec::new();
    for reader in &state.readers {
        samples.extend(reader.rest().iter().map(|line| SampleLine { line, scope: &reader.scope }));
    }
    let lengths: Vec<usize> = state.readers.iter().map(|reader| reader.rest().len()).collect();
    let line = lines_of(&samples, state.places).swap_remove(0);
    // Of one input it is not known.
    let varies = lengths.len() == 1 && lengths[0] > 1 || lengths.iter().any(|length| *length != lengths[0]);
    (varies && lengths.iter().all(|length| *length > 0))
        .then(|| Part::Block(Count::Free, vec![Part::Line(line)]))
}
