//! A participant's grade for a gradebook.

use kopek_engine::points::Points;

#[derive(Debug, Clone)]
pub struct GradeEntry {
    /// As reports call the participant.
    pub name: String,
    /// The number of the platform, if it is known.
    pub id: Option<String>,
    /// E-mail, if it is known.
    pub email: Option<String>,
    /// The points; `None`: not known yet, and nothing is written.
    pub points: Option<Points>,
    /// The maximum points there are, if there are.
    pub max: Option<Points>,
    /// The grade of the earlier report.
    pub earlier: EarlierGrade,
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
