//! The base of all modules: digests, sizes, files, words.
//!
//! Knows no problem, no verdict and no process.

mod byte_size;
mod clock;
mod decimal;
mod digest;
mod file_id;
pub mod files;
mod known_files;
pub mod nanoseconds;
mod natural_order;
mod parallel;
mod patience;
mod scratch;
mod seconds;
mod spelling;
pub mod table_text;
mod tree;
mod unpack;
pub mod wording;

pub use byte_size::Bytes;
pub use clock::Clock;
pub use decimal::Decimal;
pub use digest::{Digest, DigestFields};
pub use file_id::{FileId, Stamp, TreeId};
pub use known_files::KnownFiles;
pub use natural_order::{PersonName, natural_order};
pub use parallel::map_in_parallel;
pub use patience::Patience;
pub use scratch::with_scratch_root;
pub use scratch::{ScratchDir, ScratchRoot};
pub use seconds::{deserialize_seconds, seconds_number, serialize_seconds};
pub use spelling::{composed_name, edit_distance};
pub use tree::{TreeFields, is_program, tree_digest, tree_id};
pub use unpack::{ArchiveKind, ArchiveLimits, unpack_archive};
