//! One repository per participant: `ASSIGNMENT-LOGIN/`, as classrooms on GitHub and GitLab name them.

use crate::{
    found_files::{FileFinder, plain_name},
    found_person::{FoundClass, FoundPerson, LayoutRequest},
};
use kopek_base::{composed_name, files::name_of};
use kopek_package::package::HandIn;
use std::path::{Path, PathBuf};

/// Entries that only repositories have.
const SIGNS: [&str; 5] = [".git", ".github", ".gitlab-ci.yml", ".gitignore", ".gitattributes"];

pub(super) fn fits(entries: &[PathBuf]) -> bool {
    if !entries.iter().all(|path| path.is_dir()) {
        return false;
    }
    let is_repository = |path: &Path| SIGNS.iter().any(|sign| path.join(sign).exists());
    let repositories = entries.iter().filter(|path| is_repository(path)).count();
    repositories > 0 && repositories * 2 >= entries.len()
}

pub(super) fn find_people(request: LayoutRequest, finder: &mut FileFinder) -> FoundClass {
    let names: Vec<String> = request.entries.iter().map(|path| composed_name(&name_of(path))).collect();
    let prefix = assignment_prefix(&names, request.packages);
    let mut class = FoundClass::default();
    for (path, entry) in request.entries.iter().zip(&names) {
        let name = entry[prefix..].to_owned();
        let hand_in = HandIn { id: Some(name.clone()), ..HandIn::default() };
        class.people.push(FoundPerson::new(name, entry.clone(), hand_in, finder.find_files(path)));
    }
    class
}

/// Length of the common prefix up to a hyphen: the package's name, else the longest that all names share.
fn assignment_prefix(names: &[String], packages: &[String]) -> usize {
    let Some(first) = names.first() else { return 0 };
    let is_shared = |end: &usize| names.iter().all(|name| name.len() > *end && name[..*end] == first[..*end]);
    let ends = || first.match_indices('-').map(|(at, _)| at + 1).filter(|end| is_shared(end));
    let is_package = |end: &usize| packages.iter().any(|name| plain_name(name) == plain_name(&first[..*end]));
    let shared = || if names.len() > 1 { ends().next_back() } else { None };
    ends().find(is_package).or_else(shared).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assignment_is_cut_from_the_names() {
        let prefix = |names: &[&str], packages: &[&str]| {
            let text = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
            assignment_prefix(&text(names), &text(packages))
        };
        assert_eq!(prefix(&["ex-3-ada", "ex-3-bob"], &[]), "ex-3-".len());
        assert_eq!(prefix(&["two-sums-an-x", "two-sums-an-y"], &["two_sums"]), "two-sums-".len());
        assert_eq!(prefix(&["ada", "bob"], &[]), 0);
        assert_eq!(prefix(&["ex-3-ada"], &[]), 0);
        assert_eq!(prefix(&["sums-ada"], &["sums"]), 5);
    }
}
