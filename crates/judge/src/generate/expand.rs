//! Rules to makes: names, numbers, seeds, includes.
//!
//! Cases of numbered lists share one running number over the whole file;
//! directories are numbered within their parent.

use super::{
    cases::CaseRule,
    command::{FilledText, GeneratorCommand, fill_names},
    directory_rules::{ChildKind, ChildRule, DirectoryRule, IncludedKey},
    recipe::{GroupFile, Include, Recipe, RecipeCase, RecipeFindings, RecipeFolder, RecipeInputs},
    rule_settings::{RuleSettings, is_name},
};
use kopek_base::wording::{counted, shortened};
use kopek_package::package::is_sample;
use std::collections::{BTreeMap, HashMap};

/// Flattens a tree of rules.
pub(super) fn expand(root: &DirectoryRule, inputs: &RecipeInputs, findings: &mut RecipeFindings) -> Recipe {
    let mut walk = Expansion {
        inputs,
        findings,
        recipe: Recipe::default(),
        total: numbered_cases(root),
        next: 0,
        keys: HashMap::new(),
        taken: BTreeMap::new(),
        first_lines: HashMap::new(),
    };
    walk.expand_directory(root, "", &RuleSettings::default());
    walk.recipe
}

/// The number of cases that get a number, which decides its width.
fn numbered_cases(directory: &DirectoryRule) -> usize {
    let own = |child: &ChildRule| match &child.what {
        ChildKind::Directory(below) => numbered_cases(below),
        ChildKind::Case(CaseRule { counts: Some(counts), .. }) if directory.numbered => counts.len(),
        ChildKind::Case(_) if directory.numbered => 1,
        ChildKind::Case(_) | ChildKind::Empty => 0,
    };
    directory.children.iter().map(own).sum()
}

struct Expansion<'a> {
    inputs: &'a RecipeInputs,
    findings: &'a mut RecipeFindings,
    recipe: Recipe,
    total: usize,
    next: usize,
    /// Targets of a key for `include`, which may use the key only if it has one target.
    keys: HashMap<String, Vec<IncludeTarget>>,
    /// Paths below `data/` and the lines that took them.
    taken: BTreeMap<String, u32>,
    /// The line of the first rule, by the case that the rule makes.
    first_lines: HashMap<String, u32>,
}

/// A case or directory that `include` names by its key.
struct IncludeTarget {
    path: String,
    makes: Vec<usize>,
}

/// The directory that contains a rule.
struct Parent<'a> {
    path: &'a str,
    numbered: bool,
    settings: &'a RuleSettings,
}

/// The position of a child among the numbered ones.
struct Position {
    number: usize,
    of: usize,
}

/// One of the cases that a rule makes.
struct CaseCopy<'a> {
    path: String,
    /// The number of this copy; 1 if there is only one.
    count: i64,
    settings: &'a RuleSettings,
}

/// A case that a directory includes.
struct IncludedCase {
    /// Index into [`Recipe::makes`].
    make: usize,
    /// The line of the `include`.
    line: u32,
}

