//! Interpreters in the first lines of files.

use super::{Language, LanguageTable, SourceFiles};
use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::Path,
};

/// The interpreter that a file of this language requests, if it does not belong to the language.
pub fn foreign_interpreter(language: &Language, source: &SourceFiles) -> Option<String> {
    let mut files = source.files.iter().filter(|file| language.owns(&file.to_string_lossy()));
    files.find_map(|file| {
        interpreter_of_file(&source.root.join(file)).filter(|name| !is_own_interpreter(language, name))
    })
}

/// The language of a file whose ending several languages share: by its first line, or by a language's `sign`.
/// The error names the remedy.
pub fn language_of_shared_ending<'a>(
    table: &'a LanguageTable,
    named: &'a Language,
    (path, bytes): (&Path, &[u8]),
) -> Result<&'a Language, String> {
    let name = path.to_string_lossy();
    let Some(other) = table.languages().iter().find(|language| language.owns_if_declared(&name)) else {
        return Ok(named);
    };
    let asked = interpreter_of_text(bytes);
    let asks_for =
        |language: &Language| asked.as_ref().is_some_and(|asked| is_own_interpreter(language, asked));
    let has_sign = named.sign.as_ref().is_none_or(|sign| contains(bytes, sign.as_bytes()));
    match () {
        () if !named.owns(&name) || asks_for(other) => Ok(other),
        () if asks_for(named) || has_sign => Ok(named),
        () => Err(format!(
            "{name} may be {} or {}: begin it with `#!/usr/bin/env {}` or `#!/usr/bin/env {}`",
            named.name,
            other.name,
            first_tool(named),
            first_tool(other)
        )),
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}

fn first_tool(language: &Language) -> &str {
    language.tools.values().flatten().next().map_or("", String::as_str)
}

/// The interpreter that a file requests if it is another version of the language's own, such as `python2`,
/// which is another language.
pub fn other_version<'a>(
    language: &Language,
    mut files: impl Iterator<Item = (&'a Path, &'a [u8])>,
) -> Option<String> {
    files.find_map(|(path, bytes)| {
        if !language.owns(&path.to_string_lossy()) {
            return None;
        }
        let asked = interpreter_of_text(bytes)?;
        let (stem, version) = split_version(&asked);
        let other = |tool: &String| {
            let (own_stem, own_version) = split_version(tool);
            stem == own_stem && version.is_some() && own_version.is_some() && version != own_version
        };
        let is_other = language.tools.values().flatten().any(other) && !is_own_interpreter(language, &asked);
        if is_other { Some(format!("the first line of {} asks for `{asked}`", path.display())) } else { None }
    })
}

/// A name without its version, and the major version.
fn split_version(name: &str) -> (&str, Option<&str>) {
    let at = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let (stem, version) = name.split_at(at);
    (stem, version.split('.').next().filter(|number| !number.is_empty()))
}

/// `python` and `python3.12` count as `python3`, and `sh` as `bash`.
fn is_own_interpreter(language: &Language, name: &str) -> bool {
    let same =
        |tool: &String| tool.starts_with(name) || tool.ends_with(name) || name.starts_with(tool.as_str());
    language.tools.values().flatten().any(same)
}

/// The longest first line that is read.
const MAX_LENGTH: u64 = 256;

fn interpreter_of_file(file: &Path) -> Option<String> {
    let mut line = Vec::new();
    BufReader::new(File::open(file).ok()?).take(MAX_LENGTH).read_until(b'\n', &mut line).ok()?;
    interpreter_of_text(&line)
}

fn interpreter_of_text(bytes: &[u8]) -> Option<String> {
    let start = &bytes[..bytes.len().min(MAX_LENGTH as usize)];
    let line = start.split(|byte| *byte == b'\n').next()?;
    interpreter_of_line(&String::from_utf8_lossy(line)).map(str::to_owned)
}

fn interpreter_of_line(line: &str) -> Option<&str> {
    // Options may come before the name: `env -S perl`.
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

    #[test]
    fn only_another_version_of_the_own_interpreter_is_another_language() {
        let table = LanguageTable::embedded();
        let python = table.get("python3").unwrap();
        let asks = |line: &str| other_version(python, [(Path::new("a.py"), line.as_bytes())].into_iter());
        assert_eq!(asks("#!/usr/bin/env python2\n").unwrap(), "the first line of a.py asks for `python2`");
        assert!(asks("#!/usr/bin/python2.7").is_some());
        for line in ["#!/usr/bin/env python\n", "#!/usr/bin/python3.12\n", "#!/bin/sh\n", "print(2)\n", ""] {
            assert_eq!(asks(line), None, "{line}");
        }
    }

    #[test]
    fn a_shared_ending_is_settled_by_what_the_file_says() {
        let table = LanguageTable::embedded();
        let prolog = table.get("prolog").unwrap();
        let code = |text: &str| {
            let file = (Path::new("x.pl"), text.as_bytes());
            language_of_shared_ending(&table, prolog, file).map(|language| language.code.as_str())
        };
        assert_eq!(code("main :- write(1).\n"), Ok("prolog"));
        assert_eq!(code("#!/usr/bin/env swipl\nmain.\n"), Ok("prolog"));
        assert_eq!(code("#!/usr/bin/perl -w\nprint 1;\n"), Ok("perl"));
        let unknown = code("print 1;\n").unwrap_err();
        assert!(unknown.starts_with("x.pl may be Prolog or Perl: begin it with `#!"), "{unknown}");
        let own = (Path::new("x.plg"), &b"print 1;\n"[..]);
        assert_eq!(language_of_shared_ending(&table, prolog, own), Ok(prolog));
        assert!(prolog.is_named_by("x.plg"), "Prolog alone uses this ending");
        let lone = (Path::new("x.py"), &b"print(1)"[..]);
        let python = table.get("python3").unwrap();
        assert_eq!(language_of_shared_ending(&table, python, lone), Ok(python));
    }
}
