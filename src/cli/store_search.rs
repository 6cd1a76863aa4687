//! Finds a store without `--store`: an existing one, or a place for one in the nearest package.
//!
//! kopek trusts the facts in a store, so the store must belong to this user. If others wrote the files around
//! it, this user must have created it there: its id is noted in the user's state directory.

use super::{foreign_folders::ForeignFolders, store_register::StoreRegister, terminal_output::print_message};
use crate::store::Store;
use anyhow::Result;
use std::{
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// The name of a store next to packages or hand-ins.
pub(super) const NAME: &str = ".kopek";

/// The place to search, and the rules of trust.
pub(super) struct StoreSearch<'a> {
    pub(super) here: &'a Path,
    pub(super) user: u32,
    pub(super) foreign: &'a ForeignFolders,
    pub(super) register: &'a StoreRegister,
    /// Prints the place of the store, and warnings about ignored ones.
    pub(super) say: &'a dyn Fn(&str),
}

/// Prints a line to standard error.
pub(super) fn say_to_user(line: &str) {
    print_message!("{line}");
}

impl StoreSearch<'_> {
    /// Opens the nearest trusted store.
    pub(super) fn open_existing(&self) -> Result<Option<Store>> {
        for folder in self.here.ancestors() {
            let place = folder.join(NAME);
            if !is_own(&place, self.user) {
                continue;
            }
            if let Some(store) = self.open_own(&place)? {
                (self.say)(&format!("store: {}", place.display()));
                return Ok(Some(store));
            }
            if !self.foreign.reach(folder) {
                return self.adopt(&place).map(Some);
            }
            (self.say)(&format!(
                "warning: ignored the store {0}, which may have come with the hand-ins; if it is yours, use \
                    --store {0}",
                place.display()
            ));
        }
        Ok(None)
    }

    /// Creates a store in the nearest package.
    pub(super) fn create_in_package(&self) -> Result<Option<Store>> {
        match place_in_package(self.here, self.user).filter(|place| place.symlink_metadata().is_err()) {
            None => Ok(None),
            Some(place) => {
                (self.say)(&format!("store: {}", place.display()));
                self.create(&place).map(Some)
            }
        }
    }

    /// Opens the store if this user created it here.
    fn open_own(&self, place: &Path) -> Result<Option<Store>> {
        let Some(id) = self.register.id_at(place) else { return Ok(None) };
        // The store was emptied.
        if !Store::is_at(place) {
            return self.create(place).map(Some);
        }
        let store = Store::open(place)?;
        Ok(if store.id()? == id { Some(store) } else { None })
    }

    /// Registers a store of an older kopek, or one moved from elsewhere, as this user's own.
    fn adopt(&self, place: &Path) -> Result<Store> {
        let adopted = if Store::is_at(place) { ", which is yours from now on" } else { "" };
        (self.say)(&format!("store: {}{adopted}", place.display()));
        self.create(place)
    }

    fn create(&self, place: &Path) -> Result<Store> {
        let store = Store::open(place)?;
        enter(&store, self.register, self.say)?;
        Ok(store)
    }
}

/// Notes that this user created the store.
pub(super) fn enter(store: &Store, register: &StoreRegister, say: &dyn Fn(&str)) -> Result<()> {
    let id = store.id()?;
    let place = store.dir().canonicalize().unwrap_or_else(|_| store.dir().to_owned());
    if let Err(error) = register.enter(&place, &id) {
        say(&format!("warning: {error:#}"));
    }
    Ok(())
}

/// The place of an existing store, trusted or not, or of a new one in the nearest package.
pub(super) fn nearest_place(here: &Path, user: u32) -> Option<PathBuf> {
    let there = here.ancestors().map(|dir| dir.join(NAME)).find(|store| is_own(store, user));
    there.or_else(|| place_in_package(here, user))
}

fn place_in_package(here: &Path, user: u32) -> Option<PathBuf> {
    let is_package = |dir: &&Path| dir.join("problem.yaml").is_file() && is_own(dir, user);
    Some(here.ancestors().find(is_package)?.join(NAME))
}

