//! A command of a recipe: constants, words, the seed.
//!
//! The rules are those of BAPCtools to the byte, so that both tools make the
//! same test sets; every oddity here is one that changes seeds or arguments.

use regex_lite::Regex;
use sha2::{Digest as _, Sha512};
use std::{collections::BTreeMap, sync::LazyLock};

static SEED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{seed(:[0-9]+)?\}").expect("a fixed pattern"));
static CONSTANT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{\{([a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z_][a-zA-Z0-9_]*)?)\}\}").expect("a fixed pattern")
});

/// A generator and how it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// As written, constants and `{count}` filled in: what the seed is made of.
    pub text: String,
    /// A key of `generators:`, or a file or directory in `generators/`.
    pub program: String,
    /// Its arguments; the seed's place is still open.
    args: Vec<String>,
    /// The seed, if the arguments want one.
    pub seed: Option<u32>,
}

impl Command {
    /// Reads a command whose constants and `{count}` are filled in. `count`: which of several.
    pub fn read(text: &str, salt: &str, count: i64) -> Result<Command, String> {
        let mut words = words(text)?.into_iter();
        let program = words.next().filter(|word| !word.is_empty()).ok_or("the command is empty")?;
        if program.starts_with('/') || program.split('/').any(|part| part == "..") {
            return Err(format!("`{program}` is not a name inside generators/"));
        }
        let args: Vec<String> = words.map(|word| word.replace("{name}", "testcase")).collect();
        let places: usize = args.iter().map(|arg| SEED.find_iter(arg).count()).sum();
        if places > 1 {
            return Err("{seed} may appear at most once".to_owned());
        }
        let seed = (places == 1).then(|| seed(text, salt, count));
        Ok(Command { text: text.to_owned(), program, args, seed })
    }

    /// The arguments of a try; each further one has a seed greater by one.
    pub fn args(&self, further: u32) -> Vec<String> {
        let Some(seed) = self.seed else { return self.args.clone() };
        let seed = (seed.wrapping_add(further) % (1 << 31)).to_string();
        self.args.iter().map(|arg| SEED.replace_all(arg, seed.as_str()).into_owned()).collect()
    }

    /// The command as typed, seed filled in.
    pub fn shown(&self) -> String {
        match self.seed {
            Some(seed) => SEED.replace_all(self.text.trim(), seed.to_string().as_str()).into_owned(),
            None => self.text.trim().to_owned(),
        }
    }
}

/// The seed of a command: its SHA-512, salted, modulo 2³¹. The count is off by one
/// for the sake of old recipes; blanks inside the command matter.
fn seed(text: &str, salt: &str, count: i64) -> u32 {
    let which = if count == 1 { String::new() } else { format!(":{}", i128::from(count) - 1) };
    let hash = Sha512::digest(format!("{salt}{which}{}", text.trim()));
    let tail = [hash[60], hash[61], hash[62], hash[63]];
    u32::from_be_bytes(tail) % (1 << 31)
}

/// Fills in `{{name}}`; unknown names stay as they are and are returned.
pub fn fill(text: &str, constants: &BTreeMap<String, String>) -> (String, Vec<String>) {
    let mut unknown = Vec::new();
    let filled = CONSTANT.replace_all(text, |found: &regex_lite::Captures| {
        let name = &found[1];
        let value = constants.get(name).or_else(|| constants.get(name.strip_suffix(".value")?));
        value.cloned().unwrap_or_else(|| {
            unknown.push(name.to_owned());
            found[0].to_owned()
        })
    });
    (filled.into_owned(), unknown)
}

/// Splits like Python's `shlex.split`: no comments; inside double quotes a
/// backslash escapes only a double quote and a backslash. (The crate of that name
/// follows the shell instead: `#` would start a comment.)
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        match next {
            ' ' | '\t' | '\r' | '\n' => words.extend(word.take()),
            '\\' => word.get_or_insert_default().push(rest.next().ok_or("a backslash at the end")?),
            '\'' | '"' => quoted(next, &mut rest, word.get_or_insert_default())?,
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

fn quoted(quote: char, rest: &mut std::str::Chars, word: &mut String) -> Result<(), String> {
    loop {
        match rest.next().ok_or_else(|| format!("a quote {quote} without its end"))? {
            end if end == quote => return Ok(()),
            '\\' if quote == '"' => {
                let escaped = rest.next().ok_or("a backslash at the end")?;
                if !matches!(escaped, '"' | '\\') {
                    word.push('\\');
                }
                word.push(escaped);
            }
            other => word.push(other),
        }
    }
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
            let command = Command::read(text, salt, count).unwrap();
            assert_eq!(command.seed, Some(seed), "{salt} {count} {text}");
            assert_eq!(command.args(0).last().unwrap(), &seed.to_string());
        }
    }

    #[test]
    fn a_command_without_a_place_for_it_has_no_seed() {
        let command = Command::read("tree 5 {name}.in", "", 1).unwrap();
        assert_eq!((command.seed, command.args(3)), (None, vec!["5".into(), "testcase.in".into()]));
    }

    #[test]
    fn a_retry_has_the_next_seed() {
        let command = Command::read("t x{seed}y", "", 1).unwrap();
        let seed = command.seed.unwrap();
        assert_eq!(command.args(1), [format!("x{}y", seed + 1)]);
        let last = Command { seed: Some((1 << 31) - 1), ..command };
        assert_eq!(last.args(1), ["x0y"]);
    }

    #[test]
    fn words_are_split_as_python_splits_them() {
        let cases: [(&str, &[&str]); 7] = [
            ("a  b\n\tc", &["a", "b", "c"]),
            (r#"a "b c" 'd "e'"#, &["a", "b c", "d \"e"]),
            (r#"x"y z"w '' """#, &["xy zw", "", ""]),
            (r#"a\ b "\$ \" \\" '\n'"#, &["a b", r#"\$ " \"#, r"\n"]),
            ("g #1 a#b", &["g", "#1", "a#b"]),
            ("", &[]),
            ("a\u{a0}b", &["a\u{a0}b"]),
        ];
        for (text, split) in cases {
            assert_eq!(words(text).unwrap(), split, "{text}");
        }
        for broken in ["a 'b", "a \"b", "a\\", "\"\\"] {
            assert!(words(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn a_command_stays_inside_its_directory_and_takes_one_seed() {
        for bad in
            ["", "  ", "''", "/bin/sh -c x", "../gen.py", "a/../../b", "g {seed} {seed:1}", "g {seed}{seed}"]
        {
            assert!(Command::read(bad, "", 1).is_err(), "{bad}");
        }
    }

    #[test]
    fn constants_are_filled_in_and_unknown_ones_stay() {
        let constants = [("n".to_owned(), "5".to_owned()), ("m.tex".into(), "$m$".into())].into();
        let (text, unknown) = fill("g {{n}} {{n.value}} {{m.tex}} {{x}} {n} {{ n }}", &constants);
        assert_eq!(text, "g 5 5 $m$ {{x}} {n} {{ n }}");
        assert_eq!(unknown, ["x"]);
    }
}
