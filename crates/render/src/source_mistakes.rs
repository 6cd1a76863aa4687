//! Mistakes of beginners that the source shows: a hint for a program that fails. What may be meant is not called a mistake.

use kopek_package::language::{SourceToken, SourceTokens, TokenKind, known_lexer};
use kopek_sentences::Said;

/// A mistake in reading, comparing or clearing that explains a wrong answer.
pub(crate) fn mistake_in_source(language: &str, text: &str) -> Option<Said> {
    let tokens = code_tokens(language, text)?;
    match language {
        "cpp" => line_after_number(&tokens).or_else(|| vector_of_all_tests(&tokens)),
        "java" => java_line_after_number(&tokens).or_else(|| strings_as_places(&tokens)),
        // These keep the line break.
        "python3" | "pypy3" => line_without_trim(&tokens, "readline", "strip"),
        "rust" => rust_line_without_trim(&tokens),
        _ => None,
    }
}

/// The same for a program that fails on an input with blanks at the beginning or the end of a line.
pub(crate) fn mistake_with_blanks(language: &str, text: &str) -> Option<Said> {
    let tokens = code_tokens(language, text)?;
    match language {
        "java" => line_without_trim(&tokens, "nextLine", "trim")
            .or_else(|| line_without_trim(&tokens, "readLine", "trim")),
        "python3" | "pypy3" => line_without_trim(&tokens, "input", "strip"),
        _ => None,
    }
}

/// `scanf("%d", n)`, which explains a crash.
pub(crate) fn scanf_without_address(language: &str, text: &str) -> Option<Said> {
    if !matches!(language, "c" | "cpp") {
        return None;
    }
    let tokens = code_tokens(language, text)?;
    let calls = tokens.windows(5).enumerate().filter(|(_, part)| {
        part[0].is_word("scanf")
            && part[1].is_sign("(")
            && part[2].kind == TokenKind::Quoted
            && part[3].is_sign(",")
            && part[4].kind == TokenKind::Word
    });
    for (at, part) in calls {
        let (name, end) = (part[4].text, tokens.get(at + 5)?);
        if (end.is_sign(")") || end.is_sign(",")) && is_number(&tokens, name) {
            return Some(Said::ScanfAddress { name: name.to_owned(), other: name.to_owned() });
        }
    }
    None
}

/// `int Main`: the linker misses `main`.
pub(crate) fn main_in_capitals(language: &str, text: &str) -> Option<Said> {
    if !matches!(language, "c" | "cpp" | "java") {
        return None;
    }
    let tokens = code_tokens(language, text)?;
    let begins = |name: &str| {
        let is_type = |token: &SourceToken| token.is_word("int") || token.is_word("void");
        tokens.windows(3).any(|part| is_type(&part[0]) && part[1].is_word(name) && part[2].is_sign("("))
    };
    (begins("Main") && !begins("main")).then_some(Said::MainInCapitals)
}

/// Whether a function of a Python program calls itself within the usual limit.
pub(crate) fn may_nest_too_deep(language: &str, text: &str) -> bool {
    matches!(language, "python3" | "pypy3") && !text.contains("setrecursionlimit") && has_recursion(text)
}

fn has_recursion(text: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.iter().enumerate().any(|(at, line)| {
        let Some(rest) = line.trim_start().strip_prefix("def ") else { return false };
        let name = rest.split('(').next().unwrap_or_default();
        let body = lines[at + 1..].iter().take_while(|inner| indent(inner) > indent(line));
        let call = format!("{name}(");
        let calls = |inner: &&str| {
            let before = inner.find(&call).map(|at| inner[..at].chars().next_back());
            before.is_some_and(|before| before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '.'))
        };
        body.into_iter().any(calls)
    })
}

/// Whether a line begins or ends with blanks. The text may be cut within its last line.
pub(crate) fn has_blanks(input: &str) -> bool {
    let mut lines = input.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    lines.any(|line| line.trim_end_matches('\r') != line.trim())
}

