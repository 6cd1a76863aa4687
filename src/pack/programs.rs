//! Validators, and files that are given to submissions.

use super::{Target, Weight, view::View};
use crate::package::{Judge, Program};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// What DOMjudge builds without being told how.
const BUILT_BY_DOMJUDGE: &[&str] = &["c", "cpp", "cc", "C", "java", "py"];

/// Directories of 2025-09 that nobody else reads.
const UNREAD: &[(&str, &str)] = &[
    ("static_validator", "sources are not validated"),
    ("input_visualizer", "left out"),
    ("output_visualizer", "left out"),
    ("generators", "left out: the data they make is inside"),
    ("solution", "left out"),
];

impl View<'_> {
    pub fn programs(&mut self) -> Result<()> {
        let (package, target) = (self.package, self.target);
        let mut validators = package.input_validators.as_slice();
        if target == Target::Domjudge && validators.len() > 1 {
            validators = &validators[..1];
            let what = "several input validators: DOMjudge refuses such packages";
            self.tell(
                Weight::Looks,
                "input_validators",
                what,
                format!("only `{}` is inside", validators[0].name),
            );
        }
        validators.iter().try_for_each(|one| self.program("input_validators", one))?;
        if let Judge::Programs { programs, .. } = &package.judge {
            programs.iter().try_for_each(|one| self.program("output_validators", one))?;
            programs.iter().filter(|_| target == Target::Kattis).for_each(|one| self.standard(one));
        }
        self.includes()?;
        for (name, instead) in UNREAD.iter().filter(|(name, _)| package.dir.join(name).is_dir()) {
            let what = format!("a directory that {} does not read", target.name());
            self.tell(Weight::Looks, *name, what, *instead);
        }
        Ok(())
    }

    /// A program in a directory of its own.
    fn program(&mut self, dir: &str, program: &Program) -> Result<()> {
        let home = format!("{dir}/{}", program.name);
        for file in &program.source.files {
            self.filled(format!("{home}/{}", file.display()), &program.source.root.join(file))?;
        }
        if self.target == Target::Domjudge {
            self.build_script(&home, program);
        }
        Ok(())
    }

    /// Only these languages are promised for output validators, and Kattis keeps to them.
    fn standard(&mut self, program: &Program) {
        let known = |ending: &str| ["py", "c", "cc", "cpp", "cxx", "h", "hpp"].contains(&ending);
        if !is_started(program) && !endings(program).all(known) {
            let what = "an output validator that is not in C, C++ or Python";
            let place = format!("output_validator/{}", program.name);
            self.tell(
                Weight::Results,
                place,
                what,
                "Kattis' own tools run it, its judge may not: translate it",
            );
        }
    }

    fn build_script(&mut self, home: &str, program: &Program) {
        if is_started(program) || endings(program).any(|ending| BUILT_BY_DOMJUDGE.contains(&ending)) {
            return;
        }
        let rust: Vec<&PathBuf> = program
            .source
            .files
            .iter()
            .filter(|file| file.extension().is_some_and(|ending| ending == "rs"))
            .collect();
        let main = |file: &&&PathBuf| rust.len() == 1 || file.as_path() == Path::new("main.rs");
        match rust.iter().find(main) {
            Some(file) => {
                let script = format!("#!/bin/sh\nexec rustc --edition 2021 -O -o run '{}'\n", file.display());
                self.text(format!("{home}/build"), script);
                let what = "a validator in Rust: DOMjudge needs to be told how to build it";
                self.tell(
                    Weight::Looks,
                    home,
                    what,
                    "a script `build` is beside it; judgehosts need `rustc`",
                );
            }
            None => {
                let what = "a validator that DOMjudge does not know how to build";
                self.tell(Weight::Results, home, what, "it fails there: add a script `build` to it");
            }
        }
    }

    fn includes(&mut self) -> Result<()> {
        let package = self.package;
        if self.target == Target::Domjudge && !package.include.is_empty() {
            let what = "files that are added to every submission";
            self.tell(Weight::Results, "include", what, "DOMjudge adds none");
            return Ok(());
        }
        for (language, source) in &package.include {
            if language == "default" {
                let what = "files for all languages that have none of their own";
                self.tell(Weight::Results, "include/default", what, "Kattis adds files per language only");
            }
            for file in &source.files {
                self.filled(format!("include/{language}/{}", file.display()), &source.root.join(file))?;
            }
        }
        Ok(())
    }
}

/// Whether it says itself how it is built or run.
fn is_started(program: &Program) -> bool {
    ["build", "run"].iter().any(|name| program.source.files.contains(&(*name).into()))
}

fn endings(program: &Program) -> impl Iterator<Item = &str> {
    program.source.files.iter().filter_map(|file| file.extension()?.to_str())
}
