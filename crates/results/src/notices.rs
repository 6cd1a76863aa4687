//! What the steps of a command find out besides their results.

use super::open_cases::{OpenCase, UndecidedCase};
use kopek_package::package::Message;
use kopek_sentences::Said;
use std::collections::BTreeSet;

/// What the steps of a command found out besides their results.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    /// Warnings that put the results in doubt.
    pub warnings: Vec<Message>,
    /// Failures of the judge: not everything was judged.
    pub faults: Vec<OpenCase>,
    /// Cases that no run decided.
    pub undecided: Vec<UndecidedCase>,
    /// Rulings of the teacher that change points of all participants: cases that do not count.
    pub rules: Vec<Said>,
    /// The compilers and interpreters that were used, with their versions.
    pub toolchains: BTreeSet<String>,
    /// Jobs done now.
    pub ran: usize,
    /// Jobs known from before.
    pub reused: usize,
}

impl Notices {
    /// For formats that do not say who may read a warning.
    pub fn warning_texts(&self) -> Vec<String> {
        let text = |warning: &Message| match &warning.todo {
            Some(todo) => format!("{}; {todo}", warning.placed_text()),
            None => warning.placed_text(),
        };
        self.warnings.iter().map(text).collect()
    }

    /// Adds the notices of a later step, except those that an earlier step had already.
    pub fn add(&mut self, later: Notices) {
        add_new(&mut self.warnings, later.warnings);
        add_new(&mut self.faults, later.faults);
        add_new(&mut self.undecided, later.undecided);
        add_new(&mut self.rules, later.rules);
        self.toolchains.extend(later.toolchains);
        self.ran += later.ran;
        self.reused += later.reused;
    }
}

fn add_new<T: PartialEq>(all: &mut Vec<T>, later: Vec<T>) {
    let earlier = all.len();
    for one in later {
        if !all[..earlier].contains(&one) {
            all.push(one);
        }
    }
}

/// The result of a step, and what the step found out besides.
#[derive(Debug, Clone)]
pub struct Noticed<T> {
    pub value: T,
    pub notices: Notices,
}

impl<T> Noticed<T> {
    /// The result; its notices go to those of the caller.
    pub fn note_in(self, notices: &mut Notices) -> T {
        notices.add(self.notices);
        self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::package::Level;

    #[test]
    fn a_remedy_is_separated_from_its_warning() {
        let warning = Message::package_warning("sums", "`secret` is not").todo("set `max_score`");
        let notices = Notices { warnings: vec![warning], ..Notices::default() };
        assert_eq!(notices.warning_texts(), ["sums: `secret` is not; set `max_score`"]);
    }

    #[test]
    fn a_later_step_repeats_no_notice() {
        let notices = |warnings: &[&str], ran| Notices {
            warnings: warnings.iter().map(|one| Message::new(Level::Warning, *one)).collect(),
            ran,
            ..Notices::default()
        };
        let mut all = notices(&["a", "b"], 1);
        all.add(notices(&["c", "b", "c"], 2));
        assert_eq!(all.warning_texts(), ["a", "b", "c", "c"]);
        assert_eq!(all.ran, 3);
    }
}
