//! Misbehaving partners for validators of interactive and multi-pass problems. Whatever a program prints, a validator
//! must exit with 42 or 43: if it fails, the author of such a program gets no verdict.

use super::{
    checked::Checked,
    verification::{Verification, VerificationStep},
};
use anyhow::Result;
use kopek_base::wording::counted;
use kopek_engine::exec::KnownFacts;
use kopek_judge::grade::prepare;
use kopek_package::{
    language::{FileBytes, SourceFile, SourceFiles},
    package::{Level, Message, Package, Participant, Submission, TestSet},
};
use kopek_plan::plan::{Build, Job, Outcome, Plan, Task};
use kopek_sandbox::{Fault, FaultSource};
use std::{path::PathBuf, sync::Arc, time::Duration};

/// The behaviour of each partner, for a sentence, and its program. Each reads nothing and exits.
const PARTNERS: [(&str, &str); 9] = [
    ("says nothing", ":"),
    ("says an empty line", "echo"),
    ("says a word", "echo what?"),
    ("says a negative number", "echo -1"),
    ("says a number with a fraction", "echo 0.5"),
    ("says a number of 5000 digits", "printf '9%.0s' {1..5000}; echo"),
    ("says bytes that are no text", "printf '\\377\\376\\200\\n'"),
    ("stops within a line", "printf 7"),
    ("says a thousand numbers at once", "for ((n = 0; n < 1000; n++)); do echo $n; done"),
];

/// The language of the partners: it starts quickly and is available almost everywhere.
const LANGUAGE: &str = "bash";

/// Runs the validator with all partners on the first sample and the first secret case.
pub(super) fn check_partners(verification: &Verification) -> Result<Checked> {
    let mut checked = Checked::default();
    let kind = verification.package.kind;
    if !kind.interactive && !kind.multi_pass {
        return Ok(checked);
    }
    let plan = partners_plan(verification)?;
    let Some(jobs) = trial_jobs(verification, &plan)? else {
        let what = format!("the output validator was not tested with bad partners, which need {LANGUAGE}");
        return Ok(vec![Message::new(Level::Note, what)].into());
    };
    (verification.progress)(VerificationStep::Begin { what: "bad partners", jobs: jobs.len() });
    let (names, jobs): (Vec<String>, Vec<Job>) = jobs.into_iter().unzip();
    let results = verification.engine().run_all(jobs, KnownFacts::Use, &mut |_, _| {
        (verification.progress)(VerificationStep::Done);
        Ok(())
    })?;
    let mut failed: Vec<(&String, Fault)> = Vec::new();
    let mut met = 0;
    for (name, result) in names.iter().zip(results) {
        match result {
            Some(Ok(_)) => met += 1,
            Some(Err(fault)) if fault.source == FaultSource::TrustedProgram => failed.push((name, fault)),
            Some(Err(fault)) => checked.fault(format!("a partner that {name}: {fault}")),
            None => {}
        }
    }
    checked.messages.extend(failure_message(&failed));
    if met > 0 && failed.is_empty() {
        checked.done(format!("{} answered by the output validator", counted(met, "bad partner")));
    }
    Ok(checked)
}

/// The partners as a cohort of the package.
fn partners_plan(verification: &Verification) -> Result<Plan> {
    let partners: Vec<Participant> =
        PARTNERS.iter().map(|(name, text)| Participant::from(&partner(name, text))).collect();
    // The package need not allow the partners' language.
    let package = Package { languages: None, ..verification.package.clone() };
    prepare(verification.engine(), &package, verification.tests, &partners, Duration::ZERO)
}

fn partner(name: &str, text: &str) -> Submission {
    let file = PathBuf::from("partner.sh");
    let contents = FileBytes::from([(file.clone(), SourceFile::new(text.as_bytes()))]);
    Submission {
        name: name.to_owned(),
        source: SourceFiles { root: PathBuf::new(), files: vec![file] },
        contents: Some(contents),
        language: Some(LANGUAGE.to_owned()),
        entry: None,
        tags: vec![],
    }
}

/// Builds the partners; returns their trials, each with the behaviour of the partner. `None`: they cannot be built.
fn trial_jobs(verification: &Verification, plan: &Plan) -> Result<Option<Vec<(String, Job)>>> {
    let builds = (0..plan.programs.len()).map(|program| plan.build_job(program)).collect();
    let builds = verification.engine().run_all(builds, KnownFacts::Use, &mut |_, _| Ok(()))?;
    if builds.iter().any(|build| !matches!(build, Some(Ok(Outcome::Build(Build::Program { .. })))))
        || builds.is_empty()
    {
        return Ok(None);
    }
    let mut jobs = Vec::new();
    for (index, build) in builds.into_iter().enumerate() {
        let Some(Ok(Outcome::Build(Build::Program { blob, entry, .. }))) = build else { continue };
        let (name, _) = PARTNERS[index];
        let program = Arc::new(plan.runnable(index, name, blob, &entry));
        for case in first_cases(verification.tests) {
            let name = format!("{name} on {}", plan.cases[case].name);
            jobs.push((name, Job::new(Task::Trial(plan.trial(&program, case)))));
        }
    }
    Ok(Some(jobs))
}

/// The first sample and the first secret case.
fn first_cases(tests: &TestSet) -> Vec<usize> {
    let first = |top: &str| tests.cases.iter().position(|case| case.name.starts_with(top));
    ["sample/", "secret/"].into_iter().filter_map(first).collect()
}

/// All failures in one message: they have one cause.
fn failure_message(failed: &[(&String, Fault)]) -> Option<Message> {
    let (name, fault) = failed.first()?;
    let more = match failed.len() - 1 {
        0 => String::new(),
        more => format!(" (and with {} more)", counted(more, "bad partner")),
    };
    let what = format!("with a partner that {name}, {fault}{more}");
    let todo = "make it exit with 43 for any output it rejects, and for its end";
    Some(Message::error("output_validator", what).todo(todo))
}
