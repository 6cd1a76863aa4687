//! Tasks of the Italian format: `task.yaml`, `gen/`, `sol/`, `check/`, `input/`,
//! `output/`, as CMS and task-maker read them.

mod gen_file;
mod italian_solutions;
mod statements;
mod subtasks;
mod task_yaml;

use super::{
    draft::{Draft, DraftTest, InputOrigin, OutputWorth},
    draft_files::{base_name, legal_name},
    imported::Regenerate,
    judge_programs::Adapter,
};
use anyhow::{Context, Result, anyhow, bail};
use gen_file::{Subtask, TestLine};
use kopek_package::{package::shell_words::split_words, points::Points};
use task_yaml::ItalianTask;

/// Possible manifests, the preferred one first.
pub const FILES: &[&str] = &["task.yaml", "task.yml"];
pub const TESTS: &str = gen_file::FILE;
/// Directories of headers, besides the program's own.
pub const HEADERS: &[&str] = &["check", "cor", "gen", ""];
/// Prints a share from 0 to 1.
const CHECKER: Adapter = Adapter {
    c: include_str!("../adapters/italian_checker.c"),
    python: include_str!("../adapters/italian_checker.py"),
};
/// Ends with 0 if the input is valid.
const VALIDATOR: Adapter = Adapter {
    c: include_str!("../adapters/italian_validator.c"),
    python: include_str!("../adapters/italian_validator.py"),
};

pub fn read(draft: &mut Draft) -> Result<()> {
    let source = draft.source();
    let file = source.first_of(FILES).context("no task.yaml")?;
    let task = task_yaml::read(source, file)?;
    draft.name.clone_from(&task.name);
    draft.origin = Some("CMS".into());
    draft.scoring = true;
    draft.submit_answer = task.output_only;
    if !task.output_only {
        (draft.time_limit, draft.memory) = (task.time_limit, task.memory);
    }
    set_streams(&task, draft);
    if !task.contest.is_empty() {
        let what = format!("settings of a contest: {}", task.contest.join(", "));
        draft.lost(file, what, "they are left out: they belong to the system that runs it");
    }
    if !task.unknown.is_empty() {
        draft.lost(file, format!("unknown keys: {}", task.unknown.join(", ")), "they are left out");
    }
    statements::add_statements(&task, draft)?;
    let checked = add_output_validator(draft)?;
    let subtasks = gen_file::read(source, &task)?;
    add_tests(&subtasks, draft)?;
    if let [Subtask { points: None, .. }] = subtasks.as_slice() {
        draft.max_score = Some(Points::from(task.total));
    } else {
        subtasks::add_groups(&task, &subtasks, checked, draft)?;
    }
    add_input_validator(&subtasks, draft)?;
    add_attachments(draft)?;
    italian_solutions::add_solutions(&subtasks, draft)?;
    if draft.submit_answer {
        draft.add_answers(|test| format!("an output-only task without output/output{}.txt", test.name))?;
    }
    Ok(())
}

fn set_streams(task: &ItalianTask, draft: &mut Draft) {
    let at = format!("{}: infile", task.file);
    match (task.infile.as_str(), task.outfile.as_str()) {
        ("", "") => {}
        _ if task.output_only => {}
        (infile, outfile) if !infile.is_empty() && !outfile.is_empty() => {
            draft.named_files = Some((legal_name(infile), legal_name(outfile)));
            let what = format!("submissions read {infile} and write {outfile}");
            draft.changed(at, what, "kopek.toml says so; other tools do not know that file");
        }
        (infile, outfile) => {
            let what = format!("one file (`{infile}{outfile}`) and one standard stream");
            draft.lost(at, what, "both are standard streams: submissions must be changed");
        }
    }
}

fn add_output_validator(draft: &mut Draft) -> Result<OutputWorth> {
    let programs = draft.programs;
    if let Some(manager) = programs.find_program(&["check/manager", "cor/manager", "check/controller"])? {
        bail!(
            "{manager}: a communication task, whose manager talks with submissions over named pipes and stubs; write it as an interactive problem by hand"
        );
    }
    let stems = ["check/checker", "cor/correttore", "check/correttore", "cor/checker"];
    if let Some(path) = programs.find_program(&stems)? {
        draft.add_program("output_validator", programs.adapted_program(path, &CHECKER)?);
        return Ok(OutputWorth::Parts);
    }
    // Without a checker CMS uses a `diff` that ignores blanks, but not case.
    draft.output_args = vec!["case_sensitive".into()];
    Ok(OutputWorth::Whole)
}

