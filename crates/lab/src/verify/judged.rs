//! The example submissions with their results, in the form that the checks need.

use super::checked::Checked;
use kopek_base::wording::counted;
use kopek_judge::grade::{JudgedCohort, NamedFault};
use kopek_package::{
    language::{Language, SourceFiles, foreign_interpreter},
    package::{Message, Package, Submission},
    verdict::Verdict,
};
use kopek_plan::{
    plan::{Build, Trial, Unplanned},
    score::{Scorecard, State},
};
use kopek_results::compile_reason;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

/// A submission and its results.
pub(super) struct JudgedSubmission<'a> {
    pub submission: &'a Submission,
    /// Its row in the cohort.
    pub row: usize,
    pub card: &'a Scorecard,
    /// Cases that were tried without a verdict.
    pub open: BTreeSet<usize>,
    /// Code of its language, if detected.
    pub language: Option<&'a str>,
    /// The stage that it reached.
    pub end: SubmissionEnd<'a>,
    /// The compiler's message, if it does not compile.
    pub compile_error: Option<&'a str>,
}

/// The stage that a submission reached.
pub(super) enum SubmissionEnd<'a> {
    /// It was run: trials by case.
    Tried(&'a BTreeMap<usize, Trial>),
    /// It could not be built, by its own fault.
    Refused(String),
    /// Its language is not in the table: neither wrong nor correct.
    Foreign(String),
    /// Our own failure, which is reported elsewhere.
    Unknown,
}

impl<'a> JudgedSubmission<'a> {
    /// Its trials, if it was run.
    pub fn trials(&self) -> Option<&'a BTreeMap<usize, Trial>> {
        match self.end {
            SubmissionEnd::Tried(trials) => Some(trials),
            SubmissionEnd::Refused(_) | SubmissionEnd::Foreign(_) | SubmissionEnd::Unknown => None,
        }
    }

    /// The verdict of the whole, if known.
    pub fn final_verdict(&self) -> Option<Verdict> {
        match self.card.state {
            State::Decided(verdict) => Some(verdict),
            State::Requires(_) | State::Unknown(_) => None,
        }
    }

    /// Its path, relative to the package.
    pub fn path(&self) -> String {
        format!("submissions/{}", self.submission.name)
    }
}

/// The most recently edited first: their author wants the result first.
pub(super) fn edited_last_first(package: &Package) -> Vec<&Submission> {
    let time = |file: PathBuf| fs::metadata(file).ok()?.modified().ok();
    let edited = |submission: &Submission| {
        let SourceFiles { root, files } = &submission.source;
        files.iter().filter_map(|file| time(root.join(file))).max()
    };
    let mut all: Vec<&Submission> = package.submissions.iter().collect();
    all.sort_by_cached_key(|submission| Reverse(edited(submission)));
    all
}

/// Restores the order of the package, so that the report does not depend on when files were edited.
pub(super) fn sort_as_in_package(package: &Package, judged: &mut [JudgedSubmission]) {
    let place = |one: &JudgedSubmission| {
        package.submissions.iter().position(|other| other.name == one.submission.name)
    };
    judged.sort_by_cached_key(place);
}

