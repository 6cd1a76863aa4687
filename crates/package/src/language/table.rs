//! The table of languages: rows written in TOML, validated.

use super::{JobeRow, Language, LexerRow, suggestion::suggest};
use anyhow::{Context, Result, bail, ensure};
use kopek_base::Bytes;
use std::sync::LazyLock;

/// All known languages, in the order of their rows.
#[derive(Debug, Clone)]
pub struct LanguageTable {
    /// As they are written; [`read_row`] fills in or refuses missing keys.
    rows: Vec<toml::Table>,
    languages: Vec<Language>,
}

/// The keys of a row. Serde knows them too, but cannot suggest the intended one.
const KEYS: &str = "code name endings declared_endings sign detect entry start one_start lone own_name tools \
    install optional build warm precompiled run probe extras env needs parts surroundings proc build_proc \
    scratch processes spare reserves exhausted lacking module hello lexer jobe";

/// Placeholders that every row has.
const PLACEHOLDERS: [&str; 5] = ["files", "entry", "stem", "binary", "memory"];

/// Placeholders of the commands of [`JobeRow`].
const PLACEHOLDERS_OF_JOBE: [&str; 7] =
    ["file", "main", "header", "compileargs", "linkargs", "interpreterargs", "runargs"];

/// Overrides the table for builds that look for mistakes.
const DEBUG_BUILDS: &str = include_str!("debug.toml");

impl LanguageTable {
    /// The table that is part of the program.
    pub fn embedded() -> LanguageTable {
        LanguageTable::built_in().clone()
    }

    /// The same, for lookups only.
    pub(super) fn built_in() -> &'static LanguageTable {
        static READ: LazyLock<LanguageTable> = LazyLock::new(|| {
            let empty = LanguageTable { rows: vec![], languages: vec![] };
            empty.with(include_str!("table.toml"), "table.toml").expect("a test reads the embedded table")
        });
        &READ
    }

    /// The table extended by the rows of a user's file. `whose` names the file in errors.
    pub fn with(&self, text: &str, whose: &str) -> Result<LanguageTable> {
        let read = || -> Result<LanguageTable> {
            // Rows are stored as written and validated after merging: a row that changes a single key is
            // incomplete by itself.
            let rows = parse_rows(text)?.into_iter().fold(self.rows.clone(), put_row);
            let languages = rows.iter().map(read_row).collect::<Result<_>>()?;
            Ok(LanguageTable { rows, languages })
        };
        read().with_context(|| format!("read languages of {whose}"))
    }

    /// The table with debug builds where they exist.
    pub fn for_debugging(&self) -> Result<LanguageTable> {
        self.with(DEBUG_BUILDS, "debug.toml")
    }

    /// Whether a language has a debug build.
    pub fn has_debug_build(code: &str) -> bool {
        parse_rows(DEBUG_BUILDS).is_ok_and(|rows| rows.iter().any(|row| code_of(row) == code))
    }

    /// Whether programs of a language can overwrite memory unnoticed while a debug build reports it.
    pub fn may_overwrite_memory(language: &Language) -> bool {
        // Only debug builds with sanitizers reserve memory.
        let reserves = |row: &toml::Table| row.get("reserves") == Some(&true.into());
        let is_sanitized = |row: &toml::Table| code_of(row) == language.code && reserves(row);
        !language.reserves && parse_rows(DEBUG_BUILDS).is_ok_and(|rows| rows.iter().any(is_sanitized))
    }

    /// The table after a change to every row.
    pub fn with_each(&self, change: impl Fn(&mut Language)) -> LanguageTable {
        let mut table = self.clone();
        table.languages.iter_mut().for_each(change);
        table
    }

    /// The row with this code.
    pub fn get(&self, code: &str) -> Option<&Language> {
        self.languages.iter().find(|language| language.code == code)
    }

    pub fn languages(&self) -> &[Language] {
        &self.languages
    }
}

