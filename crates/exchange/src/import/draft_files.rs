//! Files of a new package, before and while they are written, and their names.

use anyhow::{Context, Result};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufReader, Read},
    path::{Path, PathBuf},
};
use unicode_normalization::UnicodeNormalization;

/// By their path below the package, or below a program.
pub type DraftFiles = BTreeMap<String, Content>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Text(String),
    /// The bytes of a source file.
    File(PathBuf),
    /// A source file, to be written with the line ends of the format.
    Lines(PathBuf),
}

/// Whether line ends were converted while a file was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnds {
    Kept,
    Converted,
}

impl Content {
    pub fn text(text: impl Into<String>) -> Content {
        Content::Text(text.into())
    }

    pub fn read_text(&self) -> Result<String> {
        match self {
            Content::Text(text) => Ok(text.clone()),
            Content::File(path) | Content::Lines(path) => {
                let bytes = fs::read(path).with_context(|| format!("read {}", path.display()))?;
                Ok(String::from_utf8_lossy(&bytes).into_owned())
            }
        }
    }

    fn write(&self, to: &Path) -> Result<LineEnds> {
        if let Some(dir) = to.parent() {
            fs::create_dir_all(dir)?;
        }
        match self {
            Content::Text(text) => fs::write(to, text)?,
            Content::Lines(from) if has_windows_line_ends(from)? => {
                fs::write(to, without_carriage_returns(&fs::read(from)?))?;
                return Ok(LineEnds::Converted);
            }
            // The bytes alone: a file of the source may be read-only, or executable.
            Content::File(from) | Content::Lines(from) => {
                std::io::copy(&mut File::open(from)?, &mut File::create(to)?)?;
            }
        }
        Ok(LineEnds::Kept)
    }
}

/// Writes files below a directory, which is created if missing; how many had Windows line ends.
pub fn write_files(dir: &Path, files: &DraftFiles) -> Result<usize> {
    let mut converted = 0;
    for (path, content) in files {
        let ends = content.write(&dir.join(path)).with_context(|| format!("write {path}"))?;
        converted += usize::from(ends == LineEnds::Converted);
    }
    Ok(converted)
}

fn has_windows_line_ends(path: &Path) -> Result<bool> {
    let mut head = Vec::new();
    BufReader::new(File::open(path)?).take(1 << 16).read_to_end(&mut head)?;
    // The first line decides: large tests are not searched to their end.
    let end = memchr::memchr(b'\n', &head);
    Ok(end.is_some_and(|end| end > 0 && head[end - 1] == b'\r'))
}

fn without_carriage_returns(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        if byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            kept.push(byte);
        }
    }
    kept
}

/// The name with all characters replaced that the format does not allow.
pub fn legal_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let clean: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).take(200).collect();
    if clean.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        clean
    } else {
        format!("_{clean}")
    }
}

/// A package's name: lower-case letters and digits.
pub fn package_name(name: &str) -> String {
    // `ö` becomes `o` and a combining mark.
    let clean: String = name.nfd().filter(char::is_ascii_alphanumeric).collect();
    if clean.is_empty() { "problem".into() } else { clean.to_ascii_lowercase() }
}

pub fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The directory of a path; empty: the top.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

pub fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}

/// The part of a name after its last dot; empty: it has none.
pub fn ending_of(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_legal_and_stay_known() {
        for (name, expected) in
            [("a b.cpp", "a_b.cpp"), ("ä.py", "_.py"), (".x", "_.x"), ("-o", "_-o"), ("", "_")]
        {
            assert_eq!(legal_name(name), expected);
        }
        assert_eq!(package_name("A-plus B"), "aplusb");
        assert_eq!(package_name("Böse Käse"), "bosekase");
    }
}
