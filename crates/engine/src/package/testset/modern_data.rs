//! `data/` of version 2025-09: samples, secret data in groups or not, and data
//! for validators.

use super::{
    case_settings::CaseSettings,
    data_folder::{self, DataFolder},
    data_reader::DataReader,
    group_config::{self, GroupConfig, GroupPlace, Scoring},
    group_demands::{Requirements, check_groups},
    test_case::Purpose,
};
use crate::package::{
    Case, Finding, Format, Group, Member, Package, TestSet, disk::Disk, nearest::nearest_word,
};
use std::path::Path;

/// Directories below `data/`.
const KNOWN: &[&str] = &["sample", "secret", "invalid_input", "invalid_output", "valid_output"];

/// Reads it all; digests are still missing.
pub(super) fn test_set(package: &Package, disk: &Disk, findings: &mut Vec<Finding>) -> TestSet {
    let data = data_folder::read_folder(disk, Format::V2025_09, Path::new("data"), findings);
    report_strays(&data, findings);
    let mut reader = DataReader { package, disk, cases: Vec::new(), findings };
    let top = reader.read_group_config(&data, GroupPlace::Top, &CaseSettings::default()).settings;
    let mut members = Vec::new();
    let of = |name: &str| data.folders.iter().find(|folder| folder.name == name);
    if let Some(sample) = of("sample") {
        members.push(Member::Group(reader.read_sample(sample, &top)));
    }
    let mut max = None;
    if let Some(secret) = of("secret") {
        let (group, scoring) = reader.read_secret(secret, &top, of("sample").is_some());
        max = scoring.max_score;
        members.push(Member::Group(group));
    }
    let validation = reader.validation_cases(&data, &top);
    let rule = group_config::of_root(package, max);
    TestSet { root: Group { name: String::new(), rule, members }, cases: reader.cases, validation }
}

fn report_strays(data: &DataFolder, findings: &mut Vec<Finding>) {
    for folder in data.folders.iter().filter(|folder| !KNOWN.contains(&folder.name.as_str())) {
        let finding = Finding::warning(&folder.path, "is ignored: not a directory of test data");
        findings.push(match nearest_word(&folder.name, KNOWN) {
            _ if folder.name == "bad" => finding
                .hint("move its cases to data/invalid_input, data/invalid_answer or data/invalid_output"),
            Some(near) => finding.hint(format!("did you mean {near}/?")),
            None => finding.hint(format!("one of: {}", KNOWN.join(", "))),
        });
    }
    for (_, item) in data.cases.values().flat_map(|files| files.all()) {
        let finding = Finding::warning(&item.path, "is ignored: cases lie in data/sample and data/secret");
        findings.push(finding.hint("move it there"));
    }
}

