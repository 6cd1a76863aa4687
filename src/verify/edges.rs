//! Inputs whose numbers are at the bounds of the statement, or one beyond them: what input validators accept,
//! and the statement forbids, is found by asking them; and so is what they refuse though it is allowed.
//!
//! Only numbers are tried that the statement ties to a place of the inputs, and what becomes of them is made
//! from inputs that are there: a validator that refuses for another reason says nothing.

use super::{
    Answer, Level, OnVerificationStep, Remark, Section, Verification, VerificationStep, Verified,
    ask_validators, counted,
    inputs::{all_args, input_task},
    number_ranges::{NumberSurvey, survey_numbers},
    tied_bounds::{EdgeGround, TiedBound},
};
use crate::{
    constraints::PlainInput,
    package::Case,
    plan::{InputTask, Program, Task},
};
use anyhow::Result;
use serde::Serialize;
use std::{fs, sync::Arc};

/// A bound of the statement that the validators do not keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EdgeFinding {
    /// What they do.
    pub kind: EdgeKind,
    /// Where the statement says it, relative to the package.
    pub at: String,
    /// What it says: `n ≤ 100`.
    pub bound: String,
    /// Which number: `n`.
    pub name: String,
    /// The number that it is in the input.
    pub value: i128,
    /// Where it stands in the input.
    pub place: String,
    /// The case that the input is, or was made from.
    pub case: String,
    /// The input.
    #[serde(skip)]
    pub input: Vec<u8>,
}

/// How validators do not keep a bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// They accept what is beyond it.
    AcceptedBeyond,
    /// A case is beyond it.
    CaseBeyond,
    /// They refuse what is at it, and accept the next two numbers inside; with the reason that they give.
    RefusedAt(String),
}

/// What came of asking.
#[derive(Debug, Clone, Default)]
pub struct EdgeReport {
    /// What is found, in the order of the statement.
    pub findings: Vec<EdgeFinding>,
    /// How many bounds were tried.
    pub tried: usize,
    /// What we failed at.
    pub faults: Vec<String>,
}

/// An input that is asked about.
struct EdgeQuestion<'a> {
    case: &'a Case,
    /// How many beyond the bound: 1, or 0 and less.
    step: i128,
    /// Questions that were made in one way from one case.
    way: (usize, usize),
    input: Vec<u8>,
}

/// Questions about a bound.
struct QuestionList<'a> {
    questions: Vec<EdgeQuestion<'a>>,
    /// Whether none was left out.
    are_all: bool,
}

/// So large are all inputs together that are made for one bound.
const MOST_BYTES: usize = 24 << 20;

/// Asks, and reports.
pub(super) fn check_edges(
    verification: &Verification,
    validators: &[Arc<Program>],
    seen: &NumberSurvey,
    verified: &mut Verified,
    tell: &mut OnVerificationStep,
) -> Result<()> {
    let Verification { package, tests, engine, .. } = verification;
    let ground = EdgeGround { package, tests, engine, validators };
    let tied = ground.tied_bounds(seen);
    tell(VerificationStep::Begin { what: "stated bounds", jobs: tied.len() });
    let report = ground.try_bounds(&tied, seen, &mut || tell(VerificationStep::Done))?;
    verified.faults.extend(report.faults);
    verified.remarks.extend(report.findings.iter().map(EdgeFinding::remark));
    if report.tried > 0 {
        let what = format!("{} of the statement tried at and beyond", counted(report.tried, "bound"));
        verified.check(Section::Data, what);
    }
    Ok(())
}

/// The same for whoever has no verification.
pub fn find_edges(ground: &EdgeGround) -> Result<EdgeReport> {
    let seen = survey_numbers(&ground.tests.cases);
    ground.try_bounds(&ground.tied_bounds(&seen), &seen, &mut || ())
}

