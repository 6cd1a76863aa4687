//! Names: one thing, one word, and the field's own.

use super::source_tree::SourceFile;
use regex_lite::Regex;
use std::collections::BTreeMap;

/// Words that hide what a thing is. (`data` is the name of a directory of every package.)
const VAGUE: &str = "manager handler helper util utils common context processor service info imp";
/// Furniture and the like, which says nothing of what a thing is.
const PICTURES: &str = "seat desk bench ward room sheet workshop crew album artist taker oddity oddities";
/// Participles and pronouns where a noun or a verb belongs.
const PARTICIPLES: &str =
    "told tell tells mend mends mended said seen made shown given kept wanted asked whoever nobody";

/// Names of files, types and functions that contain such a word: place, name, word.
pub fn forbidden_names(files: &[SourceFile]) -> Vec<String> {
    let forbidden: Vec<&str> =
        [VAGUE, PICTURES, PARTICIPLES].iter().flat_map(|list| list.split(' ')).collect();
    let mut culprits = Vec::new();
    for file in files {
        let stem = file.path.file_stem().unwrap().to_string_lossy().into_owned();
        let functions = file.functions().into_iter().map(|function| function.name);
        for name in [stem].into_iter().chain(file.types()).chain(functions) {
            let words = words_of(&name);
            let word = words.iter().find(|word| forbidden.contains(&word.as_str()));
            if let Some(word) = word {
                culprits.push(format!("{}: `{name}`: not `{word}`", file.place()));
            }
        }
    }
    culprits
}

/// `read_problem_yaml` and `ReadProblemYaml` as `read`, `problem`, `yaml`.
pub fn words_of(name: &str) -> Vec<String> {
    let words = Regex::new("[A-Z]+[a-z0-9]*|[a-z0-9]+").unwrap();
    words.find_iter(name).map(|word| word.as_str().to_lowercase()).collect()
}

/// Type names of several types, with their files, and the number of all types.
/// Every subcommand has its `Args`.
pub fn shared_type_names(files: &[SourceFile]) -> (BTreeMap<String, Vec<String>>, usize) {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        let types = file.types().into_iter();
        for name in types.filter(|name| !(name == "Args" && file.room == "cli")) {
            places.entry(name).or_default().push(file.path.display().to_string());
        }
    }
    let total = places.values().map(Vec::len).sum();
    places.retain(|_, places| places.len() > 1);
    (places, total)
}

/// How many functions have a name of a single word, of how many.
pub fn count_one_word_functions(files: &[SourceFile]) -> (usize, usize) {
    let names: Vec<String> =
        files.iter().flat_map(|file| file.functions()).map(|function| function.name).collect();
    (names.iter().filter(|name| !name.contains('_')).count(), names.len())
}
