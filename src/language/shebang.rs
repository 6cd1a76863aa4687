//! First lines that ask for an interpreter.

use super::{Language, SourceFiles};
use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::Path,
};

/// The interpreter that a file of this language asks for, where it is none of the language's.
pub fn foreign_interpreter(language: &Language, source: &SourceFiles) -> Option<String> {
    let mut files = source.files.iter().filter(|file| language.owns(&file.to_string_lossy()));
    files.find_map(|file| {
        interpreter_of_file(&source.root.join(file)).filter(|name| !is_own_interpreter(language, name))
    })
}

/// `python` and `python3.12` are as good as `python3`, and `sh` as `bash`.
fn is_own_interpreter(language: &Language, name: &str) -> bool {
    let same =
        |tool: &String| tool.starts_with(name) || tool.ends_with(name) || name.starts_with(tool.as_str());
    language.tools.values().flatten().any(same)
}

/// Longest first line that is looked at.
const LONGEST: u64 = 256;

fn interpreter_of_file(file: &Path) -> Option<String> {
    let mut line = Vec::new();
    BufReader::new(File::open(file).ok()?).take(LONGEST).read_until(b'\n', &mut line).ok()?;
    interpreter_of_line(&String::from_utf8_lossy(&line)).map(str::to_owned)
}

fn interpreter_of_line(line: &str) -> Option<&str> {
    // Options may stand before the name: `env -S perl`.
    let words = line.strip_prefix("#!")?.split_whitespace().filter(|word| !word.starts_with('-'));
    let mut names = words.map(|word| word.rsplit('/').next().unwrap_or(word));
    names.next().and_then(|name| if name == "env" { names.next() } else { Some(name) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::LanguageTable;

    #[test]
    fn a_first_line_asks_for_an_interpreter() {
        let cases = [
            ("#!/usr/bin/env python2\n", Some("python2")),
            ("#! /usr/bin/swipl -q -t main\n", Some("swipl")),
            ("#!/usr/bin/env -S perl -w\n", Some("perl")),
            ("# /usr/bin/python2\n", None),
            ("#!\n", None),
        ];
        for (line, name) in cases {
            assert_eq!(interpreter_of_line(line), name, "{line}");
        }
    }

    #[test]
    fn an_interpreter_of_another_version_or_name_may_still_be_the_languages() {
        let table = LanguageTable::embedded();
        let python = table.get("python3").unwrap();
        assert!(["python", "python3", "python3.12"].iter().all(|name| is_own_interpreter(python, name)));
        assert!(["python2", "swipl", "python2.7"].iter().all(|name| !is_own_interpreter(python, name)));
    }
}
