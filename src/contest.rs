//! Reads the problems of a contest from its file: `problems.yaml`, `problemset.yaml` or `contest.yaml` of
//! DOMjudge and other tools, with labels and colours of balloons.

use crate::{
    base::files,
    package::yaml::{YamlNode, YamlValue, emit, parse_text},
};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contest {
    /// Its name, if the file gives one.
    pub name: Option<String>,
    /// Its problems, in contest order.
    pub problems: Vec<ContestProblem>,
}

/// A problem of a contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContestProblem {
    /// Its label for contestants: `A`.
    pub label: String,
    pub id: String,
    /// The balloon's colour, `#ff0000` or a name.
    pub colour: Option<String>,
    /// The directory of its package.
    #[serde(skip)]
    pub dir: PathBuf,
}

/// The keys of lists in a file, and the files with a list.
const LISTS: [&str; 2] = ["problems", "problemset"];
const FILES: [&str; 3] = ["problems.yaml", "problemset.yaml", "contest.yaml"];

/// Reads a contest from its file, or from a directory with such a file.
pub fn read_contest(path: &Path) -> Result<Contest> {
    let act = || format!("read contest {}", path.display());
    let file = if path.is_dir() { file_in(path).with_context(act)? } else { path.to_owned() };
    let root = read_yaml(&file).with_context(act)?;
    let home = files::directory_of(&file).to_owned();
    let name = contest_name(&root).or_else(|| contest_name(&read_yaml(&home.join(FILES[2])).ok()?));
    let ProblemList { file, entries } = problem_list(&file, &home, root).with_context(act)?;
    let problems = entries.iter().enumerate().map(|(at, node)| read_problem(at, node, &home));
    let in_file = || format!("read {}", file.display());
    let problems = problems.collect::<Result<Vec<_>>>().with_context(in_file)?;
    check_unique(&problems).with_context(in_file)?;
    Ok(Contest { name, problems })
}

/// Whether a directory is that of a contest, and not of a package.
pub fn is_contest(dir: &Path) -> bool {
    !dir.join("problem.yaml").exists() && file_in(dir).is_ok()
}

fn file_in(dir: &Path) -> Result<PathBuf> {
    let found = FILES.iter().map(|name| dir.join(name)).find(|file| file.is_file());
    found.with_context(|| format!("no {} in this directory", FILES.join(", ")))
}

fn read_yaml(file: &Path) -> Result<YamlNode> {
    let text = fs::read_to_string(file).with_context(|| format!("read {}", file.display()))?;
    let mut findings = Vec::new();
    let node = parse_text(file, &text, &mut findings);
    match (node, findings.first()) {
        (Some(node), None) => Ok(node),
        (_, Some(finding)) => bail!("{finding}"),
        (None, None) => bail!("{}: not YAML", file.display()),
    }
}

fn contest_name(root: &YamlNode) -> Option<String> {
    ["name", "formal_name", "formal-name"].iter().find_map(|key| name_text(root.get(key)?))
}

/// A text, or the English entry of a map by language.
fn name_text(node: &YamlNode) -> Option<String> {
    let text = node.text().or_else(|| node.get("en")?.text());
    text.map(str::to_owned)
}

/// The problems of a contest, and the file that lists them.
struct ProblemList {
    file: PathBuf,
    entries: Vec<YamlNode>,
}

/// The list of problems, from this file or the one next to it.
fn problem_list(file: &Path, home: &Path, root: YamlNode) -> Result<ProblemList> {
    let own = LISTS.iter().find_map(|key| root.get(key).cloned());
    if let YamlValue::List(entries) = own.unwrap_or(root).value {
        return Ok(ProblemList { file: file.to_owned(), entries });
    }
    let mut others = FILES[..2].iter().map(|name| home.join(name));
    let beside = others.find(|other| other.is_file() && other != file);
    let Some(beside) = beside else {
        bail!(
            "no list `problems` and no problems.yaml beside it; write `problems:` with `- id: NAME` for \
                each problem"
        );
    };
    match read_yaml(&beside)?.value {
        YamlValue::List(entries) => Ok(ProblemList { file: beside, entries }),
        _ => bail!("{}: not a list of problems", beside.display()),
    }
}

fn read_problem(at: usize, node: &YamlNode, home: &Path) -> Result<ContestProblem> {
    let line = node.line;
    let word = |keys: &[&str]| keys.iter().find_map(|key| node.get(key)?.text().map(str::to_owned));
    // A plain name is also a problem.
    let id =
        node.text().map(str::to_owned).or_else(|| word(&["id", "short-name", "short_name", "directory"]));
    let Some(id) = id else { bail!("line {line}: a problem without `id`; write the name of its directory") };
    let dir = home.join(&id);
    if !dir.join("problem.yaml").is_file() {
        bail!("line {line}: problem `{id}`: no package at {}", dir.display());
    }
    let label = word(&["label", "letter"]).unwrap_or_else(|| label_at(at));
    let legal = |letter: char| letter.is_ascii_alphanumeric() || "-_.#".contains(letter);
    if label.is_empty() || !label.chars().all(legal) {
        bail!("line {line}: `{}` is not a label; write letters and digits", label.escape_debug());
    }
    let colour = word(&["rgb", "color", "colour"]);
    if let Some(colour) = colour.as_ref().filter(|colour| !colour.chars().all(|c| legal(c) || c == ' ')) {
        bail!("line {line}: `{}` is not a colour; write '#ff0000', or a name", colour.escape_debug());
    }
    Ok(ContestProblem { label, id, colour, dir })
}

