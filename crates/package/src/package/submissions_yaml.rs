//! Reads `submissions.yaml`: declared claims, languages and entry points.

use super::{
    Message, Place, ProblemKind, about,
    claim::{Claim, ClaimOrigin, Expectation, UseForTimeLimit},
    default_directories::DefaultDirectory,
    disk::Disk,
    field_reader::{FieldReader, MapFields, UnknownKeyPolicy, short},
    glob::glob_fault,
    yaml::{YamlEntry, YamlNode, YamlValue},
};
use crate::verdict::Class;
use std::{
    collections::BTreeSet,
    mem::discriminant,
    path::{Path, PathBuf},
};

/// An entry of `submissions.yaml`.
#[derive(Debug, Clone)]
pub(super) struct DeclaredSubmissions {
    /// The pattern of submissions, relative to `submissions/`.
    pub pattern: String,
    /// Whether the pattern is faulty, which was reported.
    pub faulty: bool,
    pub line: u32,
    pub language: Option<String>,
    pub entry: Option<String>,
    /// The claims over all cases, then those over groups and cases by pattern.
    pub claims: Vec<Claim>,
}

/// Its path, relative to the package.
pub(super) fn submissions_yaml() -> PathBuf {
    Path::new("submissions").join("submissions.yaml")
}

const ABOUT: &[&str] = &["language", "entrypoint", "authors", "model_solution"];
const CLAIMS: &[&str] = &["permitted", "required", "score", "message", "use_for_time_limit"];

/// All claims: first of the default directories that exist, then the declared ones. A declared directory
/// replaces its default, and inherits the verdicts that it does not set.
pub(super) fn all_claims(
    defaults: &[&DefaultDirectory],
    mut declared: Vec<DeclaredSubmissions>,
    directories: &[String],
) -> Vec<Claim> {
    let mut claims = Vec::new();
    for default in defaults {
        match declared.iter_mut().find(|entry| entry.pattern == default.name) {
            // The first claim applies to all cases, like every default.
            Some(entry) => inherit_verdicts(&mut entry.claims[0], default.claim()),
            None if directories.iter().any(|directory| directory == default.name) => {
                claims.push(default.claim());
            }
            None => {}
        }
    }
    let says_something = |claim: &Claim| {
        claim.cases.is_none() || !claim.expectations.is_empty() || claim.time != UseForTimeLimit::Implied
    };
    claims.extend(declared.into_iter().flat_map(|entry| entry.claims).filter(says_something));
    claims
}

/// Only verdicts are inherited: an entry for `partially_accepted` declares its own score.
fn inherit_verdicts(claim: &mut Claim, default: Claim) {
    let says = |claim: &Claim, one: &Expectation| {
        claim.expectations.iter().any(|other| discriminant(other) == discriminant(one))
    };
    for expectation in default.expectations {
        if expectation != Expectation::LessThanBest && !says(claim, &expectation) {
            claim.expectations.push(expectation);
        }
    }
    // Expectations are checked in the order of their variants, whatever their origin.
    claim.expectations.sort();
}

/// Reads `submissions.yaml`, if there is one.
pub(super) fn read_submissions_yaml(
    disk: &Disk,
    kind: ProblemKind,
    findings: &mut Vec<Message>,
) -> Vec<DeclaredSubmissions> {
    let Some(item) = disk.item(submissions_yaml(), findings).filter(|item| !item.is_dir) else {
        return Vec::new();
    };
    let mut field_reader = FieldReader::new(submissions_yaml());
    let declared = match disk.read(&item.path) {
        Ok(bytes) => field_reader.parse(&bytes).map(|node| declared_entries(&node, kind, &mut field_reader)),
        Err(error) => {
            findings.push(Message::error(submissions_yaml(), format!("cannot be read: {error}")));
            None
        }
    };
    findings.append(&mut field_reader.findings);
    declared.unwrap_or_default()
}

/// The most entries: each is matched against every submission.
const MAX_COUNT: usize = 2_000;

fn declared_entries(
    node: &YamlNode,
    kind: ProblemKind,
    field_reader: &mut FieldReader,
) -> Vec<DeclaredSubmissions> {
    let Some(keys) = field_reader.map("submissions.yaml", node) else { return Vec::new() };
    if keys.all().len() > MAX_COUNT {
        field_reader
            .error(keys.all()[MAX_COUNT].line, format!("more than {MAX_COUNT} entries: the rest is ignored"));
    }
    keys.all().iter().take(MAX_COUNT).filter_map(|entry| declared_entry(entry, kind, field_reader)).collect()
}

