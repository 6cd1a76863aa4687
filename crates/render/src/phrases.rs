//! Small texts that the formats are made of: verdicts, points, times, how programs ended.

use super::{change_words::change_words, page::Colour};
pub(super) use kopek_base::wording::cut_text;
use kopek_base::wording::{counted, limit_text, one_line};
use kopek_package::{package::is_sample, points::Points, verdict::Verdict};
use kopek_plan::score::{GroupScore, State};
pub(super) use kopek_results::group_heading;
use kopek_results::{
    CaseReport, GradeChange, GroupHead, Noise, PackageReport, Report, ResultKind, RowReport, Slowness,
    is_excused, points_or_dash,
};
use kopek_sentences::{Decimal, Said};
use std::time::Duration;

/// How something is meant: decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Good,
    Bad,
    Unsure,
    Strong,
}

/// Colours a text, if colours can be seen.
pub(super) fn paint(text: &str, tone: Tone, colour: Colour) -> String {
    let style = console::Style::new().force_styling(true);
    match (colour, tone) {
        (Colour::Plain, _) | (_, Tone::Plain) => text.to_owned(),
        (_, Tone::Good) => style.green().apply_to(text).to_string(),
        (_, Tone::Bad) => style.red().apply_to(text).to_string(),
        (_, Tone::Unsure) => style.yellow().apply_to(text).to_string(),
        (_, Tone::Strong) => style.bold().apply_to(text).to_string(),
    }
}

/// How a state is meant.
pub(super) fn tone_of_state(state: &State) -> Tone {
    match state {
        State::Decided(Verdict::Accepted) => Tone::Good,
        State::Decided(_) => Tone::Bad,
        State::Requires(_) => Tone::Plain,
        State::Unknown(_) => Tone::Unsure,
    }
}

/// Two or three letters for a state.
pub(super) fn short_state(state: &State) -> &'static str {
    match state {
        State::Decided(verdict) => verdict.short(),
        State::Requires(_) => "–",
        State::Unknown(_) => "?",
    }
}

/// A group in a table: `20 AC`, `0 WA`, `AC`, `?`.
pub(super) fn group_cell(group: &GroupScore, kind: ResultKind) -> String {
    let verdict = short_state(&group.state);
    match (&group.points, kind) {
        (Some(points), ResultKind::Scoring) if gives_points(&group.name, group.max.as_ref()) => {
            format!("{points} {verdict}")
        }
        _ => verdict.to_owned(),
    }
}

/// Samples give no points.
pub(super) fn gives_points(name: &str, max: Option<&Points>) -> bool {
    !is_sample(name) && !max.is_some_and(Points::is_zero)
}

/// The name of a case without its group's.
pub(super) fn case_name(case: &CaseReport) -> String {
    let own = case.name.strip_prefix(&case.group).map(|own| own.trim_start_matches('/'));
    one_line(own.filter(|own| !own.is_empty()).unwrap_or(&case.name))
}

/// `15 of 30 points`.
pub(super) fn points_sentence(got: Option<&Points>, max: Option<&Points>) -> Said {
    let points = Decimal::new(points_text(got));
    match max {
        Some(max) => Said::PointsOfMax { points, max: Decimal::new(max) },
        None => Said::Points { points },
    }
}

/// `60`, or `?`.
pub(super) fn points_text(points: Option<&Points>) -> String {
    points.map_or("?".to_owned(), ToString::to_string)
}

/// A change of a grade for its participant.
pub(super) struct ChangeText {
    /// `Your grade`, or the problem.
    pub title: String,
    /// `60 → 100`.
    pub points: String,
    /// A sentence.
    pub why: String,
}

pub(super) fn change_text(report: &Report, change: &GradeChange) -> ChangeText {
    let language = report.language;
    let is_part = report.packages.len() > 1 || report.sheet.is_some();
    let is_own = |package: &&PackageReport| is_part && Some(&package.name) == change.package.as_ref();
    let package = report.packages.iter().find(is_own);
    let points = format!("{} → {}", points_or_dash(&change.before), points_or_dash(&change.after));
    ChangeText {
        title: package.map_or_else(|| language.say(&Said::YourGrade), package_title),
        points: language.decimals(&points),
        why: sentence_case(&change_words(change, language)) + ".",
    }
}

pub(super) fn package_title(package: &PackageReport) -> String {
    one_line(if package.title.is_empty() { &package.name } else { &package.title })
}

/// With a capital letter.
pub(super) fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The nearest number, for sorting and for pictures.
pub(super) fn points_number(points: &Points) -> Option<f64> {
    format!("{points:.6}").parse().ok()
}

