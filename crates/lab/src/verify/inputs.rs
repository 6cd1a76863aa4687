//! Runs every input validator on every input: existing cases must be valid; cases in `invalid_input/` and junk must
//! be refused.

use super::{
    built_validators::{UnbuiltWords, build_validators},
    checked::Checked,
    junk::{JunkInput, junk_inputs},
    verification::{Answer, Found, Verification},
};
use anyhow::Result;
use kopek_base::{
    Bytes,
    wording::{counted, windows_line_end},
};
use kopek_engine::machine::{Machine, missing_tool};
use kopek_hunt::form_of_tests;
use kopek_package::package::{
    self, Case, ExpectedReply, Level, Message, Place, TestSet, shell_words::quote_word,
};
use kopek_plan::plan::{InputTask, Program, Task, ValidatorReply};
use kopek_sandbox::Limits;
use std::{fs, path::PathBuf, sync::Arc, time::Duration};

/// The format sets no limits for input validators; kopek always needs some.
const INPUT_VALIDATOR_LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(150),
    memory: Bytes::mib(2048),
    output: Bytes::mib(8),
    files: Bytes::mib(256),
    processes: 64,
};
/// The largest input for making junk.
const SMALL: u64 = 1 << 20;

/// Checks all inputs.
pub(super) fn check_inputs(verification: &Verification, validators: &[Arc<Program>]) -> Result<Checked> {
    let mut checked = Checked::default();
    if validators.is_empty() {
        checked.messages.extend(unrefused(verification));
        checked.messages.extend(form_without_validator(verification));
        return Ok(checked);
    }
    let tests = verification.tests;
    let kept = tests.validation.iter().map(|one| &one.case);
    let cases: Vec<&Case> = tests.cases.iter().chain(kept).collect();
    let replies = validate_inputs(verification, validators, &cases, &mut checked.faults)?;
    let (valid, invalid) = replies.split_at(tests.cases.len());
    let mut good = 0;
    for (case, replies) in tests.cases.iter().zip(valid) {
        good += usize::from(is_accepted(case, validators, replies, &mut checked.messages));
    }
    let names = validators.iter().map(|one| format!("`{}`", one.name)).collect::<Vec<_>>().join(", ");
    checked.done(format!("{} accepted by {names}", counted(good, "input")));
    checked.append(check_validation_data(tests, validators, invalid));
    checked.append(try_junk(verification, validators, valid)?);
    Ok(checked)
}

/// Without a validator, nothing refuses invalid inputs.
fn unrefused(verification: &Verification) -> Option<Message> {
    let wanted =
        verification.tests.validation.iter().filter(|one| one.must == ExpectedReply::RefuseInput).count();
    let what = format!("{}, but no input validator to reject them", counted(wanted, "invalid input"));
    let message = Message::error("data/invalid_input", what).todo("add a validator to input_validators/");
    (wanted > 0 && verification.package.input_validators.is_empty()).then_some(message)
}

/// Without a validator, a hunt takes inputs of the form of the cases for valid.
fn form_without_validator(verification: &Verification) -> Option<Message> {
    let package = verification.package;
    let form = form_of_tests(verification.tests).ok().filter(|_| package.input_validators.is_empty())?;
    let what = format!("inputs have the form of the {} cases: {}", form.cases, form.description());
    let name = quote_word(&package.name);
    let message = Message::new(Level::Note, what).at(Place::new("input_validators", None));
    Some(message.todo(format!("`kopek init --validator {name}` writes it as an input validator, to correct")))
}

/// Builds the input validators that can run here.
pub(super) fn build_input_validators(verification: &Verification) -> Result<Found<Vec<Arc<Program>>>> {
    let mut trouble = Checked::default();
    let mut programs = Vec::new();
    for program in &verification.package.input_validators {
        match skipped(verification.engine().machine, program) {
            Some(Skipped { what, todo }) => {
                trouble.add(Message::warning(validator_place(program), what).todo(todo));
            }
            None => programs.push(program),
        }
    }
    let words = UnbuiltWords {
        name: validator_place,
        message: |name, why| Message::error(name, why).todo("fix the input validator; it checked no input"),
    };
    let mut found = build_validators(verification, &programs, INPUT_VALIDATOR_LIMITS, &words)?;
    trouble.append(found.trouble);
    found.trouble = trouble;
    Ok(found)
}

fn validator_place(program: &package::PackageProgram) -> String {
    format!("input_validators/{}", program.name)
}

/// Why a validator cannot run here although it is correct.
struct Skipped {
    what: String,
    todo: &'static str,
}

