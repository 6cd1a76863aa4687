//! Places in sources, as compilers, interpreters and sanitizers name them.

use kopek_base::wording::{one_line, short_line};
use kopek_package::{
    language::SourceFiles,
    package::{Level, Message, Place},
};
use std::path::Path;

/// The errors and warnings of a compiler, in its order. Notes and excerpts are left out.
pub fn compiler_findings(message: &str) -> Vec<Message> {
    let lines: Vec<&str> = message.lines().collect();
    let mut found: Vec<Message> = Vec::new();
    // Python and OCaml name the place first, and the mistake behind an excerpt.
    let mut frame = None;
    for (at, line) in lines.iter().enumerate() {
        frame = file_and_line(line).or(frame);
        let below = lines.get(at + 1).copied().unwrap_or_default();
        let finding = at_arrow(line, below).or_else(|| at_colons(line, below)).or_else(|| at_bracket(line));
        let finding = finding.or_else(|| at_frame(line, frame.as_ref()));
        found.extend(finding.filter(|finding| !found.contains(finding)));
    }
    found
}

/// Where a program of a package does not compile: the file and line that the compiler names first. `None`: it names none
/// of its files.
pub fn place_of_error(package: &Path, source: &SourceFiles, message: &str) -> Option<Place> {
    let found = compiler_findings(message);
    let named = found.first()?.place()?;
    let file = match &source.files[..] {
        // It may be compiled under another name.
        [only] => only,
        several => several.iter().find(|file| named.file.ends_with(file))?,
    };
    let root = source.root.strip_prefix(package).ok()?;
    Some(Place { file: root.join(file), ..named.clone() })
}

/// As [`compiler_findings`]; a message without a place is about the first line of `file`.
pub fn compiler_findings_in(file: &str, message: &str) -> Vec<Message> {
    let found = compiler_findings(message);
    if found.iter().any(|finding| finding.level == Level::Error) {
        return found;
    }
    let lines = error_lines(message);
    let line = lines.first().copied().or(message.lines().find(|line| !line.trim().is_empty()));
    let text = one_line(line.unwrap_or("it does not compile").trim());
    vec![Message::error(file, text).line(1)]
}

/// Why a program stopped, and where in one of its own files; `None`: its messages name no such place.
pub fn stop_of_program<'f>(stderr: &str, files: impl IntoIterator<Item = &'f str>) -> Option<Message> {
    let text = reason_of_stop(stderr)?;
    let (file, line, column) = files.into_iter().find_map(|file| {
        // The deepest frame: the last one of a traceback, the first one of all others.
        let mut frames = stderr.lines().filter_map(file_and_line);
        let frame = frames.rfind(|place| is_file(&place.0, file));
        frame.map(|(_, line)| (file, line, None)).or_else(|| first_place(stderr, file))
    })?;
    let place = Place { file: file.into(), line: Some(line), column };
    Some(Message::new(Level::Error, text).at(place))
}

/// Why a program stopped, in the words of a sanitizer or a runtime.
pub fn reason_of_stop(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().collect();
    let behind = |mark: &str| {
        lines.iter().enumerate().find_map(|(at, line)| {
            line.find(mark).map(|found| (at, line[found + mark.len()..].trim().to_owned()))
        })
    };
    // Those of the library wrap their lines.
    let paragraph = |(at, text): (usize, String)| {
        let rest = lines[at + 1..].iter().take_while(|line| !line.trim().is_empty());
        rest.fold(text, |text, line| format!("{text} {}", line.trim()))
    };
    let below = |(at, _): (usize, String)| lines.get(at + 1).map(|line| line.trim().to_owned());
    let thrown = |(at, what): (usize, String)| {
        let message = lines.get(at + 1).and_then(|line| line.trim().strip_prefix("what():"));
        let what = what.trim_matches('\'').to_owned();
        message.map_or(what.clone(), |message| format!("{what}: {}", message.trim()))
    };
    let address = |(_, text): (usize, String)| {
        text.split(" on address").next().and_then(|text| text.split(" on unknown").next()).map(str::to_owned)
    };
    let own_line = |line: &&&str| {
        !line.starts_with(char::is_whitespace)
            && line.split([':', ' ']).next().is_some_and(|word| {
                word.ends_with("Error") || word.ends_with("Exception") || word.ends_with("Exit")
            })
    };
    let text = behind(": runtime error: ")
        .map(|(_, text)| text)
        .or_else(|| behind("Error: attempt to ").map(|found| format!("attempt to {}", paragraph(found))))
        .or_else(|| behind(": Assertion ").map(|(_, text)| format!("assertion {text}")))
        .or_else(|| behind("terminate called after throwing an instance of ").map(thrown))
        .or_else(|| behind("ERROR: AddressSanitizer: ").and_then(address))
        .or_else(|| behind(" panicked at ").and_then(below))
        .or_else(|| behind("Exception in thread \"main\" ").map(|(_, text)| text))
        .or_else(|| behind("Runtime error ").map(|(_, text)| format!("runtime error {text}")))
        .or_else(|| lines.iter().rfind(own_line).map(|line| (**line).to_owned()))?;
    Some(one_line(&index_and_length(&text).unwrap_or(text)))
}

