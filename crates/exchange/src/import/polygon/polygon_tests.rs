//! Tests: their files, or their commands if the files are missing.

use super::{
    parse_xml::numbered_path,
    problem_xml::{FILE, PolygonManifest, PolygonTest, PolygonTestSet},
};
use crate::import::{
    adapt::{ProgramSources, base_name},
    draft::{Content, Draft, DraftFiles, DraftTest, InputOrigin, legal_name},
    options::{ImportOptions, Regenerate},
};
use anyhow::{Context, Result, bail, ensure};
use kopek_engine::package::shell_words::quote_words;
use std::fmt::Write;

/// Adds the tests; the index of each in the draft is its number in the set minus one.
pub fn add_tests(
    sources: &ProgramSources,
    manifest: &PolygonManifest,
    set: &PolygonTestSet,
    options: &ImportOptions,
    draft: &mut Draft,
) -> Result<()> {
    ensure!(!set.tests.is_empty(), "{FILE}: the set `{}` has no tests", set.name);
    let width = set.tests.len().to_string().len().max(2);
    for (number, test) in (1..).zip(&set.tests) {
        let path = numbered_path(&set.input, number)?;
        let answer = numbered_path(&set.answer, number)?;
        let there = sources.source.has(&path);
        // One of several files of a command cannot be made by a rule for one test.
        let command = test.cmd.clone().filter(|_| test.from_file.is_none());
        let input = match command {
            Some(command) if !there || options.regenerate == Regenerate::All => InputOrigin::Command(
                generator_command(sources, manifest, &command, draft)
                    .with_context(|| format!("make {path}"))?,
            ),
            _ if there => InputOrigin::File(sources.source.path_of(&path)?, test.cmd.clone()),
            _ => bail!("{}", absent_message(&path, test)),
        };
        let answer = match &input {
            InputOrigin::File(..) if sources.source.has(&answer) => Some(sources.source.path_of(&answer)?),
            InputOrigin::File(..) | InputOrigin::Command(_) => None,
        };
        draft.tests.push(DraftTest {
            name: format!("{number:0width$}"),
            input,
            answer,
            sample: test.sample,
            secret: !test.sample,
            description: test.description.clone(),
        });
    }
    // Without secret tests nothing would be judged.
    if draft.tests.iter().all(|test| test.sample) {
        draft.tests.iter_mut().for_each(|test| test.secret = true);
    }
    keep_commands(sources, manifest, draft)
}

fn absent_message(path: &str, test: &PolygonTest) -> String {
    let why = match test.from_file.is_some() {
        true => "is one of several files that a command writes",
        false => "is not made by a command",
    };
    format!("{path} is not among the files and {why}: download the full package, which holds all tests")
}

/// The command for the recipe; adds its generator.
fn generator_command(
    sources: &ProgramSources,
    manifest: &PolygonManifest,
    command: &str,
    draft: &mut Draft,
) -> Result<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let Some((first, args)) = words.split_first() else { bail!("its command is empty") };
    let name = first.trim_end_matches(".exe");
    let path = source_of(manifest, name)
        .with_context(|| format!("its generator `{name}` is not among <executables> of {FILE}"))?;
    let key = legal_name(name);
    if !draft.generators.contains_key(&key) {
        let mut files = sources.header_files(path)?;
        files.insert(legal_name(base_name(path)), Content::File(sources.source.path_of(path)?));
        draft.generators.insert(key.clone(), files);
    }
    // Quotes are only for words that a shell would split or change.
    Ok(quote_words(std::iter::once(&*key).chain(args.iter().copied())))
}

fn source_of<'a>(manifest: &'a PolygonManifest, name: &str) -> Option<&'a str> {
    let stem =
        |path: &str| base_name(path).rsplit_once('.').map_or(path.to_owned(), |(stem, _)| stem.to_owned());
    manifest.executables.iter().map(String::as_str).find(|path| stem(path) == name || base_name(path) == name)
}

/// If files are copied, their commands are kept for readers.
fn keep_commands(sources: &ProgramSources, manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    let mut list = String::new();
    let mut files = DraftFiles::new();
    for test in &draft.tests {
        let InputOrigin::File(_, Some(command)) = &test.input else { continue };
        let _ = writeln!(list, "{}: {command}", test.name);
        let name = command.split_whitespace().next().unwrap_or_default();
        if let Some(path) = source_of(manifest, name).filter(|path| sources.source.has(path)) {
            let at = format!("generators/kept/{}", legal_name(base_name(path)));
            files.insert(at, Content::File(sources.source.path_of(path)?));
        }
    }
    if !list.is_empty() {
        let what = format!("{} tests are made by commands", list.lines().count());
        let instead = "their files are copied; commands and generators are kept in generators/kept/ (--regenerate makes the tests again)";
        draft.changes.add_change(FILE, what, instead);
        draft.files.extend(files);
        draft.files.insert("generators/kept/commands.txt".into(), Content::Text(list));
    }
    Ok(())
}
