//! How results are shown: one file per format, each renders into a string.
//!
//! Decides nothing: the values of [`kopek_results`] have all that is shown. Only the command line uses this crate.
//! Reads no files and knows no terminal; the caller says how wide it is.

mod change_words;
mod class_cells;
mod class_columns;
mod classic_mistakes;
mod classroom50_report;
mod counterexample_text;
mod csv_cells;
mod csv_report;
mod details;
mod document;
mod end_of_run;
mod excerpts;
mod failed_case;
mod github_report;
mod gradescope_report;
mod html;
mod json_report;
mod junit;
mod line_diff;
mod open_cases;
mod own_counterexample;
mod page;
mod phrases;
mod report_files;
mod report_format;
mod run_json;
mod run_lines;
mod setter;
mod similar_report;
mod source_mistakes;
mod text_report;
mod text_table;
mod total_steps_text;

pub use classroom50_report::{Classroom50Result, Classroom50Run, NoSingleResult};
pub use details::{RunWords, WholeCases, render_case_table, render_run};
pub use document::Document;
pub use end_of_run::{end_of_run, reply_of_judge, visible_text};
pub use github_report::github_summary;
pub use html::{ClassView, class_page, moodle_answer, participant_pages, similar_page, whole_page};
pub use open_cases::open_lines;
pub use own_counterexample::render_failing_input;
pub use page::{Colour, Page};
pub use phrases::{json_text, try_json_text};
pub use report_files::report_files;
pub use report_format::{ReportFormat, UnknownFormat, render};
pub use run_json::render_run_json;
pub use run_lines::{SolutionFiles, finding_line, first_stop, render_run_lines};
pub use setter::{
    import_document, limits_document, mutation_document, pack_document, questions_document,
    render_verified_github, render_verified_junit, render_verified_lines, stress_document, verified_document,
};
pub use similar_report::similar_document;
pub use text_report::render_changed_rows;