/// `index 3 of 3` for an index beyond the end.
fn index_and_length(text: &str) -> Option<String> {
    let number = |mark: &str| {
        let behind = &text[text.find(mark)? + mark.len()..];
        let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        (end > 0).then(|| behind[..end].to_owned())
    };
    let forms = [
        ("out-of-bounds index ", "only holds "),
        ("the index is ", "the len is "),
        ("Index ", "out of bounds for length "),
    ];
    forms.iter().find_map(|(index, length)| Some(format!("index {} of {}", number(index)?, number(length)?)))
}

/// `error[E0308]: mismatched types`, and below it ` --> a.rs:2:1`.
fn at_arrow(line: &str, below: &str) -> Option<Message> {
    let (level, text) = level_of(line)?;
    let (file, line, column, _) = place_with_colons(below.trim_start().strip_prefix("--> ")?)?;
    finding(file, line, column, level, text)
}

/// `a.cpp:3:5: error: …`; GHC says the mistake on the next line, and Go no level.
fn at_colons(line: &str, below: &str) -> Option<Message> {
    let line = line.strip_prefix("vet: ").unwrap_or(line);
    let (file, number, column, rest) = place_with_colons(line)?;
    let (level, text) = match level_of(rest) {
        Some(found) => found,
        None if file.ends_with(".go") || rest.starts_with("syntax error") => (Level::Error, rest),
        None => return None,
    };
    finding(file, number, column, level, if text.is_empty() { below.trim() } else { text })
}

/// `a.pas(3,5) Error: …`, `a.cs(3,5): error CS1002: …`.
fn at_bracket(line: &str) -> Option<Message> {
    let (file, behind) = line.split_once('(')?;
    let (place, rest) = behind.split_once(')')?;
    let mut numbers = place.split(',').map(|number| number.trim().parse::<u32>());
    let (number, column) = (numbers.next()?.ok()?, numbers.next().transpose().ok()?);
    let (level, text) = level_of(rest.trim_start_matches(':').trim_start())?;
    finding(file.trim(), number, column, level, text)
}

/// `SyntaxError: …` behind `File "a.py", line 3`.
fn at_frame(line: &str, frame: Option<&(String, u32)>) -> Option<Message> {
    let (file, number) = frame?;
    let word = line.split(':').next()?;
    let names_error =
        word.ends_with("Error") && word.chars().all(|c| c.is_alphanumeric() || "_.".contains(c));
    let text = line.strip_prefix("Error: ").unwrap_or(line);
    names_error.then(|| finding(file, *number, None, Level::Error, text)).flatten()
}

fn finding(file: &str, line: u32, column: Option<u32>, level: Level, text: &str) -> Option<Message> {
    let is_place = line > 0 && !file.is_empty() && !text.is_empty();
    let place = Place { file: file.into(), line: Some(line), column };
    is_place.then(|| Message::new(level, one_line(text)).at(place))
}

/// The level of a message that begins with it, and the rest; notes have none.
fn level_of(text: &str) -> Option<(Level, &str)> {
    let words = [
        ("fatal error", Level::Error),
        ("error", Level::Error),
        ("fatal", Level::Error),
        ("warning", Level::Warning),
    ];
    words.iter().find_map(|(word, level)| {
        let head = text.get(..word.len())?;
        let rest = &text[word.len()..];
        let ends = rest.is_empty() || rest.starts_with([':', '[', ' ']);
        (ends && head.eq_ignore_ascii_case(word)).then(|| (*level, behind_code(rest)))
    })
}

/// Without colons and a code: `[E0308]`, `[GHC-88464]`.
fn behind_code(text: &str) -> &str {
    let text = text.trim_start_matches(':').trim();
    let is_code = |code: &str| code.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    match text.strip_prefix('[').and_then(|code| code.split_once(']')) {
        Some((code, behind)) if is_code(code) => behind.trim_start_matches(':').trim(),
        _ => text,
    }
}

