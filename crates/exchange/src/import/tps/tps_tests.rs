//! Tests of the recipe, and subtasks as groups of them.

use super::{
    gen_data::{self, DataOrigin, DataTest, TpsData},
    subtasks_json::{self, TpsSubtasks},
    tps_programs::{TestWorth, generator_command},
};
use crate::import::{
    adapt::ProgramSources,
    draft::{Content, Draft, DraftGroup, DraftTest, InputOrigin, legal_name},
    options::{ImportOptions, Regenerate},
    source::ForeignPackage,
};
use anyhow::{Context, Result, ensure};
use kopek_engine::points::Points;

/// The path of an existing file of a test.
pub fn file_path(name: &str, ending: &str) -> String {
    format!("tests/{name}.{ending}")
}

pub fn add_tests(
    sources: &ProgramSources,
    data: &TpsData,
    subtasks: &TpsSubtasks,
    options: &ImportOptions,
    draft: &mut Draft,
) -> Result<()> {
    for set in data.sets.iter().filter(|set| set.is_subtask) {
        let known = subtasks.all.iter().any(|subtask| subtask.name == set.name);
        ensure!(known, "{}: the subtask `{}` is not in {}", gen_data::FILE, set.name, subtasks_json::FILE);
    }
    let is_in = |index: usize, samples: bool| {
        data.sets.iter().any(|set| {
            let subtask = subtasks.all.iter().find(|subtask| set.is_subtask && subtask.name == set.name);
            set.tests.contains(&index) && subtask.is_some_and(|subtask| subtask.is_samples() == samples)
        })
    };
    let mut copied = 0;
    for (index, test) in data.tests.iter().enumerate() {
        let line = || format!("{}:{}", gen_data::FILE, test.line);
        let (input, answer) = find_input(sources, test, options, draft).with_context(line)?;
        copied +=
            usize::from(matches!((&input, &test.origin), (InputOrigin::File(..), DataOrigin::Command(_))));
        let (sample, secret) = (is_in(index, true), is_in(index, false));
        if !sample && !secret {
            draft.changes.add_loss(line(), format!("test {} is in no subtask", test.name), "it is left out");
        }
        let name = legal_name(&test.name);
        draft.tests.push(DraftTest { name, input, answer, sample, secret, description: None });
    }
    if copied > 0 {
        let what = format!("{copied} tests are made by commands");
        let instead = "their files in tests/ are copied (--regenerate makes them again)";
        draft.changes.add_change(gen_data::FILE, what, instead);
    }
    Ok(())
}

/// The origin of an input, and its existing answer.
fn find_input(
    sources: &ProgramSources,
    test: &DataTest,
    options: &ImportOptions,
    draft: &mut Draft,
) -> Result<(InputOrigin, Option<std::path::PathBuf>)> {
    let source = sources.source;
    let (input, answer) = (file_path(&test.name, "in"), file_path(&test.name, "out"));
    if options.regenerate == Regenerate::Missing && source.has(&input) {
        let answer = source.has(&answer).then(|| source.path_of(&answer)).transpose()?;
        return Ok((InputOrigin::File(source.path_of(&input)?, None), answer));
    }
    let input = match &test.origin {
        DataOrigin::File(path) => InputOrigin::File(source.path_of(path)?, None),
        DataOrigin::Command(command) => {
            if command.contains(['"', '\'', '*', '?']) {
                let what = format!("quotes or wildcards in `{command}`");
                let at = format!("{}:{}", gen_data::FILE, test.line);
                draft.changes.add_change(
                    at,
                    what,
                    "quotes group words as in a shell, wildcards stay as they are",
                );
            }
            InputOrigin::Command(generator_command(sources, command, draft)?)
        }
    };
    Ok((input, None))
}

/// The score of a subtask is the minimum over all tests that it includes.
pub fn add_groups(data: &TpsData, subtasks: &TpsSubtasks, worth: TestWorth, draft: &mut Draft) -> Result<()> {
    let scored: Vec<_> = subtasks.all.iter().filter(|subtask| !subtask.is_samples()).collect();
    let width = scored.len().to_string().len();
    for (number, subtask) in (1..).zip(scored) {
        let set = data.sets.iter().find(|set| set.is_subtask && set.name == subtask.name);
        let Some(set) = set.filter(|set| !set.tests.is_empty()) else {
            let what = format!("subtask `{}` has no tests", subtask.name);
            draft.changes.add_loss(subtasks_json::FILE, what, "it is left out, with its points");
            continue;
        };
        draft.groups.push(DraftGroup {
            name: format!("{number:0width$}-{}", legal_name(&subtask.name)),
            origin: subtask.name.clone(),
            max: Points::from(subtask.score),
            aggregation: if worth == TestWorth::Parts { "min" } else { "pass-fail" },
            require: Vec::new(),
            tests: set.tests.clone(),
            input_args: Vec::new(),
            output_args: Vec::new(),
        });
    }
    ensure!(!draft.groups.is_empty(), "no subtask beside the samples has tests");
    draft.max_score = Some(draft.groups.iter().map(|group| group.max.clone()).sum());
    Ok(())
}

/// Known right outputs, as an accepted submission.
pub fn add_outputs(source: &ForeignPackage, draft: &mut Draft) -> Result<()> {
    for test in &draft.tests {
        let path = file_path(&test.name, "out");
        let answer = source.path_of(&path).with_context(|| {
            format!("an OutputOnly task without {path}; make the tests with `tps gen`, and import again with tests/")
        })?;
        draft.files.insert(format!("submissions/accepted/answers/{}.out", test.name), Content::Lines(answer));
    }
    let what = "solutions that make outputs";
    draft.changes.add_loss("solution", what, "they are left out: the outputs are handed in");
    Ok(())
}
