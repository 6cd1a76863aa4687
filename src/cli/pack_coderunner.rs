//! `kopek pack --for coderunner`: questions for Moodle, all in one file.

use super::{
    exit_status::ExitStatus,
    named_packages::load_package,
    terminal_output::{print_message, print_text},
};
use crate::{
    base::{files, wording::counted},
    exec::Engine,
    pack::{CoderunnerQuestion, coderunner_xml},
    results::Noticed,
    typeset::statement_html,
};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// The name of the file in a directory.
const FILE: &str = "kopek-questions.xml";

pub(super) fn pack_for_coderunner(
    output: &Path,
    server: Option<&str>,
    found: &[PathBuf],
    engine: &Engine,
) -> Result<ExitStatus> {
    let mut worst = ExitStatus::Success;
    let mut loaded = Vec::new();
    for dir in found {
        let Noticed { value, notices } = load_package(dir, engine)?;
        notices.warnings.iter().for_each(|warning| print_message!("{warning}"));
        if value.errors > 0 {
            let name = &value.package.name;
            print_message!("{name}: has errors, not packed; `kopek verify {}` lists them", dir.display());
            worst = worst.max(ExitStatus::Unsound);
            continue;
        }
        loaded.push(value);
    }
    ensure!(!loaded.is_empty(), "no package is sound, so there is no question to write");
    let mut questions = Vec::new();
    for one in &loaded {
        let package = &one.package;
        let made = statement_html(engine, package, &one.tests, None);
        let made = made.with_context(|| format!("render the statement of {}", package.name))?;
        made.remarks.iter().for_each(|remark| print_message!("warning: {remark}"));
        let statement = String::from_utf8_lossy(&made.bytes).into_owned();
        questions.push(CoderunnerQuestion { package, statement, most: one.decided().card.max });
    }
    let file = if output.as_os_str().as_encoded_bytes().ends_with(b"/") || output.is_dir() {
        output.join(FILE)
    } else {
        output.to_owned()
    };
    files::write_atomic(&file, coderunner_xml(&questions, server).as_bytes())?;
    print_text(&format!("{}: {} and their type\n", file.display(), counted(questions.len(), "question")))?;
    Ok(worst)
}
