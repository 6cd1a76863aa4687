//! Scans Python line by line: Python runs top-level statements when it loads the file.

use super::scan_result::{ProgramStart, SourceScan, words_of_text};
use kopek_engine::language::bare_code;
use regex_lite::Regex;
use std::sync::LazyLock;

/// A statement on one line, with empty string literals and no comments.
struct LogicalLine {
    code: String,
    indented: bool,
}

/// Words that begin a definition, or continue a statement above.
const NO_ACTION: [&str; 9] = ["def", "class", "async", "import", "from", "else", "elif", "except", "finally"];

static PRINT_STATEMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"^\s*print\s+(>>|["\w{])"#).expect("a pattern of ours"));
static EXCEPT_COMMA: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*except\s+[\w.]+\s*,\s*\w+\s*:").expect("a pattern of ours"));

/// Scans a source; `words` stays empty.
pub(super) fn scan_python(text: &str) -> SourceScan {
    let lines = logical_lines(text);
    let mut scan = SourceScan { python2: python2_sign(&lines), ..SourceScan::default() };
    for line in &lines {
        let first = line.code.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        if ["import", "from"].contains(&first) {
            scan.imports.extend(words_of_text(&line.code));
        }
        if line.indented {
            continue;
        }
        if first == "if" && line.code.contains("__name__") {
            scan.start = ProgramStart::Declared;
        } else if acts(&line.code, first) && scan.start == ProgramStart::Nothing {
            scan.start = ProgramStart::Acts;
        }
    }
    scan
}

/// Whether a top-level line does more than define a name.
fn acts(code: &str, first: &str) -> bool {
    let loops = ["for", "while", "with", "try", "print", "if", "raise", "exec"];
    !NO_ACTION.contains(&first)
        && !code.starts_with('@')
        && (loops.contains(&first) || code.contains('(') || code.contains("+="))
}

/// The sign that a file is Python 2.
fn python2_sign(lines: &[LogicalLine]) -> Option<&'static str> {
    let any = |pattern: &Regex| lines.iter().any(|line| pattern.is_match(&line.code));
    let calls = |name: &str| {
        let used = lines.iter().any(|line| line.code.contains(&format!("{name}(")));
        // `raw_input = input` makes the program run in both versions.
        used && !lines.iter().any(|line| line.code.contains(&format!("{name} =")))
            && !lines.iter().any(|line| line.code.contains(&format!("def {name}")))
    };
    match () {
        () if any(&PRINT_STATEMENT) => Some("`print` without parentheses"),
        () if any(&EXCEPT_COMMA) => Some("`except` with a comma"),
        () if calls("raw_input") => Some("`raw_input`"),
        () if calls("xrange") => Some("`xrange`"),
        () => None,
    }
}

/// The statements, with empty string literals. Brackets and backslashes join lines.
fn logical_lines(text: &str) -> Vec<LogicalLine> {
    let (mut lines, mut joined, mut depth) = (Vec::new(), String::new(), 0_usize);
    for line in bare_code(text, "python3").lines() {
        let part = line.strip_suffix('\\');
        joined += part.unwrap_or(line);
        joined.push(' ');
        for sign in line.chars() {
            match sign {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if depth == 0 && part.is_none() {
            lines.extend(logical_line(&std::mem::take(&mut joined)));
        }
    }
    lines.extend(logical_line(&joined));
    lines
}

/// The statement, or `None` for a docstring, which does nothing.
fn logical_line(joined: &str) -> Option<LogicalLine> {
    let (code, indented) = (joined.trim(), joined.starts_with([' ', '\t']));
    let says_something = !code.is_empty() && code != "\"\"";
    says_something.then(|| LogicalLine { code: code.to_owned(), indented })
}

#[cfg(test)]
mod tests {
    use super::{ProgramStart::*, *};

    #[test]
    fn what_stands_at_the_margin_decides() {
        let cases = [
            ("def f(x):\n    print(x)\n", Nothing),
            (
                "\"\"\"print(1)\"\"\"\nimport sys\nfrom a import (b,\n  c)\nMOD = 7\nclass A(object):\n  x = f()\n",
                Nothing,
            ),
            ("n = int(input())\n", Acts),
            ("@cache\ndef f(): pass\nfor i in []: pass\n", Acts),
            ("def main(): pass\nif __name__ == '__main__':\n    main()\n", Declared),
            ("print(1)\nif __name__ == \"__main__\": f()\n", Declared),
        ];
        for (text, start) in cases {
            assert_eq!(scan_python(text).start, start, "{text}");
        }
    }

    #[test]
    fn imports_are_read_over_several_lines() {
        let imports =
            scan_python("from a_helper import (\n  f,\n  g)\nimport x.y as z\nb = 'import c'\n").imports;
        for word in ["a_helper", "f", "x", "y"] {
            assert!(imports.contains(word), "{word}");
        }
        assert!(!imports.contains("c") && !imports.contains("b"));
    }

    #[test]
    fn python_2_is_known_by_its_words_and_not_by_its_texts() {
        let old = [
            "print \"x\"\n",
            "print x, y\n",
            "if a:\n    print a\n",
            "n = raw_input()\n",
            "for i in xrange(3): f(i)\n",
        ];
        for text in old.into_iter().chain(["try:\n  f()\nexcept E, e:\n  g()\n", "print >>f, x\n"]) {
            assert!(scan_python(text).python2.is_some(), "{text}");
        }
        let new =
            ["print(x)\n", "s = 'print x'\n", "# print x\n", "print\n", "raw_input = input\nraw_input()\n"];
        for text in new.into_iter().chain(["'''\nprint x\n'''\n", "print = f\n"]) {
            assert_eq!(scan_python(text).python2, None, "{text}");
        }
    }

    #[test]
    fn any_text_is_survived() {
        for text in ["'", "\"\"\"", "\\", "\\\n", "(((", ")))", "'\\", "é'ü\n", "#"] {
            scan_python(text);
        }
    }
}
