//! A package against its own claims.
//!
//! ```text
//! package::read ──► generate ──► package::read_tests   what the readers find odd
//!   inputs, junk, bounds      what the input validators accept and refuse
//!   refusal_reasons           whether invalid inputs are refused for the reason that is stated
//!   named_bounds              bounds of constants, validators and generators that disagree
//!   stated_points             what groups are worth, in statement and data
//!   number_ranges             which numbers the inputs have, and which bounds none reaches
//!   partners                  how the output validator takes whatever a program may say
//!   outputs                   what the output validator accepts and refuses
//!   hard_questions            whether it refuses junk, made by junk_outputs
//!   twins                     cases that are there twice
//!   judged, spared            what submissions did, as far as claims want to know it
//!          ──► claims, breaches   what submissions were claimed to do, and did
//!          ──► limits, timing the room on both sides of the time limit
//!   limit_survey, fitting     all submissions against the limit, measured again; see `kopek limits`
//!          ──► memory         the room below the memory limit
//!          ──► sanitized      accepted submissions, built to find mistakes
//!          ──► strength       which case kills whom
//!          ──► pictures       whether visualizers draw
//! ```
//!
//! Combines what the other rooms can do. Prints nothing; knows no single problem.

mod bounds;
mod breaches;
mod build_formats;
mod case_time;
mod claims;
mod fitting;
mod hard_questions;
mod inputs;
mod judged;
mod junk;
mod junk_outputs;
mod limit_picture;
mod limit_rule;
mod limit_survey;
mod limit_write;
mod limits;
mod memory;
mod named_bounds;
mod number_ranges;
mod outputs;
mod partial;
mod partners;
mod pictures;
mod refusal_reasons;
mod sanitized;
mod spared;
mod stated_points;
mod strength;
mod tables;
mod text;
mod timing;
mod twins;
mod whole;

pub use build_formats::{render_verified_github, render_verified_junit};
pub use limit_picture::render_survey;
pub use limit_survey::{
    LimitRequest, LimitRole, LimitSurvey, SurveyedRun, SurveyedSubmission, calibrate_limit, survey_limits,
};
pub use limit_write::{LimitWritten, record_survey, write_limit};
pub use limits::{LanguageMargins, Margins};
pub use memory::MemoryMargin;
pub use number_ranges::NumberRange;
pub use pictures::Gallery;
pub use strength::{CaseStrength, Strength, SubmissionStrength};
pub use text::render_verified;
pub use timing::Measured;
pub use whole::verify;

use kopek_base::{Digest, wording::{counted, shortened}};
use kopek_engine::{exec::{Engine, KnownFacts, NoProgram, one_line}, package::{self, Finding, Package, TestSet, cause_key}, plan::{Job, Outcome, Program, Task, ValidatorReply}};
use kopek_judge::{generate, generate::SlowestCase, grade::{GradeEvent, GradeSession}};
use kopek_sandbox::{Fault, Limits};
use anyhow::Result;
use serde::Serialize;
use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::Arc,
};

/// What came of verifying a package.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Verified {
    /// The package's base name.
    pub name: String,
    /// What was looked at and is well, with counts.
    pub checks: Vec<Check>,
    /// What is not well.
    pub remarks: Vec<Remark>,
    /// The room on both sides of the time limit.
    pub margins: Option<Margins>,
    /// The room below the memory limit.
    pub memory: Option<MemoryMargin>,
    /// The slowest run of each submission that must fit.
    #[serde(skip)]
    pub fitting: BTreeMap<String, SlowestCase>,
    /// The least and greatest number in every place of the inputs, by group.
    pub numbers: Vec<NumberRange>,
    /// Whether people see them, too.
    #[serde(skip)]
    pub shows_numbers: bool,
    /// Which case kills whom, if asked for.
    pub strength: Option<Strength>,
    /// Where we failed: not everything was verified.
    pub faults: Vec<String>,
    /// Files of pictures that the visualizers drew.
    #[serde(skip)]
    pub pictures: Vec<(PathBuf, Vec<u8>)>,
}

/// What is wanted beside the remarks.
#[derive(Clone, Copy)]
pub struct Wishes<'a> {
    /// Whether to show which case kills whom.
    pub strength: bool,
    /// Whether to show the least and greatest numbers of the inputs.
    pub numbers: bool,
    /// What is drawn.
    pub gallery: Gallery,
    /// Codes of languages whose example submissions are left out.
    pub excluded: &'a [String],
    /// What becomes of the times in the lock.
    pub times: TimesInLock,
    /// Builds with sanitizers, if accepted submissions are tried with them, too.
    pub sanitizing: Option<&'a GradeSession<'a>>,
}

/// What becomes of the times in the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimesInLock {
    /// They stay.
    Keep,
    /// They are those of this machine, if the package is sound.
    Update,
}

/// Something that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Of which part of the package.
    pub section: Section,
    /// What, and how much of it.
    pub what: String,
}

/// Something that is not well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// Of which part of the package.
    pub section: Section,
    /// How bad it is.
    pub level: Level,
    /// `file` or `file:line`, relative to the package.
    pub at: Option<String>,
    /// What is not well.
    pub what: String,
    /// What to do about it.
    pub todo: Option<String>,
    /// Where else the same is not well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// A part of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// `problem.yaml` and everything not named below.
    Package,
    /// `data/`, and the validators that look at it.
    Data,
    /// Example submissions and what is claimed of them.
    Submissions,
    /// The time limit.
    Limits,
}

/// How bad a remark is.
pub use kopek_engine::package::Severity as Level;

