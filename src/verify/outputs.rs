//! What the output validator accepts and refuses: answers, shown samples, and the
//! outputs that packages keep to test it with.

use super::{
    Bench, Level, Remark, Section, Tell, Verified, counted, crew,
    programs::{Asked, Said, Unready, list, ready, remembered, short},
};
use crate::{
    base::{Digest, Fields},
    check::{self, program::Validation},
    package::{Case, Format, Judge, Must, Program},
    sandbox::{Fault, Input, Limits, Slot},
};
use std::{
    fs::File,
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;

/// An output, and what must happen with it.
struct Trial<'a> {
    case: &'a Case,
    output: PathBuf,
    accept: bool,
}

/// Who is asked.
enum Who {
    Default(Format),
    Programs(Vec<Asked>),
}

/// Checks them all. `false`: there is no output validator that works, so nothing can be judged.
pub fn check(bench: &Bench, verified: &mut Verified, tell: &mut Tell) -> bool {
    let Some(who) = who(bench, verified) else { return false };
    let kind = bench.package.kind;
    if kind.interactive || kind.multi_pass {
        return true;
    }
    let trials = trials(bench);
    let results = crew::each(bench, "outputs", &trials, tell, |slot, trial| ask(bench, &who, trial, slot));
    let (mut accepted, mut refused) = (0, 0);
    for (trial, result) in trials.iter().zip(results) {
        match result {
            Some(Ok(said)) if said.failed || said.accepted != trial.accept => {
                verified.add(broken(bench, trial, &said))
            }
            Some(Ok(said)) if said.accepted => accepted += 1,
            Some(Ok(_)) => refused += 1,
            Some(Err(fault)) => verified.fault(format!("check {}: {fault}", name(bench, &trial.output))),
            None => {}
        }
    }
    verified
        .check(Section::Data, format!("{} accepted by the output validator", counted(accepted, "answer")));
    if refused > 0 {
        verified.check(Section::Data, format!("{} refused by it", counted(refused, "invalid output")));
    }
    true
}

fn who(bench: &Bench, verified: &mut Verified) -> Option<Who> {
    let Judge::Programs { programs, .. } = &bench.package.judge else {
        return Some(Who::Default(bench.package.format));
    };
    let mut asked = Vec::new();
    for program in programs {
        match ready(bench.workshop, bench.package, program, limits(bench)) {
            Ok(program) => asked.push(program),
            Err(why) => unready(program, why, verified),
        }
    }
    (asked.len() == programs.len()).then_some(Who::Programs(asked))
}

fn unready(program: &Program, why: Unready, verified: &mut Verified) {
    match why {
        Unready::Refused(why) => {
            let what = format!("output validator `{}`: {why}", program.name);
            let remark = Remark::new(Section::Data, Level::Error, what).at("output_validator");
            verified.add(remark.todo("mend it; until then nothing can be judged"));
        }
        Unready::Ours(why) => verified.fault(format!("build output validator `{}`: {why}", program.name)),
    }
}

fn limits(bench: &Bench) -> Limits {
    let limits = &bench.package.limits;
    Limits {
        cpu: limits.validation_time,
        wall: limits.validation_time * 2 + Duration::from_secs(1),
        memory: limits.validation_memory,
        output: limits.validation_output,
        files: limits.validation_output,
        processes: 64,
    }
}

/// What is shown of a sample must be accepted: its `.out` if it has one, else its `.ans`.
fn trials<'a>(bench: &Bench<'a>) -> Vec<Trial<'a>> {
    let of_case = |case: &'a Case| {
        let shown = case.answer.with_extension("out");
        let modern = bench.package.format == Format::V2025_09;
        let sample = modern && case.name.starts_with("sample/") && shown.is_file();
        Trial { case, output: if sample { shown } else { case.answer.clone() }, accept: true }
    };
    let kept = bench.tests.validation.iter().filter(|one| one.must != Must::RefuseInput);
    let kept = kept.filter_map(|one| {
        Some(Trial { case: &one.case, output: one.output.clone()?, accept: one.must == Must::AcceptOutput })
    });
    bench.tests.cases.iter().map(of_case).chain(kept).collect()
}

