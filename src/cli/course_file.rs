//! `course.toml`: the options of `kopek grade` in a file. What the command line gives overrides what the file says.

use super::{
    counterexample_option::CounterexampleOption,
    course_options::{
        CourseOptions, Named, Place, Placed, factor_of, near_or_all, positive_points, span_of, weight_of,
    },
    gradebook_options::GradebookOptions,
    hand_in_options::EntryOptions,
    regrading_options::RegradingOptions,
    report_options::{ReportOptions, parse_level},
    terminal_output::print_message,
};
use crate::{base::wording::span_text, course::LateRule, points::Points};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::{
    fmt::Display,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// The name of the file in the current folder.
pub(super) const COURSE_FILE: &str = "course.toml";

/// The options of `kopek grade` that the file can have.
pub(super) struct CourseValues<'a> {
    /// Packages, then the hand-ins.
    pub(super) paths: &'a mut Vec<PathBuf>,
    pub(super) course: &'a mut CourseOptions,
    pub(super) regrading: &'a mut RegradingOptions,
    pub(super) entries: &'a mut EntryOptions,
    pub(super) gradebook: &'a mut GradebookOptions,
    pub(super) report: &'a mut ReportOptions,
    pub(super) counterexamples: &'a mut CounterexampleOption,
}

impl CourseValues<'_> {
    /// Adds the values of the file that the paths name, or that is in the current folder.
    pub(super) fn complete(&mut self) -> Result<()> {
        let is_file = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml");
        let file = match self.paths.as_slice() {
            [] => PathBuf::from(COURSE_FILE),
            [one] if is_file(one) => one.clone(),
            [folder] if folder.join(COURSE_FILE).exists() => folder.join(COURSE_FILE),
            [_] => bail!("give packages and the folder of hand-ins, or a course.toml alone"),
            several => {
                if let Some(file) = several.iter().find(|path| is_file(path)) {
                    bail!("{}: give it alone; it names the packages and the hand-ins", file.display());
                }
                if Path::new(COURSE_FILE).exists() {
                    print_message!(
                        "warning: {COURSE_FILE} is not used, because packages and hand-ins are given"
                    );
                }
                return Ok(());
            }
        };
        if self.paths.is_empty() && !file.exists() {
            bail!(
                "give packages and the folder of hand-ins; there is no {COURSE_FILE} here that names them (`kopek \
                    init --course` writes one)"
            );
        }
        let text =
            fs::read_to_string(&file).with_context(|| format!("read the course {}", file.display()))?;
        self.paths.clear();
        CourseText { file: &file, text: &text }.read_into(self)?;
        self.course.of_file.file = Some(file);
        Ok(())
    }

    /// The lines that make the options of the command line permanent.
    pub(super) fn lines(&self) -> Vec<String> {
        let CourseValues { course, regrading, entries, gradebook, report, counterexamples, .. } = self;
        let mut lines = FileLines::default();
        lines.add("decisions", entries.decisions.as_ref().map(|file| quoted(&file.display())));
        lines.section("points");
        lines.add("scale", course.scale.as_ref().map(|scale| number(&scale.value)));
        lines.add_named("weights", &course.weights, number);
        lines.section("late");
        lines.add("deadline", gradebook.deadline.as_ref().map(quoted));
        lines.add("rule", regrading.late_rules().first().map(quoted));
        lines.add("grace", course.grace.as_ref().map(|grace| quoted(&span_text(grace.value))));
        lines.add_named("extensions", &course.extensions, quoted);
        lines.section("time");
        lines.add_named("languages", &course.language_factors, ToString::to_string);
        lines.add_named("participants", &course.time_factors, ToString::to_string);
        lines.section("feedback");
        lines.add("level", report.feedback.map(|level| quoted(&level.name())));
        let seconds = counterexamples.counterexamples.map(|seconds| quoted(&format!("{seconds} s")));
        lines.add("counterexamples", seconds);
        lines.lines
    }
}

