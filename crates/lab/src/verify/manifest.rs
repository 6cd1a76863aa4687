//! What `problem.yaml` declares, and whether there are samples.

use super::checked::Checked;
use kopek_package::package::{Format, Message, Package};
use std::fs;

/// Names the format and the kind of the package.
pub(super) fn check_manifest(package: &Package) -> Checked {
    let format = match package.format {
        Format::Legacy => "legacy",
        Format::V2025_09 => "2025-09",
    };
    let kind = if package.kind.scoring { "scoring" } else { "pass-fail" };
    let statements: Vec<&str> = package.about.statements.iter().map(String::as_str).collect();
    let about = format!("format {format}, {kind}, statement in {}", statements.join(", "));
    Checked { done: vec![about], ..Checked::default() }
}

/// Contestants must see samples.
pub(super) fn check_samples(package: &Package) -> Checked {
    let is_shown = |entry: &fs::DirEntry| entry.path().extension().is_none_or(|ending| ending != "yaml");
    let has_samples = fs::read_dir(package.dir.join("data/sample"))
        .is_ok_and(|entries| entries.filter_map(Result::ok).any(|entry| is_shown(&entry)));
    let message = Message::warning("data/sample", "there are no samples");
    let message = (!has_samples).then(|| message.todo("add a case that contestants see"));
    Checked { messages: message.into_iter().collect(), ..Checked::default() }
}
