//! Every input validator on every input: what is there must be valid, what lies
//! in `invalid_input/` must be refused, and so must junk.

use super::{
    Bench, Level, Remark, Section, Tell, Verified, counted, crew,
    junk::{Junk, junk},
    programs::{Asked, GENEROUS, Said, Unready, ready},
};
use crate::{
    base::Digest,
    package::{Case, Must, Program},
    sandbox::{Fault, Input},
};
use std::{fs, path::PathBuf};

/// Greatest input that junk is made from.
const SMALL: u64 = 1 << 20;

/// Checks them all; the validators that could be built are handed back for others to ask.
pub fn check(bench: &Bench, verified: &mut Verified, tell: &mut Tell) -> Vec<Asked> {
    let validators = validators(bench, verified);
    if validators.is_empty() {
        unrefused(bench, verified);
        return validators;
    }
    let cases: Vec<&Case> =
        bench.tests.cases.iter().chain(bench.tests.validation.iter().map(|one| &one.case)).collect();
    let said = ask_all(bench, &validators, &cases, verified, tell);
    let (valid, invalid) = said.split_at(bench.tests.cases.len());
    let mut good = 0;
    for (case, said) in bench.tests.cases.iter().zip(valid) {
        good += usize::from(accepted(case, &validators, said, verified));
    }
    let names = validators.iter().map(|one| format!("`{}`", one.name)).collect::<Vec<_>>().join(", ");
    verified.check(Section::Data, format!("{} accepted by {names}", counted(good, "input")));
    validation(bench, &validators, invalid, verified);
    spoil(bench, &validators, valid, verified, tell);
    validators
}

/// Without any validator nothing refuses what must be refused.
fn unrefused(bench: &Bench, verified: &mut Verified) {
    let wanted = bench.tests.validation.iter().filter(|one| one.must == Must::RefuseInput).count();
    if wanted > 0 && bench.package.input_validators.is_empty() {
        let what =
            format!("{}, but no input validator that could refuse them", counted(wanted, "invalid input"));
        let remark = Remark::new(Section::Data, Level::Error, what).at("data/invalid_input");
        verified.add(remark.todo("add a validator to input_validators/"));
    }
}

fn validators(bench: &Bench, verified: &mut Verified) -> Vec<Asked> {
    let mut found = Vec::new();
    for program in &bench.package.input_validators {
        let at = format!("input_validators/{}", program.name);
        if let Some((what, todo)) = skipped(bench, program) {
            verified.add(Remark::new(Section::Data, Level::Warning, what).at(at).todo(todo));
            continue;
        }
        match ready(bench.workshop, bench.package, program, GENEROUS) {
            Ok(validator) => found.push(validator),
            Err(Unready::Refused(why)) => {
                let remark = Remark::new(Section::Data, Level::Error, why).at(at);
                verified.add(remark.todo("mend the input validator; until then no input was checked by it"));
            }
            Err(Unready::Ours(why)) => verified.fault(format!("build {at}: {why}")),
        }
    }
    found
}

/// What cannot be asked here, though nothing is wrong with it, and what to do about it.
fn skipped(bench: &Bench, program: &Program) -> Option<(String, String)> {
    let files = &program.source.files;
    let viva = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "viva");
    if let Some(file) = files.iter().find(viva) {
        let what = format!("SKIPPED: no input was checked by `{}`: VIVA cannot be run", file.display());
        return Some((what, "add a validator in a language of `kopek languages` beside it".into()));
    }
    let why = bench.workshop.lacks(&program.source)?;
    let name = files.first().map_or(program.name.clone(), |file| file.display().to_string());
    let what = format!("SKIPPED: no input was checked by `{name}`: {why}");
    Some((what, "install `checktestdata`, and verify again".into()))
}

/// By case, then by validator; `None`: we failed, which was told.
type Answers = Vec<Vec<Option<Said>>>;

fn ask_all(
    bench: &Bench,
    validators: &[Asked],
    cases: &[&Case],
    verified: &mut Verified,
    tell: &mut Tell,
) -> Answers {
    let ask = |case: &Case, validator: &Asked, slot: &mut _| {
        let input = (Input::Path(case.input.clone()), &case.digest);
        let store = &bench.workshop.store;
        validator.on_input((store, slot), input, case.files.as_ref(), &validator.args(case))
    };
    let results = crew::each(bench, "inputs", cases, tell, |slot, case| {
        validators.iter().map(|validator| ask(case, validator, slot)).collect::<Result<Vec<_>, Fault>>()
    });
    let mut answers = Vec::new();
    for (case, result) in cases.iter().zip(results) {
        answers.push(match result {
            Some(Ok(said)) => said.into_iter().map(Some).collect(),
            Some(Err(fault)) => {
                verified.fault(format!("validate data/{}.in: {fault}", case.name));
                vec![None; validators.len()]
            }
            None => vec![None; validators.len()],
        });
    }
    answers
}

