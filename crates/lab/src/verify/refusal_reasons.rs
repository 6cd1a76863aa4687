//! The reasons for refusing invalid inputs: a description that begins with `refused:` gives the text that the message
//! of a validator must contain.

use super::remarks::{Level, Remark, Section};
use kopek_engine::{package::Case, plan::ValidatorReply};

/// The prefix of a description that gives a reason.
const MARK: &str = "refused:";

/// The text that a message must contain, if the case gives one.
pub(super) fn stated_reason(case: &Case) -> Option<&str> {
    let text = case.description.as_deref()?.trim();
    let reason = text.get(..MARK.len()).filter(|start| start.eq_ignore_ascii_case(MARK))?;
    let reason = text[reason.len()..].lines().next().unwrap_or("").trim();
    (!reason.is_empty()).then_some(reason)
}

/// A remark if the input was refused for another reason.
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

/// Whether a message contains these words in a row, ignoring case and spaces.
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
