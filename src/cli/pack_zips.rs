//! A zip for each package of `kopek pack`.

use super::{exit_status::ExitStatus, named_packages::load_sound, terminal_output::print_message};
use crate::{
    contest::{ContestProblem, write_problem_list},
    exec::Engine,
    loading::LoadedPackage,
    pack::{
        self, Balloon, Bundle, FormulaForm, JudgeProgram, NoteEffect, PackedZip, StatementForm, Target,
        choose_statement,
    },
    typeset::statement_html,
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// What to pack, and where to write it.
pub(super) struct PackRequest {
    pub(super) target: Target,
    pub(super) problems: Vec<ToPack>,
    /// A directory, or the file.
    pub(super) output: Option<PathBuf>,
    /// The list for DOMjudge's import.
    pub(super) list: Option<PathBuf>,
}

/// A package to pack.
pub(super) struct ToPack {
    pub(super) dir: PathBuf,
    /// Its problem of the contest.
    pub(super) problem: Option<ContestProblem>,
}

/// What goes into a zip.
pub(super) enum ZipContents {
    Converted,
    Gradescope(PathBuf),
    Classroom50(JudgeProgram),
    Published,
}

/// What was written.
#[derive(Default)]
pub(super) struct PackedZips {
    pub(super) zips: Vec<PackedZip>,
    /// Packages with errors, which are not packed.
    pub(super) unsound: usize,
    pub(super) list: Option<WrittenList>,
}

/// The list of a contest.
pub(super) struct WrittenList {
    pub(super) path: PathBuf,
    pub(super) problems: usize,
    pub(super) replaced: bool,
}

/// Receives each zip and its contents.
type OnPacked<'a> = dyn FnMut(&PackedZip, &Bundle) -> Result<()> + 'a;

impl PackRequest {
    pub(super) fn pack_all(
        &self,
        contents: &ZipContents,
        engine: &Engine,
        on_packed: &mut OnPacked,
    ) -> Result<PackedZips> {
        let mut packed = PackedZips::default();
        let mut listed = Vec::new();
        for one in &self.problems {
            let Some(loaded) = load_sound(&one.dir, engine)? else {
                packed.unsound += 1;
                continue;
            };
            let bundle = self.bundle(one, &loaded, contents, engine)?;
            let path = place_of(self.output.as_deref(), &bundle.file_name());
            let place = path.display();
            let is_taken = packed.zips.iter().any(|other| other.file == path);
            ensure!(
                !is_taken,
                "{place}: two packages would write this zip; pack them into different directories"
            );
            let zip = write_bundle(&bundle, &loaded.package.name, path)?;
            on_packed(&zip, &bundle)?;
            packed.zips.push(zip);
            let titles = &loaded.package.about.titles;
            let title = titles.get("en").or(titles.values().next()).cloned().unwrap_or_default();
            listed.extend(one.problem.as_ref().map(|problem| (problem, title)));
        }
        if let Some(path) = self.list.clone().filter(|_| !listed.is_empty()) {
            let replaced = path.exists();
            write_problem_list(&path, &listed).with_context(|| format!("write {}", path.display()))?;
            packed.list = Some(WrittenList { path, problems: listed.len(), replaced });
        }
        Ok(packed)
    }

    fn bundle(
        &self,
        one: &ToPack,
        loaded: &LoadedPackage,
        contents: &ZipContents,
        engine: &Engine,
    ) -> Result<Bundle> {
        let package = &loaded.package;
        // Other judges cannot regenerate the data, so they judge with the packed data.
        ensure!(
            loaded.drift.is_empty(),
            "{} not packed: {} files of test data differ from generators/lock.toml; accept them with `kopek \
                generate {} --update`",
            package.name,
            loaded.drift.len(),
            package.dir.display()
        );
        match contents {
            ZipContents::Converted => {
                let balloon = one.problem.as_ref();
                let balloon =
                    balloon.map(|one| Balloon { label: one.label.clone(), colour: one.colour.clone() });
                pack::pack(package, &loaded.tests, self.target, balloon.as_ref())
            }
            ZipContents::Gradescope(judge) => pack::pack_autograder(package, judge),
            ZipContents::Classroom50(judge) => pack::pack_classroom50(package, judge),
            ZipContents::Published => pack_published(loaded, engine),
        }
    }
}

impl PackedZips {
    pub(super) fn status(&self) -> ExitStatus {
        let mut notes = self.zips.iter().flat_map(|zip| &zip.notes);
        if self.unsound > 0 {
            ExitStatus::Unsound
        } else if notes.any(|note| note.weight == NoteEffect::Results) {
            ExitStatus::Negative
        } else {
            ExitStatus::Success
        }
    }
}

fn write_bundle(bundle: &Bundle, package: &str, path: PathBuf) -> Result<PackedZip> {
    let replaced = replaces_zip(&path, bundle.target)?;
    let bytes = pack::write_zip(bundle, &path).with_context(|| format!("pack {package}"))?;
    Ok(PackedZip {
        package: package.to_owned(),
        target: bundle.target,
        file: path,
        replaced,
        bytes,
        files: bundle.files.len(),
        notes: bundle.notes.clone(),
    })
}

/// Statements are made into pages where they are not PDFs already.
fn pack_published(LoadedPackage { package, tests, .. }: &LoadedPackage, engine: &Engine) -> Result<Bundle> {
    let mut pages = BTreeMap::new();
    for language in &package.about.statements {
        let Ok(file) = choose_statement(package, Some(language), StatementForm::Page) else { continue };
        if file.ending == "tex" && file.path.with_extension("pdf").exists() {
            continue;
        }
        let made = statement_html(engine, package, tests, Some(language), FormulaForm::MathMl)?;
        made.remarks.iter().for_each(|remark| print_message!("{remark}"));
        pages.insert(language.clone(), made.bytes);
    }
    pack::pack_for_students(package, tests, pages)
}

/// The place of a file in a directory, or the file itself.
pub(super) fn place_of(output: Option<&Path>, name: &str) -> PathBuf {
    match output {
        None => name.into(),
        Some(path) if is_directory(path) => path.join(name),
        Some(path) => path.to_owned(),
    }
}

/// Whether an older zip for this system will be replaced; refuses to replace other files.
fn replaces_zip(path: &Path, target: Target) -> Result<bool> {
    if !path.exists() {
        return Ok(false);
    }
    let place = path.display();
    match pack::packed_for(path) {
        Some(other) => {
            ensure!(other == target.name(), "{place} is a zip for {other}; choose another --output")
        }
        None => bail!("{place} exists and is not a zip that `kopek pack` wrote; choose another --output"),
    }
    Ok(true)
}

/// Whether a path is that of a directory: it is one, or its name has no ending.
pub(super) fn is_directory(path: &Path) -> bool {
    path.is_dir() || path.extension().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}
