//! Checker, validator and generator of a task.

use super::gen_file::Subtask;
use crate::import::{
    adapt::{ProgramSources, below_directory},
    draft::{Content, Draft, legal_name},
    program_files::find_program,
    share_programs::{Adapter, SHARE_CHECKER, adapted_program, generator_files},
};
use anyhow::{Context, Result, anyhow, bail};
use kopek_engine::package::shell_words::{quote_words, split_words};
use std::iter;

const VALIDATOR: Adapter = Adapter {
    c: include_str!("../adapters/italian_validator.c"),
    python: include_str!("../adapters/italian_validator.py"),
};

/// The judge of outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckerKind {
    /// The format's default validator: right or wrong.
    Default,
    /// A program that gives a share of the points.
    Program,
}

/// Adds the output validator.
pub fn add_output_validator(sources: &ProgramSources, draft: &mut Draft) -> Result<CheckerKind> {
    if let Some(manager) =
        find_program(sources.source, &["check/manager", "cor/manager", "check/controller"])?
    {
        bail!(
            "{manager}: a communication task, whose manager talks with submissions over named pipes and stubs; write it as an interactive problem by hand"
        );
    }
    let Some(path) = find_program(
        sources.source,
        &["check/checker", "cor/correttore", "check/correttore", "cor/checker"],
    )?
    else {
        // Without a checker CMS uses a `diff` that ignores blanks, but not case.
        draft.output_args = vec!["case_sensitive".into()];
        return Ok(CheckerKind::Default);
    };
    draft.files.extend(below_directory(
        "output_validator",
        adapted_program(sources, path, &SHARE_CHECKER, "")?,
    ));
    Ok(CheckerKind::Program)
}

/// Adds the input validator, and gives each group its number as an argument.
pub fn add_input_validator(sources: &ProgramSources, subtasks: &[Subtask], draft: &mut Draft) -> Result<()> {
    let Some(path) = find_program(sources.source, &["gen/valida", "gen/validator", "gen/validatore"])? else {
        return Ok(());
    };
    draft
        .files
        .extend(below_directory("input_validators/valida", adapted_program(sources, path, &VALIDATOR, "")?));
    if subtasks.iter().any(|subtask| subtask.points.is_some()) {
        draft.groups.iter_mut().for_each(|group| group.input_args = vec![group.origin.clone()]);
        // Subtasks of GEN count from 1, and only the first can be the samples.
        draft.sample_input_args = vec!["1".into()];
    }
    Ok(())
}

/// The command for the recipe; adds the generator.
pub fn generator_command(sources: &ProgramSources, args: &str, draft: &mut Draft) -> Result<String> {
    const NAME: &str = "generator";
    let stems = ["gen/generator", "gen/generatore"];
    let path =
        find_program(sources.source, &stems)?.context("there is no gen/generator.* or gen/generatore.*")?;
    if !draft.generators.contains_key(NAME) {
        draft.generators.insert(NAME.into(), generator_files(sources, path, NAME)?);
    }
    let words = split_words(args).map_err(|why| anyhow!("its arguments {args:?} have {why}"))?;
    Ok(quote_words(iter::once(NAME).chain(words.iter().map(String::as_str))))
}

/// Sources of generators, to be read only.
pub fn keep_generators(sources: &ProgramSources, draft: &mut Draft) -> Result<()> {
    for name in sources.source.names_in("gen") {
        let is_text = name == "GEN"
            || [".cpp", ".c", ".cc", ".py", ".h", ".sh", ".pas", ".java"]
                .iter()
                .any(|end| name.ends_with(end));
        if is_text {
            let file = Content::File(sources.source.path_of(&format!("gen/{name}"))?);
            draft.files.insert(format!("generators/kept/{}", legal_name(name)), file);
        }
    }
    Ok(())
}
