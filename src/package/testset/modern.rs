//! `data/` of version 2025-09: samples, secret data in groups or not, and data
//! for validators.

use super::{
    add,
    case::{Purpose, case, shown},
    folder::{self, Folder},
    rules::{self, Scoring},
    settings::Settings,
    validation,
};
use crate::package::{Case, Finding, Format, Group, Member, Package, TestSet, disk::Disk, nearest::nearest};
use std::path::Path;

/// Directories below `data/`.
const KNOWN: &[&str] = &["sample", "secret", "invalid_input", "invalid_output", "valid_output"];

/// Reads it all; digests are still missing.
pub fn test_set(package: &Package, disk: &Disk, findings: &mut Vec<Finding>) -> TestSet {
    let data = folder::folder(disk, Format::V2025_09, Path::new("data"), findings);
    strays(&data, findings);
    let top = rules::read(package, disk, &data, rules::Place::Top, &Settings::default(), findings);
    let mut reader = Reader { package, disk, cases: Vec::new(), findings };
    let mut members = Vec::new();
    let of = |name: &str| data.folders.iter().find(|folder| folder.name == name);
    if let Some(sample) = of("sample") {
        members.push(Member::Group(reader.sample(sample, &top.settings)));
    }
    let mut max = None;
    if let Some(secret) = of("secret") {
        let (group, scoring) = reader.secret(secret, &top.settings, of("sample").is_some());
        max = scoring.max_score.clone();
        members.push(Member::Group(group));
    }
    let cases = reader.cases;
    let validation = validation::cases(package, disk, &data, &top.settings, findings);
    let rule = rules::of_root(package, max);
    TestSet { root: Group { name: String::new(), rule, members }, cases, validation }
}

fn strays(data: &Folder, findings: &mut Vec<Finding>) {
    for folder in data.folders.iter().filter(|folder| !KNOWN.contains(&folder.name.as_str())) {
        let finding = Finding::warning(&folder.path, "is ignored: not a directory of test data");
        findings.push(match nearest(&folder.name, KNOWN) {
            Some(near) => finding.hint(format!("did you mean {near}/?")),
            None => finding.hint(format!("one of: {}", KNOWN.join(", "))),
        });
    }
    for (_, item) in data.cases.values().flat_map(|files| files.all()) {
        let finding = Finding::warning(&item.path, "is ignored: cases lie in data/sample and data/secret");
        findings.push(finding.hint("move it there"));
    }
}

struct Reader<'a> {
    package: &'a Package,
    disk: &'a Disk,
    cases: Vec<Case>,
    findings: &'a mut Vec<Finding>,
}

