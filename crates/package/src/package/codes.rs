//! Words of the format: programming languages, licences, languages of people.

/// Codes of the format's table of programming languages.
pub(super) const LANGUAGES: &[&str] = &[
    "ada",
    "algol68",
    "apl",
    "bash",
    "c",
    "cgmp",
    "cobol",
    "cpp",
    "cppgmp",
    "crystal",
    "csharp",
    "d",
    "dart",
    "elixir",
    "erlang",
    "forth",
    "fortran",
    "fsharp",
    "gerbil",
    "go",
    "haskell",
    "java",
    "javaalgs4",
    "javascript",
    "julia",
    "kotlin",
    "lisp",
    "lua",
    "modula2",
    "nim",
    "objectivec",
    "ocaml",
    "octave",
    "odin",
    "pascal",
    "perl",
    "php",
    "prolog",
    "pypy3",
    "python2",
    "python3",
    "python3numpy",
    "racket",
    "ruby",
    "rust",
    "scala",
    "simula",
    "smalltalk",
    "snobol",
    "swift",
    "typescript",
    "visualbasic",
    "zig",
];

pub(super) const LICENSES: &[&str] =
    &["unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"];

/// Whether this is a code of a human language: `en`, `fil`, `pt-BR`.
pub(super) fn is_human_language(code: &str) -> bool {
    // A made-up region lets a code without one pass the same checks.
    let (language, region) = code.split_once('-').unwrap_or((code, "XX"));
    matches!(language.len(), 2 | 3)
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && region.len() == 2
        && region.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_that_we_run_has_a_code_of_the_format() {
        // The format has no code for these languages, but DOMjudge has.
        let others = ["awk", "r"];
        for language in crate::language::LanguageTable::embedded().languages() {
            let code = language.code.as_str();
            assert!(LANGUAGES.contains(&code) || others.contains(&code), "{code}");
        }
    }

    #[test]
    fn codes_of_human_languages_are_known_by_their_shape() {
        assert!(["en", "fil", "pt-BR"].into_iter().all(is_human_language));
        assert!(
            ["", "e", "EN", "english", "pt-br", "pt_BR", "pt-"]
                .into_iter()
                .all(|code| !is_human_language(code))
        );
    }
}
