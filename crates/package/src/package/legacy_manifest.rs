//! `problem.yaml` of version legacy, including its real-world variants: unknown keys are only warnings here.

use super::{
    About, Format, Judge, Package, ProblemKind, about,
    default_validator_args::check_default_args,
    field_reader::{FieldReader, MapFields, UnknownKeyPolicy, short},
    manifest_languages::read_languages,
    manifest_limits,
    shell_words::split_words,
    yaml::{YamlNode, YamlValue},
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

pub(super) fn legacy_manifest(node: &YamlNode, field_reader: &mut FieldReader) -> Option<Package> {
    let keys = field_reader.keys("problem.yaml", node, KEYS, UnknownKeyPolicy::Warn)?;
    let (judge, mut kind) = read_validation(keys, field_reader);
    if matches!(judge, Judge::Default)
        && let Some(node) = keys.get("validator_flags")
    {
        let flags =
            field_reader.text("validator_flags", node).map(|text| split_flags(&text)).unwrap_or_default();
        check_default_args(&flags, Format::Legacy, node.line, field_reader);
    }
    kind.scoring = matches!(judge, Judge::Programs { scores: true, .. });
    read_types(keys, &mut kind, field_reader);
    let mut about = about_of(keys, field_reader);
    if let Some(node) = keys.get("grading") {
        about.lower_is_better = is_lower_better(node, field_reader);
    }
    let limits = manifest_limits::legacy_limits(keys.get("limits"), kind, field_reader);
    Some(Package {
        about,
        judge,
        languages: keys.get("languages").and_then(|node| languages_of(node, field_reader)),
        // Legacy has no such key, and Kattis' own tools allow submissions to write.
        allow_file_writing: true,
        ..Package::new(Format::Legacy, kind, limits)
    })
}

/// `validation: default`, or `custom [score] [interactive] [multi-pass]`. The programs are not read yet.
fn read_validation(keys: MapFields, field_reader: &mut FieldReader) -> (Judge, ProblemKind) {
    let mut judge = Judge::Default;
    let mut kind = ProblemKind::default();
    let Some(node) = keys.get("validation") else { return (judge, kind) };
    let Some(text) = field_reader.text("validation", node) else { return (judge, kind) };
    for (place, word) in text.split_whitespace().enumerate() {
        match (place, word, &mut judge) {
            (0, "default", _) => {}
            (0, "custom", _) => judge = Judge::Programs { programs: Vec::new(), scores: false },
            (_, "score", Judge::Programs { scores, .. }) => *scores = true,
            (_, "interactive", Judge::Programs { .. }) => kind.interactive = true,
            (_, "multi-pass", Judge::Programs { .. }) => {
                kind.multi_pass = true;
                field_reader
                    .warn(node.line, "`multi-pass` is not a word of legacy `validation`: accepted anyway");
            }
            _ => {
                field_reader.error(node.line, format!("`validation`: unknown word `{}`", short(word)));
                field_reader.todo("write `default`, or `custom`, perhaps with `score` and `interactive`");
            }
        }
    }
    (judge, kind)
}

/// `pass-fail` or `scoring`; DOMjudge accepts more words after it.
fn read_types(keys: MapFields, kind: &mut ProblemKind, field_reader: &mut FieldReader) {
    let Some(node) = keys.get("type") else { return };
    let Some(text) = field_reader.text("type", node) else { return };
    let (first, more) = text.split_once(' ').unwrap_or((&text, ""));
    // `|=` because `validation: custom score` makes a problem scoring, whatever its `type`.
    kind.scoring |=
        field_reader.one_of("type", node.line, first, &["pass-fail", "scoring"]) == Some("scoring");
    for word in more.split_whitespace() {
        match field_reader.one_of("type", node.line, word, &["interactive", "multi-pass"]) {
            Some("interactive") => kind.interactive = true,
            Some(_) => kind.multi_pass = true,
            None => continue,
        }
        field_reader.warn(node.line, format!("`{word}` is not a `type` of legacy: accepted anyway"));
    }
}

fn about_of(keys: MapFields, field_reader: &mut FieldReader) -> About {
    let mut credits = BTreeMap::new();
    if let Some(text) = keys.get("author").and_then(|node| field_reader.text("author", node)) {
        // Legacy writes several persons as one text: `A, B and C`.
        let names = text.replace(" and ", ",");
        let without_address = |name: &str| name.split('<').next().unwrap_or("").trim().to_owned();
        let names = names.split(',').map(without_address);
        credits.insert("authors".to_owned(), names.filter(|name| !name.is_empty()).collect());
    }
    // Legacy separates keywords by spaces; the list of 2025-09 is accepted, too.
    let keywords = keys.get("keywords").map(|node| match &node.value {
        YamlValue::List(_) => field_reader.texts("keywords", node).unwrap_or_default(),
        _ => field_reader
            .text("keywords", node)
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    });
    let source = keys.get("source").and_then(|node| field_reader.text("source", node));
    keys.get("source_url").and_then(|node| field_reader.text("source_url", node));
    About {
        titles: keys.get("name").map(|node| about::read_titles(node, field_reader)).unwrap_or_default(),
        credits,
        keywords: keywords.unwrap_or_default(),
        source: source.into_iter().collect(),
        ..about::shared_about(keys, field_reader)
    }
}

const GRADING: &[&str] =
    &["objective", "show_test_data_groups", "accept_score", "reject_score", "range", "on_reject"];

/// Whether a lower score is better.
fn is_lower_better(node: &YamlNode, field_reader: &mut FieldReader) -> bool {
    let Some(keys) = field_reader.keys("grading", node, GRADING, UnknownKeyPolicy::Warn) else {
        return false;
    };
    // Kattis' own tools still use these keys, so ignoring them would change scores.
    for entry in keys.all().iter().filter(|entry| GRADING[2..].contains(&entry.key.as_str())) {
        field_reader.warn(entry.line, format!("`grading.{}` is deprecated", entry.key));
        field_reader.todo("kopek applies it as if it were in data/testdata.yaml: move it there");
    }
    if let Some(node) = keys.get("show_test_data_groups") {
        field_reader.truth("show_test_data_groups", node);
    }
    keys.get("objective").and_then(|node| field_reader.word("objective", node, &["max", "min"]))
        == Some("min")
}

fn languages_of(node: &YamlNode, field_reader: &mut FieldReader) -> Option<Vec<String>> {
    let YamlValue::Text(text) = &node.value else { return read_languages(node, field_reader) };
    let words = text.split_whitespace().map(|word| YamlNode::new(node.line, YamlValue::Text(word.into())));
    read_languages(&YamlNode::new(node.line, YamlValue::List(words.collect())), field_reader)
}

/// The settings of `problem.yaml` for all test data: flags of output validators and the deprecated keys of
/// `grading`. Errors in them are reported elsewhere.
pub(super) fn of_all_cases(node: &YamlNode) -> (Vec<String>, Option<YamlNode>) {
    let YamlValue::Map(entries) = &node.value else { return (Vec::new(), None) };
    let get = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node);
    let flags = match get("validator_flags").map(|node| &node.value) {
        Some(YamlValue::Text(text) | YamlValue::Bare(text)) => split_flags(text),
        _ => Vec::new(),
    };
    (flags, get("grading").cloned())
}

/// The words of a legacy flags string; balanced quotes group words.
pub(super) fn split_flags(text: &str) -> Vec<String> {
    split_words(text).unwrap_or_else(|_| text.split_whitespace().map(str::to_owned).collect())
}
