//! `kopek languages`: shows the table of languages, and which of them work on this machine.

use super::{
    exit_status::ExitStatus,
    terminal_output::{OutputFormat, print_document, print_json},
    toolchain_search::{language_table, user_search},
};
use crate::{
    base::map_in_parallel,
    language::{Language, MissingToolchain, Toolchain},
    render::Document,
    sandbox::{Fault, Sandbox},
    toolchains::{self, NoToolchain},
};
use anyhow::{Context, Result};
use serde::Serialize;
use std::{env, path::PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Show build and run commands
    #[arg(long, short)]
    verbose: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// A language, with either `version` or `missing`.
#[derive(Serialize)]
struct LanguageHere<'a> {
    code: &'a str,
    name: &'a str,
    endings: &'a [String],
    declared_endings: &'a [String],
    detected_by_ending: bool,
    /// As in the table, with placeholders.
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<&'a [String]>,
    run: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let table = language_table()?;
    let sandbox = Sandbox::open(&env::current_exe().context("find this program's own file")?)?;
    let toolchains = identify_all(&sandbox, table.languages())?;
    let rows: Vec<LanguageHere> =
        table.languages().iter().zip(toolchains).map(|(row, found)| language_json(row, found)).collect();
    match args.format {
        OutputFormat::Text => {
            let mut document = languages_document(&rows);
            if args.verbose {
                rows.iter().for_each(|row| add_commands(&mut document, row));
            }
            print_document(&document)?;
        }
        OutputFormat::Json => print_json(&rows)?,
    }
    Ok(ExitStatus::Success)
}

/// A toolchain, or its missing part.
pub(super) type ToolchainResult = Result<Toolchain, MissingToolchain>;

/// Toolchains to probe in parallel: more would only compete for the CPUs.
const MAX_PROBES: usize = 8;

/// Identifies all toolchains in parallel, because some take a second to print their version.
pub(super) fn identify_all(sandbox: &Sandbox, languages: &[Language]) -> Result<Vec<ToolchainResult>, Fault> {
    let search = user_search();
    let found = map_in_parallel(languages, MAX_PROBES, |language| {
        match toolchains::identify_toolchain(&mut sandbox.slot(None), language, &search) {
            Ok(toolchain) => Ok(Ok(toolchain)),
            Err(NoToolchain::Missing(missing)) => Ok(Err(missing)),
            Err(NoToolchain::Fault(fault)) => Err(fault),
        }
    });
    found.into_iter().collect()
}

fn language_json(language: &Language, found: ToolchainResult) -> LanguageHere<'_> {
    let (toolchain, missing) = match found {
        Ok(toolchain) => (Some(toolchain), None),
        Err(missing) => (None, Some(missing)),
    };
    LanguageHere {
        code: &language.code,
        name: &language.name,
        endings: &language.endings,
        declared_endings: &language.declared_endings,
        detected_by_ending: language.detect,
        build: language.build.as_deref(),
        run: &language.run,
        version: toolchain.as_ref().map(|toolchain| toolchain.version.clone()),
        digest: toolchain.as_ref().map(|toolchain| toolchain.digest.to_string()),
        program: toolchain.map(|toolchain| toolchain.program),
        missing: missing.as_ref().map(|missing| missing.what.clone()),
        remedy: missing.map(|missing| missing.remedy),
    }
}

fn languages_document(rows: &[LanguageHere]) -> Document<'static> {
    let mut document = Document::default();
    let titles = ["code", "language", "endings", "toolchain"];
    document.columns(titles, rows.iter().map(LanguageHere::cells).collect());
    document
}

fn add_commands(document: &mut Document, row: &LanguageHere) {
    document.gap();
    document.line(row.name);
    if let Some(build) = row.build {
        document.item("  build  ", &command_text(build));
    }
    document.item("  run    ", &command_text(row.run));
}

impl LanguageHere<'_> {
    fn cells(&self) -> [String; 4] {
        let endings = match (self.endings.join(" "), self.declared_endings.join(" ")) {
            (endings, _) if !self.detected_by_ending => endings + " (when declared)",
            (endings, declared) if declared.is_empty() => endings,
            (endings, declared) => format!("{endings} ({declared} when declared)"),
        };
        let toolchain = match (&self.version, &self.missing, &self.remedy) {
            (Some(version), ..) => version.clone(),
            (None, Some(missing), Some(remedy)) => format!("missing: {missing}; {remedy}"),
            _ => String::new(),
        };
        [self.code.to_owned(), self.name.to_owned(), endings, toolchain]
    }
}

/// A command with placeholders in braces.
fn command_text(command: &[String]) -> String {
    let words: Vec<String> = command.iter().map(|word| word.escape_debug().to_string()).collect();
    words.join(" ")
}
