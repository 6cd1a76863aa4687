//! The Python program in a Jupyter notebook.

use kopek_base::files::lower_ending;
use kopek_package::{
    language::{SourceToken, SourceTokens, TokenKind, known_lexer},
    package::NoSubmission,
};
use kopek_sentences::Said;
use serde_json::Value;
use std::path::Path;

pub(super) fn is_notebook(name: &Path) -> bool {
    lower_ending(name) == "ipynb"
}

pub(super) struct NotebookProgram {
    pub(super) text: String,
    pub(super) note: Said,
}

/// The code cells of a notebook in their order, without commands for the notebook itself.
pub(super) fn program_of_notebook(name: &Path, bytes: &[u8]) -> Result<NotebookProgram, NoSubmission> {
    let name = name.display();
    let notebook: Value = serde_json::from_slice(bytes).map_err(|error| {
        NoSubmission::Undecided(format!("{name} is damaged ({error}): ask for it again, or for a .py file"))
    })?;
    if let Some(other) = foreign_language(&notebook) {
        let why = format!("{name} is a notebook in {other}, and kopek reads notebooks in Python only");
        return Err(NoSubmission::Undecided(format!("{why}: ask for the program as a file")));
    }
    let mut text = String::new();
    let mut left_out = 0;
    let mut shown = None;
    for cell in cells(&notebook) {
        let cell = cell_text(cell);
        let code = code_of_cell(&cell).map_err(|command| {
            let why = format!(
                "{name}: it is another program without `{command}`, which is for the notebook itself"
            );
            NoSubmission::Undecided(format!("{why}: ask for a .py file"))
        })?;
        left_out += code.left_out;
        text += &code.text;
        shown = shown.or_else(|| shown_by_jupyter(code.last).map(str::to_owned));
    }
    let file = name.to_string();
    let count = Box::new(Said::NotebookLines { number: left_out });
    let read = if left_out > 0 { Said::ReadCellsWithout { file, count } } else { Said::ReadCells { file } };
    let shown = shown.map(|line| Said::JupyterShows { line });
    let note = Said::Several { parts: [read].into_iter().chain(shown).collect() };
    Ok(NotebookProgram { text, note })
}

/// The Python of a cell.
#[derive(Default)]
struct CellCode<'c> {
    /// With an empty line for each that is left out: errors name the lines of the cells in sum.
    text: String,
    left_out: usize,
    /// The last statement, or empty if a command is behind it.
    last: &'c str,
}

/// The cell without commands for the notebook itself, which begin where a statement can begin. Fails with the first
/// command that is a part of the program.
fn code_of_cell(cell: &str) -> Result<CellCode<'_>, &str> {
    let mut code = CellCode::default();
    let is_foreign = cell.trim_start().starts_with("%%") && !runs_code(cell);
    let mut rest = cell;
    while !rest.is_empty() {
        let begin = rest.trim_start_matches([' ', '\t']);
        let is_line = is_foreign || begin.starts_with(['%', '!', '?']);
        let length = if is_line { command_length(rest) } else { statement_length(rest) };
        let (part, after) = rest.split_at(length);
        if has_command_as_value(part) && !is_line {
            return Err(part.trim());
        }
        if !is_line && !asks_for_help(part) {
            code.text += part;
            if !begin.starts_with(['#', '\n']) {
                code.last = part;
            }
        } else {
            code.last = "";
            let is_in_block = begin.len() < rest.len();
            if !is_foreign && (is_in_block || runs_code(part) && !part.starts_with("%%")) {
                return Err(part.trim());
            }
            code.left_out += part.lines().count();
            code.text += &"\n".repeat(part.lines().count());
        }
        rest = after;
    }
    if !code.text.ends_with('\n') {
        code.text.push('\n');
    }
    Ok(code)
}

/// The length of the first line, and of those that it continues on.
fn command_length(code: &str) -> usize {
    let mut length = 0;
    for line in code.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    length
}

/// The length of the first statement with its line end. It continues in brackets, in a text, and behind a backslash.
fn statement_length(code: &str) -> usize {
    let mut open = 0usize;
    let mut end = 0;
    let mut is_continued = false;
    for token in SourceTokens::new(code, known_lexer("python3")) {
        if open == 0
            && !is_continued
            && let Some(line_end) = code[end..token.at].find('\n')
        {
            return end + line_end + 1;
        }
        is_continued = token.is_sign("\\");
        match token.text {
            "(" | "[" | "{" => open += 1,
            ")" | "]" | "}" => open = open.saturating_sub(1),
            _ => {}
        }
        end = token.end();
    }
    code.len()
}

