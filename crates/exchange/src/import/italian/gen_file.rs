//! `gen/GEN`: the tests and subtasks of a task.

use super::task_yaml::ItalianTask;
use crate::import::source::ForeignPackage;
use anyhow::{Context, Result, bail, ensure};

pub const FILE: &str = "gen/GEN";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subtask {
    /// Points; `None`: all tests have equal shares of the points.
    pub points: Option<u64>,
    /// `#STNAME:`.
    pub name: Option<String>,
    /// `#STDEP:`: names, or patterns of them.
    pub needs: Vec<String>,
    pub tests: Vec<TestLine>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestLine {
    Arguments(String),
    Copy(String),
    Unsaid,
}

/// The path of a test's input.
pub fn input_path(number: usize) -> String {
    format!("input/input{number}.txt")
}

/// The number in the name of an input.
fn input_number(name: &str) -> Option<usize> {
    name.strip_prefix("input")?.strip_suffix(".txt")?.parse().ok()
}

pub fn read(source: &ForeignPackage, task: &ItalianTask) -> Result<Vec<Subtask>> {
    if source.has(FILE) {
        return parse_subtasks(&source.read_text(FILE)?);
    }
    let there = (0..).take_while(|number| source.has(&input_path(*number))).count();
    let counted: usize = task.parameters.iter().map(|(_, tests)| tests).sum();
    let stated = task.inputs.unwrap_or_default().max(counted);
    let highest = source.names_in("input").filter_map(input_number).max().map_or(0, |last| last + 1);
    ensure!(stated.max(highest) > 0, "there is neither {FILE} nor {}: no tests", input_path(0));
    ensure!(
        there >= stated.max(highest),
        "{} is missing: the task has {} tests without {FILE}, so each needs its input; add it, and import again",
        input_path(there),
        stated.max(highest)
    );
    if task.parameters.is_empty() {
        return Ok(vec![Subtask { tests: vec![TestLine::Unsaid; there], ..Subtask::default() }]);
    }
    ensure!(
        counted == there,
        "{}: score_type_parameters count {counted} tests, but input/ holds {there}",
        task.file
    );
    let mut subtasks = Vec::new();
    for (points, tests) in &task.parameters {
        let tests = vec![TestLine::Unsaid; *tests];
        subtasks.push(Subtask { points: Some(*points), tests, ..Subtask::default() });
    }
    Ok(subtasks)
}

fn parse_subtasks(text: &str) -> Result<Vec<Subtask>> {
    let mut subtasks: Vec<Subtask> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let at = || format!("{FILE}:{number}");
        let (arguments, comment) =
            line.split_once('#').map_or((line, ""), |(arguments, comment)| (arguments, comment.trim()));
        let arguments = arguments.trim();
        let order = ["ST", "STNAME", "STDEP", "COPY"]
            .into_iter()
            .find_map(|key| Some((key, comment.strip_prefix(key)?.strip_prefix(':')?.trim())));
        if order.is_some() && !arguments.is_empty() {
            bail!("{}: a test and an order on one line: `{}`", at(), line.trim());
        }
        match order {
            Some(("ST", points)) => {
                let points =
                    points.parse().ok().with_context(|| format!("{}: {points:?} are not points", at()))?;
                let before = subtasks.first().is_some_and(|first| first.points.is_none());
                ensure!(!before, "{}: tests stand before the first subtask", at());
                subtasks.push(Subtask { points: Some(points), ..Subtask::default() });
            }
            Some(("STNAME", name)) => last_subtask(&mut subtasks, &at)?.name = Some(name.to_owned()),
            Some(("STDEP", names)) => {
                let names = names.split_whitespace().map(str::to_owned);
                last_subtask(&mut subtasks, &at)?.needs.extend(names);
            }
            Some((_, path)) => last_tests(&mut subtasks).push(TestLine::Copy(path.to_owned())),
            None if arguments.is_empty() => {}
            None => last_tests(&mut subtasks).push(TestLine::Arguments(arguments.to_owned())),
        }
    }
    ensure!(subtasks.iter().any(|subtask| !subtask.tests.is_empty()), "{FILE} names no tests");
    Ok(subtasks)
}

fn last_subtask<'a>(subtasks: &'a mut [Subtask], at: &dyn Fn() -> String) -> Result<&'a mut Subtask> {
    subtasks.last_mut().with_context(|| format!("{}: there is no subtask yet: `#ST:` comes first", at()))
}

/// Tests of the last subtask; without subtasks, of the whole task.
fn last_tests(subtasks: &mut Vec<Subtask>) -> &mut Vec<TestLine> {
    if subtasks.is_empty() {
        subtasks.push(Subtask::default());
    }
    &mut subtasks.last_mut().expect("one was added if there was none").tests
}

#[cfg(test)]
mod tests_of_plan {
    use super::*;

    #[test]
    fn comments_open_subtasks_and_name_files() {
        let plan = parse_subtasks(
            "# Cases\n#ST: 0\n#COPY: gen/s.txt\n\n#ST:40\n#STNAME: small\n#STDEP: a b\n1 2 # x\n3\n",
        )
        .unwrap();
        assert_eq!(plan[0].tests, [TestLine::Copy("gen/s.txt".into())]);
        assert_eq!((plan[1].points, plan[1].name.as_deref()), (Some(40), Some("small")));
        assert_eq!(plan[1].needs, ["a", "b"]);
        assert_eq!(plan[1].tests, [TestLine::Arguments("1 2".into()), TestLine::Arguments("3".into())]);
        assert_eq!(parse_subtasks("1\n2\n").unwrap()[0].points, None);
    }

    #[test]
    fn what_makes_no_sense_is_told_with_its_line() {
        for (text, part) in [
            ("1\n#ST: 5\n", "gen/GEN:2: tests stand before"),
            ("#ST: many\n", "gen/GEN:1: \"many\" are not points"),
            ("1 #ST: 5\n", "gen/GEN:1: a test and an order"),
            ("#STNAME: a\n", "gen/GEN:1: there is no subtask yet"),
            ("# nothing\n", "names no tests"),
        ] {
            let error = parse_subtasks(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
