//! The arguments that a case inherits: what its directories and its own file say,
//! the nearest per key. Knows only what making and validating a case needs; the
//! package's reader believes these files in full.

use super::recipe::{GroupFile, Recipe};
use crate::package::{
    Package, fill_constants,
    yaml::{self, Entry, Node, Value},
};
use std::{collections::BTreeMap, path::Path};

/// Arguments that matter while a case is made.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arguments {
    /// Of the solution, and of input validators after their own.
    pub args: Vec<String>,
    /// Of input validators by name; `""` for all that are not named.
    pub input: BTreeMap<String, Vec<String>>,
    /// Of the output validator.
    pub output: Vec<String>,
}

impl Arguments {
    /// All arguments of an input validator.
    pub fn of_input_validator(&self, name: &str) -> Vec<String> {
        let own = self.input.get(name).or_else(|| self.input.get(""));
        own.into_iter().flatten().chain(&self.args).cloned().collect()
    }

    fn filled(mut self, constants: &BTreeMap<String, String>) -> Arguments {
        let lists = self.input.values_mut().chain([&mut self.args, &mut self.output]);
        lists.flatten().for_each(|word| *word = fill_constants(word, constants));
        self
    }

    /// These, but for what a file says otherwise.
    fn below(mut self, file: &Node) -> Arguments {
        if let Some(args) = file.get("args").and_then(list) {
            self.args = args;
        }
        if let Some(args) = file.get("output_validator_args").and_then(list) {
            self.output = args;
        }
        match file.get("input_validator_args").map(|node| (&node.value, node)) {
            Some((Value::Map(entries), _)) => {
                let named = |entry: &Entry| Some((entry.name.text()?.to_owned(), list(&entry.node)?));
                self.input = entries.iter().filter_map(named).collect();
            }
            Some((Value::List(_), node)) => {
                self.input = list(node).map(|a| (String::new(), a)).into_iter().collect()
            }
            _ => (),
        }
        self
    }
}

/// A list of words; bare numbers count as written.
fn list(node: &Node) -> Option<Vec<String>> {
    let Value::List(items) = &node.value else { return None };
    items
        .iter()
        .map(|item| match &item.value {
            Value::Text(text) | Value::Bare(text) => Some(text.clone()),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        })
        .collect()
}

/// What the `test_group.yaml` files say, by directory below `data/`.
pub struct Groups {
    files: BTreeMap<String, Node>,
    constants: BTreeMap<String, String>,
}

impl Groups {
    /// Those that the recipe writes, and those on disk that it leaves alone.
    pub fn read(recipe: &Recipe, package: &Package) -> Groups {
        Groups { files: files(recipe, &package.dir.join("data")), constants: package.constants.clone() }
    }

    /// What a case inherits from its directories, constants filled in.
    pub fn of(&self, case: &str) -> Arguments {
        let ends = case.match_indices('/').map(|(at, _)| at);
        let folders = std::iter::once(0).chain(ends).map(|end| &case[..end]);
        let inherited =
            folders.filter_map(|folder| self.files.get(folder)).fold(Arguments::default(), Arguments::below);
        inherited.filled(&self.constants)
    }
}

fn files(recipe: &Recipe, data: &Path) -> BTreeMap<String, Node> {
    let file = |path: &str, group: &GroupFile| match group {
        GroupFile::Written(node) => Some(node.clone()),
        GroupFile::Absent => None,
        GroupFile::Untouched => {
            let text = std::fs::read_to_string(data.join(path).join("test_group.yaml")).ok()?;
            silently(text)
        }
    };
    let found = recipe
        .folders
        .iter()
        .filter_map(|folder| Some((folder.path.clone(), file(&folder.path, &folder.group)?)));
    found.collect()
}

/// What is wrong with it is told by the package's reader.
fn silently(text: String) -> Option<Node> {
    yaml::read("test_group.yaml".as_ref(), text, &mut Vec::new())
}

/// With what the case's own `.yaml` says.
pub fn with_own(inherited: &Arguments, own: Option<&[u8]>) -> Arguments {
    let node = own.and_then(|bytes| String::from_utf8(bytes.to_owned()).ok()).and_then(silently);
    node.map_or_else(|| inherited.clone(), |node| inherited.clone().below(&node))
}

#[cfg(test)]
mod tests {
    use super::{super::recipe::Given, *};

    #[test]
    fn the_nearest_file_counts_per_key() {
        let text = b"
test_group.yaml: {args: [a], output_validator_args: [x]}
data:
  secret:
    test_group.yaml: {input_validator_args: [--n, '{{n}}']}
    data:
      '1':
        test_group.yaml: {args: [b], input_validator_args: {v: [--big], w: []}}
        data: {c: g}
      '2': {data: {d: g 2}}
";
        let (recipe, findings) = Recipe::read(text, &Given::default());
        assert_eq!(findings, []);
        let constants = [("n".to_owned(), "5".to_owned())].into();
        let groups = Groups { files: files(&recipe, Path::new("/nowhere")), constants };
        let one = groups.of("secret/1/c");
        assert_eq!(one.of_input_validator("v"), ["--big", "b"]);
        assert_eq!(one.of_input_validator("other"), ["b"]);
        assert_eq!(one.output, ["x"]);
        assert_eq!(groups.of("secret/2/d").of_input_validator("v"), ["--n", "5", "a"]);
        let own = with_own(&one, Some(b"args: []\n"));
        assert_eq!(own.of_input_validator("v"), ["--big"]);
    }
}
