//! Turns a judged cohort into the report of its package.

use super::{
    facts::{JudgedCohort, MemoryEvidence},
    noise::NoiseFacts,
    own_names::OwnNames,
};
use kopek_base::{Digest, DigestFields, files};
use kopek_package::{
    language::{FileBytes, SourceFiles},
    package::{Case, CaseDecision, Extras, Group, Package, Subject, TestSet, case_extras, files_below},
    verdict::Verdict,
};
use kopek_plan::{
    plan::{Build, Plan, Row, Trial, Unplanned},
    score::case_points,
};
use kopek_results::{
    CaseReport, DataDigests, GroupHead, MemoryMistake, Note, PackageReport, ResultKind, RowReport,
};
use kopek_sentences::{Names, Said};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The report of a package: a row per participant, in the cohort's order.
pub fn package_report(package: &Package, tests: &TestSet, judged: &JudgedCohort) -> PackageReport {
    let groups = group_heads(judged);
    let rows = 0..judged.cards.len();
    let shown = VisibleTests { package, tests };
    PackageReport {
        name: package.name.clone(),
        uuid: package.about.uuid.clone(),
        title: english_title(package),
        kind: if tests.gives_points(package) { ResultKind::Scoring } else { ResultKind::PassFail },
        time_limit: judged.plan.setting.limits.cpu,
        memory_limit: judged.plan.setting.limits.memory,
        noise: NoiseFacts::of(judged).noise(),
        data: Some(data_digests(package, tests, &judged.plan)),
        excluded: Vec::new(),
        rows: rows.map(|index| row_report(&shown, judged, index, &groups)).collect(),
        groups,
    }
}

fn data_digests(package: &Package, tests: &TestSet, plan: &Plan) -> DataDigests {
    // Long enough to tell cases apart, short enough for a report.
    let short = |digest: &Digest| digest.to_string().chars().take(16).collect::<String>();
    let cases = plan.case_digests().map(|(name, digest)| (name.to_owned(), short(digest)));
    let setting = setting_digest(package, tests, plan);
    let whole = DigestFields::new("data").with("cases", plan.data_digest().as_bytes());
    DataDigests {
        whole: whole.with("setting", setting.as_bytes()).digest().to_string(),
        setting: short(&setting),
        cases: cases.collect(),
    }
}

/// Changes with all that decides points besides the cases and the hand-ins.
fn setting_digest(package: &Package, tests: &TestSet, plan: &Plan) -> Digest {
    let Package { include, static_validator, grader, .. } = package;
    let mut fields = DigestFields::new("setting of a report")
        .with("trials", plan.setting_digest().as_bytes())
        .with("scoring", &[u8::from(tests.gives_points(package))]);
    add_rules(&tests.root, &mut fields);
    let programs = [static_validator, grader].into_iter().flatten().map(|program| &program.source);
    for SourceFiles { root, files } in include.values().chain(programs) {
        for file in files {
            let name = file.to_string_lossy();
            fields.add(&name, &fs::read(root.join(file)).unwrap_or_default());
        }
    }
    fields.digest()
}

/// Not the members: a case that is left out is no other rule.
fn add_rules(group: &Group, fields: &mut DigestFields) {
    fields.add(&group.name, format!("{:?}", group.rule).as_bytes());
    group.groups().for_each(|inner| add_rules(inner, fields));
}

/// The groups of any scorecard: all scorecards have the same.
fn group_heads(judged: &JudgedCohort) -> Vec<GroupHead> {
    let mut heads = Vec::new();
    if let Some(card) = judged.cards.first() {
        heads
            .extend(card.groups.iter().map(|one| GroupHead { name: one.name.clone(), max: one.max.clone() }));
    }
    heads
}

/// The English title, else the first one.
fn english_title(package: &Package) -> String {
    let titles = &package.about.titles;
    let title = titles.get("en").or(titles.values().next());
    title.cloned().unwrap_or_default()
}

