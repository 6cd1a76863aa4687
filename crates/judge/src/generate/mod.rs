//! Recipe to test set.
//!
//! ```text
//! generators.yaml ──yaml──► nodes ──rules, cases──► rules ──expand──► Recipe      pure
//!   Recipe + sources ──case_plan──► cases with keys ──make──► jobs ──place──► data/
//!                                    make: stale cases; lock: committed digests
//! ```
//!
//! The format of recipes is that of BAPCtools; both tools make the same files.
//! Knows how to make, validate and answer cases; does not judge submissions, and
//! prints nothing.

mod case_plan;
mod case_programs;
mod cases;
mod command;
mod commands;
mod copied_files;
mod directory_rules;
mod drifted;
mod edited_by_hand;
mod expand;
mod generation_run;
mod groups;
mod leftovers;
pub mod lock;
mod make;
mod place;
pub mod recipe;
mod recipe_reader;
#[cfg(test)]
mod recipe_tests;
mod record;
mod rule_settings;
mod stale_cases;

pub use commands::{RecipeCommand, RecipeKnowledge, find_command, recipe_knowledge};
pub use make::{clean, generate};

use anyhow::Result;
use kopek_base::Bytes;
use kopek_engine::exec::Engine;
use kopek_package::package::{Level, Message, NoCases, Package, read_tests};
use std::collections::BTreeSet;

/// The result of a recipe.
#[derive(Debug, Default)]
pub struct Generated {
    /// Cases made now.
    pub made: usize,
    /// Cases that were up to date.
    pub reused: usize,
    /// Cases that could not be made, each with a finding.
    pub failed: usize,
    /// Sizes of all files together.
    pub bytes: Bytes,
    /// All files by path relative to the package.
    pub files: lock::LockedFiles,
    /// Paths below `data/` of cases that an `include` of the recipe puts there.
    pub included: BTreeSet<String>,
    /// Files removed because no rule names them any longer, relative to the package.
    pub removed: Vec<String>,
    /// Files not made by kopek that a rule's file replaced, relative to the package.
    pub replaced: Vec<String>,
    /// All problems of recipe, programs and cases.
    pub findings: Vec<Message>,
    /// Our own failures; a retry may help.
    pub faults: Vec<String>,
    /// Why the recipe could not be read.
    pub unread: Option<String>,
    /// Whether there is a lock.
    pub locked: bool,
    /// Differences between the files and the lock.
    pub drift: Vec<lock::Drift>,
}

impl Generated {
    /// Whether all cases of the recipe are in place.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty() && !self.findings.iter().any(|finding| finding.level == Level::Error)
    }

    /// The warning about a recipe that could not be read, if [`ensure`] did without it.
    pub fn unused_recipe(&self) -> Option<&Message> {
        let last = self.findings.last()?;
        if self.unread.is_some() && self.is_sound() { Some(last) } else { None }
    }
}

/// What a run makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GenerationMode {
    /// Missing and stale cases; written to `data/`.
    Stale,
    /// Everything, for comparison only; every generator runs again.
    Again,
}

impl GenerationMode {
    /// Whether it writes to `data/`.
    pub fn writes(self) -> bool {
        match self {
            GenerationMode::Stale => true,
            GenerationMode::Again => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GenerationStep {
    /// The run starts to look at the cases.
    Begin {
        package: String,
        cases: usize,
    },
    Build {
        program: String,
    },
    /// A case is in place, or failed.
    Done {
        /// Its path below `data/`.
        case: String,
    },
    /// The test set is complete, or cannot be made.
    End,
}

/// Receives the progress; must be quick.
pub type OnGenerationStep<'a> = dyn FnMut(GenerationStep) + Send + 'a;

/// Makes missing and stale cases, for callers that need the test set. They must check [`Generated::is_sound`] before
/// judging anything. If the recipe cannot be read and the test set is there without it, that is only a warning.
pub fn ensure(package: &Package, engine: &Engine, on_step: &mut OnGenerationStep) -> Result<Generated> {
    let made = generate(package, engine, GenerationMode::Stale, on_step);
    on_step(GenerationStep::End);
    let mut made = made?;
    let Some(why) = &made.unread else { return Ok(made) };
    if is_complete(package)? {
        made.findings.iter_mut().for_each(|finding| finding.level = Level::Warning);
        let what = format!("is not used ({why}): the test data that is there is judged as it is");
        made.findings.push(Message::warning(recipe::FILE, what).todo("repair the recipe, or remove it"));
    }
    Ok(made)
}

/// Whether there are secret cases, and each input has its answer.
fn is_complete(package: &Package) -> Result<bool> {
    match read_tests(package) {
        Ok((_, findings)) => Ok(findings.iter().all(|finding| finding.level != Level::Error)),
        Err(error) if error.is::<NoCases>() => Ok(false),
        Err(error) => Err(error),
    }
}
