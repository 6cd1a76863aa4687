//! Judge programs of other systems as programs of this format, unchanged.
//!
//! The package stays plain: a program becomes a directory that holds the original,
//! byte for byte, and a small adapter that calls it in its own convention and
//! exits with 42 or 43. Both are compiled into one program. The original's `main`
//! stays a `main` with its own types, and is weak: the adapter's is linked, and calls it
//! by a second name. Its file gets the ending `.inc`, so that it is not compiled twice.
//!
//! An interactor brings a second original, its checker, whose names may be the same:
//! it goes into an unnamed namespace, after the system's headers. Unnamed, so that names with a
//! leading `::` are still found.

use super::{
    draft_files::{Content, DraftFiles, base_name, ending_of, join, legal_name, parent},
    source::ForeignPackage,
    testlib::Testlib,
};
use anyhow::{Context, Result, bail, ensure};
use kopek_package::language::{TESTLIB_HEADER, bare_code};
use regex_lite::Regex;
use std::collections::BTreeSet;

const ADAPTER: &str = include_str!("adapters/adapter.h");
const JUDGE: &str = include_str!("adapters/testlib_judge.h");
const CHECKER: &str = include_str!("adapters/testlib_checker.cpp");
const INTERACTOR: &str = include_str!("adapters/testlib_interactor.cpp");
const VALIDATOR: &str = include_str!("adapters/testlib_validator.cpp");

/// Endings of C++, the language of testlib.
const CPP: &[&str] = &["cpp", "cc", "cxx", "c++", "C"];

/// An adapter, by the language of the original.
pub struct Adapter {
    pub c: &'static str,
    pub python: &'static str,
}

/// Programs of a source, and the places of their headers.
#[derive(Clone, Copy)]
pub struct ProgramSources<'a> {
    pub source: &'a ForeignPackage,
    /// Directories of the package that are searched for quoted headers after that of the program.
    pub headers: &'a [&'a str],
    pub testlib: &'a Testlib,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeRole {
    Checker,
    Validator,
}

impl<'a> ProgramSources<'a> {
    pub fn testlib_program(&self, path: &str, role: JudgeRole) -> Result<DraftFiles> {
        self.ensure_cpp(path)?;
        let adapter = match role {
            JudgeRole::Checker => CHECKER,
            JudgeRole::Validator => VALIDATOR,
        };
        let mut files = self.original_files(path)?;
        files.insert("adapter.cpp".into(), Content::text(adapter));
        files.insert("original.cpp".into(), Content::text(rename_main(path)));
        files.insert("adapter.h".into(), Content::text(ADAPTER));
        if role == JudgeRole::Checker {
            files.insert("testlib_judge.h".into(), Content::text(JUDGE));
        }
        Ok(files)
    }

    /// A testlib interactor with the checker of its protocol; `None`: its own verdict counts.
    pub fn interactor_program(&self, path: &str, checker: Option<&str>) -> Result<DraftFiles> {
        let mut files = self.testlib_program(path, JudgeRole::Checker)?;
        files.insert("adapter.cpp".into(), Content::text(INTERACTOR));
        let first = rename_main(path) + &self.sleep_function("original", path)?;
        files.insert("original.cpp".into(), Content::text(first));
        let second = match checker {
            None => "// There is no checker.\nint checker_main(int, char **) { return 0; }\n\
                     void checker_sleeps() {}\n"
                .to_owned(),
            Some(checker) => {
                self.ensure_cpp(checker)?;
                ensure!(
                    base_name(checker) != base_name(path),
                    "interactor and checker are the same file: {path}"
                );
                files.extend(self.original_files(checker)?);
                self.namespaced_checker(checker)?
            }
        };
        files.insert("checker.cpp".into(), Content::text(second));
        Ok(files)
    }

    /// The unchanged program, under a name that is not compiled, and its headers.
    fn original_files(&self, path: &str) -> Result<DraftFiles> {
        let mut files = self.header_files(path)?;
        files.insert(include_name(path), Content::File(self.source.path_of(path)?));
        Ok(files)
    }

    /// The headers that a program includes, by the name in its `#include`.
    fn header_files(&self, path: &str) -> Result<DraftFiles> {
        let mut files = DraftFiles::new();
        let mut todo = vec![path.to_owned()];
        while let Some(path) = todo.pop() {
            for name in included_names(&self.source.read_text(&path)?, '"', '"') {
                // This also stops at headers that include each other.
                if files.contains_key(&name) {
                    continue;
                }
                if base_name(&name) == TESTLIB_HEADER {
                    files.insert(name, Content::File(self.testlib.find_header(self.source, &path)?));
                } else if let Some(found) = self.find_header(&path, &name) {
                    files.insert(name, Content::File(self.source.path_of(&found)?));
                    todo.push(found);
                }
            }
        }
        Ok(files)
    }

    /// Other files of the package that a program needs: modules of Python, headers of C and C++.
    pub fn companion_files(&self, path: &str) -> Result<DraftFiles> {
        match ending_of(path) {
            "py" => self.imported_modules(path),
            ending if ending == "c" || CPP.contains(&ending) => self.header_files(path),
            _ => Ok(DraftFiles::new()),
        }
    }

