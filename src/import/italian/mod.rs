//! Tasks of the Italian format: `task.yaml`, `gen/`, `sol/`, `check/`, `input/`,
//! `output/`, as CMS and task-maker read them.

mod plan;
mod points;
mod programs;
mod solutions;
mod task;

use super::{
    Options, Regenerate,
    adapt::{Shelf, basename},
    draft::{Content, Draft, Origin, Test, legal},
    source::Source,
};
use anyhow::{Context, Result, bail, ensure};
use plan::{Line, Subtask};
use task::Task;

/// Its manifest, in the order in which it is looked for.
pub const FILES: &[&str] = &["task.yaml", "task.yml"];
/// Where headers of programs lie, besides the program's own directory.
const HEADERS: &[&str] = &["check", "cor", "gen", ""];

/// Reads it as a package of this format.
pub fn read(source: &Source, options: &Options) -> Result<Draft> {
    let file = source.first(FILES).context("no task.yaml")?;
    let task = task::read(source, file)?;
    let shelf = Shelf { source, headers: HEADERS, testlib: &options.testlib };
    let mut draft = Draft {
        name: task.name.clone(),
        origin: Some("CMS".into()),
        scoring: true,
        submit_answer: task.output_only,
        time_limit: task.time_limit.filter(|_| !task.output_only),
        memory: task.memory.filter(|_| !task.output_only),
        ..Draft::default()
    };
    draft.titles.insert(language(&task), task.title.clone());
    streams(&task, &mut draft);
    contest(&task, &mut draft);
    statement(source, &task, &mut draft)?;
    let checked = programs::judge(&shelf, &mut draft)?;
    let subtasks = plan::read(source, &task)?;
    tests(&shelf, &subtasks, options, &mut draft)?;
    points::add(&task, &subtasks, checked, &mut draft)?;
    programs::validators(&shelf, &subtasks, &mut draft)?;
    attachments(source, &mut draft)?;
    solutions::add(source, &subtasks, &mut draft)?;
    if draft.submit_answer {
        solutions::answers(&mut draft)?;
    }
    Ok(draft)
}

/// Where the input of a test lies.
pub fn input(number: usize) -> String {
    format!("input/input{number}.txt")
}

fn language(task: &Task) -> String {
    match task.language.as_str() {
        "" => "it".into(),
        said => said.replace('_', "-"),
    }
}

fn streams(task: &Task, draft: &mut Draft) {
    let at = |key: &str| format!("{}: {key}", task.file);
    match (task.infile.as_str(), task.outfile.as_str()) {
        ("", "") => {}
        _ if task.output_only => {}
        (infile, outfile) if !infile.is_empty() && !outfile.is_empty() => {
            draft.named_files = Some((legal(infile), legal(outfile)));
            let what = format!("submissions read {infile} and write {outfile}");
            draft.changes.changed(
                at("infile"),
                what,
                "kopek.toml says so; other tools do not know that file",
            );
        }
        (infile, outfile) => {
            let what = format!("one file (`{infile}{outfile}`) and one standard stream");
            draft.changes.lost(at("infile"), what, "both are standard streams: submissions must be changed");
        }
    }
}

fn contest(task: &Task, draft: &mut Draft) {
    if !task.contest.is_empty() {
        let what = format!("settings of a contest: {}", task.contest.join(", "));
        draft.changes.lost(&task.file, what, "they are left out: they belong to the system that runs it");
    }
    if !task.unknown.is_empty() {
        let what = format!("unknown keys: {}", task.unknown.join(", "));
        draft.changes.lost(&task.file, what, "they are left out");
    }
}

/// Names of statements that say no language, then of languages.
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

fn statement(source: &Source, task: &Task, draft: &mut Draft) -> Result<()> {
    let own = language(task);
    for ending in ["pdf", "tex", "md"] {
        let found = STATEMENTS.iter().map(|name| format!("{name}.{ending}")).find(|path| source.has(path));
        if let Some(path) = found {
            draft
                .files
                .insert(format!("statement/problem.{own}.{ending}"), Content::File(source.path(&path)?));
            break;
        }
    }
    for dir in ["statement", "testo"] {
        for name in source.names(dir).filter(|name| name.ends_with(".pdf")) {
            let stem = name.trim_end_matches(".pdf").to_lowercase();
            let known = LANGUAGES.iter().find(|(long, short)| *long == stem || *short == stem);
            let Some((_, code)) = known else { continue };
            let path = format!("statement/problem.{code}.pdf");
            if !draft.files.contains_key(&path) {
                if !draft.files.keys().any(|path| path.starts_with("statement/")) {
                    draft.titles.clear();
                }
                draft.files.insert(path, Content::File(source.path(&format!("{dir}/{name}"))?));
                draft.titles.entry((*code).to_owned()).or_insert_with(|| task.title.clone());
            }
        }
    }
    Ok(())
}

