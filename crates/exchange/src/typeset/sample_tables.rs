//! Samples as tables in TeX: a row for each line, so that a long sample can break across pages.

use crate::pack::SampleText;
use std::fmt::Write;

/// Longer lines get the full width.
const NARROW: usize = 38;

/// A line may break after this number of letters without a space.
const WORD: usize = 10;

/// Width in columns of a terminal.
const TAB: usize = 8;

/// Input beside output, or above it if lines are long.
pub(super) fn sample_table(number: usize, sample: &SampleText) -> String {
    let is_narrow = |text: &str| text.lines().all(|line| line.chars().count() <= NARROW);
    let heading = format!("\\subsection*{{Sample {number}}}\n");
    let parts: Vec<(&str, &str)> = sample.parts.iter().map(|(title, text)| (*title, text.as_str())).collect();
    if parts.len() > 1 && parts.iter().all(|(_, text)| is_narrow(text)) {
        return heading + &table(&parts);
    }
    let tables: String = parts.iter().map(|part| table(&[*part])).collect();
    heading + &tables
}

fn table(columns: &[(&str, &str)]) -> String {
    // The rest is the space between them.
    let width = if columns.len() == 1 { 0.97 } else { 0.94 / columns.len() as f64 };
    let shape = format!("|p{{{width:.2}\\textwidth}}").repeat(columns.len());
    let titles: Vec<String> = columns.iter().map(|(title, _)| format!("\\textbf{{{title}}}")).collect();
    let texts: Vec<Vec<&str>> = columns.iter().map(|(_, text)| text.lines().collect()).collect();
    let rows = texts.iter().map(Vec::len).max().unwrap_or(0);
    let mut written = format!(
        "\\begin{{longtable}}{{{shape}|}}\n\\hline\n{} \\\\ \\hline\n\\endhead\n",
        titles.join(" & ")
    );
    for row in 0..rows {
        let cells: Vec<String> = texts
            .iter()
            .map(|lines| lines.get(row).map(|line| code_line(line)).unwrap_or_default())
            .collect();
        let _ = writeln!(written, "{} \\\\", cells.join(" & "));
    }
    written + "\\hline\n\\end{longtable}\n"
}

/// A line in a monospaced font, unchanged.
fn code_line(line: &str) -> String {
    let mut written = String::from("\\kopekcode{");
    let mut column = 0;
    let mut since_space = 0;
    for letter in line.chars() {
        let wide = if letter == '\t' { TAB - column % TAB } else { 1 };
        column += wide;
        since_space = if letter.is_whitespace() { 0 } else { since_space + 1 };
        if since_space > WORD {
            written += "\\kopekbreak{}";
            since_space = 1;
        }
        push_letter(&mut written, letter, wide);
    }
    written + "}"
}

/// Escapes commands and ligatures of TeX.
fn push_letter(written: &mut String, letter: char, wide: usize) {
    match letter {
        '\t' | ' ' => *written += &"\\ ".repeat(wide),
        '\\' => *written += "\\textbackslash{}",
        '~' => *written += "\\textasciitilde{}",
        '^' => *written += "\\textasciicircum{}",
        '<' => *written += "\\textless{}",
        '>' => *written += "\\textgreater{}",
        '|' => *written += "\\textbar{}",
        '"' => *written += "{\\char34}",
        '\'' => *written += "\\kopekquote{}",
        '`' => *written += "\\kopekgrave{}",
        '#' | '$' | '%' | '&' | '_' | '{' | '}' => written.extend(['\\', letter]),
        '-' | ',' | '?' | '!' => written.extend([letter, '{', '}']),
        _ if letter.is_control() => written.push('?'),
        _ => written.push(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_tex_in_samples_are_printed_literally() {
        for (line, expected) in [
            ("1 < 2", "1\\ \\textless{}\\ 2"),
            ("a_b%c", "a\\_b\\%c"),
            ("--\\x", "-{}-{}\\textbackslash{}x"),
            ("a\tb", &format!("a{}b", "\\ ".repeat(7))),
            ("abcdefghijkl", "abcdefghij\\kopekbreak{}kl"),
            ("", ""),
        ] {
            assert_eq!(code_line(line), format!("\\kopekcode{{{expected}}}"), "{line}");
        }
    }

    #[test]
    fn short_samples_stand_side_by_side_and_long_lines_below_each_other() {
        let sample =
            |input: &str| SampleText { parts: vec![("Input", input.into()), ("Output", "1\n2\n".into())] };
        let narrow = sample_table(1, &sample("3\n"));
        assert_eq!(narrow.matches("\\begin{longtable}").count(), 1, "{narrow}");
        assert!(
            narrow.contains("\\kopekcode{3} & \\kopekcode{1} \\\\\n & \\kopekcode{2} \\\\\n"),
            "{narrow}"
        );
        let wide = sample_table(2, &sample(&"9".repeat(NARROW + 1)));
        assert_eq!(wide.matches("\\begin{longtable}").count(), 2, "{wide}");
    }
}
