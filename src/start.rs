//! Creates a new package: complete, small and self-explanatory.
//!
//! Fills only the name and the id into the templates, and writes the files.

use crate::{
    base::{Digest, DigestFields, files::directory_of},
    contest::{ContestProblem, label_at, write_problem_list},
    package::yaml::{YamlNode, emit},
    start_template::{PackageTemplate, TemplateFiles},
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Files for a newcomer to read, in this order.
pub(crate) const TOUR: [(&str, &str); 9] = [
    ("problem.yaml", "title, limits, kind of problem"),
    ("statement/", "the statement"),
    ("attachments/templates/", "what contestants may begin with, by language"),
    ("generators/", "the recipe of the test data, and its lock"),
    ("input_validators/", "checks every input to the byte"),
    ("output_validator/", "judges what submissions print"),
    ("data/", "groups and their points; cases are generated"),
    ("submissions/accepted/", "right solutions"),
    ("submissions/", "wrong ones, with the expected verdict of each"),
];

/// Writes a new package and returns the relative paths of its files. Fails if the path exists.
pub fn create(dir: &Path, template: PackageTemplate) -> Result<Vec<PathBuf>> {
    let act = || format!("create package {}", dir.display());
    let name = package_name(dir).with_context(act)?;
    check_absent(dir)?;
    let files = template.files().with_context(act)?;
    write_whole(dir, &|home| write_template(home, &name, &files)).with_context(act)?;
    Ok(files.into_keys().collect())
}

#[derive(Debug, Clone, Copy)]
pub struct NewContest<'a> {
    /// The names of its problems, in order.
    pub problems: &'a [PathBuf],
    /// The template for each of them.
    pub template: PackageTemplate,
}

/// Distinct colours of balloons, also for many colour-blind people.
const COLOURS: [&str; 14] = [
    "#e6194b", "#4363d8", "#ffe119", "#3cb44b", "#f58231", "#911eb4", "#42d4f4", "#f032e6", "#fabed4",
    "#469990", "#9a6324", "#fffac8", "#000000", "#ffffff",
];

/// Writes a directory with the list of a contest and a package for each problem.
pub fn create_contest(dir: &Path, contest: &NewContest) -> Result<Vec<ContestProblem>> {
    let act = || format!("create contest {}", dir.display());
    check_absent(dir)?;
    let problems = new_problems(dir, contest.problems).with_context(act)?;
    let title = title_of(&dir.file_name().unwrap_or_default().to_string_lossy());
    let files = contest.template.files().with_context(act)?;
    let write = |home: &Path| -> Result<()> {
        for one in &problems {
            write_template(&home.join(&one.id), &one.id, &files)?;
        }
        let named: Vec<(&ContestProblem, String)> =
            problems.iter().map(|one| (one, title_of(&one.id))).collect();
        write_problem_list(&home.join("problems.yaml"), &named)?;
        write_file(&home.join("contest.yaml"), &contest_text(&title))
    };
    write_whole(dir, &write).with_context(act)?;
    Ok(problems)
}

fn new_problems(dir: &Path, names: &[PathBuf]) -> Result<Vec<ContestProblem>> {
    let mut problems: Vec<ContestProblem> = Vec::new();
    for (at, path) in names.iter().enumerate() {
        let id = package_name(path)?;
        if path.components().count() > 1 {
            bail!("`{}`: give the name only; a problem is a directory inside its contest", path.display());
        }
        if problems.iter().any(|one| one.id == id) {
            bail!("`{id}` is named twice");
        }
        let colour = COLOURS.get(at).map(|colour| (*colour).to_owned());
        problems.push(ContestProblem { label: label_at(at), dir: dir.join(&id), id, colour });
    }
    Ok(problems)
}

fn contest_text(title: &str) -> String {
    let name = emit(&YamlNode::map([("name", YamlNode::quoted_string(title))]));
    format!(
        "# The contest; its problems are in problems.yaml, in their order.\n\
         {name}\
         # What DOMjudge wants to know besides:\n\
         # id: contest\n\
         # start_time: 2030-01-01T10:00:00+00:00\n\
         # duration: 5:00:00\n"
    )
}

fn check_absent(dir: &Path) -> Result<()> {
    if fs::symlink_metadata(dir).is_ok() {
        bail!("{} exists already; choose another name, or remove it", dir.display());
    }
    Ok(())
}

/// Writes a directory atomically: first next to its target, then renamed.
fn write_whole(dir: &Path, write: &dyn Fn(&Path) -> Result<()>) -> Result<()> {
    let parent = directory_of(dir);
    fs::create_dir_all(parent)?;
    let beside = tempfile::Builder::new().prefix(".kopek-").tempdir_in(parent)?;
    let home = beside.path().join("new");
    write(&home)?;
    Ok(fs::rename(home, dir)?)
}

fn write_template(home: &Path, name: &str, files: &TemplateFiles) -> Result<()> {
    files.iter().try_for_each(|(file, text)| write_file(&home.join(file), &fill_template(text, name)))
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    let write = || -> Result<()> {
        fs::create_dir_all(path.parent().context("a file has a directory")?)?;
        Ok(fs::write(path, text)?)
    };
    write().with_context(|| format!("write {}", path.display()))
}

/// A name that is valid for the format and other judges.
fn package_name(dir: &Path) -> Result<String> {
    let name = dir.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || name.starts_with('-') || !name.bytes().all(legal) {
        bail!("`{name}` is not a name for a package; use lowercase letters, digits and `-`");
    }
    Ok(name.to_owned())
}

/// The template's text with the title and id of the package.
fn fill_template(text: &str, name: &str) -> String {
    text.replace("TITLE", &title_of(name)).replace("UUID", &new_uuid(name))
}

fn title_of(name: &str) -> String {
    let capital = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_ascii_uppercase() + rest,
        None => String::new(),
    };
    name.split('-').map(capital).collect::<Vec<_>>().join(" ")
}

/// A unique id from the time, the process and the name.
fn new_uuid(name: &str) -> String {
    let moment = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
    let fields =
        DigestFields::new("uuid").with("moment", &moment.to_le_bytes()).with("name", name.as_bytes());
    let digest: Digest = fields.with("process", &std::process::id().to_le_bytes()).digest();
    let hex = digest.to_string();
    // Version 4, variant 1: marked as random.
    format!("{}-{}-4{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_judges_take() {
        assert!(["a", "two-ends", "x2"].into_iter().all(|text| package_name(Path::new(text)).is_ok()));
        assert!(
            ["", "..", "A", "a b", "-a", "ä", "a_b"]
                .into_iter()
                .all(|text| package_name(Path::new(text)).is_err())
        );
    }

    #[test]
    fn titles_and_identities_are_filled_in() {
        assert_eq!(fill_template("name: TITLE", "two-ends"), "name: Two Ends");
        assert!(contest_text("It's \"Ä\"\\").contains("name: \"It's \\\"Ä\\\"\\\\\"\n"));
        let text = new_uuid("a");
        assert_eq!(text.len(), 36, "{text}");
        assert_eq!(text.matches('-').count(), 4, "{text}");
    }
}