/// Whether this user owns the directory; a store of another user could hold any result.
fn is_own(path: &Path, user: u32) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir() && found.uid() == user)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{cell::RefCell, fs};
    use tempfile::TempDir;

    /// A course with a package and a class.
    struct Course(TempDir);

    impl Course {
        fn new() -> Course {
            let course = Course(tempfile::tempdir().unwrap());
            for dir in ["sums/data", "class/eve/src"] {
                fs::create_dir_all(course.path(dir)).unwrap();
            }
            fs::write(course.path("sums/problem.yaml"), "").unwrap();
            fs::write(course.path("class/eve/src/a.py"), "").unwrap();
            course
        }

        fn path(&self, below: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(below)
        }

        fn plant(&self, folder: &str) {
            Store::open(&self.path(folder).join(NAME)).unwrap();
        }

        /// The store used from this folder of the course, and the printed lines.
        fn search(&self, here: &str, foreign: &ForeignFolders) -> (Option<String>, Vec<String>) {
            let lines = RefCell::new(Vec::new());
            let search = StoreSearch {
                here: &self.path(here),
                user: rustix::process::geteuid().as_raw(),
                foreign,
                register: &StoreRegister::at(&self.path("state")),
                say: &|line| {
                    lines.borrow_mut().push(line.replace(&self.path("").display().to_string(), ""));
                },
            };
            let found = search.open_existing().unwrap();
            let found = found.map_or_else(|| search.create_in_package().unwrap(), Some);
            let below = |store: Store| {
                let below = store.dir().strip_prefix(self.path("")).unwrap();
                below.parent().unwrap().display().to_string()
            };
            (found.map(below), lines.into_inner())
        }

        fn class(&self) -> ForeignFolders {
            ForeignFolders::of_class(&[&self.path("class")])
        }

        fn solution(&self) -> ForeignFolders {
            ForeignFolders::of_solutions([&*self.path("class/eve/src/a.py")], Some(&self.path("sums")))
        }
    }

    #[test]
    fn a_store_is_made_in_the_nearest_package_and_found_again() {
        let course = Course::new();
        let nothing = ForeignFolders::of_packages([&course.path("sums")]);
        assert_eq!(course.search("class/eve", &nothing), (None, vec![]));
        let found = (Some("sums".into()), vec!["store: sums/.kopek".into()]);
        assert_eq!(course.search("sums/data", &nothing), found);
        assert_eq!(course.search("sums/data", &nothing), found);
        // The owner empties it.
        crate::store::Prune::All.perform(&course.path("sums/.kopek")).unwrap();
        assert_eq!(course.search("sums", &course.class()), found);
    }

    #[test]
    fn a_planted_store_is_passed_over_with_a_warning() {
        let course = Course::new();
        course.plant("class/eve");
        course.plant("class/eve/src");
        for foreign in [course.class(), course.solution()] {
            let (found, lines) = course.search("class/eve/src", &foreign);
            assert_eq!((found, lines.len()), (None, 2), "{lines:?}");
            assert!(
                lines[0].starts_with("warning: ignored the store class/eve/src/.kopek, which may have"),
                "{lines:?}"
            );
        }
        // A package in a hand-in does not make the store trusted either.
        fs::write(course.path("class/eve/problem.yaml"), "").unwrap();
        assert_eq!(course.search("class/eve", &course.class()).0, None);
    }

    #[test]
    fn a_store_outside_is_adopted_once() {
        let course = Course::new();
        course.plant("");
        let adopted = (Some(String::new()), vec!["store: .kopek, which is yours from now on".into()]);
        assert_eq!(course.search("class/eve/src", &course.solution()), adopted);
        let found = (Some(String::new()), vec!["store: .kopek".into()]);
        assert_eq!(course.search("class/eve/src", &course.solution()), found);
        assert_eq!(course.search("class", &course.class()), found);
    }

    #[test]
    fn a_store_in_the_place_of_ones_own_is_another() {
        let course = Course::new();
        fs::write(course.path("class/problem.yaml"), "").unwrap();
        assert_eq!(course.search("class", &course.class()).0, Some("class".into()), "made here by this user");
        assert_eq!(course.search("class", &course.class()).0, Some("class".into()), "found again");
        fs::remove_dir_all(course.path("class/.kopek")).unwrap();
        course.plant("class");
        assert_eq!(course.search("class", &course.class()).0, None);
    }

    #[test]
    fn stores_of_other_users_are_never_taken() {
        let course = Course::new();
        course.plant("sums");
        let (here, user) = (course.path("sums"), rustix::process::geteuid().as_raw());
        assert_eq!(nearest_place(&here, user), Some(course.path("sums/.kopek")));
        assert_eq!(nearest_place(&here, user + 1), None);
    }
}
