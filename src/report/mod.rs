//! How results are shown: one file per format, each renders into a string.
//!
//! Decides nothing: what a submission is worth stands in its [`Scorecard`](crate::score::Scorecard).
//! Reads no files and knows no terminal; the caller says how wide it is.

mod csv_report;
mod details;
mod feedback;
mod html;
mod json_report;
mod page;
mod phrases;
mod remarks;
mod report_format;
mod results;
mod similar_report;
mod text_report;
mod text_table;
mod totals;

pub use details::render_details;
pub use feedback::report_files;
pub use html::similar_page;
pub use page::{Colour, Page};
pub use remarks::Audience;
pub use report_format::{ReportFormat, UnknownFormat, render};
pub use results::{CaseReport, Deduction, GroupHead, PackageReport, Report, ResultKind, RowReport};
pub use similar_report::{similar_json, similar_text};