/// `60/100`, `60` if there is no maximum score, `?` if it is not known.
pub(super) fn points_of_max(got: Option<&Points>, max: Option<&Points>) -> String {
    match max {
        Some(max) => format!("{}/{max}", points_text(got)),
        None => points_text(got),
    }
}

/// The points of a participant with these rows, or that there are none on purpose.
pub(super) fn grade_said(rows: &[Option<&RowReport>], got: Option<&Points>, max: Option<&Points>) -> Said {
    let points = Decimal::new(points_of_max(got, max));
    if got.is_none() && is_excused(rows) { Said::Excused } else { Said::Points { points } }
}

/// The same for a cell of a table.
pub(super) fn grade_text(rows: &[Option<&RowReport>], got: Option<&Points>, max: Option<&Points>) -> String {
    if got.is_none() && is_excused(rows) { Said::Excused.to_string() } else { points_of_max(got, max) }
}

/// What distinguishes a group from the others: `secret/1` is `1`.
pub(super) fn group_title(group: &GroupHead) -> String {
    one_line(group.name.strip_prefix("secret/").unwrap_or(&group.name))
}

/// Below this, a machine counts as idle.
const QUIET: f64 = 1.05;

/// `machine up to 1.40x slower than idle (median 1.02x); 3 runs above the limit were repeated; 1 case is undecided`.
/// `None`: nothing to say.
pub(super) fn noise_text(noise: &Noise) -> Option<String> {
    let slow = noise.slowness.filter(|slowness| slowness.worst >= QUIET);
    let machine = slow.map(|Slowness { worst, median }| {
        format!("machine up to {worst:.2}x slower than idle (median {median:.2}x)")
    });
    let some = |number: usize, thing: &str, (one, many): (&str, &str)| {
        let verb = if number == 1 { one } else { many };
        if number > 0 { Some(format!("{} {verb}", counted(number, thing))) } else { None }
    };
    let repeated =
        some(noise.repeated, "run", ("above the limit was repeated", "above the limit were repeated"));
    let undecided = some(noise.undecided, "case", ("is undecided", "are undecided"));
    let parts: Vec<String> = [machine, repeated, undecided].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// `0.31 s`, `12.3 s`.
pub(super) fn seconds_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    // From here on two decimals would round to 10.00.
    if seconds < 9.995 { format!("{seconds:.2} s") } else { format!("{seconds:.1} s") }
}

/// `97 %`.
pub(super) fn percent_text(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// A CPU time beside the limit.
pub(super) fn time_of_limit(limit: Duration, time: Duration) -> String {
    format!("{} of {}", seconds_text(time), limit_text(limit))
}

/// Pretty JSON with a line end. A path that is not UTF-8 is an error.
pub fn try_json_text(value: &impl serde::Serialize) -> serde_json::Result<String> {
    Ok(escape_controls(&serde_json::to_string_pretty(value)?) + "\n")
}

/// The same for values without paths.
pub fn json_text(value: &impl serde::Serialize) -> String {
    try_json_text(value).expect("plain texts and numbers are always JSON")
}

/// JSON allows DEL and the control characters of 8 bits, which some terminals obey: escapes them, too.
fn escape_controls(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}' => escaped += &format!("\\u{:04x}", u32::from(c)),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_json_cannot_hold_is_an_error() {
        let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"a\xff");
        assert!(try_json_text(&std::path::Path::new(path)).is_err());
        assert_eq!(try_json_text(&"a\u{9b}").unwrap(), "\"a\\u009b\"\n");
    }

    #[test]
    fn noise_is_reported_if_there_was_any() {
        for (worst, repeated, undecided, text) in [
            (1.4, 0, 0, "machine up to 1.40x slower than idle (median 1.02x)"),
            (1.02, 1, 2, "1 run above the limit was repeated; 2 cases are undecided"),
            (1.02, 0, 0, ""),
        ] {
            let slowness = Some(Slowness { worst, median: 1.02 });
            let found = noise_text(&Noise { slowness, repeated, undecided }).unwrap_or_default();
            assert_eq!(found, text);
        }
        assert_eq!(noise_text(&Noise::default()), None);
    }

    #[test]
    fn times_are_short() {
        let texts = [(0, "0.00 s"), (310, "0.31 s"), (9_999, "10.0 s"), (12_345, "12.3 s")];
        for (ms, text) in texts {
            assert_eq!(seconds_text(Duration::from_millis(ms)), text);
        }
    }
}
