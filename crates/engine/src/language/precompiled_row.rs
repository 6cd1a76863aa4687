//! What a row says of precompiled headers.

use serde::{Deserialize, Serialize};

/// How a row makes and uses them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrecompiledHeader {
    /// Compiles the header `/box/all.h`, which includes standard headers: what this command leaves in `/box` is shown at
    /// `/warm` to builds that may use it.
    pub make: Vec<String>,
    /// What the build command of these programs has in addition.
    pub give: Vec<String>,
}
