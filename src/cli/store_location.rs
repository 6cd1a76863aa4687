//! Chooses the store: the one that the user names, else the one in the user's cache.

use super::user_directories::cache_named;
use crate::store::Store;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The option of commands that do not judge.
#[derive(clap::Args, Debug, Clone, Default)]
pub(super) struct StorePlace {
    /// Results cache [default: ~/.cache/kopek]
    #[arg(long, value_name = "DIR", env = "KOPEK_STORE", hide_env_values = true)]
    store: Option<PathBuf>,
}

/// Options for the store.
#[derive(clap::Args, Debug, Clone, Default)]
pub(super) struct StoreOptions {
    #[command(flatten)]
    place: StorePlace,
    /// Ignore cached results and replace them
    #[arg(long)]
    fresh: bool,
}

impl StoreOptions {
    /// Options for this store.
    pub(super) fn at(dir: &Path) -> StoreOptions {
        StoreOptions { place: StorePlace { store: Some(dir.to_owned()) }, fresh: false }
    }

    /// Opens the store, or creates it.
    pub(super) fn open(&self) -> Result<Store> {
        let store = Store::open(&self.place.dir()?)?;
        if self.fresh {
            store.ignore_older_facts();
        }
        Ok(store)
    }
}

impl StorePlace {
    /// The directory of the store, which need not exist.
    pub(super) fn dir(&self) -> Result<PathBuf> {
        match &self.store {
            Some(dir) => Ok(dir.clone()),
            None => cache_named("kopek").context(
                "no place for the store: neither HOME nor XDG_CACHE_HOME is set; choose one with --store",
            ),
        }
    }
}
