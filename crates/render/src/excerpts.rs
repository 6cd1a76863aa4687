//! Foreign texts in a report: messages are wrapped, data are cut, and the omitted lines are counted. In the output of a
//! compiler, errors come first.

use super::phrases::cut_text;
use console::measure_text_width;
use kopek_base::wording::without_control_characters;
use kopek_results::error_lines;
use kopek_sentences::{PageLanguage, Said};

/// The least width of a text, on however narrow a page.
const MIN_ROOM: usize = 20;

/// Where foreign texts stand: on a page of this width, behind an indent.
#[derive(Clone, Copy)]
pub(super) struct TextRoom<'a> {
    pub width: usize,
    pub indent: &'a str,
    pub language: PageLanguage,
}

impl TextRoom<'_> {
    /// A message for people, wrapped. Lines beyond the maximum number are counted.
    pub fn message(self, text: &str, max: usize) -> String {
        self.fitted(text, max, &wrap_line)
    }

    /// The beginning of data. Long lines are cut, with the number of omitted letters and lines.
    pub fn data(self, text: &str, max: usize) -> String {
        self.fitted(text, max, &|line, room| vec![cut_line(line, room, self.language)])
    }

    fn fitted(self, text: &str, max: usize, fit: &dyn Fn(&str, usize) -> Vec<String>) -> String {
        let text = plain_text(text);
        let room = self.width.saturating_sub(self.indent.len()).max(MIN_ROOM);
        let mut shown: Vec<String> = text.lines().take(max).flat_map(|line| fit(line, room)).collect();
        let left_out = text.lines().count().saturating_sub(max);
        if left_out > 0 {
            shown.push(self.language.say(&Said::MoreLines { number: left_out }));
        }
        shown.iter().map(|line| self.indent.to_owned() + line).collect::<Vec<_>>().join("\n")
    }

    /// The first and the last lines of a program's messages to itself.
    pub fn both_ends(self, text: &str, max: usize) -> String {
        let text = plain_text(text);
        let lines: Vec<&str> = text.lines().collect();
        if lines.len() <= max {
            return self.message(&text, max);
        }
        let first = max / 2;
        let last = max - max / 2;
        let left_out = self.language.say(&Said::Lines { number: lines.len() - max });
        [
            self.message(&lines[..first].join("\n"), first),
            format!("{}{left_out}", self.indent),
            self.message(&lines[lines.len() - last..].join("\n"), last),
        ]
        .join("\n")
    }
}

fn plain_text(text: &str) -> String {
    // The width of a tab depends on its column: a line with tabs cannot be fitted to a width.
    without_control_characters(text.trim_end()).replace('\t', "    ")
}

fn cut_line(line: &str, room: usize, language: PageLanguage) -> String {
    if measure_text_width(line) <= room {
        return line.to_owned();
    }
    let all = line.chars().count();
    // Room for the number: it is longest when everything is cut.
    let note = |number: usize| format!(" {}", language.say(&Said::MoreLetters { number }));
    let kept = cut_text(line, room.saturating_sub(note(all).chars().count()) + 1);
    let kept = kept.trim_end_matches('…');
    format!("{kept}{}", note(all - kept.chars().count()))
}

/// Wraps a line, at a space if there is one. Nothing is lost, not even its indent.
pub(super) fn wrap_line(line: &str, room: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while measure_text_width(rest) > room {
        let fits =
            rest.char_indices().map(|(at, _)| at).take_while(|&at| measure_text_width(&rest[..at]) <= room);
        let end = fits.last().filter(|&end| end > 0).unwrap_or(rest.len());
        // Not at a space of the indent: an empty line would come of it.
        let space = rest[..end].rfind(' ').filter(|&at| !rest[..at].trim().is_empty());
        let end = space.map_or(end, |at| at + 1);
        pieces.push(rest[..end].trim_end().to_owned());
        rest = &rest[end..];
    }
    pieces.push(rest.to_owned());
    pieces
}