fn row_report(shown: &VisibleTests, judged: &JudgedCohort, index: usize, groups: &[GroupHead]) -> RowReport {
    let row = &judged.plan.rows[index];
    let (build, trials) = match row.program {
        Ok(program) => (judged.graded.builds[program].as_ref(), judged.graded.trials.get(program)),
        Err(_) => (None, None),
    };
    let names = OwnNames::of_row(&judged.plan, row);
    let none = BTreeMap::new();
    let known = KnownCases {
        trials: trials.unwrap_or(&none),
        decided: &|case| judged.graded.decided.get(&(*row.program.as_ref().ok()?, case)).cloned(),
    };
    RowReport {
        card: judged.cards[index].clone(),
        program: row.program.as_ref().ok().map(|&p| judged.plan.programs[p].digest.to_string()),
        file: row.participant.file.clone(),
        source: own_source(row),
        hand_in: row.participant.hand_in.clone(),
        by_hand: None,
        late_steps: None,
        deduction: None,
        language: row.program.as_ref().ok().map(|&p| judged.plan.programs[p].language.code.clone()),
        notes: row_notes(row, judged),
        same_as: first_twin(judged, index),
        memory_mistake: memory_mistake(judged, row, &names),
        growth: None,
        slow_input: None,
        compile_message: match build {
            Some(Build::Program { message, .. } | Build::Refused { message }) => names.in_message(message),
            None => String::new(),
        },
        cases: case_reports(shown, known, groups, &names),
    }
}

/// What other builds say of the program.
fn memory_mistake(judged: &JudgedCohort, row: &Row, names: &OwnNames) -> Option<MemoryMistake> {
    let run = judged.graded.checked.get(row.program.as_ref().ok()?)?;
    let warnings = names.in_message(&run.warnings);
    let mistake = match &run.evidence {
        MemoryEvidence::UnsetVariable => MemoryMistake::of_unset_variable(&warnings),
        MemoryEvidence::Sanitizers(stderr) => {
            MemoryMistake::read(&names.in_output(stderr), &warnings, &names.own())?
        }
    };
    Some(MemoryMistake { case: judged.plan.cases[run.case].name.to_string(), ..mistake })
}

/// The files of the program, if it was read from a hand-in.
fn own_source(row: &Row) -> FileBytes {
    let submission = row.participant.submission.as_ref().ok();
    submission.and_then(|submission| submission.contents.clone()).unwrap_or_default()
}

/// Why a submission was refused, or which static validations it failed.
fn row_notes(row: &Row, judged: &JudgedCohort) -> Vec<Note> {
    let of_hand_in = row.participant.hand_in.notes.iter().cloned();
    let mut notes: Vec<Note> = of_hand_in.map(|said| Note::new(Subject::Whole, said)).collect();
    let program = match &row.program {
        Ok(program) => *program,
        Err(why) => {
            notes.insert(0, why_without_program(why));
            return notes;
        }
    };
    for (group, trial) in judged.graded.statics.get(program).into_iter().flatten() {
        if trial.verdict != Verdict::Accepted {
            let state = Said::from(trial.verdict).into();
            let mut parts = vec![Said::StaticFailed { group: group.to_string(), state }];
            let message = trial.judge_message.trim().to_owned();
            if !message.is_empty() {
                parts.push(Said::foreign(message));
            }
            notes.push(Note::new(Subject::Whole, Said::Several { parts }));
        }
    }
    let left_out = &row.participant.hand_in.left_out;
    let mut trials = judged.graded.trials.get(program).into_iter().flat_map(BTreeMap::values);
    if !left_out.is_empty() && trials.any(|trial| trial.verdict == Verdict::RunTimeError) {
        let said = Said::RunWithout { files: Names::first(left_out, 5) };
        notes.push(Note::new(Subject::Whole, said));
    }
    notes
}

fn why_without_program(why: &Unplanned) -> Note {
    match why {
        Unplanned::Refused(why) | Unplanned::Foreign(why) => Note::new(Subject::Whole, why.clone()),
        Unplanned::OtherVersion(why) | Unplanned::Undecided(why) | Unplanned::Ours(why) => {
            Note::for_teacher(format!("not judged: {why}"))
        }
        Unplanned::NoToolchain(missing) if missing.absent => {
            Note::for_teacher(format!("not judged: {} is not installed here", missing.name))
        }
        Unplanned::NoToolchain(missing) => Note::for_teacher(format!("not judged: {}", missing.what)),
    }
}

