//! The table of languages: how sources are recognised, built and run, and the
//! identity of their toolchains. Knows no problem, and keeps nothing on disk.
//!
//! ```text
//! Table ──detect──► Language ──Program::new──► Program ──build──► Exec
//!                      └──────identify──► Toolchain ─┘    └─run──► Exec
//! ```

mod classes;
mod command;
mod detect;
mod fill;
mod identify;
mod locate;
mod near;
mod program;
mod prove;
mod row;
mod shebang;
mod table;

pub use command::{EXE, run, writing};
pub use detect::{Undetected, detect};
pub use identify::{Missing, NoToolchain, find, identify, stamp};
pub use locate::Search;
pub use program::{Program, Unbuildable};
pub use prove::{prove, warm};
pub use row::{Entry, Extra, Language, Source, Toolchain};
pub use shebang::stranger;
pub use table::Table;
