//! Small texts that all formats for people are made of.

use super::{Colour, GroupHead, Kind};
use crate::{
    points::Points,
    sandbox::{Exit, Limit},
    score::{GroupScore, State},
    verdict::Verdict,
};
use std::time::Duration;

/// How something is meant, for colouring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Good,
    Bad,
    Unsure,
    Strong,
}

/// Colours a text, if colours can be seen.
pub fn paint(text: &str, tone: Tone, colour: Colour) -> String {
    let style = console::Style::new().force_styling(true);
    match (colour, tone) {
        (Colour::Plain, _) | (_, Tone::Plain) => text.to_owned(),
        (_, Tone::Good) => style.green().apply_to(text).to_string(),
        (_, Tone::Bad) => style.red().apply_to(text).to_string(),
        (_, Tone::Unsure) => style.yellow().apply_to(text).to_string(),
        (_, Tone::Strong) => style.bold().apply_to(text).to_string(),
    }
}

/// How a state is meant.
pub fn tone(state: &State) -> Tone {
    match state {
        State::Decided(Verdict::Accepted) => Tone::Good,
        State::Decided(_) => Tone::Bad,
        State::Requires(_) => Tone::Plain,
        State::Unknown(_) => Tone::Unsure,
    }
}

/// Two or three letters for a state.
pub fn short(state: &State) -> &'static str {
    match state {
        State::Decided(verdict) => verdict.short(),
        State::Requires(_) => "–",
        State::Unknown(_) => "?",
    }
}

/// A state in words.
pub fn long(state: &State) -> String {
    match state {
        State::Decided(verdict) => verdict.to_string(),
        State::Requires(group) => format!("not run: needs {group}"),
        State::Unknown(0) => "not judged".to_owned(),
        State::Unknown(trials) => format!("not judged: {} missing", counted(*trials, "trial")),
    }
}

/// `1 case`, `2 cases`.
pub fn counted(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// A group in a table: `20 AC`, `0 WA`, `AC`, `?`.
pub fn cell(group: &GroupScore, kind: Kind) -> String {
    let verdict = short(&group.state);
    match (&group.points, kind) {
        (Some(points), Kind::Scoring) if gives_points(&group.name, group.max.as_ref()) => {
            format!("{points} {verdict}")
        }
        _ => verdict.to_owned(),
    }
}

/// Samples give no points.
pub fn gives_points(name: &str, max: Option<&Points>) -> bool {
    name != "sample" && !max.is_some_and(Points::is_zero)
}

/// `60`, or `?`.
pub fn points(points: Option<&Points>) -> String {
    points.map_or("?".to_owned(), ToString::to_string)
}

/// `60/100`, `60` if there is no greatest score, `?` if it is not known.
pub fn total(got: Option<&Points>, max: Option<&Points>) -> String {
    match max {
        Some(max) => format!("{}/{max}", points(got)),
        None => points(got),
    }
}

/// What tells a group from the others: `secret/1` is `1`.
pub fn group_title(group: &GroupHead) -> String {
    one_line(group.name.strip_prefix("secret/").unwrap_or(&group.name))
}

/// `1 s`, `1.5 s`.
pub fn limit(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// `0.31 s`, `12.3 s`.
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 9.995 { format!("{seconds:.2} s") } else { format!("{seconds:.1} s") }
}

/// How a program ended.
pub fn ending(exit: &Exit) -> String {
    match exit {
        Exit::Code(0) => "ended well".to_owned(),
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(number) => match signal(*number) {
            Some((name, meaning)) => format!("killed by {name} ({meaning})"),
            None => format!("killed by signal {number}"),
        },
        Exit::Exceeded(limit) => format!("stopped: {}", exceeded(*limit)),
    }
}

fn exceeded(limit: Limit) -> &'static str {
    match limit {
        Limit::Cpu => "CPU time",
        Limit::Wall => "idle for too long",
        Limit::Memory => "memory",
        Limit::Output => "too much output",
        Limit::Files => "too much written to files",
        Limit::Processes => "too many processes",
    }
}

/// Signals a program dies of, and what they mean for its author.
const SIGNALS: [(i32, &str, &str); 10] = [
    (4, "SIGILL", "impossible instruction"),
    (6, "SIGABRT", "it gave up: an assertion or an uncaught exception"),
    (7, "SIGBUS", "memory that is not there"),
    (8, "SIGFPE", "division by zero"),
    (9, "SIGKILL", "killed"),
    (11, "SIGSEGV", "memory that is not its own, or the stack is full"),
    (13, "SIGPIPE", "nobody listened any more"),
    (15, "SIGTERM", "ended"),
    (25, "SIGXFSZ", "too large a file"),
    (31, "SIGSYS", "a forbidden system call"),
];

fn signal(number: i32) -> Option<(&'static str, &'static str)> {
    SIGNALS.iter().find(|(n, ..)| *n == number).map(|(_, name, meaning)| (*name, *meaning))
}

/// Without what could play tricks on a terminal: control characters and changes of direction.
pub fn harmless(text: &str) -> String {
    let trick = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.replace("\r\n", "\n").chars().map(|c| if trick(c) { '\u{fffd}' } else { c }).collect()
}

/// Harmless, and on one line.
pub fn one_line(text: &str) -> String {
    harmless(text).replace(['\n', '\t'], " ")
}

/// Cut to a width with `…`.
pub fn cut(text: &str, width: usize) -> String {
    console::truncate_str(text, width, "…").into_owned()
}

/// Breaks a text at spaces, but not between a number and its `s`; lines after the
/// first start with `indent` spaces.
pub fn wrap(text: &str, width: usize, indent: usize) -> String {
    let (mut lines, mut line, mut begun) = (Vec::new(), String::new(), false);
    for word in glued(text) {
        let longer = console::measure_text_width(&line) + 1 + console::measure_text_width(&word);
        if begun && longer > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
        } else if begun {
            line.push(' ');
        }
        line.push_str(&word);
        begun = true;
    }
    lines.push(line);
    lines.join("\n")
}

/// The words of a text; a unit stays with its number.
fn glued(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
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

/// The first lines of a text, cut to a width and indented; says how much was left out.
pub fn excerpt(text: &str, lines: usize, width: usize, indent: &str) -> String {
    let text = harmless(text.trim_end()).replace('\t', "    ");
    let all: Vec<&str> = text.lines().collect();
    let room = width.saturating_sub(indent.len()).max(20);
    let mut shown: Vec<String> =
        all.iter().take(lines).map(|line| format!("{indent}{}", cut(line, room))).collect();
    if all.len() > lines {
        shown.push(format!("{indent}… {} more lines", all.len() - lines));
    }
    shown.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_spaces_and_indented() {
        assert_eq!(wrap("one two three four", 9, 2), "one two\n  three\n  four");
        assert_eq!(wrap("averyveryverylongword x", 5, 1), "averyveryverylongword\n x");
        assert_eq!(wrap("", 9, 2), "");
    }

    #[test]
    fn tricks_on_the_terminal_are_undone() {
        assert_eq!(one_line("a\x1b[31mb\nc\u{202e}d"), "a\u{fffd}[31mb c\u{fffd}d");
    }

    #[test]
    fn times_are_short() {
        let shown = [(0, "0.00 s"), (310, "0.31 s"), (9_999, "10.0 s"), (12_345, "12.3 s")];
        for (ms, text) in shown {
            assert_eq!(seconds(Duration::from_millis(ms)), text);
        }
        assert_eq!(limit(Duration::from_millis(1500)), "1.5 s");
        assert_eq!(limit(Duration::from_secs(20)), "20 s");
    }
}