impl EdgeFinding {
    /// In a sentence that begins with its place in the statement.
    pub(crate) fn sentence(&self) -> String {
        let EdgeFinding { bound, name, value, place, case, .. } = self;
        let input = input_excerpt(&self.input);
        match &self.kind {
            EdgeKind::AcceptedBeyond => format!(
                "says `{bound}`, but every input validator accepts {name} = {value} ({place}): \
                 data/{case}.in, changed to `{input}`"
            ),
            EdgeKind::CaseBeyond => {
                format!("says `{bound}`, but data/{case}.in has {name} = {value} ({place}) and is accepted")
            }
            EdgeKind::RefusedAt(reason) => format!(
                "says `{bound}`, but the input validators refuse {name} = {value} ({place}), and accept the next \
                 two numbers inside: data/{case}.in, changed to `{input}`: {reason}"
            ),
        }
    }

    /// What to do about it.
    pub(crate) fn remedy(&self) -> &'static str {
        match self.kind {
            EdgeKind::AcceptedBeyond => "let an input validator refuse it, or mend the statement",
            EdgeKind::CaseBeyond => "mend the case and the validator, or the statement",
            EdgeKind::RefusedAt(_) => "let the validators accept it, or mend the statement",
        }
    }

    fn remark(&self) -> Remark {
        Remark::new(Section::Data, Level::Warning, self.sentence()).at(&*self.at).todo(self.remedy())
    }
}

/// How an input begins.
fn input_excerpt(input: &[u8]) -> String {
    let text = String::from_utf8_lossy(&input[..input.len().min(160)]);
    let escaped: String = text.trim_end_matches('\n').chars().flat_map(char::escape_debug).collect();
    match escaped.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &escaped[..end]),
        None => escaped,
    }
}

impl EdgeGround<'_> {
    fn try_bounds(
        &self,
        tied: &[TiedBound],
        seen: &NumberSurvey,
        on_done: &mut (dyn FnMut() + Send),
    ) -> Result<EdgeReport> {
        let mut report = EdgeReport::default();
        for one in tied {
            if self.engine.is_stopped() {
                break;
            }
            match self.case_beyond(one, seen) {
                Some(finding) => report.findings.push(finding),
                None => self.ask_about(one, seen, &mut report)?,
            }
            report.tried += 1;
            on_done();
        }
        Ok(report)
    }

    /// A case that is beyond the bound itself.
    fn case_beyond(&self, tied: &TiedBound, seen: &NumberSurvey) -> Option<EdgeFinding> {
        let ranges = self.tests.cases.iter().enumerate();
        let mut ranges = ranges.filter_map(|(at, case)| Some((case, seen.range_in(at, tied.place)?)));
        let (case, range) = ranges.find(|(_, range)| tied.excess(range) > 0)?;
        let value = tied.value(tied.excess(&range));
        Some(self.finding(tied, seen, EdgeKind::CaseBeyond, (case, value, vec![])))
    }

    fn ask_about(&self, tied: &TiedBound, seen: &NumberSurvey, report: &mut EdgeReport) -> Result<()> {
        let Some(range) = seen.whole.get(&tied.place) else { return Ok(()) };
        let steps: &[i128] = if tied.excess(range) == 0 { &[1] } else { &[1, 0, -1, -2] };
        let QuestionList { questions, are_all } = self.questions(tied, seen, steps);
        let mut tasks = Vec::new();
        for question in &questions {
            let input = self.engine.store().hold(&question.input.as_slice().into())?;
            tasks.extend(self.validators.iter().map(|validator| {
                let task = input_task(validator, question.case, all_args(validator, question.case));
                Task::CheckInput(InputTask { input, ..task })
            }));
        }
        let answers = ask_validators(self.engine, tasks, &mut || ())?;
        let rulings = answers.chunks(self.validators.len().max(1)).map(InputReply::of);
        let asked: Vec<(&EdgeQuestion, InputReply)> = questions.iter().zip(rulings).collect();
        let fault = asked.iter().find_map(|(_, reply)| match reply {
            InputReply::Unknown(why) => why.clone(),
            InputReply::Accepted | InputReply::Refused(_) => None,
        });
        report.faults.extend(fault.map(|why| format!("try the bound `{}`: {why}", tied.bound)));
        // Where some were not asked, one of those may be accepted.
        let is_sure = |kind: &EdgeKind| are_all || *kind == EdgeKind::AcceptedBeyond;
        let replies = judge_replies(&asked).into_iter().filter(|(_, kind)| is_sure(kind));
        report.findings.extend(replies.map(|(question, kind)| {
            let known = (question.case, tied.value(question.step), question.input.clone());
            self.finding(tied, seen, kind, known)
        }));
        Ok(())
    }

    /// Beginning with what is beyond, and with the cases that are nearest; as far as memory and patience go.
    fn questions(&self, tied: &TiedBound, seen: &NumberSurvey, steps: &[i128]) -> QuestionList<'_> {
        let mut asked = QuestionList { questions: vec![], are_all: true };
        let mut bytes = 0;
        let texts: Vec<(usize, String)> = self
            .base_cases(tied, seen)
            .into_iter()
            .filter_map(|base| Some((base, fs::read_to_string(&self.tests.cases[base].input).ok()?)))
            .collect();
        let plain = texts.iter().filter_map(|(base, text)| Some((*base, PlainInput::of(text)?)));
        let plain: Vec<(usize, PlainInput)> = plain.collect();
        for &step in steps {
            for (base, input) in &plain {
                let inputs = input.edge_inputs(&seen.columns, tied.place, tied.value(step));
                for (way, input) in inputs.into_iter().enumerate().filter_map(|(way, one)| Some((way, one?)))
                {
                    bytes += input.len();
                    if bytes > MOST_BYTES && !asked.questions.is_empty() {
                        asked.are_all = false;
                        return asked;
                    }
                    let case = &self.tests.cases[*base];
                    asked.questions.push(EdgeQuestion { case, step, way: (*base, way), input });
                }
            }
        }
        asked
    }

    fn finding(
        &self,
        tied: &TiedBound,
        seen: &NumberSurvey,
        kind: EdgeKind,
        (case, value, input): (&Case, i128, Vec<u8>),
    ) -> EdgeFinding {
        EdgeFinding {
            kind,
            at: format!("{}:{}", tied.file, tied.bound.line),
            bound: tied.bound.to_string(),
            name: tied.bound.name.clone(),
            value,
            place: seen.columns.place_name(tied.place),
            case: case.name.clone(),
            input,
        }
    }
}

