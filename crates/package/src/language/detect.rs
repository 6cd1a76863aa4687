//! Detects the language of a source by file names only. Never reads a file: a program must not choose its own
//! judge.

use super::{Language, LanguageTable, SourceFiles, suggestion::suggest};
use kopek_sentences::{Listed, Said};
use std::{collections::BTreeMap, path::Path};

/// Why no language could be chosen: always a mistake of the submission.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DetectionError {
    /// There are no files.
    #[error("there are no files")]
    Empty,
    /// No file's ending is known.
    #[error("no known language: {0} has no ending of the table (see `kopek languages`)")]
    Unknown(String),
    /// Several languages have files.
    #[error("more than one language: {}; declare one, or hand in one only", list_files(.0))]
    Mixed(Vec<(String, String)>),
    /// The declared code is in no row.
    #[error("unknown language `{code}`{remedy}")]
    NoRow {
        code: String,
        /// The most similar known code, or all codes.
        remedy: String,
    },
    /// No file has an ending of the declared language.
    #[error("declared as {name}, but no file ends in {endings}")]
    NoSource { name: String, endings: String },
    /// The problem does not allow this language.
    #[error("{name} (`{code}`) is not allowed here; allowed: {}", allowed.join(", "))]
    NotAllowed { name: String, code: String, allowed: Vec<String> },
}

impl From<&DetectionError> for Said {
    fn from(error: &DetectionError) -> Said {
        match error {
            DetectionError::Empty => Said::NoFiles,
            DetectionError::Unknown(file) => Said::UnknownEnding { file: file.clone() },
            DetectionError::Mixed(files) => {
                let file = |(file, language): &(String, String)| Said::FileIs {
                    file: file.clone(),
                    language: language.clone(),
                };
                let files: Vec<Said> = files.iter().map(file).collect();
                Said::SeveralLanguages { files: Listed::first(files, usize::MAX) }
            }
            // A name of the command line or of a package.
            DetectionError::NoRow { .. } => Said::foreign(error.to_string()),
            DetectionError::NoSource { name, endings } => {
                Said::DeclaredOther { name: name.clone(), endings: endings.clone() }
            }
            DetectionError::NotAllowed { name, code, allowed } => Said::LanguageForbidden {
                name: name.clone(),
                code: code.clone(),
                allowed: allowed.join(", "),
            },
        }
    }
}

fn list_files(files: &[(String, String)]) -> String {
    let one = |(file, language): &(String, String)| format!("{file} is {language}");
    files.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The language of a source: the declared one, or the only one that its file endings allow. `allowed` are the
/// codes that the problem allows; `None` means all.
pub fn detect_language<'a>(
    table: &'a LanguageTable,
    source: &SourceFiles,
    declared: Option<&str>,
    allowed: Option<&[String]>,
) -> Result<&'a Language, DetectionError> {
    let language = match declared {
        Some(code) => language_of_code(table, source, code)?,
        None => language_of_endings(table, source)?,
    };
    check_allowed(language, allowed)?;
    Ok(language)
}

/// Fails if the problem does not allow a language.
pub fn check_allowed(language: &Language, allowed: Option<&[String]>) -> Result<(), DetectionError> {
    match allowed {
        Some(codes) if !codes.contains(&language.code) => Err(DetectionError::NotAllowed {
            name: language.name.clone(),
            code: language.code.clone(),
            allowed: codes.to_vec(),
        }),
        _ => Ok(()),
    }
}

fn language_of_code<'a>(
    table: &'a LanguageTable,
    source: &SourceFiles,
    code: &str,
) -> Result<&'a Language, DetectionError> {
    let language = table.get(code).ok_or_else(|| DetectionError::NoRow {
        code: code.to_owned(),
        remedy: suggest(code, table.languages().iter().map(|language| language.code.as_str())),
    })?;
    if source.files.is_empty() {
        return Err(DetectionError::Empty);
    }
    if !source.files.iter().any(|file| language.owns(&path_text(file))) {
        let endings = language.endings.join(", ");
        return Err(DetectionError::NoSource { name: language.name.clone(), endings });
    }
    Ok(language)
}

