//! Rules to makes: names, numbers, seeds, includes.
//!
//! Cases of numbered lists share one running number over the whole file;
//! directories are numbered within their parent.

use super::{
    cases::CaseRule,
    command::{self, Command},
    recipe::{Findings, Folder, Given, GroupFile, Include, Make, Recipe},
    rules::{Child, Directory, Settings, What, is_name},
};
use std::collections::{BTreeMap, HashMap};

/// Flattens a tree of rules.
pub(super) fn expand(root: &Directory, given: &Given, findings: &mut Findings) -> Recipe {
    let mut walk = Walk {
        given,
        findings,
        recipe: Recipe::default(),
        total: numbered_cases(root),
        next: 0,
        keys: HashMap::new(),
        taken: BTreeMap::new(),
        seen: HashMap::new(),
    };
    walk.directory(root, "", &Settings::default());
    walk.recipe
}

/// How many cases get a number: decides its width.
fn numbered_cases(directory: &Directory) -> usize {
    let own = |child: &Child| match &child.what {
        What::Directory(below) => numbered_cases(below),
        What::Case(case) if directory.numbered => case.counts.as_ref().map_or(1, Vec::len),
        What::Case(_) => 0,
    };
    directory.children.iter().map(own).sum()
}

struct Walk<'a> {
    given: &'a Given,
    findings: &'a mut Findings,
    recipe: Recipe,
    total: usize,
    next: usize,
    /// What a key stands for, for `include`: it may be used only if that is one thing.
    keys: HashMap<String, Vec<Known>>,
    /// Paths below `data/` and the lines that took them.
    taken: BTreeMap<String, u32>,
    /// Rules by what they make, with the line of the first.
    seen: HashMap<String, u32>,
}

/// What a key stands for.
#[derive(Debug, Clone)]
enum Known {
    Case(usize),
    /// The cases below a directory.
    Directory(Vec<usize>),
}

