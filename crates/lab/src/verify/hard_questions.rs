//! Checks the output validators of a package with outputs that no correct solution prints. If one fails, the author
//! of such an output gets no verdict; if one accepts, it gives away points.

use super::{
    checked::Checked,
    junk_outputs::{Doubt, JunkOutput, foreign_outputs, is_number, spoilt_answers},
    verification::{Answer, Verification, flat_groups},
};
use anyhow::Result;
use kopek_base::wording::{counted, shortened};
use kopek_package::package::{Case, Judge, Message, TestSet};
use kopek_plan::plan::{CaseFiles, Checker, OutputTask, Task, ValidatorReply};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::Arc,
};

/// The largest answer to spoil.
const SMALL: u64 = 64 << 10;
/// The number of cases to check.
const CASES: usize = 6;
/// The number of cases on which unrelated outputs are checked, too.
const FOREIGN_CASES: usize = 2;
/// The number of cases that must agree before a possibly correct output is reported.
const AGREEING_CASES: usize = 3;
/// How much of an output is shown.
const SHOWN: usize = 30;

/// An output on a case.
struct HardQuestion<'a> {
    case: &'a Case,
    junk: JunkOutput,
}

/// A case and its answer.
#[derive(Clone)]
struct KnownAnswer<'a> {
    case: &'a Case,
    bytes: Vec<u8>,
}

/// Checks the validators if the package has its own. `right`: cases whose answer they accept.
pub(super) fn ask_hard_questions(
    verification: &Verification,
    checker: &Arc<Checker>,
    right: &[&Case],
) -> Result<Checked> {
    if !matches!(verification.package.judge, Judge::Programs { .. }) {
        return Ok(Checked::default());
    }
    let questions = hard_questions(&chosen_answers(verification.tests, right));
    let store = verification.engine().store();
    let mut tasks = Vec::new();
    for one in &questions {
        let output = store.hold(&one.junk.bytes.as_slice().into())?;
        let case = Arc::new(CaseFiles::new(one.case));
        tasks.push(Task::CheckOutput(OutputTask { checker: checker.clone(), case, output }));
    }
    let answers = verification.ask_all("junk outputs", tasks)?;
    Ok(check_replies(&questions, &answers))
}

fn hard_questions<'a>(answers: &[KnownAnswer<'a>]) -> Vec<HardQuestion<'a>> {
    let mut questions = Vec::new();
    for (at, KnownAnswer { case, bytes }) in answers.iter().enumerate() {
        let mut junk = if at < FOREIGN_CASES { foreign_outputs(bytes) } else { vec![] };
        let mut spoilt = spoilt_answers(bytes);
        spoilt.retain(|one| !junk.iter().any(|known| known.bytes == one.bytes));
        junk.append(&mut spoilt);
        questions.extend(junk.into_iter().map(|junk| HardQuestion { case, junk }));
    }
    questions
}

/// The smallest answers of every form, then of every group, then of the rest.
fn chosen_answers<'a>(tests: &TestSet, right: &[&'a Case]) -> Vec<KnownAnswer<'a>> {
    let answers = small_answers(right);
    let mut forms: BTreeMap<String, usize> = BTreeMap::new();
    for (at, answer) in answers.iter().enumerate() {
        forms.entry(answer_form(&answer.bytes)).or_insert(at);
    }
    let mut order: Vec<usize> = forms.into_values().collect();
    order.sort_unstable();
    for group in flat_groups(tests) {
        let names: BTreeSet<&String> = group.cases.iter().map(|&case| &tests.cases[case].name).collect();
        order.extend(answers.iter().position(|answer| names.contains(&answer.case.name)));
    }
    order.extend(0..answers.len());
    let mut known = BTreeSet::new();
    let chosen = order.into_iter().filter(|&at| known.insert(at)).take(CASES);
    chosen.map(|at| answers[at].clone()).collect()
}

/// Samples first, then by size.
fn small_answers<'a>(right: &[&'a Case]) -> Vec<KnownAnswer<'a>> {
    let mut answers = Vec::new();
    for case in right {
        if fs::metadata(&case.answer).is_ok_and(|file| file.len() <= SMALL)
            && let Ok(bytes) = fs::read(&case.answer)
        {
            answers.push(KnownAnswer { case, bytes });
        }
    }
    answers.sort_by_key(|one| (!one.case.is_sample(), one.bytes.len()));
    answers
}

