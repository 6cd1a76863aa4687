//! The part of a report that participants may see. The rest is removed from the data themselves, so that no
//! format can show it by mistake.
//!
//! A program can choose its output, exit code, time and memory by its input: each could leak a secret case.
//! Therefore only the verdict of a hidden case remains.

use super::{
    case_report::{CaseReport, decision_said},
    counterexamples::Counterexamples,
    group_names::group_heading,
    note::Note,
    notices::Notices,
    open_cases::{Evidence, OpenCase, OpenReason, UndecidedCase},
    program_growth::ProgramGrowth,
    report::{FeedbackLevel, PackageReport, Report},
    row_report::RowReport,
    slow_input::SlowInput,
};
use kopek_package::package::{Audience, Message, Subject, is_sample};
use kopek_plan::{plan::Trial, score::State};
use kopek_sandbox::Exit;
use kopek_sentences::{Names, Said};

/// The report as participants may see it.
pub fn public_report(report: &Report) -> Report {
    let packages = report.packages.iter().map(|package| public_package(package, report)).collect();
    // Messages of validators quote what they read.
    let faults = report
        .all_faults()
        .first()
        .map(|_| OpenReason::Settle("not everything was judged; ask the teacher why".to_owned()))
        .map(|why| OpenCase { package: String::new(), what: String::new(), why });
    let notices = &report.notices;
    Report {
        title: report.title.clone(),
        sheet: report.sheet.clone(),
        packages,
        notices: Notices {
            warnings: public_messages(&notices.warnings),
            faults: faults.into_iter().collect(),
            undecided: Vec::new(),
            rules: notices.rules.clone(),
            toolchains: notices.toolchains.clone(),
            ran: notices.ran,
            reused: notices.reused,
        },
        isolation: report.isolation.clone(),
        machine: report.machine.clone(),
        elapsed: report.elapsed,
        date: report.date.clone(),
        anonymous: report.anonymous,
        rules_from: None,
        late_rule: report.late_rule.clone(),
        feedback: report.feedback,
        language: report.language,
        since: report.since.clone(),
        counterexamples: match report.feedback {
            FeedbackLevel::Brief => Vec::new(),
            FeedbackLevel::AsDeclared | FeedbackLevel::Names | FeedbackLevel::Full => {
                report.counterexamples.iter().map(Counterexamples::public).collect()
            }
        },
    }
}

/// The messages for participants, without repetitions: several messages may have one replacement.
fn public_messages(all: &[Message]) -> Vec<Message> {
    let mut public: Vec<Message> = Vec::new();
    for message in all.iter().filter_map(Message::public) {
        if !public.contains(&message) {
            public.push(message);
        }
    }
    public
}

fn public_package(package: &PackageReport, report: &Report) -> PackageReport {
    let public = |row: &RowReport| {
        let mut public = public_row(row, report.feedback);
        if matches!(row.card.state, State::Unknown(_)) {
            let open = open_notes(package, row, &report.notices.undecided);
            public.notes.splice(..0, open.into_iter().map(|said| Note::new(Subject::Open, said)));
        } else if let (Some(entry), false) = (&row.hand_in.entry, row.hand_in.left_out.is_empty()) {
            let files = Names::first(&row.hand_in.left_out, MAX_FILES);
            let said = Said::OthersNotJudged { file: entry.clone(), files };
            public.notes.push(Note::new(Subject::Whole, said));
        }
        public
    };
    let rows = package.rows.iter().map(public).collect();
    // A digest would confirm a guessed input.
    PackageReport { rows, data: None, ..package.clone() }
}

/// Files in one sentence.
const MAX_FILES: usize = 5;

