//! The table of languages: detects, lays out, builds and runs sources. Knows no problem and no machine: the
//! available tools are given as a [`Toolchain`].
//!
//! ```text
//! SourceFiles ──read_files────────► FileBytes ──┐
//! LanguageTable ──detect_language──► Language ──┴─SourceLayout::new──► SourceLayout
//! with a Toolchain: build_exec ──► Exec, run_exec ──► Exec
//! ```

mod command;
mod detect;
mod fill;
mod java_classes;
mod layout;
mod lexer;
mod missing_module;
mod missing_toolchain;
mod row;
mod scala_objects;
mod shebang;
mod snapshot;
mod suggestion;
mod table;

pub use command::{
    BuiltFiles, EXE, LaidSources, ReadyLanguage, WARM, build_exec, fill_here, precompile, run_exec,
    show_in_place, warm, with_own_box,
};
pub use detect::{DetectionError, check_allowed, detect_language};
pub use fill::{Values, fill};
pub use java_classes::classes_with_main;
pub use layout::{SourceLayout, Unbuildable};
pub use lexer::{SourceToken, SourceTokens, TokenKind, bare_code, code_words, known_lexer};
pub use missing_module::{ProgramEnd, missing_module};
pub use missing_toolchain::MissingToolchain;
pub use row::{
    EntryPoint, Extra, JobeRow, Language, LexerRow, MemoryBound, ModuleRow, PrecompiledHeader, RefusalSign,
    SourceFiles, StartRule, Toolchain,
};
pub use scala_objects::objects_with_main;
pub use shebang::foreign_interpreter;
pub use shebang::{language_of_shared_ending, other_version};
pub use snapshot::{FileBytes, Links, SnapshotError, SourceFile, read_files};
pub use table::{LanguageTable, check_code};

/// The header of testlib, used by many judge programs.
pub const TESTLIB_HEADER: &str = "testlib.h";