/// `print?`, `math.sqrt??`.
fn asks_for_help(statement: &str) -> bool {
    let name = statement.trim().trim_end_matches('?');
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_.*".contains(c));
    is_name && statement.trim() != name
}

/// `files = !ls`, `time = %timeit -o f()`.
fn has_command_as_value(statement: &str) -> bool {
    let tokens: Vec<_> = SourceTokens::new(statement, known_lexer("python3")).collect();
    tokens.windows(2).any(|pair| pair[0].is_sign("=") && (pair[1].is_sign("!") || pair[1].is_sign("%")))
}

/// Functions whose value is shown if a cell ends with their call. Of others, many return nothing.
const WITH_VALUE: [&str; 8] = ["abs", "len", "list", "max", "min", "round", "sorted", "sum"];
/// Statements of names, numbers and signs that are no expressions.
const WITHOUT_VALUE: [&str; 10] =
    ["assert", "break", "continue", "del", "from", "global", "import", "nonlocal", "pass", "raise"];
/// A longer expression is not quoted in a note.
const MAX_SHOWN: usize = 40;

/// The last statement of a cell, if it is a short expression whose value Jupyter shows.
fn shown_by_jupyter(statement: &str) -> Option<&str> {
    let tokens = SourceTokens::new(statement, known_lexer("python3"));
    let tokens: Vec<_> = tokens.filter(|token| token.kind != TokenKind::Comment).collect();
    let (first, last) = (tokens.first()?, tokens.last()?);
    let is_part = |token: &SourceToken| match token.kind {
        TokenKind::Word | TokenKind::Number => true,
        TokenKind::Sign => !token.text.ends_with('=') && ![":", ";", ":=", "@"].contains(&token.text),
        TokenKind::Quoted | TokenKind::Comment => false,
    };
    let has_value = if last.is_sign(")") {
        WITH_VALUE.contains(&first.text)
    } else {
        !WITHOUT_VALUE.contains(&first.text)
    };
    let text = &statement[first.at..last.end()];
    let is_shown = first.at == 0 && has_value && tokens.iter().all(is_part) && text.len() <= MAX_SHOWN;
    is_shown.then_some(text)
}

/// Whether a command runs code of the program, to measure it or because it is in a file.
fn runs_code(command: &str) -> bool {
    let word = command.split_whitespace().next().unwrap_or_default().trim_start_matches('%');
    ["time", "timeit", "capture", "prun", "run", "load"].contains(&word)
}

fn foreign_language(notebook: &Value) -> Option<&str> {
    let metadata = &notebook["metadata"];
    let named = [&metadata["language_info"]["name"], &metadata["kernelspec"]["language"]];
    let language = named.into_iter().find_map(Value::as_str)?;
    (!language.to_lowercase().starts_with("python")).then_some(language)
}

/// The code cells of the present format, else those of the format before it.
fn cells(notebook: &Value) -> Vec<&Value> {
    let sheets = notebook["worksheets"].as_array().into_iter().flatten();
    let older = sheets.filter_map(|sheet| sheet["cells"].as_array()).flatten();
    let cells = notebook["cells"].as_array().into_iter().flatten().chain(older);
    cells.filter(|cell| cell["cell_type"] == "code").collect()
}

