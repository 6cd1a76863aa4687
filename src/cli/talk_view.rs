//! Live view of a conversation: `<` marks lines of the judge and `>` lines of the user, as in samples of statements.

use super::terminal_output::print_text;
use crate::{render, sandbox::Speaker};
use std::io::IsTerminal;

/// Shows lines with an arrow each.
pub(super) struct TalkView {
    /// Whether the terminal echoes typed text.
    is_echoed: bool,
    /// The speaker of the current unfinished line.
    unfinished: Option<Speaker>,
    /// The first bytes of an incomplete character, per speaker.
    halves: [Vec<u8>; 2],
    /// The error if standard output is closed or full.
    pub(super) trouble: Option<anyhow::Error>,
}

impl TalkView {
    pub(super) fn new() -> TalkView {
        let is_echoed = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        TalkView { is_echoed, unfinished: None, halves: Default::default(), trouble: None }
    }

    /// Shows bytes immediately.
    pub(super) fn show(&mut self, speaker: Speaker, bytes: &[u8]) {
        if speaker == Speaker::Person && self.is_echoed {
            // The Enter key started a new line on the terminal.
            self.unfinished = None;
            return;
        }
        let half = &mut self.halves[speaker as usize];
        half.extend_from_slice(bytes);
        let whole = whole_letters(half);
        let text = String::from_utf8_lossy(&half[..whole]).into_owned();
        half.drain(..whole);
        let text = self.with_arrows(speaker, &render::visible_text(&text));
        if let Err(error) = print_text(&text) {
            self.trouble.get_or_insert(error);
        }
    }

    /// Ends an unfinished line.
    pub(super) fn close(&mut self) {
        if self.unfinished.take().is_some()
            && let Err(error) = print_text("\n")
        {
            self.trouble.get_or_insert(error);
        }
    }

    fn with_arrows(&mut self, speaker: Speaker, text: &str) -> String {
        let arrow = match speaker {
            Speaker::Program => "< ",
            Speaker::Person => "> ",
        };
        let mut shown = String::new();
        for line in text.split_inclusive('\n') {
            match self.unfinished {
                Some(who) if who == speaker => {}
                Some(_) => shown += &format!("\n{arrow}"),
                None => shown += arrow,
            }
            shown += line;
            self.unfinished = if line.ends_with('\n') { None } else { Some(speaker) };
        }
        shown
    }
}

/// The length without an incomplete character at the end.
fn whole_letters(bytes: &[u8]) -> usize {
    const MAX_LETTER: usize = 4;
    let start = bytes.len().saturating_sub(MAX_LETTER - 1);
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
        let mut view = TalkView::new();
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
        assert_eq!(all, "< ? 50\n< ? \n> less\n> more\n< !");
    }

    #[test]
    fn a_letter_in_two_pieces_waits_for_its_rest() {
        let euro = "€".as_bytes();
        assert_eq!(whole_letters(b"ab"), 2);
        assert_eq!(whole_letters(&[b"ab", &euro[..2]].concat()), 2);
        assert_eq!(whole_letters(&[b"ab", euro].concat()), 5);
        assert_eq!(whole_letters(b"ab\xff"), 3, "an odd byte is shown at once");
    }
}
