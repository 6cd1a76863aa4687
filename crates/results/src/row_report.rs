//! The results of a hand-in, and remarks that explain them.

use super::{
    by_hand::RowByHand, case_report::CaseReport, late_steps::LateSteps, memory_mistake::MemoryMistake,
    note::Note, program_growth::ProgramGrowth, slow_input::SlowInput, source_findings::error_lines,
};
use kopek_base::wording::{cut_text, one_line, shortened};
use kopek_package::{
    language::FileBytes,
    package::{Audience, CaseDecision, HandIn, Participant, PointsChange, Subject},
    points::{Points, exact_json},
    verdict::Verdict,
};
use kopek_plan::{
    plan::Trial,
    score::{Scorecard, State},
};
use kopek_sentences::{Decimal, Said, serialize_said};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The results of a hand-in. A report keeps all but what pages alone show.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RowReport {
    #[serde(flatten)]
    pub card: Scorecard,
    /// Changes with the program that was run; `None`: there is none.
    pub program: Option<String>,
    /// The submission as its folder names it.
    #[serde(rename = "submission")]
    pub file: String,
    /// The files of the program as they were handed in; empty: not known, or not shown.
    #[serde(skip)]
    pub source: FileBytes,
    /// The participant, and the files of the hand-in that were run.
    #[serde(flatten)]
    pub hand_in: HandIn,
    /// What a person changed; the scorecard has the points with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_hand: Option<RowByHand>,
    /// How lateness is reduced before a ruling takes off points; `None`: not at all.
    pub late_steps: Option<LateSteps>,
    /// What a ruling took off; the scorecard has the rest.
    pub deduction: Option<Deduction>,
    /// Language code, if one was found.
    pub language: Option<String>,
    /// Why there is no result, changes to the files, and what else there is to say.
    #[serde(skip)]
    pub notes: Vec<Note>,
    /// Who handed in the same program. Not shown to participants.
    #[serde(skip)]
    pub same_as: Option<String>,
    #[serde(skip)]
    pub compile_message: String,
    /// A mistake of a C or C++ program with its memory, if another build shows it.
    #[serde(skip)]
    pub memory_mistake: Option<MemoryMistake>,
    /// How the time or the memory grows with the input, if it exceeds a limit and runs show it. A report has the
    /// numbers, and not the runs that show them.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub growth: Option<ProgramGrowth>,
    /// An input that is no case, on which it exceeds the time limit. A report does not have the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_input: Option<SlowInput>,
    /// All cases, in judging order. May be empty if only tables are shown; remarks on repeated trials
    /// come from here.
    #[serde(rename = "decided", with = "decisions_only")]
    pub cases: Vec<CaseReport>,
}

/// Points that a rule takes off, for being late.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deduction {
    #[serde(serialize_with = "exact_json::serialize", deserialize_with = "exact_json::known")]
    pub points: Points,
    /// Why: `2 days late, 10 % each`.
    #[serde(serialize_with = "serialize_said")]
    pub reason: Said,
}

impl RowReport {
    /// A row without results.
    pub fn unjudged(participant: &Participant) -> RowReport {
        let card = Scorecard {
            name: participant.name.clone(),
            points: None,
            max: None,
            state: State::Unknown(0),
            groups: Vec::new(),
            slowest: None,
            judge_errors: Vec::new(),
        };
        RowReport {
            card,
            program: None,
            file: participant.file.clone(),
            source: FileBytes::new(),
            hand_in: participant.hand_in.clone(),
            by_hand: None,
            late_steps: None,
            deduction: None,
            language: None,
            notes: Vec::new(),
            same_as: None,
            compile_message: String::new(),
            memory_mistake: None,
            growth: None,
            slow_input: None,
            cases: Vec::new(),
        }
    }

    /// Whether there was a program to run.
    pub fn was_run(&self) -> bool {
        !matches!(self.card.state, State::Decided(Verdict::CompileError | Verdict::NoProgram))
    }

    pub(super) fn is_excused(&self) -> bool {
        let mut given = self.hand_in.by_hand.iter().chain(&self.hand_in.total_by_hand);
        given.any(|one| one.change == Some(PointsChange::Excuse))
    }

    /// The points before a deduction; `None`: not known yet.
    pub fn reached(&self) -> Option<Points> {
        let points = self.worth()?;
        Some(match &self.deduction {
            Some(deduction) => points + deduction.points.clone(),
            None => points,
        })
    }

    /// The points that count; `None`: not known yet.
    pub fn worth(&self) -> Option<Points> {
        self.card.points.clone()
    }

    /// Takes off points, once all others are known.
    pub fn take_off(&mut self, deduction: Deduction) {
        let reached = self.card.points.take();
        self.card.points = reached.map(|points| points - deduction.points.clone());
        self.deduction = Some(deduction);
    }
}

/// Of the cases, a report keeps the decisions of persons only.
mod decisions_only {
    use super::*;