/// The same part of a validator reads answers of the same form: the first word unless it is a number, and whether
/// more words and lines follow.
fn answer_form(answer: &[u8]) -> String {
    let mut words = answer.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let first = if is_number(first) { b"0" } else { &first[..first.len().min(8)] };
    let lines = answer.trim_ascii().contains(&b'\n');
    format!("{} {} {lines}", String::from_utf8_lossy(first), words.next().is_some())
}

fn check_replies(questions: &[HardQuestion], answers: &[Answer]) -> Checked {
    let mut failed = Vec::new();
    let mut accepted = Vec::new();
    let mut refused = 0;
    let mut fault = None;
    for (question, answer) in questions.iter().zip(answers) {
        let kind = question.junk.kind;
        match answer {
            Answer::Reply(reply) if reply.failed => failed.push((question, reply)),
            // Accepted with zero points is the same as refused.
            Answer::Reply(reply) if reply.accepted && !reply.scored_zero => accepted.push(question),
            Answer::Reply(_) => refused += usize::from(question.junk.doubt == Doubt::Hardly),
            Answer::Fault(error) => fault = Some(format!("ask the output validator about {kind}: {error}")),
            Answer::None => {}
        }
    }
    let done = format!("{} rejected by it", counted(refused, "junk output"));
    let loose = loose_message(&surely_wrong(questions, &accepted));
    Checked {
        done: if refused > 0 { vec![done] } else { vec![] },
        messages: failure_message(&failed).into_iter().chain(loose).collect(),
        faults: fault.into_iter().collect(),
        measures: vec![],
    }
}

/// An output may be correct on one case, but hardly on every one of several.
fn surely_wrong<'a, 'b>(
    questions: &[HardQuestion],
    accepted: &[&'b HardQuestion<'a>],
) -> Vec<&'b HardQuestion<'a>> {
    let is_wrong = |one: &&&HardQuestion| {
        let asked = questions.iter().filter(|other| other.junk.kind == one.junk.kind).count();
        let agreeing = accepted.iter().filter(|other| other.junk.kind == one.junk.kind).count();
        one.junk.doubt == Doubt::Hardly || (agreeing == asked && asked >= AGREEING_CASES)
    };
    accepted.iter().filter(is_wrong).copied().collect()
}

/// All failures in one message: they usually have the same cause.
fn failure_message(failed: &[(&HardQuestion, &ValidatorReply)]) -> Option<Message> {
    let (question, reply) = failed.first()?;
    let more = match failed.len() - 1 {
        0 => String::new(),
        more => format!(" (and on {})", counted(more, "more output")),
    };
    let name = &question.case.name;
    let output = named_output(&question.junk);
    let what = format!("on {output} as the output for data/{name}.in, {}{more}", reply.message);
    let message = Message::error("output_validator", what);
    Some(message.todo("make it exit with 43 for any output it rejects"))
}

/// All accepted outputs in one message, each kind once.
fn loose_message(loose: &[&HardQuestion]) -> Option<Message> {
    let first = loose.first()?;
    let mut known = BTreeSet::new();
    let kinds = loose.iter().filter(|one| known.insert(one.junk.kind));
    let shown: Vec<String> = kinds.map(|one| named_output(&one.junk)).collect();
    let name = &first.case.name;
    let what = format!("the output validator accepts for data/{name}.in: {}", shortened(&shown, 4, ", "));
    let message = Message::warning("output_validator", what);
    Some(message.todo("make it exit with 43 for that, unless a correct solution could print it"))
}

/// The kind, and the beginning of the output.
fn named_output(JunkOutput { kind, bytes, .. }: &JunkOutput) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]);
    let text: String = text.trim_end_matches('\n').chars().flat_map(char::escape_debug).collect();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{kind} (`{}…`)", &text[..end]),
        None if text.is_empty() || kind.contains(&text) => (*kind).to_owned(),
        None => format!("{kind} (`{text}`)"),
    }
}