fn name(bench: &Bench, path: &Path) -> String {
    path.strip_prefix(&bench.package.dir).unwrap_or(path).display().to_string()
}

fn broken(bench: &Bench, trial: &Trial, said: &Said) -> Remark {
    let (what, todo) = if said.failed {
        (format!("the output validator fails on it: {}", said.how), "mend the output validator")
    } else if trial.accept {
        let what = format!("the output validator refuses it: {}", said.how);
        (what, "mend it, the output validator or its arguments")
    } else {
        let todo = "make the output validator refuse it, or move it out of invalid_output/";
        ("the output validator accepts it, though it must be refused".to_owned(), todo)
    };
    Remark::new(Section::Data, Level::Error, what).at(name(bench, &trial.output)).todo(todo)
}

fn ask(bench: &Bench, who: &Who, trial: &Trial, slot: &mut Slot) -> Result<Said, Fault> {
    match who {
        Who::Default(format) => by_tokens(trial, *format),
        Who::Programs(programs) => {
            for program in programs {
                let said = by_program(bench, program, trial, slot)?;
                if said.failed || !said.accepted {
                    return Ok(said);
                }
            }
            Ok(Said { accepted: true, failed: false, how: String::new() })
        }
    }
}

fn by_tokens(trial: &Trial, format: Format) -> Result<Said, Fault> {
    let args = &trial.case.output_validator_args;
    let options = match format {
        Format::V2025_09 => check::Options::parse(args),
        Format::Legacy => check::Options::parse_legacy(args),
    };
    let options = match options {
        Ok(options) => options,
        Err(error) => return Ok(Said { accepted: false, failed: true, how: error.to_string() }),
    };
    let failed = |error: std::io::Error| Fault::new(format!("compare {}: {error}", trial.output.display()));
    let output = File::open(&trial.output).map_err(failed)?;
    let difference = check::compare_files(&trial.case.answer, &output, &options).map_err(failed)?;
    let how = difference.as_ref().map(told).unwrap_or_default();
    Ok(Said { accepted: difference.is_none(), failed: false, how })
}

/// A difference in half a sentence.
pub fn told(difference: &check::Difference) -> String {
    let shown =
        |token: &Option<String>| token.as_ref().map_or("nothing".into(), |token| format!("`{token}`"));
    let (expected, found) = (shown(&difference.expected), shown(&difference.found));
    format!("line {}: expected {expected}, found {found}", difference.line)
}

fn by_program(bench: &Bench, program: &Asked, trial: &Trial, slot: &mut Slot) -> Result<Said, Fault> {
    let fault = |e: std::io::Error| Fault::new(format!("read {}: {e}", trial.output.display()));
    let key = Fields::new("output validation 1")
        .with("program", program.key.as_bytes())
        .with("limits", format!("{:?}", program.exec.limits).as_bytes())
        .with("case", trial.case.digest.as_bytes())
        .with("output", Digest::of_file(&trial.output).map_err(fault)?.as_bytes())
        .with("args", &list(&trial.case.output_validator_args))
        .digest();
    remembered(&bench.workshop.store, &format!("output validation {key}"), || {
        let feedback = TempDir::new().map_err(|e| Fault::new(format!("make a feedback directory: {e}")))?;
        let validation = Validation {
            program: program.exec.clone(),
            data: &bench.package.dir.join("data"),
            input: &trial.case.input,
            answer: &trial.case.answer,
            output: Input::Path(trial.output.clone()),
            args: &trial.case.output_validator_args,
            feedback: feedback.path(),
        };
        let ran = slot.run(&validation.exec()?)?;
        Ok(match check::program::verdict(&ran, feedback.path()) {
            Ok(checked) => {
                Said { accepted: checked.accepted, failed: false, how: short(&checked.judge_message) }
            }
            Err(fault) => Said { accepted: false, failed: true, how: short(&fault.what) },
        })
    })
}
