//! Why a grade changed, in words.

use super::words::Words;
use kopek_base::wording::shortened;
use kopek_results::{ChangeReason, GradeChange, group_in_text};

/// More groups are counted.
const MAX_NAMED: usize = 8;

fn reason_text(reason: ChangeReason) -> &'static str {
    match reason {
        ChangeReason::Program => "another program",
        ChangeReason::ByHand => "points or comments by hand",
        ChangeReason::Lateness => "lateness or an extension",
        ChangeReason::Data => "data or limits of the problem",
        ChangeReason::Course => "rules of the course",
    }
}

/// The reasons, and the groups that changed: `another program; changed: group 2`.
pub(super) fn change_words(change: &GradeChange, words: Words) -> String {
    let mut parts: Vec<String> =
        change.reasons.iter().map(|reason| words.say(reason_text(*reason))).collect();
    if parts.is_empty() {
        parts.push(words.say("the same program was judged again"));
    }
    if !change.groups.is_empty() {
        let groups: Vec<String> =
            change.groups.iter().map(|group| words.say(&group_in_text(group))).collect();
        parts.push(words.say(&format!("changed: {}", shortened(&groups, MAX_NAMED, ", "))));
    }
    parts.join("; ")
}
