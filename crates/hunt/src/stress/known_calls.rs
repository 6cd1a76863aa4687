//! Earlier calls of a generator: numbers that made inputs, and numbers that made it hang. Pure.

use crate::{bench::TemplateWords, form::RandomStream};
use std::{collections::HashSet, time::Duration};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DrawnCall {
    pub args: Vec<String>,
    /// Index of the hunt's template.
    pub template: usize,
    pub numbers: Vec<i128>,
}

/// A template of the hunt with numbers for it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TemplateNumbers {
    template: usize,
    numbers: Vec<i128>,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallEnd {
    /// It made an input that the validators accept.
    Used,
    /// It failed, or the validators refuse its input.
    Unused,
    /// It was stopped at a limit.
    Hung,
}

/// The earlier calls of one generator.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownCalls {
    /// Calls that made inputs.
    good: Vec<TemplateNumbers>,
    /// Arguments of calls that hung, seeds left open.
    hung: HashSet<Vec<String>>,
    used: usize,
    unused: usize,
    /// CPU time of the longest call that made an input.
    longest: Duration,
}

/// A generator is picky if it has more unused calls than this number plus a quarter of the used ones.
const UNUSED: usize = 16;
/// Limits for the CPU time of a call: ten times the longest useful call, within these.
const LIMITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];
/// After this number of hung calls without any input, the generator may be slow.
const SLOW_AFTER: usize = 3;
/// How often numbers that hung are redrawn.
const DRAWS: usize = 16;
const MAX_GOOD: usize = 1000;

impl KnownCalls {
    pub fn note_call(&mut self, template: &TemplateWords, call: &DrawnCall, end: CallEnd) {
        match end {
            CallEnd::Used => self.used += 1,
            CallEnd::Unused | CallEnd::Hung => self.unused += 1,
        }
        let numbers = TemplateNumbers { template: call.template, numbers: call.numbers.clone() };
        match (end, self.good.contains(&numbers)) {
            (CallEnd::Used, false) if self.good.len() < MAX_GOOD => self.good.push(numbers),
            (CallEnd::Hung, false) => drop(self.hung.insert(template.seedless_args(&call.numbers))),
            (CallEnd::Used | CallEnd::Unused | CallEnd::Hung, _) => {}
        }
    }

    pub fn note_time(&mut self, longest: Duration) {
        self.longest = self.longest.max(longest);
    }

    /// Whether most numbers make no input: new numbers then slow the hunt down, and hanging calls stop it.
    fn is_picky(&self) -> bool {
        !self.hung.is_empty() || self.unused > UNUSED + self.used / 4
    }
}

/// Draws calls of some templates of a generator.
pub(super) struct CallDrawer<'a> {
    known: &'a KnownCalls,
    /// Words of all templates of the hunt.
    words: Vec<&'a TemplateWords>,
    /// Indices of the templates to draw from.
    alike: Vec<usize>,
    /// Their calls that made inputs.
    good: Vec<&'a TemplateNumbers>,
}

