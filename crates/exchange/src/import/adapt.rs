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
    draft::{Content, DraftFiles, legal_name},
    python_modules::imported_modules,
    source::ForeignPackage,
    testlib::Testlib,
};
use anyhow::{Context, Result, bail, ensure};
use kopek_engine::language::{TESTLIB_HEADER, bare_code};
use regex_lite::Regex;
use std::collections::{BTreeMap, BTreeSet};

const ADAPTER: &str = include_str!("adapters/adapter.h");
const JUDGE: &str = include_str!("adapters/testlib_judge.h");
const CHECKER: &str = include_str!("adapters/testlib_checker.cpp");
const INTERACTOR: &str = include_str!("adapters/testlib_interactor.cpp");
const VALIDATOR: &str = include_str!("adapters/testlib_validator.cpp");

/// Endings of C++, the language of testlib.
const CPP: &[&str] = &["cpp", "cc", "cxx", "c++", "C"];

/// The places of programs and headers.
pub struct ProgramSources<'a> {
    pub source: &'a ForeignPackage,
    /// Directories of the package that are searched for quoted headers after that of the program.
    pub headers: &'a [&'a str],
    /// The places of `testlib.h`.
    pub testlib: &'a Testlib,
}

/// The kind of program behind the adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeRole {
    /// Judges an output.
    Checker,
    /// Judges an input.
    Validator,
}

impl ProgramSources<'_> {
    /// A testlib checker or validator.
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
    pub fn original_files(&self, path: &str) -> Result<DraftFiles> {
        let mut files = self.header_files(path)?;
        files.insert(include_name(path), Content::File(self.source.path_of(path)?));
        Ok(files)
    }

    /// The headers that a program includes, by the name in its `#include`.
    pub fn header_files(&self, path: &str) -> Result<DraftFiles> {
        let (mut files, mut todo) = (DraftFiles::new(), vec![path.to_owned()]);
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
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending {
            "py" => imported_modules(self.source, path, self.headers),
            "c" => self.header_files(path),
            _ if CPP.contains(&ending) => self.header_files(path),
            _ => Ok(DraftFiles::new()),
        }
    }

    /// A header beside the program, or in one of the usual places.
    fn find_header(&self, program: &str, name: &str) -> Option<String> {
        let own = program.rsplit_once('/').map_or("", |(dir, _)| dir);
        let places = std::iter::once(own).chain(self.headers.iter().copied());
        let join = |dir: &str| if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
        places.map(join).find(|path| self.source.has(path))
    }

    fn ensure_cpp(&self, path: &str) -> Result<()> {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        if !CPP.contains(&ending) {
            bail!(
                "{path} is not C++: the adapter joins testlib programs in C++ only; translate it, or judge with another program"
            );
        }
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

    /// A program and its headers.
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

/// Last part of a path.
pub fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
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
    let bare = bare_code(text, "cpp");
    ["quitp", "quitpi", "_pc", "_points", "_partially"]
        .iter()
        .any(|word| Regex::new(&format!(r"\b{word}\b")).expect("a plain word").is_match(&bare))
}

/// Whether a program asks for the group or set of a test.
pub fn asks_for_group(text: &str) -> bool {
    let bare = bare_code(text, "cpp");
    bare.contains(".group()")
        || bare.contains("testset()")
        || bare.contains("getGroup")
        || bare.contains("opt<")
}

/// Files of a program below a directory.
pub fn below_directory(dir: &str, files: DraftFiles) -> BTreeMap<String, Content> {
    files.into_iter().map(|(name, content)| (format!("{dir}/{name}"), content)).collect()
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
}
