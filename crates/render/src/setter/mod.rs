//! What a setter's tools found: `verify`, `limits`, `mutate`, `stress`, `import`, `pack`.

mod import_text;
mod limit_picture;
mod limits_text;
mod mutation_text;
mod pack_text;
mod stress_text;
mod verified_builds;
mod verified_text;

pub use import_text::import_document;
pub use limits_text::limits_document;
pub use mutation_text::mutation_document;
pub use pack_text::{pack_document, questions_document};
pub use stress_text::stress_document;
pub use verified_builds::{render_verified_github, render_verified_junit, render_verified_lines};
pub use verified_text::verified_document;
