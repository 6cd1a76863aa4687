//! The form of the inputs of a package, read from its cases: where there is no input validator, an input counts as valid
//! if it has this form.

use super::{
    facts::{Decimal, FactCase, Kind, PlaceFacts, read_facts},
    input_lines::{InputLine, bytes_of, input_lines, integer, is_numeral},
    layout::{Column, Count, Item, Nobody, Part, Reader, Scope, Visitor, counts, fields},
    layout_search::find_layout,
    pairs::{Pairs, add_pair_rules, pairs_of},
    row_keys::{RowKey, key_holds, row_keys},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// A case of a package.
#[derive(Debug, Clone)]
pub struct FormCase {
    pub name: String,
    pub input: Vec<u8>,
    /// Whether participants know it.
    pub is_sample: bool,
}

/// What all inputs of a package have in common.
#[derive(Debug, Clone)]
pub struct InputForm {
    pub(super) parts: Vec<Part>,
    pub(super) facts: Vec<PlaceFacts>,
    /// The places of numbers that count lines or items.
    counters: BTreeSet<usize>,
    /// The place of the number of nodes, by that of the second node of a pair.
    nodes: BTreeMap<usize, usize>,
    /// Columns in which no two lines of a block are equal.
    pub(super) row_keys: Vec<RowKey>,
    /// How many cases it was read from.
    pub cases: usize,
    /// Whether no case has blanks or empty lines at an end, and each ends with a newline.
    pub(super) is_exact: bool,
}

/// Why the cases show no form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoForm {
    /// The number of different cases.
    TooFew(usize),
    NotText(String),
    TooLarge(String),
    /// A case, and why it cannot be read.
    Unread(String, String),
    /// No layout reads all of them.
    Unlike,
}

impl fmt::Display for NoForm {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NoForm::TooFew(0) => f.write_str("there is no case"),
            NoForm::TooFew(_) => f.write_str("one case alone shows no form"),
            NoForm::NotText(case) => write!(f, "the input of {case} is not text"),
            NoForm::TooLarge(case) => write!(f, "the input of {case} is too large"),
            NoForm::Unread(case, why) => write!(f, "the input of {case} cannot be read: {why}"),
            NoForm::Unlike => f.write_str("the cases have no common form"),
        }
    }
}

/// Of larger inputs, reading the form takes longer than the search that it is for.
pub(crate) const MAX_INPUT: u64 = 10 << 20;
/// The smallest cases, in which the layout is searched; it must then read all.
const SEARCHED: usize = 12;

impl InputForm {
    /// The form of these cases.
    pub fn read(cases: &[FormCase]) -> Result<InputForm, NoForm> {
        let mut texts = Vec::new();
        let mut is_exact = true;
        for FormCase { name, input, is_sample } in cases {
            if input.len() as u64 > MAX_INPUT {
                return Err(NoForm::TooLarge(name.clone()));
            }
            let text = std::str::from_utf8(input).ok().filter(|text| !text.contains('\0'));
            let text = text.ok_or_else(|| NoForm::NotText(name.clone()))?;
            let lines = input_lines(text);
            is_exact &= bytes_of(&lines) == text.len() && text.ends_with('\n');
            texts.push((lines, *is_sample));
        }
        texts.sort_by_cached_key(|(lines, _)| bytes_of(lines));
        texts.dedup_by(|one, other| one.0 == other.0);
        if texts.len() < 2 {
            return Err(NoForm::TooFew(texts.len()));
        }
        let mut searched: Vec<Vec<InputLine>> =
            texts.iter().take(SEARCHED).map(|(lines, _)| lines.clone()).collect();
        // The largest has what small ones only happen to have.
        searched.extend(texts.last().map(|(lines, _)| lines.clone()));
        let parts = find_layout(&searched).ok_or(NoForm::Unlike)?;
        let facts_of: Vec<FactCase> =
            texts.iter().map(|(lines, is_sample)| FactCase { lines, is_sample: *is_sample }).collect();
        let mut facts = read_facts(&parts, &facts_of);
        add_pair_rules(&parts, &facts_of, &mut facts);
        if has_commands(&parts, &facts) {
            return Err(NoForm::Unlike);
        }
        let mut counters = BTreeSet::new();
        for count in counts(&parts) {
            if let Count::Number { place, .. } = count {
                counters.insert(place);
            }
        }
        let nodes = pairs_of(&parts, &facts);
        let row_keys = row_keys(&parts, &facts_of, &facts);
        let form = InputForm { parts, facts, counters, nodes, row_keys, cases: texts.len(), is_exact };
        let reads_all = texts.iter().all(|(lines, _)| form.accepts_lines(lines));
        if reads_all { Ok(form) } else { Err(NoForm::Unlike) }
    }

