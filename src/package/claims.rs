//! `submissions.yaml`, and the claims that directories make by their names.

use super::{
    Claim, Finding, UseForTimeLimit, about,
    directories::Row,
    disk::Disk,
    glob::glob_fault,
    sheet::{Keys, Sheet, Unknown, short},
    yaml::{Entry, Node, Value},
};
use crate::{points::Points, verdict::Class};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// An entry of `submissions.yaml`.
#[derive(Debug, Clone)]
pub struct Declared {
    /// Which submissions, relative to `submissions/`.
    pub pattern: String,
    /// Whether the pattern itself is at fault, and was told.
    pub faulty: bool,
    /// Its line.
    pub line: u32,
    /// `language`.
    pub language: Option<String>,
    /// `entrypoint`.
    pub entry: Option<String>,
    /// What must hold over all cases, then over groups and cases by pattern.
    pub claims: Vec<Claim>,
}

/// Where it lies.
pub fn file() -> PathBuf {
    Path::new("submissions").join("submissions.yaml")
}

const ABOUT: &[&str] = &["language", "entrypoint", "authors", "model_solution"];
const CLAIMS: &[&str] = &["permitted", "required", "score", "message", "use_for_time_limit"];

use Class::{Ac, Rte, Tle, Wa};

/// All claims: of default directories that exist, then as declared. A declared
/// directory replaces its default, and inherits what it does not say.
pub fn claims(rows: &[Row], declared: &[Declared], directories: &[String]) -> Vec<Claim> {
    let mut claims = Vec::new();
    let mut declared = declared.to_vec();
    for (name, permitted, required) in rows {
        let set =
            |classes: &Option<&[Class]>| classes.map(|list| list.iter().copied().collect::<BTreeSet<_>>());
        let default = Claim { permitted: set(permitted), required: set(required), ..blank(name) };
        match declared.iter_mut().find(|entry| entry.pattern == *name) {
            Some(entry) => entry.claims[0] = inherit(entry.claims[0].clone(), default),
            None if directories.iter().any(|directory| directory == name) => claims.push(default),
            None => {}
        }
    }
    let says_something = |claim: &Claim| claim.cases.is_none() || !is_blank(claim);
    claims.extend(declared.into_iter().flat_map(|entry| entry.claims).filter(says_something));
    claims
}

fn inherit(claim: Claim, default: Claim) -> Claim {
    Claim {
        permitted: claim.permitted.or(default.permitted),
        required: claim.required.or(default.required),
        ..claim
    }
}

fn blank(submissions: &str) -> Claim {
    Claim {
        at: None,
        submissions: submissions.to_owned(),
        cases: None,
        permitted: None,
        required: None,
        score: None,
        message: None,
        time: UseForTimeLimit::Implied,
    }
}

fn is_blank(claim: &Claim) -> bool {
    let nothing = claim.permitted.is_none() && claim.required.is_none();
    nothing && claim.score.is_none() && claim.message.is_none() && claim.time == UseForTimeLimit::Implied
}

/// Reads `submissions.yaml`, if there is one.
pub fn declared(disk: &Disk, scoring: bool, findings: &mut Vec<Finding>) -> Vec<Declared> {
    let Some(item) = disk.item(file(), findings).filter(|item| !item.is_dir) else { return Vec::new() };
    let mut sheet = Sheet::new(file());
    let declared = match disk.read(&item.path) {
        Ok(bytes) => sheet.parse(&bytes).map(|node| entries(&node, scoring, &mut sheet)),
        Err(error) => {
            findings.push(Finding::error(file(), format!("cannot be read: {error}")));
            None
        }
    };
    findings.append(&mut sheet.findings);
    declared.unwrap_or_default()
}

/// Each entry is held against every submission; nobody wrote more than this.
const MOST: usize = 2_000;

fn entries(node: &Node, scoring: bool, sheet: &mut Sheet) -> Vec<Declared> {
    let Some(keys) = sheet.map("submissions.yaml", node) else { return Vec::new() };
    if keys.all().len() > MOST {
        sheet.error(keys.all()[MOST].line, format!("more than {MOST} entries: the rest is ignored"));
    }
    keys.all().iter().take(MOST).filter_map(|entry| declaration(entry, scoring, sheet)).collect()
}