impl Expansion<'_> {
    /// Returns all makes below it, including included ones.
    fn expand_directory(&mut self, rule: &DirectoryRule, path: &str, above: &RuleSettings) -> Vec<usize> {
        let settings = inherit_settings(above, &rule.settings);
        let group = rule.group.clone().unwrap_or(GroupFile::Untouched);
        let file = self.inputs.group_file();
        self.recipe.folders.push(RecipeFolder { path: path.to_owned(), file, group });
        // Collected before the children: a directory cannot include its own.
        let included = self.included_cases(rule);
        let mut below: Vec<usize> = included.iter().map(|case| case.make).collect();
        let folders = rule.children.iter().filter(|c| matches!(c.what, ChildKind::Directory(_))).count();
        let parent = Parent { path, numbered: rule.numbered, settings: &settings };
        let mut number = 0;
        for child in &rule.children {
            match &child.what {
                ChildKind::Directory(inner) => {
                    number += 1;
                    let position = Position { number, of: folders };
                    below.extend(self.expand_child_directory(child, inner, &parent, position));
                }
                ChildKind::Case(case) => below.extend(self.expand_case_rule(child, case, &parent)),
                ChildKind::Empty => {
                    self.findings.error(child.line, format!("`{}` has no rule", child.key));
                    self.findings.todo("give it `generate`, `copy` or `in`");
                }
            }
        }
        self.add_includes(path, included);
        below
    }

    fn expand_child_directory(
        &mut self,
        child: &ChildRule,
        inner: &DirectoryRule,
        parent: &Parent,
        position: Position,
    ) -> Vec<usize> {
        let position = if parent.numbered { Some(position) } else { None };
        let name = self.child_name(child, position);
        let path = join_path(parent.path, &name);
        self.take_path(&path, &name, child.line);
        // Children see the key without targets: they cannot include their parent.
        let target = IncludeTarget { path: path.clone(), makes: Vec::new() };
        self.keys.entry(child.key.clone()).or_default().push(target);
        let place = self.keys[&child.key].len() - 1;
        let below = self.expand_directory(inner, &path, parent.settings);
        if let Some(known) = self.keys.get_mut(&child.key).and_then(|known| known.get_mut(place)) {
            known.makes = below.clone();
        }
        below
    }

    fn expand_case_rule(&mut self, child: &ChildRule, rule: &CaseRule, parent: &Parent) -> Vec<usize> {
        let settings = inherit_settings(parent.settings, &rule.settings);
        let counts = rule.counts.as_deref();
        let width = count_width(counts.unwrap_or_default());
        let mut makes = Vec::new();
        for &count in counts.unwrap_or(&[1]) {
            let position = if parent.numbered { Some(self.next_position()) } else { None };
            let mut name = self.child_name(child, position);
            if counts.is_some() {
                name.push_str(&format!("-{count:0width$}"));
            }
            let path = join_path(parent.path, &name);
            self.take_path(&path, &name, child.line);
            makes.extend(self.add_case(child, rule, CaseCopy { path, count, settings: &settings }));
        }
        makes
    }

    /// The position of the next case of a list; all lists share one running number.
    fn next_position(&mut self) -> Position {
        self.next += 1;
        Position { number: self.next, of: self.total }
    }

    fn add_case(&mut self, child: &ChildRule, rule: &CaseRule, case: CaseCopy) -> Option<usize> {
        self.check_place(child, rule, &case.path);
        let command = match &rule.generate {
            Some(text) => Some(self.read_command(text, child.line, rule, &case)?),
            None => None,
        };
        let CaseCopy { path, settings, .. } = case;
        let is_distinct = rule.generate.as_deref().is_some_and(|text| text.contains("{count}"))
            || command.as_ref().is_some_and(|c| c.seed.is_some());
        let make = RecipeCase {
            path,
            line: child.line,
            generate: command,
            tries: settings.retries.unwrap_or(1),
            copy: rule.copy.clone(),
            literals: rule.literals.clone(),
            links: rule.links.clone(),
            matches: rule.matches.clone(),
            solution: settings.solution.clone().unwrap_or_default(),
            twin: rule.counts.is_some() && !is_distinct,
        };
        self.report_repeated(&make);
        let index = self.recipe.makes.len();
        let target = IncludeTarget { path: make.path.clone(), makes: vec![index] };
        self.recipe.makes.push(make);
        self.keys.entry(child.key.clone()).or_default().push(target);
        Some(index)
    }

    /// Checks that depend on the directory of a case.
    fn check_place(&mut self, child: &ChildRule, rule: &CaseRule, path: &str) {
        let sample = is_sample(path);
        let has = |ext: &str| rule.literals.contains_key(ext) || rule.links.contains_key(ext);
        let has_shown_files = has("in.download") && (has("in.statement") || has("interaction"));
        if rule.generate.is_none() && rule.copy.is_none() && !has("in") && !(sample && has_shown_files) {
            self.findings.error(child.line, format!("nothing makes the input of `{path}`"));
            self.findings.todo("give it `generate`, `copy` or `in`");
        }
        let overrides = ["in.statement", "ans.statement", "in.download", "ans.download", "interaction"];
        for ext in overrides.into_iter().filter(|ext| has(ext) && !sample) {
            self.findings.error(child.line, format!("`{ext}` is only for samples"));
        }
    }

    fn read_command(
        &mut self,
        text: &str,
        line: u32,
        rule: &CaseRule,
        case: &CaseCopy,
    ) -> Option<GeneratorCommand> {
        let FilledText { mut text, unknown } = fill_names(text, &self.inputs.constants);
        for name in unknown {
            self.findings.warning(line, format!("problem.yaml has no constant `{name}`"));
        }
        if text.contains("{count}") {
            match rule.counts {
                Some(_) => text = text.replace("{count}", &case.count.to_string()),
                None => self.findings.warning(line, "the command has {count}, the rule has no `count`"),
            }
        }
        let read = GeneratorCommand::read(&text, case.settings.salt.as_deref().unwrap_or(""), case.count);
        read.map_err(|what| self.findings.error(line, format!("`{}`: {what}", text.trim()))).ok()
    }

    /// Reports two rules that make the same case.
    fn report_repeated(&mut self, make: &RecipeCase) {
        let what = format!(
            "{:?}{:?}{:?}",
            make.generate.as_ref().map(GeneratorCommand::with_seed_filled),
            make.copy,
            make.literals
        );
        match self.first_lines.get(&what) {
            Some(first) if !(make.twin && *first == make.line) => {
                self.findings.warning(
                    make.line,
                    format!("`{}` has the same command as the case in line {first}", make.path),
                );
                self.findings.todo(
                    "change the command, for example with `{seed:1}`; use `include` or `count` for \
                        equal cases",
                );
            }
            Some(_) => (),
            None => drop(self.first_lines.insert(what, make.line)),
        }
    }

    /// The name of a child: its key, numbered if its parent is.
    fn child_name(&mut self, child: &ChildRule, position: Option<Position>) -> String {
        let key = &child.key;
        match position {
            Some(Position { number, of }) => {
                let width = of.to_string().len();
                let dash = if key.is_empty() { "" } else { "-" };
                format!("{number:0width$}{dash}{key}")
            }
            None => {
                if key.is_empty() {
                    self.findings.error(child.line, "only children of a list may have an empty name");
                }
                key.clone()
            }
        }
    }

    fn take_path(&mut self, path: &str, name: &str, line: u32) {
        if !is_name(name) || name.ends_with(".in") || name == "test_group" {
            self.findings.error(line, format!("`{name}` cannot be the name of a case or a directory"));
            self.findings.todo("letters, digits, `_`, `-` and `.`; not `test_group`, and no ending `.in`");
        } else if let Some(first) = self.taken.insert(path.to_owned(), line) {
            self.findings.error(line, format!("`{path}` is already made by line {first}"));
        }
    }

    /// The makes that a directory includes, with the line that says so.
    fn included_cases(&mut self, rule: &DirectoryRule) -> Vec<IncludedCase> {
        let mut makes = Vec::new();
        for IncludedKey { key, line } in &rule.includes {
            match self.keys.get(key).map(Vec::as_slice) {
                Some([target]) => {
                    makes.extend(target.makes.iter().map(|make| IncludedCase { make: *make, line: *line }))
                }
                Some(targets) => {
                    let paths: Vec<_> = targets.iter().map(|target| format!("`{}`", target.path)).collect();
                    let what = format!("`include: {key}` is ambiguous: {}", shortened(&paths, 3, ", "));
                    self.findings.error(*line, what);
                    self.findings.todo("give them different keys");
                }
                None => {
                    self.findings.error(*line, format!("`include: {key}` names no earlier case or group"));
                    self.findings.todo("rules are read in order: lists from top to bottom, maps by key");
                }
            }
        }
        makes
    }

    fn add_includes(&mut self, folder: &str, makes: Vec<IncludedCase>) {
        let mut here: HashMap<String, usize> = HashMap::new();
        let mut clashes: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for IncludedCase { make, line } in makes {
            let original = &self.recipe.makes[make].path;
            let path = join_path(folder, original.rsplit('/').next().unwrap_or_default());
            let taken = match (here.get(&path), self.taken.get(&path)) {
                (Some(same), _) if *same == make => continue,
                (Some(other), _) => format!("as `{}` is", self.recipe.makes[*other].path),
                (None, Some(first)) => format!("made by line {first}"),
                (None, None) => {
                    here.insert(path.clone(), make);
                    self.taken.insert(path.clone(), line);
                    self.recipe.includes.push(Include { path, line, make });
                    continue;
                }
            };
            clashes.entry(line).or_default().push(format!("`{original}` as `{path}` ({taken})"));
        }
        for (line, clashes) in clashes {
            let cases = counted(clashes.len(), "case");
            let what = format!(
                "`include` brings {cases} under a name that is taken: {}",
                shortened(&clashes, 3, ", ")
            );
            self.findings.error(line, what);
            self.findings.todo("an included case keeps its name; rename one of the two");
        }
    }
}

/// Counts that follow each other are padded to equal width.
fn count_width(counts: &[i64]) -> usize {
    let (Some(low), Some(high)) = (counts.iter().min(), counts.iter().max()) else { return 0 };
    let consecutive = i128::from(*high) - i128::from(*low) == counts.len() as i128 - 1;
    if !consecutive {
        return 0;
    }
    // One of the two ends is the widest.
    low.to_string().len().max(high.to_string().len())
}

fn inherit_settings(above: &RuleSettings, own: &RuleSettings) -> RuleSettings {
    RuleSettings {
        solution: own.solution.clone().or_else(|| above.solution.clone()),
        salt: own.salt.clone().or_else(|| above.salt.clone()),
        retries: own.retries.or(above.retries),
    }
}

fn join_path(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}/{name}") }
}
