//! The part of a row about precompiled headers.

use serde::{Deserialize, Serialize};

/// How a row makes and uses precompiled headers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrecompiledHeader {
    /// Compiles the header `/box/all.h`, which includes standard headers. The files that this command leaves
    /// in `/box` are mounted in builds that may use them.
    pub make: Vec<String>,
    /// Additional arguments of the build command for these programs; `/warm` means the path of the mount.
    pub give: Vec<String>,
}