    /// Whether an input has this form.
    pub fn accepts(&self, input: &[u8]) -> bool {
        std::str::from_utf8(input).is_ok_and(|text| self.accepts_lines(&input_lines(text)))
    }

    fn accepts_lines(&self, lines: &[InputLine]) -> bool {
        let mut check = Check { form: self };
        let mut reader = Reader::new(lines);
        reader.read(&self.parts, &mut check) && reader.rest().is_empty()
    }

    /// Whether an input has the same lines and lists, with whatever values.
    pub fn has_layout_of(&self, input: &[u8]) -> bool {
        let Ok(text) = std::str::from_utf8(input) else { return false };
        let lines = input_lines(text);
        let mut reader = Reader::new(&lines);
        reader.read(&self.parts, &mut Nobody) && reader.rest().is_empty()
    }

    /// Whether a number counts lines or items.
    pub(super) fn is_counter(&self, place: usize) -> bool {
        self.counters.contains(&place)
    }
}

/// Whether lines are commands such as `push 3`, where the first word decides the others.
fn has_commands(parts: &[Part], facts: &[PlaceFacts]) -> bool {
    let in_blocks = parts.iter().filter_map(|part| match part {
        Part::Block(_, body) => Some(body),
        Part::Line(_) => None,
    });
    in_blocks.flat_map(|body| fields(body)).any(|field| {
        let has = |is_meant: fn(&char) -> bool| facts[field.place].letters.iter().any(is_meant);
        field.item == Item::Text && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
    })
}

/// Checks the facts of each place.
struct Check<'f> {
    form: &'f InputForm,
}

