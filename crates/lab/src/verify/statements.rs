//! What statements say: the points of groups, and the samples and figures that they ask for.

use super::{
    checked::Checked,
    verification::{FlatGroup, Verification, flat_groups},
};
use kopek_base::wording::counted;
use kopek_package::{
    language::TESTLIB_HEADER,
    package::{Format, Group, Message, Package, Rule, fill_constants},
    points::Points,
};
use regex_lite::Regex;
use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

/// The header of a column of points, in the languages of most statements.
static POINTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:max(?:imum|imal|\.)?\W?)?(?:points?|scores?|pts|punkte|punktzahl|puntos|puntaje|puntuación|punti|punteggio|pontos|pontuação|poäng|punkty|очки|баллы)\.?$")
        .expect("a fixed pattern")
});

/// The header of a column of groups; without it, the first column is used.
static GROUPS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:sub-?tasks?|(?:test ?)?groups?|teilaufgaben?|gruppen?|grupp|batch|subtareas?|#)$")
        .expect("a fixed pattern")
});

/// A row of a table with the points of a group.
#[derive(Debug, PartialEq, Eq)]
struct PointsRow {
    line: u32,
    group: u32,
    points: Points,
}

/// A statement in Markdown or TeX.
pub(super) struct StatementText {
    /// Its path in the package.
    pub(super) file: String,
    /// Its text, with `{{name}}` for constants.
    pub(super) template: String,
    /// Its text, with constants filled in.
    pub(super) text: String,
}

/// Compares every table that has a column of points.
pub(super) fn check_stated_points(bench: &Verification, statements: &[StatementText]) -> Checked {
    let Verification { package, tests, .. } = *bench;
    let mut checked = Checked::default();
    if !package.kind.scoring {
        return checked;
    }
    let groups = flat_groups(tests);
    let mut compared = 0;
    for StatementText { file, text, .. } in statements {
        for PointsRow { line, group, points } in points_rows(text) {
            let Some(group) = group_with_number(&groups, group) else { continue };
            let worth = group_named(&tests.root, &group.name).and_then(|one| worth_of(&one.rule));
            let Some(worth) = worth else { continue };
            compared += 1;
            if worth != points {
                let what = format!("says {points} points for {}, which is worth {worth}", group.name);
                let message = Message::warning(file, what).line(line);
                checked.add(message.todo("fix the statement, or the points of the group"));
            }
        }
    }
    if compared > 0 {
        checked.done(format!("points of {} compared", counted(compared, "stated group")));
    }
    checked
}

/// Rows of tables in Markdown, or in TeX.
fn points_rows(text: &str) -> Vec<PointsRow> {
    let mut rows = Vec::new();
    let mut columns = None;
    for (at, line) in text.lines().enumerate() {
        let cells = cells_of(line);
        let is_rule = cells.iter().all(|cell| cell.chars().all(|c| "-: ".contains(c)));
        if line.trim().is_empty() || line.contains("\\end{") {
            columns = None;
        } else if let Some(points) = cells.iter().position(|cell| POINTS.is_match(cell)) {
            let group = cells.iter().position(|cell| GROUPS.is_match(cell)).unwrap_or(0);
            columns = Some((group, points)).filter(|(group, points)| group != points);
        } else if let (Some((group, points)), false) = (columns, is_rule) {
            let digits = |cell: &String| cell.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok();
            let group = cells.get(group).and_then(digits);
            let points = cells.get(points).and_then(|cell| cell.split_whitespace().next()?.parse().ok());
            let row =
                group.zip(points).map(|(group, points)| PointsRow { line: at as u32 + 1, group, points });
            rows.extend(row);
        }
    }
    rows
}

/// Cells of a row without markup.
fn cells_of(line: &str) -> Vec<String> {
    let line = line.trim().replace("\\hline", "").replace("\\\\", "");
    let cells: Vec<&str> = match line.strip_prefix('|') {
        Some(row) => row.trim_end_matches('|').split('|').collect(),
        None => line.split('&').collect(),
    };
    let plain = |cell: &&str| {
        let cell = cell.replace("\\textbf{", "").replace("\\bf", "");
        cell.trim_matches(|c: char| c.is_whitespace() || "*_$`{}".contains(c)).to_owned()
    };
    cells.iter().map(plain).collect()
}

fn group_named<'a>(group: &'a Group, name: &str) -> Option<&'a Group> {
    if group.name == name {
        return Some(group);
    }
    group.groups().find_map(|below| group_named(below, name))
}

/// The maximum points of a group.
fn worth_of(rule: &Rule) -> Option<Points> {
    match rule {
        Rule::Modern { max_score, .. } => max_score.clone(),
        Rule::Legacy(rule) => rule.range.1.clone(),
    }
}

/// Longer texts are libraries or data.
const MAX_LENGTH: u64 = 128 << 10;

