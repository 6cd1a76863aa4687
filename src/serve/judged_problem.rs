//! The language `kopek`: judges a program with a package of the server.

use super::{
    ServedEnd,
    reply::{ClientReply, RefusedRequest, RunAnswer, RunOutcome},
    run_places::RunPlace,
};
use crate::{
    base::wording::{counted, one_line, shortened},
    exec::{Engine, executor_on},
    grade::{GradeSession, Thoroughness, TimePolicy, package_report, part_of},
    hunt::{ExplainRequest, InputsFrom, explain},
    language::{FileBytes, LanguageTable, SourceFile, SourceFiles},
    machine::Machine,
    mutate::some_mutants,
    package::{HandIn, Package, Participant, Submission, TestSet},
    render::moodle_answer,
    results::{FeedbackLevel, PackageReport, Report, public_report},
    score::State,
    sentences::{PageLanguage, Said},
    stress::{Bank, fill_bank, is_claimed_wrong},
};
use anyhow::Result;
use serde::Deserialize;
use serde_json::json;
use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Mutex, OnceLock, PoisonError, atomic::AtomicBool},
    time::Duration,
};

/// The name of the language.
pub(super) const NAME: &str = "kopek";

/// A package of the server.
pub struct ServedProblem {
    name: String,
    /// `Err`: why it judges nothing, for the log.
    parts: Result<ProblemParts, String>,
}

/// What a program is judged with.
struct ProblemParts {
    package: Package,
    tests: TestSet,
    /// The samples alone, if there are any; they give no points.
    samples: Option<TestSet>,
    /// Inputs for programs that fail, once they are there.
    bank: OnceLock<Bank>,
}

impl ServedProblem {
    pub fn new(package: Package, tests: TestSet) -> ServedProblem {
        let of_samples = (0..tests.cases.len()).filter(|&case| tests.cases[case].is_sample());
        let samples = part_of(&tests, &of_samples.collect());
        let samples = Some(samples).filter(|samples| !samples.cases.is_empty());
        ServedProblem {
            name: package.name.clone(),
            parts: Ok(ProblemParts { package, tests, samples, bank: OnceLock::new() }),
        }
    }

    /// A package whose programs get no verdict.
    pub fn unsound(name: String, why: String) -> ServedProblem {
        ServedProblem { name, parts: Err(why) }
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A program and the name of the package that judges it; the `sourcecode` of a run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct JudgeRequest {
    package: String,
    /// `None`: the ending of the file decides.
    language: Option<String>,
    #[serde(default)]
    file: String,
    source: String,
    #[serde(default)]
    feedback: String,
    /// 1: with the samples only.
    #[serde(default)]
    precheck: u8,
}

/// Names of languages that Moodle's editor has.
const OTHER_NAMES: [(&str, &str); 3] = [("nodejs", "javascript"), ("c++", "cpp"), ("python", "python3")];

impl JudgeRequest {
    fn parse(text: &str) -> Result<JudgeRequest, RefusedRequest> {
        serde_json::from_str(text).map_err(|error| {
            RefusedRequest::bad(format!(
                "sourcecode of the language kopek is not the JSON object of a packed question: {error}"
            ))
        })
    }

    /// Full feedback is refused: the contents of hidden tests never leave the server.
    fn level(&self) -> Result<FeedbackLevel, RefusedRequest> {
        match self.feedback.as_str() {
            "" => Ok(FeedbackLevel::AsDeclared),
            "brief" => Ok(FeedbackLevel::Brief),
            "names" => Ok(FeedbackLevel::Names),
            other => Err(RefusedRequest::bad(format!(
                "feedback {other:?} is not brief, names or empty (as the package says)"
            ))),
        }
    }

    fn participant(self, table: &LanguageTable) -> Result<Participant, RefusedRequest> {
        let code = self.language.filter(|code| !code.is_empty()).map(|code| code.to_lowercase());
        let other = code.as_ref().and_then(|code| OTHER_NAMES.iter().find(|(name, _)| name == code));
        let code = other.map(|(_, code)| (*code).to_owned()).or(code);
        let file = match &code {
            None => self.file,
            Some(code) => {
                let row = table.get(code).ok_or_else(|| {
                    RefusedRequest::bad(format!("Language '{}' is not known", code.escape_debug()))
                })?;
                if row.owns(&self.file) { self.file } else { format!("main{}", row.endings[0]) }
            }
        };
        let path = PathBuf::from(&file);
        if path.file_name().is_none_or(|name| name != path.as_os_str()) {
            return Err(RefusedRequest::bad(format!("file {file:?} is not a plain name of a file")));
        }
        let submission = Submission {
            name: file.clone(),
            source: SourceFiles { root: PathBuf::new(), files: vec![path.clone()] },
            contents: Some(FileBytes::from([(path, SourceFile::new(self.source.as_bytes()))])),
            language: code,
            entry: None,
            tags: Vec::new(),
        };
        Ok(Participant {
            name: "participant".into(),
            file,
            hand_in: HandIn::default(),
            submission: Ok(submission),
        })
    }
}

/// The packages of the server, and what judges with them.
pub(super) struct ServedProblems<'a> {
    pub(super) machine: &'a Machine,
    pub(super) problems: Vec<ServedProblem>,
    pub(super) rules: JudgingRules,
    /// How often a package gave no verdict, by its name and the reason.
    pub(super) unjudged: Mutex<BTreeMap<String, BTreeMap<&'static str, u64>>>,
}

/// How programs are judged.
#[derive(Debug, Clone, Copy)]
pub struct JudgingRules {
    /// The longest time for the runs of a program; the next request continues from there.
    pub max_time: Duration,
    pub timing: TimePolicy,
    /// Of the answers.
    pub language: PageLanguage,
    pub reasons: Reasons,
}

/// What participants read beside the verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reasons {
    /// An input on which the program fails, which is no test, and how the time of a slow program grows.
    Shown,
    /// Nothing, as in exams.
    None,
}

