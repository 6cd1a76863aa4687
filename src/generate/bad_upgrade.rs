//! The cases of `bad` moved to where they belong in the text of a recipe: whole lines, with the comments above
//! them. Pure; whether the new text means the same, [`super::recipe_upgrade`] finds out.

use super::{
    bad_cases::{BAD, ROOTS_OF_BAD},
    old_forms::{OldForm, OldPlace},
    recipe::Recipe,
};
use crate::package::yaml::{YamlEntry, YamlNode, YamlValue};

/// What a recipe says under `bad`.
pub(super) struct BadRules<'a> {
    entry: &'a YamlEntry,
    /// In order of the text.
    children: Vec<BadChild>,
}

struct BadChild {
    key: String,
    line: u32,
    /// Where it belongs, if that can be told.
    root: Option<&'static str>,
}

/// A text without `bad`, or with what cannot be told left in it.
pub(super) struct MovedText {
    pub text: String,
    /// For each line, which one it was.
    pub origins: Vec<u32>,
}

impl<'a> BadRules<'a> {
    /// `recipe`: as this text was read. `None`: it has no `bad`.
    pub(super) fn find(root: &'a YamlNode, recipe: &Recipe) -> Option<BadRules<'a>> {
        let entry = entry_of(root.get("data")?, BAD)?;
        let mut starts: Vec<(String, u32)> = Vec::new();
        if let Some(data) = entry.node.get("data") {
            gather_children(data, &mut starts);
        }
        starts.sort_by_key(|(_, line)| *line);
        let child = |at: usize| {
            let (key, line) = starts[at].clone();
            let next = starts[at + 1..].iter().map(|(_, other)| *other).find(|other| *other > line);
            BadChild { key, line, root: root_of_lines(recipe, line, next.unwrap_or(u32::MAX)) }
        };
        Some(BadRules { entry, children: (0..starts.len()).map(child).collect() })
    }

    pub(super) fn line(&self) -> u32 {
        self.entry.name.line
    }

    /// Children that stay, with their lines.
    pub(super) fn undecided(&self) -> impl Iterator<Item = (u32, String)> {
        let undecided = self.children.iter().filter(|child| child.root.is_none());
        undecided.map(|child| {
            let what = "what is wrong about it cannot be told for certain";
            (child.line, format!("`{BAD}/{}`: {what}", child.key))
        })
    }

    /// The directories that it falls into; `bad` itself for what cannot be told.
    fn roots(&self) -> Vec<&'static str> {
        let all = ROOTS_OF_BAD.into_iter().chain([BAD]);
        let has = |root: &&str| self.children.iter().any(|child| child.root.unwrap_or(BAD) == *root);
        let found: Vec<_> = all.filter(has).collect();
        if self.children.is_empty() { vec![ROOTS_OF_BAD[0]] } else { found }
    }

    /// What is old about it; `None`: nothing of it can be told.
    pub(super) fn in_words(&self) -> Option<String> {
        let roots = self.roots().into_iter().filter(|root| *root != BAD);
        let roots: Vec<String> = roots.map(|root| format!("`{root}`")).collect();
        (!roots.is_empty()).then(|| format!("`{BAD}` is {}", roots.join(" and ")))
    }

    /// The text with everything moved that can be told. `None`: nothing can, or not by whole lines.
    pub(super) fn move_lines(&self, text: &str) -> Option<MovedText> {
        let roots = self.roots();
        let first = *roots.first().filter(|root| **root != BAD)?;
        let renamed = OldPlace::of(self.entry, OldForm::RootName(first))?.edit(text, None)?;
        let lines: Vec<&str> = renamed.split_inclusive('\n').collect();
        if let [_] = roots.as_slice() {
            let origins = (1..).take(lines.len()).collect();
            return Some(MovedText { text: renamed, origins });
        }
        let block = BadBlock::find(self, &lines)?;
        let mut moved = MovedText { text: String::new(), origins: Vec::new() };
        moved.push_lines(&lines, 0..block.data + 1);
        for root in roots {
            if root != first {
                let header = [format!("{}{root}:\n", block.pad), format!("{}data:\n", block.data_pad)];
                header.iter().for_each(|line| moved.push(line, self.line()));
            }
            for (at, child) in self.children.iter().enumerate() {
                if child.root.unwrap_or(BAD) == root {
                    moved.push_lines(&lines, block.segment(at));
                }
            }
        }
        moved.push_lines(&lines, block.end..lines.len());
        Some(moved)
    }
}

