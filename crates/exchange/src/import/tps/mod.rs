//! Tasks of TPS, the tool of the international olympiad: `problem.json`, `subtasks.json`, `gen/data`,
//! `solutions.json`.

mod gen_data;
mod problem_json;
mod subtasks_json;
mod tps_programs;
mod tps_solutions;
mod tps_tests;

use super::{
    adapt::{ProgramSources, base_name},
    draft::{Content, Draft, legal_name},
    options::ImportOptions,
    source::ForeignPackage,
    testlib::Testlib,
};
use anyhow::{Result, ensure};
use kopek_engine::language::TESTLIB_HEADER;
use problem_json::{TaskKind, TpsTask};

pub use problem_json::FILE;

/// Its other manifests.
const REQUIRED: [&str; 3] = [subtasks_json::FILE, gen_data::FILE, tps_solutions::FILE];
/// Directories of headers, besides the program's own.
const HEADERS: &[&str] = &[];
/// Text around every input.
const WRAPPERS: [&str; 2] = ["gen/input.header", "gen/input.footer"];

/// Whether a directory (with its `/`, or empty) holds a task.
pub fn is_task(source: &ForeignPackage, start: &str) -> bool {
    source.has(&format!("{start}{FILE}"))
        && (source.has(&format!("{start}{}", gen_data::FILE))
            || source.has(&format!("{start}{}", subtasks_json::FILE))
            || source
                .paths()
                .any(|path| path.strip_prefix(start).is_some_and(|rest| rest.starts_with("subtasks/"))))
}

/// Reads it as a package of this format.
pub fn read(source: &ForeignPackage, options: &ImportOptions) -> Result<Draft> {
    let task = problem_json::read(source)?;
    for file in REQUIRED {
        ensure!(source.has(file), "there is no {file}: a task of TPS has it; add it, and import again");
    }
    let data = gen_data::parse_data(&source.read_text(gen_data::FILE)?, task.kind)?;
    let testlib = usual_testlib(source, options);
    let sources = ProgramSources { source, headers: HEADERS, testlib: &testlib };
    let output_only = task.kind == TaskKind::OutputOnly;
    let mut draft = Draft {
        name: task.name.clone(),
        origin: Some("TPS".into()),
        scoring: true,
        interactive: task.kind == TaskKind::Communication,
        submit_answer: output_only,
        time_limit: task.time_limit.filter(|_| !output_only),
        memory: task.memory.filter(|_| !output_only),
        ..Draft::default()
    };
    draft.titles.insert("en".into(), task.title.clone());
    report_settings(&task, &mut draft);
    let subtasks = subtasks_json::read(source, &data, &mut draft)?;
    add_statement(source, &mut draft)?;
    add_attachments(source, &mut draft)?;
    let worth = tps_programs::add_judge(&sources, &task, &mut draft)?;
    tps_programs::add_graders(&sources, &task, &mut draft)?;
    ensure_unwrapped(source, &data)?;
    tps_tests::add_tests(&sources, &data, &subtasks, options, &mut draft)?;
    tps_tests::add_groups(&data, &subtasks, worth, &mut draft)?;
    tps_programs::add_validators(&sources, &subtasks, &mut draft)?;
    match output_only {
        true => tps_tests::add_outputs(source, &mut draft)?,
        false => tps_solutions::add_solutions(&sources, &task, &subtasks, &mut draft)?,
    }
    keep_manifests(source, &mut draft)?;
    Ok(draft)
}

/// The task's own variant, which its programs need; the user's is for tasks without one.
fn usual_testlib(source: &ForeignPackage, options: &ImportOptions) -> Testlib {
    let own = source.paths().any(|path| base_name(path) == TESTLIB_HEADER);
    let Testlib { given, path } = options.testlib.clone();
    Testlib { given: given.filter(|_| !own), path }
}

fn report_settings(task: &TpsTask, draft: &mut Draft) {
    if !task.others.is_empty() {
        let what = format!("settings of a contest: {}", task.others.join(", "));
        draft.changes.add_loss(FILE, what, "they are left out: they belong to the system that runs it");
    }
}

/// Inputs of three parts are only copied, never generated.
fn ensure_unwrapped(source: &ForeignPackage, data: &gen_data::TpsData) -> Result<()> {
    let made = data.tests.iter().all(|test| source.has(&tps_tests::file_path(&test.name, "in")));
    let wrapped = WRAPPERS.into_iter().find(|path| source.size_of(path) > 0);
    if let Some(path) = wrapped.filter(|_| !made) {
        anyhow::bail!(
            "{path} is put around every input, which a recipe of this format cannot say; make the tests with \
             `tps gen`, and import again with tests/"
        );
    }
    Ok(())
}

/// The only text, else the only PDF, else the only TeX; and pictures.
fn add_statement(source: &ForeignPackage, draft: &mut Draft) -> Result<()> {
    let paths: Vec<&str> = source.paths().filter(|path| path.starts_with("statement/")).collect();
    let of = |ending: &str| {
        let found: Vec<&str> = paths.iter().copied().filter(|path| path.ends_with(ending)).collect();
        let index = format!("statement/index{ending}");
        found.iter().copied().find(|path| *path == index).or(found.first().copied())
    };
    let chosen = [".md", ".pdf", ".tex"].into_iter().find_map(|ending| Some((of(ending)?, ending)));
    let Some((chosen, ending)) = chosen else {
        draft.changes.add_loss("statement", "there is no statement", "write statement/problem.en.md");
        return Ok(());
    };
    draft.files.insert(format!("statement/problem.en{ending}"), Content::File(source.path_of(chosen)?));
    let mut rest = Vec::new();
    for path in paths.into_iter().filter(|path| *path != chosen) {
        let is_picture =
            [".png", ".jpg", ".jpeg", ".svg", ".gif"].iter().any(|end| path.to_lowercase().ends_with(end));
        let place = format!("statement/{}", legal_name(base_name(path)));
        if is_picture && !draft.files.contains_key(&place) {
            draft.files.insert(place, Content::File(source.path_of(path)?));
        } else {
            rest.push(path);
        }
    }
    if !rest.is_empty() {
        let instead = format!("they are left out: {chosen} is the statement");
        draft.changes.add_loss(rest.join(", "), "other forms of the statement", instead);
    }
    Ok(())
}

/// Files for participants.
fn add_attachments(source: &ForeignPackage, draft: &mut Draft) -> Result<()> {
    let given = source.paths().filter_map(|path| Some((path, path.strip_prefix("public/")?)));
    for (path, name) in given.filter(|(_, name)| *name != "files" && !name.starts_with("examples/")) {
        let place = format!("attachments/{}", legal_name(&name.replace('/', "-")));
        draft.files.insert(place, Content::File(source.path_of(path)?));
    }
    Ok(())
}

/// Keeps the manifests, with the descriptions of subtasks, and the generators for readers.
fn keep_manifests(source: &ForeignPackage, draft: &mut Draft) -> Result<()> {
    for path in REQUIRED {
        let place = format!("generators/kept/{}", base_name(path));
        draft.files.insert(place, Content::File(source.path_of(path)?));
    }
    Ok(())
}