/// Fails if the table has no such row, and suggests the intended one.
pub fn check_code(table: &LanguageTable, code: &str) -> Result<()> {
    let codes = table.languages().iter().map(|language| language.code.as_str());
    ensure!(table.get(code).is_some(), "there is no language `{code}`{}", suggest(code, codes));
    Ok(())
}

fn code_of(row: &toml::Table) -> &str {
    row.get("code").and_then(toml::Value::as_str).unwrap_or("without code")
}

fn parse_rows(text: &str) -> Result<Vec<toml::Table>> {
    let mut file: toml::Table = text.parse()?;
    let rows = file.remove("language").unwrap_or_else(|| toml::Value::Array(vec![]));
    if let Some(key) = file.keys().next() {
        bail!("unknown key `{key}`; a row begins with `[[language]]`");
    }
    let toml::Value::Array(rows) = rows else {
        bail!("`language` is not a list; a row begins with `[[language]]`")
    };
    let rows: Vec<toml::Table> = toml::Value::Array(rows).try_into()?;
    for (at, row) in rows.iter().enumerate() {
        check_types(row).with_context(|| format!("row {} ({})", at + 1, code_of(row)))?;
    }
    Ok(rows)
}

fn check_types(row: &toml::Table) -> Result<()> {
    if let Some(key) = row.keys().find(|key| !KEYS.split(' ').any(|known| known == *key)) {
        bail!("unknown key `{key}`{}", suggest(key, KEYS.split(' ')));
    }
    ensure!(row.contains_key("code"), "missing field `code`");
    row.clone().try_into::<Language>()?;
    Ok(())
}

/// Adds a row, or overrides the keys of the row with the same code.
fn put_row(mut rows: Vec<toml::Table>, new: toml::Table) -> Vec<toml::Table> {
    match rows.iter_mut().find(|row| code_of(row) == code_of(&new)) {
        Some(old) => {
            // A header is usable only for the build that it was compiled for.
            if new.contains_key("build") {
                old.remove("precompiled");
            }
            old.extend(new);
        }
        None => rows.push(new),
    }
    rows
}

fn read_row(row: &toml::Table) -> Result<Language> {
    let read = || -> Result<Language> {
        let language = convert_row(row.clone())?;
        ensure!(!language.run.is_empty(), "`run` is empty");
        for ending in language.endings.iter().chain(&language.declared_endings) {
            ensure!(ending.starts_with('.') && ending.len() > 1, "ending `{ending}` must begin with a dot");
        }
        for (tool, names) in &language.tools {
            ensure!(!names.is_empty(), "tool `{tool}` has no program name");
        }
        check_placeholders(&language)?;
        language.lexer.iter().try_for_each(LexerRow::check)?;
        Ok(language)
    };
    read().with_context(|| format!("language `{}`", code_of(row)))
}

fn convert_row(mut row: toml::Table) -> Result<Language> {
    for key in ["endings", "tools", "run", "probe"] {
        ensure!(row.contains_key(key), "`{key}` is missing");
    }
    let code = row["code"].clone();
    row.entry("name").or_insert(code);
    row.entry("detect").or_insert(true.into());
    let language: Language = row.try_into()?;
    Ok(Language {
        // A row can only replace keys, so an empty command turns building off.
        build: language.build.filter(|command| !command.is_empty()),
        spare: Bytes::mib(language.spare.0),
        ..language
    })
}