/// What happens, for whoever shows progress.
#[derive(Debug)]
pub enum VerificationStep<'a> {
    /// The test set is made.
    Making(generate::GenerationStep),
    /// So many things of a kind will be looked at.
    Begin {
        /// What.
        what: &'static str,
        /// How many.
        jobs: usize,
    },
    /// One of them was.
    Done,
    /// Submissions are judged.
    Judging(GradeEvent<'a>),
}

/// Sees what happens; must be quick.
pub type OnVerificationStep<'a> = dyn FnMut(VerificationStep) + Send + 'a;

/// What is verified, and with what.
struct Verification<'a> {
    package: &'a Package,
    tests: &'a TestSet,
    engine: Engine<'a>,
    /// A tree: what lies in `data/` beside the cases.
    data: Digest,
}

/// What a validator answered to a question; `None`: interrupted before.
type Answer = Option<Result<ValidatorReply, Fault>>;

impl Verification<'_> {
    /// Builds validators of the package side by side.
    fn build_validators<'p>(
        &self,
        programs: impl IntoIterator<Item = &'p package::PackageProgram>,
        limits: Limits,
    ) -> Result<Vec<Result<Arc<Program>, NoProgram>>> {
        let constants = &self.package.constants;
        let request = |one: &package::PackageProgram| {
            self.engine.tool_request(&one.name, &one.source, constants, limits)
        };
        self.engine.build_programs(&programs.into_iter().map(request).collect::<Vec<_>>())
    }

    /// Asks validators, and shows progress. Answers in the order of the questions.
    fn ask_all(
        &self,
        what: &'static str,
        questions: Vec<Task>,
        tell: &mut OnVerificationStep,
    ) -> Result<Vec<Answer>> {
        tell(VerificationStep::Begin { what, jobs: questions.len() });
        self.ask_each(questions, &mut || tell(VerificationStep::Done))
    }

    /// Asks validators. Answers in the order of the questions.
    fn ask_each(&self, questions: Vec<Task>, on_done: &mut (dyn FnMut() + Send)) -> Result<Vec<Answer>> {
        ask_validators(&self.engine, questions, on_done)
    }
}

/// Asks validators. Answers in the order of the questions.
fn ask_validators(
    engine: &Engine,
    questions: Vec<Task>,
    on_done: &mut (dyn FnMut() + Send),
) -> Result<Vec<Answer>> {
    let jobs = questions.into_iter().map(Job::new).collect();
    let results = engine.run_all(jobs, KnownFacts::Use, &mut |_, _| {
        on_done();
        Ok(())
    })?;
    let reply = |outcome| match outcome {
        Outcome::Validation(reply) => reply,
        other => unreachable!("a question to validators has the outcome of one, not {other:?}"),
    };
    Ok(results.into_iter().map(|result| Some(result?.map(reply))).collect())
}

impl Verified {
    /// Whether every claim holds.
    pub fn is_sound(&self) -> bool {
        self.remarks.iter().all(|remark| remark.level != Level::Error)
    }

    fn check(&mut self, section: Section, what: impl Into<String>) {
        self.checks.push(Check { section, what: what.into() });
    }

    fn add(&mut self, remark: Remark) {
        self.remarks.push(remark);
    }

    fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(what.into());
    }

    /// A program of the package that cannot be asked; a remark where the package is to blame.
    fn report_unbuilt(&mut self, program: &str, why: NoProgram, remark: impl FnOnce(String) -> Remark) {
        match why {
            NoProgram::Refused(why) => self.add(remark(why)),
            NoProgram::DoesNotCompile(message) => {
                self.add(remark(format!("does not compile: {}", one_line(&message))));
            }
            NoProgram::Fault(fault) => self.fault(format!("build {program}: {fault}")),
            // Is reported once, at the end of everything.
            NoProgram::Interrupted => {}
        }
    }

    /// One remark for what has one cause on many cases.
    fn merge_remarks(&mut self) {
        let mut merged: Vec<Remark> = Vec::new();
        let mut known: HashMap<_, usize> = HashMap::new();
        for remark in std::mem::take(&mut self.remarks) {
            let key = remark.cause().map(|cause| (remark.section, remark.level, cause, remark.todo.clone()));
            match key.as_ref().and_then(|key| known.get(key)) {
                Some(&first) => merged[first].also.extend(remark.at),
                None => {
                    known.extend(key.map(|key| (key, merged.len())));
                    merged.push(remark);
                }
            }
        }
        self.remarks = merged;
    }

    /// What a reader found.
    fn findings(&mut self, findings: Vec<Finding>) {
        self.remarks.extend(findings.into_iter().map(Remark::from));
    }
}

impl Remark {
    fn new(section: Section, level: Level, what: impl Into<String>) -> Remark {
        Remark { section, level, at: None, what: what.into(), todo: None, also: vec![] }
    }

    /// What it shares with remarks that have the same cause.
    fn cause(&self) -> Option<String> {
        let at = self.at.as_ref()?;
        cause_key(at.split(':').next().unwrap_or(at), &self.what)
    }

    fn at(mut self, place: impl Into<String>) -> Remark {
        self.at = Some(place.into());
        self
    }

    fn todo(mut self, todo: impl Into<String>) -> Remark {
        self.todo = Some(todo.into());
        self
    }
}

impl From<Finding> for Remark {
    fn from(finding: Finding) -> Remark {
        let section = match finding.file.iter().next().and_then(|first| first.to_str()) {
            Some("data" | "generators" | "input_validators" | "output_validator") => Section::Data,
            Some("submissions") => Section::Submissions,
            _ => Section::Package,
        };
        let at = Some(finding.place());
        Remark { section, level: finding.severity, at, what: finding.what, todo: finding.hint, also: vec![] }
    }
}
