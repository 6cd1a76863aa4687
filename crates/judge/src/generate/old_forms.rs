//! Old forms in recipes of earlier versions: where they are, and the same in the current format. Pure;
//! [`super::recipe_upgrade`] checks that an edit changed the right place.

use super::{directory_rules::is_case, root_directories::OLD_ROOTS};
use kopek_engine::package::yaml::{YamlEntry, YamlNode, YamlValue};

/// An old form at a line of a recipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OldPlace {
    pub line: u32,
    /// The key of the rule.
    pub key: String,
    /// The key as written in the text.
    spelling: String,
    pub form: OldForm,
}

/// The kind of an old form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OldForm {
    /// `type: directory`, which has no effect.
    DirectoryType,
    /// A directory of `data/` that was renamed.
    RootName(&'static str),
    /// A key without a value: the case exists in `data/` only.
    BareCase,
}

/// All old forms, in order of the text.
pub(super) fn old_places(root: &YamlNode) -> Vec<OldPlace> {
    let mut found = Vec::new();
    gather_directory(root, Depth::Root, &mut found);
    found.sort_by_key(|place| place.line);
    found
}

/// The depth of a directory.
#[derive(Clone, Copy, PartialEq)]
enum Depth {
    /// `data/` itself.
    Root,
    Below,
}

fn gather_directory(node: &YamlNode, depth: Depth, found: &mut Vec<OldPlace>) {
    let YamlValue::Map(entries) = &node.value else { return };
    for entry in entries {
        match (entry.key.as_str(), entry.node.text()) {
            ("type", Some("directory")) => found.extend(OldPlace::of(entry, OldForm::DirectoryType)),
            ("data", _) => gather_children(&entry.node, depth, found),
            _ => {}
        }
    }
}

fn gather_children(data: &YamlNode, depth: Depth, found: &mut Vec<OldPlace>) {
    match &data.value {
        YamlValue::Map(entries) => entries.iter().for_each(|entry| gather_child(entry, depth, found)),
        YamlValue::List(items) => items.iter().for_each(|item| gather_children(item, depth, found)),
        YamlValue::Null | YamlValue::Bare(_) | YamlValue::Text(_) => {}
    }
}

fn gather_child(entry: &YamlEntry, depth: Depth, found: &mut Vec<OldPlace>) {
    let old_root = OLD_ROOTS.iter().find(|(old, _)| depth == Depth::Root && *old == entry.key);
    found.extend(old_root.and_then(|(_, new)| OldPlace::of(entry, OldForm::RootName(new))));
    match &entry.node.value {
        YamlValue::Null if depth == Depth::Below => found.extend(OldPlace::of(entry, OldForm::BareCase)),
        YamlValue::Map(_) if !is_case(&entry.node) => gather_directory(&entry.node, Depth::Below, found),
        YamlValue::Map(_)
        | YamlValue::Null
        | YamlValue::Bare(_)
        | YamlValue::Text(_)
        | YamlValue::List(_) => {}
    }
}

impl OldPlace {
    /// `None` for an entry from an alias, whose text is elsewhere.
    fn of(entry: &YamlEntry, form: OldForm) -> Option<OldPlace> {
        let spelling = entry.name.spelling.clone()?;
        Some(OldPlace { line: entry.name.line, key: entry.key.clone(), spelling, form })
    }

    pub(super) fn in_words(&self) -> String {
        match &self.form {
            OldForm::DirectoryType => "`type: directory` is removed".into(),
            OldForm::RootName(new) => format!("`{}` is `{new}`", self.key),
            OldForm::BareCase => {
                format!(
                    "`{}` exists only in data/: its files are copied to generators/ and from there",
                    self.key
                )
            }
        }
    }

    /// The text with this place changed. `target`: the file to copy for a case that existed in `data/` only.
    pub(super) fn edit(&self, text: &str, target: Option<&str>) -> Option<String> {
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let at = (self.line as usize).checked_sub(1)?;
        let whole = *lines.get(at)?;
        let line = whole.trim_end_matches(['\n', '\r']);
        let edited = match &self.form {
            OldForm::DirectoryType => without_type(line)?,
            OldForm::RootName(new) => self.replace_key(line, new)?,
            OldForm::BareCase => self.add_value(line, &format!("{{copy: {}}}", target?))?,
        };
        let edited = match edited.is_empty() {
            true => String::new(),
            false => edited + &whole[line.len()..],
        };
        lines[at] = &edited;
        Some(lines.concat())
    }

    fn replace_key(&self, line: &str, new: &str) -> Option<String> {
        let (start, end) = self.find_key(line)?;
        Some(format!("{}{new}:{}", &line[..start], &line[end..]))
    }

    fn add_value(&self, line: &str, new: &str) -> Option<String> {
        let (_, end) = self.find_key(line)?;
        Some(format!("{} {new}{}", &line[..end], &line[end..]))
    }

    /// Where the key begins, and where its colon ends.
    fn find_key(&self, line: &str) -> Option<(usize, usize)> {
        line.match_indices(self.spelling.as_str()).find_map(|(start, found)| {
            let before = line[..start].chars().next_back();
            let rest = &line[start + found.len()..];
            let colon = rest.find(|c: char| c != ' ').filter(|&at| rest[at..].starts_with(':'))?;
            let end = start + found.len() + colon + 1;
            let ends = line[end..].chars().next().is_none_or(|c| c == ' ' || c == '}' || c == ',');
            let begins = before.is_none_or(|c| matches!(c, ' ' | '{' | ','));
            (ends && begins).then_some((start, end))
        })
    }
}

/// A line without its `type: directory`; empty if there is nothing else on it.
fn without_type(line: &str) -> Option<String> {
    let indent = &line[..line.len() - line.trim_start().len()];
    let (rule, comment) = line.split_once(" #").map_or((line, ""), |(rule, comment)| (rule, comment));
    if matches!(rule.trim(), "type: directory" | "type: 'directory'" | "type: \"directory\"") {
        return Some(if comment.is_empty() { String::new() } else { format!("{indent}#{comment}") });
    }
    let pair = regex_lite::Regex::new(r#"\btype: *['"]?directory['"]?(, *)?"#).expect("a fixed pattern");
    let found = pair.find(line)?;
    let before = line[..found.start()].trim_end();
    let is_last = line[found.end()..].starts_with('}');
    let before = if is_last { before.strip_suffix(',').unwrap_or(before) } else { &line[..found.start()] };
    Some(format!("{before}{}", &line[found.end()..]))
}
