//! The house keeps its own rules: layers, names, lengths, who may print, who may be unsafe.

mod imports;
mod names;
mod source_tree;
mod waits;

use imports::{Imports, Need, expand_tree, rooms_used};
use names::{count_one_word_functions, forbidden_names, shared_type_names, words_of};
use regex_lite::Regex;
use source_tree::{SourceFile, blank_literals, crates, module_dir, root, sources};
use std::{fs, path::Path};

#[track_caller]
fn assert_none(culprits: &[String], rule: &str) {
    assert!(culprits.is_empty(), "{rule}:\n{}", culprits.join("\n"));
}

#[test]
fn a_module_uses_only_modules_above_it() {
    let mut culprits = Vec::new();
    for file in sources() {
        let own_crate = crates().iter().find(|each| each.dir == file.dir).unwrap();
        let rank = |name: &str| own_crate.layers.iter().position(|layer| layer == name);
        let Some(own) = rank(&file.room) else { continue };
        for name in rooms_used(&file.code) {
            if rank(&name).is_some_and(|other| other > own) {
                culprits.push(format!("{} uses crate::{name}", file.place()));
            }
        }
    }
    assert_none(&culprits, "a module may use only modules above it");
}

/// What shells complete is made of the whole command line, which has a subcommand for it.
const NEEDED_CIRCLE: &str = "cli → cli::completions → cli";

#[test]
fn files_of_a_room_import_each_other_in_no_circle() {
    assert_none(&all_circles(Need::Imports), "what both need moves down into a file of its own");
}

#[test]
fn files_of_a_room_call_each_other_in_no_circle() {
    let why = "move the `impl` block beside its type, or make the method a function";
    assert_none(&all_circles(Need::ImportsAndCalls), why);
}

fn all_circles(need: Need) -> Vec<String> {
    let of_crate = |dir: &String| sources().iter().filter(|file| file.dir == *dir).collect::<Vec<_>>();
    let all = crates().iter().flat_map(|each| Imports::read(of_crate(&each.dir)).cycles(need));
    all.filter(|circle| circle != NEEDED_CIRCLE).collect()
}

#[test]
fn circles_of_imports_are_found_through_braces_and_names_that_are_passed_on() {
    let tree = |top: &str, first: &str, second: &str| {
        let file = |path: &str, text: &str| SourceFile::new("src", Path::new(path), text);
        Imports::read(&[file("a/mod.rs", top), file("a/first.rs", first), file("a/second.rs", second)])
            .cycles(Need::ImportsAndCalls)
    };
    let top = "mod first;\nmod second;\npub use first::First;";
    assert_eq!(tree(top, "pub struct First;", "use super::First;"), Vec::<String>::new());
    let circle = ["a::first → a::second → a::first"];
    assert_eq!(tree(top, "use super::second::{self, Second};", "use crate::a::First;"), circle);
    assert_eq!(tree(top, "fn f() { super::second::g() }", "use super::{First, x::y};"), circle);
    let tested = "pub struct First;\n#[cfg(test)]\nmod tests { use super::super::second::Second; }";
    assert_eq!(tree(top, tested, "use super::First;"), Vec::<String>::new());
    assert_eq!(tree("mod first; pub struct Top; fn f() { first::f() }", "use super::Top;", "").len(), 1);
    let apart = "use super::First;\nimpl<'a> First<'a> {\n    fn grow(&self) {}\n}";
    assert_eq!(tree(top, "pub struct First;\nfn f(first: First) { first.grow() }", apart), circle);
    assert_eq!(tree(top, "pub struct First;\nfn f(first: First) { First::grow(&first) }", apart), circle);
    assert_eq!(tree(top, "pub struct First;\nfn f() { shrink() }", apart), Vec::<String>::new());
    assert_eq!(
        tree(top, "pub struct First;\nfn grow() {} fn f(x: X) { x.grow() }", apart),
        Vec::<String>::new()
    );
}

/// Functions that take a tuple apart or a bool all the same.
const ODD_SIGNATURES: [&str; 5] = [
    "base/tree::add_file",
    "cli/machine_options::of_worker",
    "cli/talk_command::side",
    "language/shebang::language_of_shared_ending",
    "package/testset/modern_data::read_secret",
];

/// Functions with a tuple for a pattern or with a bool among their parameters.
fn odd_signatures(file: &SourceFile) -> Vec<String> {
    let is_odd = |one: &String| one.starts_with('(') || one.ends_with(": bool");
    let odd = file.functions().into_iter().filter(|function| function.parameters.iter().any(is_odd));
    odd.map(|function| format!("{}::{}", module_dir(&file.inner_path()).display(), function.name)).collect()
}

