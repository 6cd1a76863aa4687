//! Kattis and DOMjudge: the legacy form of a package of version 2025-09, or a legacy package as it is, with links resolved
//! and data generated.

use super::{
    general_losses::report_general_losses,
    legacy_data::add_data,
    legacy_manifest::add_problem_yaml,
    legacy_submissions::add_submissions,
    losses::Loss,
    packed::{PackSource, Packed},
    statement_html::FormulaForm,
    statement_page::{StatementFile, statement_files, statement_page, title_in},
    statement_tex::{SvgFigures, render_tex},
    target::Target,
};
use anyhow::Result;
use kopek_package::package::{Format, Judge, PackageProgram, shell_words::quote_word};
use std::path::{Path, PathBuf};

/// Files and directories of a legacy package that both systems read.
const FILES: &[&str] = &["problem.yaml", ".timelimit"];
const DIRECTORIES: &[&str] = &[
    "problem_statement",
    "attachments",
    "data",
    "include",
    "submissions",
    "input_validators",
    "input_format_validators",
    "output_validators",
    "graders",
];

/// Endings of sources that DOMjudge builds.
const BUILT_BY_DOMJUDGE: &[&str] = &["c", "cpp", "cc", "C", "java", "py"];

/// What only the contest knows of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balloon {
    pub label: String,
    /// The colour of its balloon, as `#ff0000` or a name.
    pub colour: Option<String>,
}

pub fn pack_for_kattis(source: &PackSource) -> Result<Packed> {
    let mut packed = Packed::new(Target::Kattis);
    if source.package.format == Format::Legacy {
        add_verbatim(source, &mut packed)?;
        return Ok(packed);
    }
    add_legacy_form(source, &mut packed)?;
    add_kattis_statements(source, &mut packed)?;
    Ok(packed)
}

pub fn pack_for_domjudge(source: &PackSource, balloon: Option<&Balloon>) -> Result<Packed> {
    let mut packed = Packed::new(Target::Domjudge);
    if source.package.format == Format::Legacy {
        add_verbatim(source, &mut packed)?;
    } else {
        add_legacy_form(source, &mut packed)?;
        add_domjudge_statement(source, &mut packed)?;
    }
    add_settings(source, &mut packed, balloon);
    Ok(packed)
}

fn add_verbatim(source: &PackSource, packed: &mut Packed) -> Result<()> {
    for name in FILES.iter().filter(|name| source.package.dir.join(name).is_file()) {
        packed.add_copy(*name, source.package.dir.join(name));
    }
    for dir in DIRECTORIES {
        packed.add_directory(source, dir)?;
    }
    let readable = ["pdf", "html", "txt"].map(|ending| format!("problem_statement/problem.{ending}"));
    if !readable.iter().any(|path| packed.files.contains_key(path)) {
        packed.report_loss(Loss::StatementForm, "problem_statement", &["PDF, HTML or text"]);
    }
    if source.package.grader.is_some() {
        packed.report_loss(Loss::CustomGrader, "graders", &[]);
    }
    Ok(())
}

/// The legacy form of a package of version 2025-09, without its statements.
fn add_legacy_form(source: &PackSource, packed: &mut Packed) -> Result<()> {
    report_general_losses(source, packed)?;
    add_problem_yaml(source, packed);
    add_programs(source, packed)?;
    add_data(source, packed)?;
    add_submissions(source, packed)?;
    packed.add_attachments(source, "attachments")
}

/// DOMjudge's own settings, which hold the time limit.
fn add_settings(source: &PackSource, packed: &mut Packed, balloon: Option<&Balloon>) {
    let mut text = match std::fs::read(source.package.dir.join("domjudge-problem.ini")) {
        Ok(own) => String::from_utf8_lossy(&own).into_owned(),
        Err(_) => plain_settings(source, packed),
    };
    // Without these names DOMjudge takes that of the zip, which contains the target's name.
    let name = source.target_name();
    if !has_key(&text, "externalid") {
        set_key(&mut text, "externalid", &name);
    }
    if balloon.is_some() || !has_key(&text, "short-name") {
        set_key(&mut text, "short-name", balloon.map_or(&name, |balloon| &balloon.label));
    }
    if let Some(colour) = balloon.and_then(|balloon| balloon.colour.as_ref()) {
        set_key(&mut text, "color", colour);
    }
    packed.add_text("domjudge-problem.ini", text);
}

fn has_key(text: &str, key: &str) -> bool {
    text.lines().any(|line| line.split_once('=').is_some_and(|(name, _)| name.trim() == key))
}

fn set_key(text: &mut String, key: &str, value: &str) {
    let mut written = String::new();
    for line in text.lines().filter(|line| !has_key(line, key)) {
        written += &format!("{line}\n");
    }
    *text = format!("{written}{key} = '{value}'\n");
}

/// Settings for a package without its own.
fn plain_settings(source: &PackSource, packed: &mut Packed) -> String {
    let head = "; settings of this problem that problem.yaml does not hold\n";
    match source.package.limits.time {
        Some(limit) => format!("{head}timelimit = '{}'\n", limit.as_secs_f64()),
        None => {
            packed.report_loss(Loss::NoTimeLimit, "problem.yaml", &[]);
            head.to_owned()
        }
    }
}

