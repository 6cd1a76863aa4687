//! Validators, and files that are added to submissions.

use super::{losses::Loss, pack_layout::PackLayout, target::Target};
use anyhow::Result;
use kopek_engine::package::{Judge, PackageProgram, shell_words::quote_word};
use std::path::{Path, PathBuf};

/// Endings of sources that DOMjudge builds.
const BUILT_BY_DOMJUDGE: &[&str] = &["c", "cpp", "cc", "C", "java", "py"];

impl PackLayout<'_> {
    pub fn add_programs(&mut self) -> Result<()> {
        let (package, target) = (self.package, self.target);
        let mut validators = package.input_validators.as_slice();
        if target == Target::Domjudge && validators.len() > 1 {
            validators = &validators[..1];
            self.report_loss(Loss::SeveralInputValidators, "input_validators", &[&validators[0].name]);
        }
        validators.iter().try_for_each(|one| self.add_program("input_validators", one))?;
        if let Judge::Programs { programs, .. } = &package.judge {
            programs.iter().try_for_each(|one| self.add_program("output_validators", one))?;
            programs.iter().for_each(|one| self.note_language(one));
        }
        self.add_includes()
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

    /// Kattis only promises these languages for output validators.
    fn note_language(&mut self, program: &PackageProgram) {
        let known = |ending: &str| ["py", "c", "cc", "cpp", "cxx", "h", "hpp"].contains(&ending);
        if !is_started(program) && !file_endings(program).all(known) {
            let place = format!("output_validator/{}", program.name);
            self.report_loss(Loss::ValidatorLanguage, place, &["C, C++ or Python"]);
        }
    }

    fn add_build_script(&mut self, home: &str, program: &PackageProgram) {
        if is_started(program) || file_endings(program).any(|ending| BUILT_BY_DOMJUDGE.contains(&ending)) {
            return;
        }
        let Some(root) = rust_root(program) else {
            self.report_loss(Loss::UnknownValidator, home, &[]);
            return;
        };
        let root = quote_word(&format!("./{}", root.display()));
        let script = format!("#!/bin/sh\nexec rustc --edition 2021 -O -o run {root}\n");
        self.add_text(format!("{home}/build"), script);
        self.report_loss(Loss::RustValidator, home, &[]);
    }

    fn add_includes(&mut self) -> Result<()> {
        let package = self.package;
        if self.target == Target::Domjudge && !package.include.is_empty() {
            self.report_loss(Loss::Include, "include", &[]);
            return Ok(());
        }
        for (language, source) in &package.include {
            if language == "default" {
                self.report_loss(Loss::DefaultInclude, "include/default", &[]);
            }
            for file in &source.files {
                self.add_filled(format!("include/{language}/{}", file.display()), &source.root.join(file))?;
            }
        }
        Ok(())
    }
}

/// Whether it has a script `build` or `run`.
fn is_started(program: &PackageProgram) -> bool {
    ["build", "run"].iter().any(|name| program.source.files.contains(&(*name).into()))
}

/// The crate root among several Rust files.
fn rust_root(program: &PackageProgram) -> Option<&PathBuf> {
    let files = || program.source.files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs"));
    files()
        .find(|file| *file == Path::new("main.rs"))
        .or_else(|| files().next().filter(|_| files().count() == 1))
}

fn file_endings(program: &PackageProgram) -> impl Iterator<Item = &str> {
    program.source.files.iter().filter_map(|file| file.extension()?.to_str())
}