/// Name of the first other participant with the same program.
fn first_twin(judged: &JudgedCohort, index: usize) -> Option<String> {
    let rows = &judged.plan.rows;
    let program = rows[index].program.as_ref().ok()?;
    let group = &rows[index].participant.hand_in.group;
    let name = &rows[index].participant.name;
    // Members of a team, and attempts of the same person, share a program legitimately.
    let apart = |row: &Row| {
        row.participant.name != *name && (group.is_none() || row.participant.hand_in.group != *group)
    };
    let same =
        |(other, row): &(usize, &Row)| *other != index && row.program.as_ref() == Ok(program) && apart(row);
    let (_, twin) = rows.iter().enumerate().find(same)?;
    Some(twin.participant.name.clone())
}

/// The results of the cases of a row.
struct KnownCases<'a> {
    trials: &'a BTreeMap<usize, Trial>,
    decided: &'a dyn Fn(usize) -> Option<CaseDecision>,
}

/// A test set and the visibility of its files.
struct VisibleTests<'a> {
    package: &'a Package,
    tests: &'a TestSet,
}

impl VisibleTests<'_> {
    /// Input and answer of a case as its package shows them; a dialogue replaces both.
    fn files_of(&self, case: &Case) -> [Option<PathBuf>; 2] {
        let mut beside = Extras::default();
        if case.full_feedback {
            beside = case_extras(self.package, case).unwrap_or_default();
        }
        if let (None, Some(dialogue)) = (&beside.input_shown, beside.interaction) {
            return [Some(dialogue), None];
        }
        let answer = beside.answer_shown.or(beside.output).unwrap_or_else(|| case.answer.clone());
        [Some(beside.input_shown.unwrap_or_else(|| case.input.clone())), Some(answer)]
    }

    /// Names of the files below the `.files` directory of a case.
    fn names_of_files(&self, case: &Case) -> Vec<String> {
        if case.files.is_none() {
            return Vec::new();
        }
        let dir = Path::new("data").join(format!("{}.files", case.name));
        let found = files_below(self.package, &dir, &mut Vec::new()).unwrap_or_default();
        found.iter().map(|path| path.display().to_string()).collect()
    }
}

fn case_reports(
    shown: &VisibleTests,
    KnownCases { trials, decided }: KnownCases,
    groups: &[GroupHead],
    names: &OwnNames,
) -> Vec<CaseReport> {
    let with_names = |trial: &Trial| Trial { stderr: names.in_output(&trial.stderr), ..trial.clone() };
    let case_report = |index: usize| {
        let case = &shown.tests.cases[index];
        let trial = trials.get(&index).map(with_names);
        let failed = trial.as_ref().is_some_and(|t| t.verdict != Verdict::Accepted);
        // Only failed cases show their files: reading all of them would cost more than the report.
        let paths = if failed { shown.files_of(case) } else { [None, None] };
        let [input, answer] = paths.map(|path| beginning_of_file(&path?));
        let args = if failed { case.arguments.args.clone() } else { Vec::new() };
        let files = if failed { shown.names_of_files(case) } else { Vec::new() };
        CaseReport {
            name: case.name.clone(),
            group: group_of_case(&case.name, groups),
            points: trial.as_ref().and_then(|trial| case_points(shown.tests, index, trial.score.as_ref()?)),
            trial,
            // It may have been made on an equal case.
            decided: decided(index).map(|decision| CaseDecision { case: case.name.clone(), ..decision }),
            full_feedback: case.full_feedback,
            hint: case.hint.clone(),
            args,
            files,
            input,
            input_path: Some(case.input.clone()),
            answer,
        }
    };
    // The author looks at the own cases first.
    let order = [shown.tests.own_cases(), shown.tests.package_cases()].concat();
    order.into_iter().map(case_report).collect()
}

/// The group in which a case counts: the longest group name that contains it.
fn group_of_case(case: &str, groups: &[GroupHead]) -> String {
    let holds = |group: &&GroupHead| case.strip_prefix(&group.name).is_some_and(|rest| rest.starts_with('/'));
    // Names of groups nest: `secret` contains the cases of `secret/1`, too.
    let names = groups.iter().filter(holds).map(|group| &group.name);
    names.max_by_key(|name| name.len()).cloned().unwrap_or_default()
}

/// How much of a file is shown, in bytes.
const BEGINNING: u64 = 2 << 10;

fn beginning_of_file(path: &Path) -> Option<String> {
    Some(String::from_utf8_lossy(&files::read_beginning(path, BEGINNING).ok()?).into_owned())
}
