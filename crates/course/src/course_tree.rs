//! A course as a tree of keys, in the order of its fields: what it serialises to.

use super::course_values::quoted;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, SeqAccess, Visitor},
};
use std::fmt;

/// A value as the file writes it, or a table. What is not given is an empty table.
#[derive(Debug)]
pub(super) enum CourseTree {
    Value(String),
    Table(Vec<(String, CourseTree)>),
}

pub(super) fn tree_of(course: &impl Serialize) -> CourseTree {
    let json = serde_json::to_string(course).expect("a course is texts and tables");
    serde_json::from_str(&json).expect("a tree can be any JSON of texts and tables")
}

impl CourseTree {
    fn entries(&self) -> &[(String, CourseTree)] {
        match self {
            CourseTree::Value(_) => &[],
            CourseTree::Table(entries) => entries,
        }
    }

    fn is_filled(&self) -> bool {
        matches!(self, CourseTree::Value(_)) || !self.entries().is_empty()
    }

    fn filled(&self) -> impl Iterator<Item = &(String, CourseTree)> {
        self.entries().iter().filter(|(_, tree)| tree.is_filled())
    }

    /// The keys that both have: `decisions`, `points.scale`.
    pub(super) fn keys_in_both(&self, other: &CourseTree) -> Vec<String> {
        let (own, others) = (self.keys(), other.keys());
        own.into_iter().filter(|key| others.contains(key)).collect()
    }

    fn keys(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (key, tree) in self.filled() {
            match tree {
                CourseTree::Value(_) => all.push(key.clone()),
                CourseTree::Table(_) => all.extend(tree.filled().map(|(inner, _)| format!("{key}.{inner}"))),
            }
        }
        all
    }

    /// The lines of a file.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (key, tree) in self.filled() {
            if let CourseTree::Value(value) = tree {
                all.push(format!("{key} = {value}"));
                continue;
            }
            let lines: Vec<String> =
                tree.filled().map(|(key, tree)| format!("{} = {}", key_text(key), tree.inline())).collect();
            if !lines.is_empty() {
                all.push(format!("[{key}]"));
                all.extend(lines);
            }
        }
        all
    }

    fn inline(&self) -> String {
        match self {
            CourseTree::Value(value) => value.clone(),
            CourseTree::Table(entries) => {
                let pairs =
                    entries.iter().map(|(key, tree)| format!("{} = {}", key_text(key), tree.inline()));
                format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A key, quoted if it must be.
fn key_text(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(&name) }
}

impl<'de> Deserialize<'de> for CourseTree {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<CourseTree, D::Error> {
        from.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = CourseTree;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a text or a table")
    }

    fn visit_unit<E>(self) -> Result<CourseTree, E> {
        Ok(CourseTree::Table(Vec::new()))
    }

    fn visit_str<E>(self, value: &str) -> Result<CourseTree, E> {
        Ok(CourseTree::Value(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<CourseTree, A::Error> {
        let mut items: Vec<String> = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(match items.as_slice() {
            [] => CourseTree::Table(Vec::new()),
            [only] => CourseTree::Value(only.clone()),
            several => CourseTree::Value(format!("[{}]", several.join(", "))),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<CourseTree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = table.next_entry()? {
            entries.push(entry);
        }
        Ok(CourseTree::Table(entries))
    }
}
