//! The table of system calls, as a list to read and as seccomp filters.

use super::{
    syscall_row::{ArgOp, ArgTest, SyscallAnswer, SyscallRow},
    syscall_table::TABLE,
    syscall_table_weak::MODE_ROW,
};
use crate::sys::install_listening;
use libc::EPERM;
use seccompiler::{
    BpfProgram, SeccompAction,
    SeccompCmpArgLen::{Dword, Qword},
    SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};
use std::{collections::BTreeMap, io, os::fd::OwnedFd};

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("the table of system calls is written for x86_64 and aarch64");

/// One rule of the table, to list or to test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyscallRule {
    /// The call's number.
    pub number: i64,
    /// The call's name.
    pub name: &'static str,
    /// The error that it returns; `None` if the kernel handles the call. Zero pretends success.
    pub error: Option<i32>,
    /// Refused only if all of these hold; empty means always.
    pub tests: &'static [ArgTest],
    /// The reason.
    pub why: &'static str,
}

impl SyscallRule {
    /// Arguments for which the call is refused: the number and six arguments.
    pub fn refused_example(&self) -> [i64; 7] {
        let mut call = [self.number, 0, 0, 0, 0, 0, 0];
        for (index, op, value) in self.tests {
            let argument = &mut call[1 + usize::from(*index)];
            let free = || (0..).find(|n| !self.tests.contains(&(*index, ArgOp::Not, *n))).unwrap_or(0);
            match op {
                ArgOp::Is => *argument = i64::from(*value),
                ArgOp::Not => *argument = i64::from(free()),
                ArgOp::Has => *argument |= i64::from(*value),
                ArgOp::Lacks => *argument &= !i64::from(*value),
                ArgOp::Points => *argument = 1,
            }
        }
        call
    }
}

/// The whole table as a list of rules.
pub fn list_syscall_rules() -> Vec<SyscallRule> {
    let mut all = Vec::new();
    for row in TABLE {
        for call in row.calls {
            let number = call.number;
            let name = call.constant.trim_start_matches("SYS_");
            let mut add = |error, tests| all.push(SyscallRule { number, name, error, tests, why: row.why });
            match row.answer {
                SyscallAnswer::Allow => add(None, &[]),
                SyscallAnswer::Refuse(error) => add(Some(error), &[]),
                SyscallAnswer::RefuseWhen(error, rules) => {
                    rules.iter().for_each(|tests| add(Some(error), tests))
                }
            }
        }
    }
    all
}

fn condition_of(test: &ArgTest) -> SeccompCondition {
    let (index, op, value) = *test;
    let (part, op, value) = match op {
        ArgOp::Is => (Dword, SeccompCmpOp::Eq, value),
        ArgOp::Not => (Dword, SeccompCmpOp::Ne, value),
        ArgOp::Has => (Dword, SeccompCmpOp::MaskedEq(value.into()), value),
        ArgOp::Lacks => (Dword, SeccompCmpOp::MaskedEq(value.into()), 0),
        ArgOp::Points => (Qword, SeccompCmpOp::Ne, 0),
    };
    SeccompCondition::new(index, part, op, value.into()).expect("the table names arguments 0 to 5")
}

fn rules_of(answer: SyscallAnswer) -> Vec<SeccompRule> {
    let tests = match answer {
        SyscallAnswer::RefuseWhen(_, rows) => rows,
        SyscallAnswer::Allow | SyscallAnswer::Refuse(_) => &[],
    };
    let rule =
        |row: &&[ArgTest]| SeccompRule::new(row.iter().map(condition_of).collect()).expect("no row is empty");
    tests.iter().map(rule).collect()
}

fn compile_filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    without_match: SeccompAction,
    on_match: SeccompAction,
) -> BpfProgram {
    let arch = TargetArch::try_from(std::env::consts::ARCH).expect("checked when this was compiled");
    let filter = SeccompFilter::new(rules, without_match, on_match, arch).expect("the actions differ");
    filter.try_into().expect("the table fits into a filter")
}

/// The filters of a worker and its programs.
pub(crate) struct CallFilters {
    /// In order of installation; the first knows the names of calls.
    programs: Vec<BpfProgram>,
    has_installed_names: bool,
}

/// Lets changes of modes succeed without doing them, in this process and its children.
pub(crate) fn ignore_mode_changes() -> io::Result<()> {
    install(&mode_filter(SeccompAction::Errno(0)))
}