/// Adds the input validator, and gives each group its number as an argument.
fn add_input_validator(subtasks: &[Subtask], draft: &mut Draft) -> Result<()> {
    let programs = draft.programs;
    let Some(path) = programs.find_program(&["gen/valida", "gen/validator", "gen/validatore"])? else {
        return Ok(());
    };
    draft.add_program("input_validators/valida", programs.adapted_program(path, &VALIDATOR)?);
    if subtasks.iter().any(|subtask| subtask.points.is_some()) {
        for group in &mut draft.groups {
            group.input_args = vec![group.origin.clone()];
        }
        // Subtasks of GEN count from 1, and only the first can be the samples.
        draft.sample_input_args = vec!["1".into()];
    }
    Ok(())
}

fn add_tests(subtasks: &[Subtask], draft: &mut Draft) -> Result<()> {
    let source = draft.source();
    let all: Vec<&TestLine> = subtasks.iter().flat_map(|subtask| &subtask.tests).collect();
    let width = all.len().to_string().len().max(2);
    let mut commands = 0;
    for (number, line) in all.into_iter().enumerate() {
        let path = gen_file::input_path(number);
        let is_there = source.has(&path);
        let input = match line {
            TestLine::Copy(from) if !is_there => InputOrigin::File(source.path_of(from)?, None),
            TestLine::Arguments(args) if !is_there || draft.regenerate == Regenerate::All => {
                let made = generator_command(args, draft).with_context(|| format!("{path} is missing"))?;
                InputOrigin::Command(made)
            }
            TestLine::Arguments(_) | TestLine::Copy(_) | TestLine::Unsaid => {
                commands += usize::from(matches!(line, TestLine::Arguments(_)));
                InputOrigin::File(source.path_of(&path)?, None)
            }
        };
        let answer = match &input {
            InputOrigin::File(..) => source.path_of(&format!("output/output{number}.txt")).ok(),
            InputOrigin::Command(_) => None,
        };
        let name = format!("{number:0width$}");
        draft.tests.push(DraftTest { name, input, answer, sample: false, secret: true, description: None });
    }
    if commands > 0 {
        keep_generators(draft)?;
        let instead =
            "their files are copied; gen/ is kept in generators/kept/ (--regenerate makes the tests again)";
        draft.changed(gen_file::FILE, format!("{commands} tests are made by commands"), instead);
    }
    Ok(())
}

/// The command for the recipe; adds the generator.
fn generator_command(args: &str, draft: &mut Draft) -> Result<String> {
    let found = draft.programs.find_program(&["gen/generator", "gen/generatore"])?;
    let path = found.context(
        "there is no gen/generator.* or gen/generatore.* that makes it; add one of both, and import again",
    )?;
    let words = split_words(args).map_err(|why| anyhow!("its arguments {args:?} have {why}"))?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    draft.generator_command(path, "generator", &words)
}

/// Sources of generators, to be read only.
fn keep_generators(draft: &mut Draft) -> Result<()> {
    let endings = [".cpp", ".c", ".cc", ".py", ".h", ".sh", ".pas", ".java"];
    for name in draft.source().names_in("gen") {
        if name == "GEN" || endings.iter().any(|ending| name.ends_with(ending)) {
            draft.copy(&format!("gen/{name}"), format!("generators/kept/{}", legal_name(name)))?;
        }
    }
    Ok(())
}

/// Files for participants; if every subtask has points, their inputs with outputs are the samples.
fn add_attachments(draft: &mut Draft) -> Result<()> {
    let source = draft.source();
    let lacks_samples = draft.tests.iter().all(|test| !test.sample);
    for name in source.names_in("att") {
        let path = format!("att/{name}");
        draft.copy(&path, format!("attachments/{}", legal_name(name)))?;
        let answer = format!("att/{}", name.replacen("input", "output", 1));
        if lacks_samples && name.contains("input") && source.has(&answer) {
            let stem = base_name(name).rsplit_once('.').map_or(name, |(stem, _)| stem);
            draft.tests.push(DraftTest {
                name: legal_name(&stem.replacen("input", "sample", 1)),
                input: InputOrigin::File(source.path_of(&path)?, None),
                answer: Some(source.path_of(&answer)?),
                sample: true,
                secret: false,
                description: None,
            });
        }
    }
    Ok(())
}
