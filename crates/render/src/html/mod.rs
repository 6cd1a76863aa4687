//! Pages for browsers: one file each, which loads nothing.

mod case_sentence;
mod charts;
mod class_page;
pub(super) mod class_view;
mod frame;
mod open_cases;
mod package_section;
mod participant_page;
mod program_text;
mod results_table;
mod similar_page;

pub use class_page::class_page;
pub use class_view::ClassView;
pub use frame::whole_page;
pub use participant_page::participant_pages;
pub use similar_page::similar_page;
