//! The state that every reader of `data/` shares.

use crate::package::{Case, Member, Message, Package, disk::Disk};

/// Reads `data/`; each kind of file has its functions in a module of its own.
pub(super) struct DataReader<'a> {
    pub package: &'a Package,
    pub disk: &'a Disk,
    /// Cases of `sample` and `secret` so far.
    pub cases: Vec<Case>,
    pub findings: &'a mut Vec<Message>,
}

impl DataReader<'_> {
    /// Adds a case to the set and returns its place.
    pub(crate) fn append_case(&mut self, case: Case) -> Member {
        self.cases.push(case);
        Member::Case(self.cases.len() - 1)
    }
}
