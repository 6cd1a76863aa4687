//! A screen that is overwritten in place, without scrolling or flicker.

use super::terminal_output::print_text;
use crate::base::files::name_of;
use anyhow::Result;
use std::path::Path;

/// Shows results: on a terminal each replaces the last one, else one after the other.
pub(super) struct WatchScreen {
    terminal: Option<console::Term>,
    name: String,
    is_drawn: bool,
}

/// Moves to the first column of the first line.
const HOME: &str = "\x1b[H";
const CLEAR_LINE: &str = "\x1b[K";
const CLEAR_BELOW: &str = "\x1b[J";

impl WatchScreen {
    pub(super) fn new(solution: &Path) -> WatchScreen {
        let terminal = Some(console::Term::stdout()).filter(console::Term::is_term);
        WatchScreen { terminal, name: name_of(solution), is_drawn: false }
    }

    /// Begins a run; the old result stays visible until the next one.
    pub(super) fn begin(&self) -> Result<()> {
        match (&self.terminal, self.is_drawn) {
            (Some(_), true) => print_text(&format!("{HOME}running {} …{CLEAR_LINE}", self.name)),
            (Some(_), false) | (None, _) => Ok(()),
        }
    }

    /// Shows the result of a run.
    pub(super) fn show(&mut self, text: &str) -> Result<()> {
        let end = format!("watching {}; Ctrl-C ends", self.name);
        let Some(terminal) = &self.terminal else {
            return print_text(&format!("{text}--- {end}\n"));
        };
        // The first result clears the screen.
        let first = if self.is_drawn { "" } else { "\x1b[2J" };
        self.is_drawn = true;
        let rows = usize::from(terminal.size().0).max(4);
        print_text(&format!("{first}{}", screen_text(text, &end, rows)))
    }

    /// Moves to the last line, so that the shell continues below the result.
    pub(super) fn end(&self) -> Result<()> {
        if self.terminal.is_some() { print_text("\n") } else { Ok(()) }
    }
}

/// At most one line per row, each cleared after its end.
fn screen_text(text: &str, end: &str, rows: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let max = rows.saturating_sub(3);
    let mut shown: Vec<String> = lines.iter().take(max).map(|line| (*line).to_owned()).collect();
    if lines.len() > max {
        shown.push(format!("… {} more lines; a larger window shows them", lines.len() - max));
    }
    shown.push(String::new());
    let body: String = shown.iter().map(|line| format!("{line}{CLEAR_LINE}\r\n")).collect();
    format!("{HOME}{body}{end}{CLEAR_LINE}{CLEAR_BELOW}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_is_too_long_keeps_the_screen_from_scrolling() {
        let text: String = (1..=50).map(|n| format!("line {n}\n")).collect();
        let drawn = screen_text(&text, "end", 10);
        assert_eq!(drawn.matches("\r\n").count(), 9, "{drawn:?}");
        assert!(drawn.contains("… 43 more lines") && drawn.starts_with(HOME) && drawn.ends_with(CLEAR_BELOW));
        assert!(!screen_text("one\n", "end", 10).contains('…'));
    }
}
