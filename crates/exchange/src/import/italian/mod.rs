//! Tasks of the Italian format: `task.yaml`, `gen/`, `sol/`, `check/`, `input/`,
//! `output/`, as CMS and task-maker read them.

mod gen_file;
mod italian_solutions;
mod judge_programs;
mod subtasks;
mod task_yaml;

use super::{
    adapt::{ProgramSources, base_name},
    draft::{Content, Draft, DraftTest, InputOrigin, legal_name},
    options::{ImportOptions, Regenerate},
    source::ForeignPackage,
};
use anyhow::{Context, Result};
use gen_file::{Subtask, TestLine};
use task_yaml::ItalianTask;

/// Possible manifests, the preferred one first.
pub const FILES: &[&str] = &["task.yaml", "task.yml"];
/// The list of its tests.
pub const TESTS: &str = gen_file::FILE;
/// Directories of headers, besides the program's own.
const HEADERS: &[&str] = &["check", "cor", "gen", ""];

/// Reads it as a package of this format.
pub fn read(source: &ForeignPackage, options: &ImportOptions) -> Result<Draft> {
    let file = source.first_of(FILES).context("no task.yaml")?;
    let task = task_yaml::read(source, file)?;
    let sources = ProgramSources { source, headers: HEADERS, testlib: &options.testlib };
    let mut draft = Draft {
        name: task.name.clone(),
        origin: Some("CMS".into()),
        scoring: true,
        submit_answer: task.output_only,
        time_limit: task.time_limit.filter(|_| !task.output_only),
        memory: task.memory.filter(|_| !task.output_only),
        ..Draft::default()
    };
    draft.titles.insert(language_code(&task), task.title.clone());
    set_streams(&task, &mut draft);
    report_contest_keys(&task, &mut draft);
    add_statements(source, &task, &mut draft)?;
    let checked = judge_programs::add_output_validator(&sources, &mut draft)?;
    let subtasks = gen_file::read(source, &task)?;
    add_tests(&sources, &subtasks, options, &mut draft)?;
    subtasks::add_groups(&task, &subtasks, checked, &mut draft)?;
    judge_programs::add_input_validator(&sources, &subtasks, &mut draft)?;
    add_attachments(source, &mut draft)?;
    italian_solutions::add_solutions(&sources, &subtasks, &mut draft)?;
    if draft.submit_answer {
        italian_solutions::add_answers(&mut draft)?;
    }
    Ok(draft)
}

fn language_code(task: &ItalianTask) -> String {
    match task.language.as_str() {
        "" => "it".into(),
        language => language.replace('_', "-"),
    }
}

fn set_streams(task: &ItalianTask, draft: &mut Draft) {
    let at = |key: &str| format!("{}: {key}", task.file);
    match (task.infile.as_str(), task.outfile.as_str()) {
        ("", "") => {}
        _ if task.output_only => {}
        (infile, outfile) if !infile.is_empty() && !outfile.is_empty() => {
            draft.named_files = Some((legal_name(infile), legal_name(outfile)));
            let what = format!("submissions read {infile} and write {outfile}");
            draft.changes.add_change(
                at("infile"),
                what,
                "kopek.toml says so; other tools do not know that file",
            );
        }
        (infile, outfile) => {
            let what = format!("one file (`{infile}{outfile}`) and one standard stream");
            draft.changes.add_loss(
                at("infile"),
                what,
                "both are standard streams: submissions must be changed",
            );
        }
    }
}

fn report_contest_keys(task: &ItalianTask, draft: &mut Draft) {
    if !task.contest.is_empty() {
        let what = format!("settings of a contest: {}", task.contest.join(", "));
        draft.changes.add_loss(&task.file, what, "they are left out: they belong to the system that runs it");
    }
    if !task.unknown.is_empty() {
        let what = format!("unknown keys: {}", task.unknown.join(", "));
        draft.changes.add_loss(&task.file, what, "they are left out");
    }
}

/// Names of statements without a language, then of languages.
const STATEMENTS: &[&str] = &["statement/statement", "testo/testo", "statement/testo", "testo/statement"];
const LANGUAGES: &[(&str, &str)] = &[
    ("english", "en"),
    ("italian", "it"),
    ("french", "fr"),
    ("german", "de"),
    ("spanish", "es"),
    ("slovenian", "sl"),
    ("russian", "ru"),
    ("croatian", "hr"),
    ("hungarian", "hu"),
];

