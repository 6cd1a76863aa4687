//! The lines around a wrong place of an output: those of the answer and of the output, with the characters
//! that differ.

use kopek_package::check::Difference;
use similar::{ChangeTag, InlineChangeMode, InlineChangeOptions, TextDiff, WhitespaceMode};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineOf {
    Both,
    Answer,
    Output,
}

/// A line of the difference.
pub(super) struct DiffLine {
    pub(super) of: LineOf,
    pub(super) pieces: Vec<DiffPiece>,
}

/// A part of a line.
pub(super) struct DiffPiece {
    pub(super) text: String,
    /// Whether the other side has no such characters here. False in lines that have hardly anything in common
    /// with the other side.
    pub(super) differs: bool,
}

/// Compares the lines around a difference. They are a few short ones, so no deadline is needed, and equal
/// reports stay equal on a busy machine.
pub(super) fn diff_lines(difference: &Difference) -> Vec<DiffLine> {
    let Difference { answer_lines, output_lines, .. } = difference;
    // White space that matters is named by other characters.
    let mode = WhitespaceMode::IgnoreChanges;
    let diff =
        TextDiff::configure().whitespace_mode(mode).diff_lines(answer_lines.as_str(), output_lines.as_str());
    let mut characters = InlineChangeOptions::new();
    characters.mode(InlineChangeMode::Chars).semantic_cleanup(true);
    let mut lines = Vec::new();
    for change in diff.iter_all_inline_changes_with_options_deadline(characters, None) {
        let of = match change.tag() {
            ChangeTag::Equal => LineOf::Both,
            ChangeTag::Delete => LineOf::Answer,
            ChangeTag::Insert => LineOf::Output,
        };
        let pieces = change.values().iter().map(|&(differs, text)| {
            let text = text.trim_end_matches('\n').to_owned();
            DiffPiece { text, differs }
        });
        lines.push(DiffLine { of, pieces: pieces.collect() });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line with its sign; differing characters in brackets.
    fn marked(answer: &str, output: &str) -> Vec<String> {
        let [answer_lines, output_lines] = [answer, output].map(String::from);
        let difference = Difference { answer_lines, output_lines, ..Difference::default() };
        let line = |line: DiffLine| {
            let sign = match line.of {
                LineOf::Both => ' ',
                LineOf::Answer => '-',
                LineOf::Output => '+',
            };
            let piece = |piece: &DiffPiece| {
                if piece.differs { format!("[{}]", piece.text) } else { piece.text.clone() }
            };
            format!("{sign}{}", line.pieces.iter().map(piece).collect::<String>())
        };
        diff_lines(&difference).into_iter().map(line).collect()
    }

    #[test]
    fn both_lines_are_shown_and_the_characters_that_differ_are_marked() {
        let cases: [(&str, &str, &[&str]); 5] = [
            ("3 5\n", "35\n", &["-3[ ]5", "+35"]),
            ("1 2\n3 4\n5\n", "1  2\n\n3  7\n5\n", &[" 1  2", "-3 [4]", "+", "+3 [ 7]", " 5"]),
            ("a↵\n", "a\n", &["-a[↵]", "+a"]),
            ("YES\n", "no\n", &["-YES", "+no"]),
            ("1\n", "1\n2\n", &[" 1", "+2"]),
        ];
        for (answer, output, lines) in cases {
            assert_eq!(marked(answer, output), lines, "{answer:?} {output:?}");
        }
    }
}
