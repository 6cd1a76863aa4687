//! How results are shown: one file per format, each renders into a string.
//!
//! Decides nothing: a [`Scorecard`](kopek_engine::score::Scorecard) has the points of a submission.
//! Reads no files and knows no terminal; the caller says how wide it is.

mod best_attempts;
mod case_table;
mod change_reasons;
mod changes;
mod classroom50_report;
mod compiler_text;
mod csv_report;
mod details;
mod end_of_run;
mod excerpts;
mod failed_case;
mod feedback;
mod github_files;
mod github_report;
mod grade_entries;
mod grade_entry;
mod gradebook;
mod gradebook_formats;
mod gradebook_rows;
#[cfg(test)]
mod gradebook_tests;
mod gradebook_text;
mod gradescope_report;
mod html;
mod json_report;
mod open_cases;
mod own_tests;
mod page;
mod phrases;
mod public_report;
mod remarks;
mod report_format;
mod results;
mod run_json;
mod run_junit;
mod run_lines;
mod settled_cases;
mod similar_report;
mod source_findings;
mod text_report;
mod text_table;
mod totals;

pub use case_table::render_case_table;
pub use changes::{ClassExtent, EarlierReport, NotAReport};
pub use classroom50_report::{Classroom50Result, Classroom50Run, NoSingleResult};
pub use details::{RunWords, WholeCases, render_details, render_run};
pub use end_of_run::{end_of_run, end_of_talk, reply_of_judge, visible_text};
pub use failed_case::whole_transcript;
pub use feedback::report_files;
pub use github_files::github_summary;
pub use github_report::{escape_data, escape_property};
pub use grade_entries::grade_entries;
pub use grade_entry::{EarlierGrade, GradeEntry, GradebookError};
pub use gradebook::{FilledGradebook, Gradebook, StandingGrades, SubmissionCells};
pub use gradebook_formats::GradebookKind;
pub use html::{ClassView, class_page, participant_pages, similar_page, table_page};
pub use html::{PageFrame, whole_page};
pub use open_cases::open_lines;
pub use page::{Colour, Page};
pub use phrases::{escape_controls, limit_text, one_line, without_control_characters};
pub use public_report::public_report;
pub use remarks::Audience;
pub use report_format::{ReportFormat, UnknownFormat, render};
pub use results::{
    CaseReport, DataDigests, Deduction, FeedbackLevel, GradeChange, GroupHead, Noise, OpenCase, OpenReason,
    PackageReport, Report, ReportChanges, ResultKind, RowReport, Slowness, UndecidedCase,
};
pub use run_json::render_run_json;
pub use run_junit::escape_xml;
pub use run_junit::render_run_junit;
pub use run_lines::{SolutionFiles, finding_line, first_stop, render_run_lines};
pub use similar_report::{similar_json, similar_text};
pub use source_findings::{SourceFinding, compiler_findings, reason_of_stop, stop_of_program};
