//! The Python program in a Jupyter notebook.

use kopek_base::{files::lower_ending, wording::counted};
use kopek_package::package::NoSubmission;
use serde_json::Value;
use std::path::Path;

pub(super) fn is_notebook(name: &Path) -> bool {
    lower_ending(name) == "ipynb"
}

pub(super) struct NotebookProgram {
    pub(super) text: String,
    pub(super) note: String,
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
    for cell in cells(&notebook) {
        let code = cell_text(cell);
        let whole = code.starts_with("%%") && !measures(&code);
        for line in code.lines() {
            if whole || line.trim_start().starts_with(['%', '!']) {
                left_out += 1;
            } else {
                text.push_str(line);
            }
            // A line that is left out stays empty: errors name the lines of the cells in sum.
            text.push('\n');
        }
    }
    let mut note = format!("{name} is read as Python 3: its code cells");
    if left_out > 0 {
        note += &format!(", without {} for the notebook itself (% or !)", counted(left_out, "line"));
    }
    Ok(NotebookProgram { text, note })
}

/// Whether the first line only measures or captures what the cell does.
fn measures(code: &str) -> bool {
    let command = code.split_whitespace().next().unwrap_or_default();
    ["%%time", "%%timeit", "%%capture", "%%prun"].contains(&command)
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
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
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
            {"cell_type": "code", "source": ["%matplotlib inline\n", "n = int(input())\n", "  !ls\n", "m = 7 \\\n", "  % 4"]},
            {"cell_type": "code", "source": "%%bash\nls"},
            {"cell_type": "code", "source": "%%time\nprint(n)"}]}"##;
        let read = program(new).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!(read.text, "\nn = int(input())\n\nm = 7 \\\n\n\n\n\nprint(n)\n");
        assert!(read.note.contains("without 6 lines"), "{}", read.note);
        let old = r#"{"worksheets": [{"cells": [{"cell_type": "code", "input": ["print(1)\n"]}]}]}"#;
        let read = program(old).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!((read.text.as_str(), read.note.contains("without")), ("print(1)\n", false));
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
