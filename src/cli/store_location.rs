//! Chooses the store.

use super::{
    foreign_folders::ForeignFolders,
    store_register::StoreRegister,
    store_search::{self, StoreSearch, nearest_place, say_to_user},
    user_directories::cache_named,
};
use crate::store::Store;
use anyhow::{Context, Result};
use std::{
    env,
    path::{Path, PathBuf},
};

/// The option of commands that do not judge.
#[derive(clap::Args, Debug, Clone, Default)]
pub(super) struct StorePlace {
    /// Results cache [default: nearest .kopek, the package's, or ~/.cache/kopek]
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

    /// Opens the store, or creates it. A store given by the user is always trusted.
    pub(super) fn open(&self, foreign: &ForeignFolders) -> Result<Store> {
        let store = self.open_as_is(foreign)?;
        if self.fresh {
            store.ignore_older_facts();
        }
        Ok(store)
    }

    fn open_as_is(&self, foreign: &ForeignFolders) -> Result<Store> {
        if let Some(dir) = &self.place.store {
            return open_named(dir);
        }
        let open = |search: &StoreSearch| match search.open_existing()? {
            Some(store) => Ok(Some(store)),
            None => search.create_in_package(),
        };
        match search(foreign, open)? {
            Some(store) => Ok(store),
            None => Store::open(&user_cache()?),
        }
    }
}

impl StorePlace {
    /// The directory of the store, which is not trusted and need not exist.
    pub(super) fn dir(&self) -> Result<PathBuf> {
        if let Some(dir) = &self.store {
            return Ok(dir.clone());
        }
        let here = env::current_dir().ok();
        match here.and_then(|here| nearest_place(&here, this_user())) {
            Some(place) => {
                say_to_user(&format!("store: {}", place.display()));
                Ok(place)
            }
            None => user_cache(),
        }
    }
}

/// Opens or creates the store in a given directory.
pub(super) fn open_named(dir: &Path) -> Result<Store> {
    let is_new = !Store::is_at(dir);
    let store = Store::open(dir)?;
    // Only a store with this name can be found by searching later, so others need no note.
    if is_new && store.dir().file_name().is_some_and(|name| name == store_search::NAME) {
        store_search::enter(&store, &StoreRegister::of_user(), &|_| {})?;
    }
    Ok(store)
}

fn search(
    foreign: &ForeignFolders,
    open: impl FnOnce(&StoreSearch) -> Result<Option<Store>>,
) -> Result<Option<Store>> {
    let Ok(here) = env::current_dir() else { return Ok(None) };
    let register = &StoreRegister::of_user();
    open(&StoreSearch { here: &here, user: this_user(), foreign, register, say: &say_to_user })
}

fn this_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn user_cache() -> Result<PathBuf> {
    cache_named("kopek")
        .context("no place for the store: neither HOME nor XDG_CACHE_HOME is set; choose one with --store")
}