/// CPU time of the search for inputs when a server starts, for all packages together.
const SEARCH: Duration = Duration::from_secs(60);
/// The most of it for each wrong example submission and each mutant: few need more.
const SEARCH_OF_EACH: Duration = Duration::from_secs(10);
/// Mutants of a solution: a package has as many wrong examples if it has any.
const MUTANTS: usize = 12;

/// A program before it waits for a place.
pub(super) enum PreparedRun<'p> {
    Ready(PreparedJudging<'p>),
    Unjudged(UnjudgedProgram),
}

/// A program and the part of a package that judges it.
pub(super) struct PreparedJudging<'p> {
    parts: &'p ProblemParts,
    is_precheck: bool,
    feedback: FeedbackLevel,
    cohort: [Participant; 1],
}

/// A program without a verdict. That is no 0 points: the client must ask again.
pub(super) struct UnjudgedProgram {
    package: String,
    kind: UnjudgedKind,
    /// For the log.
    why: String,
    language: PageLanguage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnjudgedKind {
    Package,
    Time,
    Cases,
}

impl UnjudgedKind {
    fn name(self) -> &'static str {
        match self {
            UnjudgedKind::Package => "the package has errors",
            UnjudgedKind::Time => "its runs take too long",
            UnjudgedKind::Cases => "cases without a verdict",
        }
    }

    /// For participants.
    fn said(self) -> Said {
        match self {
            UnjudgedKind::Package => Said::ProblemHasError,
            UnjudgedKind::Time => Said::JudgingTookLong,
            UnjudgedKind::Cases => Said::NotAllJudged,
        }
    }
}

impl UnjudgedProgram {
    /// With a status that makes the client disregard the request without a penalty.
    pub(super) fn reply(self) -> ClientReply {
        let note = format!("{}: not judged: {} ({})", self.package, self.kind.name(), one_line(&self.why));
        ClientReply { note, ..RefusedRequest::new(503, self.language.say(&self.kind.said())).into() }
    }
}

