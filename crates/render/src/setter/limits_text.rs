//! A survey of the time limit for people: a picture, the limit by the rule of the format, and problems.

use super::{
    limit_picture::{add_legend, picture_lines},
    verified_text::add_remark,
};
use crate::Document;
use kopek_base::wording::short_seconds;
use kopek_results::{LimitReport, LimitRole, LimitSurvey};

const ROLES: [LimitRole; 3] = [LimitRole::MustFit, LimitRole::Neutral, LimitRole::MustNotFit];

pub fn limits_document(report: &LimitReport) -> Document<'_> {
    let survey = &report.survey;
    let mut document = Document::default();
    document.line(&head_line(report));
    document.drawn(|width| picture_lines(survey, &ROLES, width));
    add_legend(&mut document, survey);
    add_proposal(&mut document, survey);
    if let Some(line) = &report.to_write {
        document.item("  write: ", line);
    }
    report.remarks.iter().for_each(|remark| add_remark(&mut document, remark));
    report.faults.iter().for_each(|fault| document.item("    fault: ", fault));
    document
}

fn head_line(report: &LimitReport) -> String {
    match report.survey.declared {
        Some(limit) => format!("{}: time limit {} s", report.package, short_seconds(limit)),
        None => format!("{}: no time limit", report.package),
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
    use kopek_results::{SurveyedRun, SurveyedSubmission};
    use std::time::Duration;

    #[expect(clippy::fn_params_excessive_bools, reason = "a value of a field")]
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
            growth: None,
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
            to_write: None,
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