#[test]
fn parameters_are_neither_tuples_nor_bools() {
    let mut found: Vec<String> = sources().iter().flat_map(odd_signatures).collect();
    let gone: Vec<String> = ODD_SIGNATURES
        .iter()
        .filter(|name| !found.iter().any(|one| one == *name))
        .map(|name| name.to_string())
        .collect();
    assert_none(&gone, "exceptions that are none any more");
    found.retain(|name| !ODD_SIGNATURES.contains(&name.as_str()));
    assert_none(&found, "make it a small enum or struct, or take two parameters");
}

#[test]
fn tuples_and_bools_are_found_among_all_parameters() {
    let text = "fn f<T: Fn(u8) -> bool>(a: T, (b, c): (u8, u8)) {}\nfn g(&self, is_it: bool) -> bool {}\n\
                fn h(a: Vec<(u8, bool)>, b: impl Fn(bool) -> bool, [c, d]: [u8; 2]) {}\nfn i(\n    a: u8,\n    b: bool,\n) {}";
    let file = SourceFile::new("src", Path::new("x/mod.rs"), text);
    assert_eq!(odd_signatures(&file), ["x::f", "x::g", "x::i"]);
    assert_eq!(file.functions()[2].parameters.len(), 3);
}

#[test]
fn braces_of_imports_are_read_at_every_depth() {
    let tree = "crate::{\n    base::{Bytes, Digest as Name},\n    plan,\n}";
    let paths: Vec<String> =
        expand_tree(tree).into_iter().map(|(path, name)| format!("{} {name}", path.join("::"))).collect();
    assert_eq!(paths, ["crate::base::Bytes Bytes", "crate::base::Digest Name", "crate::plan plan"]);
    let code = format!("use {tree};\nlet x = crate::store::open();");
    assert_eq!(rooms_used(&code), ["base", "plan", "store"].map(String::from).into());
}

#[test]
fn only_test_items_are_cut_and_only_literals_blanked() {
    let text = "#[cfg(test)]\nuse a::b;\nfn f() -> [u8; 2] { '{' }\n#[cfg(test)]\nmod tests { fn g() {} }\nfn h<'a>() {}\n";
    let file = SourceFile::new("src", Path::new("x.rs"), text);
    let names: Vec<String> = file.functions().into_iter().map(|function| function.name).collect();
    assert_eq!(names, ["f", "h"]);
    assert!(!file.code.contains("use a::b") && file.code.len() == text.len());
    let literals =
        "let a = \"x\\\"{\"; // {\nlet b = br#\"{\"#; let c = '\\''; fn f<'a>(x: &'a str) { /* } */ }";
    let code = blank_literals(literals);
    assert_eq!((code.len(), code.matches('{').count(), code.matches("'a").count()), (literals.len(), 1, 2));
}

#[test]
fn every_file_says_what_it_is_for() {
    for file in sources() {
        assert!(file.text.starts_with("//! "), "{} does not open with `//! `", file.place());
    }
}

/// Words, where they are allowed, and why.
const FENCES: [(&str, &[&str], &str); 12] = [
    ("println!", &["cli", "coins/command"], "only command lines print"),
    ("eprintln!", &["cli", "coins/command"], "only command lines print"),
    ("print!(", &["cli", "coins/command"], "only command lines print"),
    ("env::var", &["cli"], "only cli reads the environment"),
    ("env::args", &["cli", "sandbox"], "only cli reads arguments, and the worker's entry"),
    ("process::exit", &["cli", "sandbox"], "only cli exits, and the worker"),
    ("Command::new", &["sandbox"], "only sandbox starts processes"),
    ("unsafe {", &["sandbox/sys", "coins/vector"], "unsafe code is fenced"),
    ("unsafe fn", &["sandbox/sys", "coins/vector"], "unsafe code is fenced"),
    ("thread::spawn", THREADED, "an executor owns the concurrency"),
    ("thread::scope", THREADED, "an executor owns the concurrency"),
    ("thread::Builder", THREADED, "an executor owns the concurrency"),
];

/// Where threads are started.
const THREADED: &[&str] = &[
    // Answers system calls while the judge waits for their program.
    "sandbox/boxes/built_programs",
    "exec",
    "coins",
    // Toolchains are found while packages and hand-ins are read.
    "machine/resources",
    // Pure work on many things at once.
    "base/parallel",
    // A browser may be slow, and judging must not wait for it.
    "web",
    // A worker's slots, beside the runtime of the connection.
    "cluster",
];