impl DataReader<'_> {
    fn read_sample(&mut self, folder: &DataFolder, top: &CaseSettings) -> Group {
        // The format's default for samples, which their test_group.yaml may take back.
        let top = CaseSettings { full_feedback: true, ..top.clone() };
        let config = self.read_group_config(folder, GroupPlace::Sample, &top);
        let members = self.all_cases(folder, &config.settings, Purpose::Sample);
        Group { name: folder.name.clone(), rule: config.scoring.rule(), members }
    }

    fn read_secret(
        &mut self,
        folder: &DataFolder,
        top: &CaseSettings,
        sample_exists: bool,
    ) -> (Group, Scoring) {
        let config = self.read_group_config(folder, GroupPlace::Secret, top);
        // One file makes groups of all: the format has groups or cases in `secret`, never both.
        let grouped = folder.folders.iter().any(|below| below.config.is_some());
        let (groups, mut members) = match grouped {
            true => (self.read_groups(folder, &config), Vec::new()),
            false => (Vec::new(), self.all_cases(folder, &config.settings, Purpose::Secret)),
        };
        let scorings: Vec<(&str, &Scoring)> =
            groups.iter().map(|(group, scoring)| (group.name.as_str(), scoring)).collect();
        check_groups(self.package, &config.scoring, &scorings, self.findings);
        // Once all groups are known: a word that names a later group gets a finding of its own.
        let mut resolve = |name: &str, scoring: &Scoring| {
            Requirements { name, scoring, groups: &scorings, sample_exists }.resolve(self.findings)
        };
        let required: Vec<_> = scorings.iter().map(|(name, scoring)| resolve(name, scoring)).collect();
        let require_pass = resolve(&folder.name, &config.scoring);
        members.extend(groups.into_iter().zip(required).map(|((mut group, scoring), require_pass)| {
            group.rule = Scoring { require_pass, ..scoring }.rule();
            Member::Group(group)
        }));
        let scoring = Scoring { require_pass, ..config.scoring };
        (Group { name: folder.name.clone(), rule: scoring.clone().rule(), members }, scoring)
    }

    fn read_groups(&mut self, folder: &DataFolder, secret: &GroupConfig) -> Vec<(Group, Scoring)> {
        self.beside_groups(folder);
        let mut groups = Vec::new();
        for below in &folder.folders {
            groups.extend(match &below.config {
                Some(_) => Some(self.read_group(below, &secret.settings)),
                None => self.read_undeclared_group(below, secret),
            });
        }
        groups
    }

    /// With groups there are no cases beside them.
    fn beside_groups(&mut self, folder: &DataFolder) {
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

    fn read_group(&mut self, folder: &DataFolder, above: &CaseSettings) -> (Group, Scoring) {
        let GroupConfig { settings, scoring } = self.read_group_config(folder, GroupPlace::Group, above);
        let members = self.all_cases(folder, &settings, Purpose::Secret);
        if members.is_empty() && scoring.static_validation.is_none() {
            let finding = Finding::error(&folder.path, "a group without cases");
            self.findings.push(finding.hint("add a case, or remove its test_group.yaml"));
        }
        (Group { name: folder.name.clone(), rule: scoring.clone().rule(), members }, scoring)
    }

    /// A directory beside groups that has no file to say that it is one. Without its cases a wrong
    /// program could pass.
    fn read_undeclared_group(
        &mut self,
        folder: &DataFolder,
        secret: &GroupConfig,
    ) -> Option<(Group, Scoring)> {
        let cases = self.all_cases(folder, &secret.settings, Purpose::Secret);
        let warn = |what: &str| Finding::warning(&folder.path, what).hint("add a test_group.yaml to it");
        if cases.is_empty() {
            self.findings.push(warn("is ignored: a directory without test_group.yaml and without cases"));
            return None;
        }
        let scoring = group_config::undeclared_scoring(self.package, &folder.path, &secret.scoring);
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
    fn all_cases(&mut self, folder: &DataFolder, settings: &CaseSettings, purpose: Purpose) -> Vec<Member> {
        let mut found = Vec::new();
        self.gather_cases(folder, settings, purpose, &mut found);
        // By the whole path: cases in plain directories mix with those beside them.
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found.into_iter().map(|case| self.append_case(case)).collect()
    }

    fn gather_cases(
        &mut self,
        folder: &DataFolder,
        settings: &CaseSettings,
        purpose: Purpose,
        found: &mut Vec<Case>,
    ) {
        for (stem, files) in &folder.cases {
            self.check_sample_files(files);
            found.extend(self.read_case(folder, stem, settings, purpose));
        }
        for below in &folder.folders {
            let settings = self.nested_settings(below, settings);
            self.gather_cases(below, &settings, purpose, found);
        }
    }

    /// Groups are not nested; but arguments that stand there are meant for the cases below.
    fn nested_settings(&mut self, folder: &DataFolder, above: &CaseSettings) -> CaseSettings {
        let Some(config) = &folder.config else { return above.clone() };
        let what = "no groups are allowed here: only its arguments are taken";
        let finding = Finding::warning(&config.path, what);
        self.findings.push(finding.hint("groups are directories directly below data/secret/"));
        self.read_group_config(folder, GroupPlace::Nested, above).settings
    }
}
