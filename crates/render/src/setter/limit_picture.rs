//! A survey of the time limit for people: every submission as a bar, with the limit and the required room on both
//! sides.

use super::verified_text::{add_remark, cut_front, place_name};
use crate::Document;
use kopek_base::wording::{short_seconds, wrap_behind};
use kopek_results::{LimitReport, LimitRole, LimitSurvey, SurveyedRun, SurveyedSubmission};
use std::time::Duration;

/// The width of the times beside the bars.
const TIMES: usize = 18;
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

pub fn limits_document(report: &LimitReport) -> Document<'_> {
    let survey = &report.survey;
    let mut document = Document::default();
    document.line(&head_line(report));
    document.drawn(|width| picture_lines(survey, width.max(MIN_WIDTH)));
    add_legend(&mut document, survey);
    add_proposal(&mut document, survey);
    report.remarks.iter().for_each(|remark| add_remark(&mut document, remark));
    report.faults.iter().for_each(|fault| document.item("    fault: ", fault));
    document
}

fn picture_lines(survey: &LimitSurvey, width: usize) -> Vec<String> {
    let name_width = name_width(survey, width);
    let axis = Axis::of_survey(survey, width - name_width - TIMES);
    let mut lines = Vec::new();
    let mut role = None;
    for one in &survey.submissions {
        if role != Some(one.role) {
            lines.push(format!("  {}", role_title(one.role)));
            role = Some(one.role);
        }
        lines.push(submission_line(one, name_width, &axis));
        lines.extend(one.unmeasured.iter().flat_map(|why| wrap_behind("      ", why, width)));
    }
    lines
}

fn head_line(report: &LimitReport) -> String {
    match report.survey.declared {
        Some(limit) => format!("{}: time limit {} s", report.package, short_seconds(limit)),
        None => format!("{}: no time limit", report.package),
    }
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

fn submission_line(one: &SurveyedSubmission, name_width: usize, axis: &Axis) -> String {
    let room = name_width - 5;
    let name = name_with_cases(one, room);
    let verdict = one.verdict.map_or("?", kopek_package::verdict::Verdict::short);
    let Some(run) = &one.run else {
        return format!("    {name:<room$} {verdict:<4} {:>8}", "–");
    };
    let more = if run.stopped { ">" } else { "" };
    let time = format!("{more}{:.2} s", run.min.as_secs_f64());
    format!("    {name:<room$} {verdict:<4} {time:>8}   {}", axis.bar(run))
}

/// The meaning and position of the signs.
fn add_legend(document: &mut Document, survey: &LimitSurvey) {
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
}

/// The limit proposed by the rule of the format, and the effect of other limits.
fn add_proposal(document: &mut Document, survey: &LimitSurvey) {
    let (Some(proposed), Some(allowed)) = (survey.proposed, survey.allowed_range()) else { return };
    let from = allowed.min;
    let (slowest, _) = survey.runs_of(LimitRole::MustFit).next().expect("there is room above a run");
    let mut text = format!(
        "by the rule of the format: {} s ({} × the slowest that must fit, `{}`, in steps of {} s)",
        short_seconds(proposed),
        survey.ac_to_time_limit,
        slowest.submission,
        short_seconds(survey.resolution)
    );
    text += &match allowed.max {
        Some(to) if to < from => format!(
            "; no limit leaves room on both sides: it must be at least {} s and at most {} s",
            short_seconds(from),
            short_seconds(to)
        ),
        Some(to) if to < proposed => format!(
            "; that is too long for programs that must not fit, which allow {} s; set a smaller `time_resolution`",
            short_seconds(to)
        ),
        Some(to) => format!("; up to {} s would leave room on both sides", short_seconds(to)),
        None => String::new(),
    };
    document.item("  limit: ", &text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use kopek_package::verdict::Verdict;

    fn one(name: &str, role: LimitRole, (min, most): (u64, u64), stopped: bool) -> SurveyedSubmission {
        let time = Duration::from_millis;
        let run =
            SurveyedRun { verdict: Verdict::Accepted, min: time(min), most: time(most), tries: 4, stopped };
        SurveyedSubmission {
            submission: name.into(),
            only: None,
            language: None,
            verdict: Some(Verdict::Accepted),
            role,
            case: Some("secret/1".into()),
            run: Some(run),
            unmeasured: None,
        }
    }

    fn report(declared: Option<u64>, proposed: u64, fastest: u64) -> LimitReport {
        let survey = LimitSurvey {
            declared: declared.map(Duration::from_millis),
            proposed: Some(Duration::from_millis(proposed)),
            ac_to_time_limit: 2.0,
            time_limit_to_tle: 1.5,
            resolution: Duration::from_millis(500),
            submissions: vec![
                one("accepted/slow.py", LimitRole::MustFit, (400, 600), false),
                one("accepted/quick.c", LimitRole::MustFit, (10, 10), false),
                one("wrong_answer/first.c", LimitRole::Neutral, (10, 10), false),
                one("time_limit_exceeded/quadratic.py", LimitRole::MustNotFit, (fastest, fastest), true),
            ],
        };
        LimitReport {
            fits: false,
            written: false,
            package: "sum".into(),
            survey,
            remarks: vec![],
            faults: vec![],
        }
    }

    #[test]
    fn every_submission_is_a_bar_against_the_limit() {
        let text = limits_document(&report(Some(1000), 1000, 1530)).to_text(Page::default());
        let expected = [
            "  must fit",
            "    accepted/slow.py                 AC     0.40 s   ███████───     │       ┆",
            "    accepted/quick.c                 AC     0.01 s   █      ┆       │       ┆",
            "  no claim about time",
            "    wrong_answer/first.c             AC     0.01 s   █      ┆       │       ┆",
            "  must not fit",
            "    time_limit_exceeded/quadratic.py AC    >1.53 s   ███████████████████████▶",
        ];
        assert_eq!(text.lines().skip(1).take(7).collect::<Vec<_>>(), expected, "{text}");
        assert!(text.contains("by the rule of the format: 1 s (2 × the slowest that must fit"), "{text}");
    }

    #[test]
    fn nothing_is_wider_than_the_page() {
        for width in [60, 80, 132] {
            let text = limits_document(&report(None, 1000, 1530)).to_text(Page { width, ..Page::default() });
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        }
    }

    #[test]
    fn a_limit_that_cannot_leave_room_on_both_sides_is_named() {
        let flat = |report: &LimitReport| {
            let text = limits_document(report).to_text(Page::default());
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let with_upper = |min: u64| {
            let mut report = report(Some(1000), 1000, min);
            report.survey.submissions[3].run.as_mut().unwrap().stopped = false;
            flat(&report)
        };
        let text = with_upper(900);
        assert!(text.contains("it must be at least 0.8 s and at most 0.6 s"), "{text}");
        let text = with_upper(1320);
        assert!(text.contains("which allow 0.88 s; set a smaller `time_resolution`"), "{text}");
        assert!(with_upper(1800).contains("up to 1.2 s would leave room on both sides"));
    }
}
