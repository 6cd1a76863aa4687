//! Validators, and files that are given to submissions.

use super::{note::NoteEffect, pack_layout::PackLayout, target::Target};
use anyhow::Result;
use kopek_engine::package::{Judge, PackageProgram};
use std::path::{Path, PathBuf};

/// Endings of what DOMjudge builds by itself.
const BUILT_BY_DOMJUDGE: &[&str] = &["c", "cpp", "cc", "C", "java", "py"];

/// Directories of 2025-09 that neither target reads.
const UNREAD: &[(&str, &str)] = &[
    ("static_validator", "sources are not validated"),
    ("input_visualizer", "left out"),
    ("output_visualizer", "left out"),
    ("generators", "left out: the data they make is inside"),
    ("solution", "left out"),
];

impl PackLayout<'_> {
    pub fn add_programs(&mut self) -> Result<()> {
        let (package, target) = (self.package, self.target);
        let mut validators = package.input_validators.as_slice();
        if target == Target::Domjudge && validators.len() > 1 {
            validators = &validators[..1];
            let what = "several input validators: DOMjudge refuses such packages";
            self.add_note(
                NoteEffect::Looks,
                "input_validators",
                what,
                format!("only `{}` is inside", validators[0].name),
            );
        }
        validators.iter().try_for_each(|one| self.add_program("input_validators", one))?;
        if let Judge::Programs { programs, .. } = &package.judge {
            programs.iter().try_for_each(|one| self.add_program("output_validators", one))?;
            programs.iter().filter(|_| target == Target::Kattis).for_each(|one| self.note_language(one));
        }
        self.add_includes()?;
        for (name, instead) in UNREAD.iter().filter(|(name, _)| package.dir.join(name).is_dir()) {
            let what = format!("a directory that {} does not read", target.name());
            self.add_note(NoteEffect::Looks, *name, what, *instead);
        }
        Ok(())
    }

    /// A program in a directory of its own.
    fn add_program(&mut self, dir: &str, program: &PackageProgram) -> Result<()> {
        let home = format!("{dir}/{}", program.name);
        for file in &program.source.files {
            self.add_filled(format!("{home}/{}", file.display()), &program.source.root.join(file))?;
        }
        if self.target == Target::Domjudge {
            self.add_build_script(&home, program);
        }
        Ok(())
    }

    /// Only these languages are promised for output validators, and Kattis keeps to them.
    fn note_language(&mut self, program: &PackageProgram) {
        let known = |ending: &str| ["py", "c", "cc", "cpp", "cxx", "h", "hpp"].contains(&ending);
        if !is_started(program) && !file_endings(program).all(known) {
            let what = "an output validator that is not in C, C++ or Python";
            let place = format!("output_validator/{}", program.name);
            self.add_note(
                NoteEffect::Results,
                place,
                what,
                "Kattis' own tools run it, its judge may not: translate it",
            );
        }
    }

    fn add_build_script(&mut self, home: &str, program: &PackageProgram) {
        if is_started(program) || file_endings(program).any(|ending| BUILT_BY_DOMJUDGE.contains(&ending)) {
            return;
        }
        let Some(root) = rust_root(program) else {
            let what = "a validator that DOMjudge does not know how to build";
            self.add_note(NoteEffect::Results, home, what, "it fails there: add a script `build` to it");
            return;
        };
        let script = format!("#!/bin/sh\nexec rustc --edition 2021 -O -o run '{}'\n", root.display());
        self.add_text(format!("{home}/build"), script);
        let what = "a validator in Rust: DOMjudge needs to be told how to build it";
        self.add_note(
            NoteEffect::Looks,
            home,
            what,
            "a script `build` is beside it; judgehosts need `rustc`",
        );
    }

    fn add_includes(&mut self) -> Result<()> {
        let package = self.package;
        if self.target == Target::Domjudge && !package.include.is_empty() {
            let what = "files that are added to every submission";
            self.add_note(NoteEffect::Results, "include", what, "DOMjudge adds none");
            return Ok(());
        }
        for (language, source) in &package.include {
            if language == "default" {
                let what = "files for all languages that have none of their own";
                self.add_note(
                    NoteEffect::Results,
                    "include/default",
                    what,
                    "Kattis adds files per language only",
                );
            }
            for file in &source.files {
                self.add_filled(format!("include/{language}/{}", file.display()), &source.root.join(file))?;
            }
        }
        Ok(())
    }
}

/// Whether it says itself how it is built or run.
fn is_started(program: &PackageProgram) -> bool {
    ["build", "run"].iter().any(|name| program.source.files.contains(&(*name).into()))
}

/// The Rust file that the others are modules of.
fn rust_root(program: &PackageProgram) -> Option<&PathBuf> {
    let files = || program.source.files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs"));
    files()
        .find(|file| *file == Path::new("main.rs"))
        .or_else(|| files().next().filter(|_| files().count() == 1))
}

fn file_endings(program: &PackageProgram) -> impl Iterator<Item = &str> {
    program.source.files.iter().filter_map(|file| file.extension()?.to_str())
}
