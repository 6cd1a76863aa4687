//! The files that TeX or pandoc make a PDF or a page of, and what their messages mean.
//!
//! ```text
//! problem.en.tex, or Markdown as TeX ──┐
//! title, limits, samples, figures ─────┴─document──► files          a log ──tex_errors──► one line
//! ```

mod document;
mod sample_tables;
mod tex_errors;

pub use document::{DOCUMENT, Document, PandocSource};
