//! `generators/generators.yaml` for tests that the source makes by commands, or
//! whose answers come from the model solution. All tests are in the recipe then:
//! those with files are copied from `generators/manual/`.

use super::draft::{Content, Draft, DraftFiles, DraftTest, InputOrigin};
use kopek_engine::package::yaml::{YamlNode, emit_compact};
use std::collections::BTreeMap;

/// Whether a file is missing and must be made.
pub fn is_needed(draft: &Draft) -> bool {
    let missing = |test: &DraftTest| match test.input {
        InputOrigin::Command(_) => true,
        // Answers of an interactive problem may stay empty: nothing has to be made.
        InputOrigin::File(..) => test.answer.is_none() && !draft.interactive,
    };
    draft.tests.iter().any(missing)
}

/// The recipe and its files.
pub fn add_recipe(draft: &Draft, files: &mut DraftFiles) {
    let mut keys = Vec::new();
    if let Some(model) = draft.submissions.iter().find(|submission| submission.model) {
        let path = format!("/submissions/{}", model.package_path());
        keys.push(("solution".to_owned(), YamlNode::string(path)));
    }
    let mut generators = Vec::new();
    for (name, parts) in &draft.generators {
        let own = parts.keys().map(|part| (part.clone(), format!("{name}/{part}")));
        // The program comes first, its headers follow.
        let mut own: Vec<(String, String)> = own.collect();
        own.sort_by_key(|(part, _)| super::adapt::base_name(part).split('.').next() != Some(name.as_str()));
        files.extend(
            parts.iter().map(|(part, content)| (format!("generators/{name}/{part}"), content.clone())),
        );
        // Such a directory is one program.
        if parts.contains_key("__main__.py") {
            continue;
        }
        generators.push((name.clone(), YamlNode::strings(own.into_iter().map(|(_, path)| path))));
    }
    if !generators.is_empty() {
        keys.push(("generators".into(), YamlNode::map(generators)));
    }
    keys.push(("data".into(), data_rules(draft, files)));
    files.insert("generators/generators.yaml".into(), Content::text(emit_compact(YamlNode::map(keys))));
}

/// The rules of a directory, and the cases of earlier ones that it includes.
#[derive(Default)]
struct FolderRules {
    cases: Vec<(String, YamlNode)>,
    included: Vec<String>,
}

impl FolderRules {
    fn node(self) -> YamlNode {
        let mut keys = Vec::new();
        if !self.included.is_empty() {
            keys.push(("include", YamlNode::strings(&self.included)));
        }
        if !self.cases.is_empty() {
            keys.push(("data", YamlNode::map(self.cases)));
        }
        YamlNode::map(keys)
    }
}

fn data_rules(draft: &Draft, files: &mut DraftFiles) -> YamlNode {
    let mut folders: BTreeMap<String, FolderRules> = BTreeMap::new();
    for (index, test) in draft.tests.iter().enumerate() {
        let mut places = draft.places(index);
        if places.is_empty() {
            continue;
        }
        let rule = case_rule(test, files);
        // The order in which recipes are read.
        places.sort();
        for (number, place) in places.into_iter().enumerate() {
            let folder = folders.entry(place).or_default();
            match number {
                0 => folder.cases.push((test.name.clone(), rule.clone())),
                _ => folder.included.push(test.name.clone()),
            }
        }
    }
    let mut tops = Vec::new();
    if let Some(sample) = folders.remove("sample") {
        tops.push(("sample".to_owned(), sample.node()));
    }
    let secret = match folders.remove("secret") {
        Some(secret) => secret.node(),
        None => {
            let below = |folder: &str| folder.strip_prefix("secret/").map(str::to_owned);
            let groups =
                folders.into_iter().filter_map(|(path, folder)| Some((below(&path)?, folder.node())));
            YamlNode::map([("data", YamlNode::map(groups.collect::<Vec<_>>()))])
        }
    };
    tops.push(("secret".into(), secret));
    YamlNode::map(tops)
}

fn case_rule(test: &DraftTest, files: &mut DraftFiles) -> YamlNode {
    let mut keys = Vec::new();
    match &test.input {
        InputOrigin::Command(command) => {
            keys.push(("generate".to_owned(), YamlNode::string(command.as_str())))
        }
        InputOrigin::File(input, _) => {
            let base = format!("manual/{}", test.name);
            files.insert(format!("generators/{base}.in"), Content::Lines(input.clone()));
            if let Some(answer) = &test.answer {
                files.insert(format!("generators/{base}.ans"), Content::Lines(answer.clone()));
            }
            keys.push(("copy".into(), YamlNode::string(base)));
        }
    }
    if let Some(description) = &test.description {
        keys.push(("yaml".into(), YamlNode::map([("description", YamlNode::string(description.as_str()))])));
    }
    YamlNode::map(keys)
}