/// A message with at most this many lines is shown as it is: a reader finds the errors in it.
const EASY: usize = 15;
/// Number of errors shown before the whole message.
const ERRORS: usize = 8;
/// Lines of the page that a message may take: more would push the errors off the screen.
pub(super) const SCREEN: usize = 24;

/// The message, wrapped, on at most `max` lines of the page. In a long one, all lines with errors come first.
pub(super) fn compiler_text(language: PageLanguage, message: &str, width: usize, max: usize) -> String {
    let message = without_control_characters(message);
    let message = without_own_frames(&message);
    let errors = error_lines(message);
    let room = TextRoom { width, indent: "  ", language };
    if message.lines().count() <= EASY || errors.is_empty() {
        return first_lines(message, max, room);
    }
    let first = room.message(&errors.join("\n"), ERRORS);
    let title = language.say(&Said::WholeMessage);
    format!("{first}\n\n{title}\n{}", first_lines(message, max, room))
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
fn first_lines(message: &str, max: usize, room: TextRoom) -> String {
    let shown = |lines: usize| room.message(message, lines);
    // A wrapped line takes at least one of the page.
    let lines = message.lines().count().min(max);
    let fitting = (2..=lines).rev().map(shown).find(|text| text.lines().count() <= max);
    fitting.unwrap_or_else(|| shown(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(width: usize, indent: &str) -> TextRoom<'_> {
        TextRoom { width, indent, language: PageLanguage::English }
    }

    #[test]
    fn a_message_is_wrapped_and_nothing_of_it_is_lost() {
        let text = "    the quick brown fox jumps over the lazy dog\nshort";
        let shown = room(24, "  ").message(text, 9);
        assert_eq!(shown, "      the quick brown\n  fox jumps over the\n  lazy dog\n  short");
        let word = "x".repeat(50);
        let joined: String = room(24, "  ").message(&word, 9).lines().map(str::trim).collect();
        assert_eq!(joined, word);
    }

    #[test]
    fn cut_data_says_by_how_much() {
        let shown = room(40, "    ").data(&format!("{}\n1\n2", "x".repeat(100)), 2);
        let first = shown.lines().next().unwrap();
        let kept = first.matches('x').count();
        assert!(measure_text_width(first) <= 40, "{first}");
        assert!(first.ends_with(&format!(" … {} more", 100 - kept)), "{first}");
        assert!(shown.ends_with("\n    1\n    … 1 more line"), "{shown}");
    }

    #[test]
    fn of_long_messages_both_ends_are_shown() {
        let text: String = (1..=9).map(|n| format!("line {n}\n")).collect();
        assert_eq!(room(80, "").both_ends(&text, 4), "line 1\nline 2\n… 5 lines\nline 8\nline 9");
        assert_eq!(room(80, "").both_ends("a\nb\n", 4), "a\nb");
    }

    #[test]
    fn errors_come_before_pages_of_warnings() {
        let noise: String = (1..30).map(|n| format!("a.cpp:{n}: warning: unused `error_{n}`\n")).collect();
        let message = format!("{noise}a.cpp:31:5: error: expected `;`\n{noise}1 error generated.\n");
        let text = compiler_text(PageLanguage::English, &message, 80, SCREEN);
        assert!(
            text.starts_with("  a.cpp:31:5: error: expected `;`\n\nThe whole message:\n  a.cpp:1:"),
            "{text}"
        );
        assert!(text.contains("more lines"), "{text}");
        let long = format!("{}\n", "a long line ".repeat(30)).repeat(20);
        let narrow = compiler_text(PageLanguage::English, &format!("a.cpp:1: error: no\n{long}"), 60, SCREEN);
        assert!(narrow.lines().count() <= SCREEN + 3 && narrow.contains("more lines"), "{narrow}");
        assert!(!compiler_text(PageLanguage::English, &message, 80, usize::MAX).contains("more lines"));
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