/// A, B, … Z, AA, AB …
pub(crate) fn label_at(at: usize) -> String {
    let last = char::from(b'A' + u8::try_from(at % 26).unwrap_or(0));
    match at / 26 {
        0 => last.to_string(),
        more => label_at(more - 1) + &last.to_string(),
    }
}

fn check_unique(problems: &[ContestProblem]) -> Result<()> {
    let mut labels = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for one in problems {
        if !ids.insert(&one.id) {
            bail!("problem `{}` is named twice", one.id);
        }
        if !labels.insert(&one.label) {
            bail!("label `{}` is used twice, the second time for `{}`", one.label, one.id);
        }
    }
    if problems.is_empty() {
        bail!("the list of problems is empty");
    }
    Ok(())
}

/// Writes the list for DOMjudge's import, for zips named like the problems.
pub fn write_problem_list(file: &Path, problems: &[(&ContestProblem, String)]) -> Result<()> {
    let entry = |(problem, name): &(&ContestProblem, String)| {
        let mut entries = vec![
            ("id", YamlNode::quoted_string(&problem.id)),
            ("label", YamlNode::quoted_string(&problem.label)),
            ("name", YamlNode::quoted_string(name)),
        ];
        let key = problem.colour.as_ref().map(|colour| if colour.starts_with('#') { "rgb" } else { "color" });
        entries.extend(key.zip(problem.colour.as_ref().map(|colour| YamlNode::quoted_string(colour))));
        YamlNode::map(entries)
    };
    let list = YamlValue::List(problems.iter().map(entry).collect());
    files::write_atomic(file, emit(&YamlNode::new(1, list)).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        for name in ["ham", "eggs"] {
            fs::create_dir(home.path().join(name)).unwrap();
            fs::write(home.path().join(name).join("problem.yaml"), "name: x\n").unwrap();
        }
        home
    }

    fn read(home: &tempfile::TempDir, file: &str, text: &str) -> Result<Vec<String>> {
        let path = home.path().join(file);
        fs::write(&path, text).unwrap();
        let shown =
            |one: ContestProblem| format!("{} {} {}", one.label, one.id, one.colour.unwrap_or_default());
        let contest = read_contest(&path);
        fs::remove_file(&path).unwrap();
        Ok(contest?.problems.into_iter().map(shown).collect())
    }

    #[test]
    fn lists_of_all_tools_are_read() {
        let home = home();
        let expected = ["X eggs #ff0000", "B ham blue"];
        for (file, text) in [
            (
                "problems.yaml",
                "- {id: eggs, label: X, rgb: '#ff0000', color: red}\n- {id: ham, label: B, color: blue}\n",
            ),
            (
                "contest.yaml",
                "name: C\nproblems:\n- {id: eggs, label: X, rgb: '#ff0000'}\n- {id: ham, color: blue}\n",
            ),
            (
                "contest.yaml",
                "problemset:\n- {letter: X, short-name: eggs, rgb: '#ff0000'}\n- {letter: B, short-name: ham, color: blue}\n",
            ),
        ] {
            assert_eq!(read(&home, file, text).unwrap(), expected, "{text}");
        }
        assert_eq!(read(&home, "problems.yaml", "- ham\n- eggs\n").unwrap(), ["A ham ", "B eggs "]);
        fs::write(home.path().join("problems.yaml"), "- id: ham\n").unwrap();
        assert_eq!(read(&home, "contest.yaml", "name: {en: Two}\n").unwrap(), ["A ham "], "beside");
        assert_eq!(read_contest(home.path()).unwrap().problems.len(), 1, "in a directory");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let home = home();
        for (text, expected) in [
            ("- id: ham\n- id: spam\n", "line 2: problem `spam`: no package at"),
            ("- label: A\n", "line 1: a problem without `id`"),
            ("- ham\n- ham\n", "problem `ham` is named twice"),
            ("- {id: ham, label: B}\n- eggs\n", "label `B` is used twice"),
            ("- {id: ham, label: 'A/B'}\n", "is not a label"),
            ("[]\n", "the list of problems is empty"),
            ("name: x\n", "no list `problems`"),
        ] {
            let error = format!("{:#}", read(&home, "problems.yaml", text).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!([0, 25, 26, 51, 52].map(label_at), ["A", "Z", "AA", "AZ", "BA"]);
    }
}
