//! A survey of the time limit for people: every submission as a bar, with the limit and the required room on both
//! sides.

use crate::Document;
use kopek_base::wording::{short_seconds, wrap_behind};
use kopek_results::{LimitRole, LimitSurvey, SurveyedRun, SurveyedSubmission};
use std::time::Duration;

/// The width of the times beside the bars, and of the growth.
const TIMES: usize = 18;
const GROWTH: usize = 7;
/// The longest bar, even in a wide terminal.
const MAX_BAR: usize = 60;
/// Narrower pictures show nothing.
const MIN_WIDTH: usize = 60;

/// Maps times to columns.
struct Axis {
    columns: usize,
    end: Duration,
    /// Signs for marked columns.
    marks: Vec<(usize, char)>,
}

/// Bars of the submissions with these roles.
pub(super) fn picture_lines(survey: &LimitSurvey, roles: &[LimitRole], width: usize) -> Vec<String> {
    let width = width.max(MIN_WIDTH);
    let name_width = name_width(survey, width);
    let growth = if shows_growth(survey) { GROWTH } else { 0 };
    let axis = Axis::of_survey(survey, width - name_width - TIMES - growth);
    let mut lines = Vec::new();
    let mut role = None;
    for one in survey.submissions.iter().filter(|one| roles.contains(&one.role)) {
        if role != Some(one.role) {
            lines.push(format!("  {}", role_title(one.role)));
            role = Some(one.role);
        }
        lines.push(submission_line(one, name_width, growth, &axis));
        lines.extend(one.unmeasured.iter().flat_map(|why| wrap_behind("      ", why, width)));
    }
    lines
}

fn shows_growth(survey: &LimitSurvey) -> bool {
    survey.submissions.iter().any(|one| one.growth.is_some())
}

fn role_title(role: LimitRole) -> &'static str {
    match role {
        LimitRole::MustFit => "must fit",
        LimitRole::Neutral => "no claim about time",
        LimitRole::MustNotFit => "must not fit",
    }
}

fn name_width(survey: &LimitSurvey, width: usize) -> usize {
    let names = survey.submissions.iter().map(|one| name_with_cases(one, usize::MAX).chars().count());
    names.max().unwrap_or(0).clamp(8, width * 2 / 5) + 5
}

/// In at most `room` characters.
fn name_with_cases(one: &SurveyedSubmission, room: usize) -> String {
    let only = one.only.as_ref().map(|cases| format!(" in {cases}")).unwrap_or_default();
    cut_front(&(place_name(&one.submission, room.saturating_sub(only.chars().count())) + &only), room)
}

impl Axis {
    fn of_survey(survey: &LimitSurvey, columns: usize) -> Axis {
        let columns = columns.min(MAX_BAR);
        let longest = survey.submissions.iter().filter_map(|one| one.run).map(|run| run.most).max();
        let limit = survey.limit();
        let enough = limit.map(|limit| limit.mul_f64(survey.time_limit_to_tle));
        let end = longest.max(enough).unwrap_or_default().max(Duration::from_millis(1)).mul_f64(1.05);
        let mut axis = Axis { columns, end, marks: vec![] };
        if let (Some(limit), Some(enough)) = (limit, enough) {
            let room = limit.div_f64(survey.ac_to_time_limit);
            axis.marks =
                vec![(axis.column(room), '┆'), (axis.column(enough), '┆'), (axis.column(limit), '│')];
        }
        axis
    }

    fn column(&self, time: Duration) -> usize {
        let part = time.as_secs_f64() / self.end.as_secs_f64();
        ((part * self.columns as f64) as usize).min(self.columns - 1)
    }

    /// A run as a bar: solid to its least time, thin to its longest.
    fn bar(&self, run: &SurveyedRun) -> String {
        let min = self.column(run.min);
        let most = self.column(run.most);
        let sign = |column: usize| {
            let mark = self.marks.iter().rev().find(|(at, _)| *at == column).map(|(_, sign)| *sign);
            match column {
                _ if run.stopped && column == min => '▶',
                _ if column <= min => '█',
                _ if column <= most => '─',
                _ => mark.unwrap_or(' '),
            }
        };
        (0..self.columns).map(sign).collect::<String>().trim_end().to_owned()
    }
}

fn submission_line(one: &SurveyedSubmission, name_width: usize, growth: usize, axis: &Axis) -> String {
    let room = name_width - 5;
    let name = name_with_cases(one, room);
    let verdict = one.verdict.map_or("?", kopek_package::verdict::Verdict::short);
    let Some(run) = &one.run else {
        return format!("    {name:<room$} {verdict:<4} {:>8}", "–");
    };
    let more = if run.stopped { ">" } else { "" };
    let time = format!("{more}{:.2} s", run.min.as_secs_f64());
    let factor = one.growth.map(|growth| format!("×{:.1}", growth.factor)).unwrap_or_default();
    format!("    {name:<room$} {verdict:<4} {time:>8}{factor:>growth$}   {}", axis.bar(run))
}

/// The meaning and position of the signs.
pub(super) fn add_legend(document: &mut Document, survey: &LimitSurvey) {
    let Some(limit) = survey.limit() else { return };
    let proposed = if survey.declared.is_none() { " (proposed)" } else { "" };
    let text = format!(
        "│ the limit, {} s{proposed}; ┆ programs that must fit may take {} s (the limit over {}), programs \
            that must not need {} s ({} × the limit)",
        short_seconds(limit),
        short_seconds(limit.div_f64(survey.ac_to_time_limit)),
        survey.ac_to_time_limit,
        short_seconds(limit.mul_f64(survey.time_limit_to_tle)),
        survey.time_limit_to_tle
    );
    document.item("  ", &text);
    let runs = || survey.submissions.iter().filter_map(|one| one.run);
    if runs().any(|run| run.most > run.min) {
        document.item("  ", "█ the least time of all runs, which counts; ─ the longest");
    }
    if runs().any(|run| run.stopped) {
        document.line("  ▶ stopped, so it takes longer");
    }
    if let Some(growth) = survey.submissions.iter().find_map(|one| one.growth) {
        document.item("  ", &format!("×{:.1} times as long when {} doubles", growth.factor, growth.measure));
    }
}

/// A submission's path, or only its name if the path is too long.
pub(super) fn place_name(path: &str, most: usize) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    if path.chars().count() > most { name.to_owned() } else { path.to_owned() }
}

/// At most this number of characters; the end of a path is more informative than its beginning.
pub(super) fn cut_front(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let end: String = text.chars().skip(length - most.saturating_sub(1)).collect();
    format!("…{end}")
}
