//! The room below the memory limit: the largest use of the accepted submissions.

use super::{
    judged::JudgedSubmission,
    measures::MemoryMargin,
    remarks::{Level, Remark, Section},
    verification::Verification,
    verified::Verified,
};
use kopek_base::Bytes;
use kopek_engine::verdict::Verdict;

/// In percent of the limit. A higher use is reported, because another machine or a newer compiler may need slightly
/// more.
const NEAR: u64 = 75;

/// Finds the largest use, and reports all submissions near the limit.
pub(super) fn check_memory(verification: &Verification, seen: &[JudgedSubmission], verified: &mut Verified) {
    let limit = verification.package.limits.memory;
    let accepted = seen.iter().filter(|one| one.final_verdict() == Some(Verdict::Accepted));
    let margins: Vec<MemoryMargin> =
        accepted.filter_map(|one| greatest_use(verification, one, limit)).collect();
    verified.remarks.extend(margins.iter().filter(|margin| is_near(margin)).map(near_remark));
    verified.memory = margins.into_iter().max_by_key(|margin| margin.used);
}

fn greatest_use(verification: &Verification, one: &JudgedSubmission, limit: Bytes) -> Option<MemoryMargin> {
    let (case, trial) = one.trials()?.iter().max_by_key(|(_, trial)| trial.usage.memory)?;
    Some(MemoryMargin {
        limit: limit.0,
        used: trial.usage.memory.0,
        submission: one.submission.name.clone(),
        case: verification.tests.cases[*case].name.clone(),
    })
}

fn is_near(margin: &MemoryMargin) -> bool {
    u128::from(margin.used) * 100 > u128::from(margin.limit) * u128::from(NEAR)
}

fn near_remark(margin: &MemoryMargin) -> Remark {
    let (used, limit) = (Bytes(margin.used), Bytes(margin.limit));
    let what = format!(
        "`{}` uses {used} of {limit} on {}: more than {NEAR} % of the memory limit",
        margin.submission, margin.case
    );
    let remark = Remark::new(Section::Limits, Level::Warning, what).at("problem.yaml");
    remark.todo("raise `memory` below `limits`, or make the submission use less")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_the_limit_are_near() {
        let margin =
            |used| MemoryMargin { limit: 100 << 20, used, submission: "a.cpp".into(), case: "1".into() };
        assert!(!is_near(&margin(75 << 20)));
        assert!(is_near(&margin((75 << 20) + 1)));
        assert!(near_remark(&margin(80 << 20)).what.starts_with("`a.cpp` uses 80"));
    }
}
