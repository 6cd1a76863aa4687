//! `data/` of legacy: every directory is a group, and `testdata.yaml` is
//! inherited key by key.

use super::{
    add,
    case::{Purpose, case, interaction},
    folder::{self, Folder},
    settings::Settings,
};
use crate::{
    package::{
        Case, Finding, Format, Group, Judge, LegacyRule, Member, Package, Rule, TestSet,
        disk::Disk,
        legacy::{of_all_cases, split},
        nearest::nearest,
        sheet::{Keys, Sheet, Unknown, short},
        yaml::{Node, Value},
    },
    points::Points,
};
use std::{collections::BTreeMap, path::Path};

/// What a directory gets from those above it.
#[derive(Clone)]
struct Inherited {
    rule: LegacyRule,
    settings: Settings,
    /// Of `problem.yaml`: they come first, whatever else is said.
    validator_flags: Vec<String>,
}

const KEYS: &[&str] = &[
    "on_reject",
    "grading",
    "grader_flags",
    "input_validator_flags",
    "output_validator_flags",
    "accept_score",
    "reject_score",
    "range",
];

/// Reads it all; digests are still missing.
pub fn test_set(package: &Package, disk: &Disk, findings: &mut Vec<Finding>) -> TestSet {
    let data = folder::folder(disk, Format::Legacy, Path::new("data"), findings);
    for folder in data.folders.iter().filter(|folder| !["sample", "secret"].contains(&folder.name.as_str())) {
        let finding = Finding::warning(&folder.path, "is ignored: not a directory of test data");
        findings.push(match nearest(&folder.name, &["sample", "secret"]) {
            Some(near) => finding.hint(format!("did you mean {near}/?")),
            None => finding.hint("data/ holds sample/ and secret/"),
        });
    }
    for (_, item) in data.cases.values().flat_map(|files| files.all()) {
        let finding = Finding::warning(&item.path, "is ignored: cases lie in data/sample and data/secret");
        findings.push(finding.hint("move it there"));
    }
    let mut reader = Reader { package, disk, cases: Vec::new(), findings };
    let above = reader.configured(&data, reader.basis());
    let known = data.folders.iter().filter(|folder| ["sample", "secret"].contains(&folder.name.as_str()));
    let members = known.map(|folder| Member::Group(reader.group(folder, &above))).collect();
    let root = Group { name: String::new(), rule: Rule::Legacy(above.rule), members };
    TestSet { root, cases: reader.cases, validation: Vec::new() }
}

struct Reader<'a> {
    package: &'a Package,
    disk: &'a Disk,
    cases: Vec<Case>,
    findings: &'a mut Vec<Finding>,
}

