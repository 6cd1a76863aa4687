//! The output validator as a checker for systems with another calling convention: one C++ file with an adapter.
//!
//! The default comparison is such a validator, too. `on_exit` catches every exit, so the validator needs no change.

use super::{
    own_grading::{OwnGroup, own_groups},
    packed::{PackSource, validator_mentions},
    target::Target,
};
use anyhow::{Context, Result};
use kopek_package::package::{Judge, Package, PackageProgram, TestSet};
use regex_lite::Regex;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

const HEAD: &str = include_str!("adapters/head.cpp");
const COMPARISON: &str = include_str!("adapters/comparison.cpp");
const TAIL: &str = include_str!("adapters/tail.cpp");

const SOURCES: &[&str] = &["cpp", "cc", "cxx", "c++", "C"];
const HEADERS: &[&str] = &["h", "hpp", "hh", "hxx"];

/// The required language of a validator, if it is in another one.
pub fn odd_language(package: &Package, target: Target) -> Option<&'static str> {
    let Judge::Programs { programs, .. } = &package.judge else { return None };
    let [program] = programs.as_slice() else { return Some("a single program") };
    let files = &program.source.files;
    let sources = files.iter().filter(|file| has_ending(file, SOURCES)).count();
    if sources == 1 && files.iter().all(|file| is_cpp(file)) {
        return None;
    }
    match (target, python_main(program)) {
        (Target::Cms, Some(_)) => None,
        (Target::Cms, None) => Some("one C++ file with its headers, or Python"),
        _ => Some("one C++ file with its headers"),
    }
}

/// The file of a Python program that Python runs.
fn python_main(program: &PackageProgram) -> Option<&Path> {
    let files = &program.source.files;
    let scripts: Vec<&PathBuf> = files.iter().filter(|file| has_ending(file, &["py"])).collect();
    let is_other =
        |file: &PathBuf| is_cpp(file) || ["build", "run"].iter().any(|name| file == Path::new(name));
    if files.iter().any(is_other) {
        return None;
    }
    match scripts.as_slice() {
        [only] => Some(only),
        several => several.iter().find(|file| **file == Path::new("__main__.py")).map(|file| file.as_path()),
    }
}

/// Whether it is a source or header of C++.
pub fn is_cpp(file: &Path) -> bool {
    has_ending(file, SOURCES) || has_ending(file, HEADERS)
}

fn has_ending(file: &Path, endings: &[&str]) -> bool {
    file.extension().and_then(|end| end.to_str()).is_some_and(|end| endings.contains(&end))
}

/// Arguments of the output validator, if they differ between cases.
pub fn varying_arguments(tests: &TestSet) -> Option<String> {
    let all: BTreeSet<String> = tests.cases.iter().map(|case| case.output_validator_args.join(" ")).collect();
    let shown: Vec<String> = all.iter().map(|args| format!("`{args}`")).collect();
    if all.len() > 1 { Some(shown.join(", ")) } else { None }
}

/// Whether the validator writes absolute points for cases of different maxima.
pub fn varying_scores(package: &Package, tests: &TestSet) -> bool {
    package.kind.scoring && validator_mentions(package, "score.txt") && case_worths(package, tests).len() > 1
}

/// The maxima of secret cases.
fn case_worths(package: &Package, tests: &TestSet) -> BTreeSet<(u64, u64)> {
    // Unreduced fractions suffice: all cases of a group have the same.
    let worth = |group: &OwnGroup| (group.max, if group.sums { group.cases.len() as u64 } else { 1 });
    own_groups(package, tests).iter().map(worth).collect()
}

/// The package's validator in Python, if it is one, and its adapter as one script.
pub fn adapted_script(source: &PackSource, adapter: &str) -> Result<Option<String>> {
    let Judge::Programs { programs, .. } = &source.package.judge else { return Ok(None) };
    let Some(main) = python_main(&programs[0]) else { return Ok(None) };
    let mut files = String::new();
    for (name, text) in texts_of(source, &programs[0])? {
        files += &format!("\n    {}: {},", python_text(&name), python_text(&text));
    }
    let (max, parts) = case_worth(source);
    let arguments: Vec<String> = arguments(source).iter().map(|word| python_text(word)).collect();
    let script = adapter
        .replace("@MAIN@", &python_text(&main.to_string_lossy()))
        .replace("@MOST@", &format!("{max} / {parts}"))
        .replace("@ARGUMENTS@", &arguments.join(", "));
    // Last: the files may contain the marks.
    Ok(Some(script.replace("@FILES@", &format!("{files}\n"))))
}

