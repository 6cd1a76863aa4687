//! One participant, case by case: what went wrong, and where first.

use super::{
    CaseReport, Colour, GroupHead, Kind, PackageReport, Page, RowReport,
    remarks::remarks,
    words::{
        Tone, counted, cut, ending, excerpt, gives_points, limit, long, one_line, paint, points, seconds,
        tone, wrap,
    },
};
use crate::{
    check::Difference,
    plan::{Said, Trial},
    verdict::Verdict,
};
use std::time::Duration;

/// Who will read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// May see everything.
    Judge,
    /// May see the contents of those cases only that give full feedback.
    Participant,
}

/// So many failing cases of a group are shown whole; the others are listed.
const SHOWN: usize = 3;
/// So many lines of a conversation are shown, its end.
const TALK: usize = 24;

/// Samples first, then groups; every failing case with its first difference.
pub fn details(package: &PackageReport, row: &RowReport, reader: Reader, page: Page) -> String {
    let page = page.usable();
    let mut text = head(package, row, page);
    if !row.compile_message.trim().is_empty() {
        text.push_str("\nThe compiler says:\n");
        text.push_str(&excerpt(&row.compile_message, 40, page.width, "  "));
        text.push('\n');
    }
    let sheet = Sheet { package, row, reader, page };
    let first = |group: &&GroupHead| group.name != "sample";
    let mut groups: Vec<&GroupHead> = package.groups.iter().collect();
    groups.sort_by_key(first);
    for group in groups {
        text.push('\n');
        text.push_str(&sheet.group(group));
    }
    let remarks = remarks(row, reader);
    if !remarks.is_empty() {
        text.push('\n');
    }
    for remark in remarks {
        text.push_str(&wrap(&format!("*  {remark}"), page.width, 3));
        text.push('\n');
    }
    text
}

fn head(package: &PackageReport, row: &RowReport, page: Page) -> String {
    let card = &row.card;
    let language = row.language.as_deref().map(|code| format!(" ({})", one_line(code))).unwrap_or_default();
    let title = format!("{}{language} on {}", one_line(&row.submission), one_line(&package.name));
    let worth = match (package.kind, &card.max) {
        (Kind::PassFail, _) => String::new(),
        (Kind::Scoring, Some(max)) => format!("{} of {max} points, ", points(card.points.as_ref())),
        (Kind::Scoring, None) => format!("{} points, ", points(card.points.as_ref())),
    };
    let result = paint(&format!("{worth}{}", long(&card.state)), tone(&card.state), page.colour);
    format!("{}\n{result}\n", cut(&title, page.width))
}

/// What stays the same from group to group.
struct Sheet<'a> {
    package: &'a PackageReport,
    row: &'a RowReport,
    reader: Reader,
    page: Page,
}