fn skipped(machine: &Machine, program: &package::PackageProgram) -> Option<Skipped> {
    let files = &program.source.files;
    let viva = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "viva");
    if let Some(file) = files.iter().find(viva) {
        let what = format!("SKIPPED: `{}` checked no input: kopek cannot run VIVA", file.display());
        let todo = "add a validator in a language of `kopek languages` beside it";
        return Some(Skipped { what, todo });
    }
    let why = missing_tool(machine, &program.source)?;
    let name = match files.first() {
        Some(file) => file.display().to_string(),
        None => program.name.clone(),
    };
    let what = format!("SKIPPED: `{name}` checked no input: {why}");
    Some(Skipped { what, todo: "install `checktestdata` or `pyctd` and verify again" })
}

/// A run of a validator on a case's input.
pub fn input_task(validator: &Arc<Program>, case: &Case, args: Vec<String>) -> InputTask {
    let files = case.ids.files.as_ref().map(|id| id.digest);
    InputTask { validator: validator.clone(), input: case.ids.input.digest, files, args }
}

/// The replies of all validators for one input; `None`: unknown, which was reported.
type Replies = Option<Vec<ValidatorReply>>;

fn validate_inputs(
    verification: &Verification,
    validators: &[Arc<Program>],
    cases: &[&Case],
    faults: &mut Vec<String>,
) -> Result<Vec<Replies>> {
    let tasks_of = |&case: &&Case| {
        let task = |validator| {
            Task::CheckInput(input_task(validator, case, case.arguments.of_input_validator(&validator.name)))
        };
        validators.iter().map(task).collect::<Vec<_>>()
    };
    let questions = cases.iter().flat_map(tasks_of).collect();
    let answers = verification.ask_all("inputs", questions)?;
    let answers = answers.chunks(validators.len()).map(join_answers);
    let replies = |(case, answer): (&&Case, Answer<_>)| match answer {
        Answer::Reply(replies) => Some(replies),
        Answer::Fault(fault) => {
            faults.push(format!("validate data/{}.in: {fault}", case.name));
            None
        }
        Answer::None => None,
    };
    Ok(cases.iter().zip(answers).map(replies).collect())
}

/// All replies, or the first answer that is none.
fn join_answers(answers: &[Answer]) -> Answer<Vec<ValidatorReply>> {
    let mut replies = Vec::new();
    for answer in answers {
        match answer {
            Answer::Reply(reply) => replies.push(reply.clone()),
            Answer::Fault(fault) => return Answer::Fault(fault.clone()),
            Answer::None => return Answer::None,
        }
    }
    Answer::Reply(replies)
}

/// Whether all validators accept a case; adds a message for each that does not.
fn is_accepted(
    case: &Case,
    validators: &[Arc<Program>],
    replies: &Replies,
    messages: &mut Vec<Message>,
) -> bool {
    let Some(replies) = replies else { return false };
    for (validator, reply) in validators.iter().zip(replies).filter(|(_, reply)| !reply.accepted) {
        let call = [vec![validator.name.clone()], case.arguments.of_input_validator(&validator.name)]
            .concat()
            .join(" ");
        let line_end = fs::read(&case.input).map(|input| windows_line_end(&input)).unwrap_or_default();
        let what = format!("input validator `{call}` rejects it: {}{line_end}", reply.message);
        let message = Message::error(format!("data/{}.in", case.name), what);
        messages.push(message.todo("fix the input, the validator or the arguments of its group"));
    }
    replies.iter().all(|reply| reply.accepted)
}

fn check_validation_data(tests: &TestSet, validators: &[Arc<Program>], replies: &[Replies]) -> Checked {
    let mut checked = Checked::default();
    let mut refused = 0;
    let mut reasoned = 0;
    for (one, replies) in tests.validation.iter().zip(replies) {
        if one.must != ExpectedReply::RefuseInput {
            is_accepted(&one.case, validators, replies, &mut checked.messages);
            continue;
        }
        let Some(replies) = replies else { continue };
        if replies.iter().any(|reply| !reply.accepted) {
            refused += 1;
            if let Some(reason) = stated_reason(&one.case) {
                reasoned += 1;
                checked.messages.extend(other_reason(&one.case, reason, replies));
            }
            continue;
        }
        let what = "every input validator accepts it, but it must be rejected";
        let todo = "make a validator reject it, or move it out of invalid_input/";
        checked.add(Message::error(format!("data/{}.in", one.case.name), what).todo(todo));
    }
    if refused > 0 {
        let reasons = match reasoned {
            0 => String::new(),
            _ => format!(", {reasoned} with a stated reason"),
        };
        checked.done(format!("{} refused{reasons}", counted(refused, "invalid input")));
    }
    checked
}

