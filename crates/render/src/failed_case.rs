//! One case in full: how it ended, what differs, and everything that helps to find out why.

use super::{
    excerpts::TextRoom,
    line_diff::{DiffLine, LineOf, diff_lines},
    page::Page,
    phrases::{Tone, case_name, paint, time_of_limit},
};
use console::measure_text_width;
use kopek_base::wording::{one_line, shortened, wrap_text};
use kopek_package::{
    check::Difference,
    package::{Audience, shell_words::quote_words},
    verdict::Verdict,
};
use kopek_plan::plan::{TranscriptPiece, Trial};
use kopek_results::{CaseReport, PackageReport, decision_said, exit_text};
use kopek_sentences::Said;
use std::time::Duration;

/// Lines of a conversation that are shown: its end, where it went wrong.
const TRANSCRIPT_LINES: usize = 24;
/// Lines of an input, an answer and standard error that are shown.
const DATA_LINES: usize = 8;
/// Before the lines of a difference.
const INDENT: &str = "      ";
/// Lines of a validator's message that are shown.
const MESSAGE_LINES: usize = 40;

/// The reader of a case and the page it is shown on.
pub(super) struct CaseView<'a> {
    pub(super) package: &'a PackageReport,
    /// The participant's own.
    pub(super) time_limit: Duration,
    pub(super) audience: Audience,
    pub(super) page: Page,
}

