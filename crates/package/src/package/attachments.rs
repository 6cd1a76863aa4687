//! `attachments/` of version 2025-09: files for contestants, and `templates/` by language.

use super::{Message, codes::LANGUAGES, disk::Disk, nearest::nearest_word};
use std::path::Path;

const TEMPLATES: &str = "templates";

/// Reports directories that the format does not define, and templates without a file.
pub(super) fn check_attachments(disk: &Disk, findings: &mut Vec<Message>) {
    // Links that leave the package are reported where their files are read.
    let mut links = Vec::new();
    let dir = Path::new("attachments");
    let listing = disk.list(dir, &mut links);
    listing.report_ignored(dir, findings);
    for item in listing.items {
        if item.is_dir && item.name != TEMPLATES {
            let finding = Message::error(&item.path, "a directory of attachments that is not `templates`");
            findings.push(finding.todo("move its files to attachments/"));
        }
    }
    let dir = dir.join(TEMPLATES);
    if !disk.path(&dir).is_dir() {
        return;
    }
    let items = disk.list(&dir, &mut links).items;
    if items.is_empty() {
        findings.push(Message::warning(&dir, "has no templates").todo("remove it"));
    }
    for item in items {
        let known = item.name == "default" || LANGUAGES.contains(&item.name.as_str());
        if !known {
            let finding = Message::warning(&item.path, format!("`{}` is not a language code", item.name));
            findings.push(match nearest_word(&item.name, LANGUAGES) {
                Some(near) => finding.todo(format!("did you mean `{near}`?")),
                None => finding.todo("a code of the format's table, or `default`"),
            });
        } else if item.is_dir && disk.every_file(&item.path, &mut links).is_empty() {
            findings.push(Message::warning(&item.path, "a template without files").todo("remove it"));
        }
    }
}
