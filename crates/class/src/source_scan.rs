//! Scans a source for an entry point and for the names that it mentions. This is not a parser. If unsure, it
//! reports an entry point: the teacher can choose among several, but a missed one leads to a wrong guess.

use super::{
    python_scan::scan_python,
    scan_result::{ProgramStart, SourceScan, words_of_text},
};
use kopek_engine::language::{
    Language, SourceTokens, StartRule, TokenKind, classes_with_main, code_words, known_lexer,
    objects_with_main,
};
use std::collections::BTreeSet;

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
    match () {
        () if has_sequence(text, "swift", &["@", "main"]) || firsts.iter().any(is_statement) => {
            ProgramStart::Declared
        }
        // Either values of a module, or a program that prints nothing.
        () if firsts.iter().any(|word| is_value(word)) => ProgramStart::Acts,
        () => ProgramStart::Nothing,
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
        IMPORT_WORDS.iter().any(|word| words.contains(*word)) || line.trim_start().starts_with(". ")
    };
    text.lines().filter(is_import).flat_map(words_of_text).collect()
}

/// Whether the code has this sequence of tokens outside comments and strings.
fn has_sequence(text: &str, code: &str, wanted: &[&str]) -> bool {
    code_words(text, code).windows(wanted.len()).any(|words| words == wanted)
}

#[cfg(test)]
mod tests {
    use super::{ProgramStart::*, *};
    use kopek_engine::language::LanguageTable;

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
}
