//! A course: its rules, gradebooks, totals, and the report of a class.
//!
//! Prints nothing, and reads no environment.

// The values of the file, and what they mean.
mod course_points;
mod course_values;
mod late_rule;
mod placed_value;
mod worksheet_late;

// The folder of a report, and what changed since an earlier one.
mod changes;
mod earlier_report;
mod report_folder;
mod total_changes;

// The rules, as the file has them.
mod course;

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
pub use course::{Course, FeedbackRules};
pub use course_class::{ClassRequest, CourseFiles};
pub use course_event::{CourseEvent, OnCourseEvent};
pub use course_package::package_max;
pub use course_values::HuntTime;
pub use earlier_report::EarlierReport;
pub use grade_course::{CourseRequest, GradedCourse, grade_course};
pub use gradebook::{Gradebook, StandingGrades};
pub use placed_value::Placed;
pub use platforms::Platform;
pub use report_folder::{is_inside, lock_folder, write_report};
pub use rulings::Rulings;