impl CaseView<'_> {
    /// A case that was not accepted, for a reader who sees everything.
    pub(super) fn failed_text(&self, case: &CaseReport, trial: &Trial) -> String {
        let width = self.page.width;
        let verdict = paint(&trial.verdict.to_string(), Tone::Bad, self.page.colour);
        let mut lines = vec![format!("  {}: {verdict}", self.name_of(case))];
        match &case.decided {
            Some(decision) => lines.extend(wrap_text(&decision_said(decision).to_string(), "    ", 6, width)),
            None => {
                lines.push(format!("    {}", self.usage_text(trial)));
                if trial.verdict != Verdict::WrongAnswer {
                    lines.push(format!("    {}", exit_text(&trial.exit)));
                }
            }
        }
        let team = self.team_text(trial);
        if !team.is_empty() {
            lines.push(team);
        }
        if let Some(hint) = &case.hint {
            lines.extend(wrap_text(&format!("hint: {}", one_line(hint)), "    ", 6, width));
        }
        if let Some(difference) = &trial.difference {
            lines.extend(self.difference_line(difference));
            lines.extend(self.surroundings(difference));
        }
        lines.extend(self.case_contents(case, trial));
        lines.join("\n") + "\n"
    }

    /// In the reader's language.
    pub(super) fn say(&self, said: &Said) -> String {
        self.page.language.say(said)
    }

    fn room<'i>(&self, indent: &'i str) -> TextRoom<'i> {
        TextRoom { width: self.page.width, indent, language: self.page.language }
    }

    /// A participant reads the name of the group above.
    pub(super) fn name_of(&self, case: &CaseReport) -> String {
        match self.audience {
            Audience::Teacher => one_line(&case.name),
            Audience::Everyone => case_name(case),
        }
    }

    /// The validator's message to the participant.
    pub(super) fn team_text(&self, trial: &Trial) -> String {
        self.room("    ").message(&trial.team_message, MESSAGE_LINES)
    }

    /// Data of the case, for a reader who may see them and knows the result already.
    pub(super) fn contents_text(&self, case: &CaseReport, trial: &Trial) -> String {
        self.case_contents(case, trial).join("\n")
    }

    /// Standard error of an accepted case, for a reader who may see it.
    pub(super) fn accepted_text(&self, case: &CaseReport, trial: &Trial) -> String {
        if !self.sees_contents(case) {
            return String::new();
        }
        let title = self.say(&Said::WroteOnStderr { case: self.name_of(case) });
        format!("  {title}\n{}\n", self.room("      ").both_ends(&trial.stderr, DATA_LINES / 2))
    }

    /// Whether the reader may see what the case holds.
    pub(super) fn sees_contents(&self, case: &CaseReport) -> bool {
        self.audience == Audience::Teacher || case.full_feedback
    }

    /// All data of the case except the difference. Standard error belongs here: a program can print its input
    /// there.
    fn case_contents(&self, case: &CaseReport, trial: &Trial) -> Vec<String> {
        let room = self.room("      ");
        let mut lines = Vec::new();
        let titled = |title: Said, text: String| {
            (!text.is_empty()).then(|| format!("    {}\n{text}", self.say(&title)))
        };
        lines.extend(titled(Said::JudgeLabel, room.message(&trial.judge_message, MESSAGE_LINES)));
        lines.extend(self.other_inputs(case));
        let input = room.data(case.input.as_deref().unwrap_or_default(), DATA_LINES);
        lines.extend(titled(Said::InputLabel, input));
        lines.extend(self.path_line(case));
        let answer = room.data(case.answer.as_deref().unwrap_or_default(), DATA_LINES);
        lines.extend(titled(Said::ExpectedLabel, answer));
        lines.extend(self.transcript_text(&trial.transcript));
        lines.extend(titled(Said::StderrLabel, room.both_ends(&trial.stderr, 2 * DATA_LINES)));
        let notes = trial.notes.iter().map(|note| self.say(note));
        lines.extend(notes.map(|note| self.room("    ").message(&note, MESSAGE_LINES)));
        lines
    }

    /// Arguments and files of the submission, which are part of its input.
    fn other_inputs(&self, case: &CaseReport) -> Vec<String> {
        let args = quote_words(case.args.iter().map(String::as_str));
        let titled =
            [(Said::ArgumentsLabel, args), (Said::FilesLabel, shortened(&case.files, DATA_LINES, ", "))];
        let given = titled.into_iter().filter(|(_, text)| !text.is_empty());
        given
            .flat_map(|(title, text)| {
                wrap_text(&format!("{} {}", self.say(&title), one_line(&text)), "    ", 6, self.page.width)
            })
            .collect()
    }

    /// Where the whole input is; on a line of its own and whole, to be copied.
    fn path_line(&self, case: &CaseReport) -> Option<String> {
        let path = case.input_path.as_ref().filter(|_| self.audience == Audience::Teacher)?;
        Some(format!("    the input is {}", one_line(&path.to_string_lossy())))
    }

    fn transcript_text(&self, pieces: &[TranscriptPiece]) -> Option<String> {
        let lines: Vec<String> = pieces.iter().flat_map(transcript_lines).collect();
        let (left_out, last) = match lines.len().checked_sub(TRANSCRIPT_LINES) {
            Some(more) if more > 0 => {
                let left_out = self.say(&Said::EarlierLines { number: more });
                (Some(format!("      {left_out}")), &lines[more..])
            }
            Some(_) | None => (None, &lines[..]),
        };
        let text = self.room("      ").data(&last.join("\n"), TRANSCRIPT_LINES);
        let title = Said::Titled { title: self.say(&Said::Conversation) };
        let title = format!("    {}", self.say(&title));
        let parts = [Some(title), left_out, Some(text)];
        (!lines.is_empty()).then(|| parts.into_iter().flatten().collect::<Vec<_>>().join("\n"))
    }

    fn difference_line(&self, difference: &Difference) -> Vec<String> {
        let quoted = |token: &Option<String>| match token {
            Some(token) => format!("`{}`", one_line(token)),
            None => "nothing more".to_owned(),
        };
        let error = difference.error.as_ref().map(|error| format!(" ({error})"));
        let line = format!(
            "line {}, column {}: expected {}, found {}{}",
            difference.line,
            difference.column,
            quoted(&difference.expected),
            quoted(&difference.found),
            error.unwrap_or_default()
        );
        wrap_text(&line, "    ", 6, self.page.width)
    }

    /// The lines around the first difference.
    fn surroundings(&self, difference: &Difference) -> Vec<String> {
        let mut lines = vec![format!("    {}", Said::SignsOfDifference)];
        lines.extend(diff_lines(difference).iter().flat_map(|line| self.marked_line(line)));
        lines
    }

    /// A line with its sign, and `^` below the characters that differ.
    fn marked_line(&self, line: &DiffLine) -> Vec<String> {
        let (sign, tone) = match line.of {
            LineOf::Both => (' ', Tone::Plain),
            LineOf::Answer => ('−', Tone::Good),
            LineOf::Output => ('+', Tone::Bad),
        };
        let mut text = format!("{sign} ");
        let mut marks = "  ".to_owned();
        for piece in &line.pieces {
            let mark = if piece.differs { "^" } else { " " };
            marks += &mark.repeat(measure_text_width(&piece.text));
            text += &piece.text;
        }
        let shown = self.room(INDENT).data(&text, 1);
        // Where a long line is cut, the number of missing characters stands instead.
        let whole = format!("{INDENT}{text}");
        let kept = shown.char_indices().zip(whole.chars()).take_while(|((_, shown), whole)| shown == whole);
        let kept = kept.last().map_or(0, |((at, last), _)| at + last.len_utf8());
        let marks: String = marks.chars().take(measure_text_width(&shown[INDENT.len()..kept])).collect();
        let mut lines = vec![shown];
        if marks.contains('^') {
            lines.push(format!("{INDENT}{}", marks.trim_end()));
        }
        lines.iter().map(|line| paint(line, tone, self.page.colour)).collect()
    }

    fn usage_text(&self, trial: &Trial) -> String {
        let time = time_of_limit(self.time_limit, trial.usage.cpu);
        format!("{time}, {} of {}", trial.usage.memory, self.package.memory_limit)
    }
}

/// A piece of a conversation, line by line, with its time and an arrow.
fn transcript_lines(piece: &TranscriptPiece) -> Vec<String> {
    let time = piece.at().map_or_else(String::new, |at| format!("{:7.3} s ", at.as_secs_f64()));
    piece.lines().into_iter().map(|line| format!("{time}{line}")).collect()
}
