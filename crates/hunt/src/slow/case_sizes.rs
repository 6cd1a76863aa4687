//! The sizes of the inputs of cases.

use anyhow::{Context, Result};
use kopek_plan::growth::InputSizes;
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

/// Each input is read once.
#[derive(Default)]
pub struct CaseSizes(HashMap<PathBuf, Option<InputSizes>>);

impl CaseSizes {
    /// `None`: the input holds several tests.
    pub fn of(&mut self, input: &Path, answer: &Path) -> Result<Option<&InputSizes>> {
        if !self.0.contains_key(input) {
            let bytes = fs::read(input).with_context(|| format!("read {}", input.display()))?;
            // A case of an interactive problem may have no answer.
            let answer = fs::read(answer).unwrap_or_default();
            self.0.insert(input.to_owned(), InputSizes::of_case(&bytes, &answer));
        }
        Ok(self.0[input].as_ref())
    }
}
