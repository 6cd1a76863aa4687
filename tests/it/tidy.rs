//! The house keeps its own rules: layers, headings, who may print, who may be unsafe.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file with its path below `src/` and its text.
fn sources() -> Vec<(PathBuf, String)> {
    let src = root().join("src");
    let files = WalkDir::new(&src).sort_by_file_name().into_iter().map(Result::unwrap);
    let rust = files.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "rs"));
    rust.map(|entry| {
        let text = fs::read_to_string(entry.path()).unwrap();
        (entry.path().strip_prefix(&src).unwrap().to_owned(), text)
    })
    .collect()
}

/// The part of a file that ships: without its tests, comments and string contents kept.
fn shipped(text: &str) -> String {
    let end = text.find("#[cfg(test)]").unwrap_or(text.len());
    let code = text[..end].lines().filter(|line| !line.trim_start().starts_with("//"));
    code.map(|line| format!("{line}\n")).collect()
}

/// Modules in the order of `lib.rs`.
fn layers() -> Vec<String> {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let modules = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    modules.map(str::to_owned).collect()
}

/// The module a file belongs to: its first path component without ending.
fn module(path: &Path) -> String {
    let first = Path::new(path.components().next().unwrap().as_os_str());
    first.file_stem().unwrap().to_string_lossy().into_owned()
}

/// First segments of every `crate::…` path, also inside braces.
fn used(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(top_level(group)),
            None => names.extend(identifier(rest)),
        }
    }
    names
}

fn identifier(text: &str) -> Option<String> {
    let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

/// Identifiers that open an item of a brace group.
fn top_level(group: &str) -> Vec<String> {
    let (mut depth, mut items, mut item) = (0, Vec::new(), String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => items.push(std::mem::take(&mut item)),
            _ if depth == 0 => item.push(c),
            _ => {}
        }
    }
    items.push(item);
    items.iter().filter_map(|item| identifier(item.trim())).collect()
}

#[test]
fn brace_groups_are_read_at_their_top_level() {
    let code = "use crate::{\n    base::{Bytes, Digest},\n    plan,\n};\nlet x = crate::store::open();";
    assert_eq!(used(code), ["base", "plan", "store"].map(String::from).into());
}

#[test]
fn a_module_uses_only_modules_above_it() {
    let layers = layers();
    let rank = |name: &str| layers.iter().position(|layer| layer == name);
    let mut culprits = Vec::new();
    for (path, text) in sources() {
        let Some(own) = rank(&module(&path)) else { continue };
        for name in used(&shipped(&text)) {
            if rank(&name).is_some_and(|other| other > own) {
                culprits.push(format!("src/{} uses crate::{name}", path.display()));
            }
        }
    }
    assert!(culprits.is_empty(), "a module may use only modules above it:\n{}", culprits.join("\n"));
}

#[test]
fn the_coin_games_use_nothing_of_the_judge() {
    for (path, text) in sources().iter().filter(|(path, _)| module(path) == "coins") {
        let others: Vec<_> = used(&shipped(text)).into_iter().filter(|name| name != "coins").collect();
        assert!(others.is_empty(), "src/{} uses {others:?}", path.display());
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for (path, text) in sources() {
        assert!(text.starts_with("//! "), "src/{} does not open with `//! `", path.display());
    }
}

/// Words, where they are allowed, and why.
const FENCES: [(&str, &[&str], &str); 9] = [
    ("println!", &["cli"], "only cli prints"),
    ("eprintln!", &["cli"], "only cli prints"),
    ("print!(", &["cli"], "only cli prints"),
    ("env::var", &["cli"], "only cli reads the environment"),
    ("env::args", &["cli", "sandbox"], "only cli reads arguments, and the worker's entry"),
    ("process::exit", &["cli", "sandbox"], "only cli exits, and the worker"),
    ("Command::new", &["sandbox"], "only sandbox starts processes"),
    ("unsafe {", &["sandbox/sys", "coins/vector"], "unsafe code is fenced"),
    ("unsafe fn", &["sandbox/sys", "coins/vector"], "unsafe code is fenced"),
];

#[test]
fn fences_hold() {
    let mut culprits = Vec::new();
    for (path, text) in sources() {
        let code = shipped(&text);
        for (word, allowed, why) in FENCES {
            if code.contains(word)
                && !allowed.iter().any(|place| path.starts_with(place) || fenced(&path, place))
            {
                culprits.push(format!("src/{}: `{word}`: {why}", path.display()));
            }
        }
    }
    assert!(culprits.is_empty(), "{}", culprits.join("\n"));
}

/// `sandbox/sys` fences `sandbox/sys.rs` and all below `sandbox/sys/`.
fn fenced(path: &Path, place: &str) -> bool {
    path.with_extension("") == Path::new(place)
}

#[test]
fn every_unsafe_block_says_why_it_is_safe() {
    for (path, text) in sources() {
        let lines: Vec<&str> = text.lines().collect();
        for (number, _) in lines.iter().enumerate().filter(|(_, line)| line.contains("unsafe {")) {
            let above = &lines[number.saturating_sub(8)..=number];
            assert!(
                above.iter().any(|line| line.contains("SAFETY:")),
                "src/{}:{}: an unsafe block without `// SAFETY:`",
                path.display(),
                number + 1
            );
        }
    }
}

/// Words that would hide what a thing is.
const VAGUE: [&str; 8] = ["manager", "handler", "helper", "util", "utils", "common", "processor", "service"];

#[test]
fn files_have_true_names() {
    for (path, _) in sources() {
        let stem = path.file_stem().unwrap().to_string_lossy();
        assert!(!VAGUE.contains(&stem.as_ref()), "src/{}: name it by what it is", path.display());
    }
}
