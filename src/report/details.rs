//! One participant, case by case: what went wrong, and where first.

use super::{
    page::{Colour, Page},
    phrases::{
        Tone, cut_text, excerpt_lines, exit_text, gives_points, limit_text, long_state, one_line, paint,
        points_text, seconds_text, tone_of_state,
    },
    remarks::{Audience, row_remarks},
    results::{CaseReport, GroupHead, PackageReport, ResultKind, RowReport},
};
use crate::{
    base::wording::{counted, wrap_behind, wrap_text},
    check::Difference,
    plan::{TranscriptPiece, Trial},
    verdict::Verdict,
};
use std::time::Duration;

/// So many failing cases of a group are shown whole.
const WHOLE_CASES: usize = 3;
/// So many more of them are listed by name.
const LISTED_CASES: usize = 20;
/// So many lines of a conversation are shown: its end, where it went wrong.
const TRANSCRIPT_LINES: usize = 24;

/// Samples first, then groups; every failing case with its first difference.
pub fn render_details(package: &PackageReport, row: &RowReport, audience: Audience, page: Page) -> String {
    let page = page.usable();
    let mut text = title_and_result(package, row, page);
    if !row.compile_message.trim().is_empty() {
        text.push_str("\nThe compiler says:\n");
        text.push_str(&excerpt_lines(&row.compile_message, 40, page.width, "  "));
        text.push('\n');
    }
    let details = DetailsPage { package, row, audience, page };
    let mut groups: Vec<&GroupHead> = package.groups.iter().collect();
    // People look at the samples first. The sort is stable: the others stay in judging order.
    groups.sort_by_key(|group| group.name != "sample");
    for group in groups {
        text.push('\n');
        text.push_str(&details.group_text(group));
    }
    let remarks = row_remarks(row, audience);
    if !remarks.is_empty() {
        text.push('\n');
    }
    for remark in remarks {
        text.push_str(&wrap_behind("*  ", &remark, page.width).join("\n"));
        text.push('\n');
    }
    text
}

fn title_and_result(package: &PackageReport, row: &RowReport, page: Page) -> String {
    let card = &row.card;
    let language = row.language.as_deref().map(|code| format!(" ({})", one_line(code))).unwrap_or_default();
    let title = format!("{}{language} on {}", one_line(&row.file), one_line(&package.name));
    let worth = match (package.kind, &card.max) {
        (ResultKind::PassFail, _) => String::new(),
        (ResultKind::Scoring, Some(max)) => {
            format!("{} of {max} points, ", points_text(row.worth().as_ref()))
        }
        (ResultKind::Scoring, None) => format!("{} points, ", points_text(row.worth().as_ref())),
    };
    let result =
        paint(&format!("{worth}{}", long_state(&card.state)), tone_of_state(&card.state), page.colour);
    format!("{}\n{result}\n", cut_text(&title, page.width))
}

/// What is the same for all groups of the page.
struct DetailsPage<'a> {
    package: &'a PackageReport,
    row: &'a RowReport,
    audience: Audience,
    page: Page,
}

