//! What became of the example submissions, as the checks want to see it.

use super::{Level, Remark, Section, Verified, programs::short};
use crate::{
    grade::{Judged, Preparation},
    language::{Language, stranger},
    package::Submission,
    plan::{Build, Trial, Unplanned},
    score::Scorecard,
};
use std::collections::BTreeMap;

/// A submission and what became of it.
pub struct Seen<'a> {
    /// The submission.
    pub submission: &'a Submission,
    /// What it is worth.
    pub card: &'a Scorecard,
    /// Code of its language, if it was found.
    pub language: Option<&'a str>,
    /// How far it came.
    pub end: End<'a>,
}

/// How far a submission came.
pub enum End<'a> {
    /// It was run: trials by case.
    Tried(&'a BTreeMap<usize, Trial>),
    /// It could not be built, by its own fault.
    Refused(String),
    /// It is in a language that nobody here knows: neither wrong nor right.
    Foreign(String),
    /// We failed, which is told elsewhere.
    Unknown,
}

impl<'a> Seen<'a> {
    /// Its trials, if it was run.
    pub fn trials(&self) -> Option<&'a BTreeMap<usize, Trial>> {
        match self.end {
            End::Tried(trials) => Some(trials),
            End::Refused(_) | End::Foreign(_) | End::Unknown => None,
        }
    }

    /// Where it lies, relative to the package.
    pub fn path(&self) -> String {
        format!("submissions/{}", self.submission.name)
    }
}

/// Submissions as a cohort.
pub fn cohort<'a>(submissions: &[&'a Submission]) -> Vec<Preparation<'a>> {
    submissions.iter().map(|one| Preparation { name: &one.name, submission: Ok(one) }).collect()
}

/// Submissions beside their results.
pub fn seen<'a>(submissions: &[&'a Submission], judged: &'a Judged) -> Vec<Seen<'a>> {
    let one = |(index, submission): (usize, &&'a Submission)| {
        let row = &judged.plan.rows[index];
        let program = row.program.as_ref().ok().copied();
        let end = match (&row.program, program.and_then(|at| judged.graded.builds[at].as_ref())) {
            (Err(Unplanned::Refused(why)), _) => End::Refused(why.clone()),
            (Err(Unplanned::Foreign(why)), _) => foreign(submission, why.clone()),
            (Ok(at), Some(Build::Refused { message })) => {
                unbuilt(submission, &judged.plan.programs[*at].language, message)
            }
            (Ok(at), Some(Build::Program { .. })) => End::Tried(&judged.graded.trials[*at]),
            (Err(Unplanned::Ours(_)) | Ok(_), _) => End::Unknown,
        };
        let language = program.map(|at| judged.plan.programs[at].language.code.as_str());
        Seen { submission, card: &judged.cards[index], language, end }
    };
    submissions.iter().enumerate().map(one).collect()
}

/// Who is meant to fail at being built has done so.
fn foreign<'a>(submission: &Submission, why: String) -> End<'a> {
    match submission.tags.results.iter().any(|word| word == "COMPILER-ERROR") {
        true => End::Refused(why),
        false => End::Foreign(why),
    }
}

/// A dialect that shares its ending with a language of the table does not compile as that.
fn unbuilt<'a>(submission: &Submission, language: &Language, message: &str) -> End<'a> {
    match stranger(language, &submission.source) {
        Some(other) => {
            foreign(submission, format!("its first line asks for `{other}`, which is not {}", language.name))
        }
        None => End::Refused(format!("does not compile: {}", short(message))),
    }
}

/// Tells what we failed at, and validators that misuse score files.
pub fn trouble(judged: &Judged, verified: &mut Verified) {
    for (what, fault) in &judged.graded.faults {
        verified.fault(format!("{what}: {fault}"));
    }
    for row in &judged.plan.rows {
        if let Err(Unplanned::Ours(why)) = &row.program {
            verified.fault(format!("{}: {why}", row.name));
        }
    }
    for card in &judged.cards {
        for error in &card.judge_errors {
            let remark = Remark::new(Section::Data, Level::Error, format!("judging {}: {error}", card.name));
            verified
                .add(remark.at("output_validator").todo("mend the score files that the validator writes"));
        }
    }
}