impl Walk<'_> {
    /// Returns the makes that now stand below it, included ones too.
    fn directory(&mut self, rule: &Directory, path: &str, above: &Settings) -> Vec<usize> {
        let settings = inherit(above, &rule.settings);
        let group = rule.group.clone().unwrap_or(GroupFile::Untouched);
        self.recipe.folders.push(Folder { path: path.to_owned(), line: rule.line, group });
        // Gathered before the children: a directory cannot include its own.
        let included = self.included(rule);
        let mut below: Vec<usize> = included.iter().map(|(make, _)| *make).collect();
        let folders = rule.children.iter().filter(|c| matches!(c.what, What::Directory(_))).count();
        let mut folder = 0;
        for child in &rule.children {
            match &child.what {
                What::Directory(inner) => {
                    folder += 1;
                    let number = rule.numbered.then_some((folder, folders));
                    below.extend(self.folder(child, inner, path, number, &settings));
                }
                What::Case(case) => below.extend(self.cases(child, case, rule.numbered, path, &settings)),
            }
        }
        self.include(path, included);
        below
    }

    fn folder(
        &mut self,
        child: &Child,
        inner: &Directory,
        parent: &str,
        number: Option<(usize, usize)>,
        settings: &Settings,
    ) -> Vec<usize> {
        let name = self.name(child, number);
        let path = join(parent, &name);
        self.take(&path, &name, child.line);
        // Its key is known to what stands below it only in vain: it includes no parent.
        self.keys.entry(child.key.clone()).or_default().push(Known::Directory(Vec::new()));
        let place = self.keys[&child.key].len() - 1;
        let below = self.directory(inner, &path, settings);
        if let Some(known) = self.keys.get_mut(&child.key).and_then(|known| known.get_mut(place)) {
            *known = Known::Directory(below.clone());
        }
        below
    }

    fn cases(
        &mut self,
        child: &Child,
        rule: &CaseRule,
        numbered: bool,
        parent: &str,
        above: &Settings,
    ) -> Vec<usize> {
        let settings = inherit(above, &rule.settings);
        let counts = rule.counts.as_deref();
        let width = counts.map_or(0, width);
        let mut made = Vec::new();
        for &count in counts.unwrap_or(&[1]) {
            let number = numbered.then(|| {
                self.next += 1;
                (self.next, self.total)
            });
            let mut name = self.name(child, number);
            if counts.is_some() {
                name.push_str(&format!("-{count:0width$}"));
            }
            let path = join(parent, &name);
            self.take(&path, &name, child.line);
            made.extend(self.case(child, rule, path, count, &settings));
        }
        made
    }

    fn case(
        &mut self,
        child: &Child,
        rule: &CaseRule,
        path: String,
        count: i64,
        settings: &Settings,
    ) -> Option<usize> {
        self.allowed(child, rule, &path);
        let command = match &rule.generate {
            Some(text) => Some(self.command(child.line, rule, text, count, settings)?),
            None => None,
        };
        let told_apart = rule.generate.as_deref().is_some_and(|text| text.contains("{count}"))
            || command.as_ref().is_some_and(|c| c.seed.is_some());
        let make = Make {
            path,
            line: child.line,
            generate: command,
            tries: settings.retries.unwrap_or(1),
            copy: rule.copy.clone(),
            literals: rule.literals.clone(),
            links: rule.links.clone(),
            matches: rule.matches.clone(),
            solution: settings.solution.clone().unwrap_or_default(),
            twin: rule.counts.is_some() && !told_apart,
        };
        self.repeated(&make);
        let index = self.recipe.makes.len();
        self.recipe.makes.push(make);
        self.keys.entry(child.key.clone()).or_default().push(Known::Case(index));
        Some(index)
    }

    /// What depends on where a case stands.
    fn allowed(&mut self, child: &Child, rule: &CaseRule, path: &str) {
        let sample = path.starts_with("sample/");
        let has = |ext: &str| rule.literals.contains_key(ext) || rule.links.contains_key(ext);
        let shown = has("in.download") && (has("in.statement") || has("interaction"));
        if rule.generate.is_none() && rule.copy.is_none() && !has("in") && !(sample && shown) {
            self.findings.error(child.line, format!("nothing makes the input of `{path}`"));
            self.findings.hint("give it `generate`, `copy` or `in`");
        }
        let overrides = ["in.statement", "ans.statement", "in.download", "ans.download", "interaction"];
        for ext in overrides.into_iter().filter(|ext| has(ext) && !sample) {
            self.findings.error(child.line, format!("`{ext}` is only for samples"));
        }
    }

    fn command(
        &mut self,
        line: u32,
        rule: &CaseRule,
        text: &str,
        count: i64,
        settings: &Settings,
    ) -> Option<Command> {
        let (mut text, unknown) = command::fill(text, &self.given.constants);
        for name in unknown {
            self.findings.warning(line, format!("problem.yaml has no constant `{name}`"));
        }
        if text.contains("{count}") {
            match rule.counts {
                Some(_) => text = text.replace("{count}", &count.to_string()),
                None => self.findings.warning(line, "the command has {count}, the rule has no `count`"),
            }
        }
        let read = Command::read(&text, settings.salt.as_deref().unwrap_or(""), count);
        read.map_err(|what| self.findings.error(line, format!("`{}`: {what}", text.trim()))).ok()
    }

    /// Two rules that make the same case.
    fn repeated(&mut self, make: &Make) {
        let what =
            format!("{:?}{:?}{:?}", make.generate.as_ref().map(Command::shown), make.copy, make.literals);
        match self.seen.get(&what) {
            Some(first) if !(make.twin && *first == make.line) => {
                self.findings
                    .warning(make.line, format!("`{}` is made like the case of line {first}", make.path));
                self.findings
                    .hint("change the command, say `{seed:1}`; or use `include` or `count` for equal cases");
            }
            Some(_) => (),
            None => drop(self.seen.insert(what, make.line)),
        }
    }

    /// The name of a child: its key, numbered if its parent is.
    fn name(&mut self, child: &Child, number: Option<(usize, usize)>) -> String {
        let key = &child.key;
        match number {
            Some((n, of)) => {
                let width = of.to_string().len();
                let dash = if key.is_empty() { "" } else { "-" };
                format!("{n:0width$}{dash}{key}")
            }
            None => {
                if key.is_empty() {
                    self.findings.error(child.line, "only children of a list may have an empty name");
                }
                key.clone()
            }
        }
    }

    fn take(&mut self, path: &str, name: &str, line: u32) {
        if !is_name(name) || name.ends_with(".in") || name == "test_group" {
            self.findings.error(line, format!("`{name}` cannot be the name of a case or a directory"));
            self.findings.hint("letters, digits, `_`, `-` and `.`; not `test_group`, and no ending `.in`");
        } else if let Some(first) = self.taken.insert(path.to_owned(), line) {
            self.findings.error(line, format!("`{path}` is already made by line {first}"));
        }
    }

    /// The makes that a directory includes, with the line that says so.
    fn included(&mut self, rule: &Directory) -> Vec<(usize, u32)> {
        let mut makes = Vec::new();
        for (key, line) in &rule.includes {
            match self.keys.get(key).map(Vec::as_slice) {
                Some([Known::Case(make)]) => makes.push((*make, *line)),
                Some([Known::Directory(below)]) => makes.extend(below.iter().map(|make| (*make, *line))),
                Some(_) => {
                    self.findings
                        .error(*line, format!("`include: {key}` could be several earlier cases or groups"));
                    self.findings.hint("give them different keys");
                }
                None => {
                    self.findings.error(*line, format!("`include: {key}` names no earlier case or group"));
                    self.findings.hint("rules are read in order: lists as they stand, maps by the alphabet");
                }
            }
        }
        makes
    }

    fn include(&mut self, folder: &str, makes: Vec<(usize, u32)>) {
        let mut here: HashMap<String, usize> = HashMap::new();
        for (make, line) in makes {
            let name = self.recipe.makes[make].path.rsplit('/').next().unwrap_or_default().to_owned();
            let path = join(folder, &name);
            match here.get(&path) {
                Some(same) if *same == make => continue,
                Some(_) => self.findings.error(line, format!("two included cases would be `{path}`")),
                None => {
                    here.insert(path.clone(), make);
                    self.take(&path, &name, line);
                    self.recipe.includes.push(Include { path, line, make });
                }
            }
        }
    }
}

/// Counts that follow each other are padded to equal width.
fn width(counts: &[i64]) -> usize {
    let (Some(low), Some(high)) = (counts.iter().min(), counts.iter().max()) else { return 0 };
    let consecutive = i128::from(*high) - i128::from(*low) == counts.len() as i128 - 1;
    let widest = counts.iter().map(|n| n.to_string().len()).max().unwrap_or(0);
    if consecutive { widest } else { 0 }
}

fn inherit(above: &Settings, own: &Settings) -> Settings {
    Settings {
        solution: own.solution.clone().or_else(|| above.solution.clone()),
        salt: own.salt.clone().or_else(|| above.salt.clone()),
        retries: own.retries.or(above.retries),
    }
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}/{name}") }
}
