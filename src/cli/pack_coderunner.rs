//! `kopek pack --for coderunner`: questions for Moodle in one file, and their type in another, which is imported once.

use super::{named_packages::load_sound, pack_zips::ToPack, terminal_output::print_message};
use crate::{
    base::{files, map_in_parallel},
    course::package_max,
    exec::Engine,
    machine::Machine,
    pack::{
        CoderunnerQuestion, FormulaForm, PackedQuestions, Target, USUAL_LANGUAGES, coderunner_questions,
        coderunner_type,
    },
    package::Package,
    typeset::statement_html,
    web::get_json,
};
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Options of questions for CodeRunner.
#[derive(clap::Args)]
pub(super) struct QuestionOptions {
    /// HOST:PORT of `kopek serve` for CodeRunner [default: that of Moodle]
    #[arg(long, value_name = "ADDRESS")]
    pub(super) server: Option<String>,
    /// Languages of questions for CodeRunner, the default first: cpp,python3
    #[arg(long, value_name = "LANGUAGES", value_delimiter = ',')]
    pub(super) allow: Vec<String>,
}

impl QuestionOptions {
    pub(super) fn are_set(&self) -> bool {
        self.server.is_some() || !self.allow.is_empty()
    }
}

/// The file of the type, beside that of the questions.
const TYPE_FILE: &str = "kopek-type.xml";

/// What was written.
pub(super) struct PackedCourse {
    pub(super) questions: PackedQuestions,
    /// Packages with errors, which are not packed.
    pub(super) unsound: usize,
}

pub(super) fn pack_questions(
    file: &Path,
    options: &QuestionOptions,
    problems: &[ToPack],
    engine: &Engine,
) -> Result<PackedCourse> {
    let languages = offered_languages(options, engine.machine)?;
    if let Some(server) = &options.server {
        warn_of_missing(server, &languages);
    }
    let mut loaded = Vec::new();
    for one in problems {
        loaded.extend(load_sound(&one.dir, engine)?);
    }
    ensure!(!loaded.is_empty(), "no package is sound, so there is no question to write");
    let mut questions = Vec::new();
    for one in &loaded {
        let package = &one.package;
        let made = statement_html(engine, package, &one.tests, None, FormulaForm::Tex);
        let made = made.with_context(|| format!("render the statement of {}", package.name))?;
        made.remarks.iter().for_each(|remark| print_message!("{remark}"));
        let statement = String::from_utf8_lossy(&made.bytes).into_owned();
        let languages = allowed_of(package, &languages)?;
        questions.push(CoderunnerQuestion { package, statement, max: package_max(one).max, languages });
    }
    let type_file = file.with_file_name(TYPE_FILE);
    files::write_atomic(&type_file, coderunner_type(options.server.as_deref()).as_bytes())?;
    files::write_atomic(file, coderunner_questions(&questions).as_bytes())?;
    let questions = PackedQuestions {
        packages: questions.iter().map(|one| one.package.name.clone()).collect(),
        target: Target::Coderunner,
        file: file.to_owned(),
        type_file,
    };
    Ok(PackedCourse { questions, unsound: problems.len() - loaded.len() })
}

/// The languages of `--allow`, else those that are installed here; those of most courses come first.
fn offered_languages(options: &QuestionOptions, machine: &Machine) -> Result<Vec<String>> {
    for code in &options.allow {
        ensure!(
            machine.table.get(code).is_some(),
            "--allow {code}: no such language; `kopek languages` lists them"
        );
    }
    if !options.allow.is_empty() {
        return Ok(options.allow.clone());
    }
    let rows = machine.table.languages();
    let found = map_in_parallel(rows, rows.len(), |row| machine.toolchain(row).is_ok());
    let installed = rows.iter().zip(found).filter(|(_, is_found)| *is_found);
    let mut codes: Vec<String> = installed.map(|(row, _)| row.code.clone()).collect();
    let rank = |code: &String| USUAL_LANGUAGES.iter().position(|usual| usual == code);
    codes.sort_by_key(|code| rank(code).unwrap_or(USUAL_LANGUAGES.len()));
    Ok(codes)
}

/// Those that a package allows.
fn allowed_of(package: &Package, languages: &[String]) -> Result<Vec<String>> {
    let is_allowed = |code: &&String| package.languages.as_ref().is_none_or(|allowed| allowed.contains(code));
    let allowed: Vec<String> = languages.iter().filter(is_allowed).cloned().collect();
    ensure!(
        !allowed.is_empty(),
        "{} allows only {}: name one of these with --allow",
        package.name,
        package.languages.clone().unwrap_or_default().join(", ")
    );
    Ok(allowed)
}

fn warn_of_missing(server: &str, languages: &[String]) {
    let known = match get_json(server, "/jobe/index.php/restapi/languages") {
        Ok(list) => list,
        Err(why) => return print_message!("warning: cannot ask {server} for its languages: {why:#}"),
    };
    let has = |code: &String| known.as_array().is_some_and(|list| list.iter().any(|row| row[0] == *code));
    for code in languages.iter().filter(|code| !has(code)) {
        print_message!("warning: {server} has no {code}");
    }
}