impl<'a> CallDrawer<'a> {
    pub fn new(known: &'a KnownCalls, words: Vec<&'a TemplateWords>, alike: Vec<usize>) -> CallDrawer<'a> {
        let good = known.good.iter().filter(|one| alike.contains(&one.template)).collect();
        CallDrawer { known, words, alike, good }
    }

    /// The CPU time limit of a call.
    pub fn limit(&self) -> Duration {
        let has_own = || self.alike.iter().any(|&at| self.own_numbers(at).is_some());
        if self.good.is_empty() && (self.known.hung.len() >= SLOW_AFTER || has_own()) {
            return LIMITS[1];
        }
        // Rounded up to whole seconds: keys contain the limit, and measured times differ from run to run.
        let usual = (self.known.longest * 10).as_secs_f64().ceil();
        Duration::from_secs(usual as u64).clamp(LIMITS[0], LIMITS[1])
    }

    /// A call for a batch of a round; `None`: all drawn calls hang.
    pub fn draw_call(&self, round: u64, batch: usize, random: &mut RandomStream) -> Option<DrawnCall> {
        let at = *random.choose(&self.alike);
        let mut drawn =
            if self.good.is_empty() || random.is_once_in(8) { self.own_numbers(at) } else { None };
        if drawn.is_none() && (self.explores(batch) || !self.words[at].has_seed()) {
            let mut draws = (0..DRAWS).map(|_| self.new_numbers(at, round, random));
            drawn = draws.find(|one| !self.hangs(one));
        }
        if drawn.is_none() && !self.good.is_empty() {
            drawn = Some((*random.choose(&self.good)).clone());
        }
        let TemplateNumbers { template, numbers } = drawn?;
        let args = self.words[template].args(&numbers, random);
        Some(DrawnCall { args, template, numbers })
    }

    fn hangs(&self, one: &TemplateNumbers) -> bool {
        self.known.hung.contains(&self.words[one.template].seedless_args(&one.numbers))
    }

    /// The numbers of the recipe, unless the call with them hangs.
    fn own_numbers(&self, template: usize) -> Option<TemplateNumbers> {
        let own = TemplateNumbers { template, numbers: self.words[template].own_numbers()? };
        if self.hangs(&own) { None } else { Some(own) }
    }

    /// Whether a batch tries new numbers. For a picky generator one batch of a round does, the others have new seeds.
    fn explores(&self, batch: usize) -> bool {
        let has_hope =
            if self.good.is_empty() { self.known.hung.len() < SLOW_AFTER } else { !self.known.is_picky() };
        has_hope || batch == 0
    }

    /// Random numbers; for a picky generator, good ones with one of them changed.
    fn new_numbers(&self, template: usize, round: u64, random: &mut RandomStream) -> TemplateNumbers {
        let words = self.words[template];
        if self.good.is_empty() {
            // Perhaps it refuses all small numbers.
            let is_late = self.known.unused > UNUSED && random.is_once_in(2);
            let round = if is_late { words.largest_round() } else { round };
            return TemplateNumbers { template, numbers: words.draw_numbers(round, random) };
        }
        if !self.known.is_picky() {
            return TemplateNumbers { template, numbers: words.draw_numbers(round, random) };
        }
        let TemplateNumbers { template, numbers } = *random.choose(&self.good);
        TemplateNumbers { template: *template, numbers: self.words[*template].change_one(numbers, random) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_plan::plan::SeedPlace;

    fn words(words: &[&str]) -> TemplateWords {
        TemplateWords::by_hand(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    /// `gen.py 10 20 {seed}` in a recipe.
    fn recipe() -> TemplateWords {
        let seed = SeedPlace { arg: 2, prefix: String::new(), suffix: String::new(), first: 0 };
        TemplateWords::of_recipe(&["10", "20", "{seed}"].map(String::from), Some(&seed))
    }

    fn edges_fit(numbers: &[i128]) -> bool {
        (numbers[0] - 1..=numbers[0] * (numbers[0] - 1) / 2).contains(&numbers[1])
    }

    /// Draws and notes all calls of some rounds; a batch ends at a call that hangs.
    fn draw_rounds(template: &TemplateWords, known: &mut KnownCalls, rounds: u64) -> Vec<Vec<DrawnCall>> {
        let mut drawn = Vec::new();
        for round in 0..rounds {
            let before = known.clone();
            let drawer = CallDrawer::new(&before, vec![template], vec![0]);
            for batch in 0..8 {
                let mut random = RandomStream::new(1, round * 8 + batch as u64);
                let mut calls = Vec::new();
                for _ in 0..16 {
                    let Some(call) = drawer.draw_call(round, batch, &mut random) else {
                        break;
                    };
                    let end = if edges_fit(&call.numbers) { CallEnd::Used } else { CallEnd::Hung };
                    known.note_call(template, &call, end);
                    calls.push(call);
                    if end == CallEnd::Hung {
                        break;
                    }
                }
                drawn.push(calls);
            }
        }
        drawn
    }

    #[test]
    fn what_hangs_is_rare_and_not_tried_again() {
        let (template, mut known) = (recipe(), KnownCalls::default());
        let first = draw_rounds(&template, &mut known, 1).concat();
        assert!(first.iter().all(|call| call.numbers == [10, 20]), "the recipe's own numbers come first");
        let mut hung = draw_rounds(&template, &mut known, 1).concat();
        hung.retain(|call| !edges_fit(&call.numbers));
        let later = draw_rounds(&template, &mut known, 20).concat();
        let again = later.iter().filter(|call| hung.iter().any(|one| one.numbers == call.numbers));
        assert!(!hung.is_empty() && again.count() == 0);
        assert!(later.iter().filter(|call| !edges_fit(&call.numbers)).count() <= 20, "one in a round");
        let numbers: HashSet<&[i128]> =
            later.iter().map(|call| &call.numbers[..]).filter(|numbers| edges_fit(numbers)).collect();
        assert!(numbers.len() > 10 && numbers.iter().any(|numbers| numbers[0] < 6), "{numbers:?}");
    }

    #[test]
    fn calls_have_a_second_or_ten_times_as_long_as_usual() {
        let seconds = |known: &KnownCalls, template: &TemplateWords| {
            CallDrawer::new(known, vec![template], vec![0]).limit().as_secs()
        };
        let range = words(&["{1..10}", "{seed}"]);
        let mut known = KnownCalls::default();
        assert_eq!((seconds(&known, &recipe()), seconds(&known, &range)), (10, 1));
        let call = |number: i128| DrawnCall { args: vec![], template: 0, numbers: vec![number] };
        (1..4).for_each(|number| known.note_call(&range, &call(number), CallEnd::Hung));
        assert_eq!(seconds(&known, &range), 10, "it may be slow");
        known.note_call(&range, &call(5), CallEnd::Used);
        for (usual, limit) in [(20, 1), (130, 2), (4000, 10)] {
            known.note_time(Duration::from_millis(usual));
            assert_eq!(seconds(&known, &range), limit);
        }
    }

    #[test]
    fn a_generator_without_numbers_to_draw_is_given_up_where_it_hangs() {
        let (fixed, mut known) = (words(&["{seed}"]), KnownCalls::default());
        let draw = |known: &KnownCalls| {
            CallDrawer::new(known, vec![&fixed], vec![0]).draw_call(0, 0, &mut RandomStream::new(1, 1))
        };
        let call = draw(&known).expect("it is not known yet");
        known.note_call(&fixed, &call, CallEnd::Hung);
        assert_eq!(draw(&known), None);
    }
}
