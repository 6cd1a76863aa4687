//! The directories of a user, as the environment names them.

use std::{env, path::PathBuf};

/// A folder of this name in the user's cache.
pub(super) fn cache_named(name: &str) -> Option<PathBuf> {
    let home = || Some(absolute_variable("HOME")?.join(".cache"));
    Some(absolute_variable("XDG_CACHE_HOME").or_else(home)?.join(name))
}

/// The directory that a variable of the environment names.
pub(super) fn absolute_variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|dir| dir.is_absolute())
}
