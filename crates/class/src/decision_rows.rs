//! Rows of a table of decisions, which is a CSV. A row names the file of a hand-in that counts, gives the verdict of an
//! undecided case, or gives points and a comment by hand.

use anyhow::{Context, Error, Result, bail, ensure};
use csv::StringRecord;
use kopek_base::{
    composed_name,
    table_text::{CsvRow, CsvTable, read_table},
    wording::one_line,
};
use kopek_package::{
    package::{CaseDecision, PointsByHand, PointsChange, RowPlace},
    points::Points,
    verdict::Verdict,
};

#[derive(Debug)]
pub(super) struct DecisionRow {
    pub participant: String,
    /// `None` means every package.
    pub package: Option<String>,
    pub ruling: Ruling,
    /// The cells of the ruling.
    pub said: Vec<String>,
    pub place: RowPlace,
}

#[derive(Debug)]
pub(super) enum Ruling {
    /// The file that counts; `-` for no program.
    Entry(String),
    Case(CaseDecision),
    Points(PointsByHand),
}

/// What a row decides. Two rows that decide the same contradict each other.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SubjectOfRuling<'a> {
    Entry,
    Case(&'a str),
    /// Of a group, or of the whole.
    Points(Option<&'a str>),
}

impl Ruling {
    pub fn gives_points(&self) -> bool {
        matches!(self, Ruling::Points(_))
    }

    pub fn excuses(&self) -> bool {
        matches!(self, Ruling::Points(PointsByHand { change: Some(PointsChange::Excuse), .. }))
    }

    /// `35 points (good idea) by Noether`.
    pub fn in_words(&self) -> String {
        let (what, comment, by) = match self {
            Ruling::Entry(file) => return format!("`{file}` counts"),
            Ruling::Case(decision) => (decision.verdict.to_string(), Some(&decision.reason), &decision.by),
            Ruling::Points(PointsByHand { change, comment, by, .. }) => {
                let what = match change {
                    None => "the comment".to_owned(),
                    Some(PointsChange::Excuse) => "excused".to_owned(),
                    Some(PointsChange::Set(points)) => format!("{points} points"),
                    Some(PointsChange::Add(more)) if more.is_negative() => format!("{more} points"),
                    Some(PointsChange::Add(more)) => format!("+{more} points"),
                };
                (what, comment.as_ref(), by)
            }
        };
        let comment = comment.map(|text| format!(" ({})", one_line(text))).unwrap_or_default();
        format!("{}{comment} by {}", one_line(&what), one_line(by))
    }

    pub fn subject(&self) -> SubjectOfRuling<'_> {
        match self {
            Ruling::Entry(_) => SubjectOfRuling::Entry,
            Ruling::Case(decision) => SubjectOfRuling::Case(&decision.case),
            Ruling::Points(given) => SubjectOfRuling::Points(given.group.as_deref().map(short_group)),
        }
    }
}

fn short_group(name: &str) -> &str {
    name.strip_prefix("secret/").unwrap_or(name)
}

const COLUMNS: [&str; 10] =
    ["participant", "package", "entry", "case", "verdict", "reason", "group", "points", "comment", "by"];
/// A table has at least one of them.
const KINDS: [&str; 4] = ["entry", "case", "points", "comment"];

/// Reads a CSV; `file` is for messages.
pub(super) fn read_rows(file: &str, bytes: &[u8]) -> Result<Vec<DecisionRow>> {
    let CsvTable { head, rows } = read_table(bytes).map_err(Error::msg)?;
    if let Some(odd) = head.iter().find(|name| !COLUMNS.contains(name)) {
        bail!("line 1: unknown column `{odd}`; the columns are {}", COLUMNS.join(", "));
    }
    ensure!(head.iter().any(|name| name == "participant"), "line 1: no column `participant`");
    ensure!(
        head.iter().any(|name| KINDS.contains(&name)),
        "line 1: no column `entry`, `case`, `points` or `comment`"
    );
    let read = |row: CsvRow| {
        let place = RowPlace { file: file.to_owned(), line: row.line };
        read_row(&head, &row, place).with_context(|| format!("line {}", row.line))
    };
    rows.into_iter().map(read).collect()
}