fn add_programs(source: &PackSource, packed: &mut Packed) -> Result<()> {
    let mut validators = source.package.input_validators.as_slice();
    if source.target == Target::Domjudge && validators.len() > 1 {
        validators = &validators[..1];
        packed.report_loss(Loss::SeveralInputValidators, "input_validators", &[&validators[0].name]);
    }
    for validator in validators {
        add_program(source, packed, "input_validators", validator)?;
    }
    if let Judge::Programs { programs, .. } = &source.package.judge {
        for program in programs {
            add_program(source, packed, "output_validators", program)?;
            note_language(packed, program);
        }
    }
    add_includes(source, packed)
}

/// A program in a directory of its own.
fn add_program(source: &PackSource, packed: &mut Packed, dir: &str, program: &PackageProgram) -> Result<()> {
    let home = format!("{dir}/{}", program.name);
    for file in &program.source.files {
        packed.add_filled(source, format!("{home}/{}", file.display()), &program.source.root.join(file))?;
    }
    if source.target == Target::Domjudge {
        add_build_script(packed, &home, program);
    }
    Ok(())
}

/// Kattis only promises these languages for output validators.
fn note_language(packed: &mut Packed, program: &PackageProgram) {
    let known = |ending: &str| ["py", "c", "cc", "cpp", "cxx", "h", "hpp"].contains(&ending);
    if !is_started(program) && !file_endings(program).all(known) {
        let place = format!("output_validator/{}", program.name);
        packed.report_loss(Loss::ValidatorLanguage, place, &["C, C++ or Python"]);
    }
}

fn add_build_script(packed: &mut Packed, home: &str, program: &PackageProgram) {
    if is_started(program) || file_endings(program).any(|ending| BUILT_BY_DOMJUDGE.contains(&ending)) {
        return;
    }
    let Some(root) = rust_root(program) else {
        packed.report_loss(Loss::UnknownValidator, home, &[]);
        return;
    };
    let root = quote_word(&format!("./{}", root.display()));
    let script = format!("#!/bin/sh\nexec rustc --edition 2021 -O -o run {root}\n");
    packed.add_text(format!("{home}/build"), script);
    packed.report_loss(Loss::RustValidator, home, &[]);
}

fn add_includes(source: &PackSource, packed: &mut Packed) -> Result<()> {
    let include = &source.package.include;
    if source.target == Target::Domjudge && !include.is_empty() {
        packed.report_loss(Loss::Include, "include", &[]);
        return Ok(());
    }
    for (language, files) in include {
        if language == "default" {
            packed.report_loss(Loss::DefaultInclude, "include/default", &[]);
        }
        for file in &files.files {
            packed.add_filled(
                source,
                format!("include/{language}/{}", file.display()),
                &files.root.join(file),
            )?;
        }
    }
    Ok(())
}

/// Kattis gets TeX, and all other files as they are.
fn add_kattis_statements(source: &PackSource, packed: &mut Packed) -> Result<()> {
    let statements = statement_files(source.package);
    for file in source.files_in("statement")? {
        let path = source.package.dir.join("statement").join(&file);
        match statements.iter().find(|one| one.path == path && one.ending == "md") {
            Some(statement) => add_tex(source, packed, statement)?,
            None => packed.add_copy(format!("problem_statement/{}", file.display()), path),
        }
    }
    Ok(())
}

fn add_tex(source: &PackSource, packed: &mut Packed, statement: &StatementFile) -> Result<()> {
    let language = &statement.language;
    let title = title_in(source.package, language);
    let tex = render_tex(&title, &statement.read(source.package)?, SvgFigures::LeaveOut);
    for picture in &tex.left_out {
        packed.report_loss(Loss::Figure, format!("statement/problem.{language}.md"), &[picture]);
    }
    packed.add_text(format!("problem_statement/problem.{language}.tex"), tex.text);
    Ok(())
}

/// DOMjudge shows one statement: English if there is one; as PDF if there is one.
fn add_domjudge_statement(source: &PackSource, packed: &mut Packed) -> Result<()> {
    let mut all = statement_files(source.package);
    all.sort_by_key(|file| {
        // TeX comes last, as DOMjudge cannot show it in any language.
        (file.ending == "tex", file.language != "en", file.language.clone(), file.ending != "pdf")
    });
    let first = all.first();
    if let Some(first) = first.filter(|first| all.iter().any(|one| one.language != first.language)) {
        packed.report_loss(Loss::SeveralStatements, "statement", &[&first.language]);
    }
    match first {
        Some(first) if first.ending == "pdf" => {
            packed.add_copy("problem_statement/problem.pdf", &first.path);
        }
        Some(first) if first.ending == "md" => {
            let page = statement_page(
                source.package,
                source.tests,
                first,
                first.read(source.package)?,
                FormulaForm::MathMl,
            )?;
            packed.add_text("problem_statement/problem.html", page);
        }
        Some(_) | None => packed.report_loss(Loss::StatementForm, "statement", &["PDF or Markdown"]),
    }
    Ok(())
}

/// Whether it has a script `build` or `run`.
fn is_started(program: &PackageProgram) -> bool {
    ["build", "run"].iter().any(|name| program.source.files.contains(&(*name).into()))
}

/// The crate root among several Rust files.
fn rust_root(program: &PackageProgram) -> Option<&PathBuf> {
    let sources = program.source.files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs"));
    let sources: Vec<&PathBuf> = sources.collect();
    match sources.as_slice() {
        [only] => Some(only),
        several => several.iter().find(|file| **file == Path::new("main.rs")).copied(),
    }
}

fn file_endings(program: &PackageProgram) -> impl Iterator<Item = &str> {
    program.source.files.iter().filter_map(|file| file.extension()?.to_str())
}