fn tests(shelf: &Shelf, subtasks: &[Subtask], options: &Options, draft: &mut Draft) -> Result<()> {
    let all: Vec<&Line> = subtasks.iter().flat_map(|subtask| &subtask.tests).collect();
    let width = all.len().to_string().len().max(2);
    let mut commands = 0;
    for (number, line) in all.iter().enumerate() {
        let (path, answer) = (input(number), format!("output/output{number}.txt"));
        let there = shelf.source.has(&path);
        let input = match line {
            Line::Copy(from) if !there => Origin::File(shelf.source.path(from)?, None),
            Line::Arguments(args) if !there || options.regenerate == Regenerate::All => Origin::Command(
                programs::generated(shelf, args, draft).with_context(|| format!("make {path}"))?,
            ),
            Line::Arguments(_) | Line::Copy(_) | Line::Unsaid => {
                commands += usize::from(matches!(line, Line::Arguments(_)));
                Origin::File(shelf.source.path(&path)?, None)
            }
        };
        let answer = match &input {
            Origin::File(..) if shelf.source.has(&answer) => Some(shelf.source.path(&answer)?),
            Origin::File(..) | Origin::Command(_) => None,
        };
        let name = format!("{number:0width$}");
        draft.tests.push(Test { name, input, answer, sample: false, secret: true, description: None });
    }
    if commands > 0 {
        programs::kept(shelf, draft)?;
        let instead = "their files are there and are copied; gen/ is kept in generators/kept/ (--regenerate makes the tests anew)";
        draft.changes.changed(plan::FILE, format!("{commands} tests are made by commands"), instead);
    }
    Ok(())
}

/// What participants are given; where no subtask is worth nothing, its inputs with outputs are the samples.
fn attachments(source: &Source, draft: &mut Draft) -> Result<()> {
    let no_samples = draft.tests.iter().all(|test| !test.sample);
    let names: Vec<&str> = source.names("att").collect();
    for &name in &names {
        let file = source.path(&format!("att/{name}"))?;
        draft.files.insert(format!("attachments/{}", legal(name)), Content::File(file));
    }
    for &name in names.iter().filter(|name| no_samples && name.contains("input")) {
        let answer = name.replacen("input", "output", 1);
        if names.contains(&answer.as_str()) {
            let stem = basename(name).rsplit_once('.').map_or(name, |(stem, _)| stem);
            draft.tests.push(Test {
                name: legal(&stem.replacen("input", "sample", 1)),
                input: Origin::File(source.path(&format!("att/{name}"))?, None),
                answer: Some(source.path(&format!("att/{answer}"))?),
                sample: true,
                secret: false,
                description: None,
            });
        }
    }
    Ok(())
}

/// A program's source among several endings; an executable without one is no use.
fn program<'a>(source: &'a Source, stems: &[&str]) -> Result<Option<&'a str>> {
    let is = |path: &&str, stem: &str| {
        path.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.') && !rest[1..].contains('.'))
    };
    for stem in stems {
        let mut found: Vec<&str> = source.paths().filter(|path| is(path, stem)).collect();
        found.retain(|path| !path.ends_with(".o") && !path.ends_with(".exe") && !path.ends_with(".h"));
        match found.as_slice() {
            [] if source.has(stem) => {
                bail!("{stem} is a program without its source: add the source beside it")
            }
            [] => {}
            [only] => return Ok(Some(only)),
            many => bail!("{}: which of them is the program? remove the others", many.join(", ")),
        }
    }
    Ok(None)
}

fn is_python(path: &str) -> bool {
    path.ends_with(".py")
}

/// The ending of the adapter, which is compiled together with the program.
fn adapter_ending(path: &str) -> Result<&'static str> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    ensure!(
        ["c", "cpp", "cc", "cxx"].contains(&ending),
        "{path} is neither C, C++ nor Python: the adapter cannot call it; translate it"
    );
    Ok(if ending == "c" { "c" } else { "cpp" })
}
