//! A run on the author's own input, which has no answer.

use super::{SolutionReport, SolutionTests};
use crate::grade::keep_outputs;
use anyhow::{Context, Result, ensure};
use kopek_engine::exec::Engine;
use kopek_package::package::{Judge, LooseCase, Package, loose_tests};
use kopek_plan::plan::Trial;
use std::{fs, path::Path};

/// Fails for problems in which a solution does more than to read one input and to print an output.
pub fn check_input_kind(package: &Package) -> Result<()> {
    let kind = package.kind;
    let is_plain = !kind.interactive && !kind.multi_pass && !kind.submit_answer;
    ensure!(is_plain, "--input does not work with interactive, multi-pass and submit-answer problems");
    Ok(())
}

/// The input as the only case, with the limits of the package. Writes an empty answer into the directory `aside`.
pub fn tests_on_input(tests: SolutionTests, input: &Path, aside: &Path) -> Result<SolutionTests> {
    let answer = aside.join("answer");
    fs::write(&answer, "").context("make an empty answer")?;
    let case = LooseCase { name: "input".into(), input: input.to_owned(), answer };
    let package = Package { judge: Judge::Default, ..tests.package };
    Ok(SolutionTests { package, tests: loose_tests("sample", &[case], &[])?, about: None })
}

/// The run on an input, if there was one.
pub fn run_of_input(report: &SolutionReport) -> Option<&Trial> {
    report.row().cases.first()?.trial.as_ref()
}

/// What it printed.
pub fn output_of_input(engine: &Engine, report: &SolutionReport) -> Result<Vec<u8>> {
    let mut outputs = keep_outputs(engine, &report.judged, 0, &[0])?;
    Ok(outputs.pop().and_then(|(_, output)| output).unwrap_or_default())
}