fn declaration(entry: &Entry, scoring: bool, sheet: &mut Sheet) -> Option<Declared> {
    let faulty = fault(entry, sheet);
    let keys = sheet.map(&entry.key, &entry.node)?;
    let mut claims = vec![claim(entry, None, keys, scoring, sheet)];
    for below in keys.all().iter().filter(|below| !ABOUT.contains(&below.key.as_str())) {
        if CLAIMS.contains(&below.key.as_str()) {
            continue;
        }
        // Any other key is a pattern of test data if its value is a map, else a slip.
        match &below.node.value {
            Value::Map(_) => {
                fault(below, sheet);
                let known = sheet.keys(&below.key, &below.node, CLAIMS, Unknown::Refuse)?;
                claims.push(claim(entry, Some(below), known, scoring, sheet));
            }
            _ => {
                sheet.unknown(below, &[ABOUT, CLAIMS].concat(), Unknown::Refuse);
            }
        }
    }
    if let Some(node) = keys.get("authors") {
        about::persons("authors", node, sheet);
    }
    keys.get("model_solution").and_then(|node| sheet.truth("model_solution", node));
    Some(Declared {
        pattern: entry.key.clone(),
        faulty,
        line: entry.line,
        language: keys.get("language").and_then(|node| language(node, sheet)),
        entry: keys.get("entrypoint").and_then(|node| sheet.text("entrypoint", node)),
        claims,
    })
}

fn language(node: &Node, sheet: &mut Sheet) -> Option<String> {
    let code = sheet.text("language", node)?;
    sheet.language(node.line, &code)
}

fn fault(entry: &Entry, sheet: &mut Sheet) -> bool {
    let fault = glob_fault(&entry.key);
    if let Some(fault) = &fault {
        sheet.error(entry.line, format!("pattern `{}`: {fault}", short(&entry.key)));
        sheet.hint("`*` matches within a name, `{a,b}` matches either");
    }
    fault.is_some()
}

fn claim(entry: &Entry, below: Option<&Entry>, keys: Keys, scoring: bool, sheet: &mut Sheet) -> Claim {
    let line = below.map_or(entry.line, |below| below.line);
    let claim = Claim {
        at: Some((file(), line)),
        cases: below.map(|below| below.key.clone()),
        permitted: classes(keys, "permitted", sheet),
        required: classes(keys, "required", sheet),
        score: score(keys, scoring, sheet),
        message: keys.get("message").and_then(|node| sheet.text("message", node)),
        time: keys.get("use_for_time_limit").map_or(UseForTimeLimit::Implied, |node| time(node, sheet)),
        ..blank(&entry.key)
    };
    if let (Some(permitted), Some(required)) = (&claim.permitted, &claim.required)
        && permitted.is_disjoint(required)
    {
        sheet.error(line, "no verdict is both permitted and required: nothing can satisfy this");
    }
    claim
}

fn classes(keys: Keys, key: &str, sheet: &mut Sheet) -> Option<BTreeSet<Class>> {
    let node = keys.get(key)?;
    let Value::List(items) = &node.value else { return sheet.unfit(key, node, "a list of AC, WA, TLE, RTE") };
    if items.is_empty() {
        sheet.error(node.line, format!("`{key}` is empty: nothing can satisfy this"));
        return None;
    }
    let class = |item: &Node| {
        let word = sheet.word("verdict", item, &["AC", "WA", "TLE", "RTE"])?;
        Some(match word {
            "AC" => Ac,
            "WA" => Wa,
            "TLE" => Tle,
            _ => Rte,
        })
    };
    Some(items.iter().filter_map(class).collect())
}

fn score(keys: Keys, scoring: bool, sheet: &mut Sheet) -> Option<(Points, Points)> {
    let node = keys.get("score")?;
    if !scoring {
        sheet.error(node.line, "`score` is only for scoring problems");
        return None;
    }
    let Value::List(items) = &node.value else {
        let points = sheet.points("score", node)?;
        return Some((points.clone(), points));
    };
    let [low, high] = items.as_slice() else {
        return sheet.unfit("score", node, "a number, or two in a list");
    };
    let (low, high) = (sheet.points("score", low)?, sheet.points("score", high)?);
    if low > high {
        sheet.error(node.line, format!("`score`: {low} is more than {high}"));
        return None;
    }
    Some((low, high))
}