    /// A generator with the files it needs, as a program of this name.
    pub fn generator_files(&self, path: &str, name: &str) -> Result<DraftFiles> {
        let mut files = self.companion_files(path)?;
        // Of several Python files the one of this name is the entry point.
        let is_package = path.ends_with(".py") && !files.is_empty();
        let file = if is_package {
            "__main__.py".to_owned()
        } else {
            format!("{}.{}", name.trim_end_matches(&format!(".{}", ending_of(path))), ending_of(path))
        };
        files.insert(file, Content::File(self.source.path_of(path)?));
        Ok(files)
    }

    /// The original and an adapter in its language: C, C++ or Python.
    pub fn adapted_program(&self, path: &str, adapter: &Adapter) -> Result<DraftFiles> {
        let ending = match ending_of(path) {
            "py" => {
                let name = legal_name(base_name(path));
                let mut files = self.imported_modules(path)?;
                let text = adapter.python.replace("@ORIGINAL@", &name);
                files.insert("__main__.py".into(), Content::Text(text));
                files.insert(name, Content::File(self.source.path_of(path)?));
                return Ok(files);
            }
            "c" => "c",
            "cpp" | "cc" | "cxx" => "cpp",
            _ => bail!("{path} is neither C, C++ nor Python: the adapter cannot call it; translate it"),
        };
        let mut files = self.original_files(path)?;
        files.insert(format!("adapter.{ending}"), Content::text(adapter.c));
        files.insert(format!("original.{ending}"), Content::Text(rename_main(path)));
        files.insert("adapter.h".into(), Content::text(ADAPTER));
        Ok(files)
    }

    /// Modules of the source that a Python program imports, directly or not, by their names beside the program.
    fn imported_modules(&self, program: &str) -> Result<DraftFiles> {
        let mut dirs = vec![parent(program)];
        // Elsewhere only if the program names that directory: a file there may have the name of a
        // library module by chance.
        if self.source.read_text(program)?.contains("sys.path") {
            dirs.extend(self.headers);
        }
        let mut files = DraftFiles::new();
        let mut todo = vec![program.to_owned()];
        while let Some(path) = todo.pop() {
            for module in imported_names(&self.source.read_text(&path)?) {
                for (name, found) in self.files_of_module(&dirs, &module) {
                    // Its own modules may import the program, which has another name here.
                    if found != program && !files.contains_key(&name) {
                        files.insert(name, Content::File(self.source.path_of(&found)?));
                        todo.push(found);
                    }
                }
            }
        }
        Ok(files)
    }

    /// The file of a module, or all files of its directory, in the first place that has it: names beside the program,
    /// and paths.
    fn files_of_module(&self, dirs: &[&str], module: &str) -> Vec<(String, String)> {
        for dir in dirs {
            let file = join(dir, &format!("{module}.py"));
            if self.source.has(&file) {
                return vec![(format!("{module}.py"), file)];
            }
            let inside = join(dir, &format!("{module}/"));
            let parts = self.source.paths().filter(|path| path.starts_with(&inside) && path.ends_with(".py"));
            let named = parts.map(|path| (format!("{module}/{}", &path[inside.len()..]), path.to_owned()));
            let parts: Vec<_> = named.collect();
            if !parts.is_empty() {
                return parts;
            }
        }
        Vec::new()
    }