/// Why a participant has no result yet.
fn open_notes(package: &PackageReport, row: &RowReport, undecided: &[UndecidedCase]) -> Vec<Said> {
    let mut notes = Vec::new();
    let is_own = |case: &&UndecidedCase| {
        (case.package.is_empty() || case.package == package.name)
            && case.participants.contains(&row.card.name)
    };
    for open in undecided.iter().filter(is_own) {
        let case = row.cases.iter().find(|case| case.name == open.case);
        let group = Box::new(group_heading(case.map_or(&open.case, |case| &case.group)));
        let note = match open.evidence {
            Evidence::Times(_) => Said::RanNearLimit { group },
            Evidence::Doubt(_) => Said::NotMeasured { group },
        };
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    if row.program.is_none() && !row.hand_in.left_out.is_empty() {
        notes.push(Said::TeacherChooses { files: Names::first(&row.hand_in.left_out, MAX_FILES) });
    } else if notes.is_empty() {
        notes.push(Said::NotCompletelyJudged);
    }
    notes
}

fn public_row(row: &RowReport, level: FeedbackLevel) -> RowReport {
    let cases: Vec<CaseReport> = row.cases.iter().filter_map(|case| public_case(case, level)).collect();
    let mut public = RowReport {
        cases,
        program: None,
        same_as: None,
        growth: row.growth.as_ref().map(ProgramGrowth::public),
        slow_input: row.slow_input.as_ref().and_then(SlowInput::public),
        ..row.clone()
    };
    let hidden_decision = |case: &CaseReport| {
        let hidden = !public.cases.iter().any(|own| own.name == case.name);
        case.decided.as_ref().filter(|_| hidden).map(decision_said)
    };
    let decided: Vec<Said> = row.cases.iter().filter_map(hidden_decision).collect();
    let note = |said: Said| Note::new(Subject::Whole, Said::CaseWas { reason: said.into() });
    public.notes.extend(decided.into_iter().map(note));
    // They say what the teacher has to do.
    public.notes.retain(|note| note.is_for(Audience::Everyone));
    let card = &mut public.card;
    if !card.judge_errors.is_empty() {
        card.judge_errors = vec!["a validator broke the rules; the teacher knows the details".to_owned()];
    }
    let everything = row.cases.iter().all(|case| sees_data(case, level));
    if !everything || row.cases.is_empty() {
        card.slowest = None;
    } else {
        public.growth.clone_from(&row.growth);
    }
    if level == FeedbackLevel::Brief {
        // Each of them depends on hidden cases.
        (public.memory_mistake, public.growth, public.slow_input) = (None, None, None);
    }
    for group in card.groups.iter_mut() {
        let mut own = row.cases.iter().filter(|case| case.group == group.name).peekable();
        if own.peek().is_none() || !own.all(|case| sees_data(case, level)) {
            (group.slowest, group.culprit) = (None, None);
        }
    }
    public
}

/// `None`: not even its name.
fn public_case(case: &CaseReport, level: FeedbackLevel) -> Option<CaseReport> {
    if sees_data(case, level) {
        return Some(CaseReport { full_feedback: true, input_path: None, ..case.clone() });
    }
    if level == FeedbackLevel::Brief {
        return None;
    }
    Some(CaseReport {
        group: case.group.clone(),
        trial: case.trial.as_ref().map(|trial| hidden_trial(trial, level)),
        decided: case.decided.clone(),
        hint: case.hint.clone(),
        ..CaseReport::named(case.name.clone())
    })
}

fn sees_data(case: &CaseReport, level: FeedbackLevel) -> bool {
    // The statement shows the samples anyway.
    let sample = is_sample(&case.name);
    match level {
        FeedbackLevel::AsDeclared => case.full_feedback,
        FeedbackLevel::Brief | FeedbackLevel::Names => sample && case.full_feedback,
        FeedbackLevel::Full => true,
    }
}

fn hidden_trial(trial: &Trial, level: FeedbackLevel) -> Trial {
    // The package's word to the team; it may quote the output, and the output the input.
    let declared = level == FeedbackLevel::AsDeclared;
    Trial {
        team_message: if declared { trial.team_message.clone() } else { String::new() },
        ..Trial::ended(trial.verdict, Exit::Code(0))
    }
}