impl Reader<'_> {
    /// What holds where nobody says anything; deprecated keys of `problem.yaml` included.
    fn basis(&self) -> Inherited {
        let rule = LegacyRule {
            continue_on_reject: false,
            custom_grading: false,
            grader_flags: Vec::new(),
            accept_score: Points::one(),
            reject_score: Points::zero(),
            range: (None, None),
        };
        let mut basis = Inherited { rule, settings: Settings::default(), validator_flags: Vec::new() };
        // Findings about problem.yaml are told where the package is read.
        let mut unheard = Sheet::new("problem.yaml");
        let node = self.disk.read(Path::new("problem.yaml")).ok().and_then(|bytes| unheard.parse(&bytes));
        if let Some(node) = node {
            let (flags, grading) = of_all_cases(&node);
            basis.validator_flags = flags.clone();
            basis.settings.output_validator_args = flags;
            if let Some(keys) = grading.as_ref().and_then(|grading| unheard.map("grading", grading)) {
                rule_of(keys, &mut basis.rule, &mut unheard);
            }
        }
        basis
    }

    fn configured(&mut self, folder: &Folder, above: Inherited) -> Inherited {
        let Some(item) = &folder.config else { return above };
        let mut sheet = Sheet::new(&item.path);
        let node = match self.disk.read(&item.path) {
            Ok(bytes) => sheet.parse(&bytes),
            Err(error) => {
                sheet.error(1, format!("cannot be read: {error}"));
                None
            }
        };
        let keys = node.as_ref().and_then(|node| sheet.keys("testdata.yaml", node, KEYS, Unknown::Warn));
        let mut here = above;
        if let Some(keys) = keys {
            rule_of(keys, &mut here.rule, &mut sheet);
            self.grader_of(keys, &here, &mut sheet);
            self.flags_of(keys, &mut here, &mut sheet);
        }
        self.findings.append(&mut sheet.findings);
        here
    }

    fn grader_of(&self, keys: Keys, here: &Inherited, sheet: &mut Sheet) {
        let Some(entry) = keys.entry("grading") else { return };
        if here.rule.custom_grading && self.package.grader.is_none() {
            sheet.error(entry.line, "`grading: custom`, but there is no grader");
            sheet.hint("add one to graders/, or write `grading: default`");
        }
    }

    fn flags_of(&self, keys: Keys, here: &mut Inherited, sheet: &mut Sheet) {
        if let Some((name, flags)) =
            keys.get("input_validator_flags").and_then(|node| flags("input_validator_flags", node, sheet))
        {
            let known: Vec<&str> =
                self.package.input_validators.iter().map(|one| one.name.as_str()).collect();
            known_name("input", &name, &known, keys, sheet);
            here.settings.input_validator_args = BTreeMap::from([(name, flags)]);
        }
        let Some((name, flags)) =
            keys.get("output_validator_flags").and_then(|node| flags("output_validator_flags", node, sheet))
        else {
            return;
        };
        if let Judge::Programs { programs, .. } = &self.package.judge {
            let known: Vec<&str> = programs.iter().map(|one| one.name.as_str()).collect();
            known_name("output", &name, &known, keys, sheet);
            if !name.is_empty() && programs.len() > 1 {
                let line = keys.entry("output_validator_flags").map_or(1, |entry| entry.line);
                sheet.warn(line, "flags for one of several output validators are given to all of them");
            }
        }
        here.settings.output_validator_args = [here.validator_flags.clone(), flags].concat();
        if let (Some(entry), Judge::Default) = (keys.entry("output_validator_flags"), &self.package.judge) {
            super::default_args::check(
                &here.settings.output_validator_args,
                self.package.format,
                entry.line,
                sheet,
            );
        }
    }

    /// Cases and directories mixed, in order of their names on disk.
    fn group(&mut self, folder: &Folder, above: &Inherited) -> Group {
        let mut here = self.configured(folder, above.clone());
        here.settings.full_feedback = folder.name == "sample" || here.settings.full_feedback;
        let purpose = if folder.name.starts_with("sample") { Purpose::Sample } else { Purpose::Secret };
        let cases = folder.cases.keys().map(|stem| (format!("{stem}.ans"), Some(stem.as_str()), None));
        let below = folder.folders.iter().map(|below| (last(&below.name).to_owned(), None, Some(below)));
        let mut parts: Vec<_> = cases.chain(below).collect();
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        let mut members = Vec::new();
        for (_, stem, below) in parts {
            members.extend(stem.and_then(|stem| self.case(folder, stem, &here.settings, purpose)));
            members.extend(below.map(|below| Member::Group(self.group(below, &here))));
        }
        Group { name: folder.name.clone(), rule: Rule::Legacy(here.rule), members }
    }

    fn case(&mut self, folder: &Folder, stem: &str, settings: &Settings, purpose: Purpose) -> Option<Member> {
        let files = &folder.cases[stem];
        let pictures = ["png", "jpg", "jpeg", "svg"].into_iter().filter(|ending| files.has(ending)).count();
        if let Some(item) = files.get("in").filter(|_| pictures > 1) {
            let what = format!("has {pictures} illustrations, expected at most one");
            self.findings.push(Finding::warning(&item.path, what).hint("keep one of them"));
        }
        if let Some(item) = files.get("interaction") {
            interaction(self.package, self.disk, item, self.findings);
            // A dialogue may stand alone: it is shown and not judged.
            if !files.has("in") && !files.has("ans") {
                return None;
            }
        }
        let mut case =
            case(self.package, self.disk, folder, (stem, files), (settings, purpose), self.findings)?;
        for (ending, slot) in [("hint", &mut case.hint), ("desc", &mut case.description)] {
            let text = files.get(ending).and_then(|item| self.disk.read(&item.path).ok());
            *slot = text.map(|bytes| String::from_utf8_lossy(&bytes).trim_end().to_owned());
        }
        Some(add(&mut self.cases, case))
    }
}