fn cell_text(cell: &Value) -> String {
    let source = if cell["source"].is_null() { &cell["input"] } else { &cell["source"] };
    match source {
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect::<String>(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
    .replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(notebook: &str) -> Result<NotebookProgram, NoSubmission> {
        program_of_notebook(Path::new("a.ipynb"), notebook.as_bytes())
    }

    #[test]
    fn the_code_cells_are_the_program_without_commands_for_the_notebook() {
        let new = r##"{"metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "cells": [
            {"cell_type": "markdown", "source": ["# Sums\n", "%not code"]},
            {"cell_type": "code", "source": ["%matplotlib inline\n", "n = int(input())\n", "!ls \\\n", "-l\n", "m = 7 \\\n", "  % 4"]},
            {"cell_type": "code", "source": "%%bash\nls"},
            {"cell_type": "code", "source": "%%time\nprint(n)"}]}"##;
        let read = program(new).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!(read.text, "\nn = int(input())\n\n\nm = 7 \\\n  % 4\n\n\n\nprint(n)\n");
        assert!(read.note.to_string().contains("without 6 lines"), "{}", read.note);
        let old = r#"{"worksheets": [{"cells": [{"cell_type": "code", "input": ["print(1)\n"]}]}]}"#;
        let read = program(old).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!((read.text.as_str(), read.note.to_string().contains("without")), ("print(1)\n", false));
    }

    #[test]
    fn questions_to_jupyter_are_left_out() {
        for question in ["?print", "print?", "??print", "math.sqrt??", "*sum*?"] {
            let cell = format!("n = 1\n{question}\nprint(n)\n");
            let code = code_of_cell(&cell).unwrap_or_else(|command| panic!("{command}"));
            assert_eq!((code.text.as_str(), code.left_out), ("n = 1\n\nprint(n)\n", 1), "{question}");
        }
    }

    #[test]
    fn an_expression_that_jupyter_shows_has_a_hint() {
        let hint = |cell: &str| {
            let notebook = serde_json::json!({"cells": [{"cell_type": "code", "source": cell}]});
            let read = program(&notebook.to_string()).unwrap_or_else(|why| panic!("{why:?}"));
            read.note.to_string().split_once("; ").map(|(_, hint)| hint.to_owned()).unwrap_or_default()
        };
        for (cell, shown) in [
            ("a = 1\na + 1  # the result\n", "a + 1"),
            ("n = 2\nn\n\n# done", "n"),
            ("a = [1]\nsum(a)", "sum(a)"),
        ] {
            assert_eq!(hint(cell), format!("Jupyter shows `{shown}`, a program does not: use print"));
        }
        let silent = [
            "a = 1",
            "a += 1",
            "main()",
            "print(1)",
            "for i in a:\n    i",
            "import math",
            "pass",
            "a;",
            "n\n%matplotlib",
            "x = [\n1,\n2]",
        ];
        for cell in silent {
            assert_eq!(hint(cell), "", "{cell}");
        }
    }

    #[test]
    fn a_line_in_brackets_or_in_a_text_is_kept() {
        for kept in [
            "print('%d apples'\n% 3)\n",
            "print(\"\"\"\n!hi\n%d\"\"\" % 3)\n",
            "x = [17 # (\n  % 5,\n]\n",
            "s = 'a\\\n%b'\n",
            "s = f'{\"it\"}' + \\\n'%'\n\n# don't (\n",
            "x = 1 # (\n",
            "# sum it (\n",
            "# What is it?\ns = '''\nwhat?\n?'''\n",
        ] {
            let code = code_of_cell(kept).unwrap_or_else(|command| panic!("{command}"));
            assert_eq!((code.text.as_str(), code.left_out), (kept, 0));
            let cell = format!("{kept}!it's (\n{kept}");
            assert_eq!(code_of_cell(&cell).map(|code| code.text), Ok(format!("{kept}\n{kept}")));
        }
    }

    #[test]
    fn a_command_that_is_a_part_of_the_program_leaves_it_open() {
        for (cell, command) in [
            ("if n > 3:\n    !ls\n", "!ls"),
            ("for i in x:\n\t%time f(i)\n", "%time f(i)"),
            ("%time print(f(\n", "%time print(f("),
            ("# sum it (\n%time print(f())\n", "%time print(f())"),
            ("%run helper.py", "%run helper.py"),
            ("def f():\n  print?\n", "print?"),
            ("x = !ls\nprint(x)\n", "x = !ls"),
            ("n = 1\nt=%timeit -o f(n)  # (", "t=%timeit -o f(n)  # ("),
        ] {
            assert_eq!(code_of_cell(cell).map(|code| code.text), Err(command), "{cell}");
        }
        assert_eq!(code_of_cell("\n%%timeit\nf()").map(|code| code.text), Ok("\n\nf()\n".into()));
        let notebook = r#"{"cells": [{"cell_type": "code", "source": ["def f():\n", "  !ls"]}]}"#;
        let Err(NoSubmission::Undecided(why)) = program(notebook) else { panic!("it is judged") };
        assert!(why.starts_with("a.ipynb: it is another program without `!ls`"), "{why}");
    }

    #[test]
    fn another_language_and_a_damaged_file_are_undecided() {
        let other = r#"{"metadata": {"kernelspec": {"language": "R"}}, "cells": []}"#;
        for (notebook, word) in [(other, "in R"), ("{\"cells\": [", "damaged")] {
            match program(notebook) {
                Err(NoSubmission::Undecided(why)) => assert!(why.contains(word), "{why}"),
                _ => panic!("{notebook}"),
            }
        }
    }
}
