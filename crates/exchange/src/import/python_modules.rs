//! Modules that a Python program imports from the package: they are copied beside it.

use super::{
    draft::{Content, DraftFiles},
    source::ForeignPackage,
};
use anyhow::Result;
use regex_lite::Regex;
use std::collections::BTreeSet;

/// Modules of the package that a program imports, directly or not, by their names beside the program.
/// `places`: directories to search after that of the program.
pub fn imported_modules(source: &ForeignPackage, program: &str, places: &[&str]) -> Result<DraftFiles> {
    let own = program.rsplit_once('/').map_or("", |(dir, _)| dir);
    // Elsewhere only if the program names that directory: a file there may have the name of a
    // library module by chance.
    let looks_around = source.read_text(program)?.contains("sys.path");
    let others = places.iter().copied().filter(|_| looks_around);
    let dirs: Vec<&str> = std::iter::once(own).chain(others).collect();
    let (mut files, mut todo) = (DraftFiles::new(), vec![program.to_owned()]);
    while let Some(path) = todo.pop() {
        for module in imported_names(&source.read_text(&path)?) {
            for (name, found) in files_of_module(source, &dirs, &module) {
                // Its own modules may import the program, which has another name here.
                if found != program && !files.contains_key(&name) {
                    files.insert(name, Content::File(source.path_of(&found)?));
                    todo.push(found);
                }
            }
        }
    }
    Ok(files)
}

/// The file of a module, or all files of its directory, in the first place that has it.
fn files_of_module(source: &ForeignPackage, dirs: &[&str], module: &str) -> Vec<(String, String)> {
    let below = |dir: &&str| match dir.is_empty() {
        true => String::new(),
        false => format!("{dir}/"),
    };
    for start in dirs.iter().map(below) {
        let file = format!("{start}{module}.py");
        if source.has(&file) {
            return vec![(format!("{module}.py"), file)];
        }
        let inside = format!("{start}{module}/");
        let parts = source.paths().filter(|path| path.starts_with(&inside) && path.ends_with(".py"));
        let parts: Vec<_> = parts.map(|path| (path[start.len()..].to_owned(), path.to_owned())).collect();
        if !parts.is_empty() {
            return parts;
        }
    }
    Vec::new()
}

/// The first parts of all names that a text imports.
fn imported_names(text: &str) -> BTreeSet<String> {
    let from = Regex::new(r"^\s*from\s+\.*(\w+)[\w.]*\s+import\b").expect("a pattern that was tried");
    let plain = Regex::new(r"^\s*import\s+([\w\s.,]+)").expect("a pattern that was tried");
    let mut names = BTreeSet::new();
    for line in text.lines() {
        names.extend(from.captures(line).map(|found| found[1].to_owned()));
        let listed = plain.captures(line).map(|found| found[1].to_owned()).unwrap_or_default();
        let first =
            |part: &str| part.trim().split(|c: char| c == '.' || c.is_whitespace()).next().map(str::to_owned);
        names.extend(listed.split(',').filter_map(first).filter(|name| !name.is_empty()));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_every_form_of_import() {
        let text = "import sys, limits as l\n  import parts.deep\nfrom .near import x\nfrom far.off import (a,\n\
                    # import hidden\nprint('import no')\n";
        let names: Vec<String> = imported_names(text).into_iter().collect();
        assert_eq!(names, ["far", "limits", "near", "parts", "sys"]);
    }
}