fn last(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, last)| last)
}

fn rule_of(keys: Keys, rule: &mut LegacyRule, sheet: &mut Sheet) {
    if let Some(node) = keys.get("on_reject") {
        let word = sheet.word("on_reject", node, &["break", "continue"]);
        rule.continue_on_reject = word.map_or(rule.continue_on_reject, |word| word == "continue");
    }
    if let Some(node) = keys.get("grading") {
        let word = sheet.word("grading", node, &["default", "custom"]);
        rule.custom_grading = word.map_or(rule.custom_grading, |word| word == "custom");
    }
    if let Some(entry) = keys.entry("grader_flags") {
        match &entry.node.value {
            Value::Null => rule.grader_flags = Vec::new(),
            _ => {
                rule.grader_flags =
                    sheet.text("grader_flags", &entry.node).map(|text| split(&text)).unwrap_or_default()
            }
        }
    }
    for (key, slot) in [("accept_score", &mut rule.accept_score), ("reject_score", &mut rule.reject_score)] {
        if let Some(points) = keys.get(key).and_then(|node| score(key, node, sheet)) {
            *slot = points;
        }
    }
    if let Some(range) = keys.get("range").and_then(|node| range(node, sheet)) {
        rule.range = range;
    }
}

/// A score, perhaps in quotes.
fn score(key: &str, node: &Node, sheet: &mut Sheet) -> Option<Points> {
    match &node.value {
        Value::Text(text) => match text.parse() {
            Ok(points) => Some(points),
            Err(_) => sheet.unfit(key, node, "a number"),
        },
        _ => sheet.points(key, node),
    }
}

/// `least greatest`, each perhaps infinite.
fn range(node: &Node, sheet: &mut Sheet) -> Option<(Option<Points>, Option<Points>)> {
    let Value::Text(text) = &node.value else {
        return sheet.unfit("range", node, "two numbers, as in `0 100`");
    };
    let bound = |word: &str, infinite: &[&str]| match word {
        word if infinite.contains(&word) => Some(None),
        word => word.parse().ok().map(Some),
    };
    let mut words = text.split_whitespace();
    let pair = match (words.next(), words.next(), words.next()) {
        (Some(low), Some(high), None) => bound(low, &["-inf"]).zip(bound(high, &["inf", "+inf"])),
        _ => None,
    };
    if pair.is_none() {
        sheet.error(node.line, format!("`range` is `{}`, expected two numbers, as in `0 100`", short(text)));
    }
    if let Some((Some(low), Some(high))) = &pair
        && low > high
    {
        sheet.error(node.line, format!("`range`: {low} is more than {high}"));
        return None;
    }
    pair
}

/// Flags as a text, or with the name of the validator that they are for.
fn flags(what: &str, node: &Node, sheet: &mut Sheet) -> Option<(String, Vec<String>)> {
    if !matches!(node.value, Value::Map(_)) {
        return Some((String::new(), split(&sheet.text(what, node)?)));
    }
    let keys = sheet.keys(what, node, &["name", "flags"], Unknown::Warn)?;
    let name = keys.get("name").and_then(|node| sheet.text("name", node)).unwrap_or_default();
    let flags = keys.get("flags").and_then(|node| sheet.text("flags", node)).unwrap_or_default();
    Some((name, split(&flags)))
}

fn known_name(kind: &str, name: &str, known: &[&str], keys: Keys, sheet: &mut Sheet) {
    if name.is_empty() || known.contains(&name) {
        return;
    }
    let line = keys.entry(&format!("{kind}_validator_flags")).map_or(1, |entry| entry.line);
    sheet.warn(line, format!("no {kind} validator is called `{}`", short(name)));
    if let Some(near) = nearest(name, known) {
        sheet.hint(format!("did you mean `{near}`?"));
    }
}