/// The text of a file that may be specific to this problem; excludes the header of testlib.
pub(super) fn small_text(path: &Path) -> Option<String> {
    if path.file_name().is_some_and(|name| name == TESTLIB_HEADER)
        || fs::metadata(path).ok()?.len() > MAX_LENGTH
    {
        return None;
    }
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The statements that are texts.
pub(super) fn statement_texts(package: &Package) -> Vec<StatementText> {
    let dir = match package.format {
        Format::V2025_09 => "statement",
        Format::Legacy => "problem_statement",
    };
    let Ok(entries) = fs::read_dir(package.dir.join(dir)) else { return vec![] };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_statement = |name: &String| {
        name.starts_with("problem.") && [".md", ".tex"].iter().any(|ending| name.ends_with(ending))
    };
    let names: BTreeSet<String> = names.filter(is_statement).collect();
    let text = |name: String| {
        let text = small_text(&package.dir.join(dir).join(&name))?;
        let template = closed_braces(&text.replace("\\constant{", "{{"));
        let text = fill_constants(&template, &package.constants);
        Some(StatementText { file: format!("{dir}/{name}"), template, text })
    };
    names.into_iter().filter_map(text).collect()
}

/// Closes `{{n}` from TeX's `\constant{n}` like the other spelling.
fn closed_braces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        let end = match rest[at..].find('}') {
            Some(end) => at + end + 1,
            None => rest.len(),
        };
        out += &rest[..end];
        if end <= rest.len() && !rest[end..].starts_with('}') && rest[at..].contains('}') {
            out.push('}');
        }
        rest = &rest[end..];
    }
    out + rest
}

/// The only group with this number in its name.
fn group_with_number(groups: &[FlatGroup], number: u32) -> Option<&FlatGroup> {
    let has_number = |group: &&FlatGroup| {
        let name = group.name.strip_prefix("secret/").unwrap_or("");
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse() == Ok(number)
    };
    let found: Vec<&FlatGroup> = groups.iter().filter(has_number).collect();
    match found[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// An image of Markdown, with its address.
static IMAGE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"!\[[^\]]*\]\(<?([^)>\s]+)").expect("a fixed pattern"));

/// Reports samples and figures that do not exist: pages leave them out.
pub(super) fn check_statement_parts(bench: &Verification, statements: &[StatementText]) -> Checked {
    let Verification { package, tests, .. } = *bench;
    let mut checked = Checked::default();
    // Legacy samples may be files without a case.
    if package.format != Format::V2025_09 {
        return checked;
    }
    let samples = match tests.root.group_named("sample") {
        Some(sample) => sample.cases().len(),
        None => 0,
    };
    let dir = package.dir.join("statement");
    for StatementText { file, text, .. } in statements {
        if let Some(line) = line_beyond(text, samples) {
            let what = format!("asks for sample {}, but the package has {samples}", samples + 1);
            let message = Message::error(file, what).line(line);
            checked.add(message.todo("remove the command, or add a sample"));
        }
        if !file.ends_with(".md") {
            continue;
        }
        for (line, name) in missing_figures(text, &dir) {
            let what = format!("shows {name}, which is not in statement/");
            checked.add(Message::warning(file, what).line(line).todo("add the figure, or fix its name"));
        }
    }
    checked
}

/// The line of the first command for the next sample after the last sample.
fn line_beyond(text: &str, samples: usize) -> Option<u32> {
    let commands = |line: &str| line.matches("{{nextsample}}").count() + line.matches("\\nextsample").count();
    let lines = text.lines().enumerate();
    lines.flat_map(|(at, line)| std::iter::repeat_n(at as u32 + 1, commands(line))).nth(samples)
}

/// The figures beside a statement that do not exist, with their lines.
fn missing_figures<'t>(text: &'t str, dir: &Path) -> impl Iterator<Item = (u32, &'t str)> {
    let images = text.lines().enumerate().flat_map(|(at, line)| {
        IMAGE.captures_iter(line).filter_map(move |found| Some((at as u32 + 1, found.get(1)?.as_str())))
    });
    images.filter(move |(_, name)| !name.contains([':', '%', '#']) && !dir.join(name).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_rows(text: &str, expected: &[(u32, u32, u64)]) {
        let rows: Vec<_> =
            points_rows(text).into_iter().map(|row| (row.line, row.group, row.points)).collect();
        let expected: Vec<_> =
            expected.iter().map(|&(line, group, points)| (line, group, Points::from(points))).collect();
        assert_eq!(rows, expected, "{text}");
    }

    #[test]
    fn rows_are_read_below_a_column_of_points() {
        assert_rows(
            "| Group | Points | Also |\n|:--|--:|---|\n| 1 | 40 | $n \\le 10$ |\n| **2** | 60 points | |\n\n| 3 | 5 | |\n",
            &[(3, 1, 40), (4, 2, 60)],
        );
        assert_rows("| Bounds | Teilaufgabe | Punkte |\n|---|---|---|\n| n < 5 | 1 | 40 |\n", &[(3, 1, 40)]);
        assert_rows(
            "| Teilaufgabe | n | Punkte |\n|---|---|---|\n| Teilaufgabe 1 | 5 | 40 |\n",
            &[(3, 1, 40)],
        );
        assert_rows(
            "\\begin{tabular}{|l|r|l|}\n\\hline\n\\textbf{Subtask} & \\textbf{Points} & \\textbf{Limits} \\\\ \\hline\n1 & $20$ & $n \\le 9$ \\\\\n\\hline\n2 & 80 & none \\\\ \\hline\n\\end{tabular}\n3 & 4 \\\\\n",
            &[(4, 1, 20), (6, 2, 80)],
        );
        assert_rows("Points count. In the first group 1 | 2\n\n| Group | Limits |\n|-|-|\n| 1 | 40 |\n", &[]);
    }
    #[test]
    fn constants_of_statements_in_tex_are_filled() {
        assert_eq!(closed_braces("{{n} a {{m}} {x}"), "{{n}} a {{m}} {x}");
    }
}
