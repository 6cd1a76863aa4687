//! What a person sees of a conversation while it goes on.

use super::terminal_output::print_text;
use crate::{report, sandbox::Speaker};
use std::io::IsTerminal;

/// `<` is what the judge says and `>` what the submission says, as in the samples of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TalkSide {
    Judge,
    Submission,
}

/// Lines with an arrow each.
pub(super) struct TalkView {
    /// The side of the program.
    program: TalkSide,
    /// The terminal shows what is typed.
    is_echoed: bool,
    /// Whose line is not ended yet.
    unfinished: Option<Speaker>,
    /// The beginning of a letter whose other bytes are still to come.
    halves: [Vec<u8>; 2],
    /// Standard output was closed, or is full.
    pub(super) trouble: Option<anyhow::Error>,
}

impl TalkView {
    pub(super) fn new(program: TalkSide) -> TalkView {
        let is_echoed = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        TalkView { program, is_echoed, unfinished: None, halves: Default::default(), trouble: None }
    }

    /// Shows a piece at once.
    pub(super) fn show(&mut self, speaker: Speaker, bytes: &[u8]) {
        if speaker == Speaker::Person && self.is_echoed {
            // Enter began a new line on the terminal.
            self.unfinished = None;
            return;
        }
        let half = &mut self.halves[speaker as usize];
        half.extend_from_slice(bytes);
        let whole = whole_letters(half);
        let text = String::from_utf8_lossy(&half[..whole]).into_owned();
        half.drain(..whole);
        let text = self.with_arrows(speaker, &report::visible_text(&text));
        if let Err(error) = print_text(&text) {
            self.trouble.get_or_insert(error);
        }
    }

    /// Ends a line that nobody ended.
    pub(super) fn close(&mut self) {
        if self.unfinished.take().is_some()
            && let Err(error) = print_text("\n")
        {
            self.trouble.get_or_insert(error);
        }
    }

    fn with_arrows(&mut self, speaker: Speaker, text: &str) -> String {
        let by_judge = (speaker == Speaker::Program) == (self.program == TalkSide::Judge);
        let arrow = if by_judge { "< " } else { "> " };
        let mut shown = String::new();
        for line in text.split_inclusive('\n') {
            match self.unfinished {
                Some(who) if who == speaker => {}
                Some(_) => shown += &format!("\n{arrow}"),
                None => shown += arrow,
            }
            shown += line;
            self.unfinished = (!line.ends_with('\n')).then_some(speaker);
        }
        shown
    }
}

/// How many of these bytes can be shown: not the beginning of a letter at their end.
fn whole_letters(bytes: &[u8]) -> usize {
    const LONGEST_LETTER: usize = 4;
    let start = bytes.len().saturating_sub(LONGEST_LETTER - 1);
    let last_begins = |at: &usize| bytes[*at] >= 0xC0;
    let Some(at) = (start..bytes.len()).rev().find(last_begins) else { return bytes.len() };
    let is_half = std::str::from_utf8(&bytes[at..]).is_err_and(|error| error.error_len().is_none());
    if is_half { at } else { bytes.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_arrows_however_they_come() {
        let mut view = TalkView::new(TalkSide::Submission);
        let mut all = String::new();
        for (speaker, text) in [
            (Speaker::Program, "? 5"),
            (Speaker::Program, "0\n? "),
            (Speaker::Person, "less\nmo"),
            (Speaker::Person, "re\n"),
            (Speaker::Program, "!"),
        ] {
            all += &view.with_arrows(speaker, text);
        }
        assert_eq!(all, "> ? 50\n> ? \n< less\n< more\n> !");
    }

    #[test]
    fn a_letter_in_two_pieces_waits_for_its_rest() {
        let euro = "€".as_bytes();
        assert_eq!(whole_letters(b"ab"), 2);
        assert_eq!(whole_letters(&[b"ab", &euro[..2]].concat()), 2);
        assert_eq!(whole_letters(&[b"ab", euro].concat()), 5);
        assert_eq!(whole_letters(b"ab\xff"), 3, "what is no letter is not waited for");
    }
}
