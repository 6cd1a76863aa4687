//! The user's directories from environment variables.

use std::{env, path::PathBuf};

/// The folder with this name in the user's cache.
pub(super) fn cache_named(name: &str) -> Option<PathBuf> {
    let home = || Some(absolute_variable("HOME")?.join(".cache"));
    Some(absolute_variable("XDG_CACHE_HOME").or_else(home)?.join(name))
}

/// The directory in an environment variable, if it is absolute.
#[expect(clippy::disallowed_methods, reason = "settings of the user")]
fn absolute_variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|dir| dir.is_absolute())
}
