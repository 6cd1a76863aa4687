//! The results of a hand-in, and remarks that explain them.

use super::{
    by_hand::RowByHand,
    case_report::{CaseReport, decision_text},
    late_steps::LateSteps,
    memory_mistake::MemoryMistake,
    program_growth::ProgramGrowth,
    slow_input::SlowInput,
    source_findings::error_lines,
};
use kopek_base::wording::{cut_text, one_line, shortened};
use kopek_package::{
    language::FileBytes,
    package::{Audience, CaseDecision, HandIn, Level, Message, Participant, PointsChange, Subject},
    points::{Points, exact_json},
    verdict::Verdict,
};
use kopek_plan::{
    plan::Trial,
    score::{Scorecard, State},
};
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
    /// Remarks that the participant reads, too: why the submission was refused.
    #[serde(skip)]
    pub notes: Vec<String>,
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
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
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
    pub reason: String,
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

/// The texts of all remarks on a row, the most serious first.
pub fn remark_texts(row: &RowReport, audience: Audience) -> Vec<String> {
    row_remarks(row, audience).into_iter().map(|remark| remark.what).collect()
}

/// All remarks on a row, the most serious first.
pub fn row_remarks(row: &RowReport, audience: Audience) -> Vec<Message> {
    let mut all = own_remarks(row, audience);
    if let Some(other) = &row.same_as {
        // Whether equal programs were copied is for the teacher to find out, not for other participants.
        all.push(Message::new(Level::Note, format!("the same program as {}'s", one_line(other))));
    }
    all.retain(|remark| remark.is_for(audience));
    all
}

/// As [`row_remarks`], without a word on equal programs.
pub fn own_remarks(row: &RowReport, audience: Audience) -> Vec<Message> {
    let mut all = trial_remarks(row, audience);
    all.extend(compiler_line(row).map(public_note));
    all
}

/// As [`own_remarks`], for a page that shows the compiler's message anyway.
pub fn trial_remarks(row: &RowReport, audience: Audience) -> Vec<Message> {
    let mut all = Vec::new();
    let mut add = |about: Subject, text: String| all.push(public_note(text).about(about));
    for error in &row.card.judge_errors {
        add(Subject::Validators, format!("JUDGE ERROR: {}", one_line(error)));
    }
    decided_cases(row).into_iter().for_each(|text| add(Subject::Decision, text));
    let is_open = matches!(row.card.state, State::Unknown(_));
    // Without a program, the first note says why.
    let note_says_why = is_open && row.program.is_none() && !row.notes.is_empty();
    if is_open && !note_says_why {
        add(Subject::Open, row.card.state.to_string());
    }
    row.by_hand.iter().flat_map(RowByHand::texts).for_each(|text| add(Subject::Points, text));
    row.late_steps.iter().for_each(|steps| add(Subject::Points, steps.to_string()));
    row.deduction.iter().for_each(|taken| add(Subject::Points, deduction_text(taken)));
    for (at, note) in row.notes.iter().enumerate() {
        let about = if note_says_why && at == 0 { Subject::Open } else { Subject::Whole };
        add(about, one_line(note));
    }
    row.growth.iter().for_each(|growth| add(Subject::Whole, growth.sentence(audience)));
    row.slow_input.iter().for_each(|input| add(Subject::Whole, input.sentence()));
    if audience == Audience::Teacher {
        repeated_cases(row).into_iter().for_each(|text| add(Subject::Whole, text));
    }
    all
}

fn public_note(text: String) -> Message {
    Message::new(Level::Note, text).for_everyone()
}

pub fn deduction_text(deduction: &Deduction) -> String {
    format!("penalty of {} points: {}", deduction.points, one_line(&deduction.reason))
}

fn trials_of_row(row: &RowReport) -> impl Iterator<Item = (&CaseReport, &Trial)> {
    row.cases.iter().filter_map(|case| Some((case, case.trial.as_ref()?)))
}

/// Cases that a person decided because no run did.
pub fn decided_cases(row: &RowReport) -> Vec<String> {
    row.cases.iter().filter_map(decided_case).collect()
}

/// A person's decision of a case.
pub fn decided_case(case: &CaseReport) -> Option<String> {
    let decision = case.decided.as_ref()?;
    Some(format!("{}: {}, {}", one_line(&case.name), decision.verdict, decision_text(decision)))
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
fn compiler_line(row: &RowReport) -> Option<String> {
    if row.card.state != State::Decided(Verdict::CompileError) {
        return None;
    }
    let mut lines = row.compile_message.lines().filter(|line| !line.trim().is_empty());
    // Compilers print warnings first.
    let best = error_lines(&row.compile_message).into_iter().next().or_else(|| lines.next())?;
    Some(format!("does not compile: {}", cut_text(&one_line(best.trim()), 200)))
}