fn declared_entry(
    entry: &YamlEntry,
    kind: ProblemKind,
    field_reader: &mut FieldReader,
) -> Option<DeclaredSubmissions> {
    let faulty = report_fault(entry, field_reader);
    let keys = field_reader.map(&entry.key, &entry.node)?;
    let mut claims = vec![read_claim(entry, None, keys, kind, field_reader)];
    for below in keys.all().iter().filter(|below| !ABOUT.contains(&below.key.as_str())) {
        if CLAIMS.contains(&below.key.as_str()) {
            continue;
        }
        // Any other key with a map as its value is a pattern of test data; otherwise it is misspelt.
        match &below.node.value {
            YamlValue::Map(_) => {
                report_fault(below, field_reader);
                let known = field_reader.keys(&below.key, &below.node, CLAIMS, UnknownKeyPolicy::Refuse)?;
                claims.push(read_claim(entry, Some(below), known, kind, field_reader));
            }
            _ => {
                field_reader.unknown(below, &[ABOUT, CLAIMS].concat(), UnknownKeyPolicy::Refuse);
            }
        }
    }
    if let Some(node) = keys.get("authors") {
        about::person_names("authors", node, field_reader);
    }
    keys.get("model_solution").and_then(|node| field_reader.truth("model_solution", node));
    Some(DeclaredSubmissions {
        pattern: entry.key.clone(),
        faulty,
        line: entry.line,
        language: keys.get("language").and_then(|node| declared_language(node, field_reader)),
        entry: keys.get("entrypoint").and_then(|node| field_reader.text("entrypoint", node)),
        claims,
    })
}

fn declared_language(node: &YamlNode, field_reader: &mut FieldReader) -> Option<String> {
    let code = field_reader.text("language", node)?;
    field_reader.language(node.line, &code)
}

fn report_fault(entry: &YamlEntry, field_reader: &mut FieldReader) -> bool {
    let fault = glob_fault(&entry.key);
    if let Some(fault) = &fault {
        field_reader.error(entry.line, format!("pattern `{}`: {fault}", short(&entry.key)));
        field_reader.todo("`*` matches within a name, `{a,b}` matches either");
    }
    fault.is_some()
}

fn read_claim(
    entry: &YamlEntry,
    below: Option<&YamlEntry>,
    keys: MapFields,
    kind: ProblemKind,
    field_reader: &mut FieldReader,
) -> Claim {
    let line = below.map_or(entry.line, |below| below.line);
    let permitted = read_classes(keys, "permitted", field_reader);
    let required = read_classes(keys, "required", field_reader);
    if let (Some(permitted), Some(required)) = (&permitted, &required)
        && permitted.is_disjoint(required)
    {
        field_reader.error(line, "no verdict is both permitted and required: nothing can satisfy this");
    }
    let expectations = [
        permitted.map(Expectation::Permitted),
        required.map(Expectation::Required),
        read_score(keys, kind, field_reader),
        keys.get("message").and_then(|node| field_reader.text("message", node)).map(Expectation::Message),
    ];
    Claim {
        origin: ClaimOrigin::Declared(Place::new(submissions_yaml(), line)),
        submissions: entry.key.clone(),
        cases: below.map(|below| below.key.clone()),
        expectations: expectations.into_iter().flatten().collect(),
        time: keys
            .get("use_for_time_limit")
            .map_or(UseForTimeLimit::Implied, |node| read_time_use(node, field_reader)),
    }
}

fn read_classes(keys: MapFields, key: &str, field_reader: &mut FieldReader) -> Option<BTreeSet<Class>> {
    let node = keys.get(key)?;
    let YamlValue::List(items) = &node.value else {
        return field_reader.unfit(key, node, "a list of AC, WA, TLE, RTE");
    };
    if items.is_empty() {
        field_reader.error(node.line, format!("`{key}` is empty: nothing can satisfy this"));
        return None;
    }
    let class = |item: &YamlNode| {
        let word = field_reader.word("verdict", item, &["AC", "WA", "TLE", "RTE"])?;
        Some(match word {
            "AC" => Class::Ac,
            "WA" => Class::Wa,
            "TLE" => Class::Tle,
            _ => Class::Rte,
        })
    };
    Some(items.iter().filter_map(class).collect())
}