fn read_row(head: &StringRecord, row: &CsvRow, place: RowPlace) -> Result<DecisionRow> {
    let CsvRow { cells, .. } = row;
    let cell = |name: &str| {
        let at = head.iter().position(|own| own == name)?;
        cells.get(at).filter(|text| !text.is_empty()).map(composed_name)
    };
    let participant = cell("participant").context("the cell `participant` is empty")?;
    let package = cell("package");
    let is_points = cell("points").is_some() || cell("comment").is_some();
    let kinds = [cell("entry").is_some(), cell("case").is_some(), is_points];
    let kinds = kinds.into_iter().filter(|is_there| *is_there).count();
    ensure!(kinds > 0, "a row needs an `entry`, a `case`, `points` or a `comment`");
    ensure!(kinds == 1, "a row decides an `entry`, a `case` or points, not both; write two rows");
    let own: &[&str] = match (cell("case"), is_points) {
        (Some(_), _) => &["verdict", "reason", "by"],
        (None, true) => &["group", "by"],
        (None, false) => &[],
    };
    let odd = ["verdict", "reason", "group", "by"]
        .into_iter()
        .find(|name| !own.contains(name) && cell(name).is_some());
    match odd {
        Some("group") => bail!("`group` is for a row with `points` or a `comment`"),
        Some(name) if is_points => {
            bail!("`{name}` is for a row with a `case`; this one has points or a comment")
        }
        Some(name) => bail!("`{name}` is for a row with a `case` or `points`; this one has an `entry`"),
        None => {}
    }
    let ruling = match (cell("entry"), cell("case")) {
        (Some(entry), _) => Ruling::Entry(entry),
        (None, Some(case)) => Ruling::Case(CaseDecision {
            case,
            verdict: read_verdict(&needed(cell("verdict"), "verdict")?)?,
            reason: needed(cell("reason"), "reason")?,
            by: needed(cell("by"), "by")?,
            place: place.clone(),
        }),
        (None, None) => Ruling::Points(PointsByHand {
            group: cell("group"),
            change: cell("points").map(|text| read_points(&text)).transpose()?,
            comment: cell("comment"),
            by: cell("by").context("no `by`: points and comments by hand say who gave them")?,
            place: place.clone(),
        }),
    };
    ensure!(cell("group").is_none() || !ruling.excuses(), "`-` excuses from the whole; leave `group` empty");
    let said = COLUMNS[2..].iter().map(|name| cell(name).unwrap_or_default()).collect();
    Ok(DecisionRow { participant, package, ruling, said, place })
}

/// `40` sets, `+5` and `-5` adjust, `-` excuses.
fn read_points(text: &str) -> Result<PointsChange> {
    if text == "-" {
        return Ok(PointsChange::Excuse);
    }
    let number = text.strip_prefix('+').unwrap_or(text);
    let is_plain = number.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let points = number.parse::<Points>().ok().filter(|_| is_plain && !text.starts_with("+-"));
    let points = points.with_context(|| {
        format!("`{text}` is not a number of points; write 40 or 7.5 to set them, +5 or -5 to adjust them, - for no grade")
    })?;
    let adjusts = text.starts_with(['+', '-']);
    Ok(if adjusts { PointsChange::Add(points) } else { PointsChange::Set(points) })
}

fn needed(text: Option<String>, column: &str) -> Result<String> {
    text.with_context(|| {
        format!("no `{column}`: a decision on a case has a verdict, a reason, and who decided it (`by`)")
    })
}

fn read_verdict(text: &str) -> Result<Verdict> {
    Verdict::of_case(text).with_context(|| {
        format!(
            "`{text}` is not a verdict of a case; write accepted (AC), wrong answer (WA), time limit (TLE), \
                idleness limit (ILE), memory limit (MLE), output limit (OLE) or run-time error (RTE)"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_tables_are_refused() {
        let case = "participant,entry,case,verdict,reason,by\n";
        let points = "participant,points,comment,group,by,entry\n";
        for (head, row, word) in [
            ("name,entry\n", "", "unknown column `name`"),
            ("entry\n", "x\n", "no column `participant`"),
            ("participant\n", "ada\n", "no column `entry`, `case`, `points` or `comment`"),
            ("participant,entry\n", "ada,\n", "line 2"),
            ("participant,entry\n", ",a.py\n", "`participant` is empty"),
            (case, "ada,a.py,secret/1,AC,fast,Noether\n", "not both"),
            (case, "ada,a.py,,AC,,\n", "`verdict` is for a row with a `case`"),
            (case, "ada,,secret/1,,fast,Noether\n", "no `verdict`"),
            (case, "ada,,secret/1,AC,,Noether\n", "no `reason`"),
            (case, "ada,,secret/1,AC,fast,\n", "no `by`"),
            (case, "ada,,secret/1,right,fast,Noether\n", "`right` is not a verdict of a case"),
            (points, "ada,5,,,,\n", "no `by`"),
            (points, "ada,five,,,Noether,\n", "line 2: `five` is not a number of points"),
            (points, "ada,\"7,5\",,,Noether,\n", "`7,5` is not a number of points"),
            (points, "ada,+-5,,,Noether,\n", "is not a number of points"),
            (points, "ada,-,,2,Noether,\n", "leave `group` empty"),
            (points, "ada,1e3,,,Noether,\n", "is not a number of points"),
            (points, "ada,,,2,Noether,\n", "a row needs"),
            (points, "ada,5,,,Noether,a.py\n", "not both"),
            (points, "ada,,,2,,a.py\n", "`group` is for a row with `points`"),
            (case, "ada,,secret/1,CE,fast,Noether\n", "`CE` is not a verdict of a case"),
        ] {
            let error = format!("{:#}", read_rows("a.csv", format!("{head}{row}").as_bytes()).unwrap_err());
            assert!(error.contains(word), "{error}");
        }
    }
}