    pub fn serialize<S: Serializer>(cases: &[CaseReport], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(cases.iter().filter_map(|case| case.decided.as_ref()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<CaseReport>, D::Error> {
        let decided = Vec::<CaseDecision>::deserialize(from)?;
        let case =
            |one: CaseDecision| CaseReport { decided: Some(one.clone()), ..CaseReport::named(one.case) };
        Ok(decided.into_iter().map(case).collect())
    }
}

/// All remarks on a row, the most serious first.
pub fn row_remarks(row: &RowReport, audience: Audience) -> Vec<Note> {
    let mut all = own_remarks(row, audience);
    if let Some(other) = &row.same_as {
        // Whether equal programs were copied is for the teacher to find out, not for other participants.
        let said = Said::SameProgramAs { name: other.clone() };
        all.push(Note { audience: Audience::Teacher, ..Note::new(Subject::Whole, said) });
    }
    all.retain(|remark| remark.is_for(audience));
    all
}

/// As [`row_remarks`], without a word on equal programs.
pub fn own_remarks(row: &RowReport, audience: Audience) -> Vec<Note> {
    let mut all = trial_remarks(row, audience);
    all.extend(compiler_line(row).map(|said| Note::new(Subject::Whole, said)));
    all
}

/// As [`own_remarks`], for a page that shows the compiler's message anyway.
pub fn trial_remarks(row: &RowReport, audience: Audience) -> Vec<Note> {
    let is_open = matches!(row.card.state, State::Unknown(_));
    let note_says_why = row.notes.iter().any(|note| note.about == Subject::Open);
    let mut all = Vec::new();
    all.extend(notes_about(Subject::Validators, judge_errors(row, audience)));
    all.extend(notes_about(Subject::Decision, decided_cases(row)));
    if is_open && !note_says_why {
        all.push(Note::new(Subject::Open, (&row.card.state).into()));
    }
    all.extend(notes_about(Subject::Points, row.by_hand.iter().flat_map(RowByHand::said)));
    all.extend(notes_about(Subject::Points, row.late_steps.map(|steps| steps.said())));
    all.extend(notes_about(Subject::Points, row.deduction.as_ref().map(deduction_said)));
    all.extend(row.notes.iter().cloned());
    all.extend(notes_about(Subject::Whole, row.growth.as_ref().map(|growth| growth.sentence(audience))));
    all.extend(notes_about(Subject::Whole, row.slow_input.as_ref().map(SlowInput::sentence)));
    if audience == Audience::Teacher {
        let repeated = repeated_cases(row).map(Said::foreign);
        all.extend(notes_about(Subject::Whole, repeated));
    }
    all
}

fn notes_about(about: Subject, said: impl IntoIterator<Item = Said>) -> impl Iterator<Item = Note> {
    said.into_iter().map(move |said| Note::new(about.clone(), said))
}

/// A validator's message quotes what it read.
fn judge_errors(row: &RowReport, audience: Audience) -> Vec<Said> {
    let errors = row.card.judge_errors.iter();
    let error = |text: &String| match audience {
        Audience::Teacher => Said::foreign(text),
        Audience::Everyone => Said::ValidatorBrokeRules,
    };
    let mut all: Vec<Said> = errors.map(|text| Said::JudgeError { reason: error(text).into() }).collect();
    all.dedup();
    all
}

pub fn deduction_said(deduction: &Deduction) -> Said {
    Said::Penalty { points: Decimal::new(&deduction.points), reason: deduction.reason.clone().into() }
}

fn trials_of_row(row: &RowReport) -> impl Iterator<Item = (&CaseReport, &Trial)> {
    row.cases.iter().filter_map(|case| Some((case, case.trial.as_ref()?)))
}

/// Cases that a person decided because no run did.
pub fn decided_cases(row: &RowReport) -> Vec<Said> {
    row.cases.iter().filter_map(decided_case).collect()
}

/// A person's decision of a case.
pub fn decided_case(case: &CaseReport) -> Option<Said> {
    let CaseDecision { verdict, by, reason, .. } = case.decided.as_ref()?;
    Some(Said::CaseDecided {
        case: case.name.clone(),
        state: Said::from(*verdict).into(),
        by: by.clone(),
        comment: reason.clone(),
    })
}

/// The first three repeated cases with the times of their runs.
fn repeated_cases(row: &RowReport) -> Option<String> {
    let repeated = trials_of_row(row).filter(|(_, trial)| !trial.tries.is_empty());
    let list: Vec<String> = repeated.map(|(case, trial)| runs_text(case, trial)).collect();
    if list.is_empty() { None } else { Some(format!("repeated: {}", shortened(&list, 3, "; "))) }
}

fn runs_text(case: &CaseReport, trial: &Trial) -> String {
    let differ = trial.try_verdicts.iter().any(|verdict| *verdict != trial.try_verdicts[0]);
    let mut runs = Vec::new();
    for (at, time) in trial.tries.iter().enumerate() {
        let verdict = trial.try_verdicts.get(at).filter(|_| differ);
        let verdict = verdict.map(|verdict| format!("{} ", verdict.short())).unwrap_or_default();
        runs.push(format!("{verdict}{:.3} s", time.as_secs_f64()));
    }
    format!("{} ({})", one_line(&case.name), shortened(&runs, 4, ", "))
}

/// The line of the compiler's output that most likely names the mistake.
fn compiler_line(row: &RowReport) -> Option<Said> {
    if row.card.state != State::Decided(Verdict::CompileError) {
        return None;
    }
    let mut lines = row.compile_message.lines().filter(|line| !line.trim().is_empty());
    // Compilers print warnings first.
    let best = error_lines(&row.compile_message).into_iter().next().or_else(|| lines.next())?;
    Some(Said::CompilerLine { line: cut_text(&one_line(best.trim()), 200) })
}
