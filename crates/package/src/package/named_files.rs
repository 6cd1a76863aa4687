//! `[files]` of `kopek.toml`: file names instead of standard streams. Other modules read the other tables of
//! that file.

use super::{
    Message, NamedFiles,
    disk::{Disk, is_legal_name},
    nearest::nearest_word,
};

const FILE: &str = "kopek.toml";
const KEYS: &[&str] = &["input", "output"];

/// Reads `kopek.toml`, if there is one.
pub(super) fn named_files(disk: &Disk, findings: &mut Vec<Message>) -> Option<NamedFiles> {
    let item = disk.item(FILE, findings).filter(|item| !item.is_dir)?;
    let text = match disk.read(&item.path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            findings.push(Message::error(FILE, format!("cannot be read: {error}")));
            return None;
        }
    };
    let table = parse_toml(&text, findings)?;
    let Some(files) = table.get("files")?.as_table() else {
        findings.push(
            Message::error(FILE, "`files` is not a table").todo("write `[files]` on a line of its own"),
        );
        return None;
    };
    for key in files.keys().filter(|key| !KEYS.contains(&key.as_str())) {
        let finding = Message::error(FILE, format!("unknown key `files.{key}`"));
        findings.push(match nearest_word(key, KEYS) {
            Some(near) => finding.todo(format!("did you mean `{near}`?")),
            None => finding.todo("one of: input, output"),
        });
    }
    // Both are read before either is refused, so that each can have its finding.
    let input = file_name(files, "input", findings);
    let output = file_name(files, "output", findings);
    Some(NamedFiles { input: input?, output: output? })
}

fn parse_toml(text: &str, findings: &mut Vec<Message>) -> Option<toml::Table> {
    let error = match text.parse() {
        Ok(table) => return Some(table),
        Err(error) => error,
    };
    let error: toml::de::Error = error;
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map(|before| before.matches('\n').count() as u32 + 1);
    let finding = Message::error(FILE, format!("is not TOML: {}", error.message()));
    findings.push(finding.line(line));
    None
}

fn file_name(files: &toml::Table, key: &str, findings: &mut Vec<Message>) -> Option<String> {
    let what = match files.get(key).map(|value| value.as_str()) {
        Some(Some(name)) if is_legal_name(name) => return Some(name.to_owned()),
        Some(_) => format!("`files.{key}` is not a plain file name"),
        None => format!("`files.{key}` is missing"),
    };
    findings.push(Message::error(FILE, what));
    None
}
