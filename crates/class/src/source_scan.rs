//! Scans a source for an entry point and for the names that it mentions. This is not a parser. If unsure, it
//! reports an entry point: the teacher can choose among several, but a missed one leads to a wrong guess.

use kopek_package::language::{
    Language, SourceTokens, StartRule, TokenKind, bare_code, classes_with_main, code_words, known_lexer,
    objects_with_main,
};
use kopek_sentences::Said;
use regex_lite::Regex;
use std::{collections::BTreeSet, sync::LazyLock};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SourceScan {
    pub(super) start: ProgramStart,
    /// Words of the import lines, in lowercase.
    pub(super) imports: BTreeSet<String>,
    /// All words in lowercase, including those of strings and comments.
    pub(super) words: BTreeSet<String>,
    /// Java and Scala: classes with a `main`.
    pub(super) classes: Vec<String>,
    /// The sign that this is Python 2.
    pub(super) python2: Option<Said>,
}

/// Whether a source has an entry point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ProgramStart {
    /// Definitions only.
    #[default]
    Nothing,
    /// It has top-level statements: a script, or a module with an initial value.
    Acts,
    /// It declares one: a `main`, `if __name__ == "__main__"`.
    Declared,
}

/// All words of a text, in lowercase.
pub(super) fn words_of_text(text: &str) -> BTreeSet<String> {
    let part = |c: char| !(c.is_alphanumeric() || c == '_');
    let words = text.split(part).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Whether all words of a file's name are among these.
pub(super) fn names_file(words: &BTreeSet<String>, stem: &str) -> bool {
    words_of_text(stem).is_subset(words)
}

/// Words that mark import lines, for all scripting languages.
const IMPORT_WORDS: [&str; 10] =
    ["require", "require_relative", "import", "include", "use", "source", "load", "dofile", "from", "uses"];

/// Scans a source in this language.
pub(super) fn scan_source(language: &Language, text: &str) -> SourceScan {
    let scan = SourceScan { words: words_of_text(text), ..SourceScan::default() };
    let code = language.code.as_str();
    let declared = |is_start: bool| if is_start { ProgramStart::Declared } else { ProgramStart::Nothing };
    match &language.start {
        StartRule::Python => SourceScan { words: scan.words, ..scan_python(text) },
        StartRule::Java => {
            let classes = classes_with_main(text);
            // Newer Java needs no class around `main`.
            let is_start = !classes.is_empty() || has_sequence(text, code, &["main", "("]);
            SourceScan { start: declared(is_start), classes, ..scan }
        }
        StartRule::Scala => {
            let classes = objects_with_main(text);
            SourceScan { start: declared(!classes.is_empty()), classes, ..scan }
        }
        StartRule::Swift => SourceScan { start: start_of_swift(text), ..scan },
        StartRule::MainWord => SourceScan { start: declared(has_sequence(text, code, &["main"])), ..scan },
        StartRule::MainAfter(keyword) => {
            let is_start = has_sequence(text, code, &[keyword.as_str(), "main"]);
            SourceScan { start: declared(is_start), ..scan }
        }
        StartRule::CapitalMain => {
            SourceScan { start: declared(has_sequence(text, code, &["Main", "("])), ..scan }
        }
        StartRule::MainLine => {
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
            let begins =
                |line: &str| line.strip_prefix("main").is_some_and(|rest| !rest.starts_with(is_word));
            SourceScan { start: declared(text.lines().any(begins)), ..scan }
        }
        StartRule::Pascal => {
            let unit = code_words(text, code).first().is_some_and(|word| word.eq_ignore_ascii_case("unit"));
            let start = if unit { ProgramStart::Nothing } else { ProgramStart::Declared };
            SourceScan { start, imports: imports_of_script(text), ..scan }
        }
        StartRule::Script => scan_script(text, scan),
    }
}

/// Words that begin a definition in Swift.
const SWIFT_DEFINITIONS: [&str; 21] = [
    "actor",
    "class",
    "enum",
    "extension",
    "fileprivate",
    "final",
    "func",
    "import",
    "indirect",
    "infix",
    "internal",
    "open",
    "operator",
    "postfix",
    "precedencegroup",
    "prefix",
    "private",
    "protocol",
    "public",
    "struct",
    "typealias",
];

/// Only the main file may have top-level statements: lines without indentation whose first word begins no
/// definition.
fn start_of_swift(text: &str) -> ProgramStart {
    let at_margin = |at: usize| at == 0 || text.as_bytes()[at - 1] == b'\n';
    let words = SourceTokens::new(text, known_lexer("swift")).filter(|token| token.kind == TokenKind::Word);
    let firsts: Vec<&str> = words.filter(|word| at_margin(word.at)).map(|word| word.text).collect();
    let is_value = |word: &str| word == "let" || word == "var";
    let is_statement = |word: &&str| !is_value(word) && !SWIFT_DEFINITIONS.contains(word);
    if has_sequence(text, "swift", &["@", "main"]) || firsts.iter().any(is_statement) {
        ProgramStart::Declared
    } else if firsts.iter().any(|word| is_value(word)) {
        // Either values of a module, or a program that prints nothing.
        ProgramStart::Acts
    } else {
        ProgramStart::Nothing
    }
}

fn scan_script(text: &str, scan: SourceScan) -> SourceScan {
    let guards = ["require.main", "import.meta.main", "__FILE__ == $0", "$0 == __FILE__", "$PROGRAM_NAME"];
    let is_guarded = guards.iter().any(|guard| text.contains(guard));
    let start = if is_guarded { ProgramStart::Declared } else { ProgramStart::Acts };
    let start = if text.trim().is_empty() { ProgramStart::Nothing } else { start };
    SourceScan { start, imports: imports_of_script(text), ..scan }
}

fn imports_of_script(text: &str) -> BTreeSet<String> {
    let is_import = |line: &&str| {
        let words = words_of_text(line);
        let has_word = IMPORT_WORDS.iter().any(|word| words.contains(*word));
        has_word || line.trim_start().starts_with(". ")
    };
    text.lines().filter(is_import).flat_map(words_of_text).collect()
}

/// Whether the code has this sequence of tokens outside comments and strings.
fn has_sequence(text: &str, code: &str, wanted: &[&str]) -> bool {
    code_words(text, code).windows(wanted.len()).any(|words| words == wanted)
}

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
fn scan_python(text: &str) -> SourceScan {
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
fn python2_sign(lines: &[LogicalLine]) -> Option<Said> {
    let any = |pattern: &Regex| lines.iter().any(|line| pattern.is_match(&line.code));
    let calls = |name: &str| {
        let used = lines.iter().any(|line| line.code.contains(&format!("{name}(")));
        // `raw_input = input` makes the program run in both versions.
        used && !lines.iter().any(|line| line.code.contains(&format!("{name} =")))
            && !lines.iter().any(|line| line.code.contains(&format!("def {name}")))
    };
    let signs = [
        (any(&PRINT_STATEMENT), Said::PrintWithoutParentheses),
        (any(&EXCEPT_COMMA), Said::ExceptWithComma),
        (calls("raw_input"), Said::Name { name: "`raw_input`".to_owned() }),
        (calls("xrange"), Said::Name { name: "`xrange`".to_owned() }),
    ];
    signs.into_iter().find(|(is_there, _)| *is_there).map(|(_, sign)| sign)
}

/// The statements, with empty string literals. Brackets and backslashes join lines.
fn logical_lines(text: &str) -> Vec<LogicalLine> {
    let mut lines = Vec::new();
    let mut joined = String::new();
    let mut depth = 0_usize;
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
    let code = joined.trim();
    if code.is_empty() || code == "\"\"" {
        return None;
    }
    Some(LogicalLine { code: code.to_owned(), indented: joined.starts_with([' ', '\t']) })
}

#[cfg(test)]
mod tests {
    use super::{ProgramStart::*, *};
    use kopek_package::language::LanguageTable;

    #[test]
    fn a_program_begins_where_its_language_says() {
        let cases = [
            ("c", "int main(void) {}", Declared),
            ("c", "/* int main() */ int f(int x) { return x; }", Nothing),
            ("cpp", "#define int long long\nsigned main() {}", Declared),
            ("cpp", "// main\nint solve() { return 0; }", Nothing),
            ("rust", "pub fn main() {}", Declared),
            ("rust", "mod a; fn domain() {}", Nothing),
            ("rust", "fn f(_: &'static str) {} fn main() {}", Declared),
            ("go", "package main\nfunc helper() {}", Nothing),
            ("go", "package main\nfunc main() {}", Declared),
            ("java", "class A { static void main(String[] a) {} }", Declared),
            ("java", "class A { void run() {} }", Nothing),
            ("scala", "object A extends App {}", Declared),
            ("scala", "object A { def run() = 1 }", Nothing),
            ("swift", "let n = 1\nprint(n)", Declared),
            ("swift", "@main\nstruct A { static func main() {} }", Declared),
            ("swift", "// total\nimport Foundation\npublic func f() {\n    print(1)\n}", Nothing),
            ("swift", "let limit = 5", Acts),
            ("csharp", "class A { static int Main() {} }", Declared),
            ("haskell", "module Main where\nmain = print 1", Declared),
            ("haskell", "mainly = 1", Nothing),
            ("pascal", "{ unit } program x; begin end.", Declared),
            ("pascal", "(* x *) unit x; interface", Nothing),
            ("ruby", "puts 1", Acts),
            ("ruby", "def f; end\nf if __FILE__ == $0", Declared),
        ];
        let table = LanguageTable::embedded();
        for (code, text, start) in cases {
            assert_eq!(scan_source(table.get(code).unwrap(), text).start, start, "{code}: {text}");
        }
    }

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
