//! Chooses the store: the one that the user names, else the one in the user's cache.

use crate::store::Store;
use anyhow::{Context, Result};
use std::{
    env,
    path::{Path, PathBuf},
};

/// Where the store is.
#[derive(clap::Args, Debug, Clone, Default)]
pub(super) struct StorePlace {
    /// Results cache [default: ~/.cache/kopek]
    #[arg(long, value_name = "DIR", env = "KOPEK_STORE", hide_env_values = true)]
    store: Option<PathBuf>,
}

impl StorePlace {
    pub(super) fn at(dir: &Path) -> StorePlace {
        StorePlace { store: Some(dir.to_owned()) }
    }

    /// Opens the store, or creates it.
    pub(super) fn open(&self) -> Result<Store> {
        Store::open(&self.dir()?)
    }

    /// The directory of the store, which need not exist.
    pub(super) fn dir(&self) -> Result<PathBuf> {
        match &self.store {
            Some(dir) => Ok(dir.clone()),
            None => user_cache().context(
                "no place for the store: neither HOME nor XDG_CACHE_HOME is set; choose one with --store",
            ),
        }
    }
}

fn user_cache() -> Option<PathBuf> {
    let home = || Some(absolute_variable("HOME")?.join(".cache"));
    Some(absolute_variable("XDG_CACHE_HOME").or_else(home)?.join("kopek"))
}

/// The directory in an environment variable, if it is absolute.
#[expect(clippy::disallowed_methods, reason = "settings of the user")]
fn absolute_variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|dir| dir.is_absolute())
}