impl Sheet<'_> {
    fn group(&self, head: &GroupHead) -> String {
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
                self.time(slowest)
            ));
        }
        for (case, trial) in wrong.iter().take(SHOWN) {
            text.push_str(&self.case(case, trial));
        }
        if wrong.len() > SHOWN {
            let others = wrong[SHOWN..].iter().take(20);
            let list: Vec<String> = others
                .map(|(case, trial)| format!("{} {}", one_line(&case.name), trial.verdict.short()))
                .collect();
            let dots = if wrong.len() > SHOWN + 20 { ", …" } else { "" };
            let line = format!("  and {} more: {}{dots}", wrong.len() - SHOWN, list.join(", "));
            text.push_str(&wrap(&line, self.page.width, 4));
            text.push('\n');
        }
        let missing = self.row.cases.iter().filter(|c| c.group == head.name).count() - cases.len();
        if missing > 0 && !cases.is_empty() {
            text.push_str(&format!("  {} not run\n", counted(missing, "case")));
        }
        text
    }

    fn group_head(&self, head: &GroupHead) -> String {
        let name = paint(&one_line(&head.name), Tone::Strong, self.page.colour);
        let Some(score) = self.row.card.groups.iter().find(|group| group.name == head.name) else {
            return format!("{name}\n");
        };
        let scored = self.package.kind == Kind::Scoring && gives_points(&head.name, score.max.as_ref());
        let worth = match (&score.points, &score.max) {
            (Some(got), Some(max)) if scored => format!("{got} of {max} points, "),
            (Some(got), None) if scored => format!("{got} points, "),
            _ => String::new(),
        };
        let state = long(&score.state);
        format!("{name}: {worth}{}\n", paint(&state, tone(&score.state), self.page.colour))
    }

    fn case(&self, case: &CaseReport, trial: &Trial) -> String {
        let verdict = paint(&trial.verdict.to_string(), Tone::Bad, self.page.colour);
        let mut lines = vec![format!("  {}: {verdict}", one_line(&case.name))];
        lines.push(format!("    {}", self.usage(trial)));
        if trial.verdict != Verdict::WrongAnswer {
            lines.push(format!("    {}", ending(&trial.exit)));
        }
        let team = excerpt(&trial.team_message, 8, self.page.width, "    ");
        lines.extend((!team.is_empty()).then_some(team));
        lines.extend(
            case.hint.as_ref().map(|hint| wrap(&format!("    hint: {}", one_line(hint)), self.page.width, 6)),
        );
        if self.reader == Reader::Judge || case.full_feedback {
            lines.extend(self.contents(case, trial));
        }
        lines.join("\n") + "\n"
    }

    /// What tells something of the input, the answer or the output.
    /// Standard error belongs here: a program can print its input there.
    fn contents(&self, case: &CaseReport, trial: &Trial) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(difference) = &trial.difference {
            lines.extend(self.difference(difference));
        }
        let parts = [
            ("judge", Some(trial.judge_message.as_str())),
            ("input", case.input.as_deref()),
            ("expected output", case.answer.as_deref()),
        ];
        for (title, text) in parts {
            let shown = excerpt(text.unwrap_or_default(), 8, self.page.width, "      ");
            if !shown.is_empty() {
                lines.push(format!("    {title}:\n{shown}"));
            }
        }
        lines.extend(self.transcript(&trial.transcript));
        for note in trial.notes.iter().filter(|note| !note.trim().is_empty()) {
            lines.push(excerpt(note, 8, self.page.width, "    "));
        }
        lines
    }

    /// `<` is said by the judge and `>` by the submission, as in the samples of the statement.
    fn transcript(&self, said: &[Said]) -> Option<String> {
        let lines: Vec<String> = said.iter().flat_map(spoken).collect();
        let (left_out, shown) = match lines.len().checked_sub(TALK) {
            Some(more) if more > 0 => {
                (Some(format!("      … {}", counted(more, "earlier line"))), &lines[more..])
            }
            Some(_) | None => (None, &lines[..]),
        };
        let text = excerpt(&shown.join("\n"), TALK, self.page.width, "      ");
        let title = "    conversation (< judge, > submission):".to_owned();
        let parts = [Some(title), left_out, Some(text)];
        (!lines.is_empty()).then(|| parts.into_iter().flatten().collect::<Vec<_>>().join("\n"))
    }

    fn difference(&self, difference: &Difference) -> Vec<String> {
        let what = |token: &Option<String>| match token {
            Some(token) => format!("`{}`", cut(&one_line(token), 60)),
            None => "nothing more".to_owned(),
        };
        let error = difference.error.as_ref().map(|error| format!(" ({})", one_line(error)));
        let line = format!(
            "    line {}, column {}: expected {}, found {}{}",
            difference.line,
            difference.column,
            what(&difference.expected),
            what(&difference.found),
            error.unwrap_or_default()
        );
        let around = excerpt(&difference.around, 12, self.page.width, "      ");
        let mut lines = vec![wrap(&line, self.page.width, 6)];
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

    fn usage(&self, trial: &Trial) -> String {
        format!("{}, {} of {}", self.time(trial.usage.cpu), trial.usage.memory, self.package.memory_limit)
    }

    fn time(&self, time: Duration) -> String {
        format!("{} of {}", seconds(time), limit(self.package.time_limit))
    }
}

/// A piece of a conversation, line by line, with its time and an arrow.
fn spoken(said: &Said) -> Vec<String> {
    let (at, arrow, text) = match said {
        Said::Judge { at, text } => (at, '<', text),
        Said::Submission { at, text } => (at, '>', text),
        Said::Pass(number) => return vec![format!("--- pass {number}")],
        Said::Cut => return vec!["…".into()],
    };
    text.lines().map(|line| format!("{:7.3} s {arrow} {line}", at.as_secs_f64())).collect()
}
