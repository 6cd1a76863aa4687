//! The output of a compiler, errors first.

use super::excerpts::message_lines;
use kopek_base::wording::without_control_characters;
use kopek_results::error_lines;

/// A message with at most this many lines is shown as it is: a reader finds the errors in it.
const EASY: usize = 15;
/// Number of errors shown before the whole message.
const ERRORS: usize = 8;
/// Lines of the page that a message may take: more would push the errors off the screen.
pub(super) const SCREEN: usize = 24;

/// The message, wrapped, on at most `most` lines of the page. In a long one, all lines with errors come first.
pub(super) fn compiler_text(message: &str, width: usize, most: usize) -> String {
    let message = without_control_characters(message);
    let message = without_own_frames(&message);
    let errors = error_lines(message);
    if message.lines().count() <= EASY || errors.is_empty() {
        return first_lines(message, width, most);
    }
    let first = message_lines(&errors.join("\n"), ERRORS, width, "  ");
    format!("{first}\n\nThe whole message:\n{}", first_lines(message, width, most))
}

/// A traceback without the frames of the judge's own line, which asks Python to compile.
fn without_own_frames(message: &str) -> &str {
    let Some(mut rest) = message.strip_prefix("Traceback (most recent call last):\n") else { return message };
    let frames = rest;
    while rest.starts_with("  File \"<string>\", line ") {
        rest = rest.split_once('\n').map_or("", |(_, below)| below);
    }
    if rest.len() == frames.len() || rest.is_empty() { message } else { rest }
}

/// As many whole lines as there is room for, at least one.
fn first_lines(message: &str, width: usize, most: usize) -> String {
    let shown = |lines: usize| message_lines(message, lines, width, "  ");
    // A wrapped line takes at least one of the page.
    let lines = message.lines().count().min(most);
    let fitting = (2..=lines).rev().map(shown).find(|text| text.lines().count() <= most);
    fitting.unwrap_or_else(|| shown(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_before_pages_of_warnings() {
        let noise: String = (1..30).map(|n| format!("a.cpp:{n}: warning: unused `error_{n}`\n")).collect();
        let message = format!("{noise}a.cpp:31:5: error: expected `;`\n{noise}1 error generated.\n");
        let text = compiler_text(&message, 80, SCREEN);
        assert!(
            text.starts_with("  a.cpp:31:5: error: expected `;`\n\nThe whole message:\n  a.cpp:1:"),
            "{text}"
        );
        assert!(text.contains("more lines"), "{text}");
        let long = format!("{}\n", "a long line ".repeat(30)).repeat(20);
        let narrow = compiler_text(&format!("a.cpp:1: error: no\n{long}"), 60, SCREEN);
        assert!(narrow.lines().count() <= SCREEN + 3 && narrow.contains("more lines"), "{narrow}");
        assert!(!compiler_text(&message, 80, usize::MAX).contains("more lines"));
    }

    #[test]
    fn a_traceback_begins_with_the_program_itself() {
        let own = "  File \"a.py\", line 1\n    print(\nSyntaxError: x\n";
        let head = "Traceback (most recent call last):\n";
        let frame = "  File \"<string>\", line 4, in <module>\n";
        assert_eq!(without_own_frames(&format!("{head}{frame}{own}")), own);
        for whole in [format!("{head}{own}"), format!("{head}{frame}"), own.to_owned()] {
            assert_eq!(without_own_frames(&whole), whole);
        }
    }
}