fn entry_of<'a>(node: &'a YamlNode, key: &str) -> Option<&'a YamlEntry> {
    let YamlValue::Map(entries) = &node.value else { return None };
    entries.iter().find(|entry| entry.key == key)
}

fn gather_children(data: &YamlNode, found: &mut Vec<(String, u32)>) {
    match &data.value {
        YamlValue::Map(entries) => {
            found.extend(entries.iter().map(|entry| (entry.key.clone(), entry.name.line)))
        }
        YamlValue::List(items) => items.iter().for_each(|item| gather_children(item, found)),
        YamlValue::Null | YamlValue::Bare(_) | YamlValue::Text(_) => {}
    }
}

/// Where the rules of these lines were read to.
fn root_of_lines(recipe: &Recipe, first: u32, next: u32) -> Option<&'static str> {
    let makes = recipe.makes.iter().map(|make| (&make.path, make.line));
    let kept = recipe.kept.iter().map(|(path, line)| (path, *line));
    let folders = recipe.folders.iter().map(|folder| (&folder.path, folder.line));
    let mut here = makes.chain(kept).chain(folders).filter(|(_, line)| (first..next).contains(line));
    here.find_map(|(path, _)| {
        ROOTS_OF_BAD
            .into_iter()
            .find(|root| path.strip_prefix(root).is_some_and(|below| below.starts_with('/')))
    })
}

/// The lines of `bad`, counted from 0.
struct BadBlock {
    /// That of its `data:`.
    data: usize,
    /// Where each child begins, with the comments above it.
    starts: Vec<usize>,
    /// The first line that does not belong to it.
    end: usize,
    pad: String,
    data_pad: String,
}

impl BadBlock {
    /// `None`: it is not written in lines, or says more than which cases there are.
    fn find(bad: &BadRules, lines: &[&str]) -> Option<BadBlock> {
        let YamlValue::Map(entries) = &bad.entry.node.value else { return None };
        if entries.iter().any(|entry| !["data", "type"].contains(&entry.key.as_str())) {
            return None;
        }
        let first = bad.line() as usize - 1;
        let data = entry_of(&bad.entry.node, "data")?.name.line as usize - 1;
        let is_header = |line: usize, key: &str| {
            let text = lines[line].split(" #").next().unwrap_or_default();
            text.trim() == key
        };
        if data <= first || !is_header(data, "data:") {
            return None;
        }
        let indent = indent_of(lines[first]);
        let outside = |line: &usize| is_content(lines[*line]) && indent_of(lines[*line]) <= indent;
        let mut end = (first + 1..lines.len()).find(outside).unwrap_or(lines.len());
        // What stands between this and the next directory is not the last case's.
        while end > data + 1 && !is_content(lines[end - 1]) && indent_of(lines[end - 1]) <= indent {
            end -= 1;
        }
        let start_of = |child: &BadChild| {
            let line = child.line as usize - 1;
            let is_above = |at: &usize| {
                !is_content(lines[*at])
                    && !lines[*at].trim().is_empty()
                    && indent_of(lines[*at]) == indent_of(lines[line])
            };
            (data + 1..line).rev().take_while(is_above).last().unwrap_or(line)
        };
        let mut starts: Vec<usize> = bad.children.iter().map(start_of).collect();
        // Two on one line cannot be told apart.
        if starts.windows(2).any(|pair| pair[0] >= pair[1]) {
            return None;
        }
        *starts.first_mut()? = data + 1;
        let pad = |line: usize| " ".repeat(indent_of(lines[line]));
        Some(BadBlock { data, starts, end, pad: pad(first), data_pad: pad(data) })
    }

    fn segment(&self, at: usize) -> std::ops::Range<usize> {
        self.starts[at]..self.starts.get(at + 1).copied().unwrap_or(self.end)
    }
}

impl MovedText {
    fn push_lines(&mut self, lines: &[&str], range: std::ops::Range<usize>) {
        for at in range {
            self.push(lines[at], at as u32 + 1);
        }
    }

    fn push(&mut self, line: &str, origin: u32) {
        // The last line of a file may lack its end, and need not be the last any more.
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.origins.push(origin);
    }
}

fn is_content(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty() && !text.starts_with('#')
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}
