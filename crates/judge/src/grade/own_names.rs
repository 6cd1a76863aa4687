//! Restores the program's own file names in messages of compilers and runtimes, which see the sources only under
//! names and paths of the sandbox.

use kopek_plan::plan::{Plan, Row};
use std::path::Path;

/// The directories of sources while they are compiled and run.
const PLACES: [&str; 3] = ["/exe/", "/box/", "./"];

/// Names in the sandbox, and the author's own.
pub(super) struct OwnNames(Vec<(String, String)>);

impl OwnNames {
    /// The names for the submission of a row.
    pub(super) fn of_row(plan: &Plan, row: &Row) -> OwnNames {
        let (Ok(program), Ok(submission)) = (&row.program, &row.participant.submission) else {
            return OwnNames(Vec::new());
        };
        let laid = &plan.programs[*program].files;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        OwnNames(match (&laid[..], &submission.source.files[..]) {
            // A lone file has the same name for all authors, so that equal texts are one program.
            ([laid], [own]) => vec![(text(&laid.path), text(own))],
            _ => laid.iter().map(|file| (text(&file.path), text(&file.path))).collect(),
        })
    }

    /// The author's names.
    pub(super) fn own(&self) -> Vec<&str> {
        self.0.iter().map(|(_, own)| own.as_str()).collect()
    }

    /// For output of a program: replaces only whole paths, because a bare name may be a word of the program's own.
    pub(super) fn in_output(&self, text: &str) -> String {
        let replace = |text: String, (laid, own): &(String, String)| {
            PLACES.iter().fold(text, |text, place| replace_word(&text, &format!("{place}{laid}"), own))
        };
        let text = self.0.iter().fold(text.to_owned(), replace);
        // Sanitizers and assertions say `main.cpp:3`.
        let renamed = self.0.iter().filter(|(laid, own)| laid != own);
        let digits = '0'..='9';
        renamed.fold(text, |text, (laid, own)| {
            digits.clone().fold(text, |text, digit| {
                let place = format!("{laid}:{digit}");
                let own = format!("{own}:{digit}");
                replace_beginning(&text, &place, &own)
            })
        })
    }

    /// For messages of a compiler.
    pub(super) fn in_message(&self, text: &str) -> String {
        let renamed = self.0.iter().filter(|(laid, own)| laid != own);
        renamed.fold(self.in_output(text), |text, (laid, own)| replace_word(&text, laid, own))
    }
}

/// Replaces a string at the beginning of words.
fn replace_beginning(text: &str, start: &str, by: &str) -> String {
    let words = text.split(start).map(str::to_owned).collect::<Vec<_>>();
    words
        .into_iter()
        .reduce(|made, next| {
            let inside = made
                .chars()
                .next_back()
                .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'));
            made + if inside { start } else { by } + &next
        })
        .unwrap_or_default()
}

/// Replaces a name where it is not a part of a longer one.
fn replace_word(text: &str, name: &str, by: &str) -> String {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let before = &rest[..at];
        let after = &rest[at + name.len()..];
        let mut letters = made.chars().chain(before.chars());
        let last = letters.next_back();
        let begins = !last.is_some_and(in_name);
        // A full stop may end a sentence.
        let ends = !after.chars().next().is_some_and(|c| in_name(c) && c != '.');
        made.push_str(before);
        made.push_str(if begins && ends { by } else { name });
        rest = after;
    }
    made + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_and_tracebacks_speak_of_the_authors_file() {
        let names = OwnNames(vec![("main.cpp".into(), "sum of two.cpp".into())]);
        let said = "./main.cpp:3:1: error: in main.cpp, not in xmain.cpp or main.cpp_old";
        let wanted = "sum of two.cpp:3:1: error: in sum of two.cpp, not in xmain.cpp or main.cpp_old";
        assert_eq!(names.in_message(said), wanted);
        let sanitizer = "main.cpp:3:34: runtime error\n #0 in main main.cpp:9\nxmain.cpp:3 main.cpp";
        let wanted = "sum of two.cpp:3:34: runtime error\n #0 in main sum of two.cpp:9\nxmain.cpp:3 main.cpp";
        assert_eq!(names.in_output(sanitizer), wanted);
        let python = OwnNames(vec![("__main__.py".into(), "ada.py".into())]);
        let trace = "  File \"/exe/__main__.py\", line 3, in <module>\n__main__.py is mine";
        assert_eq!(python.in_output(trace), "  File \"ada.py\", line 3, in <module>\n__main__.py is mine");
    }
}
