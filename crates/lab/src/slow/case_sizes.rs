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
pub(crate) struct CaseSizes(HashMap<PathBuf, InputSizes>);

impl CaseSizes {
    pub fn of(&mut self, input: &Path) -> Result<&InputSizes> {
        if !self.0.contains_key(input) {
            let bytes = fs::read(input).with_context(|| format!("read {}", input.display()))?;
            self.0.insert(input.to_owned(), InputSizes::of(&bytes));
        }
        Ok(&self.0[input])
    }
}
