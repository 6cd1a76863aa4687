//! What is too much for a problem package, as a directory or as a zip.

use kopek_base::Bytes;

/// More files than this are no problem package.
pub const MOST_FILES: usize = 100_000;
/// No file is larger.
pub const LARGEST: Bytes = Bytes::mib(1 << 10);
/// All of them together are not larger.
pub const TOTAL: Bytes = Bytes::mib(8 << 10);
