//! Programs of a task: checker or manager, validators, generators, graders.

use super::task_files::{PROBLEM, SUBTASKS, TaskKind, TpsSubtask, TpsSubtasks, TpsTask};
use crate::import::{
    draft::{Draft, OutputWorth},
    draft_files::{Content, DraftFiles, ending_of, legal_name},
    judge_programs::{Adapter, JudgeRole, SHARE_CHECKER, gives_points},
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use kopek_package::{language::TESTLIB_HEADER, package::shell_words::split_words};
use regex_lite::Regex;
use std::collections::BTreeSet;

const VALIDATOR: Adapter = Adapter {
    c: include_str!("../adapters/tps_validator.c"),
    python: include_str!("../adapters/tps_validator.py"),
};
const COMMUNICATOR: Adapter = Adapter { c: include_str!("../adapters/tps_communicator.cpp"), python: "" };
/// The message of a failing checker in the variant of testlib.h of TPS; the official one has no such text.
const SIGN: &str = "Judge Failure";

pub fn add_judge(task: &TpsTask, draft: &mut Draft) -> Result<OutputWorth> {
    if task.kind == TaskKind::Communication {
        return add_communicator(draft);
    }
    let programs = draft.programs;
    let found =
        programs.source.first_of(&["checker/checker.cpp", "checker/checker.cc", "checker/checker.py"]);
    if !task.has_checker {
        draft.output_args = vec!["case_sensitive".into()];
        let what = "has_checker is false: outputs are compared by `diff -b`, for which line breaks count";
        draft.changed(PROBLEM, what, "the default output validator compares token by token");
        if let Some(path) = found {
            draft.lost(path, "a checker that has_checker says is not used", "it is left out");
        }
        return Ok(OutputWorth::Whole);
    }
    let Some(path) = found else {
        bail!("there is no checker/checker.cpp; add it, or set has_checker to false in {PROBLEM}");
    };
    let files = if uses_official_testlib(path, draft)? {
        draft.output_args = vec!["--points=1".into()];
        programs.testlib_program(path, JudgeRole::Checker)?
    } else {
        programs.adapted_program(path, &SHARE_CHECKER, "")?
    };
    draft.add_program("output_validator", files);
    Ok(worth_of(&programs.source.read_text(path)?))
}

/// What a program of this text gives; without testlib it may print any share.
fn worth_of(text: &str) -> OutputWorth {
    let is_whole = text.contains(TESTLIB_HEADER) && !gives_points(text);
    if is_whole { OutputWorth::Whole } else { OutputWorth::Parts }
}

/// Whether a program includes testlib.h and gets the official one, with another calling convention.
fn uses_official_testlib(path: &str, draft: &Draft) -> Result<bool> {
    let is_python = ending_of(path) == "py";
    let headers = if is_python { DraftFiles::new() } else { draft.programs.header_files(path)? };
    let Some(header) = headers.get(TESTLIB_HEADER) else { return Ok(false) };
    Ok(!header.read_text().with_context(|| format!("read {TESTLIB_HEADER} of {path}"))?.contains(SIGN))
}

/// The replacement of `fopen` in the manager.
const PIPES: &str = "#include <cstdio>\nextern \"C\" FILE *open_pipe(const char *, const char *);\n\
                     namespace std {\nusing ::open_pipe;\n}\n#define fopen open_pipe\n";

fn add_communicator(draft: &mut Draft) -> Result<OutputWorth> {
    const PATH: &str = "grader/manager.cpp";
    let programs = draft.programs;
    ensure!(
        programs.source.has(PATH),
        "a Communication task without {PATH}: nothing would talk with submissions"
    );
    let text = programs.source.read_text(PATH)?;
    let opens = Regex::new(r"\bopen\s*\(|\b[io]?fstream\b|\bmkfifo\b").expect("a pattern that was tried");
    ensure!(
        !opens.is_match(&text),
        "{PATH} opens its pipes by other means than fopen, which the adapter does not know; use fopen, and import again"
    );
    let opens = Regex::new(r"\b(fopen|freopen|open)\s*\(|\b[io]?fstream\b|\bargv\b")
        .expect("a pattern that was tried");
    for stub in programs.source.paths().filter(|path| path.starts_with("grader/") && *path != PATH) {
        ensure!(
            !opens.is_match(&programs.source.read_text(stub)?),
            "{stub} opens the pipes of the manager by their names, and submissions of a package of this format talk \
             over the standard streams; have it use stdin and stdout, and import again"
        );
    }
    let mut files = programs.adapted_program(PATH, &COMMUNICATOR, "")?;
    if let Some(Content::Text(original)) = files.get_mut("original.cpp") {
        original.insert_str(0, PIPES);
    }
    draft.add_program("output_validator", files);
    let what = "a manager that talks over named pipes";
    draft.changed(PATH, what, "it is the output validator of an interactive problem");
    Ok(worth_of(&text))
}

/// Adds the validators, each as an input validator that runs with `--run` in its groups.
pub fn add_validators(subtasks: &TpsSubtasks, draft: &mut Draft) -> Result<()> {
    let mut names = BTreeSet::new();
    for subtask in &subtasks.all {
        let args = validator_args(subtasks, subtask, &mut names, draft)?;
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
    subtasks: &TpsSubtasks,
    subtask: &TpsSubtask,
    names: &mut BTreeSet<String>,
    draft: &mut Draft,
) -> Result<Vec<String>> {
    let commands = subtasks.global.iter().chain(&subtasks.sensitive).chain(&subtask.validators);
    let mut calls: Vec<Vec<String>> = Vec::new();
    for command in commands {
        let command = command.replace("{subtask}", &subtask.name);
        let at = || format!("{}: the validator `{command}`", SUBTASKS);
        let words = split_words(&command).map_err(|why| anyhow!("{} has {why}", at()))?;
        let Some((program, args)) = words.split_first() else { continue };
        let path = format!("validator/{program}");
        if !draft.source().has(&path) {
            let known = program.contains('.');
            ensure!(!known, "{}: there is no {path}", at());
            draft.lost(at(), "a command of the shell", "it is left out; write it as a program");
            continue;
        }
        if ![".cpp", ".cc", ".c", ".py"].iter().any(|ending| program.ends_with(ending)) {
            let what = "a validator that is neither C, C++ nor Python";
            draft.lost(path, what, "it is left out; translate it");
            continue;
        }
        let name = legal_name(&program.replace('.', "_"));
        if names.insert(path.clone()) {
            let files = draft.programs.adapted_program(&path, &VALIDATOR, &name)?;
            draft.add_program(&format!("input_validators/{name}"), files);
        }
        let call = [&["--run".to_owned(), name][..], args].concat();
        if !calls.contains(&call) {
            calls.push(call);
        }
    }
    Ok(calls.concat())
}

/// Directories of graders, their language, and whether kopek can compile them with submissions.
const GRADERS: &[(&str, &str, bool)] = &[
    ("grader/cpp", "cpp", true),
    ("grader/java", "java", true),
    ("grader/py", "python3", false),
    ("grader/pas", "pascal", false),
];

/// Sets the allowed languages, and adds the files that are compiled with every submission.
pub fn add_graders(task: &TpsTask, draft: &mut Draft) -> Result<()> {
    for (dir, language, joined) in GRADERS {
        let names: Vec<&str> = draft.source().names_in(dir).collect();
        if names.is_empty() {
            continue;
        }
        let unused = if !task.has_grader {
            "graders that has_grader says are not used"
        } else {
            "a grader of a language that is not allowed"
        };
        if !task.has_grader || !task.languages.contains(language) {
            draft.lost(*dir, unused, "they are left out");
        } else if !joined {
            let what = "a grader in a language where the submission does not call it";
            draft.lost(*dir, what, "it is left out: that language cannot be used");
        } else {
            draft.languages.push((*language).to_owned());
            for name in names {
                draft.copy(&format!("{dir}/{name}"), format!("include/{language}/{}", legal_name(name)))?;
            }
        }
    }
    ensure!(
        !task.has_grader || !draft.languages.is_empty(),
        "has_grader is true, but there is neither grader/cpp nor grader/java; add one, or set it to false in {PROBLEM}"
    );
    if task.states_languages && !task.has_grader && task.kind != TaskKind::OutputOnly {
        draft.languages = task.languages.iter().map(|&code| code.to_owned()).collect();
    }
    Ok(())
}
