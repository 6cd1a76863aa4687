//! Imports among the files of a tree, and their cycles.

use super::source_tree::{SourceFile, module_dir};
use regex_lite::Regex;
use std::collections::{BTreeMap, BTreeSet};

/// A module's name from the root: empty for `lib.rs`.
type Module = Vec<String>;
/// A path as it is written, its segments.
type Segments = Vec<String>;

pub struct Imports {
    modules: BTreeMap<Module, FileImports>,
    /// Is the crate one module?
    is_one_room: bool,
}

/// Which dependencies between files count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// An import, or a path.
    Imports,
    /// Also a call of a method whose `impl` block is not beside its type.
    ImportsAndCalls,
}

#[derive(Default)]
struct FileImports {
    /// What other files find here under a name that is defined elsewhere.
    names: BTreeMap<String, Segments>,
    /// Paths that the file itself needs. What it only passes on is not among them.
    needed: Vec<Segments>,
    /// Modules with a method that the file calls and that is defined apart from its type.
    called: BTreeSet<Module>,
}

impl Imports {
    /// Of the files of a crate.
    pub fn read<'a>(files: impl IntoIterator<Item = &'a SourceFile>) -> Imports {
        let files: Vec<&SourceFile> = files.into_iter().collect();
        let methods = methods_apart(&files);
        let calls = Regex::new(r"(?:\.|\b[A-Z]\w*::)(\w+)\(").unwrap();
        let (mut modules, mut rooms) = (BTreeMap::new(), BTreeSet::new());
        for file in files {
            let found = calls.captures_iter(&file.code).filter_map(|call| methods.get(&call[1]));
            let imports = FileImports { called: found.cloned().collect(), ..FileImports::read(&file.code) };
            modules.insert(module_of(file), imports);
            rooms.insert(&file.room);
        }
        Imports { modules, is_one_room: rooms.len() == 1 }
    }

    /// The module that a path leads to, seen from another; none outside of this crate.
    fn resolve(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let mut place = from.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (place, rest) = (Module::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while let Some(("super", more)) =
                    rest.split_first().map(|(first, more)| (first.as_str(), more))
                {
                    place.pop();
                    rest = more;
                }
            }
            name => {
                self.modules.get(&below(from, name))?;
            }
        }
        while let Some((name, more)) = rest.split_first() {
            let inner = below(&place, name);
            if !self.modules.contains_key(&inner) {
                let elsewhere = self.modules.get(&place).and_then(|file| file.names.get(name));
                // A name that leads back to itself would loop.
                let followed =
                    elsewhere.filter(|_| depth < 8).and_then(|path| self.resolve(&place, path, depth + 1));
                return Some(followed.unwrap_or(place));
            }
            (place, rest) = (inner, more);
        }
        Some(place)
    }

    /// Modules of the same room that a module needs.
    fn neighbours(&self, module: &Module, need: Need) -> BTreeSet<Module> {
        let file = &self.modules[module];
        let needed = file.needed.iter().filter_map(|path| self.resolve(module, path, 0));
        let called = file.called.iter().filter(|_| need == Need::ImportsAndCalls).cloned();
        let is_near = |other: &Module| self.is_one_room || other.first() == module.first();
        needed.chain(called).filter(|other| other != module && is_near(other)).collect()
    }

    /// A shortest circle through each module that is in one, as `a → b → a`; each circle once.
    pub fn cycles(&self, need: Need) -> Vec<String> {
        let edges: BTreeMap<&Module, BTreeSet<Module>> =
            self.modules.keys().map(|module| (module, self.neighbours(module, need))).collect();
        let mut found = BTreeMap::new();
        for start in self.modules.keys().filter(|module| !module.is_empty()) {
            if let Some(circle) = shortest_circle(&edges, start) {
                let members: BTreeSet<Module> = circle.iter().cloned().collect();
                found.entry(members).or_insert(circle);
            }
        }
        let names = |circle: &Vec<Module>| circle.iter().map(|module| module.join("::")).collect::<Vec<_>>();
        found.values().map(|circle| names(circle).join(" → ")).collect()
    }
}

