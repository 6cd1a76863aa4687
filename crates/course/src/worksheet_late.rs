//! Lateness from Moodle's grading worksheet: its Status, `Submitted for grading - 1 day 3 hours late`, or the
//! submission time compared with a deadline. An unreadable row is an error.

use super::late_rule::parse_lateness;
use jiff::civil::DateTime;
use kopek_base::wording::span_text;
use kopek_package::package::Lateness;
use kopek_results::SubmissionCells;
use std::{fmt, str::FromStr, time::Duration};

/// The deadline, in the time zone of the worksheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline(DateTime);

impl FromStr for Deadline {
    type Err = String;

    fn from_str(text: &str) -> Result<Deadline, String> {
        let moment = read_moment(text).map(Deadline);
        moment.ok_or_else(|| "write it as 2026-05-01 23:59, by the clock of the worksheet".to_owned())
    }
}

impl fmt::Display for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.0.strftime("%Y-%m-%d %H:%M"))
    }
}

/// A later deadline for a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extension {
    By(Duration),
    Until(Deadline),
}

impl FromStr for Extension {
    type Err = String;

    fn from_str(text: &str) -> Result<Extension, String> {
        let by = parse_lateness(text).filter(|by| !by.is_zero()).map(Extension::By);
        let extension = by.or_else(|| read_moment(text).map(|moment| Extension::Until(Deadline(moment))));
        extension
            .ok_or_else(|| "write a time span such as 2 days, or a time such as 2026-05-01 23:59".to_owned())
    }
}

impl fmt::Display for Extension {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Extension::By(span) => f.write_str(&span_text(*span)),
            Extension::Until(moment) => write!(f, "{moment}"),
        }
    }
}

impl Extension {
    /// How much later it is than the deadline; `None`: the deadline is not known.
    pub fn span(self, deadline: Option<Deadline>) -> Option<Duration> {
        match self {
            Extension::By(span) => Some(span),
            Extension::Until(Deadline(until)) => {
                let later = until.duration_since(deadline?.0);
                Some(if later.is_positive() { later.unsigned_abs() } else { Duration::ZERO })
            }
        }
    }
}

/// The lateness of a submission; `None` if it is in time. The error is what the worksheet says instead.
pub fn worksheet_lateness(
    cells: SubmissionCells,
    deadline: Option<Deadline>,
) -> Result<Option<Lateness>, String> {
    let status = plain_spaces(cells.status.unwrap_or_default());
    let quoted = |cell: &str| if cell.is_empty() { "nothing".to_owned() } else { format!("`{cell}`") };
    let Some(Deadline(deadline)) = deadline else {
        return lateness_of_status(&status).ok_or_else(|| quoted(&status));
    };
    let modified = plain_spaces(cells.modified.unwrap_or_default());
    let submitted = read_moment(&modified).ok_or_else(|| quoted(&modified))?;
    // An extension moves the deadline.
    let due = match parts_of(&status).find_map(|part| part.strip_prefix(EXTENSION).map(str::to_owned)) {
        Some(date) => read_moment(&date).ok_or_else(|| quoted(&status))?.max(deadline),
        None => deadline,
    };
    let late = submitted.duration_since(due);
    Ok(if late.is_positive() { Some(Lateness::By(late.unsigned_abs())) } else { None })
}

/// Status texts of submissions in time, in lowercase. `No submission` is none: the worksheet is older than the
/// program, or the program was handed in another way.
const IN_TIME: [&str; 17] = [
    "submitted for grading",
    "submitted",
    "draft (not submitted)",
    "new",
    "reopened",
    "marked",
    "graded",
    "not graded",
    "follow up submission received",
    "submission changes not allowed",
    "not marked",
    "in marking",
    "marking completed",
    "in review",
    "ready for release",
    "released",
    "does not require grading",
];

const EXTENSION: &str = "extension granted until:";

/// `None` if the text is unknown.
fn lateness_of_status(status: &str) -> Option<Option<Lateness>> {
    let is_known = |part: &str| IN_TIME.contains(&part) || part.starts_with(EXTENSION);
    let late = parts_of(status).find_map(|part| part.strip_suffix(" late").map(str::to_owned));
    match late.map(|span| parse_lateness(&span)) {
        Some(Some(Duration::ZERO)) => Some(None),
        Some(Some(late)) => Some(Some(Lateness::By(late))),
        Some(None) => Some(Some(Lateness::Marked)),
        None if parts_of(status).all(|part| is_known(&part)) => Some(None),
        None => None,
    }
}

/// The parts that Moodle separates with dashes, in lowercase.
fn parts_of(status: &str) -> impl Iterator<Item = String> {
    status.split(" - ").map(|part| part.trim().to_lowercase())
}

