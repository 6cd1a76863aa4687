//! Checks which outputs the output validator accepts and refuses: answers, shown samples, and the outputs that
//! packages have for testing it.

use super::{
    built_validators::{UnbuiltWords, build_validators},
    checked::Checked,
    hard_questions,
    verification::{Answer, Found, Verification},
};
use anyhow::Result;
use kopek_base::{Digest, FileId, wording::counted};
use kopek_engine::store::Store;
use kopek_judge::grade::validation_limits;
use kopek_package::package::{Case, ExpectedReply, Format, Judge, Message, Package, PackageProgram, TestSet};
use kopek_plan::plan::{CaseFiles, Checker, OutputTask, Task, ValidatorReply};
use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// An output and the expected reply.
struct TestedOutput<'a> {
    case: &'a Case,
    path: PathBuf,
    must: ExpectedReply,
}

/// Checks all outputs.
pub(super) fn check_outputs(verification: &Verification, checker: &Arc<Checker>) -> Result<Checked> {
    let mut checked = Checked::default();
    let kind = verification.package.kind;
    if kind.interactive || kind.multi_pass {
        return Ok(checked);
    }
    let Verification { package, tests, .. } = *verification;
    let mut outputs = Vec::new();
    let mut questions = Vec::new();
    for one in tested_outputs(package, tests) {
        match lend_output(verification.engine().store(), &one) {
            Ok(output) => {
                let case = Arc::new(CaseFiles::new(one.case));
                questions.push(Task::CheckOutput(OutputTask { checker: checker.clone(), case, output }));
                outputs.push(one);
            }
            Err(error) => {
                checked.fault(format!("check {}: {error}", path_below(package, &one.path).display()))
            }
        }
    }
    let answers = verification.ask_all("outputs", questions)?;
    let mut accepted = 0;
    let mut refused = 0;
    let mut right = Vec::new();
    for (output, answer) in outputs.iter().zip(answers) {
        let must_accept = output.must == ExpectedReply::AcceptOutput;
        match answer {
            Answer::Reply(reply) if reply.failed || reply.accepted != must_accept => {
                checked.add(broken(package, output, &reply))
            }
            Answer::Reply(reply) if reply.accepted => {
                accepted += 1;
                if output.path == output.case.answer {
                    right.push(output.case);
                }
            }
            Answer::Reply(_) => refused += 1,
            Answer::Fault(fault) => {
                checked.fault(format!("check {}: {fault}", path_below(package, &output.path).display()))
            }
            Answer::None => {}
        }
    }
    checked.done(format!("{} accepted by the output validator", counted(accepted, "answer")));
    if refused > 0 {
        checked.done(format!("{} rejected by it", counted(refused, "invalid output")));
    }
    checked.append(hard_questions::ask_hard_questions(verification, checker, &right)?);
    Ok(checked)
}

/// `None`: an output validator cannot be built.
pub(super) fn build_checker(verification: &Verification) -> Result<Found<Option<Arc<Checker>>>> {
    let Judge::Programs { programs, .. } = &verification.package.judge else {
        let checker = Checker::Default(verification.package.format);
        return Ok(Found { value: Some(Arc::new(checker)), trouble: Checked::default() });
    };
    let words = UnbuiltWords {
        name: |program| format!("output validator `{}`", program.name),
        message: |name, why| {
            let message = Message::error("output_validator", format!("{name}: {why}"));
            message.todo("fix it; until then nothing can be judged")
        },
    };
    let all: Vec<&PackageProgram> = programs.iter().collect();
    let built = build_validators(verification, &all, validation_limits(verification.package), &words)?;
    let is_whole = built.value.len() == programs.len();
    let programs = built.value.iter().map(|validator| (**validator).clone()).collect();
    let checker = Checker::Programs { programs, scores: true, data: verification.data };
    Ok(Found { value: is_whole.then(|| Arc::new(checker)), trouble: built.trouble })
}

/// A shown `.out` must be accepted, and so must every answer, except that of a sample that shows another text.
fn tested_outputs<'a>(package: &Package, tests: &'a TestSet) -> Vec<TestedOutput<'a>> {
    let modern = package.format == Format::V2025_09;
    let of_case = |case: &'a Case| {
        let beside =
            |ending: &str| Some(case.answer.with_extension(ending)).filter(|path| modern && path.is_file());
        let shown = beside("out");
        let overridden = case.is_sample()
            && (shown.is_some() || beside("ans.statement").is_some() || beside("interaction").is_some());
        let answer = if overridden { None } else { Some(case.answer.clone()) };
        let tested = |path| TestedOutput { case, path, must: ExpectedReply::AcceptOutput };
        shown.into_iter().chain(answer).map(tested).collect::<Vec<_>>()
    };
    let kept = tests.validation.iter().filter(|one| one.must != ExpectedReply::RefuseInput);
    let kept = kept
        .filter_map(|one| Some(TestedOutput { case: &one.case, path: one.output.clone()?, must: one.must }));
    tests.cases.iter().flat_map(of_case).chain(kept).collect()
}

/// Makes an output available to jobs.
fn lend_output(store: &Store, output: &TestedOutput) -> io::Result<Digest> {
    let id = match output.case.ids.answer {
        Some(id) if output.path == output.case.answer => id,
        Some(_) | None => FileId::read(&output.path)?,
    };
    store.lend_file(&output.path, id);
    Ok(id.digest)
}

fn path_below<'a>(package: &Package, path: &'a Path) -> &'a Path {
    path.strip_prefix(&package.dir).unwrap_or(path)
}

fn broken(package: &Package, output: &TestedOutput, reply: &ValidatorReply) -> Message {
    let is_answer = output.path == output.case.answer;
    let (what, todo) = if reply.failed && is_answer && blames_answer(&reply.message) {
        let what = format!("the checker reports that this answer of the package is wrong: {}", reply.message);
        (what, "fix the answer, the solution that wrote it, or the checker")
    } else if reply.failed {
        (format!("the output validator fails on it: {}", reply.message), "fix the output validator")
    } else if output.must == ExpectedReply::AcceptOutput {
        let what = format!("the output validator rejects it: {}", reply.message);
        (what, "fix it, the output validator or its arguments")
    } else {
        let todo = "make the output validator reject it, or move it out of invalid_output/";
        ("the output validator accepts it, but it must be rejected".to_owned(), todo)
    };
    Message::error(path_below(package, &output.path), what).todo(todo)
}

/// Whether a checker with testlib reported FAIL, which blames the files it judges by, not the output. Here that is
/// the answer.
fn blames_answer(message: &str) -> bool {
    let is_code_of_fail = ["exited with 3 ", "exit code 3:"].iter().any(|code| message.contains(code));
    is_code_of_fail && message.contains("FAIL")
}

#[cfg(test)]
mod tests {
    use super::blames_answer;

    #[test]
    fn only_a_checker_that_says_fail_blames_the_answer() {
        let direct = "the output validator exited with 3 instead of 42 or 43: FAIL Expected integer (ans)";
        let adapted =
            "the output validator exited with 1 instead of 42 or 43: exit code 3: FAIL answer is worse";
        assert!(blames_answer(direct) && blames_answer(adapted));
        for other in ["the output validator exited with 3 instead of 42 or 43", "exited with 1: FAIL", ""] {
            assert!(!blames_answer(other), "{other}");
        }
    }
}
