//! Pages for browsers: one file each, which loads nothing.

mod charts;
mod class_mistakes;
mod class_page;
pub(super) mod frame;
mod growth_chart;
mod moodle_answer;
mod package_section;
mod participant_page;
mod program_text;
mod results_table;
mod similar_page;

pub use class_page::class_page;
pub use frame::{ClassView, whole_page};
pub use moodle_answer::moodle_answer;
pub use participant_page::participant_pages;
pub use similar_page::similar_page;
