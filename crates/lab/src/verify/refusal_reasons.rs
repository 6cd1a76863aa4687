//! Why invalid inputs are refused: a description that begins with `refused:` says what the message of a
//! validator must have in it.

use super::remarks::{Level, Remark, Section};
use kopek_engine::{package::Case, plan::ValidatorReply};

/// Begins a description that gives a reason.
const MARK: &str = "refused:";

/// What must stand in a message, if the case says so.
pub(super) fn stated_reason(case: &Case) -> Option<&str> {
    let text = case.description.as_deref()?.trim();
    let reason = text.get(..MARK.len()).filter(|start| start.eq_ignore_ascii_case(MARK))?;
    let reason = text[reason.len()..].lines().next().unwrap_or("").trim();
    (!reason.is_empty()).then_some(reason)
}

/// A remark if it was refused for another reason than that.
pub(super) fn other_reason(case: &Case, reason: &str, replies: &[ValidatorReply]) -> Option<Remark> {
    let refusals: Vec<&ValidatorReply> = replies.iter().filter(|reply| !reply.accepted).collect();
    if refusals.iter().any(|reply| has_words(&reply.message, reason)) {
        return None;
    }
    let heard: Vec<String> = refusals.iter().map(|reply| format!("`{}`", reply.message)).collect();
    let what = format!("is rejected for another reason than `{reason}`: {}", heard.join(", "));
    let remark = Remark::new(Section::Data, Level::Error, what).at(format!("data/{}.in", case.name));
    Some(remark.todo("fix the input so that nothing else is wrong with it, or its `description`"))
}

/// Whether the words stand there in a row, whatever their case and spaces.
fn has_words(message: &str, words: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    plain(message).contains(&plain(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_their_spaces() {
        assert!(has_words("exited with 43: n = 0  is not in\n1..=30", "N = 0 is not"));
        assert!(!has_words("exited with 43: more after the last value", "n = 0"));
    }
}