/// Lines of a file, and the head that the next one needs.
#[derive(Default)]
struct FileLines {
    lines: Vec<String>,
    head: Option<String>,
}

impl FileLines {
    fn section(&mut self, name: &str) {
        self.head = Some(format!("[{name}]"));
    }

    fn add(&mut self, key: &str, value: Option<String>) {
        if let Some(value) = value {
            self.lines.extend(self.head.take());
            self.lines.push(format!("{key} = {value}"));
        }
    }

    fn add_named<T>(&mut self, key: &str, list: &[Named<T>], show: fn(&T) -> String) {
        let pairs: Vec<String> =
            list.iter().map(|one| format!("{} = {}", key_text(&one.name), show(&one.value))).collect();
        let table = if pairs.is_empty() { None } else { Some(format!("{{ {} }}", pairs.join(", "))) };
        self.add(key, table);
    }
}

fn number(points: &Points) -> String {
    points.exact_decimal().unwrap_or_else(|| quoted(points))
}

/// A string of the file.
pub(super) fn quoted(text: &impl Display) -> String {
    toml::Value::String(text.to_string()).to_string()
}

/// A key, quoted if it must be.
fn key_text(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(&name) }
}

const ROOT_KEYS: [&str; 11] = [
    "title",
    "problems",
    "hand-ins",
    "gradebook",
    "out",
    "decisions",
    "points",
    "late",
    "time",
    "languages",
    "feedback",
];

fn only_standard_library(text: &str) -> Result<(), String> {
    if text == "standard library" { Ok(()) } else { Err("write \"standard library\"".to_owned()) }
}

/// The text of a course file.
struct CourseText<'a> {
    file: &'a Path,
    text: &'a str,
}

/// A key with its value.
#[derive(Clone)]
struct Entry<'a> {
    key: &'a str,
    key_span: Range<usize>,
    span: Range<usize>,
    value: &'a DeValue<'a>,
}

