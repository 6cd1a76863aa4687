//! The toolchains of this machine: locates the tools of a language, identifies and tests them, and
//! precompiles headers for many builds. Knows no package.
//!
//! ```text
//! Language ──find_tools──► paths ──look_at_toolchain──► guard: has it changed?          runs nothing
//!                            └─────identify_toolchain──► Toolchain ──prove_toolchain──► it builds and runs `hello`
//! ```

mod found_toolchains;
mod frequent_header;
mod guard;
mod header_choice;
mod identify;
mod leading_includes;
mod locate;
mod modules;
mod precompiled;
mod precompiled_headers;
mod prove;
mod standard_headers;
mod tools;

pub(crate) use found_toolchains::FoundToolchains;
pub use frequent_header::FrequentHeader;
pub use guard::{ToolchainLook, look_at_toolchain};
pub use identify::identify_toolchain;
pub use locate::Search;
pub(crate) use precompiled::{secret_name, show_precompiled};
pub(crate) use precompiled_headers::{ChosenHeader, HeaderBuild, SampleBuild};
pub use prove::{prove_toolchain, warm_toolchain};
pub use tools::{NoToolchain, find_tools};
