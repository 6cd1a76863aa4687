//! A new package to begin with: whole, small, and explaining itself.
//!
//! The templates are real packages under `start/`, carried in the program; only the name and the
//! identity are filled in. Writes files, knows no judge.

use crate::base::{Digest, DigestFields};
use anyhow::{Context, Result, bail};
use include_dir::{Dir, include_dir};
use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Templates by name.
static TEMPLATES: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/start");

/// What a new package is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateKind {
    /// All cases must be right.
    PassFail,
    /// Groups of cases give points.
    Scoring,
    /// The submission talks with the judge.
    Interactive,
    /// The submission runs twice.
    MultiPass,
    /// The submission is the output.
    SubmitAnswer,
}

impl TemplateKind {
    /// All of them.
    pub const ALL: [TemplateKind; 5] = [
        TemplateKind::PassFail,
        TemplateKind::Scoring,
        TemplateKind::Interactive,
        TemplateKind::MultiPass,
        TemplateKind::SubmitAnswer,
    ];

    /// As the format calls it.
    pub fn package_name(self) -> &'static str {
        match self {
            TemplateKind::PassFail => "pass-fail",
            TemplateKind::Scoring => "scoring",
            TemplateKind::Interactive => "interactive",
            TemplateKind::MultiPass => "multi-pass",
            TemplateKind::SubmitAnswer => "submit-answer",
        }
    }
}

/// What a newcomer looks at, in this order.
pub(crate) const TOUR: [(&str, &str); 8] = [
    ("problem.yaml", "title, limits, what kind of problem it is"),
    ("statement/", "what contestants read"),
    ("generators/", "the recipe of the test data, and its lock"),
    ("input_validators/", "what an input must look like, to the byte"),
    ("output_validator/", "judges what submissions print"),
    ("data/", "groups and what they are worth; cases are made"),
    ("submissions/accepted/", "right solutions"),
    ("submissions/", "wrong ones, and what is claimed of each"),
];

/// Writes a new package; its files, relative to it. There must be nothing of that name.
pub fn create(dir: &Path, kind: TemplateKind) -> Result<Vec<PathBuf>> {
    let act = || format!("create package {}", dir.display());
    let name = name(dir).with_context(act)?;
    if fs::symlink_metadata(dir).is_ok() {
        bail!("{} exists already: choose another name, or remove it", dir.display());
    }
    let template = TEMPLATES.get_dir(kind.package_name()).context("this kopek carries no such template")?;
    let mut files = Vec::new();
    let mut whole = || -> Result<()> {
        // Whole or not there: written beside its place first.
        let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        let beside = tempfile::Builder::new().prefix(".kopek-").tempdir_in(parent)?;
        write_template(template, template.path(), &beside.path().join(&name), &name, &mut files)?;
        Ok(fs::rename(beside.path().join(&name), dir)?)
    };
    whole().with_context(act)?;
    files.sort();
    Ok(files)
}

/// A name that the format, and other judges, take.
fn name(dir: &Path) -> Result<String> {
    let name = dir.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || name.starts_with('-') || !name.bytes().all(legal) {
        bail!("`{name}` is no name for a package: write it in small letters, digits and `-`");
    }
    Ok(name.to_owned())
}

fn write_template(
    template: &Dir,
    root: &Path,
    to: &Path,
    name: &str,
    files: &mut Vec<PathBuf>,
) -> Result<()> {
    for file in template.files() {
        let below = file.path().strip_prefix(root)?;
        let path = to.join(below);
        fs::create_dir_all(path.parent().context("a file lies in a directory")?)?;
        let text = file.contents_utf8().context("templates are text")?;
        fs::write(&path, fill_template(text, name)).with_context(|| format!("write {}", path.display()))?;
        files.push(below.to_owned());
    }
    template.dirs().try_for_each(|dir| write_template(dir, root, to, name, files))
}

/// The template's text with the package's own title and identity.
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

/// An identity that nothing else has: of this moment, this process and this name.
fn new_uuid(name: &str) -> String {
    let moment = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
    let fields =
        DigestFields::new("uuid").with("moment", &moment.to_le_bytes()).with("name", name.as_bytes());
    let digest: Digest = fields.with("process", &std::process::id().to_le_bytes()).digest();
    let hex = digest.to_string();
    // Version 4, variant 1: as if drawn by lot.
    format!("{}-{}-4{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_judges_take() {
        assert!(["a", "two-ends", "x2"].into_iter().all(|text| name(Path::new(text)).is_ok()));
        assert!(
            ["", "..", "A", "a b", "-a", "ä", "a_b"].into_iter().all(|text| name(Path::new(text)).is_err())
        );
    }

    #[test]
    fn titles_and_identities_are_filled_in() {
        assert_eq!(fill_template("name: TITLE", "two-ends"), "name: Two Ends");
        let text = new_uuid("a");
        assert_eq!(text.len(), 36, "{text}");
        assert_eq!(text.matches('-').count(), 4, "{text}");
    }
}
