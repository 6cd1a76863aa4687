//! Gradescope's export: `submission_123456/…`, and `submission_metadata.yml` with the submitters.
//! Several submitters form a group; each has a row.

use crate::{
    found_files::FileFinder,
    found_person::{FoundClass, FoundPerson, LayoutRequest},
};
use anyhow::{Context, Result, bail};
use kopek_base::{composed_name, files::name_of};
use kopek_package::package::{
    HandIn,
    yaml::{YamlNode, YamlValue, parse_bytes},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

const METADATA: &str = "submission_metadata.yml";

pub(super) fn fits(entries: &[PathBuf]) -> bool {
    metadata_file(entries).is_some()
}

fn metadata_file(entries: &[PathBuf]) -> Option<PathBuf> {
    // The metadata is not a hand-in, so it is not among the entries.
    let file = entries.first()?.parent()?.join(METADATA);
    if file.is_file() { Some(file) } else { None }
}

pub(super) fn find_people(request: LayoutRequest, finder: &mut FileFinder) -> Result<FoundClass> {
    let file = metadata_file(request.entries).with_context(|| {
        format!("no {METADATA} beside the submissions; this is not an export of Gradescope")
    })?;
    let submissions = read_metadata(&file).with_context(|| format!("read {}", file.display()))?;
    let mut class = FoundClass::default();
    for path in request.entries {
        let entry = composed_name(&name_of(path));
        let files = finder.find_files(path);
        let mut people = &[][..];
        if let Some((_, known)) = submissions.iter().find(|(name, _)| *name == entry) {
            people = known;
        }
        if people.is_empty() {
            class.remarks.push(format!("{entry} is not in {METADATA}; it is named after its folder"));
            class.people.push(FoundPerson::new(entry.clone(), entry, HandIn::default(), files));
            continue;
        }
        for submitter in people {
            let Submitter { name, hand_in } = submitter.clone();
            class.people.push(FoundPerson::new(name, entry.clone(), hand_in, files.clone()));
        }
    }
    let handed_in = |name: &String| request.entries.iter().any(|path| name_of(path) == *name);
    let missing = submissions.iter().filter(|(name, _)| !handed_in(name));
    class
        .remarks
        .extend(missing.map(|(name, _)| format!("{name} is in {METADATA}, but its folder is missing")));
    Ok(class)
}

#[derive(Clone)]
struct Submitter {
    name: String,
    hand_in: HandIn,
}

/// The submitters of each folder.
fn read_metadata(file: &Path) -> Result<Vec<(String, Vec<Submitter>)>> {
    let mut findings = Vec::new();
    let root = parse_bytes(Path::new(METADATA), &fs::read(file)?, &mut findings);
    let Some(YamlValue::Map(entries)) = root.map(|root| root.value) else {
        match findings.first() {
            Some(finding) => bail!("{finding}"),
            None => bail!("not a table of submissions"),
        }
    };
    Ok(entries.iter().map(|entry| (entry.key.clone(), submitters(&entry.node))).collect())
}

fn submitters(submission: &YamlNode) -> Vec<Submitter> {
    let Some(YamlValue::List(list)) = submission.get(":submitters").map(|node| &node.value) else {
        return Vec::new();
    };
    let text = |node: &YamlNode, key: &str| {
        let (YamlValue::Text(text) | YamlValue::Bare(text)) = &node.get(key)?.value else { return None };
        let text = text.trim();
        Some(composed_name(text)).filter(|text| !text.is_empty())
    };
    let mut people: Vec<Submitter> = list
        .iter()
        .filter_map(|node| {
            let id = text(node, ":sid");
            let email = text(node, ":email");
            let name = text(node, ":name").or(email.clone()).or(id.clone())?;
            Some(Submitter { name, hand_in: HandIn { id, email, ..HandIn::default() } })
        })
        .collect();
    if people.len() > 1 {
        let group = people.iter().map(|person| person.name.clone()).collect::<Vec<_>>().join(", ");
        people.iter_mut().for_each(|person| person.hand_in.group = Some(group.clone()));
    }
    people
}
