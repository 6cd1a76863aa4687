//! A command of a recipe: constants, words, the seed.
//!
//! The rules are those of BAPCtools to the byte, so that both tools make the
//! same test sets; every oddity here is one that changes seeds or arguments.

use kopek_package::package::shell_words::split_words;
use kopek_plan::plan::SeedPlace;
use regex_lite::Regex;
use sha2::{Digest as _, Sha512};
use std::{collections::BTreeMap, sync::LazyLock};

static SEED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{seed(:[0-9]+)?\}").expect("a fixed pattern"));
static CONSTANT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{\{([a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z_][a-zA-Z0-9_]*)?)\}\}").expect("a fixed pattern")
});

/// A generator and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratorCommand {
    /// As written, with constants and `{count}` filled in; the seed is derived from it.
    pub text: String,
    /// A key of `generators:`, or a file or directory in `generators/`.
    pub program: String,
    /// Its arguments, without the seed.
    args: Vec<String>,
    /// The seed, if the arguments use one.
    pub seed: Option<u32>,
}

impl GeneratorCommand {
    /// Reads a command whose constants and `{count}` are filled in. `count`: the number of this copy.
    pub fn read(text: &str, salt: &str, count: i64) -> Result<GeneratorCommand, String> {
        let mut words = split_words(text)?.into_iter();
        let program = words.next().filter(|word| !word.is_empty()).ok_or("the command is empty")?;
        if program.starts_with('/') || program.split('/').any(|part| part == "..") {
            return Err(format!("`{program}` is not a name inside generators/"));
        }
        let args: Vec<String> = words.map(|word| word.replace("{name}", "testcase")).collect();
        let places: usize = args.iter().map(|arg| SEED.find_iter(arg).count()).sum();
        if places > 1 {
            return Err("{seed} may appear at most once".to_owned());
        }
        let seed = if places == 1 { Some(seed_of(text, salt, count)) } else { None };
        Ok(GeneratorCommand { text: text.to_owned(), program, args, seed })
    }

    /// Its arguments, without the seed.
    pub fn args_without_seed(&self) -> &[String] {
        &self.args
    }

    /// The position of the seed in the arguments, and the seed of the first try.
    pub fn seed_place(&self) -> Option<SeedPlace> {
        let first = self.seed?;
        self.args.iter().enumerate().find_map(|(arg, text)| {
            let found = SEED.find(text)?;
            let prefix = text[..found.start()].to_owned();
            let suffix = text[found.end()..].to_owned();
            Some(SeedPlace { arg, prefix, suffix, first })
        })
    }

    /// The command as typed, with the seed filled in.
    pub fn with_seed_filled(&self) -> String {
        match self.seed {
            Some(seed) => SEED.replace_all(self.text.trim(), seed.to_string().as_str()).into_owned(),
            None => self.text.trim().to_owned(),
        }
    }
}

/// The seed of a command: its SHA-512, salted, modulo 2³¹. The count is off by one
/// for the sake of old recipes; blanks inside the command matter.
fn seed_of(text: &str, salt: &str, count: i64) -> u32 {
    let which = if count == 1 { String::new() } else { format!(":{}", i128::from(count) - 1) };
    let hash = Sha512::digest(format!("{salt}{which}{}", text.trim()));
    let tail = [hash[60], hash[61], hash[62], hash[63]];
    u32::from_be_bytes(tail) % (1 << 31)
}

/// A text with the values of its constants.
pub struct FilledText {
    pub text: String,
    /// Names without a value, which are left as they are.
    pub unknown: Vec<String>,
}

/// Fills in `{{name}}`.
pub fn fill_names(text: &str, constants: &BTreeMap<String, String>) -> FilledText {
    let mut unknown = Vec::new();
    let filled = CONSTANT.replace_all(text, |found: &regex_lite::Captures| {
        let name = &found[1];
        let value = constants.get(name).or_else(|| constants.get(name.strip_suffix(".value")?));
        value.cloned().unwrap_or_else(|| {
            unknown.push(name.to_owned());
            found[0].to_owned()
        })
    });
    FilledText { text: filled.into_owned(), unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with Python's hashlib.
    #[test]
    fn a_seed_is_the_salted_hash_of_the_command() {
        let vectors = [
            ("", 1, "tree {seed}", 1_664_142_358),
            ("", 1, "  tree {seed}\n", 1_664_142_358),
            ("", 1, "tree  {seed}", 2_066_287_873),
            ("salt", 1, "tree {seed}", 251_755_975),
            ("", 2, "tree {seed}", 1_787_151_055),
            ("salt", 5, "tree --n 10 {seed:07}", 1_169_142_949),
            ("", -3, "tree {seed}", 637_778_999),
            ("ä", 1, "ü.py \"a b\" {seed}", 574_914_461),
        ];
        for (salt, count, text, seed) in vectors {
            let command = GeneratorCommand::read(text, salt, count).unwrap();
            assert_eq!(command.seed, Some(seed), "{salt} {count} {text}");
            let place = command.seed_place().unwrap();
            assert_eq!((place.first, place.arg), (seed, command.args.len() - 1));
        }
    }

    #[test]
    fn a_command_without_a_place_for_it_has_no_seed() {
        let command = GeneratorCommand::read("tree 5 {name}.in", "", 1).unwrap();
        assert_eq!((command.seed_place(), command.args), (None, vec!["5".into(), "testcase.in".into()]));
    }

    #[test]
    fn the_place_of_a_seed_is_found_in_its_argument() {
        let place = GeneratorCommand::read("t a x{seed:3}y", "", 1).unwrap().seed_place().unwrap();
        assert_eq!((place.arg, place.prefix.as_str(), place.suffix.as_str()), (1, "x", "y"));
    }

    #[test]
    fn a_command_stays_inside_its_directory_and_takes_one_seed() {
        for bad in
            ["", "  ", "''", "/bin/sh -c x", "../gen.py", "a/../../b", "g {seed} {seed:1}", "g {seed}{seed}"]
        {
            assert!(GeneratorCommand::read(bad, "", 1).is_err(), "{bad}");
        }
    }

    #[test]
    fn constants_are_filled_in_and_unknown_ones_stay() {
        let constants = [("n".to_owned(), "5".to_owned()), ("m.tex".into(), "$m$".into())].into();
        let FilledText { text, unknown } =
            fill_names("g {{n}} {{n.value}} {{m.tex}} {{x}} {n} {{ n }}", &constants);
        assert_eq!(text, "g 5 5 $m$ {{x}} {n} {{ n }}");
        assert_eq!(unknown, ["x"]);
    }
}
