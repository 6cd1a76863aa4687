//! The first error that TeX reports; the others are usually consequences.

/// An error and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TexError {
    /// The file as TeX names it.
    pub file: String,
    pub line: usize,
    /// The message, and the text at that place.
    pub what: String,
}

/// The longest part of the line that is shown.
const MAX_SHOWN: usize = 40;

/// Lines `./problem.en.tex:12: Undefined control sequence.`, and further below `l.12 text \foo`.
pub(super) fn first_error(said: &str) -> Option<TexError> {
    let mut lines = said.lines();
    let mut error = lines.by_ref().find_map(error_in)?;
    let start = format!("l.{} ", error.line);
    let shown = lines.find_map(|line| line.strip_prefix(&start)).unwrap_or_default().trim();
    if !shown.is_empty() {
        error.what += &format!(", at `{}`", last_letters(shown));
    }
    Some(error)
}

fn error_in(line: &str) -> Option<TexError> {
    let (file, rest) = line.split_once(':')?;
    let (number, what) = rest.split_once(": ")?;
    let what = what.strip_prefix("LaTeX Error: ").unwrap_or(what);
    let file = file.strip_prefix("./").unwrap_or(file);
    Some(TexError {
        file: file.to_owned(),
        line: number.parse().ok()?,
        what: what.trim_end_matches('.').to_owned(),
    })
}

/// TeX shows the line up to the error.
fn last_letters(text: &str) -> String {
    let letters = text.chars().count();
    let end: String = text.chars().skip(letters.saturating_sub(MAX_SHOWN)).collect();
    if letters > MAX_SHOWN { format!("…{end}") } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_of_tex_is_reported_with_its_place() {
        let said = "This is pdfTeX\n(./a.tex [1]\n./a.tex:12: Undefined control sequence.\n<recently read> \\foo\n\n\
                    l.12 Hello \\foo\n                there\n./a.tex:12:  ==> Fatal error occurred\n";
        let error = first_error(said).unwrap();
        assert_eq!((error.file.as_str(), error.line), ("a.tex", 12));
        assert_eq!(error.what, "Undefined control sequence, at `Hello \\foo`");
        let error = first_error("./a.tex:3: LaTeX Error: File `x.png' not found.\n").unwrap();
        assert_eq!(error.what, "File `x.png' not found");
        assert_eq!(first_error("I can't find the format file `pdflatex.fmt'!\n"), None);
    }
}
