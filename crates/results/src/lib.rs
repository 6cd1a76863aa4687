//! What is known about a run: plain data between the drivers, which make it, and the renderers, which show it.
//!
//! No text for people, no colour, no file.

mod public_report;
mod report;
mod source_findings;
mod totals;

pub use public_report::{decision_text, public_report};
pub use report::{
    CaseReport, DataDigests, Deduction, FeedbackLevel, GradeChange, GroupHead, Noise, OpenCase, OpenReason,
    PackageReport, PersonKey, Report, ReportChanges, ResultKind, RowReport, Slowness, SubmissionCells,
    UndecidedCase,
};
pub use source_findings::{
    SourceFinding, compiler_findings, compiler_findings_in, error_lines, reason_of_stop, stop_of_program,
};
pub use totals::{RowsOfParticipant, max_total, rows_by_name, total_deduction, total_points};
