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

// The folder of a report, and the hand-ins that it keeps.
mod hand_ins;
mod report_folder;

// Gradebooks.
mod grade_entries;
mod gradebook;
mod gradebook_formats;
mod gradebook_rows;
#[cfg(test)]
mod gradebook_tests;
mod gradebook_text;

// Learning platforms.
mod class_gradebook;
mod feedback_zip;
mod platforms;

// Grading.
mod anonymity;
mod counterexample_hunt;
mod course_class;
mod course_event;
mod course_package;
mod course_run;
mod grade_course;
mod rulings;

pub use changes::{ClassExtent, changes_since};
pub use class_gradebook::{GradebookFile, OpenGradebook};
pub use course::{Course, FeedbackRules, LateRules, PointRules, TimeRules, TotalPlan};
pub use course_class::{ClassRequest, CourseClass, CourseFiles};
pub use course_event::{CourseEvent, OnCourseEvent};
pub use course_package::package_max;
pub use course_points::{LateTerms, NoScale, PackageMax, TotalRules};
pub use course_values::{
    HuntTime, LatePenalty, Named, OnlyStandardLibrary, Origin, PointWeight, PositivePoints, ProblemCount,
    RuleValue, Sourced, TimeSpan, ValueForm, quoted,
};
pub use earlier_report::{EarlierReport, NotAReport, OtherPackage};
pub use grade_course::{CourseRequest, GradedCourse, ParticipantPages, grade_course};
pub use grade_entries::{EarlierGrade, GradeEntry, GradebookError, grade_entries};
pub use gradebook::{FilledGradebook, Gradebook, StandingGrades};
pub use gradebook_formats::GradebookKind;
pub use gradebook_rows::ClassRows;
pub use hand_ins::{HAND_INS, HandIns};
pub use late_rule::{LateRows, LateRule, LateTable, NoLateRule, apply_late_tables, parse_lateness};
pub use platforms::{Platform, platform_of};
pub use report_folder::{is_inside, lock_folder, write_report};
pub use rulings::Rulings;
pub use worksheet_late::{Deadline, Extension, worksheet_lateness};