impl CourseText<'_> {
    fn read_into(&self, values: &mut CourseValues) -> Result<()> {
        let root = DeTable::parse(self.text)
            .map_err(|error| self.wrong(&error.span().unwrap_or(0..0), &error.message()))?;
        let mut hand_ins = None;
        for entry in entries(root.get_ref()) {
            match entry.key {
                "title" => values.course.of_file.title = Some(self.string(&entry)?),
                "problems" => values.paths.extend(self.paths(&entry)?),
                "hand-ins" => hand_ins = Some(self.path(&entry)?),
                "gradebook" => {
                    values.gradebook.gradebook.get_or_insert(self.path(&entry)?);
                }
                "out" => {
                    values.report.out.get_or_insert(self.path(&entry)?);
                }
                "decisions" => {
                    let own = self.path(&entry)?;
                    set(&mut values.entries.decisions, own, "decisions", &mut values.course.of_file.changed);
                }
                "points" => self.read_points(self.table(&entry)?, values.course)?,
                "late" => self.read_late(self.table(&entry)?, values)?,
                "time" => self.read_time(self.table(&entry)?, values.course)?,
                "languages" => {
                    values.course.of_file.standard_library = self.named(&entry, only_standard_library)?;
                }
                "feedback" => self.read_feedback(self.table(&entry)?, values)?,
                _ => {
                    return Err(self.unknown(&entry, &ROOT_KEYS));
                }
            }
        }
        let file = self.file.display();
        ensure!(!values.paths.is_empty(), "{file}: no `problems`; list the folders of the packages");
        values
            .paths
            .push(hand_ins.with_context(|| format!("{file}: no `hand-ins`; name the folder or zip"))?);
        Ok(())
    }

    fn read_points(&self, table: &DeTable, course: &mut CourseOptions) -> Result<()> {
        let CourseOptions { scale, weights, of_file, .. } = course;
        for entry in entries(table) {
            match entry.key {
                "scale" => {
                    let own = self.placed(&entry, self.scalar(&entry, positive_points)?);
                    set(scale, own, "points.scale", &mut of_file.changed);
                }
                "weights" => {
                    let own = self.named(&entry, weight_of)?;
                    add_before(weights, own, "points.weights", &mut of_file.changed);
                }
                "best" => {
                    of_file.best = Some(self.placed(&entry, self.scalar(&entry, count_of)?));
                }
                "round" => of_file.round = Some(self.placed(&entry, self.scalar(&entry, positive_points)?)),
                _ => return Err(self.unknown(&entry, &["scale", "weights", "best", "round"])),
            }
        }
        Ok(())
    }

    fn read_late(&self, table: &DeTable, values: &mut CourseValues) -> Result<()> {
        let CourseOptions { grace, extensions, of_file, .. } = &mut *values.course;
        let mut has_rule = !values.regrading.late_rules().is_empty();
        for entry in entries(table) {
            match entry.key {
                "deadline" => {
                    let own = self.scalar(&entry, str::parse)?;
                    set(&mut values.gradebook.deadline, own, "late.deadline", &mut of_file.changed);
                }
                "rule" => {
                    let text = self.string(&entry)?;
                    LateRule::parse(&text).map_err(|why| self.wrong(&entry.span, &why))?;
                    if has_rule {
                        of_file.changed.push("late.rule");
                    } else {
                        values.regrading.late.push(text);
                        has_rule = true;
                    }
                }
                "grace" => {
                    let own = self.placed(&entry, self.scalar(&entry, span_of)?);
                    set(grace, own, "late.grace", &mut of_file.changed);
                }
                "budget" => of_file.budget = Some(self.placed(&entry, self.scalar(&entry, span_of)?)),
                "extensions" => {
                    let own = self.named(&entry, str::parse)?;
                    add_before(extensions, own, "late.extensions", &mut of_file.changed);
                }
                _ => {
                    let known = ["deadline", "rule", "grace", "budget", "extensions"];
                    return Err(self.unknown(&entry, &known));
                }
            }
        }
        Ok(())
    }

    fn read_time(&self, table: &DeTable, course: &mut CourseOptions) -> Result<()> {
        let CourseOptions { time_factors, language_factors, of_file, .. } = course;
        for entry in entries(table) {
            let (list, key) = match entry.key {
                "languages" => (&mut *language_factors, "time.languages"),
                "participants" => (&mut *time_factors, "time.participants"),
                _ => return Err(self.unknown(&entry, &["languages", "participants"])),
            };
            add_before(list, self.named(&entry, factor_of)?, key, &mut of_file.changed);
        }
        Ok(())
    }

    fn read_feedback(&self, table: &DeTable, values: &mut CourseValues) -> Result<()> {
        let changed = &mut values.course.of_file.changed;
        for entry in entries(table) {
            match entry.key {
                "level" => {
                    let own = self.scalar(&entry, parse_level)?;
                    set(&mut values.report.feedback, own, "feedback.level", changed);
                }
                "counterexamples" => {
                    let own = self.scalar(&entry, hunt_seconds)?;
                    set(
                        &mut values.counterexamples.counterexamples,
                        own,
                        "feedback.counterexamples",
                        changed,
                    );
                }
                _ => return Err(self.unknown(&entry, &["level", "counterexamples"])),
            }
        }
        Ok(())
    }
}