impl ServedProblems<'_> {
    /// Searches inputs for the wrong example submissions of each package and for mutants of its solution, beside the
    /// requests, and opens the banks. Logs why there is none.
    pub(super) fn open_banks(&self, stop: &AtomicBool, log: &(dyn Fn(&str) + Sync)) {
        let (Reasons::Shown, Some(&cpu)) = (self.rules.reasons, self.machine.cpus.last()) else { return };
        let executor = executor_on(self.machine, &[cpu]);
        let engine = Engine::new(self.machine, &executor, stop);
        let sound: Vec<&ProblemParts> =
            self.problems.iter().filter_map(|one| one.parts.as_ref().ok()).collect();
        let programs = |package: &Package| {
            let wrong = package.submissions.iter().filter(|one| is_claimed_wrong(package, &one.name));
            MUTANTS + wrong.count()
        };
        let all: usize = sound.iter().map(|parts| programs(&parts.package)).sum();
        let budget = SEARCH_OF_EACH.min(SEARCH / all.max(1) as u32);
        for ProblemParts { package, tests, bank, .. } in sound {
            if engine.is_stopped() {
                return;
            }
            let fail = |error: anyhow::Error| {
                let why = one_line(&format!("{error:#}"));
                log(&format!("{}: no inputs for programs that fail: {why}", package.name));
            };
            let filled = some_mutants(&engine, package, MUTANTS).and_then(|mutants| {
                let mutants = mutants.as_ref().map_or(&[][..], |files| &files.participants);
                fill_bank(&engine, package, tests, mutants, budget)
            });
            if let Err(error) = filled {
                fail(error);
            }
            match Bank::open(engine.store(), package, tests) {
                Ok(opened) => {
                    let inputs = counted(opened.size(), "input");
                    bank.get_or_init(|| opened);
                    log(&format!("{}: {inputs} for programs that fail", package.name));
                }
                Err(error) => fail(error),
            }
        }
    }

    /// Finds the package and the language of a program.
    pub(super) fn prepare(&self, program: &str) -> Result<PreparedRun<'_>, RefusedRequest> {
        let request = JudgeRequest::parse(program)?;
        let problem =
            self.problems.iter().find(|problem| problem.name == request.package).ok_or_else(|| {
                let name = request.package.escape_debug();
                RefusedRequest::bad(format!(
                    "this server has no package '{name}'; its folder must be in the directory of --problems"
                ))
            })?;
        let (feedback, is_precheck) = (request.level()?, request.precheck != 0);
        let cohort = [request.participant(&self.machine.table)?];
        Ok(match &problem.parts {
            Ok(parts) => PreparedRun::Ready(PreparedJudging { parts, is_precheck, feedback, cohort }),
            Err(why) => {
                PreparedRun::Unjudged(self.unjudged(&problem.name, UnjudgedKind::Package, why.clone()))
            }
        })
    }

    /// Counts a program without a verdict.
    fn unjudged(&self, package: &str, kind: UnjudgedKind, why: String) -> UnjudgedProgram {
        let mut all = self.unjudged.lock().unwrap_or_else(PoisonError::into_inner);
        *all.entry(package.to_owned()).or_default().entry(kind.name()).or_default() += 1;
        UnjudgedProgram { package: package.to_owned(), kind, why, language: self.language() }
    }

    /// Judges a program.
    pub(super) fn judge(
        &self,
        place: &mut RunPlace,
        prepared: &PreparedJudging,
        is_wanted: &(dyn Fn() -> bool + Sync),
    ) -> ServedEnd {
        let ProblemParts { package, tests, samples, .. } = prepared.parts;
        let clock = &self.machine.clock;
        let end = clock.now() + self.rules.max_time;
        let is_going = || is_wanted() && clock.now() < end;
        // All samples, because participants debug with them.
        let judge = |tests, thoroughness| {
            let cohort = &prepared.cohort;
            let bank = prepared.parts.bank.get().filter(|_| thoroughness == Thoroughness::Needed);
            self.judge_on(place, PartRequest { package, tests, cohort, thoroughness, bank }, &is_going)
        };
        let of_samples = samples.as_ref().map(|samples| judge(samples, Thoroughness::All));
        let judged = match of_samples {
            Some(judged) if prepared.is_precheck => judged,
            None if prepared.is_precheck => return ServedEnd::Answer(without_samples(self.language())),
            of_samples => judge(tests, Thoroughness::Needed).map(|end| match (end, of_samples) {
                (PartEnd::Report(mut report), Some(Ok(PartEnd::Report(of_samples)))) => {
                    add_samples(&mut report.packages[0], &of_samples.packages[0]);
                    PartEnd::Report(report)
                }
                (end, _) => end,
            }),
        };
        let name = &package.name;
        let (kind, why) = match judged {
            Ok(PartEnd::Report(report)) => return ServedEnd::Answer(self.answer(*report, prepared.feedback)),
            _ if !is_wanted() => return ServedEnd::Unwanted,
            _ if clock.now() >= end => {
                (UnjudgedKind::Time, format!("not within {} s", self.rules.max_time.as_secs()))
            }
            Ok(PartEnd::Open(why)) => (UnjudgedKind::Cases, why),
            Err(error) => (UnjudgedKind::Package, format!("{error:#}")),
        };
        ServedEnd::Unjudged(self.unjudged(name, kind, why))
    }

    fn judge_on(
        &self,
        place: &RunPlace,
        PartRequest { package, tests, cohort, thoroughness, bank }: PartRequest,
        is_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<PartEnd> {
        let never = AtomicBool::new(false);
        let mut engine = Engine::new(self.machine, &place.executor, &never);
        engine.jobs.is_going = Some(is_going);
        let session = GradeSession { timing: self.rules.timing, ..GradeSession::usual(engine, thoroughness) };
        let judged = session.judge(package, tests, cohort, &mut |_| ())?;
        if let State::Unknown(_) = judged.cards[0].state {
            let why = judged.machine_faults().into_iter();
            let failed =
                judged.validator_failures().into_iter().map(|one| format!("{}: {}", one.what, one.fault));
            return Ok(PartEnd::Open(shortened(&why.chain(failed).collect::<Vec<_>>(), 3, "; ")));
        }
        let mut report = package_report(package, tests, &judged);
        let mut found = None;
        if self.rules.reasons == Reasons::Shown {
            let from = bank.map_or(InputsFrom::Nowhere, |bank| InputsFrom::Bank(bank, &judged));
            let request = ExplainRequest { engine: &engine, package, tests, members: cohort, from };
            found = explain(request, &mut report.rows, &mut |_| ())?;
        }
        let (packages, counterexamples) = (vec![report], found.into_iter().collect());
        Ok(PartEnd::Report(Box::new(Report { packages, counterexamples, ..Report::default() })))
    }

    fn language(&self) -> PageLanguage {
        self.rules.language
    }

    fn answer(&self, report: Report, feedback: FeedbackLevel) -> RunAnswer {
        let report = public_report(&Report { feedback, ..report });
        let decided_by = match self.rules.timing {
            TimePolicy::Single => Said::OneRunDecides,
            TimePolicy::Witness | TimePolicy::Home | TimePolicy::Platform => Said::AboveIsRepeated,
        };
        let row = &report.packages[0].rows[0];
        let own = report.counterexamples.first().and_then(|found| found.of_participant(&row.card.name));
        let stdout = moodle_answer(&report.packages[0], row, &decided_by, own, self.language());
        RunAnswer { stdout, ..RunAnswer::new(RunOutcome::Fine) }
    }
}

/// A program, and cases of a package to judge it on.
struct PartRequest<'p> {
    package: &'p Package,
    tests: &'p TestSet,
    cohort: &'p [Participant],
    thoroughness: Thoroughness,
    /// Tried if the program fails.
    bank: Option<&'p Bank>,
}

enum PartEnd {
    Report(Box<Report>),
    /// Not everything has a verdict, for this reason.
    Open(String),
}

/// Adds all samples: judging leaves out those that cannot change the points.
fn add_samples(report: &mut PackageReport, of_samples: &PackageReport) {
    for (row, of_samples) in report.rows.iter_mut().zip(&of_samples.rows) {
        for sample in &of_samples.cases {
            if let Some(case) = row.cases.iter_mut().find(|case| case.name == sample.name) {
                *case = sample.clone();
            }
        }
    }
}

/// The answer to a precheck of a problem that has no samples.
fn without_samples(language: PageLanguage) -> RunAnswer {
    let text = format!("<p>{}</p>", language.say(&Said::NoSamples));
    RunAnswer {
        stdout: json!({"fraction": 1.0, "prologuehtml": text}).to_string(),
        ..RunAnswer::new(RunOutcome::Fine)
    }
}
