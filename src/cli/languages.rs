//! `kopek languages`: the table, and what of it works on this machine.

use crate::{
    language::{self, Language, NoToolchain, Search, Table, Toolchain},
    sandbox::{Fault, Sandbox},
};
use anyhow::{Context, Result};
use comfy_table::presets::NOTHING;
use serde::Serialize;
use std::{
    env, fs,
    io::{Write, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Mutex,
};

/// Arguments of `kopek languages`.
#[derive(clap::Args)]
pub struct Args {
    /// A table of your own: its rows are laid over those of the program
    #[arg(long, value_name = "FILE")]
    languages: Option<PathBuf>,
    /// How the table is shown
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// A language as the JSON shows it; `version` or `missing` is there, never both.
#[derive(Serialize)]
struct Shown<'a> {
    code: &'a str,
    name: &'a str,
    endings: &'a [String],
    detected_by_ending: bool,
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

/// Where toolchains are searched for: the user's own environment.
pub fn search() -> Search {
    Search {
        path: env::var_os("PATH").unwrap_or_default(),
        home: env::var_os("HOME").map(PathBuf::from),
        rustup_toolchain: env::var("RUSTUP_TOOLCHAIN").ok(),
        rustup_home: env::var_os("RUSTUP_HOME").map(PathBuf::from),
    }
}

/// The embedded table, with the user's rows if there is a file of them.
pub fn table(file: Option<&Path>) -> Result<Table> {
    let embedded = Table::embedded();
    let Some(file) = file else { return Ok(embedded) };
    let text = fs::read_to_string(file).with_context(|| format!("read {}", file.display()))?;
    embedded.with(&text, &file.display().to_string())
}

/// Does it.
pub fn run(args: Args) -> Result<ExitCode> {
    let table = table(args.languages.as_deref())?;
    let sandbox = Sandbox::open(&env::current_exe().context("find this program's own file")?)?;
    let toolchains = identify_all(&sandbox, table.languages())?;
    let rows: Vec<Shown> =
        table.languages().iter().zip(toolchains).map(|(row, found)| shown(row, found)).collect();
    let text = match args.format {
        Format::Text => text(&rows),
        Format::Json => serde_json::to_string_pretty(&rows)?,
    };
    writeln!(stdout(), "{text}")?;
    Ok(ExitCode::SUCCESS)
}

type Found = Result<Toolchain, language::Missing>;

/// Asks all toolchains, several at a time: some take a second to say their version.
fn identify_all(sandbox: &Sandbox, languages: &[Language]) -> Result<Vec<Found>, Fault> {
    let search = search();
    let queue = Mutex::new(languages.iter().enumerate());
    let found: Mutex<Vec<(usize, Result<Found, Fault>)>> = Mutex::default();
    let work = || {
        let mut slot = sandbox.slot(None);
        let next = || queue.lock().ok()?.next();
        while let Some((at, language)) = next() {
            let asked = match language::identify(&mut slot, language, &search) {
                Ok(toolchain) => Ok(Ok(toolchain)),
                Err(NoToolchain::Missing(missing)) => Ok(Err(missing)),
                Err(NoToolchain::Fault(fault)) => Err(fault),
            };
            found.lock().expect("nobody panics with it").push((at, asked));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut found = found.into_inner().expect("nobody panics with it");
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, found)| found).collect()
}

fn shown(language: &Language, found: Found) -> Shown<'_> {
    let (toolchain, missing) = match found {
        Ok(toolchain) => (Some(toolchain), None),
        Err(missing) => (None, Some(missing)),
    };
    Shown {
        code: &language.code,
        name: &language.name,
        endings: &language.endings,
        detected_by_ending: language.detect,
        version: toolchain.as_ref().map(|toolchain| toolchain.version.clone()),
        digest: toolchain.as_ref().map(|toolchain| toolchain.digest.to_string()),
        program: toolchain.map(|toolchain| toolchain.program),
        missing: missing.as_ref().map(|missing| missing.what.clone()),
        remedy: missing.map(|missing| missing.remedy),
    }
}

fn text(rows: &[Shown]) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(NOTHING).set_header(["code", "language", "endings", "toolchain"]);
    for row in rows {
        let endings = row.endings.join(" ") + if row.detected_by_ending { "" } else { " (when declared)" };
        let missing = || Some(format!("missing: {}; {}", row.missing.as_ref()?, row.remedy.as_ref()?));
        let toolchain = row.version.clone().or_else(missing).unwrap_or_default();
        table.add_row([row.code, row.name, &endings, &toolchain]);
    }
    table.to_string()
}