fn time(node: &Node, sheet: &mut Sheet) -> UseForTimeLimit {
    match &node.value {
        Value::Text(text) if text == "lower" => UseForTimeLimit::Lower,
        Value::Text(text) if text == "upper" => UseForTimeLimit::Upper,
        Value::Bare(_) => match sheet.truth("use_for_time_limit", node) {
            Some(false) => UseForTimeLimit::No,
            _ => UseForTimeLimit::Implied,
        },
        _ => {
            sheet.unfit::<()>("use_for_time_limit", node, "`true`, `false`, `lower` or `upper`");
            UseForTimeLimit::Implied
        }
    }
}

/// How a claim's times bound the time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The limit must leave room for it.
    Lower,
    /// The limit must stop it.
    Upper,
}

impl Claim {
    /// What this claim says about the time limit, by its words or by its verdicts:
    /// exactly `required: [TLE]` bounds it from above, `permitted` without TLE from below.
    pub fn bound(&self) -> Option<Bound> {
        let required_alone = |set: &BTreeSet<Class>| set.len() == 1 && set.contains(&Tle);
        match self.time {
            UseForTimeLimit::No => None,
            UseForTimeLimit::Lower => Some(Bound::Lower),
            UseForTimeLimit::Upper => Some(Bound::Upper),
            UseForTimeLimit::Implied if self.required.as_ref().is_some_and(required_alone) => {
                Some(Bound::Upper)
            }
            UseForTimeLimit::Implied => {
                self.permitted.as_ref().is_some_and(|set| !set.contains(&Tle)).then_some(Bound::Lower)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::directories::MODERN;

    fn read(text: &str) -> Vec<Declared> {
        let mut sheet = Sheet::new(file());
        let node = sheet.parse(text.as_bytes()).unwrap();
        let entries = entries(&node, true, &mut sheet);
        assert!(sheet.findings.is_empty(), "{:?}", sheet.findings);
        entries
    }

    #[test]
    fn a_directory_replaces_its_default_and_inherits_the_rest() {
        let declared = read(
            "time_limit_exceeded:\n  permitted: [AC, WA, TLE]\ntime_limit_exceeded/*:\n  message: slow\n",
        );
        let claims = claims(MODERN, &declared, &["accepted".into(), "time_limit_exceeded".into()]);
        let shown: Vec<_> = claims.iter().map(|claim| (claim.submissions.as_str(), claim.bound())).collect();
        let expected = [
            ("accepted", Some(Bound::Lower)),
            ("time_limit_exceeded", Some(Bound::Upper)),
            ("time_limit_exceeded/*", None),
        ];
        assert_eq!(shown, expected);
        assert_eq!(claims[1].permitted, Some(BTreeSet::from([Ac, Wa, Tle])));
        assert_eq!(claims[1].required, Some(BTreeSet::from([Tle])));
    }

    #[test]
    fn verdicts_and_words_bound_the_time_limit() {
        let bound = |text: &str| read(&format!("x:\n  {text}\n"))[0].claims[0].bound();
        assert_eq!(bound("permitted: [AC, WA]"), Some(Bound::Lower));
        assert_eq!(bound("required: [TLE]"), Some(Bound::Upper));
        assert_eq!(bound("required: [TLE, RTE]"), None);
        assert_eq!(bound("{permitted: [AC], use_for_time_limit: false}"), None);
        assert_eq!(bound("use_for_time_limit: upper"), Some(Bound::Upper));
        assert_eq!(bound("use_for_time_limit: lower"), Some(Bound::Lower));
    }

    #[test]
    fn scores_and_groups_are_claimed() {
        let declared = read("a.py:\n  score: [10, 20.5]\n  secret/1:\n    permitted: [AC]\n    score: 3\n");
        let claims = &declared[0].claims;
        assert_eq!(claims[0].score, Some((Points::from(10), "20.5".parse().unwrap())));
        assert_eq!(claims[1].cases.as_deref(), Some("secret/1"));
        assert_eq!(claims[1].score, Some((Points::from(3), Points::from(3))));
    }
}