impl CourseText<'_> {
    fn wrong(&self, span: &Range<usize>, why: &dyn Display) -> anyhow::Error {
        anyhow!("{}: {why}", self.place(span))
    }

    fn place(&self, span: &Range<usize>) -> Place {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Place::Line { file: self.file.display().to_string(), line }
    }

    fn unknown(&self, entry: &Entry, known: &[&str]) -> anyhow::Error {
        let why = format!("unknown key `{}`; {}", entry.key, near_or_all(entry.key, known, "the keys here"));
        self.wrong(&entry.key_span, &why)
    }

    fn table<'v>(&self, entry: &Entry<'v>) -> Result<&'v DeTable<'v>> {
        match entry.value {
            DeValue::Table(table) => Ok(table),
            _ => Err(self.wrong(&entry.span, &format!("`{}` is a table of keys and values", entry.key))),
        }
    }

    fn string(&self, entry: &Entry) -> Result<String> {
        match entry.value {
            DeValue::String(text) => Ok(text.to_string()),
            _ => Err(self.wrong(&entry.span, &format!("`{}` is a text in quotes", entry.key))),
        }
    }

    /// A path, which is relative to the file. Only `out` may be new.
    fn path(&self, entry: &Entry) -> Result<PathBuf> {
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let path = folder.join(self.string(entry)?);
        if entry.key != "out" && !path.exists() {
            let why = format!("`{}`: {}: no such file or folder", entry.key, path.display());
            return Err(self.wrong(&entry.span, &why));
        }
        Ok(path)
    }

    fn paths(&self, entry: &Entry) -> Result<Vec<PathBuf>> {
        let DeValue::Array(items) = entry.value else {
            return Err(self.wrong(&entry.span, &format!("`{}` is a list: [\"problems/one\"]", entry.key)));
        };
        items
            .iter()
            .map(|item| self.path(&Entry { span: item.span(), value: item.get_ref(), ..entry.clone() }))
            .collect()
    }

    /// A text, number or time, read from its digits, so that numbers stay exact.
    fn scalar<T>(&self, entry: &Entry, read: impl FnOnce(&str) -> Result<T, String>) -> Result<T> {
        let text = match entry.value {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Datetime(_) => self.text[entry.span.clone()].to_owned(),
            DeValue::Boolean(_) | DeValue::Array(_) | DeValue::Table(_) => {
                return Err(self.wrong(&entry.span, &format!("`{}` is a text or a number", entry.key)));
            }
        };
        read(&text).map_err(|why| self.wrong(&entry.span, &format!("`{}`: {why}", entry.key)))
    }

    fn placed<T>(&self, entry: &Entry, value: T) -> Placed<T> {
        Placed { place: self.place(&entry.span), value }
    }

    fn named<T>(&self, entry: &Entry, read: fn(&str) -> Result<T, String>) -> Result<Vec<Named<T>>> {
        let mut all = Vec::new();
        for one in entries(self.table(entry)?) {
            let value = self.scalar(&one, read)?;
            all.push(Named { place: self.place(&one.key_span), name: one.key.to_owned(), value });
        }
        Ok(all)
    }
}

/// A number of problems.
fn count_of(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "write a number of problems".to_owned())
}

/// CPU time for a hunt.
fn hunt_seconds(text: &str) -> Result<u64, String> {
    let seconds = span_of(text)?.as_secs();
    if seconds <= 3600 { Ok(seconds) } else { Err("write at most an hour, such as 10 s".to_owned()) }
}

/// The keys and values in the order of the file.
fn entries<'v>(table: &'v DeTable<'v>) -> Vec<Entry<'v>> {
    let entry = |(key, value): (&'v Spanned<_>, &'v Spanned<DeValue<'v>>)| -> Entry<'v> {
        let name: &'v std::borrow::Cow<'v, str> = key.get_ref();
        Entry { key: name, key_span: key.span(), span: value.span(), value: value.get_ref() }
    };
    let mut all: Vec<Entry> = table.iter().map(entry).collect();
    all.sort_by_key(|entry| entry.key_span.start);
    all
}

/// Takes the value of the file, unless the command line has one.
fn set<T>(own: &mut Option<T>, of_file: T, key: &'static str, changed: &mut Vec<&'static str>) {
    match own {
        Some(_) => changed.push(key),
        None => *own = Some(of_file),
    }
}

/// Puts the values of the file before those of the command line, which override them.
fn add_before<T>(own: &mut Vec<T>, of_file: Vec<T>, key: &'static str, changed: &mut Vec<&'static str>) {
    if !own.is_empty() && !of_file.is_empty() {
        changed.push(key);
    }
    own.splice(0..0, of_file);
}