/// The validator and `adapter` as one source. The adapter stands first, where no macro of the validator reaches it.
pub fn adapted_validator(source: &PackSource, adapter: &str) -> Result<String> {
    let validator = match &source.package.judge {
        Judge::Default => COMPARISON.to_owned(),
        Judge::Programs { programs, .. } => joined_source(source, &programs[0])?,
    };
    let main = Regex::new(r"\bmain(\s*\()").expect("a pattern that was tried");
    let validator = main.replace_all(&validator, "validator_main$1");
    let arguments = arguments(source);
    let longest = arguments.iter().map(String::len).max().unwrap_or(0) + 1;
    let quoted: String = arguments.iter().map(|word| format!("{}, ", cpp_text(word))).collect();
    let (max, parts) = case_worth(source);
    let head = HEAD
        .replace("@SYSTEM@", source.target.name())
        .replace("@MOST@", &format!("{max}.0 / {parts}"))
        .replace("@INTERACTIVE@", &source.package.kind.interactive.to_string())
        .replace("@LONGEST@", &longest.to_string())
        .replace("@ARGUMENTS@ ", &quoted);
    Ok(format!("{head}{adapter}\n{}\n{TAIL}", validator.trim_end()))
}

/// The validator's arguments, the same for all cases.
fn arguments<'a>(source: &PackSource<'a>) -> &'a [String] {
    source.tests.cases.first().map_or(&[], |case| &case.output_validator_args)
}

/// The maximum of a case, as a fraction.
fn case_worth(source: &PackSource) -> (u64, u64) {
    case_worths(source.package, source.tests).into_iter().next().unwrap_or((1, 1))
}

/// The files of a program by their names, with constants filled in.
fn texts_of(source: &PackSource, program: &PackageProgram) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for file in &program.source.files {
        let text = source.read_filled(&program.source.root.join(file))?;
        texts.insert(file.to_string_lossy().into_owned(), text);
    }
    Ok(texts)
}

/// The program's only source with its headers in it.
fn joined_source(source: &PackSource, program: &PackageProgram) -> Result<String> {
    let texts = texts_of(source, program)?;
    let is_source = |name: &&String| name.rsplit_once('.').is_some_and(|(_, end)| SOURCES.contains(&end));
    let main = texts.keys().find(is_source).cloned().context("an output validator without a source")?;
    Ok(with_headers(&main, &texts, &mut BTreeSet::new()))
}

/// Puts every header in the place of its first `#include`.
fn with_headers(name: &str, texts: &BTreeMap<String, String>, seen: &mut BTreeSet<String>) -> String {
    let mut joined = String::new();
    for line in texts[name].lines() {
        let included = line.trim_start().strip_prefix('#').and_then(|rest| {
            let (name, _) =
                rest.trim_start().strip_prefix("include")?.trim_start().strip_prefix('"')?.split_once('"')?;
            if texts.contains_key(name) { Some(name) } else { None }
        });
        match included {
            Some(header) if seen.insert(header.to_owned()) => joined += &with_headers(header, texts, seen),
            Some(_) => {}
            // A single file includes it once anyway.
            None if line.trim() == "#pragma once" => {}
            None => joined += &format!("{line}\n"),
        }
    }
    joined
}

/// A text as a literal of Python.
pub fn python_text(text: &str) -> String {
    serde_json::to_string(text).expect("every text is JSON, whose literals Python reads")
}

/// A text as a literal of C++.
pub fn cpp_text(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\?".contains(&byte)) {
        return format!("\"{text}\"");
    }
    let escaped: String = text.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_hold_any_text() {
        assert_eq!(python_text("a\"\\\n"), r#""a\"\\\n""#);
        assert_eq!([cpp_text("a"), cpp_text("a\"?")], ["\"a\"", "\"\\141\\042\\077\""]);
    }
}