    /// The source of a program, by its possible stems; an executable alone does not count.
    pub fn find_program(&self, stems: &[&str]) -> Result<Option<&'a str>> {
        for stem in stems {
            let is_source = |path: &&str| {
                let ending = path.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.'));
                ending.is_some_and(|ending| !ending.contains('.') && !["o", "exe", "h"].contains(&ending))
            };
            let found: Vec<&str> = self.source.paths().filter(is_source).collect();
            match found.as_slice() {
                [] if self.source.has(stem) => {
                    bail!("{stem} is a program without its source: add the source beside it")
                }
                [] => {}
                [only] => return Ok(Some(only)),
                many => bail!("{}: which of them is the program? remove the others", many.join(", ")),
            }
        }
        Ok(None)
    }

    /// A header beside the program, or in one of the usual places.
    fn find_header(&self, program: &str, name: &str) -> Option<String> {
        let places = std::iter::once(parent(program)).chain(self.headers.iter().copied());
        places.map(|dir| join(dir, name)).find(|path| self.source.has(path))
    }

    fn ensure_cpp(&self, path: &str) -> Result<()> {
        ensure!(
            CPP.contains(&ending_of(path)),
            "{path} is not C++: the adapter joins testlib programs in C++ only; translate it, or judge with another program"
        );
        Ok(())
    }

    /// A second original, in a namespace of its own.
    fn namespaced_checker(&self, path: &str) -> Result<String> {
        let texts = self.program_texts(path)?;
        let system: BTreeSet<String> = texts.iter().flat_map(|text| included_names(text, '<', '>')).collect();
        // Their own guards make these headers empty when they are included again inside the namespace.
        let hoisted: String = system
            .iter()
            .filter(|name| name.as_str() != TESTLIB_HEADER)
            .map(|name| format!("#if __has_include(<{name}>)\n#include <{name}>\n#endif\n"))
            .collect();
        // `main` has any parameters, and the checker may have made `int` a macro.
        Ok(format!(
            "// Written by `kopek import`: the checker, kept apart from the interactor by a namespace.\n\
             {hoisted}typedef int exit_code;\ntypedef char **word_list;\n\
             template <class R> exit_code call_main(R (*original)(), exit_code, word_list) {{\n    \
             return original();\n}}\n\
             template <class R, class N, class W>\n\
             exit_code call_main(R (*original)(N, W), exit_code count, word_list words) {{\n    \
             return original(count, (W)words);\n}}\n\
             namespace {{\n#include \"{}\"\n}}\n\
             exit_code checker_main(exit_code count, word_list words) {{\n    \
             return call_main(main, count, words);\n}}\n{}",
            include_name(path),
            self.sleep_function("checker", path)?
        ))
    }

    /// A function that silences a program's testlib if the program is not called. Old versions are silent anyway.
    fn sleep_function(&self, who: &str, path: &str) -> Result<String> {
        let guarded = self.program_texts(path)?.iter().any(|text| text.contains("disableFinalizeGuard"));
        let body = if guarded { " disableFinalizeGuard(); " } else { "" };
        Ok(format!("void {who}_sleeps() {{{body}}}\n"))
    }

    fn program_texts(&self, path: &str) -> Result<Vec<String>> {
        let mut texts = vec![self.source.read_text(path)?];
        for content in self.header_files(path)?.values() {
            texts.push(content.read_text().with_context(|| format!("read a header of {path}"))?);
        }
        Ok(texts)
    }
}

/// The original, whose `main` the adapter's replaces and calls by another name.
pub fn rename_main(path: &str) -> String {
    format!(
        "/* Written by `kopek import`: the original, whose `main` is called by the adapter. */\n\
         #pragma weak main\n#pragma weak original_main = main\n#include \"{}\"\n",
        include_name(path)
    )
}

fn include_name(path: &str) -> String {
    format!("{}.inc", legal_name(base_name(path)))
}

fn included_names(text: &str, open: char, close: char) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    let names = lines.filter_map(|line| line.trim_start().strip_prefix("include"));
    let names = names.filter_map(|rest| rest.trim_start().strip_prefix(open)?.split(close).next());
    // Headers outside of the directory are not copied.
    names.filter(|name| !name.is_empty() && !name.contains("..")).map(str::to_owned).collect()
}

/// Whether the source can give a part of the points.
pub fn gives_points(text: &str) -> bool {
    let words = Regex::new(r"\b(quitp|quitpi|_pc|_points|_partially)\b").expect("a pattern that was tried");
    words.is_match(&bare_code(text, "cpp"))
}

/// Whether a program asks for the group or set of a test.
pub fn asks_for_group(text: &str) -> bool {
    let bare = bare_code(text, "cpp");
    [".group()", "testset()", "getGroup", "opt<"].iter().any(|call| bare.contains(call))
}

/// The first parts of all names that a text imports.
fn imported_names(text: &str) -> BTreeSet<String> {
    let from = Regex::new(r"^\s*from\s+\.*(\w+)[\w.]*\s+import\b").expect("a pattern that was tried");
    let plain = Regex::new(r"^\s*import\s+([\w\s.,]+)").expect("a pattern that was tried");
    let mut names = BTreeSet::new();
    for line in text.lines() {
        names.extend(from.captures(line).map(|found| found[1].to_owned()));
        let listed = plain.captures(line).map(|found| found[1].to_owned()).unwrap_or_default();
        for part in listed.split(',') {
            let name = part.trim().split(|c: char| c == '.' || c.is_whitespace()).next().unwrap_or_default();
            if !name.is_empty() {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_files_are_found_by_their_brackets() {
        let text = "#include \"a.h\"\n  # include <b>\n#include \"../c.h\"\n//#include \"d.h\"\n";
        assert_eq!(included_names(text, '"', '"'), ["a.h"]);
        assert_eq!(included_names(text, '<', '>'), ["b"]);
    }

    #[test]
    fn points_are_seen_in_code_and_not_in_comments() {
        assert!(gives_points("quitp(0.5, \"half\");") && gives_points("quitf(_pc(20), \"x\");"));
        assert!(!gives_points("// quitp\nquitf(_ok, \"quitp\"); my_pc_x();"));
    }

    #[test]
    fn names_are_read_from_every_form_of_import() {
        let text = "import sys, limits as l\n  import parts.deep\nfrom .near import x\nfrom far.off import (a,\n\
                    # import hidden\nprint('import no')\n";
        let names: Vec<String> = imported_names(text).into_iter().collect();
        assert_eq!(names, ["far", "limits", "near", "parts", "sys"]);
    }
}
