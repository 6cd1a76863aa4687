//! Packages that are ready for judging: found, read, and with all of their cases. Judges nothing.

mod loaded_package;
mod package_places;

pub use loaded_package::{LoadedPackage, load_package};
pub use package_places::{PackagePlace, find_packages, locate_package, package_around, unpack_aside};