/// A file, a line and a column at the beginning, and the rest.
fn place_with_colons(text: &str) -> Option<(&str, u32, Option<u32>, &str)> {
    if text.starts_with(char::is_whitespace) {
        return None;
    }
    let (file, rest) = text
        .match_indices(':')
        .map(|(at, _)| (&text[..at], &text[at + 1..]))
        .find(|(file, rest)| file.contains('.') && rest.starts_with(|c: char| c.is_ascii_digit()))?;
    let (line, rest) = leading_number(rest)?;
    let column = rest.strip_prefix(':').and_then(leading_number);
    let (column, rest) = column.map_or((None, rest), |(column, rest)| (Some(column), rest));
    Some((file, line, column, rest.trim_start_matches(':').trim()))
}

fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// `File "a.py", line 3`.
fn file_and_line(line: &str) -> Option<(String, u32)> {
    let (file, rest) = line.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
    Some((file.trim_start_matches("./").to_owned(), leading_number(rest)?.0))
}

/// The first `FILE:LINE` in a text, of this file.
fn first_place<'f>(text: &str, file: &'f str) -> Option<(&'f str, u32, Option<u32>)> {
    text.match_indices(file).find_map(|(at, _)| {
        let inside = text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || "_-.".contains(c));
        let rest = text[at + file.len()..].strip_prefix(':').filter(|_| !inside)?;
        let (line, rest) = leading_number(rest)?;
        let column = rest.strip_prefix(':').and_then(leading_number).map(|(column, _)| column);
        Some((file, line, column))
    })
}

/// Whether a path names this file.
fn is_file(path: &str, file: &str) -> bool {
    path.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Why a program does not compile, in one line: its first mistake.
pub fn compile_reason(message: &str) -> String {
    short_line(error_lines(message).first().copied().unwrap_or(message))
}

/// Lines that name a mistake, with the next line if that has the place (` --> main.rs:3`).
pub fn error_lines(message: &str) -> Vec<&str> {
    let lines: Vec<&str> = message.lines().collect();
    let mut errors = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| names_error(line)) {
        errors.push(*line);
        errors.extend(lines.get(at + 1).copied().filter(|next| next.trim_start().starts_with("-->")));
    }
    errors
}

