//! Counts with words, short lists and wrapped lines, equal in all messages.

use std::time::Duration;

/// `1 case`, `2 cases`.
pub fn counted(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// Escapes a text for HTML or XML, including attributes.
pub fn escape_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// With U+FFFD for the characters that XML does not know, escaped or not.
pub fn xml_characters(text: &str) -> String {
    let is_foreign =
        |c: char| (c < ' ' && !matches!(c, '\n' | '\r' | '\t')) || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if is_foreign(c) { '\u{fffd}' } else { c }).collect()
}

/// The first items and the number of others: `a, b and 3 more` with the separator `, `. Items with commas are joined by `; `.
pub fn shortened(items: &[String], max: usize, separator: &str) -> String {
    let first = &items[..items.len().min(max)];
    let has_commas = separator == ", " && first.iter().any(|item| item.contains(", "));
    let first = first.join(if has_commas { "; " } else { separator });
    match items.len().saturating_sub(max) {
        0 => first,
        // No comma before the `and` in a sentence.
        more if separator == ", " => format!("{first} and {more} more"),
        more => format!("{first}{separator}and {more} more"),
    }
}

/// A phrase with the position of the first Windows line end in a text; empty if there is none.
pub fn windows_line_end(text: &[u8]) -> String {
    match text.windows(2).position(|pair| pair == b"\r\n") {
        Some(at) => format!("; byte {} is \\r (Windows line end)", at + 1),
        None => String::new(),
    }
}

/// Wraps a text at its spaces into lines of at most this width; a longer word gets its own line. The first
/// line begins with `head`, the others with `indent` spaces.
pub fn wrap_text(text: &str, head: &str, indent: usize, width: usize) -> Vec<String> {
    let (mut lines, mut line, mut is_empty) = (Vec::new(), head.to_owned(), true);
    for word in words_with_units(text) {
        let longer = columns(&line) + 1 + columns(&word);
        if !is_empty && longer > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
        } else if !is_empty {
            line.push(' ');
        }
        line.push_str(&word);
        is_empty = false;
    }
    lines.push(line);
    lines
}

/// As [`wrap_text`], with later lines aligned to the text of the first.
pub fn wrap_behind(head: &str, text: &str, width: usize) -> Vec<String> {
    wrap_text(text, head, columns(head), width)
}

/// The words of a text; the unit `s` stays with its number.
fn words_with_units(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(number) if word.trim_end_matches([')', ',', ';']) == "s" => {
                number.push(' ');
                number.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// The number of terminal columns: some letters take two, combining marks none.
fn columns(text: &str) -> usize {
    console::measure_text_width(text)
}

/// Cut to a width with `…`.
pub fn cut_text(text: &str, width: usize) -> String {
    console::truncate_str(text, width, "…").into_owned()
}

/// Without what could play tricks on a terminal: control characters and changes of direction.
pub fn without_control_characters(text: &str) -> String {
    // Participants choose names and print what they like: neither may move the cursor, set colours or
    // turn the direction of writing.
    let is_control = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.replace("\r\n", "\n").chars().map(|c| if is_control(c) { '\u{fffd}' } else { c }).collect()
}

/// As [`without_control_characters`], and on one line.
pub fn one_line(text: &str) -> String {
    without_control_characters(text).replace(['\n', '\t'], " ")
}

/// What a program printed is shown up to this length.
pub const SHORT_LINE: usize = 200;

/// One line of bounded length, without control characters.
pub fn short_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let clean: String = line.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    match clean.char_indices().nth(SHORT_LINE) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean,
    }
}

/// `1 s`, `1.5 s`.
pub fn limit_text(time: Duration) -> String {
    format!("{} s", short_seconds(time))
}

/// `2 days 3 hours`.
pub fn span_text(time: Duration) -> String {
    let mut rest = time.as_secs();
    let mut parts = Vec::new();
    for (unit, seconds) in [("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)] {
        let number = usize::try_from(rest / seconds).unwrap_or(usize::MAX);
        rest %= seconds;
        if number > 0 {
            parts.push(counted(number, unit));
        }
    }
    if parts.is_empty() { counted(0, "second") } else { parts.join(" ") }
}

/// `1`, `1.5`.
pub fn short_seconds(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tricks_on_the_terminal_are_undone() {
        assert_eq!(one_line("a\x1b[31mb\nc\u{202e}d"), "a\u{fffd}[31mb c\u{fffd}d");
    }

    #[test]
    fn limits_are_short() {
        assert_eq!(limit_text(Duration::from_millis(1500)), "1.5 s");
        assert_eq!(limit_text(Duration::from_secs(20)), "20 s");
    }

    #[test]
    fn a_span_has_the_units_that_it_needs() {
        assert_eq!(span_text(Duration::from_secs(2 * 86_400 + 3 * 3600)), "2 days 3 hours");
        assert_eq!(span_text(Duration::from_secs(61)), "1 minute 1 second");
        assert_eq!(span_text(Duration::ZERO), "0 seconds");
    }

    #[test]
    fn text_is_broken_at_spaces_and_indented() {
        assert_eq!(wrap_text("one two three four", "", 2, 9), ["one two", "  three", "  four"]);
        assert_eq!(wrap_text("averyveryverylongword x", "", 1, 5), ["averyveryverylongword", " x"]);
        assert_eq!(wrap_text("", "", 2, 9), [""]);
        assert_eq!(wrap_behind("1. ", "took 0.31 s; or more", 13), ["1. took", "   0.31 s; or", "   more"]);
    }

    #[test]
    fn lists_are_shortened() {
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(shortened(&items, 3, ", "), "a, b, c");
        assert_eq!(shortened(&items, 2, ", "), "a, b and 1 more");
        assert_eq!(shortened(&items, 1, "\n"), "a\nand 2 more");
    }
}
