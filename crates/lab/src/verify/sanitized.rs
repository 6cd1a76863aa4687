//! Accepted submissions built with sanitizers and overflow checks: on small cases, their results must be correct and
//! their behaviour defined.

use super::{
    checked::Checked,
    judged::{JudgedSubmission, judged_submissions},
    verification::{Verification, flat_groups},
};
use anyhow::Result;
use kopek_base::wording::{counted, short_line};
use kopek_judge::grade::{GradeSession, Thoroughness, part_of};
use kopek_package::{
    package::{Case, Level, Message, Place, Submission, TestSet},
    verdict::Verdict,
};
use kopek_plan::plan::Trial;
use kopek_results::{reason_of_stop, stop_of_program};
use std::{collections::BTreeSet, fs, time::Duration};

/// The number of cases tried in each group, the smallest first.
const CASES: usize = 5;
/// Larger inputs take too long with all the checks.
const MAX_SIZE: u64 = 64 << 10;
/// The factor on the time limit for checked programs.
const PATIENCE: u32 = 10;

/// Tries all accepted submissions. `session` builds with checks in languages that support them; `None`: not asked for.
pub(super) fn check_sanitized(
    verification: &Verification,
    session: Option<&GradeSession>,
    seen: &[JudgedSubmission],
) -> Result<Checked> {
    let Some(session) = session else { return Ok(Checked::default()) };
    let has_checks = |one: &&JudgedSubmission| {
        one.language.is_some_and(kopek_package::language::LanguageTable::has_debug_build)
    };
    let accepted = seen.iter().filter(|one| one.final_verdict() == Some(Verdict::Accepted));
    let chosen: Vec<&Submission> = accepted.filter(has_checks).map(|one| one.submission).collect();
    if chosen.is_empty() {
        let what = "no accepted submission is in a language with sanitizers";
        let message = Message::new(Level::Note, what).at(Place::new("submissions/accepted", None));
        return Ok(Checked::from(vec![message]));
    }
    let tests = part_of(verification.tests, &small_cases(verification.tests));
    let time_limit = verification.package.limits.time.map(|limit| limit * PATIENCE);
    let session = GradeSession { thoroughness: Thoroughness::All, time_limit, ..*session };
    let bench = Verification { tests: &tests, ..*verification };
    let judged = bench.judge(&session, Duration::ZERO, &chosen)?;
    let mut checked = Checked::default();
    judged.machine_faults().into_iter().for_each(|fault| checked.fault(format!("with sanitizers: {fault}")));
    let mut clean = 0;
    for one in &judged_submissions(&chosen, &judged) {
        let mistake = mistake_of(one, &tests.cases);
        clean += usize::from(mistake.is_none() && one.trials().is_some());
        checked.messages.extend(mistake);
    }
    let clean = counted(clean, "accepted submission");
    let cases = counted(tests.cases.len(), "small case");
    checked.done(format!("{clean} clean under sanitizers on {cases}"));
    Ok(checked)
}

/// The smallest cases of every group.
fn small_cases(tests: &TestSet) -> BTreeSet<usize> {
    let mut small = BTreeSet::new();
    for group in flat_groups(tests) {
        let mut sized = Vec::new();
        for case in group.cases {
            if let Ok(file) = fs::metadata(&tests.cases[case].input)
                && file.len() <= MAX_SIZE
            {
                sized.push((file.len(), case));
            }
        }
        sized.sort_unstable();
        small.extend(sized.into_iter().take(CASES).map(|(_, case)| case));
    }
    small
}

/// A mistake of a submission; running slower because of the checks is not a mistake.
fn mistake_of(one: &JudgedSubmission, cases: &[Case]) -> Option<Message> {
    let Some(trials) = one.trials() else {
        let what = "cannot be built with sanitizers, so it was not checked with them";
        return Some(Message::new(Level::Note, what).at(Place::new(one.path(), None)));
    };
    let message = |(case, trial): (&usize, &Trial)| {
        let name = &cases[*case].name;
        // Lines can be attributed only if there is a single file.
        let ending = match one.submission.source.files.as_slice() {
            [file] => file.extension().and_then(|ending| ending.to_str()),
            _ => None,
        };
        let SanitizerReport { line, message: report } = sanitizer_report(&trial.stderr, ending);
        let what = match trial.verdict {
            Verdict::RunTimeError => format!("built with sanitizers, it stops on data/{name}.in: {report}"),
            Verdict::WrongAnswer => format!("built with sanitizers, it is wrong on data/{name}.in: {report}"),
            _ => return None,
        };
        Some(Message::error(one.path(), what).line(line).todo(format!(
            "fix it; `kopek run PACKAGE {} --case {name} --debug` shows everything",
            one.path()
        )))
    };
    trials.iter().find_map(message)
}

struct SanitizerReport {
    /// The line of the program.
    line: Option<u32>,
    message: String,
}

fn sanitizer_report(stderr: &str, ending: Option<&str>) -> SanitizerReport {
    // A lone file is built under this name, whatever its original name.
    let laid = ending.map(|ending| format!("main.{ending}"));
    let stop = stop_of_program(stderr, laid.iter().map(String::as_str));
    let line = stop.and_then(|stop| stop.place()?.line);
    let first_line = || stderr.lines().find(|line| !line.trim().is_empty());
    let words = match reason_of_stop(stderr) {
        Some(reason) => reason,
        None => first_line().unwrap_or("it says nothing").to_owned(),
    };
    SanitizerReport { line, message: short_line(&words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_sanitizers_are_read() {
        let ubsan = "main.cpp:7:13: runtime error: signed integer overflow: 1 + 2147483647\n  #0 0x1 in main main.cpp:7";
        let report = sanitizer_report(ubsan, Some("cpp"));
        assert_eq!((report.line, &*report.message), (Some(7), "signed integer overflow: 1 + 2147483647"));
        let asan =
            "==2==ERROR: AddressSanitizer: heap-buffer-overflow on address\n #0 in f() /exe/main.cpp:12:3\n";
        assert_eq!(sanitizer_report(asan, Some("cpp")).line, Some(12));
        let empty = sanitizer_report("", None);
        assert_eq!((empty.line, &*empty.message), (None, "it says nothing"));
    }
}