/// Normalizes the narrow and fixed spaces and the line breaks of spreadsheets and newer systems.
fn plain_spaces(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Dates as Moodle writes them in English, and dates of numbers whose order is clear, which `1/5/26` is not.
const MOMENTS: [&str; 9] = [
    "%A, %d %B %Y, %I:%M %p",
    "%A, %B %d, %Y, %I:%M %p",
    "%A, %d %B %Y, %H:%M",
    "%d %B %Y, %I:%M %p",
    "%d %B %Y, %H:%M",
    "%d.%m.%Y, %H:%M",
    "%d.%m.%Y %H:%M",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S",
];

/// Reads a date with its time. Names of months in other languages are unknown.
fn read_moment(text: &str) -> Option<DateTime> {
    let text = plain_spaces(text);
    MOMENTS.iter().find_map(|format| DateTime::strptime(format, &text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_status(status: &str) -> Result<Option<Lateness>, String> {
        worksheet_lateness(SubmissionCells { status: Some(status), modified: None }, None)
    }

    #[test]
    fn the_status_of_moodle_says_who_is_late() {
        let by = |seconds| Ok(Some(Lateness::By(Duration::from_secs(seconds))));
        let overdue = "`Draft (not submitted) - Assignment is overdue by: 3 days`";
        for (status, wanted) in [
            ("Submitted for grading - 1 day 3 hours late", by(97_200)),
            ("Submitted for grading - 1 day 3 hours late - Graded", by(97_200)),
            ("Draft (not submitted)  -  2 hours 5 mins late", by(7500)),
            ("Submitted for grading - 5 mins 3 secs late", by(303)),
            ("Submitted for grading - 1 sec late", by(1)),
            ("Submitted for grading - 1 year 20 days late", by(385 * 86_400)),
            ("submitted for grading -\u{a0}1 week late", by(7 * 86_400)),
            ("Submitted for grading - very late", Ok(Some(Lateness::Marked))),
            ("Submitted for grading", Ok(None)),
            ("Submitted for grading - Graded - follow up submission received", Ok(None)),
            ("Submitted for grading - Extension granted until: Friday, 8 May 2026, 11:59 PM", Ok(None)),
            ("No submission", Err("`No submission`".to_owned())),
            ("Draft (not submitted) - Assignment is overdue by: 3 days", Err(overdue.to_owned())),
            ("", Err("nothing".to_owned())),
            ("Zur Bewertung abgegeben", Err("`Zur Bewertung abgegeben`".to_owned())),
            ("Submitted for grading - sealed", Err("`Submitted for grading - sealed`".to_owned())),
            ("1 Tag verspätet", Err("`1 Tag verspätet`".to_owned())),
        ] {
            assert_eq!(of_status(status), wanted, "{status}");
        }
    }

    #[test]
    fn an_extension_is_a_span_or_a_later_deadline() {
        let deadline: Deadline = "2026-05-01 23:59".parse().unwrap();
        let span = |text: &str, deadline| text.parse::<Extension>().unwrap().span(deadline);
        assert_eq!(span("2 days", None), Some(Duration::from_secs(2 * 86_400)));
        assert_eq!(span("2026-05-03 11:59", Some(deadline)), Some(Duration::from_secs(36 * 3600)));
        assert_eq!(span("2026-04-03 11:59", Some(deadline)), Some(Duration::ZERO));
        assert_eq!(span("2026-05-03 11:59", None), None);
        for wrong in ["", "0", "soon", "2"] {
            assert!(wrong.parse::<Extension>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn moments_are_read_as_moodle_writes_them() {
        for (text, wanted) in [
            ("Monday, 4 May 2026, 11:59 PM", Some("2026-05-04T23:59:00")),
            ("Monday, May 4, 2026, 12:05\u{202f}AM", Some("2026-05-04T00:05:00")),
            ("4 May 2026, 12:05 pm", Some("2026-05-04T12:05:00")),
            ("Monday, 4 May 2026, 23:59", Some("2026-05-04T23:59:00")),
            ("04.05.2026 23:59", Some("2026-05-04T23:59:00")),
            ("4.5.2026, 23:59", Some("2026-05-04T23:59:00")),
            ("2026-05-04 23:59", Some("2026-05-04T23:59:00")),
            ("2026-05-04T23:59:30", Some("2026-05-04T23:59:30")),
            ("Montag, 4. Mai 2026, 23:59", None),
            ("Tuesday, 4 May 2026, 11:59 PM", None),
            ("2026-05-04", None),
            ("4/5/26, 23:59", None),
            ("31 June 2026, 23:59", None),
            ("4 May 2026, 25:00", None),
            ("4 May 2026, 13:00 PM", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(read_moment(text).map(|moment| moment.to_string()).as_deref(), wanted, "{text}");
        }
    }

    #[test]
    fn a_deadline_is_compared_with_the_submission_and_an_extension_counts() {
        let deadline: Deadline = "2026-05-01 23:59".parse().unwrap();
        assert_eq!(deadline.to_string(), "2026-05-01 23:59");
        let late = |modified: &str, status: &str| {
            let cells = SubmissionCells { status: Some(status), modified: Some(modified) };
            worksheet_lateness(cells, Some(deadline))
        };
        let day = Ok(Some(Lateness::By(Duration::from_secs(86_400))));
        assert_eq!(late("Saturday, 2 May 2026, 11:59 PM", "Submitted for grading"), day);
        assert_eq!(late("Friday, 1 May 2026, 11:59 PM", ""), Ok(None));
        let extended = "Submitted for grading - Extension granted until: Sunday, 3 May 2026, 11:59 PM";
        assert_eq!(late("Sunday, 3 May 2026, 9:00 AM", extended), Ok(None));
        assert_eq!(late("Monday, 4 May 2026, 11:59 PM", extended), day);
        assert_eq!(late("-", "Submitted for grading"), Err("`-`".to_owned()));
        assert!("1 May".parse::<Deadline>().is_err());
    }
}
