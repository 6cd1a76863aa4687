//! Why a grade changed, in words.

use kopek_results::{ChangeReason, GradeChange, group_in_text};
use kopek_sentences::{Listed, PageLanguage, Said};

/// More groups are counted.
const MAX_NAMED: usize = 8;

fn reason_said(reason: ChangeReason) -> Said {
    match reason {
        ChangeReason::Program => Said::AnotherProgram,
        ChangeReason::ByHand => Said::HandChange,
        ChangeReason::Lateness => Said::OtherLateness,
        ChangeReason::Data => Said::OtherData,
        ChangeReason::Course => Said::OtherCourse,
    }
}

/// The reasons, and the groups that changed: `another program; changed: group 2`.
pub(super) fn change_words(change: &GradeChange, language: PageLanguage) -> String {
    let mut parts: Vec<Said> = change.reasons.iter().map(|reason| reason_said(*reason)).collect();
    if parts.is_empty() {
        parts.push(Said::JudgedAgain);
    }
    if !change.groups.is_empty() {
        let groups = change.groups.iter().map(|group| group_in_text(group)).collect();
        parts.push(Said::GroupsChanged { groups: Listed::first(groups, MAX_NAMED) });
    }
    language.say_all(&parts)
}
