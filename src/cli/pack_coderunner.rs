//! `kopek pack --for coderunner`: questions for Moodle, all in one file.

use super::{
    exit_status::ExitStatus,
    named_packages::load_sound,
    terminal_output::{print_message, print_text},
};
use crate::{
    base::{files, wording::counted},
    exec::Engine,
    pack::{CoderunnerQuestion, coderunner_xml},
    typeset::statement_html,
};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

pub(super) fn pack_for_coderunner(
    file: &Path,
    server: Option<&str>,
    found: &[PathBuf],
    engine: &Engine,
) -> Result<ExitStatus> {
    let mut worst = ExitStatus::Success;
    let mut loaded = Vec::new();
    for dir in found {
        match load_sound(dir, engine)? {
            Some(sound) => loaded.push(sound),
            None => worst = worst.max(ExitStatus::Unsound),
        }
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
    files::write_atomic(file, coderunner_xml(&questions, server).as_bytes())?;
    let whose = if questions.len() == 1 { "its" } else { "their" };
    let made = counted(questions.len(), "question");
    print_text(&format!("{}: {made} and {whose} type\n", file.display()))?;
    Ok(worst)
}
