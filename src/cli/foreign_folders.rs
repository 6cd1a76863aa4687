//! Folders with files from others: hand-ins, and the folders around a single solution.

use crate::base::files::directory_of;
use std::path::{Path, PathBuf};

/// Folders where a store found by searching is trusted only if this user created it.
#[derive(Debug, Default)]
pub(super) struct ForeignFolders {
    /// Nothing inside these is trusted.
    folders: Vec<PathBuf>,
    /// Only these and their parent folders are trusted.
    packages: Option<Vec<PathBuf>>,
}

impl ForeignFolders {
    /// For a class. An archive has none, because it is unpacked elsewhere.
    pub(super) fn of_class(hand_ins: &[&Path]) -> ForeignFolders {
        let places = hand_ins.iter().flat_map(|place| place.canonicalize());
        ForeignFolders { folders: places.filter(|path| path.is_dir()).collect(), packages: None }
    }

    /// For packages alone: any other working directory may be a hand-in.
    pub(super) fn of_packages<'a>(packages: impl IntoIterator<Item = &'a PathBuf>) -> ForeignFolders {
        let packages = packages.into_iter().filter_map(|path| path.canonicalize().ok()).collect();
        ForeignFolders { folders: Vec::new(), packages: Some(packages) }
    }

    /// For single solutions and their package. The extent of the hand-in around a solution is unknown.
    pub(super) fn of_solutions<'a>(
        solutions: impl IntoIterator<Item = &'a Path>,
        package: Option<&PathBuf>,
    ) -> ForeignFolders {
        let mut folders = Vec::new();
        for place in solutions.into_iter().flat_map(places_of) {
            if place.is_dir() {
                folders.push(place);
            } else if let Some(folder) = place.parent() {
                folders.push(folder.to_owned());
            }
        }
        ForeignFolders { folders, ..ForeignFolders::of_packages(package) }
    }

    /// Whether someone else could have created a store in this folder.
    pub(super) fn reach(&self, folder: &Path) -> bool {
        let is_inside = self.folders.iter().any(|foreign| folder.starts_with(foreign));
        let holds_package = |packages: &Vec<PathBuf>| packages.iter().any(|path| path.starts_with(folder));
        is_inside || self.packages.as_ref().is_some_and(|packages| !holds_package(packages))
    }
}

/// The path itself and its link target, canonicalized.
fn places_of(path: &Path) -> Vec<PathBuf> {
    let mut places = Vec::new();
    if let (Some(name), Ok(folder)) = (path.file_name(), directory_of(path).canonicalize()) {
        places.push(folder.join(name));
    }
    places.extend(path.canonicalize());
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn hand_ins_are_foreign_and_what_is_around_a_solution_up_to_the_package() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for dir in ["course/sums/submissions", "course/class/eve/src"] {
            fs::create_dir_all(home.join(dir)).unwrap();
        }
        let (solution, package) = (home.join("course/class/eve/src/a.py"), home.join("course/sums"));
        fs::write(&solution, "").unwrap();
        let reached = |foreign: ForeignFolders| {
            let folders =
                ["course", "course/class", "course/class/eve", "course/class/eve/src", "course/sums"];
            folders.map(|folder| foreign.reach(&home.join(folder)))
        };
        let of_solution =
            |package: Option<&PathBuf>| reached(ForeignFolders::of_solutions([&*solution], package));
        assert_eq!(of_solution(Some(&package)), [false, true, true, true, false]);
        assert_eq!(of_solution(None), [true; 5]);
        let class = ForeignFolders::of_class(&[&home.join("course/class")]);
        assert_eq!(reached(class), [false, true, true, true, false]);
        assert_eq!(reached(ForeignFolders::of_packages([&package])), [false, true, true, true, false]);
        std::os::unix::fs::symlink(&solution, home.join("course/sums/a.py")).unwrap();
        let linked = ForeignFolders::of_solutions([&*home.join("course/sums/a.py")], Some(&package));
        assert_eq!(reached(linked), [false, true, true, true, true]);
    }
}