/// Lets changes of modes wait for an answer through this descriptor. `None` where a container's runtime forbids that.
pub(crate) fn listen_to_mode_changes() -> Option<OwnedFd> {
    // The library lacks this action, but has another one that nothing else here uses.
    let mut filter = mode_filter(SeccompAction::Trace(0));
    for step in &mut filter {
        if step.code == RETURN && step.k == libc::SECCOMP_RET_TRACE {
            step.k = libc::SECCOMP_RET_USER_NOTIF;
        }
    }
    install_listening(&filter).ok()
}

fn mode_filter(action: SeccompAction) -> BpfProgram {
    let rules = MODE_ROW.calls.iter().map(|call| (call.number, vec![])).collect();
    compile_filter(rules, SeccompAction::Allow, action)
}

/// `BPF_RET | BPF_K`.
const RETURN: u16 = 6;

impl CallFilters {
    /// Builds the filters of the table and these further rows.
    pub(crate) fn build(further: &[&[SyscallRow]]) -> CallFilters {
        CallFilters { programs: build_filters(further), has_installed_names: false }
    }

    /// Installs the filter of names in this process and all its children: not even a starting worker needs a
    /// call that is not in the table. Once for all workers, because it takes the kernel longer than any other
    /// of their steps.
    pub(crate) fn install_names(&mut self) -> io::Result<()> {
        self.programs.first().map_or(Ok(()), install)?;
        self.has_installed_names = true;
        Ok(())
    }

    /// Installs the others, and the filter of names unless it is installed.
    pub(crate) fn install_rest(&self) -> io::Result<()> {
        self.programs.iter().skip(usize::from(self.has_installed_names)).try_for_each(install)
    }
}

fn install(filter: &BpfProgram) -> io::Result<()> {
    seccompiler::apply_filter(filter).map_err(|e| io::Error::other(format!("install the filter: {e}")))
}

/// The filters in order of installation: one with all calls of the table, and one per error. The library
/// supports only one answer per filter, and the kernel uses the strictest answer of all filters.
fn build_filters(further: &[&[SyscallRow]]) -> Vec<BpfProgram> {
    let named = TABLE.iter().flat_map(|row| row.calls).map(|call| (call.number, vec![])).collect();
    let first = compile_filter(named, SeccompAction::Errno(libc::ENOSYS as u32), SeccompAction::Allow);
    let mut refusals: BTreeMap<i32, BTreeMap<i64, Vec<SeccompRule>>> = BTreeMap::new();
    for row in TABLE.iter().chain(further.iter().copied().flatten()) {
        if let SyscallAnswer::Refuse(error) | SyscallAnswer::RefuseWhen(error, _) = row.answer {
            for call in row.calls {
                refusals
                    .entry(error)
                    .or_default()
                    .entry(call.number)
                    .or_default()
                    .extend(rules_of(row.answer));
            }
        }
    }
    let one =
        |(error, rules)| compile_filter(rules, SeccompAction::Allow, SeccompAction::Errno(error as u32));
    // The filter that refuses installing filters comes last.
    let mut refusals: Vec<_> = refusals.into_iter().collect();
    refusals.sort_by_key(|(error, _)| *error == EPERM);
    std::iter::once(first).chain(refusals.into_iter().map(one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::syscall_table_weak::{NO_CGROUP_ROWS, NO_NAMESPACE_ROWS};
    use std::collections::BTreeSet;

    #[test]
    fn every_row_says_why_and_no_call_is_both_answered_and_refused() {
        let mut plain = BTreeSet::new();
        for row in TABLE {
            assert!(!row.why.is_empty());
            assert!(cfg!(not(target_arch = "x86_64")) || !row.calls.is_empty());
            for call in row.calls {
                let once = matches!(row.answer, SyscallAnswer::RefuseWhen(..)) || plain.insert(call.number);
                assert!(once, "{} is in two rows", call.constant);
            }
        }
    }

    #[test]
    fn the_table_becomes_filters_and_the_one_that_forbids_filters_comes_last() {
        let filters = build_filters(&[NO_NAMESPACE_ROWS, NO_CGROUP_ROWS]);
        assert_eq!(filters.len(), 7, "the names, and one for each of six errors");
        assert!(filters.iter().all(|filter| filter.len() < 4096));
    }
}
