//! What every reader of `data/` works with.

use crate::package::{Case, Finding, Member, Package, disk::Disk};

/// Reads `data/`; each kind of file in it has its functions in a file of its own.
pub(super) struct DataReader<'a> {
    pub package: &'a Package,
    pub disk: &'a Disk,
    /// Cases of `sample` and `secret` so far.
    pub cases: Vec<Case>,
    pub findings: &'a mut Vec<Finding>,
}

impl DataReader<'_> {
    /// Adds a case to the set and says where it went.
    pub(crate) fn append_case(&mut self, case: Case) -> Member {
        self.cases.push(case);
        Member::Case(self.cases.len() - 1)
    }
}
