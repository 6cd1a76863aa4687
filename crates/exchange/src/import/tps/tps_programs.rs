//! Programs of a task: checker or manager, validators, generators, graders.

use super::{
    problem_json::{FILE, TaskKind, TpsTask},
    subtasks_json::{self, TpsSubtask, TpsSubtasks},
};
use crate::import::{
    adapt::{JudgeRole, ProgramSources, below_directory, gives_points},
    draft::{Content, Draft, legal_name},
    program_files::is_python,
    share_programs::{Adapter, SHARE_CHECKER, adapted_program, generator_files},
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use kopek_engine::{
    language::TESTLIB_HEADER,
    package::shell_words::{quote_words, split_words},
};
use regex_lite::Regex;
use std::{collections::BTreeMap, iter};

const VALIDATOR: Adapter = Adapter {
    c: include_str!("../adapters/tps_validator.c"),
    python: include_str!("../adapters/tps_validator.py"),
};
const COMMUNICATOR: Adapter = Adapter { c: include_str!("../adapters/tps_communicator.cpp"), python: "" };
/// The message of a failing checker in the variant of testlib.h of TPS; the official one has no such text.
const SIGN: &str = "Judge Failure";

/// Whether tests may get a part of the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestWorth {
    Whole,
    Parts,
}

/// Adds the output validator.
pub fn add_judge(sources: &ProgramSources, task: &TpsTask, draft: &mut Draft) -> Result<TestWorth> {
    if task.kind == TaskKind::Communication {
        return add_communicator(sources, draft);
    }
    let found = sources.source.first_of(&["checker/checker.cpp", "checker/checker.cc", "checker/checker.py"]);
    if !task.has_checker {
        draft.output_args = vec!["case_sensitive".into()];
        let what = "has_checker is false: outputs are compared by `diff -b`, for which line breaks count";
        draft.changes.add_change(FILE, what, "the default output validator compares token by token");
        if let Some(path) = found {
            draft.changes.add_loss(path, "a checker that has_checker says is not used", "it is left out");
        }
        return Ok(TestWorth::Whole);
    }
    let Some(path) = found else {
        bail!("there is no checker/checker.cpp; add it, or set has_checker to false in {FILE}");
    };
    let text = sources.source.read_text(path)?;
    let parts = gives_points(&text) || !text.contains(TESTLIB_HEADER);
    let files = match uses_official_testlib(sources, path)? {
        true => {
            draft.output_args = vec!["--points=1".into()];
            sources.testlib_program(path, JudgeRole::Checker)?
        }
        false => adapted_program(sources, path, &SHARE_CHECKER, "")?,
    };
    draft.files.extend(below_directory("output_validator", files));
    Ok(if parts { TestWorth::Parts } else { TestWorth::Whole })
}

/// Whether a program includes testlib.h and gets the official one, with another calling convention.
fn uses_official_testlib(sources: &ProgramSources, path: &str) -> Result<bool> {
    let headers = if is_python(path) { BTreeMap::new() } else { sources.header_files(path)? };
    let Some(header) = headers.get(TESTLIB_HEADER) else { return Ok(false) };
    Ok(!header.read_text().with_context(|| format!("read {TESTLIB_HEADER} of {path}"))?.contains(SIGN))
}

/// The replacement of `fopen` in the manager.
const PIPES: &str = "#include <cstdio>\nextern \"C\" FILE *open_pipe(const char *, const char *);\n\
                     namespace std {\nusing ::open_pipe;\n}\n#define fopen open_pipe\n";

fn add_communicator(sources: &ProgramSources, draft: &mut Draft) -> Result<TestWorth> {
    const PATH: &str = "grader/manager.cpp";
    ensure!(
        sources.source.has(PATH),
        "a Communication task without {PATH}: nothing would talk with submissions"
    );
    let text = sources.source.read_text(PATH)?;
    let opens = Regex::new(r"\bopen\s*\(|\b[io]?fstream\b|\bmkfifo\b").expect("a pattern that was tried");
    ensure!(
        !opens.is_match(&text),
        "{PATH} opens its pipes by other means than fopen, which the adapter does not know; use fopen, and import again"
    );
    let opens = Regex::new(r"\b(fopen|freopen|open)\s*\(|\b[io]?fstream\b|\bargv\b")
        .expect("a pattern that was tried");
    for stub in sources.source.paths().filter(|path| path.starts_with("grader/") && *path != PATH) {
        ensure!(
            !opens.is_match(&sources.source.read_text(stub)?),
            "{stub} opens the pipes of the manager by their names, and submissions of a package of this format talk \
             over the standard streams; have it use stdin and stdout, and import again"
        );
    }
    let mut files = adapted_program(sources, PATH, &COMMUNICATOR, "")?;
    if let Some(Content::Text(original)) = files.get_mut("original.cpp") {
        original.insert_str(0, PIPES);
    }
    draft.files.extend(below_directory("output_validator", files));
    let what = "a manager that talks over named pipes";
    draft.changes.add_change(PATH, what, "it is the output validator of an interactive problem");
    Ok(if gives_points(&text) || !text.contains(TESTLIB_HEADER) {
        TestWorth::Parts
    } else {
        TestWorth::Whole
    })
}