impl DetailsPage<'_> {
    fn group_text(&self, head: &GroupHead) -> String {
        let cases: Vec<(&CaseReport, &Trial)> = self
            .row
            .cases
            .iter()
            .filter(|case| case.group == head.name)
            .filter_map(|case| Some((case, case.trial.as_ref()?)))
            .collect();
        let (right, wrong): (Vec<_>, Vec<_>) =
            cases.iter().partition(|(_, trial)| trial.verdict == Verdict::Accepted);
        let mut text = self.group_head(head);
        if let Some(slowest) = right.iter().map(|(_, trial)| trial.usage.cpu).max() {
            text.push_str(&format!(
                "  {} right, slowest {}\n",
                counted(right.len(), "case"),
                self.time_of_limit(slowest)
            ));
        }
        for (case, trial) in wrong.iter().take(WHOLE_CASES) {
            text.push_str(&self.case_text(case, trial));
        }
        text.push_str(&self.other_cases(wrong.get(WHOLE_CASES..).unwrap_or_default()));
        let missing = self.row.cases.iter().filter(|c| c.group == head.name).count() - cases.len();
        if missing > 0 && !cases.is_empty() {
            text.push_str(&format!("  {} not run\n", counted(missing, "case")));
        }
        text
    }

    /// Names and verdicts of the failing cases that are not shown whole.
    fn other_cases(&self, cases: &[(&CaseReport, &Trial)]) -> String {
        if cases.is_empty() {
            return String::new();
        }
        let names = cases.iter().take(LISTED_CASES);
        let names = names.map(|(case, trial)| format!("{} {}", one_line(&case.name), trial.verdict.short()));
        let dots = if cases.len() > LISTED_CASES { ", …" } else { "" };
        let line = format!("and {} more: {}{dots}", cases.len(), names.collect::<Vec<_>>().join(", "));
        wrap_text(&line, "  ", 4, self.page.width).join("\n") + "\n"
    }

    fn group_head(&self, head: &GroupHead) -> String {
        let name = paint(&one_line(&head.name), Tone::Strong, self.page.colour);
        let Some(score) = self.row.card.groups.iter().find(|group| group.name == head.name) else {
            return format!("{name}\n");
        };
        let scored = self.package.kind == ResultKind::Scoring && gives_points(&head.name, score.max.as_ref());
        let worth = match (&score.points, &score.max) {
            (Some(got), Some(max)) if scored => format!("{got} of {max} points, "),
            (Some(got), None) if scored => format!("{got} points, "),
            _ => String::new(),
        };
        let state = long_state(&score.state);
        format!("{name}: {worth}{}\n", paint(&state, tone_of_state(&score.state), self.page.colour))
    }

    fn case_text(&self, case: &CaseReport, trial: &Trial) -> String {
        let verdict = paint(&trial.verdict.to_string(), Tone::Bad, self.page.colour);
        let mut lines = vec![format!("  {}: {verdict}", one_line(&case.name))];
        lines.push(format!("    {}", self.usage_text(trial)));
        if trial.verdict != Verdict::WrongAnswer {
            lines.push(format!("    {}", exit_text(&trial.exit)));
        }
        let team = excerpt_lines(&trial.team_message, 8, self.page.width, "    ");
        lines.extend((!team.is_empty()).then_some(team));
        if let Some(hint) = &case.hint {
            lines.extend(wrap_text(&format!("hint: {}", one_line(hint)), "    ", 6, self.page.width));
        }
        if self.audience == Audience::Judge || case.full_feedback {
            lines.extend(self.case_contents(case, trial));
        }
        lines.join("\n") + "\n"
    }

    /// Everything that shows something of the input, the answer or the output. Standard error belongs
    /// here: a program can print its input there.
    fn case_contents(&self, case: &CaseReport, trial: &Trial) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(difference) = &trial.difference {
            lines.extend(self.difference_lines(difference));
        }
        let parts = [
            ("judge", Some(trial.judge_message.as_str())),
            ("input", case.input.as_deref()),
            ("expected output", case.answer.as_deref()),
        ];
        for (title, text) in parts {
            let excerpt = excerpt_lines(text.unwrap_or_default(), 8, self.page.width, "      ");
            if !excerpt.is_empty() {
                lines.push(format!("    {title}:\n{excerpt}"));
            }
        }
        lines.extend(self.transcript_text(&trial.transcript));
        for note in trial.notes.iter().filter(|note| !note.trim().is_empty()) {
            lines.push(excerpt_lines(note, 8, self.page.width, "    "));
        }
        lines
    }

    /// `<` is output of the judge and `>` of the submission, as in the samples of the statement.
    fn transcript_text(&self, pieces: &[TranscriptPiece]) -> Option<String> {
        let lines: Vec<String> = pieces.iter().flat_map(transcript_lines).collect();
        let (left_out, last) = match lines.len().checked_sub(TRANSCRIPT_LINES) {
            Some(more) if more > 0 => {
                (Some(format!("      … {}", counted(more, "earlier line"))), &lines[more..])
            }
            Some(_) | None => (None, &lines[..]),
        };
        let text = excerpt_lines(&last.join("\n"), TRANSCRIPT_LINES, self.page.width, "      ");
        let title = "    conversation (< judge, > submission):".to_owned();
        let parts = [Some(title), left_out, Some(text)];
        (!lines.is_empty()).then(|| parts.into_iter().flatten().collect::<Vec<_>>().join("\n"))
    }

    fn difference_lines(&self, difference: &Difference) -> Vec<String> {
        let quoted = |token: &Option<String>| match token {
            Some(token) => format!("`{}`", cut_text(&one_line(token), 60)),
            None => "nothing more".to_owned(),
        };
        let error = difference.error.as_ref().map(|error| format!(" ({})", one_line(error)));
        let line = format!(
            "line {}, column {}: expected {}, found {}{}",
            difference.line,
            difference.column,
            quoted(&difference.expected),
            quoted(&difference.found),
            error.unwrap_or_default()
        );
        let around = excerpt_lines(&difference.around, 12, self.page.width, "      ");
        let mut lines = wrap_text(&line, "    ", 6, self.page.width);
        lines.extend((!around.is_empty()).then(|| self.coloured_diff(&around)));
        lines
    }

    fn coloured_diff(&self, around: &str) -> String {
        let paint_line = |line: &str| match line.trim_start().chars().next() {
            Some('-') => paint(line, Tone::Good, self.page.colour),
            Some('+') => paint(line, Tone::Bad, self.page.colour),
            _ => line.to_owned(),
        };
        if self.page.colour == Colour::Plain {
            return around.to_owned();
        }
        around.lines().map(paint_line).collect::<Vec<_>>().join("\n")
    }

    fn usage_text(&self, trial: &Trial) -> String {
        format!(
            "{}, {} of {}",
            self.time_of_limit(trial.usage.cpu),
            trial.usage.memory,
            self.package.memory_limit
        )
    }

    fn time_of_limit(&self, time: Duration) -> String {
        format!("{} of {}", seconds_text(time), limit_text(self.package.time_limit))
    }
}

/// A piece of a conversation, line by line, with its time and an arrow.
fn transcript_lines(piece: &TranscriptPiece) -> Vec<String> {
    let (at, arrow, text) = match piece {
        TranscriptPiece::Judge { at, text } => (at, '<', text),
        TranscriptPiece::Submission { at, text } => (at, '>', text),
        TranscriptPiece::Pass(number) => return vec![format!("--- pass {number}")],
        TranscriptPiece::Cut => return vec!["…".into()],
    };
    text.lines().map(|line| format!("{:7.3} s {arrow} {line}", at.as_secs_f64())).collect()
}