fn accepted(case: &Case, validators: &[Asked], said: &[Option<Said>], verified: &mut Verified) -> bool {
    let mut good = said.iter().all(Option::is_some);
    for (validator, said) in validators.iter().zip(said) {
        let Some(said) = said.as_ref().filter(|said| !said.accepted) else { continue };
        good = false;
        let what =
            format!("input validator `{}` refuses it: {}", validator.called(&validator.args(case)), said.how);
        let remark = Remark::new(Section::Data, Level::Error, what).at(format!("data/{}.in", case.name));
        verified.add(remark.todo("mend the input, the validator, or the arguments of its group"));
    }
    good
}

fn validation(bench: &Bench, validators: &[Asked], said: &[Vec<Option<Said>>], verified: &mut Verified) {
    let mut refused = 0;
    for (one, said) in bench.tests.validation.iter().zip(said) {
        if one.must != Must::RefuseInput {
            accepted(&one.case, validators, said, verified);
            continue;
        }
        if said.iter().flatten().any(|said| !said.accepted) {
            refused += 1;
        } else if said.iter().all(Option::is_some) {
            let what = "every input validator accepts it, though it must be refused";
            let remark = Remark::new(Section::Data, Level::Error, what);
            let todo = "make a validator refuse it, or move it out of invalid_input/";
            verified.add(remark.at(format!("data/{}.in", one.case.name)).todo(todo));
        }
    }
    if refused > 0 {
        verified.check(Section::Data, format!("{} refused", counted(refused, "invalid input")));
    }
}

/// Junk made from the smallest valid input: what all accept is told.
fn spoil(
    bench: &Bench,
    validators: &[Asked],
    valid: &[Vec<Option<Said>>],
    verified: &mut Verified,
    tell: &mut Tell,
) {
    let Some(case) = origin(bench, valid) else { return };
    let Ok(bytes) = fs::read(&case.input) else { return };
    let junk = junk(&bytes);
    let results = crew::each(bench, "junk", &junk, tell, |slot, junk| {
        let digest = Digest::of(&junk.bytes);
        for validator in validators {
            let input = (Input::Bytes(junk.bytes.clone()), &digest);
            let store = &bench.workshop.store;
            let files = case.files.as_ref();
            if !validator.on_input((store, slot), input, files, &validator.args(case))?.accepted {
                return Ok(true);
            }
        }
        Ok(false)
    });
    let mut refused = 0;
    for (junk, result) in junk.iter().zip(results) {
        match result {
            Some(Ok(true)) => refused += 1,
            Some(Ok(false)) => verified.add(swallowed(case, junk)),
            Some(Err(fault)) => verified.fault(format!("validate junk with {}: {fault}", junk.kind)),
            None => {}
        }
    }
    verified.check(Section::Data, format!("{refused} of {} kinds of junk refused", junk.len()));
}

fn swallowed(case: &Case, junk: &Junk) -> Remark {
    let what = format!("every input validator accepts data/{}.in with {}", case.name, junk.kind);
    let remark = Remark::new(Section::Data, Level::Warning, what).at("input_validators");
    remark.todo("make a validator read the input to the byte; nothing, if such inputs are meant to be valid")
}

/// The smallest valid input that is not empty; a sample if there is one.
fn origin<'a>(bench: &'a Bench, valid: &[Vec<Option<Said>>]) -> Option<&'a Case> {
    let size = |case: &Case| fs::metadata(&case.input).map_or(0, |file| file.len());
    let good =
        |said: &[Option<Said>]| said.iter().all(|said| said.as_ref().is_some_and(|said| said.accepted));
    let cases = bench.tests.cases.iter().zip(valid).filter(|(_, said)| good(said)).map(|(case, _)| case);
    let sized = cases.map(|case| (!case.name.starts_with("sample/"), size(case), case));
    let fit = sized.filter(|(_, size, _)| (1..=SMALL).contains(size));
    fit.min_by_key(|(secret, size, _)| (*secret, *size)).map(|(_, _, case)| case)
}