/// Tokens without comments.
fn code_tokens<'t>(language: &str, text: &'t str) -> Option<Vec<SourceToken<'t>>> {
    let has_hints = matches!(language, "c" | "cpp" | "java" | "python3" | "pypy3" | "rust");
    let tokens = has_hints.then(|| SourceTokens::new(text, known_lexer(language)))?;
    Some(tokens.filter(|token| token.kind != TokenKind::Comment).collect())
}

fn has_word(tokens: &[SourceToken], words: &[&str]) -> bool {
    tokens.iter().any(|token| words.iter().any(|word| token.is_word(word)))
}

/// `cin >> n;` and then `getline(cin, s)`.
fn line_after_number(tokens: &[SourceToken]) -> Option<Said> {
    let reads = tokens.windows(2).position(|part| part[0].is_word("cin") && part[1].is_sign(">>"))?;
    let is_line =
        |part: &[SourceToken]| part[0].is_word("getline") && part[1].is_sign("(") && part[2].is_word("cin");
    let follows = tokens[reads..].windows(3).any(is_line);
    (follows && !has_word(tokens, &["ignore", "ws", "get", "getchar"])).then_some(Said::GetlineAfterNumber)
}

/// `sc.nextInt()` and then `sc.nextLine()`, without a call that only skips the end of the line.
fn java_line_after_number(tokens: &[SourceToken]) -> Option<Said> {
    const NUMBERS: [&str; 4] = ["next", "nextDouble", "nextInt", "nextLong"];
    let reads = tokens.iter().position(|token| NUMBERS.iter().any(|word| token.is_word(word)))?;
    let follows = has_word(&tokens[reads..], &["nextLine"]);
    // `; sc.nextLine();`
    let skips = tokens.windows(4).any(|part| {
        [";", "{", "}", ")"].iter().any(|sign| part[0].is_sign(sign))
            && part[1].kind == TokenKind::Word
            && part[2].is_sign(".")
            && part[3].is_word("nextLine")
    });
    (follows && !skips).then_some(Said::NextLineAfterInt)
}

/// `s == "yes"`.
fn strings_as_places(tokens: &[SourceToken]) -> Option<Said> {
    let is_text = |token: &SourceToken| token.kind == TokenKind::Quoted && token.text.starts_with('"');
    let compares = tokens.windows(3).any(|part| {
        (part[1].is_sign("==") || part[1].is_sign("!=")) && (is_text(&part[0]) || is_text(&part[2]))
    });
    compares.then_some(Said::StringsAsPlaces)
}

/// A line that is compared, measured or parsed as it was read. `remedy` is how the language removes blanks.
fn line_without_trim(tokens: &[SourceToken], read: &str, remedy: &str) -> Option<Said> {
    const OTHERS: [&str; 8] =
        ["lstrip", "replace", "replaceAll", "rstrip", "split", "strip", "trim", "StringTokenizer"];
    if has_word(tokens, &OTHERS) {
        return None;
    }
    let is_sign = |at: usize, sign: &str| tokens.get(at).is_some_and(|token| token.is_sign(sign));
    let is_read = |at: &usize| tokens[*at].is_word(read) && is_sign(at + 1, "(") && is_sign(at + 2, ")");
    (0..tokens.len()).filter(is_read).find_map(|at| {
        let mut begin = at;
        while begin >= 2 && is_sign(begin - 1, ".") {
            begin -= 2;
        }
        let name = (begin >= 2 && is_sign(begin - 1, "=")).then(|| tokens[begin - 2].text);
        let uses =
            |name| (0..tokens.len()).any(|at| tokens[at].is_word(name) && is_whole(tokens, at, at + 1));
        (is_whole(tokens, begin, at + 3) || name.is_some_and(uses))
            .then(|| Said::KeepsBlanks { function: read.to_owned(), remedy: remedy.to_owned() })
    })
}

