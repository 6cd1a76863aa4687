//! Mutants of a submission: each a submission of its own, in a directory of its own.

use super::{mutations::list_mutations, source_tokens::Syntax};
use anyhow::{Context, Result, bail};
use kopek_base::ScratchDir;
use kopek_engine::exec::Engine;
use kopek_hunt::is_claimed_right;
use kopek_package::{
    language::{SourceFiles, detect_language},
    package::{Package, Participant, Submission, fill_constants},
};
use kopek_results::Mutant;
use std::{fs, path::Path};

/// Mutants on disk, for as long as this lives.
pub struct MutantFiles {
    pub participants: Vec<Participant>,
    _dir: ScratchDir,
}

/// At most this many mutants of the first accepted submission in a language that has mutations; none if there is no such
/// submission.
pub fn some_mutants(engine: &Engine, package: &Package, most: usize) -> Result<Option<MutantFiles>> {
    let is_right = |one: &&Submission| is_claimed_right(package, &one.name);
    for submission in package.submissions.iter().filter(is_right) {
        if syntax_of(engine, submission)?.is_some() {
            let mutants = spread_over(list_mutants(engine, package, submission)?, most);
            return write_mutants(submission, package, &mutants).map(Some);
        }
    }
    Ok(None)
}

/// All mutants of a submission. Fails where its language has no mutations.
pub(super) fn list_mutants(
    engine: &Engine,
    package: &Package,
    submission: &Submission,
) -> Result<Vec<Mutant>> {
    let Some(syntax) = syntax_of(engine, submission)? else {
        bail!("{}: mutants need C, C++, Java, Python or Rust", submission.name);
    };
    let mut mutants = Vec::new();
    for file in &submission.source.files {
        let path = submission.source.root.join(file);
        let bytes = fs::read(&path).with_context(|| format!("read {}", path.display()))?;
        // A file that is not text is not a source.
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let source = fill_constants(&text, &package.constants);
        let of = |mutation| Mutant {
            submission: submission.name.clone(),
            file: file.clone(),
            source: source.clone(),
            mutation,
        };
        mutants.extend(list_mutations(&source, syntax).into_iter().map(of));
    }
    Ok(mutants)
}

/// How the language of a submission is read; `None`: it has no mutations.
pub(super) fn syntax_of(engine: &Engine, submission: &Submission) -> Result<Option<Syntax>> {
    let table = &engine.machine.table;
    let language = detect_language(table, &submission.source, submission.language.as_deref(), None);
    let language = language.map_err(|why| anyhow::anyhow!("{}: {why}", submission.name))?;
    Ok(Syntax::of_language(&language.code))
}

/// An evenly spread selection: neighbours are often killed by the same tests.
pub(super) fn spread_over<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let count = all.len();
    if count <= most {
        return all;
    }
    let mut taken = Vec::new();
    for (at, one) in all.into_iter().enumerate() {
        if (at + 1) * most / count > at * most / count {
            taken.push(one);
        }
    }
    taken
}

/// Writes every mutant into its own directory, with the submission's other files.
pub(super) fn write_mutants(
    submission: &Submission,
    package: &Package,
    mutants: &[Mutant],
) -> Result<MutantFiles> {
    let dir = ScratchDir::new().context("make a directory for mutants")?;
    let mut participants = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let root = dir.path().join(number.to_string());
        for file in &submission.source.files {
            let to = root.join(file);
            let above = to.parent().unwrap_or(&root);
            fs::create_dir_all(above).with_context(|| format!("make {}", above.display()))?;
            let bytes = if *file == mutant.file {
                mutant.mutation.applied_to(&mutant.source).into_bytes()
            } else {
                filled_file(&submission.source.root.join(file), package)?
            };
            fs::write(&to, bytes).with_context(|| format!("write {}", to.display()))?;
        }
        let name = mutant.name();
        let source = SourceFiles { root, files: submission.source.files.clone() };
        let changed = Submission { name, source, contents: None, tags: vec![], ..submission.clone() };
        participants.push(Participant::from(&changed));
    }
    Ok(MutantFiles { participants, _dir: dir })
}

fn filled_file(path: &Path, package: &Package) -> Result<Vec<u8>> {
    let bytes = fs::read(path).with_context(|| format!("read {}", path.display()))?;
    Ok(match std::str::from_utf8(&bytes) {
        Ok(text) => fill_constants(text, &package.constants).into_bytes(),
        Err(_) => bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_of_many_are_spread_evenly() {
        assert_eq!(spread_over((0..10).collect(), 5), [1, 3, 5, 7, 9]);
        assert_eq!(spread_over((0..3).collect(), 5), [0, 1, 2]);
        assert_eq!(spread_over((0..1000).collect::<Vec<_>>(), 7).len(), 7);
    }
}
