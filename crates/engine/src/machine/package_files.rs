//! Reads a package, with the store's cache of file digests.

use super::resources::Machine;
use anyhow::Result;
use kopek_base::KnownFiles;
use kopek_package::package::{self, Package, PackageReading};
use std::{path::Path, sync::Arc};

fn name_of(dir: &Path) -> String {
    let real = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    format!("files:{}", real.display())
}

/// Reads a package; later, only changed files of its data are read again.
pub fn read_package(machine: &Machine, dir: &Path) -> Result<PackageReading> {
    let mut reading = package::read_linked(dir, machine.links)?;
    if !machine.store.is_fresh()
        && let Some(package) = reading.package.as_mut()
    {
        let known: Option<KnownFiles> = machine.store.recall(&name_of(dir)).ok().flatten();
        package.known_files = Arc::new(known.unwrap_or_default());
    }
    Ok(reading)
}

/// Caches the digests of a package's files. Only a cache: a file that is not in it is read again.
pub fn remember_files(machine: &Machine, package: &Package) {
    if let Some(files) = package.known_files.to_keep() {
        let _ = machine.store.remember(&name_of(&package.dir), &files);
    }
}