/// Whether blanks count in the use of a text between two places.
fn is_whole(tokens: &[SourceToken], begin: usize, end: usize) -> bool {
    const PARSERS: [&str; 7] =
        ["equals", "len", "parseDouble", "parseInt", "parseLong", "reversed", "valueOf"];
    const QUESTIONS: [&str; 3] = ["equals", "equalsIgnoreCase", "length"];
    let token = |at: Option<usize>| at.and_then(|at| tokens.get(at));
    let is_sign = |at: Option<usize>, sign: &str| token(at).is_some_and(|token| token.is_sign(sign));
    let is_one =
        |at: Option<usize>, words: &[&str]| token(at).is_some_and(|one| words.iter().any(|w| one.is_word(w)));
    let [before, function] = [1, 2].map(|back| begin.checked_sub(back));
    ["==", "!="].iter().any(|sign| is_sign(before, sign) || is_sign(Some(end), sign))
        || is_sign(before, "(") && is_one(function, &PARSERS)
        || is_sign(Some(end), ".") && is_one(Some(end + 1), &QUESTIONS)
}

/// `read_line(&mut s)` and then `s.parse()`.
fn rust_line_without_trim(tokens: &[SourceToken]) -> Option<Said> {
    const OTHERS: [&str; 7] =
        ["lines", "pop", "split", "split_ascii_whitespace", "split_whitespace", "trim", "trim_end"];
    (has_word(tokens, &["read_line"]) && has_word(tokens, &["parse"]) && !has_word(tokens, &OTHERS))
        .then_some(Said::KeepsLineBreak)
}

/// A vector outside of all functions that every test fills and none empties.
fn vector_of_all_tests(tokens: &[SourceToken]) -> Option<Said> {
    // `while (t--)`
    let is_loop = |part: &[SourceToken]| {
        part[0].is_word("while")
            && part[1].is_sign("(")
            && part[2].kind == TokenKind::Word
            && part[3].is_sign("--")
    };
    let begin = tokens.windows(4).position(is_loop)?;
    let calls = |part: &[SourceToken], name: &str, function: &str| {
        part[0].is_word(name) && part[1].is_sign(".") && part[2].is_word(function)
    };
    global_vectors(tokens).into_iter().find_map(|name| {
        let filled = tokens[begin..].windows(3).any(|part| calls(part, name, "push_back"));
        let emptied = tokens.windows(3).any(|part| {
            let others = ["assign", "clear", "erase", "pop_back", "resize", "swap"];
            others.iter().any(|function| calls(part, name, function))
                || part[0].is_word(name) && part[1].is_sign("=")
                || part[0].is_sign("=") && part[1].is_word(name)
        });
        (filled && !emptied).then(|| Said::VectorKept { name: name.to_owned(), other: name.to_owned() })
    })
}

/// The names of vectors outside of all braces.
fn global_vectors<'t>(tokens: &[SourceToken<'t>]) -> Vec<&'t str> {
    let (mut depth, mut is_vector, mut names) = (0i32, false, Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        is_vector = depth == 0 && !token.is_sign(";") && (is_vector || token.is_word("vector"));
        let ends = tokens.get(at + 1).is_some_and(|next| next.is_sign(";") || next.is_sign(","));
        let is_named = before.is_some_and(|before| before.is_sign(">") || before.is_sign(","));
        if is_vector && ends && is_named && token.kind == TokenKind::Word {
            names.push(token.text);
        }
    }
    names
}

