//! Checker, validator and generator of a task.

use super::{adapter_ending, is_python, plan::Subtask, program};
use crate::import::{
    adapt::{Shelf, basename, below, renamed},
    draft::{Content, Draft, Files, legal},
};
use anyhow::{Context, Result, bail};

const ADAPTER: &str = include_str!("../adapters/adapter.h");
const CHECKER: (&str, &str) =
    (include_str!("../adapters/italian_checker.c"), include_str!("../adapters/italian_checker.py"));
const VALIDATOR: (&str, &str) =
    (include_str!("../adapters/italian_validator.c"), include_str!("../adapters/italian_validator.py"));

/// Who judges outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// The format's default validator: right or wrong.
    Default,
    /// A program that gives a share of the points.
    Program,
}

/// Lays down the output validator.
pub fn judge(shelf: &Shelf, draft: &mut Draft) -> Result<Checked> {
    if let Some(manager) = program(shelf.source, &["check/manager", "cor/manager", "check/controller"])? {
        bail!(
            "{manager}: a communication task, whose manager talks with submissions over named pipes and stubs; write it as an interactive problem by hand"
        );
    }
    let Some(path) =
        program(shelf.source, &["check/checker", "cor/correttore", "check/correttore", "cor/checker"])?
    else {
        draft.output_args = vec!["case_sensitive".into()];
        return Ok(Checked::Default);
    };
    draft.files.extend(below("output_validator/checker", adapted(shelf, path, CHECKER)?));
    Ok(Checked::Program)
}

/// Lays down the input validator, and tells each group its number.
pub fn validators(shelf: &Shelf, subtasks: &[Subtask], draft: &mut Draft) -> Result<()> {
    let Some(path) = program(shelf.source, &["gen/valida", "gen/validator", "gen/validatore"])? else {
        return Ok(());
    };
    draft.files.extend(below("input_validators/valida", adapted(shelf, path, VALIDATOR)?));
    if subtasks.iter().any(|subtask| subtask.points.is_some()) {
        draft.groups.iter_mut().for_each(|group| group.input_args = vec![group.origin.clone()]);
        draft.sample_input_args = vec!["1".into()];
    }
    Ok(())
}

/// The original and an adapter in its language.
fn adapted(shelf: &Shelf, path: &str, (c, python): (&str, &str)) -> Result<Files> {
    let mut files = Files::new();
    if is_python(path) {
        let name = legal(basename(path));
        files.insert("__main__.py".into(), Content::text(python.replace("@ORIGINAL@", &name)));
        files.insert(name, Content::File(shelf.source.path(path)?));
        return Ok(files);
    }
    let ending = adapter_ending(path)?;
    files.extend(shelf.original(path)?);
    files.insert(format!("adapter.{ending}"), Content::text(c));
    let original = renamed(path, &shelf.source.text(path)?);
    files.insert(format!("original.{ending}"), Content::text(original));
    files.insert("adapter.h".into(), Content::text(ADAPTER));
    Ok(files)
}

/// The command for the recipe; the generator is added.
pub fn generated(shelf: &Shelf, args: &str, draft: &mut Draft) -> Result<String> {
    const NAME: &str = "generator";
    let stems = ["gen/generator", "gen/generatore"];
    let path = program(shelf.source, &stems)?.context("there is no gen/generator.* or gen/generatore.*")?;
    if !draft.generators.contains_key(NAME) {
        let mut files = shelf.headers(path)?;
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        files.insert(format!("{NAME}.{ending}"), Content::File(shelf.source.path(path)?));
        draft.generators.insert(NAME.into(), files);
    }
    let words = shlex::split(args).with_context(|| format!("its arguments {args:?} have an open quote"))?;
    let words = words.iter().map(|word| shlex::try_quote(word)).collect::<Result<Vec<_>, _>>()?;
    Ok(std::iter::once(NAME).chain(words.iter().map(|word| word.as_ref())).collect::<Vec<_>>().join(" "))
}

/// Sources of generators, for people.
pub fn kept(shelf: &Shelf, draft: &mut Draft) -> Result<()> {
    for name in shelf.source.names("gen") {
        let is_text = name == "GEN"
            || [".cpp", ".c", ".cc", ".py", ".h", ".sh", ".pas", ".java"]
                .iter()
                .any(|end| name.ends_with(end));
        if is_text {
            let file = Content::File(shelf.source.path(&format!("gen/{name}"))?);
            draft.files.insert(format!("generators/kept/{}", legal(name)), file);
        }
    }
    Ok(())
}
