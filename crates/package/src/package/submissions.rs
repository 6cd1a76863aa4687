//! Reads example submissions and the claims about them.

use super::{
    Format, Level, Message, Package, Place, Submission,
    claim::{Claim, ClaimOrigin},
    default_directories::default_directories,
    disk::Disk,
    glob::glob_matches,
    nearest::nearest_word,
    package_programs::program_source,
    source_tags::source_tags,
    submissions_yaml::{DeclaredSubmissions, all_claims, read_submissions_yaml, submissions_yaml},
};
use crate::verdict::Class;
use std::{collections::BTreeSet, path::Path};

/// The directory of example submissions.
const DIR: &str = "submissions";

/// Reads all submissions, and `submissions.yaml`.
pub(super) fn read_submissions(
    disk: &Disk,
    manifest: &Package,
    findings: &mut Vec<Message>,
) -> (Vec<Submission>, Vec<Claim>) {
    let declared = match manifest.format {
        Format::V2025_09 => read_submissions_yaml(disk, manifest.kind, findings),
        Format::Legacy => Vec::new(),
    };
    let (mut submissions, directories) = on_disk(disk, findings);
    for declaration in &declared {
        apply_declaration(declaration, &mut submissions, findings);
    }
    let claims = all_claims(&default_directories(manifest), declared, &directories);
    report_contradictions(&submissions, &claims, findings);
    report_strays(manifest, &submissions, &claims, findings);
    (submissions, claims)
}

fn on_disk(disk: &Disk, findings: &mut Vec<Message>) -> (Vec<Submission>, Vec<String>) {
    let mut submissions = Vec::new();
    let mut directories = Vec::new();
    for item in disk.list(Path::new(DIR), findings).items {
        if item.is_dir {
            directories.push(item.name.clone());
            submissions.extend(of_directory(disk, &item.name, findings));
        } else if item.name != "submissions.yaml" && !item.name.to_ascii_lowercase().starts_with("readme") {
            let finding = Message::warning(
                &item.path,
                "is ignored: submissions belong in directories below submissions/",
            );
            findings.push(finding.todo("move it, for example into submissions/accepted/"));
        }
    }
    (submissions, directories)
}

fn of_directory(disk: &Disk, directory: &str, findings: &mut Vec<Message>) -> Vec<Submission> {
    let dir = Path::new(DIR).join(directory);
    let listing = disk.list(&dir, findings);
    listing.report_ignored(&dir, findings);
    let mut submissions = Vec::new();
    for item in listing.items {
        let source = program_source(disk, &item, findings);
        if source.files.is_empty() {
            continue;
        }
        let below = if item.is_dir { item.path.as_path() } else { dir.as_path() };
        let name = format!("{directory}/{}", item.name);
        let tags = source_tags(disk, below, &source, &name, findings);
        submissions.push(Submission { name, source, contents: None, language: None, entry: None, tags });
    }
    submissions
}

/// Sets language and entry point of the submissions that match the entry.
fn apply_declaration(
    declared: &DeclaredSubmissions,
    submissions: &mut [Submission],
    findings: &mut Vec<Message>,
) {
    let file = submissions_yaml();
    let mut matched = false;
    for submission in
        submissions.iter_mut().filter(|submission| glob_matches(&declared.pattern, &submission.name))
    {
        matched = true;
        let name = submission.name.clone();
        let mut set = |what: &str, slot: &mut Option<String>, value: &Option<String>| match (&slot, value) {
            (Some(old), Some(new)) if old != new => {
                let what = format!("{name} is given two {what}: `{old}` and `{new}`");
                findings.push(Message::error(&file, what).line(declared.line));
            }
            (_, Some(new)) => *slot = Some(new.clone()),
            (_, None) => {}
        };
        set("languages", &mut submission.language, &declared.language);
        set("entry points", &mut submission.entry, &declared.entry);
    }
    if !matched && !declared.faulty {
        let what = format!("`{}` matches no submission", declared.pattern);
        findings.push(
            Message::warning(&file, what).line(declared.line).todo("patterns are relative to submissions/"),
        );
    }
}

/// Reports submissions whose claims permit no common verdict.
fn report_contradictions(submissions: &[Submission], claims: &[Claim], findings: &mut Vec<Message>) {
    for submission in submissions {
        let mut left: Option<BTreeSet<Class>> = None;
        let over_all = |claim: &&Claim| claim.cases.is_none() && claim.is_about(&submission.name);
        for claim in claims.iter().filter(over_all) {
            let Some(permitted) = claim.permitted() else { continue };
            let both = left.map_or(permitted.clone(), |left| &left & permitted);
            // In an empty set all words were unknown, which was reported already.
            if both.is_empty() && !permitted.is_empty() {
                let place = match &claim.origin {
                    ClaimOrigin::Declared(at) | ClaimOrigin::Tag { at, .. } => at.clone(),
                    ClaimOrigin::Directory => Place::new(submissions_yaml(), 1),
                };
                let what = format!(
                    "the claims about {} contradict each other: no verdict is permitted by all",
                    submission.name
                );
                findings.push(
                    Message::new(Level::Error, what)
                        .at(place)
                        .todo("to replace the claim of a directory, give its bare name"),
                );
                // One finding per submission is enough: the fix may resolve the others.
                break;
            }
            left = Some(both);
        }
    }
}

/// Reports directories without claims, and missing submissions.
fn report_strays(
    manifest: &Package,
    submissions: &[Submission],
    claims: &[Claim],
    findings: &mut Vec<Message>,
) {
    let directory = |submission: &Submission| submission.name.split('/').next().unwrap_or("").to_owned();
    let mut unclaimed: Vec<String> = submissions
        .iter()
        .filter(|one| !claims.iter().any(|claim| claim.is_about(&one.name)))
        .map(directory)
        .collect();
    // Submissions are sorted by directory, so equal names are adjacent.
    unclaimed.dedup();
    for name in unclaimed {
        let finding =
            Message::warning(Path::new(DIR).join(&name), "makes no claim about the submissions in it");
        let known: Vec<&str> = default_directories(manifest).iter().map(|default| default.name).collect();
        findings.push(match nearest_word(&name, &known) {
            Some(near) => finding.todo(format!("did you mean `{near}`?")),
            None if manifest.format == Format::V2025_09 => {
                finding.todo(format!("add `{name}:` to submissions/submissions.yaml"))
            }
            None => finding.todo(format!("one of: {}", known.join(", "))),
        });
    }
    if !submissions.iter().any(|submission| directory(submission) == "accepted") {
        let finding = Message::warning(DIR, "no accepted submission");
        findings.push(
            finding.todo(
                "add a correct solution to submissions/accepted/ to show that the problem can be solved",
            ),
        );
    }
}
