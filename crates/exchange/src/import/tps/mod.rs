//! Tasks of TPS, the tool of the international olympiad: `problem.json`, `subtasks.json`, `gen/data`,
//! `solutions.json`.

mod task_files;
mod tps_programs;
mod tps_solutions;

use super::{
    draft::{Draft, DraftGroup, DraftTest, InputOrigin, OutputWorth},
    draft_files::{base_name, legal_name},
    imported::Regenerate,
    source::ForeignPackage,
    testlib::Testlib,
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use kopek_package::{language::TESTLIB_HEADER, package::shell_words::split_words, points::Points};
use task_files::{DATA, DataOrigin, DataTest, SUBTASKS, TaskKind, TpsData, TpsSubtasks};

pub use task_files::PROBLEM as FILE;

/// Its other manifests.
const REQUIRED: [&str; 3] = [SUBTASKS, DATA, tps_solutions::FILE];
/// Text around every input.
const WRAPPERS: [&str; 2] = ["gen/input.header", "gen/input.footer"];

/// Whether a directory (with its `/`, or empty) holds a task.
pub fn is_task(source: &ForeignPackage, start: &str) -> bool {
    let has = |file: &str| source.has(&format!("{start}{file}"));
    let exported = format!("{start}subtasks/");
    has(FILE) && (has(DATA) || has(SUBTASKS) || source.paths().any(|path| path.starts_with(&exported)))
}

/// The task's own variant, which its programs need; the user's is for tasks without one.
pub fn usual_testlib(source: &ForeignPackage, testlib: &Testlib) -> Testlib {
    let own = source.paths().any(|path| base_name(path) == TESTLIB_HEADER);
    Testlib { given: testlib.given.clone().filter(|_| !own), path: testlib.path.clone() }
}

pub fn read(draft: &mut Draft) -> Result<()> {
    let source = draft.source();
    let task = task_files::read_task(source)?;
    for file in REQUIRED {
        ensure!(source.has(file), "there is no {file}: a task of TPS has it; add it, and import again");
    }
    let data = task_files::parse_data(&source.read_text(DATA)?, task.kind)?;
    draft.name.clone_from(&task.name);
    draft.origin = Some("TPS".into());
    draft.scoring = true;
    draft.interactive = task.kind == TaskKind::Communication;
    draft.submit_answer = task.kind == TaskKind::OutputOnly;
    if !draft.submit_answer {
        (draft.time_limit, draft.memory) = (task.time_limit, task.memory);
    }
    draft.titles.insert("en".into(), task.title.clone());
    if !task.others.is_empty() {
        let what = format!("settings of a contest: {}", task.others.join(", "));
        draft.lost(FILE, what, "they are left out: they belong to the system that runs it");
    }
    let subtasks = task_files::read_subtasks(source, &data, draft)?;
    add_statement(draft)?;
    for path in source.paths() {
        let Some(name) = path.strip_prefix("public/") else { continue };
        if name != "files" && !name.starts_with("examples/") {
            draft.copy(path, format!("attachments/{}", legal_name(&name.replace('/', "-"))))?;
        }
    }
    let worth = tps_programs::add_judge(&task, draft)?;
    tps_programs::add_graders(&task, draft)?;
    ensure_unwrapped(source, &data)?;
    add_tests(&data, &subtasks, draft)?;
    add_groups(&data, &subtasks, worth, draft)?;
    tps_programs::add_validators(&subtasks, draft)?;
    if draft.submit_answer {
        draft.add_answers(|test| {
            let path = file_path(&test.name, "out");
            format!("an OutputOnly task without {path}; make the tests with `tps gen`, and import again with tests/")
        })?;
        let what = "solutions that make outputs";
        draft.lost("solution", what, "they are left out: the outputs are handed in");
    } else {
        tps_solutions::add_solutions(&task, &subtasks, draft)?;
    }
    // For readers: they describe the subtasks.
    for path in REQUIRED {
        draft.copy(path, format!("generators/kept/{}", base_name(path)))?;
    }
    Ok(())
}

/// Inputs of three parts are only copied, never generated.
fn ensure_unwrapped(source: &ForeignPackage, data: &TpsData) -> Result<()> {
    let made = data.tests.iter().all(|test| source.has(&file_path(&test.name, "in")));
    match WRAPPERS.into_iter().find(|path| source.size_of(path) > 0) {
        Some(path) if !made => bail!(
            "{path} is put around every input, which a recipe of this format cannot say; make the tests with \
             `tps gen`, and import again with tests/"
        ),
        _ => Ok(()),
    }
}

/// The only text, else the only PDF, else the only TeX; and pictures.
fn add_statement(draft: &mut Draft) -> Result<()> {
    let source = draft.source();
    let paths: Vec<&str> = source.paths().filter(|path| path.starts_with("statement/")).collect();
    let chosen = [".md", ".pdf", ".tex"].into_iter().find_map(|ending| {
        let found = paths.iter().copied().filter(|path| path.ends_with(ending));
        // The file called `index` is before the others.
        Some((found.min_by_key(|path| **path != format!("statement/index{ending}"))?, ending))
    });
    let Some((chosen, ending)) = chosen else {
        draft.lost("statement", "there is no statement", "write statement/problem.en.md");
        return Ok(());
    };
    draft.copy(chosen, format!("statement/problem.en{ending}"))?;
    let mut rest = Vec::new();
    for path in paths.into_iter().filter(|path| *path != chosen) {
        let lower = path.to_lowercase();
        let is_picture = [".png", ".jpg", ".jpeg", ".svg", ".gif"].iter().any(|end| lower.ends_with(end));
        let place = format!("statement/{}", legal_name(base_name(path)));
        if is_picture && !draft.files.contains_key(&place) {
            draft.copy(path, place)?;
        } else {
            rest.push(path);
        }
    }
    if !rest.is_empty() {
        let instead = format!("they are left out: {chosen} is the statement");
        draft.lost(rest.join(", "), "other forms of the statement", instead);
    }
    Ok(())
}

/// The path of an existing file of a test.
fn file_path(name: &str, ending: &str) -> String {
    format!("tests/{name}.{ending}")
}

fn add_tests(data: &TpsData, subtasks: &TpsSubtasks, draft: &mut Draft) -> Result<()> {
    for set in data.sets.iter().filter(|set| set.is_subtask) {
        let is_known = subtasks.all.iter().any(|subtask| subtask.name == set.name);
        ensure!(is_known, "{DATA}: the subtask `{}` is not in {SUBTASKS}", set.name);
    }
    let mut copied = 0;
    for (index, test) in data.tests.iter().enumerate() {
        let line = format!("{DATA}:{}", test.line);
        let mut draft_test = read_test(test, &line, draft).with_context(|| line.clone())?;
        let is_copied = matches!(draft_test.input, InputOrigin::File(..));
        copied += usize::from(is_copied && matches!(test.origin, DataOrigin::Command(_)));
        for set in data.sets.iter().filter(|set| set.is_subtask && set.tests.contains(&index)) {
            let subtask = subtasks.all.iter().find(|subtask| subtask.name == set.name);
            let is_sample = subtask.is_some_and(|subtask| subtask.is_samples());
            draft_test.sample |= is_sample;
            draft_test.secret |= !is_sample;
        }
        if !draft_test.sample && !draft_test.secret {
            draft.lost(line, format!("test {} is in no subtask", test.name), "it is left out");
        }
        draft.tests.push(draft_test);
    }
    if copied > 0 {
        let what = format!("{copied} tests are made by commands");
        draft.changed(DATA, what, "their files in tests/ are copied (--regenerate makes them again)");
    }
    Ok(())
}

/// A test with its input, and its existing answer.
fn read_test(test: &DataTest, line: &str, draft: &mut Draft) -> Result<DraftTest> {
    let source = draft.source();
    let input = file_path(&test.name, "in");
    let answer = file_path(&test.name, "out");
    let keeps_files = draft.regenerate == Regenerate::Missing && source.has(&input);
    let input = match &test.origin {
        _ if keeps_files => InputOrigin::File(source.path_of(&input)?, None),
        DataOrigin::File(path) => InputOrigin::File(source.path_of(path)?, None),
        DataOrigin::Command(command) => {
            if command.contains(['"', '\'', '*', '?']) {
                let what = format!("quotes or wildcards in `{command}`");
                draft.changed(line, what, "quotes group words as in a shell, wildcards stay as they are");
            }
            InputOrigin::Command(generator_command(command, draft)?)
        }
    };
    let answer = if keeps_files || draft.submit_answer { source.path_of(&answer).ok() } else { None };
    let name = legal_name(&test.name);
    Ok(DraftTest { name, input, answer, sample: false, secret: false, description: None })
}

/// The command for the recipe; adds the generator.
fn generator_command(command: &str, draft: &mut Draft) -> Result<String> {
    let words = split_words(command).map_err(|why| anyhow!("`{command}` has {why}"))?;
    let (program, args) = words.split_first().context("no command")?;
    let endings = ["sh", "py", "cpp", "cc", "c", "java"];
    let mut paths = endings.iter().map(|ending| format!("gen/{program}.{ending}"));
    let path = paths.find(|path| draft.source().has(path));
    let path = path.with_context(|| format!("there is no gen/{program}.cpp, .py or .sh"))?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    draft.generator_command(&path, program, &args)
}

/// The score of a subtask is the minimum over all tests that it includes.
fn add_groups(data: &TpsData, subtasks: &TpsSubtasks, worth: OutputWorth, draft: &mut Draft) -> Result<()> {
    let scored: Vec<_> = subtasks.all.iter().filter(|subtask| !subtask.is_samples()).collect();
    let width = scored.len().to_string().len();
    for (number, subtask) in (1..).zip(scored) {
        let set = data.sets.iter().find(|set| set.is_subtask && set.name == subtask.name);
        let Some(set) = set.filter(|set| !set.tests.is_empty()) else {
            let what = format!("subtask `{}` has no tests", subtask.name);
            draft.lost(SUBTASKS, what, "it is left out, with its points");
            continue;
        };
        let name = format!("{number:0width$}-{}", legal_name(&subtask.name));
        let max = Points::from(subtask.score as u64);
        let group = DraftGroup::pass_fail(name, &subtask.name, max, set.tests.clone());
        draft.groups.push(DraftGroup { aggregation: worth.aggregation(), ..group });
    }
    ensure!(!draft.groups.is_empty(), "no subtask beside the samples has tests");
    draft.max_score = draft.sum_of_groups();
    Ok(())
}
