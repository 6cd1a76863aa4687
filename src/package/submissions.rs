//! Example submissions and what is claimed of them.

use super::{
    Claim, Finding, Format, Submission,
    claims::{self, Declared},
    directories,
    disk::Disk,
    glob::glob_matches,
    manifest::Manifest,
    programs::{FORBIDDEN, RENAME, source},
    tags::tags,
};
use crate::verdict::Class;
use std::{collections::BTreeSet, path::Path};

/// The directory of example submissions.
const DIR: &str = "submissions";

/// Reads them all, and `submissions.yaml`.
pub fn submissions(
    disk: &Disk,
    said: &Manifest,
    findings: &mut Vec<Finding>,
) -> (Vec<Submission>, Vec<Claim>) {
    let declared = match said.format {
        Format::V2025_09 => claims::declared(disk, said.kind.scoring, findings),
        Format::Legacy => Vec::new(),
    };
    let (mut submissions, directories) = on_disk(disk, findings);
    for declaration in &declared {
        declaration.apply(&mut submissions, findings);
    }
    let claims = claims::claims(&directories::rows(said), &declared, &directories);
    contradictions(&submissions, &claims, findings);
    strays(said, &submissions, &claims, findings);
    (submissions, claims)
}

fn on_disk(disk: &Disk, findings: &mut Vec<Finding>) -> (Vec<Submission>, Vec<String>) {
    let (mut submissions, mut directories) = (Vec::new(), Vec::new());
    for item in disk.list(Path::new(DIR), findings).items {
        if item.is_dir {
            directories.push(item.name.clone());
            submissions.extend(of_directory(disk, &item.name, findings));
        } else if item.name != "submissions.yaml" && !item.name.to_ascii_lowercase().starts_with("readme") {
            let finding =
                Finding::warning(&item.path, "is ignored: submissions lie in directories below submissions/");
            findings.push(finding.hint("move it, for example into submissions/accepted/"));
        }
    }
    (submissions, directories)
}

fn of_directory(disk: &Disk, directory: &str, findings: &mut Vec<Finding>) -> Vec<Submission> {
    let dir = Path::new(DIR).join(directory);
    let listing = disk.list(&dir, findings);
    for name in listing.ignored.iter().filter(|name| !name.starts_with('.')) {
        findings.push(Finding::warning(dir.join(name), FORBIDDEN).hint(RENAME));
    }
    let mut submissions = Vec::new();
    for item in listing.items {
        let source = source(disk, &item, findings);
        if source.files.is_empty() {
            continue;
        }
        let below = if item.is_dir { item.path.as_path() } else { dir.as_path() };
        let tags = tags(disk, below, &source, findings);
        let name = format!("{directory}/{}", item.name);
        submissions.push(Submission { name, source, language: None, entry: None, tags });
    }
    submissions
}

impl Declared {
    /// Gives language and entry point to the submissions it speaks about.
    fn apply(&self, submissions: &mut [Submission], findings: &mut Vec<Finding>) {
        let file = claims::file();
        let mut matched = false;
        for submission in
            submissions.iter_mut().filter(|submission| glob_matches(&self.pattern, &submission.name))
        {
            matched = true;
            let name = submission.name.clone();
            let mut set = |what: &str, slot: &mut Option<String>, value: &Option<String>| match (&slot, value)
            {
                (Some(old), Some(new)) if old != new => {
                    let what = format!("{name} is given two {what}: `{old}` and `{new}`");
                    findings.push(Finding::error(&file, what).at(self.line));
                }
                (_, Some(new)) => *slot = Some(new.clone()),
                (_, None) => {}
            };
            set("languages", &mut submission.language, &self.language);
            set("entry points", &mut submission.entry, &self.entry);
        }
        if !matched && !self.faulty {
            let what = format!("`{}` matches no submission", self.pattern);
            findings.push(
                Finding::warning(&file, what).at(self.line).hint("patterns are relative to submissions/"),
            );
        }
    }
}

/// Tells submissions whose claims leave no verdict that all of them permit.
fn contradictions(submissions: &[Submission], claims: &[Claim], findings: &mut Vec<Finding>) {
    for submission in submissions {
        let mut left: Option<BTreeSet<Class>> = None;
        let over_all =
            |claim: &&Claim| claim.cases.is_none() && glob_matches(&claim.submissions, &submission.name);
        for claim in claims.iter().filter(over_all) {
            let Some(permitted) = &claim.permitted else { continue };
            let both = left.map_or(permitted.clone(), |left| &left & permitted);
            if both.is_empty() && !permitted.is_empty() {
                let (file, line) = claim.at.clone().unwrap_or((claims::file(), 1));
                let what = format!("the claims about {} leave no verdict that all permit", submission.name);
                findings.push(
                    Finding::error(file, what)
                        .at(line)
                        .hint("to replace the claim of a directory, give its bare name"),
                );
                break;
            }
            left = Some(both);
        }
    }
}

/// Tells directories that nothing is known of, and what is missing.
fn strays(said: &Manifest, submissions: &[Submission], claims: &[Claim], findings: &mut Vec<Finding>) {
    let directory = |submission: &Submission| submission.name.split('/').next().unwrap_or("").to_owned();
    let mut unclaimed: Vec<String> = submissions
        .iter()
        .filter(|one| !claims.iter().any(|claim| glob_matches(&claim.submissions, &one.name)))
        .map(directory)
        .collect();
    unclaimed.dedup();
    for name in unclaimed {
        let finding =
            Finding::warning(Path::new(DIR).join(&name), "nothing is claimed of the submissions in it");
        let known: Vec<&str> = directories::rows(said).iter().map(|row| row.0).collect();
        findings.push(match super::nearest::nearest(&name, &known) {
            Some(near) => finding.hint(format!("did you mean `{near}`?")),
            None if said.format == Format::V2025_09 => {
                finding.hint(format!("add `{name}:` to submissions/submissions.yaml"))
            }
            None => finding.hint(format!("one of: {}", known.join(", "))),
        });
    }
    if !submissions.iter().any(|submission| directory(submission) == "accepted") {
        let finding = Finding::warning(DIR, "no accepted submission");
        findings.push(finding.hint("add a right solution to submissions/accepted/: nothing else shows that the problem can be solved"));
    }
}