impl<'a> Visitor<'a> for Check<'_> {
    fn token(&mut self, place: usize, token: &'a str, scope: &Scope) -> bool {
        self.form.facts[place].allows(token, scope)
    }

    fn series(&mut self, place: usize, tokens: &[&'a str], _scope: &Scope) -> bool {
        let facts = &self.form.facts[place];
        let [shortest, longest] = facts.list_lengths;
        (shortest..=longest).contains(&tokens.len()) && facts.rules.iter().all(|rule| rule.holds(tokens))
    }

    fn columns(&mut self, columns: &[Column<'a>], scope: &Scope) -> bool {
        let are_pairs_right = match Pairs::read(columns, &self.form.nodes, scope) {
            Some((place, pairs)) => self.form.facts[place].pair_rules.iter().all(|rule| rule.holds(&pairs)),
            None => true,
        };
        are_pairs_right && self.form.row_keys.iter().all(|key| key_holds(key, columns))
    }
}

impl PlaceFacts {
    /// Whether the place allows a token after these numbers.
    fn allows(&self, token: &str, scope: &Scope) -> bool {
        let number = match self.kind {
            Kind::Integer => integer(token),
            Kind::Decimal(digits) => Decimal::read(token)
                .filter(|decimal| decimal.digits <= digits)
                .map(|decimal| decimal.units / Decimal::units_of_last(digits)),
            Kind::Word | Kind::Text => return self.allows_word(token, scope),
        };
        number.is_some_and(|number| {
            (self.least..=self.most).contains(&number)
                && (number - self.least) % self.step == 0
                && self
                    .orders
                    .iter()
                    .all(|(place, order)| scope.number(*place).is_none_or(|one| order.holds(number, one)))
        })
    }

    fn allows_word(&self, word: &str, scope: &Scope) -> bool {
        if let Some(words) = &self.words {
            return words.iter().any(|known| known == word);
        }
        let length = word.chars().count();
        let [shortest, longest] = self.lengths;
        let counted = self.length_is.and_then(|place| scope.number(place));
        (shortest..=longest).contains(&length)
            && (!self.are_numerals || is_numeral(word))
            && counted.is_none_or(|count| count == length as i128)
            && word.chars().all(|letter| self.letters.contains(&letter))
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::RandomStream;
    use super::*;
    use proptest::prelude::*;

    fn form_of(inputs: &[&str]) -> Result<InputForm, NoForm> {
        let mut cases = Vec::new();
        for (at, input) in inputs.iter().enumerate() {
            let name = format!("secret/{at}");
            cases.push(FormCase { name, input: input.as_bytes().to_vec(), is_sample: at == 0 });
        }
        InputForm::read(&cases)
    }

    /// Some drawn inputs.
    fn drawn(inputs: &[&str]) -> BTreeSet<String> {
        let form = form_of(inputs).unwrap();
        let mut random = RandomStream::new(1, 1);
        let mut found = BTreeSet::new();
        for size in 0..200 {
            let input = form.draw(1 + size / 10, &mut random);
            found.extend(input.map(|bytes| String::from_utf8(bytes).unwrap()));
        }
        assert!(found.len() > 5, "{found:?}");
        found
    }

    fn numbers(input: &str) -> Vec<i64> {
        input.split_whitespace().map(|token| token.parse().unwrap()).collect()
    }

    #[test]
    fn usual_inputs_have_a_form() {
        for (inputs, expected) in [
            (&["1 2 3\n", "-10 5 5\n", "100 0 7\n", "3 3 3\n"][..], "three integers, −10 to 100"),
            (&["3\n7 8 9\n", "1\n4\n", "5\n1 2 3 3 0\n"], "n (1 to 5); n integers, 0 to 9"),
            (&["3 7 8 9\n", "1 4\n", "5 1 2 3 3 0\n"], "n (1 to 5), n integers (0 to 9)"),
            (
                &["2\n1\n5\n2\n6 2\n", "1\n3\n9 1 1\n", "1\n4\n1 3 1 2\n"],
                "n (1 to 2); n times (m (1 to 4); m integers, 1 to 9)",
            ),
            (
                &["4\n1 2\n2 3\n3 4\n", "2\n1 2\n", "3\n1 2\n3 1\n", "5\n1 2\n1 3\n1 4\n1 5\n"],
                "n (2 to 5); n − 1 times (two integers, 1 to 5, in ascending order)",
            ),
            (
                &["3 4\n#..#\n....\n####\n", "1 2\n..\n", "2 2\n##\n.#\n"],
                "n (1 to 3), an integer (2 to 4); n times (a word, 2 to 4 letters of #., of one length)",
            ),
            (&["abc\n", "hello\n", "xyzzy\n"], "a word, 3 to 5 letters of a-z"),
            (&["hello world\n", "a b c d\n", "good\n"], "a line of text, 4 to 11 letters of a-z␣"),
            (&["1.50\n", "2.25\n", "100.00\n"], "a decimal, 1.50 to 100.00"),
            (
                &["3\n1 2\n4 5\n7 8\n2\n1 1\n3 3\n", "1\n5 5\n3\n1 2\n3 4\n5 6\n"],
                "n (1 to 3); n times (two integers, 1 to 8); m (2 to 3); m times (two integers, 1 to 6, increasing)",
            ),
            (
                &[
                    "3\n1 1 5\n1 2 5\n2 1 4\n",
                    "2\n1 1 5\n2 2 4\n",
                    "4\n2 2 4\n1 2 4\n2 1 5\n1 1 4\n",
                    "4\n1 1 5\n1 2 5\n2 1 4\n2 2 5\n",
                ],
                "n (2 to 4); n times (three integers, 1 to 5; no two lines equal in columns 1 and 2)",
            ),
            (
                &["2\n100 70\n9 31\n", "3\n100 5\n5 78\n100 78\n", "1\n9 9\n"],
                "n (1 to 3); n times (two integers, 5 to 100; no line twice)",
            ),
            (
                &["2\nanna\nbo\n", "3\ncarl\nanna\neve\n", "1\nanna\n"],
                "n (1 to 3); n times (a word, 2 to 4 letters of a-z, all different)",
            ),
            (
                &["2 3\n010\n110\n", "3 2\n01\n10\n01\n", "1 1\n0\n"],
                "n (1 to 3), an integer (1 to 3); n times (a word, 1 to 3 letters of 01, of one length)",
            ),
            (&["12345678901234567890123456789012345\n", "-7\n", "5\n"], "an integer, 1 to 35 digits"),
            (&["6\n", "10\n", "2\n", "4\n", "8\n", "100\n"], "an integer, 2 to 100, even"),
        ] {
            let form = form_of(inputs).unwrap();
            let shown = form.description();
            assert!(shown.starts_with(expected), "{shown}");
            assert!(inputs.iter().all(|input| form.accepts(input.as_bytes())), "{inputs:?}");
        }
    }

    #[test]
    fn cases_without_a_common_form_have_none() {
        let long = "1 ".repeat(MAX_INPUT as usize / 2 + 1);
        for (inputs, why) in [
            (&[][..], NoForm::TooFew(0)),
            (&["1\n", "1\n"], NoForm::TooFew(1)),
            (&["1\n", "\0\n"], NoForm::NotText("secret/1".into())),
            (&["1\n", &long], NoForm::TooLarge("secret/1".into())),
            (&["3\npush 1\npop\npush 2\n", "2\npop\npop\n", "1\npush 9\n"], NoForm::Unlike),
            (&["1 2\n3\n", "abc\n"], NoForm::Unlike),
        ] {
            assert_eq!(form_of(inputs).map(|form| form.description()), Err(why));
        }
    }

    #[test]
    fn all_decimals_of_a_place_are_in_its_range() {
        let lines: Vec<String> = (0..100).map(|at| format!("{at}.5\n")).collect();
        let inputs = [format!("100\n{}", lines.concat()), "1\n-0.25\n".to_owned()];
        let form = form_of(&[&inputs[0], &inputs[1]]).unwrap();
        assert_eq!(form.description(), "n (1 to 100); n times (a decimal, −0.25 to 99.50)");
    }

    #[test]
    fn drawn_numbers_stay_in_their_ranges_and_orders() {
        let inputs = drawn(&["5 2\n9 3 1 4 4\n", "8 8\n1 1 1 9 1 1 1 2\n", "3 1\n2 7 5\n", "4 2\n1 2 3 9\n"]);
        for input in inputs {
            let numbers = numbers(&input);
            let items = &numbers[2..];
            assert!(items.len() as i64 == numbers[0] && (3..=8).contains(&numbers[0]), "{input}");
            assert!((1..=numbers[0]).contains(&numbers[1]), "k is at most n: {input}");
            assert!(items.iter().all(|item| (1..=9).contains(item)), "{input}");
        }
    }

    #[test]
    fn a_range_of_which_every_value_is_a_case_grows() {
        let largest = |inputs: &[&str]| drawn(inputs).iter().flat_map(|input| numbers(input)).max();
        assert_eq!(largest(&["1\n", "2\n", "3\n", "4\n"]), Some(8));
        assert_eq!(largest(&["1\n", "20\n", "3\n", "4\n"]), Some(20));
    }

    #[test]
    fn what_all_lists_are_stays_so() {
        let sorted = drawn(&["3\n1 5 9\n", "4\n2 2 7 8\n", "2\n1 4\n"]);
        assert!(sorted.iter().all(|input| numbers(input)[1..].is_sorted()));
        let permutations = drawn(&["3\n2 3 1\n", "4\n4 1 3 2\n", "5\n5 4 1 2 3\n"]);
        for input in permutations {
            let mut items = numbers(&input).split_off(1);
            items.sort_unstable();
            assert!(items.iter().copied().eq(1..=items.len() as i64), "{input}");
        }
        let even = drawn(&[
            "2\n6 8\n",
            "4\n1 2 3 4\n",
            "6\n1 1 1 2 2 2\n",
            "8\n1 2 3 4 5 6 7 8\n",
            "10\n1 1 1 1 1 1 1 1 1 1\n",
            "12\n1 2 1 2 1 2 1 2 1 2 1 2\n",
        ]);
        assert!(even.iter().all(|input| numbers(input)[0] % 2 == 0));
    }

    #[test]
    fn lines_of_which_all_cases_have_no_two_equal_are_drawn_so() {
        let cases = [
            "3\n1 5 1\n1 5 2\n2 4 1\n",
            "2\n1 5 1\n2 4 2\n",
            "4\n2 4 2\n1 4 2\n2 5 1\n1 4 1\n",
            "4\n1 5 1\n1 5 2\n2 4 1\n2 5 2\n",
        ];
        let form = form_of(&cases).unwrap();
        assert!(
            form.description().ends_with("no two lines equal in columns 1 and 3)"),
            "{}",
            form.description()
        );
        assert!(!form.accepts(b"3\n1 4 1\n2 4 1\n1 5 1\n"));
        assert!(form.accepts(b"3\n1 4 1\n2 4 1\n1 4 2\n"));
        for input in drawn(&cases) {
            let numbers = numbers(&input);
            let points: BTreeSet<[i64; 2]> = numbers[1..].chunks(3).map(|line| [line[0], line[2]]).collect();
            assert_eq!(points.len() as i64, numbers[0], "{input}");
        }
    }

    #[test]
    fn digits_are_drawn_as_they_are_written() {
        let large = "98765432109876543210987654321098765";
        for input in drawn(&[&format!("{large}\n"), "-60\n", "5\n", "120\n"]) {
            assert!(is_numeral(input.trim_end()), "{input}");
        }
        let grids = drawn(&["2 3\n010\n110\n", "3 2\n01\n10\n01\n", "1 1\n0\n"]);
        assert!(
            grids.iter().any(|input| input.contains("\n00\n"))
                && grids.iter().all(|input| !input.contains('.'))
        );
    }

    #[test]
    fn drawn_trees_are_trees() {
        for input in drawn(&[
            "4\n1 2\n2 3\n3 4\n",
            "2\n1 2\n",
            "6\n1 2\n3 1\n4 3\n3 5\n6 1\n",
            "5\n1 2\n1 3\n1 4\n1 5\n",
        ]) {
            let numbers = numbers(&input);
            let mut reached = BTreeSet::from([1]);
            for _ in 0..numbers[0] {
                for pair in numbers[1..].chunks(2) {
                    if reached.contains(&pair[0]) || reached.contains(&pair[1]) {
                        reached.extend(pair);
                    }
                }
            }
            assert!(reached.iter().copied().eq(1..=numbers[0]), "{input}");
        }
    }

    proptest! {
        #[test]
        fn any_cases_have_the_form_that_they_show(inputs in prop::collection::vec("([0-3]{1,2}[ \n]){0,6}", 2..5)) {
            let texts: Vec<&str> = inputs.iter().map(String::as_str).collect();
            if let Ok(form) = form_of(&texts) {
                prop_assert!(texts.iter().all(|text| form.accepts(text.as_bytes())));
                let drawn = form.draw(3, &mut RandomStream::new(1, 1));
                prop_assert!(drawn.is_none_or(|drawn| form.accepts(&drawn)));
            }
        }
    }
}
