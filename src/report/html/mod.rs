//! Pages for browsers: one file each, which asks nobody for anything.

mod frame;
mod similar_page;

pub use similar_page::similar_page;