/// The format demands a single language: two are refused instead of counted, so that a submission is never
/// judged by the wrong file.
fn language_of_endings<'a>(
    table: &'a LanguageTable,
    source: &SourceFiles,
) -> Result<&'a Language, DetectionError> {
    let first = source.files.first().ok_or(DetectionError::Empty)?;
    let mut found: BTreeMap<&str, (&Language, String)> = BTreeMap::new();
    for file in &source.files {
        if let Some(language) = language_of_file(table, file) {
            found.entry(&language.code).or_insert_with(|| (language, path_text(file)));
        }
    }
    let mut languages = found.into_values();
    match (languages.next(), languages.len()) {
        (None, _) => Err(DetectionError::Unknown(path_text(first))),
        (Some((language, _)), 0) => Ok(language),
        (Some(one), _) => Err(DetectionError::Mixed(
            std::iter::once(one)
                .chain(languages)
                .map(|(language, file)| (file, language.name.clone()))
                .collect(),
        )),
    }
}

fn language_of_file<'a>(table: &'a LanguageTable, file: &Path) -> Option<&'a Language> {
    let name = path_text(file);
    table.languages().iter().find(|language| language.is_named_by(&name))
}

fn path_text(file: &Path) -> String {
    file.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(files: &[&str], declared: Option<&str>, allowed: Option<&[&str]>) -> Result<String, String> {
        let source = SourceFiles { root: "/x".into(), files: files.iter().map(Into::into).collect() };
        let allowed = allowed.map(|codes| codes.iter().map(|&c| c.to_owned()).collect::<Vec<_>>());
        detect_language(&LanguageTable::embedded(), &source, declared, allowed.as_deref())
            .map(|language| language.code.clone())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn endings_choose_the_language_and_the_case_counts() {
        let files =
            [("a.c", "c"), ("a.C", "cpp"), ("a.b.cc", "cpp"), ("x/y.py3", "python3"), ("A.java", "java")];
        for (file, code) in files {
            assert_eq!(detected(&[file], None, None).as_deref(), Ok(code), "{file}");
        }
    }

    #[test]
    fn files_of_no_language_do_not_matter() {
        assert_eq!(detected(&["README.md", "a.h", "b.cpp", "c.cpp"], None, None).as_deref(), Ok("cpp"));
        assert_eq!(detected(&["__MACOSX/._b.py", "b.c"], None, None).as_deref(), Ok("c"));
    }

    #[test]
    fn two_languages_are_refused_with_a_file_of_each() {
        let message = detected(&["gen.py", "sol.cpp"], None, None).unwrap_err();
        assert_eq!(
            message,
            "more than one language: sol.cpp is C++, gen.py is Python 3; declare one, or hand in one only"
        );
        assert_eq!(detected(&["gen.py", "sol.cpp"], Some("cpp"), None).as_deref(), Ok("cpp"));
    }

    #[test]
    fn what_cannot_be_chosen_says_why() {
        let cases: [(&[&str], Option<&str>, &str); 7] = [
            (&[], None, "there are no files"),
            (&["notes.txt"], None, "notes.txt has no ending"),
            (&["x/.c"], None, "x/.c has no ending"),
            (&[".c"], None, ".c has no ending"),
            (&["a.c"], Some("cppp"), "did you mean `cpp`?"),
            (&["a.c"], Some("befunge"), "known are ada, awk, bash, c, cpp"),
            (&["a.c"], Some("java"), "declared as Java, but no file ends in .java"),
        ];
        for (files, declared, part) in cases {
            let message = detected(files, declared, None).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn a_language_outside_the_problems_list_is_refused_by_name() {
        let message = detected(&["a.py"], None, Some(&["c", "cpp"])).unwrap_err();
        assert_eq!(message, "Python 3 (`python3`) is not allowed here; allowed: c, cpp");
        assert!(detected(&["a.c"], None, Some(&["c"])).is_ok());
    }
}
