//! `kopek languages`: shows the table of languages, and which of them work on this machine.

use super::{
    exit_status::ExitStatus,
    terminal_output::print_document,
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
use std::env;

#[derive(clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: Args) -> Result<ExitStatus> {
    let table = language_table()?;
    let sandbox = Sandbox::open(&env::current_exe().context("find this program's own file")?)?;
    let toolchains = identify_all(&sandbox, table.languages())?;
    let rows = table.languages().iter().zip(&toolchains).map(|(row, found)| language_row(row, found));
    let mut document = Document::default();
    document.columns(["code", "language", "endings", "toolchain"], rows.collect());
    print_document(&document)?;
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

fn language_row(language: &Language, found: &ToolchainResult) -> [String; 4] {
    let endings = match (language.endings.join(" "), language.declared_endings.join(" ")) {
        (endings, _) if !language.detect => endings + " (when declared)",
        (endings, declared) if declared.is_empty() => endings,
        (endings, declared) => format!("{endings} ({declared} when declared)"),
    };
    let toolchain = match found {
        Ok(toolchain) => toolchain.version.clone(),
        Err(MissingToolchain { what, remedy, .. }) => format!("missing: {what}; {remedy}"),
    };
    [language.code.clone(), language.name.clone(), endings, toolchain]
}