fn read_score(keys: MapFields, kind: ProblemKind, field_reader: &mut FieldReader) -> Option<Expectation> {
    let node = keys.get("score")?;
    if !kind.scoring {
        field_reader.error(node.line, "`score` is only for scoring problems");
        return None;
    }
    let YamlValue::List(items) = &node.value else {
        let points = field_reader.points("score", node)?;
        return Some(Expectation::Score { min: points.clone(), max: points });
    };
    let [low, high] = items.as_slice() else {
        return field_reader.unfit("score", node, "a number, or two in a list");
    };
    let min = field_reader.points("score", low)?;
    let max = field_reader.points("score", high)?;
    if min > max {
        field_reader.error(node.line, format!("`score`: {min} is more than {max}"));
        return None;
    }
    Some(Expectation::Score { min, max })
}

fn read_time_use(node: &YamlNode, field_reader: &mut FieldReader) -> UseForTimeLimit {
    match &node.value {
        YamlValue::Text(text) if text == "lower" => UseForTimeLimit::Lower,
        YamlValue::Text(text) if text == "upper" => UseForTimeLimit::Upper,
        YamlValue::Bare(_) => match field_reader.truth("use_for_time_limit", node) {
            // `true` means what the verdicts imply anyway.
            Some(false) => UseForTimeLimit::No,
            _ => UseForTimeLimit::Implied,
        },
        _ => {
            field_reader.unfit::<()>("use_for_time_limit", node, "`true`, `false`, `lower` or `upper`");
            UseForTimeLimit::Implied
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        package::{claim::TimeBound, default_directories::MODERN},
        points::Points,
    };

    fn read(text: &str) -> Vec<DeclaredSubmissions> {
        let mut field_reader = FieldReader::new(submissions_yaml());
        let node = field_reader.parse(text.as_bytes()).unwrap();
        let scoring = ProblemKind { scoring: true, ..ProblemKind::default() };
        let entries = declared_entries(&node, scoring, &mut field_reader);
        assert!(field_reader.findings.is_empty(), "{:?}", field_reader.findings);
        entries
    }

    #[test]
    fn a_directory_replaces_its_default_and_inherits_the_rest() {
        let declared = read(
            "time_limit_exceeded:\n  permitted: [AC, WA, TLE]\ntime_limit_exceeded/*:\n  message: slow\n",
        );
        let defaults: Vec<_> = MODERN.iter().collect();
        let claims = all_claims(&defaults, declared, &["accepted".into(), "time_limit_exceeded".into()]);
        let shown: Vec<_> =
            claims.iter().map(|claim| (claim.submissions.as_str(), claim.time_bound())).collect();
        let expected = [
            ("accepted", Some(TimeBound::Lower)),
            ("time_limit_exceeded", Some(TimeBound::Upper)),
            ("time_limit_exceeded/*", None),
        ];
        assert_eq!(shown, expected);
        assert_eq!(claims[1].permitted(), Some(&BTreeSet::from([Class::Ac, Class::Wa, Class::Tle])));
        assert_eq!(claims[1].required(), Some(&BTreeSet::from([Class::Tle])));
    }

    #[test]
    fn verdicts_and_words_bound_the_time_limit() {
        let bound = |text: &str| read(&format!("x:\n  {text}\n"))[0].claims[0].time_bound();
        assert_eq!(bound("permitted: [AC, WA]"), Some(TimeBound::Lower));
        assert_eq!(bound("required: [TLE]"), Some(TimeBound::Upper));
        assert_eq!(bound("required: [TLE, RTE]"), None);
        assert_eq!(bound("{permitted: [AC], use_for_time_limit: false}"), None);
        assert_eq!(bound("use_for_time_limit: upper"), Some(TimeBound::Upper));
        assert_eq!(bound("use_for_time_limit: lower"), Some(TimeBound::Lower));
    }

    #[test]
    fn scores_and_groups_are_claimed() {
        let declared = read("a.py:\n  score: [10, 20.5]\n  secret/1:\n    permitted: [AC]\n    score: 3\n");
        let claims = &declared[0].claims;
        let score = |min: &str, max: &str| {
            let points = |text: &str| text.parse::<Points>().unwrap();
            Expectation::Score { min: points(min), max: points(max) }
        };
        assert_eq!(claims[0].expectations, [score("10", "20.5")]);
        assert_eq!(claims[1].cases.as_deref(), Some("secret/1"));
        assert_eq!(claims[1].expectations[1], score("3", "3"));
    }
}
