//! Reads the tests that the plug-in CPH keeps for a solution: `.cph/.FILE_HASH.prob` next to it.

use super::SolutionLimits;
use anyhow::{Context, Result, bail};
use kopek_base::Bytes;
use kopek_package::package::{LooseCase, LooseCases};
use serde::Deserialize;
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// The folder of the plug-in's files.
const FOLDER: &str = ".cph";

/// A problem of the plug-in, with the fields that kopek uses.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorProblem {
    /// The file it is in.
    #[serde(skip)]
    pub(super) file: PathBuf,
    /// Whether the problem is interactive.
    #[serde(default)]
    pub(super) interactive: bool,
    /// In milliseconds.
    time_limit: Option<f64>,
    /// In MB.
    memory_limit: Option<f64>,
    src_path: Option<PathBuf>,
    tests: Vec<EditorTest>,
}

#[derive(Debug, Clone, Deserialize)]
struct EditorTest {
    input: String,
    #[serde(default)]
    output: String,
}

impl EditorProblem {
    /// The problem of this solution, if the plug-in has one.
    pub(super) fn find(solution: &Path) -> Result<Option<EditorProblem>> {
        let Some(name) = solution.file_name().map(|name| name.to_string_lossy().into_owned()) else {
            return Ok(None);
        };
        let whole = solution.canonicalize().unwrap_or_else(|_| solution.to_owned());
        let mut best: Option<(bool, SystemTime, EditorProblem)> = None;
        for file in problem_files(&solution.with_file_name(FOLDER), &name)? {
            let problem = read_problem(file)?;
            // The hash is of the path, so after a move only the name matches.
            let path = problem.src_path.clone().unwrap_or_else(|| whole.clone());
            if path.file_name() != whole.file_name() {
                continue;
            }
            let changed = fs::metadata(&problem.file).and_then(|data| data.modified());
            let rank = (path == whole, changed.unwrap_or(SystemTime::UNIX_EPOCH));
            if best.as_ref().is_none_or(|(exact, time, _)| rank > (*exact, *time)) {
                best = Some((rank.0, rank.1, problem));
            }
        }
        Ok(best.map(|(.., problem)| problem))
    }

    pub(super) fn limits(&self) -> SolutionLimits {
        SolutionLimits {
            time: positive(self.time_limit).map(|ms| Duration::from_secs_f64(ms / 1e3)),
            memory: positive(self.memory_limit).map(|mb| Bytes::mib(mb.ceil() as u64)),
            slowdown: None,
        }
    }

    /// Writes the tests below a directory. A test without an output has no answer.
    pub(super) fn write_tests(&self, dir: &Path) -> Result<LooseCases> {
        let mut found = LooseCases::default();
        let act = || format!("write the tests of {}", self.file.display());
        fs::create_dir_all(dir).with_context(act)?;
        for (number, test) in (1..).zip(&self.tests) {
            let input = dir.join(format!("{number}.in"));
            fs::write(&input, &test.input).with_context(act)?;
            if test.output.is_empty() {
                found.unanswered.push(PathBuf::from(format!("test {number} of {}", self.file.display())));
                continue;
            }
            let answer = dir.join(format!("{number}.out"));
            fs::write(&answer, &test.output).with_context(act)?;
            found.pairs.push(LooseCase { name: number.to_string(), input, answer });
        }
        Ok(found)
    }
}

fn positive(number: Option<f64>) -> Option<f64> {
    number.filter(|number| (1.0..1e7).contains(number))
}

/// `.a.cpp_HASH.prob` for `a.cpp`.
fn problem_files(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read = || fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>();
    let entries = read().with_context(|| format!("read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).collect();
    files.retain(|file| {
        let own = file.file_name().unwrap_or_default().to_string_lossy();
        own.strip_prefix(&format!(".{name}_")).is_some_and(|rest| rest.ends_with(".prob"))
    });
    files.sort();
    Ok(files)
}

fn read_problem(file: PathBuf) -> Result<EditorProblem> {
    let text = fs::read(&file).with_context(|| format!("read {}", file.display()))?;
    match serde_json::from_slice(&text) {
        Ok(problem) => Ok(EditorProblem { file, ..problem }),
        Err(why) => bail!(
            "{}: not a problem file of the CPH plugin ({why}); remove it, or name a directory of tests",
            file.display()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_problem_of_a_solution_is_known_by_the_path_in_it() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(FOLDER)).unwrap();
        let solution = dir.path().join("a.cpp");
        fs::write(&solution, "").unwrap();
        let put = |hash: &str, path: &Path, output: &str| {
            let problem = serde_json::json!({"name": "A", "tests": [{"id": 1, "input": "1\n", "output": output},
                {"id": 2, "input": "2\n", "output": ""}], "timeLimit": 1500, "memoryLimit": 256, "srcPath": path});
            fs::write(dir.path().join(FOLDER).join(format!(".a.cpp_{hash}.prob")), problem.to_string())
                .unwrap();
        };
        assert!(EditorProblem::find(&solution).unwrap().is_none());
        put("1", &solution.canonicalize().unwrap(), "here\n");
        put("2", Path::new("/elsewhere/a.cpp"), "moved\n");
        put("3", Path::new("/elsewhere/b.cpp"), "another\n");
        let found = EditorProblem::find(&solution).unwrap().unwrap();
        assert_eq!(found.limits().time, Some(Duration::from_millis(1500)));
        assert_eq!(found.limits().memory, Some(Bytes::mib(256)));
        let tests = found.write_tests(&dir.path().join("aside")).unwrap();
        assert_eq!((tests.pairs.len(), tests.unanswered.len()), (1, 1));
        assert_eq!(fs::read_to_string(&tests.pairs[0].answer).unwrap(), "here\n");
        fs::write(dir.path().join(FOLDER).join(".a.cpp_0.prob"), "[").unwrap();
        let error = EditorProblem::find(&solution).unwrap_err().to_string();
        assert!(error.contains("not a problem file of the CPH plugin"), "{error}");
    }
}
