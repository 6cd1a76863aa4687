//! A course: its rules, gradebooks, totals, and the report of a class.
//!
//! Prints nothing, and reads no environment.

mod course_points;
mod late_rule;
mod worksheet_late;

// The rules, as a file and the command line give them.
mod course;
mod course_file;
mod course_tree;
mod course_values;
mod unique_values;

// Reports: what changed since an earlier one.
mod changes;
mod earlier_report;
mod total_changes;

// The hand-ins that a report keeps.
mod hand_ins;

// Gradebooks.
mod grade_entries;
mod gradebook;
mod gradebook_formats;
mod gradebook_rows;
#[cfg(test)]
mod gradebook_tests;
mod gradebook_text;

pub use changes::{ClassExtent, add_earlier_changes, changes_since};
pub use course::{Course, FeedbackRules, LateRules, PointRules, TimeRules, TotalPlan};
pub use course_points::{LateTerms, NoScale, PackageMax, TotalRules};
pub use course_values::{
    HuntTime, LatePenalty, Named, OnlyStandardLibrary, Origin, PointWeight, PositivePoints, ProblemCount,
    RuleValue, Sourced, TimeSpan, ValueForm, quoted,
};
pub use earlier_report::{EarlierReport, NotAReport, OtherPackage};
pub use grade_entries::{EarlierGrade, GradeEntry, GradebookError, grade_entries};
pub use gradebook::{FilledGradebook, Gradebook, StandingGrades};
pub use gradebook_formats::GradebookKind;
pub use gradebook_rows::ClassRows;
pub use hand_ins::{HAND_INS, HandIns};
pub use late_rule::{LateRows, LateRule, LateTable, NoLateRule, apply_late_tables, parse_lateness};
pub use unique_values::KNOWN_NAMES;
pub use worksheet_late::{Deadline, Extension, worksheet_lateness};
