//! Lateness from Moodle's grading worksheet: its Status, `Submitted for grading - 1 day 3 hours late`, or the
//! submission time compared with a deadline. An unreadable row is an error.

use super::late_rule::parse_lateness;
use jiff::civil::{Date, DateTime, Time};
use kopek_engine::package::Lateness;
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
    Ok((late.is_positive()).then(|| Lateness::By(late.unsigned_abs())))
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
        Some(Some(late)) => Some(Some(Lateness::By(late)).filter(|_| late > Duration::ZERO)),
        Some(None) => Some(Some(Lateness::Marked)),
        None => parts_of(status).all(|part| is_known(&part)).then_some(None),
    }
}

/// The parts that Moodle separates with dashes, in lowercase.
fn parts_of(status: &str) -> impl Iterator<Item = String> {
    status.split(" - ").map(|part| part.trim().to_lowercase()).collect::<Vec<_>>().into_iter()
}

/// Normalizes the narrow and fixed spaces and the line breaks of spreadsheets and newer systems.
fn plain_spaces(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lowercase names of months in common languages of Moodle.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "jänner", "janvier", "enero", "gennaio", "januari", "janeiro", "stycznia"],
    &["february", "februar", "février", "febrero", "febbraio", "februari", "fevereiro", "lutego"],
    &["march", "märz", "mars", "marzo", "maart", "março", "marca"],
    &["april", "avril", "abril", "aprile", "kwietnia"],
    &["may", "mai", "mayo", "maggio", "mei", "maio", "maja"],
    &["june", "juni", "juin", "junio", "giugno", "junho", "czerwca"],
    &["july", "juli", "juillet", "julio", "luglio", "julho", "lipca"],
    &["august", "août", "agosto", "augustus", "sierpnia"],
    &["september", "septembre", "septiembre", "settembre", "setembro", "września"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro", "października"],
    &["november", "novembre", "noviembre", "novembro", "listopada"],
    &["december", "dezember", "décembre", "diciembre", "dicembre", "dezembro", "grudnia"],
];

/// Reads `Monday, 1 May 2026, 11:59 PM`, `1. Mai 2026, 23:59`, `01.05.2026 23:59`, `2026-05-01 23:59`. Rejects
/// ambiguous dates such as `1/5/26`.
fn read_moment(text: &str) -> Option<DateTime> {
    if let Ok(moment) = text.parse::<DateTime>() {
        // A date without a time is not precise enough.
        return text.contains(':').then_some(moment);
    }
    let text = plain_spaces(text).to_lowercase().replace(',', " ");
    let mut parts = MomentParts::default();
    text.split(' ').filter(|word| !word.is_empty()).try_for_each(|word| parts.read(word))?;
    parts.moment()
}

/// The parts of a date and time read so far.
#[derive(Default)]
struct MomentParts {
    year: Option<i16>,
    month: Option<i8>,
    day: Option<i8>,
    time: Option<Time>,
    afternoon: Option<bool>,
}

impl MomentParts {
    /// `None` for an unknown word, or one that repeats a part.
    fn read(&mut self, word: &str) -> Option<()> {
        if let Some(half) = HALVES.iter().position(|halves| halves.contains(&word)) {
            return set(&mut self.afternoon, half == 1);
        }
        if word.contains(':') {
            return set(&mut self.time, read_time(word)?);
        }
        let numbers: Vec<&str> = word.split('.').filter(|part| !part.is_empty()).collect();
        match numbers.as_slice() {
            [day, month, year] if word.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit()) => {
                set(&mut self.day, day.parse().ok()?)?;
                set(&mut self.month, month.parse().ok()?)?;
                set(&mut self.year, year.parse().ok().filter(|_| year.len() == 4)?)
            }
            [number] if number.bytes().all(|byte| byte.is_ascii_digit()) => match number.len() {
                4 => set(&mut self.year, number.parse().ok()?),
                1 | 2 => set(&mut self.day, number.parse().ok()?),
                _ => None,
            },
            [word] => match month_of(word) {
                Some(month) => set(&mut self.month, month),
                // A weekday or a filler word.
                None => word.chars().all(|c| c.is_alphabetic() || c == '-').then_some(()),
            },
            _ => None,
        }
    }

    fn moment(&self) -> Option<DateTime> {
        let time = self.time?;
        let hour = match (self.afternoon, time.hour()) {
            (None, hour) => hour,
            (Some(_), 0 | 13..) => return None,
            (Some(afternoon), hour) => hour % 12 + if afternoon { 12 } else { 0 },
        };
        let time = Time::new(hour, time.minute(), time.second(), 0).ok()?;
        Some(Date::new(self.year?, self.month?, self.day?).ok()?.to_datetime(time))
    }
}

/// Words for before and after noon.
const HALVES: [&[&str]; 2] = [&["am", "a.m."], &["pm", "p.m."]];

fn set<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

/// `23:59`, `23:59:30`
fn read_time(word: &str) -> Option<Time> {
    let mut numbers = word.split(':').map(|part| part.parse::<i8>().ok());
    let (hour, minute) = (numbers.next()??, numbers.next()??);
    let second = numbers.next().unwrap_or(Some(0))?;
    Time::new(hour, minute, second, 0).ok().filter(|_| numbers.next().is_none())
}

/// The month with this name or abbreviation.
fn month_of(word: &str) -> Option<i8> {
    let begins = |names: &&[&str]| names.iter().any(|name| name.starts_with(word));
    let mut found = (1..).zip(&MONTHS).filter(|(_, names)| begins(names)).map(|(month, _)| month);
    let first = found.next().filter(|_| word.chars().count() >= 3)?;
    found.next().is_none().then_some(first)
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
    fn moments_are_read_as_moodle_writes_them() {
        for (text, wanted) in [
            ("Monday, 4 May 2026, 11:59 PM", Some("2026-05-04T23:59:00")),
            ("Monday, May 4, 2026, 12:05\u{202f}AM", Some("2026-05-04T00:05:00")),
            ("4 May 2026, 12:05 p.m.", Some("2026-05-04T12:05:00")),
            ("Montag, 4. Mai 2026, 23:59", Some("2026-05-04T23:59:00")),
            ("lundi 4 mai 2026, 23:59", Some("2026-05-04T23:59:00")),
            ("segunda-feira, 4 de maio de 2026 às 23:59", Some("2026-05-04T23:59:00")),
            ("04.05.2026 23:59", Some("2026-05-04T23:59:00")),
            ("2026-05-04 23:59", Some("2026-05-04T23:59:00")),
            ("2026-05-04T23:59:30", Some("2026-05-04T23:59:30")),
            ("4 Sept 2026 1:02", Some("2026-09-04T01:02:00")),
            ("2026-05-04", None),
            ("4/5/26, 23:59", None),
            ("31 June 2026, 23:59", None),
            ("4 jui 2026, 23:59", None),
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
