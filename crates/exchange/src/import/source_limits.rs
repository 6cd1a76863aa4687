//! Limits of a source, as a directory or as a zip.

use kopek_base::Bytes;

/// The number of files.
pub const MOST_FILES: usize = 100_000;
/// The size of a file.
pub const LARGEST: Bytes = Bytes::mib(1 << 10);
/// The size of all files.
pub const TOTAL: Bytes = Bytes::mib(8 << 10);
