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

// The folder of a report.
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
mod downloads;
mod grade_course;
mod rulings;

pub use changes::{ClassExtent, changes_since};
pub use class_gradebook::GradebookFile;
pub use course::{Course, FeedbackRules, LateRules, PointRules, TimeRules};
pub use course_class::{ClassRequest, CourseFiles};
pub use course_event::{CourseEvent, OnCourseEvent};
pub use course_package::package_max;
pub use course_values::{
    HuntTime, LatePenalty, Named, Origin, PointWeight, PositivePoints, RuleValue, Sourced, TimeSpan, quoted,
};
pub use earlier_report::EarlierReport;
pub use grade_course::{CourseRequest, GradedCourse, grade_course};
pub use gradebook::{Gradebook, StandingGrades};
pub use platforms::Platform;
pub use report_folder::{is_inside, lock_folder, write_report};
pub use rulings::Rulings;
pub use worksheet_late::{Deadline, Extension};
