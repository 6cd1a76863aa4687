//! Builds the validators of a package.

use super::{
    checked::Checked,
    verification::{Found, Verification},
};
use anyhow::Result;
use kopek_engine::exec::NoProgram;
use kopek_package::package::{Message, PackageProgram};
use kopek_plan::plan::Program;
use kopek_results::{compile_reason, place_of_error};
use kopek_sandbox::Limits;
use std::sync::Arc;

/// The words of messages about validators that cannot be built.
pub(super) struct UnbuiltWords {
    pub name: fn(&PackageProgram) -> String,
    /// A message if the package is to blame, by the name and the reason. It gets the place that a compiler names.
    pub message: fn(&str, String) -> Message,
}

/// Builds validators of the package in parallel; returns those that could be built.
pub(super) fn build_validators(
    bench: &Verification,
    programs: &[&PackageProgram],
    limits: Limits,
    words: &UnbuiltWords,
) -> Result<Found<Vec<Arc<Program>>>> {
    let Verification { package, .. } = *bench;
    let request = |one: &&PackageProgram| {
        bench.engine().tool_request(&one.name, &one.source, &package.constants, limits)
    };
    let results = bench.engine().build_programs(&programs.iter().map(request).collect::<Vec<_>>())?;
    let mut validators = Vec::new();
    let mut trouble = Checked::default();
    for (program, result) in programs.iter().zip(results) {
        let name = (words.name)(program);
        match result {
            Ok(validator) => validators.push(validator),
            Err(NoProgram::Refused(why)) => trouble.add((words.message)(&name, why)),
            Err(NoProgram::DoesNotCompile(text)) => {
                let why = format!("does not compile: {}", compile_reason(&text));
                let message = (words.message)(&name, why);
                trouble.add(match place_of_error(&package.dir, &program.source, &text) {
                    Some(place) => message.at(place),
                    None => message,
                });
            }
            Err(NoProgram::Fault(fault)) => trouble.fault(format!("build {name}: {fault}")),
            // Reported once, at the very end.
            Err(NoProgram::Interrupted) => {}
        }
    }
    Ok(Found { value: validators, trouble })
}
