//! The parts of a row about precompiled headers and missing modules.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// How a program reports a missing module, and how to install one. In all texts, `{}` is the name of the module.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModuleRow {
    /// The last line on standard error.
    pub message: String,
    /// Its Debian package; empty: there is none.
    #[serde(default)]
    pub install: String,
    /// Its packages for other package managers.
    #[serde(default)]
    pub install_with: BTreeMap<String, String>,
}