/// Adds the validators, each as an input validator that runs with `--run` in its groups.
pub fn add_validators(sources: &ProgramSources, subtasks: &TpsSubtasks, draft: &mut Draft) -> Result<()> {
    let mut names = BTreeMap::new();
    for subtask in &subtasks.all {
        let args = validator_args(sources, subtasks, subtask, &mut names, draft)?;
        if subtask.is_samples() {
            draft.sample_input_args = args;
        } else if let Some(group) = draft.groups.iter_mut().find(|group| group.origin == subtask.name) {
            group.input_args = args;
        }
    }
    Ok(())
}

/// All commands for the tests of a subtask, each once.
fn validator_args(
    sources: &ProgramSources,
    subtasks: &TpsSubtasks,
    subtask: &TpsSubtask,
    names: &mut BTreeMap<String, String>,
    draft: &mut Draft,
) -> Result<Vec<String>> {
    let commands = subtasks.global.iter().chain(&subtasks.sensitive).chain(&subtask.validators);
    let mut calls: Vec<Vec<String>> = Vec::new();
    for command in commands {
        let command = command.replace("{subtask}", &subtask.name);
        let at = || format!("{}: the validator `{command}`", subtasks_json::FILE);
        let words = split_words(&command).map_err(|why| anyhow!("{} has {why}", at()))?;
        let Some((program, args)) = words.split_first() else { continue };
        let path = format!("validator/{program}");
        if !sources.source.has(&path) {
            let known = program.contains('.');
            ensure!(!known, "{}: there is no {path}", at());
            draft.changes.add_loss(at(), "a command of the shell", "it is left out; write it as a program");
            continue;
        }
        if ![".cpp", ".cc", ".c", ".py"].iter().any(|ending| program.ends_with(ending)) {
            let what = "a validator that is neither C, C++ nor Python";
            draft.changes.add_loss(path, what, "it is left out; translate it");
            continue;
        }
        let name = match names.get(&path) {
            Some(name) => name.clone(),
            None => {
                let name = legal_name(&program.replace('.', "_"));
                let files = adapted_program(sources, &path, &VALIDATOR, &name)?;
                draft.files.extend(below_directory(&format!("input_validators/{name}"), files));
                names.insert(path, name.clone());
                name
            }
        };
        let call = [&["--run".to_owned(), name][..], args].concat();
        if !calls.contains(&call) {
            calls.push(call);
        }
    }
    Ok(calls.concat())
}

/// The command for the recipe; adds the generator.
pub fn generator_command(sources: &ProgramSources, command: &str, draft: &mut Draft) -> Result<String> {
    let words = split_words(command).map_err(|why| anyhow!("`{command}` has {why}"))?;
    let (program, args) = words.split_first().context("no command")?;
    let endings = ["sh", "py", "cpp", "cc", "c", "java"];
    let found =
        endings.iter().map(|ending| format!("gen/{program}.{ending}")).find(|path| sources.source.has(path));
    let path = found.with_context(|| format!("there is no gen/{program}.cpp, .py or .sh"))?;
    let name = legal_name(program);
    if !draft.generators.contains_key(&name) {
        draft.generators.insert(name.clone(), generator_files(sources, &path, &name)?);
    }
    Ok(quote_words(iter::once(&*name).chain(args.iter().map(String::as_str))))
}

/// Directories of graders, their language, and whether kopek can compile them with submissions.
const GRADERS: &[(&str, &str, bool)] = &[
    ("grader/cpp", "cpp", true),
    ("grader/java", "java", true),
    ("grader/py", "python3", false),
    ("grader/pas", "pascal", false),
];

/// Sets the allowed languages, and adds the files that are compiled with every submission.
pub fn add_graders(sources: &ProgramSources, task: &TpsTask, draft: &mut Draft) -> Result<()> {
    for (dir, language, joined) in GRADERS {
        let names: Vec<&str> = sources.source.names_in(dir).collect();
        if names.is_empty() {
            continue;
        }
        let unused = if !task.has_grader {
            "graders that has_grader says are not used"
        } else {
            "a grader of a language that is not allowed"
        };
        if !task.has_grader || !task.languages.contains(language) {
            draft.changes.add_loss(*dir, unused, "they are left out");
        } else if !joined {
            let what = "a grader in a language where the submission does not call it";
            draft.changes.add_loss(*dir, what, "it is left out: that language cannot be used");
        } else {
            draft.languages.push((*language).to_owned());
            for name in names {
                let file = Content::File(sources.source.path_of(&format!("{dir}/{name}"))?);
                draft.files.insert(format!("include/{language}/{}", legal_name(name)), file);
            }
        }
    }
    ensure!(
        !task.has_grader || !draft.languages.is_empty(),
        "has_grader is true, but there is neither grader/cpp nor grader/java; add one, or set it to false in {FILE}"
    );
    if task.states_languages && !task.has_grader && task.kind != TaskKind::OutputOnly {
        draft.languages = task.languages.iter().map(|&code| code.to_owned()).collect();
    }
    Ok(())
}
