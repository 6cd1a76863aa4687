//! Writes files that make editors run kopek and list its findings.

use crate::start::write_new_file;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// An editor that can list the findings of kopek.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Editor {
    /// Visual Studio Code and its relatives.
    Vscode,
    /// Neovim and Vim.
    Nvim,
}

impl Editor {
    /// The path of its file in a folder.
    pub fn file(self) -> &'static str {
        match self {
            Editor::Vscode => ".vscode/tasks.json",
            Editor::Nvim => ".exrc",
        }
    }

    /// How to use that file.
    pub fn first_step(self) -> &'static str {
        match self {
            Editor::Vscode => "open this folder in VS Code; Ctrl+Shift+B tests the open file",
            Editor::Nvim => "set exrc in your configuration; :make tests the open file, :copen lists errors",
        }
    }

    fn template(self) -> &'static str {
        match self {
            Editor::Vscode => include_str!("editor_template/tasks.json"),
            Editor::Nvim => include_str!("editor_template/exrc.vim"),
        }
    }
}

/// Writes the file into a folder and returns its path. Fails if the file exists.
pub fn write_editor_file(folder: &Path, editor: Editor) -> Result<PathBuf> {
    let path = folder.join(editor.file());
    write_new_file(&path, editor.template())?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_of_editors_are_written_once() {
        let home = tempfile::tempdir().unwrap();
        for editor in [Editor::Vscode, Editor::Nvim] {
            let path = write_editor_file(home.path(), editor).unwrap();
            assert!(fs::read_to_string(&path).unwrap().contains("kopek"), "{}", path.display());
            let again = write_editor_file(home.path(), editor).unwrap_err();
            assert!(format!("{again:#}").contains("exists"), "{again:#}");
        }
    }

    #[test]
    fn tasks_of_vscode_read_the_lines_of_kopek() {
        let tasks: serde_json::Value = serde_json::from_str(Editor::Vscode.template()).unwrap();
        let names: Vec<&str> =
            tasks["tasks"].as_array().unwrap().iter().map(|task| task["label"].as_str().unwrap()).collect();
        assert_eq!(names, ["kopek: test", "kopek: run", "kopek: debug", "kopek: verify"]);
        for task in tasks["tasks"].as_array().unwrap() {
            let words: Vec<&str> =
                task["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
            assert!(words.ends_with(&["--format", "lines"]), "{task}");
            let pattern = task["problemMatcher"]["pattern"]["regexp"].as_str().unwrap();
            assert_eq!(pattern, r"^(.+?):(\d+):(\d+): (error|warning): (.*)$");
        }
    }
}