/// Methods by name that are defined apart from their types. A call shows no type, so names that several functions
/// have are left out.
fn methods_apart(files: &[&SourceFile]) -> BTreeMap<String, Module> {
    let mut functions: BTreeMap<String, usize> = BTreeMap::new();
    for function in files.iter().flat_map(|file| file.functions()) {
        *functions.entry(function.name).or_default() += 1;
    }
    let methods =
        files.iter().flat_map(|file| file.foreign_methods().into_iter().map(|name| (name, module_of(file))));
    methods.filter(|(name, _)| functions[name] == 1).collect()
}

fn shortest_circle(edges: &BTreeMap<&Module, BTreeSet<Module>>, start: &Module) -> Option<Vec<Module>> {
    let mut paths = vec![vec![start.clone()]];
    let mut visited = BTreeSet::new();
    let mut next = 0;
    while let Some(path) = paths.get(next).cloned() {
        for neighbour in &edges[path.last()?] {
            let longer = [path.as_slice(), std::slice::from_ref(neighbour)].concat();
            if neighbour == start {
                return Some(longer);
            }
            if visited.insert(neighbour.clone()) {
                paths.push(longer);
            }
        }
        next += 1;
    }
    None
}

fn module_of(file: &SourceFile) -> Module {
    let dir = module_dir(&file.path);
    dir.iter().map(|part| part.to_string_lossy().into_owned()).collect()
}

fn below(module: &Module, name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

impl FileImports {
    fn read(code: &str) -> FileImports {
        let mut imports = FileImports::default();
        let statements = Regex::new(r"\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);").unwrap();
        for found in statements.captures_iter(code) {
            for (path, name) in expand_tree(&found[2]) {
                imports.names.insert(name, path.clone());
                // A re-export is no use.
                imports.needed.extend(found.get(1).is_none().then_some(path));
            }
        }
        let rest = statements.replace_all(code, " ");
        let paths = Regex::new(r"\b\w+(?:\s*::\s*\w+)+").unwrap();
        let segments = |path: &str| path.split("::").map(|part| part.trim().to_owned()).collect();
        imports.needed.extend(paths.find_iter(&rest).map(|path| segments(path.as_str())));
        imports
    }
}

/// The paths of a `use` with the names under which they are known: `a::{b, c::d as e}` is `a::b`, known as `b`,
/// and `a::c::d`, known as `e`.
pub fn expand_tree(tree: &str) -> Vec<(Segments, String)> {
    let tree = tree.trim();
    let Some((head, group)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let segments: Segments = path.split("::").map(|part| part.trim().to_owned()).collect();
        let name = if name.is_empty() { segments.last().unwrap().clone() } else { name.trim().to_owned() };
        return vec![(segments, name)];
    };
    let head: Segments =
        head.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let inner = split_top_level(group.rsplit_once('}').unwrap().0);
    let inner = inner.into_iter().filter(|item| !item.trim().is_empty());
    let mut all = Vec::new();
    for (mut tail, mut name) in inner.flat_map(expand_tree) {
        if tail == ["self"] {
            (tail, name) = (Segments::new(), head.last().unwrap().clone());
        }
        all.push(([head.as_slice(), &tail].concat(), name));
    }
    all
}

/// Items between commas outside of braces.
fn split_top_level(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&group[start..]);
    items
}

/// First segments of every `crate::…` path, also inside braces.
pub fn rooms_used(code: &str) -> BTreeSet<String> {
    let imports = FileImports::read(code);
    let all = imports.needed.iter().chain(imports.names.values());
    let inside = all.filter(|path| path[0] == "crate");
    inside.filter_map(|path| path.get(1).cloned()).collect()
}