/// Modules that neither read nor write.
const PURE: [&str; 7] = ["verdict", "points", "plan", "timing", "score", "results", "render"];

#[test]
fn pure_modules_touch_no_file() {
    let mut culprits = Vec::new();
    for file in sources().iter().filter(|file| PURE.contains(&file.room.as_str())) {
        let words = ["fs::", "File::", "io::stdin", "io::stdout", "io::stderr"];
        let found = words.iter().filter(|word| file.code.contains(*word));
        culprits.extend(found.map(|word| format!("{}: `{word}`", file.place())));
    }
    assert_none(&culprits, "verdicts, points, plans, times, scores, results and renderers are pure");
}

#[test]
fn fences_hold() {
    let mut culprits = Vec::new();
    for file in sources() {
        for (word, allowed, why) in FENCES {
            if file.code.contains(word) && !allowed.iter().any(|place| file.is_within(place)) {
                culprits.push(format!("{}: `{word}`: {why}", file.place()));
            }
        }
    }
    assert_none(&culprits, "what stands behind a fence");
}

#[test]
fn every_unsafe_block_says_why_it_is_safe() {
    for file in sources() {
        let lines: Vec<&str> = file.text.lines().collect();
        for (number, _) in lines.iter().enumerate().filter(|(_, line)| line.contains("unsafe {")) {
            let above = &lines[number.saturating_sub(8)..=number];
            let place = format!("{}:{}", file.place(), number + 1);
            assert!(
                above.iter().any(|line| line.contains("SAFETY:")),
                "{place}: an unsafe block without `// SAFETY:`"
            );
        }
    }
}

#[test]
fn no_key_is_made_of_debug_output() {
    let debug = Regex::new(r"\{\w*:#?\?\}").unwrap();
    let mut culprits = Vec::new();
    for file in sources() {
        for function in file.functions() {
            let body = &file.shipped[function.range.clone()];
            let makes_key = body.contains("Fields::new(") || body.contains(".with(\"");
            if makes_key && debug.is_match(body) {
                let line = file.line_of(function.range.start);
                culprits.push(format!("{}:{line}: `{}`", file.place(), function.name));
            }
        }
    }
    assert_none(&culprits, "debug output may change with a compiler, and the keys of facts must not");
}

#[test]
fn names_say_what_things_are() {
    assert_eq!(words_of("ReadProblem_yaml2"), ["read", "problem", "yaml2"]);
    assert_none(&forbidden_names(sources()), "names of files, types and functions");
}

#[test]
fn a_type_name_exists_once() {
    let (shared, total) = shared_type_names(sources());
    let sharing: usize = shared.values().map(Vec::len).sum();
    let list: Vec<String> =
        shared.iter().map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    assert!(20 * sharing <= total, "{sharing} of {total} types share their names:\n{}", list.join("\n"));
}

#[test]
fn functions_have_names_of_several_words() {
    let (single, total) = count_one_word_functions(sources());
    assert!(5 * single <= 2 * total, "{single} of {total} functions have a name of one word");
}

#[test]
fn no_function_is_longer_than_a_page() {
    let mut culprits = Vec::new();
    for file in sources() {
        for function in file.functions() {
            let lines = file.text[function.range.clone()].lines().count();
            if lines > 60 {
                culprits.push(format!("{}: `{}`: {lines} lines", file.place(), function.name));
            }
        }
    }
    assert_none(&culprits, "60 lines are a page");
}

/// Paths in backquotes that have a slash or a known ending.
fn named_paths(text: &str) -> Vec<String> {
    let quoted = Regex::new(r"`((?:[\w.-]+/)*[\w.-]+/?)`").unwrap();
    let all = quoted.captures_iter(text).map(|found| found[1].to_owned());
    let is_path = |name: &String| {
        name.contains('/') || [".md", ".rs", ".toml"].iter().any(|ending| name.ends_with(ending))
    };
    all.filter(is_path).collect()
}

#[test]
fn newcomers_find_what_the_guide_names() {
    let guide = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    assert!(root().join("CHANGELOG.md").is_file());
    let paths = named_paths(&guide);
    assert!(paths.len() >= 20, "the guide has lost its paths: {paths:?}");
    let gone: Vec<String> = paths.into_iter().filter(|path| !root().join(path).exists()).collect();
    assert_none(&gone, "CONTRIBUTING.md names what does not exist");
}
