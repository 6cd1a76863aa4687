//! Where the store lies if nobody says it.

use crate::store::Store;
use anyhow::{Result, bail};
use std::{
    env,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// The name of a store beside what it is for.
const NAME: &str = ".kopek";

/// Which store is used.
#[derive(clap::Args, Debug, Clone, Default)]
pub(super) struct StoreOptions {
    /// The directory of the store, which keeps results for later runs [default: `.kopek` here or above,
    /// else in the package that this directory lies in, else kopek's folder in the user's cache]
    #[arg(long, value_name = "DIR", env = "KOPEK_STORE")]
    store: Option<PathBuf>,
}

impl StoreOptions {
    /// This store.
    #[cfg(feature = "cluster")]
    pub(super) fn at(dir: &Path) -> StoreOptions {
        StoreOptions { store: Some(dir.to_owned()) }
    }

    /// The store, if anything was stored yet.
    pub(super) fn open_if_there(&self) -> Result<Option<Store>> {
        let dir = self.dir()?;
        Store::is_at(&dir).then(|| Store::open_existing(&dir)).transpose()
    }

    /// Its directory; it need not be there yet.
    pub(super) fn dir(&self) -> Result<PathBuf> {
        if let Some(dir) = &self.store {
            return Ok(dir.clone());
        }
        let here = env::current_dir().ok();
        let near = here.as_deref().and_then(|here| store_near(here, rustix::process::geteuid().as_raw()));
        match near.or_else(user_cache) {
            Some(dir) => Ok(dir),
            None => {
                bail!("no place for the store: neither HOME nor XDG_CACHE_HOME is set; name one by --store")
            }
        }
    }
}

/// A store that is there already, or the place of one in the nearest package; of this user alone: what
/// others left in a folder above could hold any result.
fn store_near(here: &Path, user: u32) -> Option<PathBuf> {
    let is_own =
        |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_dir() && found.uid() == user);
    let mut above = here.ancestors();
    let package = |dir: &&Path| dir.join("problem.yaml").is_file() && is_own(dir);
    let there = above.map(|dir| dir.join(NAME)).find(|store| is_own(store));
    there.or_else(|| Some(above.find(package)?.join(NAME)))
}

fn user_cache() -> Option<PathBuf> {
    cache_named("kopek")
}

/// A folder of this name in the user's cache.
pub(super) fn cache_named(name: &str) -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|dir| dir.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Some(cache?.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_store_lies_in_the_nearest_package_or_where_one_is_already() {
        let root = tempfile::tempdir().unwrap();
        let (package, deep) = (root.path().join("sums"), root.path().join("sums/submissions/accepted"));
        fs::create_dir_all(&deep).unwrap();
        let user = rustix::process::geteuid().as_raw();
        assert_eq!(store_near(&deep, user), None);
        fs::write(package.join("problem.yaml"), "").unwrap();
        assert_eq!(store_near(&deep, user), Some(package.join(NAME)));
        fs::create_dir(root.path().join(NAME)).unwrap();
        assert_eq!(store_near(&deep, user), Some(root.path().join(NAME)));
        assert_eq!(store_near(&deep, user + 1), None, "what another user owns is never taken");
    }
}