pub(super) fn judged_submissions<'a>(
    submissions: &[&'a Submission],
    judged: &'a JudgedCohort,
) -> Vec<JudgedSubmission<'a>> {
    let one = |(index, submission): (usize, &&'a Submission)| {
        let row = &judged.plan.rows[index];
        let program = row.program.as_ref().ok().copied();
        let mut compile_error = None;
        let end = match (&row.program, program.and_then(|at| judged.graded.builds[at].as_ref())) {
            (Err(Unplanned::Refused(why)), _) => SubmissionEnd::Refused(why.to_string()),
            (Err(Unplanned::Foreign(why)), _) => foreign_or_refused(submission, why.to_string()),
            (Err(Unplanned::OtherVersion(why)), _) => foreign_or_refused(submission, why.clone()),
            (Ok(at), Some(Build::Refused { message })) => {
                compile_error = Some(message.as_str());
                unbuilt_end(submission, &judged.plan.programs[*at].language, message)
            }
            (Ok(at), Some(Build::Program { .. })) => SubmissionEnd::Tried(&judged.graded.trials[*at]),
            (Err(Unplanned::Ours(_) | Unplanned::Undecided(_) | Unplanned::NoToolchain(_)) | Ok(_), _) => {
                SubmissionEnd::Unknown
            }
        };
        let language = program.map(|at| judged.plan.programs[at].language.code.as_str());
        let open = program.map(|at| judged.open_cases_of(at)).unwrap_or_default();
        JudgedSubmission {
            submission,
            row: index,
            card: &judged.cards[index],
            open,
            language,
            end,
            compile_error,
        }
    };
    submissions.iter().enumerate().map(one).collect()
}

/// If the submission is expected not to compile, it meets the expectation.
fn foreign_or_refused<'a>(submission: &Submission, why: String) -> SubmissionEnd<'a> {
    if submission.expects_compile_error() { SubmissionEnd::Refused(why) } else { SubmissionEnd::Foreign(why) }
}

/// A dialect that shares the extension of a language in the table may not compile as that language.
fn unbuilt_end<'a>(submission: &Submission, language: &Language, message: &str) -> SubmissionEnd<'a> {
    // Checked only after a failure: a first line that names another interpreter is often wrong.
    match foreign_interpreter(language, &submission.source) {
        Some(other) => foreign_or_refused(
            submission,
            format!("its first line asks for `{other}`, which is not {}", language.name),
        ),
        None => SubmissionEnd::Refused(format!("does not compile: {}", compile_reason(message))),
    }
}

/// All validator failures in one message: they have one cause.
fn failed_validator(judged: &JudgedCohort) -> Option<Message> {
    let mut failed = judged.validator_failures();
    failed.sort_by_cached_key(|one| one.what.clone());
    let NamedFault { what, fault } = failed.first()?;
    let more = match failed.len() - 1 {
        0 => String::new(),
        more => format!(" (and on {})", counted(more, "more output")),
    };
    let message = Message::error("output_validator", format!("judging {what}: {fault}{more}"));
    Some(message.todo("fix it; it must exit with 43 for any output it rejects"))
}

/// Finds our failures, and validators that misuse score files.
pub(super) fn check_judging(judged: &JudgedCohort) -> Checked {
    let mut checked = Checked { faults: judged.machine_faults(), ..Checked::default() };
    checked.faults.sort();
    checked.messages.extend(failed_validator(judged));
    let mut errors: Vec<String> =
        judged.judge_errors().map(|(name, error)| format!("{name}: {error}")).collect();
    errors.sort();
    for error in errors {
        let message = Message::error("output_validator", format!("judging {error}"));
        checked.add(message.todo("fix the program, or the scores of its group"));
    }
    checked
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs::File, path::Path, time::Duration, time::SystemTime};

    fn submissions(dir: &Path, edited: &[(&str, u64)]) -> Vec<String> {
        let manifest =
            "problem_format_version: 2025-09\nname: x\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\n";
        fs::write(dir.join("problem.yaml"), manifest).unwrap();
        for (name, seconds) in edited {
            let path = dir.join("submissions").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + seconds);
            File::create(path).unwrap().set_modified(time).unwrap();
        }
        let package = kopek_package::package::read(dir).unwrap().package.unwrap();
        edited_last_first(&package).iter().map(|one| one.name.clone()).collect()
    }

    #[test]
    fn what_was_edited_last_comes_first_and_the_rest_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let edited =
            [("accepted/a.py", 5), ("accepted/b.py", 9), ("wrong_answer/c.py", 7), ("accepted/d.py", 5)];
        let expected = ["accepted/b.py", "wrong_answer/c.py", "accepted/a.py", "accepted/d.py"];
        assert_eq!(submissions(dir.path(), &edited), expected);
    }
}
