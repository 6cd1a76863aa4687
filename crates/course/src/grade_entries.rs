//! Grades for a gradebook, from a report.

use kopek_base::PersonName;
use kopek_package::points::Points;
use kopek_results::{
    CourseTotal, Report, RowByHand, RowReport, RowsOfParticipant, is_excused, max_total, rows_by_name,
    total_points,
};
use kopek_sentences::Said;

/// A grade for each participant: the points of all packages together.
pub fn grade_entries(report: &Report) -> Vec<GradeEntry> {
    let max = max_total(&report.packages, report.sheet.as_ref());
    let entry = |(PersonName(name), rows): (PersonName, RowsOfParticipant)| {
        let hand_in = rows.iter().flatten().next().map(|row| row.hand_in.clone()).unwrap_or_default();
        GradeEntry {
            name: name.to_owned(),
            id: hand_in.id,
            email: hand_in.email,
            points: total_points(&rows, report.sheet.as_ref()),
            max: max.clone(),
            max_with_bonus: None,
            earlier: earlier_grade(report, name),
            excused: is_excused(&rows),
            comment: comment_by_hand(report, name, &rows),
        }
    };
    rows_by_name(&report.packages).into_iter().map(entry).collect()
}

/// Points and comments by hand, with the names of several packages.
fn comment_by_hand(report: &Report, name: &str, rows: &[Option<&RowReport>]) -> Option<String> {
    let mut all = Vec::new();
    for (row, package) in rows.iter().zip(&report.packages) {
        for said in row.iter().flat_map(|row| &row.by_hand).flat_map(RowByHand::said) {
            let place = Said::Name { name: package.name.clone() };
            let is_only = report.packages.len() == 1;
            all.push(if is_only { said } else { Said::About { place: place.into(), reason: said.into() } });
        }
    }
    let total = report.sheet.as_ref().and_then(|sheet| sheet.total(name));
    all.extend(total.and_then(CourseTotal::by_hand_said));
    if all.is_empty() { None } else { Some(report.language.say_all(&all)) }
}

/// The total in the earlier report.
fn earlier_grade(report: &Report, name: &str) -> EarlierGrade {
    let Some(since) = &report.since else { return EarlierGrade::NotAsked };
    since.totals.get(name).cloned().map_or(EarlierGrade::Nothing, EarlierGrade::Given)
}

#[derive(Debug, Clone, Default)]
pub struct GradeEntry {
    /// As reports call the participant.
    pub name: String,
    /// The number of the platform, if it is known.
    pub id: Option<String>,
    /// E-mail, if it is known.
    pub email: Option<String>,
    /// The points; `None`: not known yet, and nothing is written.
    pub points: Option<Points>,
    /// Whether no points are written.
    pub excused: bool,
    /// The maximum points there are, if there are.
    pub max: Option<Points>,
    /// The same with all bonus problems, if it is known.
    pub max_with_bonus: Option<Points>,
    /// The grade of the earlier report.
    pub earlier: EarlierGrade,
    /// Points and comments by hand.
    pub comment: Option<String>,
}

/// The grade of an earlier report. Any other grade in the gradebook was written by a person.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EarlierGrade {
    /// There is no earlier report.
    #[default]
    NotAsked,
    /// The earlier report knows no points.
    Nothing,
    Given(Points),
}

/// Why a gradebook cannot be filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GradebookError(pub String);
