//! From what is known to what is shown.

use super::Judged;
use crate::{
    package::{Case, Package, TestSet},
    plan::{Build, Row, Trial},
    report::{CaseReport, GroupHead, Kind, PackageReport, RowReport},
    score::Scorecard,
};
use std::{collections::BTreeMap, fs::File, io::Read, path::Path};

/// The report of a package; `files` names what was handed in, by row.
pub fn package_report(
    package: &Package,
    tests: &TestSet,
    judged: &Judged,
    files: &[String],
) -> PackageReport {
    let heads = |card: &Scorecard| {
        card.groups.iter().map(|g| GroupHead { name: g.name.clone(), max: g.max.clone() }).collect()
    };
    let groups: Vec<GroupHead> = judged.cards.first().map_or_else(Vec::new, heads);
    let rows = 0..judged.cards.len();
    PackageReport {
        name: package.name.clone(),
        title: title(package),
        kind: if package.kind.scoring { Kind::Scoring } else { Kind::PassFail },
        time_limit: judged.plan.setting.limits.cpu,
        memory_limit: judged.plan.setting.limits.memory,
        rows: rows.map(|index| row_report(tests, judged, index, &files[index], &groups)).collect(),
        groups,
    }
}

/// English if there is it, else the first.
fn title(package: &Package) -> String {
    let titles = &package.about.titles;
    titles.get("en").or(titles.values().next()).cloned().unwrap_or_default()
}

fn row_report(tests: &TestSet, judged: &Judged, index: usize, file: &str, groups: &[GroupHead]) -> RowReport {
    let row = &judged.plan.rows[index];
    let (build, trials) = match row.program {
        Ok(program) => (judged.graded.builds[program].as_ref(), judged.graded.trials.get(program)),
        Err(_) => (None, None),
    };
    let none = BTreeMap::new();
    RowReport {
        card: judged.cards[index].clone(),
        submission: file.to_owned(),
        language: row.program.as_ref().ok().map(|&p| judged.plan.programs[p].language.code.clone()),
        notes: notes(row, judged),
        same_as: same_as(judged, index),
        compile_message: match build {
            Some(Build::Program { message, .. } | Build::Refused { message }) => message.clone(),
            None => String::new(),
        },
        cases: cases(tests, trials.unwrap_or(&none), groups),
    }
}

fn notes(row: &Row, judged: &Judged) -> Vec<String> {
    let program = match &row.program {
        Ok(program) => *program,
        Err(why) => return vec![why.to_string()],
    };
    let refused = |(group, trial): (&String, &Trial)| {
        let said = format!("static validation of {group}: {}; {}", trial.verdict, trial.judge_message.trim());
        (trial.verdict != crate::verdict::Verdict::Accepted)
            .then(|| said.trim_end_matches([' ', ';']).to_owned())
    };
    judged.graded.statics.get(program).into_iter().flatten().filter_map(refused).collect()
}

/// Another row with the same program.
fn same_as(judged: &Judged, index: usize) -> Option<String> {
    let rows = &judged.plan.rows;
    let program = rows[index].program.as_ref().ok()?;
    let same = |(other, row): &(usize, &Row)| *other != index && row.program.as_ref() == Ok(program);
    rows.iter().enumerate().find(same).map(|(_, row)| row.name.clone())
}

fn cases(tests: &TestSet, trials: &BTreeMap<usize, Trial>, groups: &[GroupHead]) -> Vec<CaseReport> {
    let shown = |(index, case): (usize, &Case)| {
        let trial = trials.get(&index).cloned();
        let bad = trial.as_ref().is_some_and(|t| t.verdict != crate::verdict::Verdict::Accepted);
        CaseReport {
            name: case.name.clone(),
            group: column(&case.name, groups),
            trial,
            full_feedback: case.full_feedback,
            hint: case.hint.clone(),
            input: if bad { beginning(&case.input) } else { None },
            answer: if bad { beginning(&case.answer) } else { None },
        }
    };
    tests.cases.iter().enumerate().map(shown).collect()
}

/// The group that a case counts in: the longest name that it lies below.
fn column(case: &str, groups: &[GroupHead]) -> String {
    let holds = |group: &&GroupHead| case.strip_prefix(&group.name).is_some_and(|rest| rest.starts_with('/'));
    groups.iter().filter(holds).map(|group| group.name.clone()).max_by_key(String::len).unwrap_or_default()
}

/// As much of a file as a person would look at.
const BEGINNING: u64 = 2 << 10;

fn beginning(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(BEGINNING).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
