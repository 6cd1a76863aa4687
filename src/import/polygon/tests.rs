//! Tests: files where they are there, commands where they are not.

use super::{
    manifest::{FILE, Manifest, TestSet},
    parse::numbered,
};
use crate::import::{
    Options, Regenerate,
    adapt::{Shelf, basename},
    draft::{Content, Draft, Files, Origin, Test, legal},
};
use anyhow::{Context, Result, bail, ensure};
use std::fmt::Write;

/// Adds the tests; the index of each in the draft is its number in the set minus one.
pub fn add(
    shelf: &Shelf,
    said: &Manifest,
    set: &TestSet,
    options: &Options,
    draft: &mut Draft,
) -> Result<()> {
    ensure!(!set.tests.is_empty(), "{FILE}: the set `{}` has no tests", set.name);
    let width = set.tests.len().to_string().len().max(2);
    for (number, test) in (1..).zip(&set.tests) {
        let path = numbered(&set.input, number)?;
        let answer = numbered(&set.answer, number)?;
        let there = shelf.source.has(&path);
        let command = test.cmd.clone().filter(|_| test.from_file.is_none());
        let input = match command {
            Some(command) if !there || options.regenerate == Regenerate::All => Origin::Command(
                generated(shelf, said, &command, draft).with_context(|| format!("make {path}"))?,
            ),
            _ if there => Origin::File(shelf.source.path(&path)?, test.cmd.clone()),
            _ => bail!("{}", absent(&path, test.from_file.is_some())),
        };
        let answer = match &input {
            Origin::File(..) if shelf.source.has(&answer) => Some(shelf.source.path(&answer)?),
            Origin::File(..) | Origin::Command(_) => None,
        };
        draft.tests.push(Test {
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
    keep_commands(shelf, said, draft)
}

fn absent(path: &str, one_of_many: bool) -> String {
    let why = match one_of_many {
        true => "is one of several files that a command writes",
        false => "is not made by a command",
    };
    format!("{path} is not among the files and {why}: download the full package, which holds all tests")
}

/// The command for the recipe; its generator is added.
fn generated(shelf: &Shelf, said: &Manifest, command: &str, draft: &mut Draft) -> Result<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let Some((first, args)) = words.split_first() else { bail!("its command is empty") };
    let name = first.trim_end_matches(".exe");
    let path = source_of(said, name)
        .with_context(|| format!("its generator `{name}` is not among <executables> of {FILE}"))?;
    let key = legal(name);
    if !draft.generators.contains_key(&key) {
        let mut files = shelf.headers(path)?;
        files.insert(legal(basename(path)), Content::File(shelf.source.path(path)?));
        draft.generators.insert(key.clone(), files);
    }
    // Only what a shell would split or change is put in quotes.
    let args = args.iter().map(|arg| shlex::try_quote(arg)).collect::<Result<Vec<_>, _>>()?;
    Ok(std::iter::once(key).chain(args.into_iter().map(String::from)).collect::<Vec<_>>().join(" "))
}

fn source_of<'a>(said: &'a Manifest, name: &str) -> Option<&'a str> {
    let stem =
        |path: &str| basename(path).rsplit_once('.').map_or(path.to_owned(), |(stem, _)| stem.to_owned());
    said.executables.iter().map(String::as_str).find(|path| stem(path) == name || basename(path) == name)
}

/// Where files are copied, the commands that made them are kept for people.
fn keep_commands(shelf: &Shelf, said: &Manifest, draft: &mut Draft) -> Result<()> {
    let mut list = String::new();
    let mut kept = Files::new();
    for test in &draft.tests {
        let Origin::File(_, Some(command)) = &test.input else { continue };
        let _ = writeln!(list, "{}: {command}", test.name);
        let name = command.split_whitespace().next().unwrap_or_default();
        if let Some(path) = source_of(said, name).filter(|path| shelf.source.has(path)) {
            let at = format!("generators/kept/{}", legal(basename(path)));
            kept.insert(at, Content::File(shelf.source.path(path)?));
        }
    }
    if !list.is_empty() {
        let what = format!("{} tests are made by commands", list.lines().count());
        let instead = "their files are there and are copied; commands and generators are kept in generators/kept/ (--regenerate makes the tests anew)";
        draft.changes.changed(FILE, what, instead);
        draft.files.extend(kept);
        draft.files.insert("generators/kept/commands.txt".into(), Content::Text(list));
    }
    Ok(())
}
