//! What a setter's tools found: `verify`, `limits`, `mutate`, `stress`, `import`, `pack`.

mod import_text;
mod limit_picture;
mod mutation_page;
mod mutation_text;
mod pack_text;
mod stress_text;
mod verified_builds;
mod verified_text;

pub use import_text::render_imported;
pub use limit_picture::render_survey;
pub use mutation_page::mutation_page;
pub use mutation_text::{mutation_json, render_mutation};
pub use pack_text::render_bundle;
pub use stress_text::{render_stress, stress_json};
pub use verified_builds::{render_verified_github, render_verified_junit, render_verified_lines};
pub use verified_text::render_verified;