/// `a.c:3: error: …`, `error[E0308]: …`, `SyntaxError: …`, but no `2 errors generated`.
fn names_error(line: &str) -> bool {
    let line = line.to_lowercase();
    let after = line.split("error").skip(1);
    after.into_iter().any(|rest| {
        rest.starts_with(':')
            || rest.starts_with('[')
            || [" cs", " ts"].iter().any(|code| rest.starts_with(code))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `FILE:LINE:COLUMN: LEVEL: TEXT`.
    fn shown(found: &[Message]) -> Vec<String> {
        let line = |one: &Message| format!("{}: {:?}: {}", one.place().unwrap(), one.level, one.what);
        found.iter().map(line).collect()
    }

    #[test]
    fn compilers_name_places_in_many_ways() {
        for (message, wanted) in [
            (
                "h.cpp: In function 'int main()':\nh.cpp:4:55: error: 'x' was not declared\n    4 | return x; }\n\
                 h.cpp:4:18: warning: unused variable 'y' [-Wunused-variable]\nh.cpp:4:43:   required from here\n\
                 h.cpp:5:1: note: a note\n",
                vec![
                    "h.cpp:4:55: Error: 'x' was not declared",
                    "h.cpp:4:18: Warning: unused variable 'y' [-Wunused-variable]",
                ],
            ),
            (
                "g.cpp:2:10: fatal error: no.h: No such file or directory\ncompilation terminated.\n",
                vec!["g.cpp:2:10: Error: no.h: No such file or directory"],
            ),
            (
                "error[E0425]: cannot find value `y`\n --> k.rs:1:42\n  |\nerror: aborting due to 1 previous error\n",
                vec!["k.rs:1:42: Error: cannot find value `y`"],
            ),
            (
                "Main.java:1: error: ';' expected\nclass\n  ^\n1 error\n",
                vec!["Main.java:1: Error: ';' expected"],
            ),
            ("# command-line-arguments\na.go:3:23: undefined: y\n", vec!["a.go:3:23: Error: undefined: y"]),
            (
                "  File \"m.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n",
                vec!["m.py:1: Error: SyntaxError: invalid syntax"],
            ),
            (
                "File \"./o.ml\", line 2, characters 5-8:\n2 |  3\nError: This has type string\n",
                vec!["o.ml:2: Error: This has type string"],
            ),
            (
                "n.pas(1,18) Error: Identifier not found \"x\"\nn.pas(2) Fatal: Syntax error, \".\" expected\n\
                 Error: ppcx64 returned an error exitcode\n",
                vec![
                    "n.pas:1:18: Error: Identifier not found \"x\"",
                    "n.pas:2: Error: Syntax error, \".\" expected",
                ],
            ),
            ("a.cs(3,5): error CS1002: ; expected\n", vec!["a.cs:3:5: Error: CS1002: ; expected"]),
            (
                "a.hs:3:5: error:\n    Variable not in scope: y\n",
                vec!["a.hs:3:5: Error: Variable not in scope: y"],
            ),
        ] {
            assert_eq!(shown(&compiler_findings(message)), wanted, "{message}");
        }
    }

    #[test]
    fn a_message_without_a_place_is_about_the_first_line() {
        let message = "/usr/bin/ld: in function `main':\ncollect2: error: ld returned 1 exit status\n";
        let found = shown(&compiler_findings_in("i.cpp", message));
        assert_eq!(found, ["i.cpp:1: Error: collect2: error: ld returned 1 exit status"]);
        assert_eq!(shown(&compiler_findings_in("a", "")), ["a:1: Error: it does not compile"]);
    }

    #[test]
    fn programs_stop_at_a_line_of_their_own() {
        let vector = "/usr/include/c++/12/debug/vector:442:\nIn function:\n    f\n\n\
            Error: attempt to subscript container with out-of-bounds index 3, but \ncontainer only holds 3 elements.\n\n\
            Objects involved\nAddressSanitizer:DEADLYSIGNAL\n==1==ERROR: AddressSanitizer: ABRT on unknown address 0x\n\
                #0 0x in raise.c:26\n    #5 0x56 in main /exe/a.cpp:9\n    #6 0x in main a.cpp:11\n";
        for (stderr, file, wanted) in [
            (vector, "a.cpp", "a.cpp:9: Error: index 3 of 3"),
            (
                "c.cpp:4:11: runtime error: signed integer overflow: 1 + 2147483647\n    #0 0x in main c.cpp:4\n",
                "c.cpp",
                "c.cpp:4:11: Error: signed integer overflow: 1 + 2147483647",
            ),
            (
                "==2==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6 at pc\n #0 in f() /exe/a.cpp:12:3\n",
                "a.cpp",
                "a.cpp:12:3: Error: heap-buffer-overflow",
            ),
            (
                "b: b.cpp:6: int main(): Assertion `n < 3' failed.\n",
                "b.cpp",
                "b.cpp:6: Error: assertion `n < 3' failed.",
            ),
            (
                "terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n\
                 ==1==ERROR: AddressSanitizer: ABRT on unknown address\n    #9 0x5 in main d.cpp:4\n",
                "d.cpp",
                "d.cpp:4: Error: std::out_of_range: map::at",
            ),
            (
                "\nthread 'main' (2) panicked at e.rs:1:77:\nindex out of bounds: the len is 3 but the index is 4\n",
                "e.rs",
                "e.rs:1:77: Error: index 4 of 3",
            ),
            (
                "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 2\n\
                 \tat Main.f(Main.java:3)\n\tat Main.main(Main.java:9)\n",
                "Main.java",
                "Main.java:3: Error: index 5 of 2",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 9, in <module>\n    f()\n  File \"a.py\", line 3, in f\n\
                     return 1 // 0\nZeroDivisionError: integer division or modulo by zero\n",
                "a.py",
                "a.py:3: Error: ZeroDivisionError: integer division or modulo by zero",
            ),
        ] {
            let found = stop_of_program(stderr, [file]);
            assert_eq!(shown(found.as_slice()), [wanted], "{stderr}");
        }
        assert_eq!(stop_of_program("it says nothing of a.cpp:3", ["a.cpp"]), None);
        assert_eq!(stop_of_program("x.cpp:4:11: runtime error: no\n", ["c.cpp"]), None);
    }

    #[test]
    fn the_place_stays_with_its_error() {
        let lines = error_lines("error[E0308]: mismatched types\n --> main.rs:2:1\n  |\nSyntaxError: x\n");
        assert_eq!(lines, ["error[E0308]: mismatched types", " --> main.rs:2:1", "SyntaxError: x"]);
    }
}
