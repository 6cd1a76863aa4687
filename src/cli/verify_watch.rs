//! `kopek verify --watch`: verifies packages again on every save, the edited one first.

use super::{
    exit_status::ExitStatus,
    interrupt::{halt_on_interrupt, stop_on_interrupt},
    save_watcher::SaveWatcher,
    terminal_output::terminal_page,
    watch_screen::WatchScreen,
};
use crate::{
    exec::{Engine, local_executor},
    generate::recipe::has_recipe,
    machine::Machine,
    render,
    results::Verified,
    verify::{OnVerificationStep, VerificationStep},
};
use anyhow::{Context, Result};
use std::{
    cmp::Reverse,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

/// Verifies one package with an engine, and reports its steps.
pub(super) type VerifyOne<'a> = dyn Fn(&Path, Engine, &mut OnVerificationStep) -> Result<Verified> + 'a;

/// Verifies after every save until a signal ends it.
pub(super) fn watch_packages(
    found: &[PathBuf],
    machine: &Machine,
    verify_one: &VerifyOne,
) -> Result<ExitStatus> {
    let quit = stop_on_interrupt()?;
    let halt = halt_on_interrupt()?;
    let mut watcher = SaveWatcher::new(found)?;
    let mut screen = WatchScreen::new(found.first().context("no package")?);
    let executor = local_executor(machine);
    let mut order = found.to_vec();
    loop {
        halt.store(quit.load(Ordering::Relaxed), Ordering::Relaxed);
        screen.begin()?;
        let mut text = String::new();
        let mut saved = Vec::new();
        for dir in &order {
            let notice = &mut |_: VerificationStep| {
                // An error of the watcher appears again in the next wait.
                saved.extend(watcher.saved_now().unwrap_or_default());
                if saved.iter().any(|path| is_edit(path, found)) {
                    halt.store(true, Ordering::Relaxed);
                }
            };
            let shown = match verify_one(dir, Engine::new(machine, &executor, &halt), notice) {
                Ok(verified) => render::verified_document(&verified).to_text(terminal_page()),
                Err(error) => format!("error: {error:#}\n"),
            };
            if halt.load(Ordering::Relaxed) {
                break;
            }
            text += &shown;
        }
        if quit.load(Ordering::Relaxed) {
            screen.end()?;
            return Ok(ExitStatus::Interrupted);
        }
        if !halt.load(Ordering::Relaxed) {
            screen.show(&text)?;
            saved.extend(watcher.saved_now()?);
            while !saved.iter().any(|path| is_edit(path, found)) {
                let Some(more) = watcher.wait(|| quit.load(Ordering::Relaxed))? else { break };
                saved.extend(more);
            }
        }
        order.sort_by_key(|dir| Reverse(saved.iter().any(|path| path.starts_with(dir))));
    }
}

/// Whether the save is an edit: verifying itself writes cases and locks.
pub(super) fn is_edit(path: &Path, packages: &[PathBuf]) -> bool {
    let below = packages.iter().find_map(|dir| Some((dir, path.strip_prefix(dir).ok()?)));
    below.is_none_or(|(dir, below)| {
        let is_made = below.starts_with("data") && has_recipe(dir);
        !is_made && below != Path::new("generators/lock.toml")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_written_by_verify_are_no_edits() {
        let home = tempfile::tempdir().unwrap();
        let dirs = [home.path().join("a"), home.path().join("b")];
        fs::create_dir_all(dirs[0].join("generators")).unwrap();
        fs::write(dirs[0].join("generators/generators.yaml"), "data:\n").unwrap();
        let is_edit = |path: &str| is_edit(&home.path().join(path), &dirs);
        assert!(
            is_edit("a/problem.yaml")
                && is_edit("a/submissions/accepted/a.py")
                && is_edit("b/data/secret/1.in")
        );
        assert!(!is_edit("a/data/secret/1.in") && !is_edit("a/generators/lock.toml"));
    }
}
