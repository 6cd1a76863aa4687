//! The output validator as a checker for systems with another calling convention: one C++ file with an adapter.
//!
//! The default comparison is such a validator, too. `on_exit` catches every exit, so the validator needs no change.

use super::{
    own_grading::{OwnGroup, own_groups},
    pack_layout::PackLayout,
    validator_flags::validator_mentions,
};
use anyhow::{Context, Result};
use kopek_engine::package::{Judge, Package, PackageProgram, TestSet, fill_constants};
use regex_lite::Regex;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

const HEAD: &str = include_str!("adapters/head.cpp");
const COMPARISON: &str = include_str!("adapters/comparison.cpp");

const SOURCES: &[&str] = &["cpp", "cc", "cxx", "c++", "C"];
const HEADERS: &[&str] = &["h", "hpp", "hh", "hxx"];

/// The required language of a validator, if it is in another one.
pub fn odd_language(package: &Package) -> Option<String> {
    let Judge::Programs { programs, .. } = &package.judge else { return None };
    let [program] = programs.as_slice() else { return Some("a single program".into()) };
    let endings: Vec<&str> = program
        .source
        .files
        .iter()
        .map(|file| file.extension().map_or("", |end| end.to_str().unwrap_or("")))
        .collect();
    let sources = endings.iter().filter(|end| SOURCES.contains(end)).count();
    let known = endings.iter().all(|end| SOURCES.contains(end) || HEADERS.contains(end));
    (sources != 1 || !known).then(|| "one C++ file with its headers".into())
}

/// Arguments of the output validator, if they differ between cases.
pub fn varying_arguments(tests: &TestSet) -> Option<String> {
    let all: BTreeSet<String> = tests.cases.iter().map(|case| case.output_validator_args.join(" ")).collect();
    let shown: Vec<String> = all.iter().map(|args| format!("`{args}`")).collect();
    (all.len() > 1).then(|| shown.join(", "))
}

/// Whether the validator writes absolute points for cases of different maxima.
pub fn varying_scores(package: &Package, tests: &TestSet) -> bool {
    package.kind.scoring && validator_mentions(package, "score.txt") && case_worths(package, tests).len() > 1
}

/// The maxima of secret cases.
fn case_worths(package: &Package, tests: &TestSet) -> BTreeSet<(u64, u64)> {
    let worth = |group: &OwnGroup| match group.sums {
        // Unreduced fractions suffice: all cases of a group have the same.
        true => (group.most, group.cases.len() as u64),
        false => (group.most, 1),
    };
    own_groups(package, tests).iter().map(worth).collect()
}

impl PackLayout<'_> {
    /// The validator and `adapter` as one source.
    pub fn adapted_validator(&self, adapter: &str) -> Result<String> {
        let validator = match &self.package.judge {
            Judge::Default => COMPARISON.to_owned(),
            Judge::Programs { programs, .. } => self.joined_source(&programs[0])?,
        };
        let main = Regex::new(r"\bmain(\s*\()").expect("a pattern that was tried");
        let validator = main.replace_all(&validator, "validator_main$1");
        let arguments = self.tests.cases.first().map_or(&[][..], |case| &case.output_validator_args);
        let longest = arguments.iter().map(String::len).max().unwrap_or(0) + 1;
        let quoted: String = arguments.iter().map(|word| format!("{}, ", quote_literal(word))).collect();
        let (most, parts) = case_worths(self.package, self.tests).into_iter().next().unwrap_or((1, 1));
        let head = HEAD
            .replace("@SYSTEM@", self.target.name())
            .replace("@MOST@", &format!("{most}.0 / {parts}"))
            .replace("@LONGEST@", &longest.to_string())
            .replace("@ARGUMENTS@ ", &quoted);
        let interactive = if self.package.kind.interactive { "#define INTERACTIVE\n" } else { "" };
        Ok(format!("{head}{interactive}\n{}\n{adapter}", validator.trim_end()))
    }

    /// The program's only source with its headers in it.
    fn joined_source(&self, program: &PackageProgram) -> Result<String> {
        let mut texts = BTreeMap::new();
        for file in &program.source.files {
            let path = program.source.root.join(file);
            let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
            texts.insert(file.to_string_lossy().into_owned(), fill_constants(&text, &self.package.constants));
        }
        let is_source = |name: &&String| name.rsplit_once('.').is_some_and(|(_, end)| SOURCES.contains(&end));
        let main = texts.keys().find(is_source).cloned().context("an output validator without a source")?;
        Ok(with_headers(&main, &texts, &mut BTreeSet::new()))
    }
}

/// Puts every header in the place of its first `#include`.
fn with_headers(name: &str, texts: &BTreeMap<String, String>, seen: &mut BTreeSet<String>) -> String {
    let mut joined = String::new();
    for line in texts[name].lines() {
        let included = line.trim_start().strip_prefix('#').and_then(|rest| {
            let (name, _) =
                rest.trim_start().strip_prefix("include")?.trim_start().strip_prefix('"')?.split_once('"')?;
            texts.contains_key(name).then_some(name)
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

/// A text as a literal of C++.
fn quote_literal(text: &str) -> String {
    let escaped: String = text.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    match text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\?".contains(&byte)) {
        true => format!("\"{text}\""),
        false => format!("\"{escaped}\""),
    }
}