/// Tries junk made from the smallest valid input, and reports junk that all accept.
fn try_junk(verification: &Verification, validators: &[Arc<Program>], valid: &[Replies]) -> Result<Checked> {
    let mut checked = Checked::default();
    let Some(case) = smallest_valid(verification.tests, valid) else { return Ok(checked) };
    let Ok(bytes) = fs::read(&case.input) else { return Ok(checked) };
    let junk = junk_inputs(&bytes);
    let store = verification.engine().store();
    let mut questions = Vec::new();
    for one in &junk {
        let input = store.hold(&one.bytes.as_slice().into())?;
        questions.extend(validators.iter().map(|validator| {
            let task = input_task(validator, case, case.arguments.of_input_validator(&validator.name));
            Task::CheckInput(InputTask { input, ..task })
        }));
    }
    let answers = verification.ask_all("junk", questions)?;
    let mut refused = 0;
    for (junk, answers) in junk.iter().zip(answers.chunks(validators.len())) {
        // One refusal is enough, even if others failed.
        if answers.iter().any(|answer| matches!(answer, Answer::Reply(reply) if !reply.accepted)) {
            refused += 1;
            continue;
        }
        match join_answers(answers) {
            Answer::Reply(_) => checked.add(swallowed(case, junk)),
            Answer::Fault(fault) => checked.fault(format!("validate junk with {}: {fault}", junk.kind)),
            Answer::None => {}
        }
    }
    checked.done(format!("{refused} of {} kinds of junk rejected", junk.len()));
    Ok(checked)
}

fn swallowed(case: &Case, junk: &JunkInput) -> Message {
    let what = format!("every input validator accepts data/{}.in with {}", case.name, junk.kind);
    Message::warning("input_validators", what)
        .todo("make a validator check the input to the byte, unless such inputs are valid")
}

/// The smallest valid input that is not empty; preferably a sample.
fn smallest_valid<'a>(tests: &'a TestSet, valid: &[Replies]) -> Option<&'a Case> {
    let size = |case: &Case| fs::metadata(&case.input).ok().map(|file| file.len());
    let is_valid = |replies: &Replies| {
        replies.as_ref().is_some_and(|replies| replies.iter().all(|reply| reply.accepted))
    };
    let cases = tests.cases.iter().zip(valid);
    let cases = cases.filter(|(_, replies)| is_valid(replies)).map(|(case, _)| case);
    let sized = cases.map(|case| (!case.is_sample(), size(case), case));
    let fit = sized.filter(|(_, size, _)| size.is_some_and(|size| (1..=SMALL).contains(&size)));
    fit.min_by_key(|(secret, size, _)| (*secret, *size)).map(|(_, _, case)| case)
}

/// The prefix of a description of an invalid input that gives the text that the message of a validator must contain.
const MARK: &str = "refused:";

/// The text that a message must contain, if the case gives one.
fn stated_reason(case: &Case) -> Option<&str> {
    let text = case.description.as_deref()?.trim();
    let reason = text.get(..MARK.len()).filter(|start| start.eq_ignore_ascii_case(MARK))?;
    let first_line = text[reason.len()..].lines().next()?.trim();
    if first_line.is_empty() { None } else { Some(first_line) }
}

/// A message if the input was refused for another reason.
fn other_reason(case: &Case, reason: &str, replies: &[ValidatorReply]) -> Option<Message> {
    let refusals: Vec<&ValidatorReply> = replies.iter().filter(|reply| !reply.accepted).collect();
    if refusals.iter().any(|reply| has_words(&reply.message, reason)) {
        return None;
    }
    let heard: Vec<String> = refusals.iter().map(|reply| format!("`{}`", reply.message)).collect();
    let what = format!("is rejected for another reason than `{reason}`: {}", heard.join(", "));
    let message = Message::error(format!("data/{}.in", case.name), what);
    Some(message.todo("fix the input so that nothing else is wrong with it, or its `description`"))
}

/// Whether a message contains these words in a row, ignoring case and spaces.
fn has_words(message: &str, words: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    plain(message).contains(&plain(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_their_spaces() {
        assert!(has_words("exited with 43: n = 0  is not in\n1..=30", "N = 0 is not"));
        assert!(!has_words("exited with 43: more after the last value", "n = 0"));
    }
}