/// A misspelt placeholder would reach the compiler as an argument.
fn check_placeholders(language: &Language) -> Result<()> {
    let names = || {
        let own = language.tools.keys().chain(language.extras.iter().map(|extra| &extra.name));
        own.map(String::as_str).chain(PLACEHOLDERS).chain(PLACEHOLDERS_OF_JOBE)
    };
    let questions = language.extras.iter().flat_map(|extra| &extra.ask);
    let commands = language
        .build
        .iter()
        .chain(&language.warm)
        .chain(language.precompiled.as_ref().map(|header| &header.make))
        .flatten()
        .chain(&language.run)
        .chain(&language.probe)
        .chain(questions)
        .chain(language.jobe.iter().flat_map(JobeRow::commands));
    for name in commands.flat_map(|argument| super::fill::placeholders(argument)) {
        if !names().any(|known| known == name) {
            bail!("unknown placeholder `{{{name}}}`{}", suggest(name, names()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn refusal(text: &str) -> String {
        format!("{:#}", LanguageTable::embedded().with(text, "mine.toml").unwrap_err())
    }

    #[test]
    fn the_embedded_table_is_sound_and_every_ending_chooses_one_language() {
        let table = LanguageTable::embedded();
        let mut endings = BTreeMap::new();
        for language in table.languages().iter().filter(|language| language.detect) {
            for ending in &language.endings {
                assert_eq!(endings.insert(ending.clone(), &language.code), None, "{ending}");
            }
        }
        assert!(endings.len() > 20);
        assert!(table.languages().iter().all(|language| language.hello.is_some()));
        assert!(
            table.rows.iter().all(|row| row.contains_key("start")),
            "each language says how its programs begin"
        );
    }

    #[test]
    fn a_users_row_changes_the_keys_it_names_and_no_others() {
        let old = LanguageTable::embedded();
        let new = old.with("[[language]]\ncode = 'c'\nrun = ['{binary}', '-x']", "mine.toml").unwrap();
        let (was, is) = (old.get("c").unwrap(), new.get("c").unwrap());
        assert_eq!(is.run, ["{binary}", "-x"]);
        assert_eq!(is.build, was.build);
        assert_ne!(is.digest(), was.digest());
        assert_eq!(old.languages().len(), new.languages().len());
    }

    #[test]
    fn a_new_code_is_a_new_language() {
        let row = "[[language]]\ncode = 'sed'\nendings = ['.sed']\ntools = { sed = ['sed'] }\n\
                   run = ['{sed}', '-f', '/exe/{entry}']\nprobe = ['{sed}', '--version']\nentry = { file = 'main.sed' }";
        let table = LanguageTable::embedded().with(row, "mine.toml").unwrap();
        assert_eq!(table.get("sed").unwrap().name, "sed");
    }

    #[test]
    fn what_is_wrong_is_named_with_what_was_meant() {
        let refusals = [
            ("[[language]]\ncode = 'c'\nbiuld = []", "row 1 (c): unknown key `biuld`; did you mean `build`?"),
            ("[[languages]]\ncode = 'c'", "unknown key `languages`"),
            (
                "[[language]]\ncode = 'c'\nrun = ['{binry}']",
                "unknown placeholder `{binry}`; did you mean `binary`?",
            ),
            ("[[language]]\ncode = 'z'\nendings = ['.z']", "`tools` is missing"),
            ("[[language]]\ncode = 'c'\nendings = ['c']", "ending `c` must begin with a dot"),
            ("[[language]]\ncode = 'c'\nproc = 1", "proc"),
            ("[[language]]\ncode = 'c'\nlexer = { lines = [] }", "lines"),
            ("[[language]]\ncode = 'c'\nlexer = { line = [''] }", "a sign is empty"),
        ];
        for (text, part) in refusals {
            let message = refusal(text);
            assert!(message.contains(part) && message.contains("mine.toml"), "{message}");
        }
    }

    #[test]
    fn every_language_that_endings_choose_can_be_compared() {
        let table = LanguageTable::embedded();
        let without = table.languages().iter().filter(|language| language.detect && language.lexer.is_none());
        assert_eq!(without.map(|language| &language.code).collect::<Vec<_>>(), [] as [&String; 0]);
    }

    #[test]
    fn a_name_or_a_hint_is_no_part_of_a_rows_digest() {
        let old = LanguageTable::embedded();
        let row = "[[language]]\ncode = 'c'\nname = 'See'\ninstall = 'x'\nlexer = { keywords = 'if' }";
        let new = old.with(row, "mine.toml").unwrap();
        assert_eq!(old.get("c").unwrap().digest(), new.get("c").unwrap().digest());
    }
}
