//! Packages of Polygon: `problem.xml` and what it names.

mod checking;
mod groups;
mod manifest;
mod parse;
mod solutions;
mod statements;
mod tests;

use super::{
    Options,
    adapt::{Role, Shelf, asks_for_group, below},
    draft::{Content, Draft, legal},
    source::Source,
};
use anyhow::{Result, bail};
use manifest::{Manifest, TestSet};
use std::collections::BTreeSet;

pub use manifest::FILE;

/// Where headers of programs lie, besides the program's own directory.
const HEADERS: &[&str] = &["files", ""];

/// Reads it as a package of this format.
pub fn read(source: &Source, options: &Options) -> Result<Draft> {
    let said = parse::read(source)?;
    let shelf = Shelf { source, headers: HEADERS, testlib: &options.testlib };
    let mut draft = Draft {
        name: said.name.clone(),
        origin: Some(said.url.clone().unwrap_or_else(|| "Polygon".into())),
        keywords: said.tags.clone(),
        interactive: said.interactor.is_some(),
        ..Draft::default()
    };
    let set = chosen(&said, &mut draft)?;
    limits(&said, set, &mut draft)?;
    statements::add(source, &said, &mut draft)?;
    let scores = checking::judge(&shelf, &said, &mut draft)?;
    tests::add(&shelf, &said, set, options, &mut draft)?;
    groups::add(&said, set, scores, &mut draft)?;
    validators(&shelf, &said, set, &mut draft)?;
    checking::own_tests(source, &said, &mut draft)?;
    solutions::add(source, &said, &mut draft)?;
    attachments(source, &said, &mut draft)?;
    graders(source, &said, &mut draft)?;
    for other in &said.others {
        draft.changes.lost(format!("{FILE}: <{other}>"), "has no counterpart", "it is left out");
    }
    Ok(draft)
}

/// The set that counts.
fn chosen<'a>(said: &'a Manifest, draft: &mut Draft) -> Result<&'a TestSet> {
    if said.run_count > 1 {
        let runs = said.run_count;
        bail!(
            "{FILE}: a problem whose submissions run {runs} times on a test: how one run feeds the next is decided by programs that the package does not name; write it as a multi-pass problem by hand"
        );
    }
    let named = said.testsets.iter().find(|set| set.name == "tests");
    let Some(set) = named.or(said.testsets.first()) else {
        bail!("{FILE}: there is no <testset> below <judging>: nothing to judge with");
    };
    for other in said.testsets.iter().filter(|other| other.name != set.name && !other.tests.is_empty()) {
        let what = format!("{} tests of another set", other.tests.len());
        let at = format!("{FILE}: testset `{}`", other.name);
        draft.changes.lost(at, what, format!("only the set `{}` is judged", set.name));
    }
    Ok(set)
}

fn limits(said: &Manifest, set: &TestSet, draft: &mut Draft) -> Result<()> {
    draft.time_limit = set.time_limit;
    if set.time_limit == Some(0) {
        bail!("{FILE}: the time limit is 0");
    }
    if let Some(bytes) = set.memory_limit {
        let mib = bytes.div_ceil(1 << 20).max(1);
        draft.memory = Some(mib);
        if bytes % (1 << 20) != 0 {
            let what = format!("a memory limit of {bytes} bytes");
            draft.changes.changed(format!("{FILE}: memory-limit"), what, format!("it is {mib} MiB"));
        }
    }
    draft.named_files = match (said.named_files.0.as_str(), said.named_files.1.as_str()) {
        ("" | "stdin", "" | "stdout") => None,
        (input, output) if !input.is_empty() && !output.is_empty() => Some((legal(input), legal(output))),
        (input, output) => {
            let what = format!("one file (`{input}{output}`) and one standard stream");
            let at = format!("{FILE}: judging");
            draft.changes.lost(at, what, "both are standard streams: submissions must be changed");
            None
        }
    };
    if draft.named_files.is_some() {
        let what = "files instead of standard streams";
        draft.changes.changed(
            format!("{FILE}: judging"),
            what,
            "kopek.toml says so; other tools do not know that file",
        );
    }
    Ok(())
}

fn validators(shelf: &Shelf, said: &Manifest, set: &TestSet, draft: &mut Draft) -> Result<()> {
    let mut names = BTreeSet::new();
    let mut grouped = false;
    for path in &said.validators {
        let stem = path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or("validator");
        let mut name = legal(stem);
        while !names.insert(name.clone()) {
            name.push('_');
        }
        grouped |= asks_for_group(&shelf.source.text(path)?);
        let files = shelf.testlib(path, Role::Validator)?;
        draft.files.extend(below(&format!("input_validators/{name}"), files));
    }
    if grouped {
        tell_validators(set, draft);
    }
    Ok(())
}

fn attachments(source: &Source, said: &Manifest, draft: &mut Draft) -> Result<()> {
    for path in &said.attachments {
        let name = legal(super::adapt::basename(path));
        draft.files.insert(format!("attachments/{name}"), Content::File(source.path(path)?));
    }
    Ok(())
}

/// Endings of files that are compiled together with a submission, and the languages they join.
const GRADERS: &[(&str, &[&str])] = &[
    ("h", &["c", "cpp"]),
    ("hpp", &["cpp"]),
    ("c", &["c"]),
    ("cpp", &["cpp"]),
    ("cc", &["cpp"]),
    ("java", &["java"]),
];

fn graders(source: &Source, said: &Manifest, draft: &mut Draft) -> Result<()> {
    for path in &said.graders {
        let name = legal(super::adapt::basename(path));
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let Some((_, languages)) = GRADERS.iter().find(|row| row.0 == ending) else {
            draft.changes.lost(
                path,
                "a resource of solutions that is not compiled together with them",
                "it is left out",
            );
            continue;
        };
        for language in *languages {
            draft.files.insert(format!("include/{language}/{name}"), Content::File(source.path(path)?));
        }
    }
    Ok(())
}

/// Validators that ask for it are told the group, as they were before.
fn tell_validators(set: &TestSet, draft: &mut Draft) {
    let said = |group: &str| {
        let mut args = vec!["--testset".to_owned(), set.name.clone()];
        if !group.is_empty() {
            args.extend(["--group".to_owned(), group.to_owned()]);
        }
        args
    };
    draft.groups.iter_mut().for_each(|group| group.input_args = said(&group.origin));
    let samples: BTreeSet<&str> =
        set.tests.iter().filter(|test| test.sample).map(|test| test.group.as_deref().unwrap_or("")).collect();
    match samples.into_iter().collect::<Vec<_>>().as_slice() {
        [only] => draft.sample_input_args = said(only),
        [] => {}
        many => {
            let what = format!("samples of {} groups, and a validator that asks for the group", many.len());
            let instead = format!("in data/sample it is told `{}` for all of them", many[0]);
            draft.sample_input_args = said(many[0]);
            draft.changes.changed(format!("{FILE}: tests"), what, instead);
        }
    }
}
