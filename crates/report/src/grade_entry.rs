//! What a gradebook is told of a participant.

use kopek_engine::points::Points;

/// A participant's grade.
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
    /// The greatest points there are, if there are.
    pub max: Option<Points>,
    /// What was given before.
    pub earlier: EarlierGrade,
}

/// What a participant was given before: by it a grade that a person wrote is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EarlierGrade {
    /// There is no earlier report.
    #[default]
    NotAsked,
    /// The earlier report knows no points.
    Nothing,
    /// These points.
    Given(Points),
}

/// Why a gradebook cannot be filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GradebookError(pub String);
