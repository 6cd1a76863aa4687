//! What a step of a command found out besides its result.

use super::{
    open_cases::{OpenCase, UndecidedCase},
    report::Report,
};
use std::collections::BTreeSet;

/// Remarks of the steps of a command, which it puts into its report at the end.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    /// See [`Report::warnings`].
    pub warnings: Vec<String>,
    /// See [`Report::faults`].
    pub faults: Vec<OpenCase>,
    pub undecided: Vec<UndecidedCase>,
    /// See [`Report::rules`].
    pub rules: Vec<String>,
    pub toolchains: BTreeSet<String>,
    /// See [`Report::ran`].
    pub ran: usize,
    /// See [`Report::reused`].
    pub reused: usize,
}

impl Notices {
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

impl Report {
    /// Adds the notices of the command.
    pub fn add(&mut self, notices: Notices) {
        self.warnings.extend(notices.warnings);
        self.faults.extend(notices.faults);
        self.undecided.extend(notices.undecided);
        self.rules.extend(notices.rules);
        self.toolchains.extend(notices.toolchains);
        self.ran += notices.ran;
        self.reused += notices.reused;
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

    #[test]
    fn a_later_step_repeats_no_notice() {
        let notices = |warnings: &[&str], ran| Notices {
            warnings: warnings.iter().map(|one| one.to_string()).collect(),
            ran,
            ..Notices::default()
        };
        let mut all = notices(&["a", "b"], 1);
        all.add(notices(&["c", "b", "c"], 2));
        assert_eq!(all.warnings, ["a", "b", "c", "c"]);
        assert_eq!(all.ran, 3);
    }
}
