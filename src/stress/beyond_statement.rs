//! Inputs at the bounds of the statement and beyond them, which its validators take otherwise. As `verify` asks.

use super::hunting_ground::build_input_validators;
use crate::{
    exec::Engine,
    package::{Package, TestSet},
    verify::{EdgeGround, EdgeReport, find_edges},
};
use anyhow::Result;

/// Asks the input validators of a package.
pub fn inputs_beyond_statement(engine: &Engine, package: &Package, tests: &TestSet) -> Result<EdgeReport> {
    let validators = build_input_validators(engine, package)?;
    find_edges(&EdgeGround { package, tests, engine, validators: &validators })
}
