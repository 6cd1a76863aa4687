//! The table of languages: how sources are recognised, built and run, and the
//! identity of their toolchains. Knows no problem, and keeps nothing on disk.
//!
//! ```text
//! SourceFiles ──read_files────────► FileBytes ──┐
//! LanguageTable ──detect_language──► Language ──┴─SourceLayout::new──► SourceLayout
//!                                       └─identify_toolchain──► Toolchain
//! what is built or run, with a Toolchain: build_exec ──► Exec, run_exec ──► Exec
//! ```

mod command;
mod detect;
mod fill;
mod guard;
mod header_choice;
mod identify;
mod java_classes;
mod layout;
mod leading_includes;
mod lexer_row;
mod locate;
mod precompiled;
mod precompiled_row;
mod prove;
mod row;
mod scala_objects;
mod shebang;
mod snapshot;
mod standard_headers;
mod suggestion;
mod table;
mod tools;

pub use command::{EXE, build_exec, run_exec, with_own_box};
pub(crate) use detect::check_allowed;
pub use detect::{DetectionError, detect_language};
pub use guard::{ToolchainLook, look_at_toolchain};
pub(crate) use header_choice::{best_header, choose_headers};
pub use identify::identify_toolchain;
pub use java_classes::{classes_with_main, split_words};
pub use layout::{SourceLayout, Unbuildable};
pub(crate) use leading_includes::leading_includes;
pub use lexer_row::LexerRow;
pub use locate::Search;
pub(crate) use precompiled::{contents_of, header_name, precompile_headers, show_precompiled};
pub use precompiled_row::PrecompiledHeader;
pub use prove::{prove_toolchain, warm_toolchain};
pub use row::{EntryPoint, Extra, Language, SourceFiles, Toolchain};
pub use scala_objects::objects_with_main;
pub use shebang::foreign_interpreter;
pub use shebang::{language_of_shared_ending, other_version};
pub use snapshot::{FileBytes, Links, SnapshotError, SourceFile, read_files};
pub(crate) use standard_headers::HeaderRun;
pub use table::{LanguageTable, check_code};
pub use tools::{MissingToolchain, NoToolchain, find_tools};

/// The header of testlib, which many judge programs are written with.
pub const TESTLIB_HEADER: &str = "testlib.h";
