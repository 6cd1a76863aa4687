//! The table of languages: rows written in TOML, validated.

use super::{
    EntryPoint, Extra, Language, LexerRow, ModuleRow, PrecompiledHeader, StartRule, suggestion::suggest,
};
use anyhow::{Context, Result, bail, ensure};
use kopek_base::Bytes;
use serde::Deserialize;
use std::{collections::BTreeMap, path::PathBuf, sync::LazyLock};

/// All known languages, in the order of their rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageTable {
    rows: Vec<TableRow>,
    languages: Vec<Language>,
}

/// The keys of a row besides `code`, each once.
macro_rules! row_keys {
    ($($key:ident: $type:ty,)*) => {
        /// A row as written; [`validate_row`] fills in or refuses missing keys.
        #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
        struct TableRow {
            code: String,
            $($key: Option<$type>,)*
        }

        /// Serde knows them too, but cannot suggest the intended one.
        const KEYS: &[&str] = &["code", $(stringify!($key),)*];

        fn lay_over(old: &mut TableRow, new: TableRow) {
            // A header is usable only for the build that it was compiled for.
            if new.build.is_some() {
                old.precompiled = None;
            }
            $(if new.$key.is_some() {
                old.$key = new.$key;
            })*
        }
    };
}

row_keys! {
    name: String,
    endings: Vec<String>,
    declared_endings: Vec<String>,
    sign: String,
    detect: bool,
    entry: EntryPoint,
    start: StartRule,
    one_start: bool,
    hydro: String,
    lone: String,
    own_name: Vec<String>,
    tools: BTreeMap<String, Vec<String>>,
    install: String,
    install_with: BTreeMap<String, String>,
    optional: bool,
    build: Vec<String>,
    warm: Vec<String>,
    precompiled: PrecompiledHeader,
    run: Vec<String>,
    probe: Vec<String>,
    extras: Vec<Extra>,
    env: BTreeMap<String, String>,
    needs: Vec<PathBuf>,
    parts: Vec<PathBuf>,
    surroundings: Vec<PathBuf>,
    proc: bool,
    build_proc: bool,
    scratch: bool,
    processes: u32,
    spare: u64,
    reserves: bool,
    exhausted: Vec<String>,
    lacking: Vec<String>,
    module: ModuleRow,
    hello: String,
    lexer: LexerRow,
}

/// Placeholders that every row has.
const PLACEHOLDERS: [&str; 5] = ["files", "entry", "stem", "binary", "memory"];

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
            let languages = rows.iter().map(validate_row).collect::<Result<_>>()?;
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
        parse_rows(DEBUG_BUILDS).is_ok_and(|rows| rows.iter().any(|row| row.code == code))
    }

    /// Whether programs of a language can overwrite memory unnoticed while a debug build reports it.
    pub fn may_overwrite_memory(language: &Language) -> bool {
        // Only debug builds with sanitizers reserve memory.
        let is_sanitized = |row: &TableRow| row.code == language.code && row.reserves == Some(true);
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

fn parse_rows(text: &str) -> Result<Vec<TableRow>> {
    let mut file: toml::Table = text.parse()?;
    let rows = file.remove("language").unwrap_or_else(|| toml::Value::Array(vec![]));
    if let Some(key) = file.keys().next() {
        bail!("unknown key `{key}`; a row begins with `[[language]]`");
    }
    let toml::Value::Array(rows) = rows else {
        bail!("`language` is not a list; a row begins with `[[language]]`")
    };
    rows.into_iter().enumerate().map(|(at, row)| parse_row(at, row)).collect()
}

fn parse_row(at: usize, row: toml::Value) -> Result<TableRow> {
    let name = row.get("code").and_then(|code| code.as_str()).unwrap_or("without code").to_owned();
    let read = || -> Result<TableRow> {
        let mut keys = row.as_table().into_iter().flat_map(|table| table.keys());
        if let Some(key) = keys.find(|key| !KEYS.contains(&key.as_str())) {
            bail!("unknown key `{key}`{}", suggest(key, KEYS.iter().copied()));
        }
        Ok(row.try_into()?)
    };
    read().with_context(|| format!("row {} ({name})", at + 1))
}

/// Adds a row, or overrides the keys of the row with the same code.
fn put_row(mut rows: Vec<TableRow>, new: TableRow) -> Vec<TableRow> {
    match rows.iter_mut().find(|row| row.code == new.code) {
        Some(old) => lay_over(old, new),
        None => rows.push(new),
    }
    rows
}

fn validate_row(row: &TableRow) -> Result<Language> {
    let convert = || -> Result<Language> {
        let language = convert_row(row)?;
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
    convert().with_context(|| format!("language `{}`", row.code))
}

fn convert_row(row: &TableRow) -> Result<Language> {
    let row = row.clone();
    Ok(Language {
        name: row.name.unwrap_or_else(|| row.code.clone()),
        endings: row.endings.context("`endings` is missing")?,
        declared_endings: row.declared_endings.unwrap_or_default(),
        sign: row.sign,
        detect: row.detect.unwrap_or(true),
        entry: row.entry.unwrap_or(EntryPoint::Linked),
        start: row.start.unwrap_or(StartRule::Script),
        one_start: row.one_start.unwrap_or(false),
        hydro: row.hydro,
        lone: row.lone,
        own_name: row.own_name.unwrap_or_default(),
        tools: row.tools.context("`tools` is missing")?,
        install: row.install.unwrap_or_default(),
        install_with: row.install_with.unwrap_or_default(),
        optional: row.optional.unwrap_or(false),
        // A row can only replace keys, so an empty command turns building off.
        build: row.build.filter(|command| !command.is_empty()),
        warm: row.warm,
        precompiled: row.precompiled,
        run: row.run.context("`run` is missing")?,
        probe: row.probe.context("`probe` is missing")?,
        extras: row.extras.unwrap_or_default(),
        env: row.env.unwrap_or_default(),
        needs: row.needs.unwrap_or_default(),
        parts: row.parts.unwrap_or_default(),
        surroundings: row.surroundings.unwrap_or_default(),
        proc: row.proc.unwrap_or(false),
        build_proc: row.build_proc.unwrap_or(false),
        scratch: row.scratch.unwrap_or(false),
        processes: row.processes.unwrap_or(0),
        spare: Bytes::mib(row.spare.unwrap_or(0)),
        reserves: row.reserves.unwrap_or(false),
        exhausted: row.exhausted.unwrap_or_default(),
        lacking: row.lacking.unwrap_or_default(),
        module: row.module,
        hello: row.hello,
        lexer: row.lexer,
        code: row.code,
    })
}

/// A misspelt placeholder would reach the compiler as an argument.
fn check_placeholders(language: &Language) -> Result<()> {
    let names = || {
        let own = language.tools.keys().chain(language.extras.iter().map(|extra| &extra.name));
        own.map(String::as_str).chain(PLACEHOLDERS)
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
        .chain(questions);
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
            table.rows.iter().all(|row| row.start.is_some()),
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
