//! `generators/generators.yaml` for tests that the source makes by commands, or
//! whose answers only the model solution knows. Then every test comes from it:
//! what lies there as a file is kept in `generators/manual/`.

use super::{
    block::Block,
    draft::{Content, Draft, Files, Origin, Test},
    lay::places,
};
use std::collections::BTreeMap;

/// Whether something is not there and must be made.
pub fn needed(draft: &Draft) -> bool {
    let missing = |test: &Test| match test.input {
        Origin::Command(_) => true,
        Origin::File(..) => test.answer.is_none() && !draft.interactive,
    };
    draft.tests.iter().any(missing)
}

/// The recipe and what it asks for.
pub fn files(draft: &Draft, files: &mut Files) {
    let mut keys = Vec::new();
    if let Some(model) = draft.submissions.iter().find(|submission| submission.model) {
        let path = format!("/submissions/{}/{}", model.directory, model.file);
        keys.push(("solution".to_owned(), Block::text(path)));
    }
    let mut generators = Vec::new();
    for (name, parts) in &draft.generators {
        let own = parts.keys().map(|part| (part.clone(), format!("{name}/{part}")));
        // The program comes first, what it includes behind it.
        let mut own: Vec<(String, String)> = own.collect();
        own.sort_by_key(|(part, _)| super::adapt::basename(part).split('.').next() != Some(name.as_str()));
        files.extend(
            parts.iter().map(|(part, content)| (format!("generators/{name}/{part}"), content.clone())),
        );
        generators.push((name.clone(), Block::texts(own.into_iter().map(|(_, path)| path))));
    }
    if !generators.is_empty() {
        keys.push(("generators".into(), Block::Map(generators)));
    }
    keys.push(("data".into(), data(draft, files)));
    files.insert("generators/generators.yaml".into(), Content::text(Block::Map(keys).file()));
}

/// Rules by directory.
fn data(draft: &Draft, files: &mut Files) -> Block {
    let mut folders: BTreeMap<String, Vec<(String, Block)>> = BTreeMap::new();
    for (index, test) in draft.tests.iter().enumerate() {
        let rule = rule(test, files);
        for place in places(draft, index) {
            folders.entry(place).or_default().push((test.name.clone(), rule.clone()));
        }
    }
    let wrap = |inner: Vec<(String, Block)>| Block::Map(vec![("data".to_owned(), Block::Map(inner))]);
    let below = |folder: &str| folder.strip_prefix("secret/").map(str::to_owned);
    let groups: Vec<_> =
        folders.iter().filter_map(|(path, tests)| Some((below(path)?, wrap(tests.clone())))).collect();
    let mut tops = Vec::new();
    if let Some(sample) = folders.get("sample") {
        tops.push(("sample".to_owned(), wrap(sample.clone())));
    }
    let secret = folders.get("secret").cloned().unwrap_or(groups);
    tops.push(("secret".into(), wrap(secret)));
    Block::Map(tops)
}

fn rule(test: &Test, files: &mut Files) -> Block {
    let mut keys = Vec::new();
    match &test.input {
        Origin::Command(command) => keys.push(("generate".to_owned(), Block::text(command.as_str()))),
        Origin::File(input, _) => {
            let base = format!("manual/{}", test.name);
            files.insert(format!("generators/{base}.in"), Content::Lines(input.clone()));
            if let Some(answer) = &test.answer {
                files.insert(format!("generators/{base}.ans"), Content::Lines(answer.clone()));
            }
            keys.push(("copy".into(), Block::text(base)));
        }
    }
    if let Some(description) = &test.description {
        let yaml = vec![("description".to_owned(), Block::text(description.as_str()))];
        keys.push(("yaml".into(), Block::Map(yaml)));
    }
    Block::Map(keys)
}
