//! `gen/data`: the tests, their commands, and their sets.

use super::problem_json::TaskKind;
use anyhow::{Context, Result, bail, ensure};

pub const FILE: &str = "gen/data";

/// A set of tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSet {
    pub name: String,
    /// Whether it is a subtask; otherwise it only counts where it is included.
    pub is_subtask: bool,
    /// Indices of its tests, including those of included sets.
    pub tests: Vec<usize>,
}

/// A test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataTest {
    pub name: String,
    pub origin: DataOrigin,
    /// Its line in the file.
    pub line: usize,
}

/// The origin of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataOrigin {
    /// A file of the source.
    File(String),
    /// A program and its arguments.
    Command(String),
}

/// All sets and tests.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TpsData {
    pub sets: Vec<DataSet>,
    pub tests: Vec<DataTest>,
}

/// Reads the file. The name of a test of an output-only task is its number.
pub fn parse_data(text: &str, kind: TaskKind) -> Result<TpsData> {
    let mut data = TpsData::default();
    let (mut subtasks, mut own_tests) = (0, 0);
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let at = || format!("{FILE}:{line}");
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "@subtask" | "@testset" => {
                ensure!(!rest.is_empty(), "{}: {word} without a name", at());
                let again = data.sets.iter().any(|set| set.name == rest);
                ensure!(!again, "{}: `{rest}` is a set already; put its tests together", at());
                let is_subtask = word == "@subtask";
                subtasks += usize::from(is_subtask);
                own_tests = 0;
                data.sets.push(DataSet { name: rest.to_owned(), is_subtask, tests: Vec::new() });
            }
            "@include" => include_sets(&mut data, rest).with_context(at)?,
            _ if word.starts_with('@') => bail!("{}: `{word}` is none of @subtask, @testset, @include", at()),
            _ => {
                own_tests += 1;
                let number = data.tests.len();
                let set = data.sets.last_mut();
                let set = set.with_context(|| format!("{}: a test before any @subtask or @testset", at()))?;
                let name = match (kind == TaskKind::OutputOnly, set.is_subtask) {
                    (true, _) => format!("{:02}", number + 1),
                    (false, true) => format!("{}-{own_tests:02}", subtasks - 1),
                    (false, false) => format!("{}-{own_tests:02}", set.name),
                };
                set.tests.push(number);
                let origin = read_origin(word, rest, text).with_context(at)?;
                data.tests.push(DataTest { name, origin, line });
            }
        }
    }
    ensure!(!data.tests.is_empty(), "{FILE} names no tests");
    Ok(data)
}

/// The tests that these sets have so far.
fn include_sets(data: &mut TpsData, names: &str) -> Result<()> {
    let Some((last, before)) = data.sets.split_last_mut() else {
        bail!("@include before any @subtask or @testset");
    };
    ensure!(!names.is_empty(), "@include without a name");
    for name in names.split_whitespace() {
        let set = before.iter().find(|set| set.name == name);
        let set = set.with_context(|| format!("@include {name}: there is no such set above"))?;
        let new: Vec<usize> = set.tests.iter().copied().filter(|test| !last.tests.contains(test)).collect();
        last.tests.extend(new);
    }
    Ok(())
}

fn read_origin(word: &str, rest: &str, text: &str) -> Result<DataOrigin> {
    let file = || {
        ensure!(!rest.is_empty() && !rest.contains(char::is_whitespace), "`{word}` takes one file");
        Ok(rest)
    };
    Ok(match word {
        "manual" => DataOrigin::File(below_source("gen/manual", file()?)?),
        "copy" => DataOrigin::File(below_source("gen", file()?)?),
        _ => DataOrigin::Command(text.to_owned()),
    })
}

/// A path relative to a directory, as one of the source.
fn below_source(dir: &str, path: &str) -> Result<String> {
    let mut parts: Vec<&str> = dir.split('/').collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop().with_context(|| format!("{path} is outside of the source"))?),
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_take_in_what_they_include_at_that_moment() {
        let data = parse_data(
            "# Cases\n@subtask samples\nmanual s.in\ncopy ../public/examples/01.in\n\n@testset big\ngen 1 2\n\
             @subtask small\n@include samples\ngen 3\n@subtask full\n@include small big\n  gen 4 # no comment\n",
            TaskKind::Batch,
        )
        .unwrap();
        let names: Vec<&str> = data.tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["0-01", "0-02", "big-01", "1-01", "2-01"]);
        let tests: Vec<&[usize]> = data.sets.iter().map(|set| set.tests.as_slice()).collect();
        assert_eq!(tests, [&[0, 1][..], &[2], &[0, 1, 3], &[0, 1, 3, 2, 4]]);
        assert_eq!(data.tests[0].origin, DataOrigin::File("gen/manual/s.in".into()));
        assert_eq!(data.tests[1].origin, DataOrigin::File("public/examples/01.in".into()));
        assert_eq!(data.tests[4].origin, DataOrigin::Command("gen 4 # no comment".into()));
        let numbered = parse_data("@subtask a\ngen 1\n@subtask b\ngen 2\n", TaskKind::OutputOnly).unwrap();
        assert_eq!(numbered.tests[1].name, "02");
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_line() {
        for (text, part) in [
            ("gen 1\n", "gen/data:1: a test before any"),
            ("@subtask a\ngen 1\n@subtask a\n", "gen/data:3: `a` is a set already"),
            ("@subtask a\n@include b\n", "gen/data:2: @include b: there is no such set"),
            ("@include b\n", "gen/data:1: @include before any"),
            ("@group a\n", "gen/data:1: `@group` is none of"),
            ("@subtask a\nmanual x y\n", "gen/data:2: `manual` takes one file"),
            ("@subtask a\ncopy ../../x\n", "gen/data:2: ../../x is outside"),
            ("@subtask\n", "gen/data:1: @subtask without a name"),
            ("# nothing\n", "names no tests"),
        ] {
            let error = format!("{:#}", parse_data(text, TaskKind::Batch).unwrap_err());
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