/// Whether a name is declared as one number, and as nothing else.
fn is_number(tokens: &[SourceToken], name: &str) -> bool {
    const TYPES: [&str; 5] = ["char", "double", "float", "int", "long"];
    let mut is_declared = false;
    for at in (0..tokens.len()).filter(|&at| tokens[at].is_word(name)) {
        let [before, after] = [at.checked_sub(1), Some(at + 1)].map(|at| tokens.get(at?));
        let is_sign =
            |token: Option<&SourceToken>, sign: &str| token.is_some_and(|token| token.is_sign(sign));
        if is_sign(before, "*") || is_sign(before, "&") || is_sign(after, "[") {
            return false;
        }
        is_declared |= before.is_some_and(|before| TYPES.iter().any(|kind| before.is_word(kind)));
    }
    is_declared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_hint(hint: Option<Said>, part: &str, source: &str) {
        match part {
            "" => assert_eq!(hint, None, "{source}"),
            part => assert!(
                hint.as_ref().is_some_and(|hint| hint.to_string().contains(part)),
                "{source}: {hint:?}"
            ),
        }
    }

    #[test]
    fn mistakes_of_beginners_get_a_hint_and_what_is_near_gets_none() {
        let java = "int n = sc.nextInt();\n";
        let tests = |global: &str, body: &str| {
            format!(
                "vector<int> {global};\nint main() {{ int t; cin >> t; while (t--) {{ {body} v.push_back(1); }} }}"
            )
        };
        for (language, source, part) in [
            ("cpp", "cin >> n;\ngetline(cin, s);", "write `cin >> ws` before it"),
            ("cpp", "cin >> n;\ncin.ignore();\ngetline(cin, s);", ""),
            ("cpp", "getline(cin, s);\nstringstream in(s);\nin >> n; // cin >> n", ""),
            ("java", &format!("{java}String s = sc.nextLine();"), "call `nextLine` once more"),
            ("java", &format!("{java}sc.nextLine();\nString s = sc.nextLine();"), ""),
            ("java", "int n = Integer.parseInt(sc.nextLine());", ""),
            ("java", "if (s == \"yes\") {}", "use `equals`"),
            ("java", "if (s.equals(\"a == b\")) {}", ""),
            ("java", "if (c == 'y') {}", ""),
            ("cpp", &tests("v", ""), "call `v.clear()` for each test"),
            ("cpp", &tests("v", "v.clear();"), ""),
            ("cpp", &tests("w", "vector<int> v;"), ""),
            ("python3", "if s == \"yes\": pass", ""),
        ] {
            assert_hint(mistake_in_source(language, source), part, source);
        }
    }

    #[test]
    fn a_line_with_blanks_is_trimmed_before_it_counts() {
        let java = "int n = Integer.parseInt(sc.nextLine());";
        for (language, source, part) in [
            ("java", java, "call `trim` on it"),
            ("java", "String s = in.readLine();\nif (s.equals(\"yes\")) n++;", "call `trim` on it"),
            ("java", "int n = Integer.parseInt(sc.nextLine().trim());", ""),
            ("java", "String s = sc.nextLine();\nSystem.out.println(s);", ""),
            ("java", "int n = sc.nextInt();", ""),
            ("python3", "s = input()\nprint(s == 'yes')", "call `strip` on it"),
            ("python3", "s = input().strip()\nprint(s == 'yes')", ""),
            ("python3", "n = int(input())\nprint(n == 1)", ""),
        ] {
            assert_hint(mistake_with_blanks(language, source), part, source);
        }
        for (language, source, part) in [
            ("python3", "s = sys.stdin.readline()\nprint(len(s))", "call `strip` on it"),
            ("python3", "s = sys.stdin.readline().rstrip()\nprint(len(s))", ""),
            ("python3", "n = int(sys.stdin.readline())\nprint(n)", ""),
            ("rust", "io::stdin().read_line(&mut s)?;\nlet n: i32 = s.parse()?;", "call `trim` before"),
            ("rust", "io::stdin().read_line(&mut s)?;\nlet n: i32 = s.trim().parse()?;", ""),
            ("rust", "io::stdin().read_line(&mut s)?;\nprint!(\"{s}\"); // parse", ""),
            ("java", java, ""),
        ] {
            assert_hint(mistake_in_source(language, source), part, source);
        }
    }

    #[test]
    fn a_number_is_read_to_its_address() {
        for (source, part) in [
            ("int main(void) { int n; scanf(\"%d\", n); }", "write `&n`"),
            ("int main(void) { int n; scanf(\"%d\", &n); }", ""),
            ("int main(void) { int n[3]; scanf(\"%d\", n); }", ""),
            ("void read(int *n) { scanf(\"%d\", n); }", ""),
        ] {
            assert_hint(scanf_without_address("c", source), part, source);
        }
    }

    #[test]
    fn a_program_begins_in_main() {
        for (language, source, part) in [
            ("cpp", "int Main() { }", "begins in `main`"),
            ("java", "public static void Main(String[] args) { }", "begins in `main`"),
            ("java", "class Main { public static void main(String[] args) { } }", ""),
            ("c", "int Main(void) { return 0; }\nint main(void) { return Main(); }", ""),
        ] {
            assert_hint(main_in_capitals(language, source), part, source);
        }
    }
}