impl Reader<'_> {
    fn sample(&mut self, folder: &Folder, top: &Settings) -> Group {
        let top = Settings { full_feedback: true, ..top.clone() };
        let said = rules::read(self.package, self.disk, folder, rules::Place::Sample, &top, self.findings);
        let members = self.all_cases(folder, &said.settings, Purpose::Sample);
        Group { name: folder.name.clone(), rule: said.scoring.rule(), members }
    }

    fn secret(&mut self, folder: &Folder, top: &Settings, sample: bool) -> (Group, Scoring) {
        let said = rules::read(self.package, self.disk, folder, rules::Place::Secret, top, self.findings);
        let grouped = folder.folders.iter().any(|below| below.config.is_some());
        let mut groups: Vec<(Group, Scoring)> = Vec::new();
        let mut members = Vec::new();
        if grouped {
            self.beside_groups(folder);
            for below in &folder.folders {
                groups.extend(match &below.config {
                    Some(_) => Some(self.group(below, &said.settings)),
                    None => self.unsaid(below, &said),
                });
            }
        } else {
            members = self.all_cases(folder, &said.settings, Purpose::Secret);
        }
        let scorings: Vec<(&str, &Scoring)> =
            groups.iter().map(|(group, said)| (group.name.as_str(), said)).collect();
        rules::check(self.package, (&folder.name, &said.scoring), &scorings, sample, self.findings);
        let required: Vec<_> =
            scorings.iter().map(|one| rules::required(*one, &scorings, sample, self.findings)).collect();
        let own = rules::required((&folder.name, &said.scoring), &scorings, sample, self.findings);
        members.extend(groups.into_iter().zip(required).map(|((mut group, scoring), required)| {
            group.rule = Scoring { require_pass: required, ..scoring }.rule();
            Member::Group(group)
        }));
        let scoring = Scoring { require_pass: own, ..said.scoring };
        (Group { name: folder.name.clone(), rule: scoring.clone().rule(), members }, scoring)
    }

    /// With groups there are no cases beside them.
    fn beside_groups(&mut self, folder: &Folder) {
        for files in folder.cases.values() {
            let Some((_, item)) =
                files.all().find(|(ending, _)| *ending == "in").or_else(|| files.all().next())
            else {
                continue;
            };
            let finding = Finding::error(&item.path, "is ignored: a case beside groups");
            self.findings.push(finding.hint("move it into a group"));
        }
    }

    fn group(&mut self, folder: &Folder, above: &Settings) -> (Group, Scoring) {
        let said = rules::read(self.package, self.disk, folder, rules::Place::Group, above, self.findings);
        let members = self.all_cases(folder, &said.settings, Purpose::Secret);
        if members.is_empty() && said.scoring.static_validation.is_none() {
            let finding = Finding::error(&folder.path, "a group without cases");
            self.findings.push(finding.hint("add a case, or remove its test_group.yaml"));
        }
        (Group { name: folder.name.clone(), rule: said.scoring.clone().rule(), members }, said.scoring)
    }

    /// A directory beside groups of which nobody said that it is one. Without its cases a wrong
    /// program could pass.
    fn unsaid(&mut self, folder: &Folder, secret: &rules::Said) -> Option<(Group, Scoring)> {
        let cases = self.all_cases(folder, &secret.settings, Purpose::Secret);
        let warn = |what: &str| Finding::warning(&folder.path, what).hint("add a test_group.yaml to it");
        if cases.is_empty() {
            self.findings.push(warn("is ignored: a directory without test_group.yaml and without cases"));
            return None;
        }
        let scoring = rules::unsaid(self.package, &folder.path, &secret.scoring);
        self.findings.push(warn(match &scoring.max_score {
            Some(max) if max.is_zero() => {
                "a directory without test_group.yaml beside groups: read as a group that is worth nothing"
            }
            Some(_) | None => "a directory without test_group.yaml beside groups: read as a group",
        }));
        let group = Group { name: folder.name.clone(), rule: scoring.clone().rule(), members: cases };
        Some((group, scoring))
    }

    /// Cases of a directory and of plain directories below it, by name.
    fn all_cases(&mut self, folder: &Folder, settings: &Settings, purpose: Purpose) -> Vec<Member> {
        let mut found = Vec::new();
        self.gather(folder, settings, purpose, &mut found);
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found.into_iter().map(|case| add(&mut self.cases, case)).collect()
    }

    fn gather(&mut self, folder: &Folder, settings: &Settings, purpose: Purpose, found: &mut Vec<Case>) {
        for (stem, files) in &folder.cases {
            shown(self.package, self.disk, files, self.findings);
            let said = (settings, purpose);
            found.extend(case(self.package, self.disk, folder, (stem, files), said, self.findings));
        }
        for below in &folder.folders {
            let settings = self.nested(below, settings);
            self.gather(below, &settings, purpose, found);
        }
    }
    /// Groups are not nested; but arguments that stand there are meant for the cases below.
    fn nested(&mut self, folder: &Folder, above: &Settings) -> Settings {
        let Some(config) = &folder.config else { return above.clone() };
        let what = "no groups are allowed here: only its arguments are taken";
        let finding = Finding::warning(&config.path, what);
        self.findings.push(finding.hint("groups are directories directly below data/secret/"));
        rules::read(self.package, self.disk, folder, rules::Place::Nested, above, self.findings).settings
    }
}
