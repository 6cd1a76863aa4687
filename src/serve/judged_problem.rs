//! The language `kopek`: judges a program with a package of the server.

use super::{
    reply::{RefusedRequest, RunAnswer, RunOutcome},
    run_places::RunPlace,
};
use crate::{
    exec::Engine,
    grade::{GradeSession, JudgedCohort, Thoroughness, package_report},
    language::{FileBytes, LanguageTable, SourceFile, SourceFiles},
    machine::Machine,
    package::{HandIn, Package, Participant, Submission, TestSet},
    render::moodle_answer,
    results::{FeedbackLevel, Notices, Report, public_report},
};
use anyhow::Result;
use serde::Deserialize;
use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

/// The name of the language.
pub(super) const NAME: &str = "kopek";

/// A package with its test set.
pub struct ServedProblem {
    pub package: Package,
    pub tests: TestSet,
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
}

/// A program and the package that judges it.
pub(super) struct PreparedJudging<'p> {
    problem: &'p ServedProblem,
    feedback: FeedbackLevel,
    cohort: [Participant; 1],
}

impl ServedProblems<'_> {
    /// Finds the package and the language of a program.
    pub(super) fn prepare(&self, program: &str) -> Result<PreparedJudging<'_>, RefusedRequest> {
        let request = JudgeRequest::parse(program)?;
        let named = |problem: &&ServedProblem| problem.package.name == request.package;
        let problem = self.problems.iter().find(named).ok_or_else(|| {
            let name = request.package.escape_debug();
            RefusedRequest::bad(format!(
                "this server has no package '{name}'; its folder must be in the directory of --problems"
            ))
        })?;
        let feedback = request.level()?;
        Ok(PreparedJudging { problem, feedback, cohort: [request.participant(&self.machine.table)?] })
    }

    /// Judges a program; `None` if the client went away meanwhile.
    pub(super) fn judge(
        &self,
        place: &mut RunPlace,
        prepared: &PreparedJudging,
        is_wanted: &(dyn Fn() -> bool + Sync),
    ) -> Option<RunAnswer> {
        let PreparedJudging { problem: ServedProblem { package, tests }, feedback, cohort } = prepared;
        let stop = AtomicBool::new(false);
        let session =
            GradeSession::usual(Engine::new(self.machine, &place.executor, &stop), Thoroughness::Needed);
        let judged = session.judge(package, tests, cohort, &mut |_| {
            if !is_wanted() {
                stop.store(true, Ordering::Relaxed);
            }
        });
        match judged {
            Ok(judged) if judged.graded.interrupted => None,
            Ok(judged) => Some(answer(package, tests, &judged, *feedback)),
            // The text may name paths and tests.
            Err(error) => Some(RunAnswer {
                stderr: "kopek could not judge; the log of the server says why".into(),
                trouble: Some(format!("{error:#}")),
                ..RunAnswer::new(RunOutcome::Fault)
            }),
        }
    }
}

fn answer(package: &Package, tests: &TestSet, judged: &JudgedCohort, feedback: FeedbackLevel) -> RunAnswer {
    let notices = Notices {
        faults: judged.open_cases(&package.name),
        undecided: judged.undecided(&package.name),
        ..Notices::default()
    };
    let packages = vec![package_report(package, tests, judged)];
    let report = public_report(&Report { packages, notices, feedback, ..Report::default() });
    let stdout = moodle_answer(&report.packages[0], &report.packages[0].rows[0]);
    RunAnswer { stdout, ..RunAnswer::new(RunOutcome::Fine) }
}
