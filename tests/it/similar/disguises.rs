//! Disguises of a copied program.

use kopek::language::LexerRow;
use regex_lite::{Captures, Regex};

/// A way of hiding a copy: its name, and what it makes of a text in this language.
pub type Disguise = (&'static str, fn(&str, &LexerRow) -> String);

pub const DISGUISES: [Disguise; 6] = [
    ("reformatted", reformat),
    ("renamed", rename),
    ("commented", add_comments),
    ("reordered", reorder),
    ("exchanged", exchange),
    ("padded", |text, row| pad(&rename(&reorder(&add_comments(&exchange(text, row), row), row), row), row)),
];

fn is_python(row: &LexerRow) -> bool {
    row.docstrings
}

/// Other indentation, other spaces, other places of braces.
fn reformat(text: &str, row: &LexerRow) -> String {
    let signs = Regex::new(r" ?(==|<=|>=|\+=|[-+*<>=,]) ?").unwrap();
    let line = |line: &str| {
        let code = line.trim_start();
        let depth = (line.len() - code.len()) / 4;
        if code.starts_with(['#', '/', '"']) {
            return line.to_owned();
        }
        let code = signs.replace_all(code, "  $1  ").into_owned();
        match is_python(row) {
            true => format!("{}{code}\n", "\t".repeat(depth)),
            false => code.replace('{', "\n{\n").replace("} ", "}\n"),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Every name becomes another.
fn rename(text: &str, row: &LexerRow) -> String {
    let words: Vec<&str> =
        [&row.keywords, &row.types, &row.ignored].iter().flat_map(|list| list.split_whitespace()).collect();
    let names = Regex::new(r"[A-Za-z_]\w*").unwrap();
    let rename_line = |line: &str| {
        if row.preamble.iter().any(|sign| line.trim_start().starts_with(sign)) {
            return line.to_owned();
        }
        let other = |found: &Captures| match words.contains(&&found[0]) {
            true => found[0].to_owned(),
            false => format!("my_{}", found[0].chars().rev().collect::<String>()),
        };
        names.replace_all(line, other).into_owned()
    };
    text.lines().map(rename_line).collect::<Vec<_>>().join("\n")
}

/// A comment behind and before every other line.
fn add_comments(text: &str, row: &LexerRow) -> String {
    let sign = &row.line[0];
    let line = |(number, line): (usize, &str)| match number % 3 {
        0 if !line.starts_with('#') => format!("{line} {sign} (it's step {number}"),
        1 => format!("{line}\n{sign} now {{ follows: \"that"),
        _ => line.to_owned(),
    };
    text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Parts between empty lines in another order; the first and the last stay.
fn reorder(text: &str, _: &LexerRow) -> String {
    let mut parts: Vec<&str> = text.split("\n\n").collect();
    let last = parts.len() - 1;
    if last > 1 {
        parts[1..last].reverse();
    }
    parts.join("\n\n")
}

/// Other types, other numbers, other ways to count.
fn exchange(text: &str, row: &LexerRow) -> String {
    let counting = Regex::new(r"(\w+)\+\+").unwrap();
    let text = counting.replace_all(text, "$1 += 1").into_owned();
    let text =
        if is_python(row) { text } else { Regex::new(r"\bint\b").unwrap().replace_all(&text, "long").into() };
    Regex::new(r"\b[02-9]\d*\b").unwrap().replace_all(&text, "1${0}").into_owned()
}

/// A part that does nothing, as long as a fifth of a program.
fn pad(text: &str, row: &LexerRow) -> String {
    let idle = match (is_python(row), row.types.contains("int")) {
        (true, _) => {
            "def check_everything(text):\n    letters = {}\n    for letter in text:\n        letters.setdefault(letter, []).append(len(letters))\n    while letters and not text:\n        letters.popitem()\n    return [key for key, value in letters.items() if len(value) > 3]\n\n"
        }
        (false, true) => {
            "static int checkEverything(int number) {\n  int digits = 0, hash = 17;\n  do { hash = hash * 31 + number % 10; number /= 10; digits++; } while (number != 0);\n  if ((hash & 255) == 4 || digits > 9) return -1;\n  switch (digits) { case 1: return 5; case 2: return hash ^ 77; default: break; }\n  return hash > 3 ? digits : 0;\n}\n\n"
        }
        (false, false) => {
            "function checkEverything(number) {\n  let digits = 0, hash = 17;\n  do { hash = hash * 31 + number % 10; number /= 10; digits++; } while (number !== 0);\n  if ((hash & 255) === 4 || digits > 9) return -1;\n  switch (digits) { case 1: return 5; case 2: return hash ^ 77; default: break; }\n  return hash > 3 ? digits : 0;\n}\n\n"
        }
    };
    let at = text.find("\n\n").map_or(0, |at| at + 2);
    format!("{}{idle}{}", &text[..at], &text[at..])
}