/// What all validators together say.
enum InputReply {
    Accepted,
    Refused(String),
    /// Nobody refuses, and not all can be asked; why, unless it was interrupted.
    Unknown(Option<String>),
}

impl InputReply {
    fn of(answers: &[Answer]) -> InputReply {
        let mut unknown = None;
        for answer in answers {
            match answer {
                Some(Ok(reply)) if reply.accepted => {}
                // One that refuses is enough, whatever became of the others.
                Some(Ok(reply)) => return InputReply::Refused(reply.message.clone()),
                Some(Err(fault)) => unknown = Some(Some(fault.to_string())),
                None => unknown = unknown.or(Some(None)),
            }
        }
        unknown.map_or(InputReply::Accepted, InputReply::Unknown)
    }
}

/// What the replies say about the bound, shown by the smallest inputs that do.
fn judge_replies<'q>(asked: &[(&'q EdgeQuestion<'q>, InputReply)]) -> Vec<(&'q EdgeQuestion<'q>, EdgeKind)> {
    let mut accepted: Vec<&EdgeQuestion> = Vec::new();
    let mut refused: Vec<(&'q EdgeQuestion<'q>, &String)> = Vec::new();
    let mut is_decided = true;
    for (question, reply) in asked {
        match reply {
            InputReply::Accepted => accepted.push(*question),
            InputReply::Refused(why) if question.step == 0 => refused.push((*question, why)),
            InputReply::Refused(_) => {}
            InputReply::Unknown(_) => is_decided = false,
        }
    }
    let beyond = accepted.iter().filter(|one| one.step == 1).min_by_key(|one| one.input.len());
    let mut found: Vec<_> = beyond.map(|one| (*one, EdgeKind::AcceptedBeyond)).into_iter().collect();
    let takes =
        |way: (usize, usize), step: i128| accepted.iter().any(|one| one.way == way && one.step == step);
    let is_kept = |one: &EdgeQuestion| takes(one.way, -1) && takes(one.way, -2);
    let refused = refused.into_iter().filter(|(one, _)| is_kept(one)).min_by_key(|(one, _)| one.input.len());
    if is_decided && accepted.iter().all(|one| one.step != 0) {
        found.extend(refused.map(|(one, why)| (one, EdgeKind::RefusedAt(why.clone()))));
    }
    found
}