fn add_statements(source: &ForeignPackage, task: &ItalianTask, draft: &mut Draft) -> Result<()> {
    let own = language_code(task);
    for ending in ["pdf", "tex", "md"] {
        let found = STATEMENTS.iter().map(|name| format!("{name}.{ending}")).find(|path| source.has(path));
        if let Some(path) = found {
            draft
                .files
                .insert(format!("statement/problem.{own}.{ending}"), Content::File(source.path_of(&path)?));
            break;
        }
    }
    for dir in ["statement", "testo"] {
        for name in source.names_in(dir).filter(|name| name.ends_with(".pdf")) {
            let stem = name.trim_end_matches(".pdf").to_lowercase();
            let known = LANGUAGES.iter().find(|(long, short)| *long == stem || *short == stem);
            let Some((_, code)) = known else { continue };
            let path = format!("statement/problem.{code}.pdf");
            if !draft.files.contains_key(&path) {
                if !draft.files.keys().any(|path| path.starts_with("statement/")) {
                    // The format requires titles and statements in the same languages.
                    draft.titles.clear();
                }
                draft.files.insert(path, Content::File(source.path_of(&format!("{dir}/{name}"))?));
                draft.titles.entry((*code).to_owned()).or_insert_with(|| task.title.clone());
            }
        }
    }
    Ok(())
}

fn add_tests(
    sources: &ProgramSources,
    subtasks: &[Subtask],
    options: &ImportOptions,
    draft: &mut Draft,
) -> Result<()> {
    let all: Vec<&TestLine> = subtasks.iter().flat_map(|subtask| &subtask.tests).collect();
    let width = all.len().to_string().len().max(2);
    let mut commands = 0;
    for (number, line) in all.iter().enumerate() {
        let (path, answer) = (gen_file::input_path(number), format!("output/output{number}.txt"));
        let there = sources.source.has(&path);
        let input = match line {
            TestLine::Copy(from) if !there => InputOrigin::File(sources.source.path_of(from)?, None),
            TestLine::Arguments(args) if !there || options.regenerate == Regenerate::All => {
                InputOrigin::Command(
                    judge_programs::generator_command(sources, args, draft)
                        .with_context(|| format!("make {path}"))?,
                )
            }
            TestLine::Arguments(_) | TestLine::Copy(_) | TestLine::Unsaid => {
                commands += usize::from(matches!(line, TestLine::Arguments(_)));
                InputOrigin::File(sources.source.path_of(&path)?, None)
            }
        };
        let answer = match &input {
            InputOrigin::File(..) if sources.source.has(&answer) => Some(sources.source.path_of(&answer)?),
            InputOrigin::File(..) | InputOrigin::Command(_) => None,
        };
        let name = format!("{number:0width$}");
        draft.tests.push(DraftTest { name, input, answer, sample: false, secret: true, description: None });
    }
    if commands > 0 {
        judge_programs::keep_generators(sources, draft)?;
        let instead =
            "their files are copied; gen/ is kept in generators/kept/ (--regenerate makes the tests again)";
        draft.changes.add_change(gen_file::FILE, format!("{commands} tests are made by commands"), instead);
    }
    Ok(())
}

/// Files for participants; if every subtask has points, their inputs with outputs are the samples.
fn add_attachments(source: &ForeignPackage, draft: &mut Draft) -> Result<()> {
    let no_samples = draft.tests.iter().all(|test| !test.sample);
    let names: Vec<&str> = source.names_in("att").collect();
    for &name in &names {
        let file = source.path_of(&format!("att/{name}"))?;
        draft.files.insert(format!("attachments/{}", legal_name(name)), Content::File(file));
    }
    for &name in names.iter().filter(|name| no_samples && name.contains("input")) {
        let answer = name.replacen("input", "output", 1);
        if names.contains(&answer.as_str()) {
            let stem = base_name(name).rsplit_once('.').map_or(name, |(stem, _)| stem);
            draft.tests.push(DraftTest {
                name: legal_name(&stem.replacen("input", "sample", 1)),
                input: InputOrigin::File(source.path_of(&format!("att/{name}"))?, None),
                answer: Some(source.path_of(&format!("att/{answer}"))?),
                sample: true,
                secret: false,
                description: None,
            });
        }
    }
    Ok(())
}
