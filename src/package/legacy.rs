//! `problem.yaml` of version legacy, and of what is found in the wild under
//! that name: unknown keys are only warnings here.

use super::{
    About, Format, Kind, about, limits,
    manifest::{Manifest, Validation, languages},
    sheet::{Keys, Sheet, Unknown, short},
    yaml::{Node, Value},
};
use std::collections::BTreeMap;

const KEYS: &[&str] = &[
    "problem_format_version",
    "type",
    "name",
    "uuid",
    "author",
    "source",
    "source_url",
    "license",
    "rights_owner",
    "keywords",
    "limits",
    "validation",
    "validator_flags",
    "grading",
    "languages",
];

/// Reads it.
pub fn manifest(node: &Node, sheet: &mut Sheet) -> Option<Manifest> {
    let keys = sheet.keys("problem.yaml", node, KEYS, Unknown::Warn)?;
    let (validation, mut kind) = validation(keys, sheet);
    if let Some(node) = keys.get("validator_flags").filter(|_| !validation.custom) {
        let flags = sheet.text("validator_flags", node).map(|text| split(&text)).unwrap_or_default();
        super::testset::default_args(&flags, Format::Legacy, node.line, sheet);
    }
    kind.scoring = validation.score;
    types(keys, &mut kind, sheet);
    let mut about = about_of(keys, sheet);
    if let Some(node) = keys.get("grading") {
        about.lower_is_better = grading(node, sheet);
    }
    Some(Manifest {
        format: Format::Legacy,
        data: Format::Legacy,
        about,
        kind,
        limits: limits::legacy(keys.get("limits"), kind, sheet),
        languages: keys.get("languages").and_then(|node| languages_of(node, sheet)),
        allow_file_writing: true,
        constants: BTreeMap::new(),
        validation,
    })
}

/// `validation: default`, or `custom [score] [interactive] [multi-pass]`.
fn validation(keys: Keys, sheet: &mut Sheet) -> (Validation, Kind) {
    let (mut validation, mut kind) = (Validation::default(), Kind::default());
    let Some(node) = keys.get("validation") else { return (validation, kind) };
    let Some(text) = sheet.text("validation", node) else { return (validation, kind) };
    for (place, word) in text.split_whitespace().enumerate() {
        match (place, word) {
            (0, "default") => {}
            (0, "custom") => validation.custom = true,
            (_, "score") if validation.custom => validation.score = true,
            (_, "interactive") if validation.custom => kind.interactive = true,
            (_, "multi-pass") if validation.custom => {
                kind.multi_pass = true;
                sheet.warn(node.line, "`multi-pass` is not a word of legacy `validation`: taken as meant");
            }
            _ => {
                sheet.error(node.line, format!("`validation`: unknown word `{}`", short(word)));
                sheet.hint("write `default`, or `custom`, perhaps with `score` and `interactive`");
            }
        }
    }
    (validation, kind)
}

/// `pass-fail` or `scoring`; DOMjudge takes more words behind it.
fn types(keys: Keys, kind: &mut Kind, sheet: &mut Sheet) {
    let Some(node) = keys.get("type") else { return };
    let Some(text) = sheet.text("type", node) else { return };
    let (first, more) = text.split_once(' ').unwrap_or((&text, ""));
    kind.scoring |= sheet.one_of("type", node.line, first, &["pass-fail", "scoring"]) == Some("scoring");
    for word in more.split_whitespace() {
        match sheet.one_of("type", node.line, word, &["interactive", "multi-pass"]) {
            Some("interactive") => kind.interactive = true,
            Some(_) => kind.multi_pass = true,
            None => continue,
        }
        sheet.warn(node.line, format!("`{word}` is not a `type` of legacy: taken as meant"));
    }
}

fn about_of(keys: Keys, sheet: &mut Sheet) -> About {
    let mut credits = BTreeMap::new();
    if let Some(text) = keys.get("author").and_then(|node| sheet.text("author", node)) {
        let names = text.replace(" and ", ",");
        let names = names.split(',').map(|name| name.split('<').next().unwrap_or("").trim().to_owned());
        credits.insert("authors".to_owned(), names.filter(|name| !name.is_empty()).collect());
    }
    let keywords = keys.get("keywords").map(|node| match &node.value {
        Value::List(_) => sheet.texts("keywords", node).unwrap_or_default(),
        _ => sheet.text("keywords", node).unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
    });
    let source = keys.get("source").and_then(|node| sheet.text("source", node));
    keys.get("source_url").and_then(|node| sheet.text("source_url", node));
    About {
        titles: keys.get("name").map(|node| about::titles(node, sheet)).unwrap_or_default(),
        credits,
        keywords: keywords.unwrap_or_default(),
        source: source.into_iter().collect(),
        ..about::shared(keys, sheet)
    }
}

const GRADING: &[&str] =
    &["objective", "show_test_data_groups", "accept_score", "reject_score", "range", "on_reject"];

/// Whether a lower score is better.
fn grading(node: &Node, sheet: &mut Sheet) -> bool {
    let Some(keys) = sheet.keys("grading", node, GRADING, Unknown::Warn) else { return false };
    for entry in keys.all().iter().filter(|entry| GRADING[2..].contains(&entry.key.as_str())) {
        sheet.warn(entry.line, format!("`grading.{}` is deprecated", entry.key));
        sheet.hint("it is taken as if it stood in data/testdata.yaml: move it there");
    }
    if let Some(node) = keys.get("show_test_data_groups") {
        sheet.truth("show_test_data_groups", node);
    }
    keys.get("objective").and_then(|node| sheet.word("objective", node, &["max", "min"])) == Some("min")
}

fn languages_of(node: &Node, sheet: &mut Sheet) -> Option<Vec<String>> {
    let Value::Text(text) = &node.value else { return languages(node, sheet) };
    let words = text.split_whitespace().map(|word| Node::new(node.line, Value::Text(word.into())));
    languages(&Node::new(node.line, Value::List(words.collect())), sheet)
}

/// What `problem.yaml` says about all test data: flags of output validators, and
/// the deprecated keys of `grading`. Its oddities are told elsewhere.
pub fn of_all_cases(node: &Node) -> (Vec<String>, Option<Node>) {
    let Value::Map(entries) = &node.value else { return (Vec::new(), None) };
    let get = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node);
    let flags = match get("validator_flags").map(|node| &node.value) {
        Some(Value::Text(text) | Value::Bare(text)) => split(text),
        _ => Vec::new(),
    };
    (flags, get("grading").cloned())
}

/// Words of a legacy flags string; quotes group where they are balanced.
pub fn split(text: &str) -> Vec<String> {
    shlex::split(text).unwrap_or_else(|| text.split_whitespace().map(str::to_owned).collect())
}
