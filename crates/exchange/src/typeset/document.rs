//! The files for TeX: the frame, the statement, its figures, the samples.

use super::{
    sample_tables::sample_table,
    tex_errors::{TexError, first_error},
};
use crate::pack::{
    StatementFile, SvgFigures, TexStatement, escape_tex, limits_line, read_below, render_tex, sample_texts,
    samples_of, title_in,
};
use anyhow::{Context, Result, ensure};
use kopek_package::{
    language::{FileBytes, SourceFile},
    package::{Level, Message, Package, TOOL_CODE_LIMIT, TestSet},
};
use regex_lite::{Captures, Regex};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

const FRAME: &str = include_str!("frame.tex");

/// Words of the package format for pandoc, which places titles and samples by itself.
const DEFINITIONS: &str = include_str!("definitions.tex");

/// The name of the document that the frame makes, and of the statement in it, without ending.
pub const DOCUMENT: &str = "kopek-document";
const STATEMENT: &str = "kopek-statement.tex";
const SAMPLE: &str = "kopek-sample-";

pub struct Document {
    pub files: FileBytes,
    pub entry: String,
    /// Parts of the statement that are not shown.
    pub remarks: Vec<Message>,
    /// The path of the statement in the package.
    shown: PathBuf,
    /// The file of the statement for TeX.
    statement: String,
    /// For each line in TeX, the line of the Markdown; empty if the source is TeX.
    lines: Vec<usize>,
}

impl Document {
    pub fn new(
        svg: SvgFigures,
        package: &Package,
        tests: &TestSet,
        statement: &StatementFile,
    ) -> Result<Document> {
        let text = statement.read(package)?.trim_start_matches('\u{feff}').to_owned();
        let shown = statement.path.strip_prefix(&package.dir).unwrap_or(&statement.path).to_owned();
        let document = Document {
            files: FileBytes::new(),
            entry: format!("{DOCUMENT}.tex"),
            remarks: vec![],
            shown,
            statement: STATEMENT.to_owned(),
            lines: vec![],
        };
        let mut document = match statement.ending.as_str() {
            "md" => document.with_markdown(svg, package, statement, &text)?,
            _ => document.with_tex(svg, package, statement, &text)?,
        };
        if document.entry == document.statement {
            return Ok(document);
        }
        document.add_samples(package, tests)?;
        document.add_frame(package, tests, statement)?;
        Ok(document)
    }

    /// A statement in Markdown, with its figures.
    fn with_markdown(
        mut self,
        svg: SvgFigures,
        package: &Package,
        statement: &StatementFile,
        text: &str,
    ) -> Result<Document> {
        let TexStatement { text, figures, left_out, lines } =
            render_tex(&title_in(package, &statement.language), text, svg);
        for figure in figures {
            let bytes = read_below(statement.dir(), &figure).with_context(|| {
                format!("{}: there is no figure {figure} beside it", self.shown.display())
            })?;
            self.add(&figure, &bytes);
        }
        for figure in left_out {
            let why = if figure.ends_with(".svg") {
                "install librsvg2-bin for figures in SVG"
            } else {
                "TeX shows PDF, PNG and JPEG, with plain names"
            };
            let what = format!("{figure} is not shown, only its description: {why}");
            self.remarks.push(Message::new(Level::Warning, what));
        }
        self.add(STATEMENT, text.as_bytes());
        self.lines = lines;
        Ok(self)
    }

    /// A statement in TeX, with all files beside it.
    fn with_tex(
        mut self,
        svg: SvgFigures,
        package: &Package,
        statement: &StatementFile,
        text: &str,
    ) -> Result<Document> {
        let drawn = with_drawn_figures(text, statement.dir());
        for (path, bytes) in files_beside(statement.dir())? {
            let is_drawn = drawn.figures.contains(&path);
            ensure!(
                !is_drawn || svg == SvgFigures::AsPdf,
                "{}: shows {path}; install librsvg2-bin for figures in SVG",
                self.shown.display()
            );
            if is_drawn || !path.ends_with(".svg") {
                self.add(&path, &bytes);
            }
        }
        let text = drawn.text.as_str();
        let name = statement.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let title = escape_tex(&title_in(package, &statement.language));
        // The title goes into the first line, so that TeX counts the same lines.
        let named = text.contains("\\problemname") || is_whole(text);
        let text = if named { text.to_owned() } else { format!("\\problemname{{{title}}}{text}") };
        if is_whole(&text) {
            self.entry.clone_from(&name);
            let shown = self.shown.display();
            let what = format!("{shown} is a whole document: it is set as it is, without limits and samples");
            self.remarks.push(Message::new(Level::Warning, what));
        }
        self.add(&name, text.as_bytes());
        self.statement = name;
        Ok(self)
    }

    fn add(&mut self, path: &str, bytes: &[u8]) {
        self.files.insert(PathBuf::from(path), SourceFile::new(bytes));
    }

    fn add_samples(&mut self, package: &Package, tests: &TestSet) -> Result<()> {
        for (index, sample) in sample_texts(package, tests)?.iter().enumerate() {
            self.add(&format!("{SAMPLE}{}.tex", index + 1), sample_table(index + 1, sample).as_bytes());
        }
        Ok(())
    }

    fn add_frame(&mut self, package: &Package, tests: &TestSet, statement: &StatementFile) -> Result<()> {
        let text = self.files.get(Path::new(&self.statement)).context("the statement was just added")?;
        let text = String::from_utf8_lossy(&text.bytes).into_owned();
        let title = title_in(package, &statement.language);
        let mut head = String::new();
        if text.chars().chain(title.chars()).any(|letter| ('\u{400}'..'\u{500}').contains(&letter)) {
            head += "\\def\\kopekcyrillic{}\n";
        }
        if !statement.language.starts_with("en") {
            head += "\\def\\kopekforeign{}\n";
        }
        let names: Vec<&str> =
            samples_of(tests).map(|case| case.name.trim_start_matches("sample/")).collect();
        let is_plain =
            |name: &str| name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
        for (index, name) in names.iter().enumerate().filter(|(_, name)| is_plain(name)) {
            head += &format!("\\expandafter\\def\\csname kopeksampleof{name}\\endcsname{{{}}}\n", index + 1);
        }
        head += &format!("\\def\\kopeksamples{{{}}}\n", names.len());
        head += &format!(
            "\\def\\kopektitle{{{}}}\n\\def\\kopeklimits{{{}}}\n",
            escape_tex(&title),
            limits_line(package)
        );
        // A statement that names samples itself gets only those.
        let rest = if text.contains("\\includesample") { "" } else { "\\remainingsamples\n" };
        let body =
            format!("\\begin{{document}}\n\\input{{{}}}\n\\par\n{rest}\\end{{document}}\n", self.statement);
        self.add(&format!("{DOCUMENT}.tex"), format!("{head}{FRAME}{body}").as_bytes());
        Ok(())
    }

    /// The message of TeX, as an error of the statement.
    pub fn explain(&self, said: &str) -> String {
        let shown = self.shown.display();
        let Some(TexError { file, line, what }) = first_error(said) else {
            return format!("{shown}: {}", last_words("TeX", said));
        };
        match file.strip_prefix(SAMPLE).and_then(|name| name.strip_suffix(".tex")) {
            Some(number) => format!("{shown}: sample {number}: {what}"),
            None if file == self.statement => {
                let line = if self.lines.is_empty() { line } else { self.line_of_markdown(line) };
                format!("{shown}:{line}: {what}")
            }
            // TeX reports an unclosed group after the end of the file.
            None if file == format!("{DOCUMENT}.tex") => format!("{shown}: {what}"),
            None => format!("{}:{line}: {what}", self.shown.with_file_name(&file).display()),
        }
    }

    fn line_of_markdown(&self, line: usize) -> usize {
        let known = self.lines.get(line.saturating_sub(1)).or(self.lines.last());
        known.copied().unwrap_or(line)
    }
}

/// Whether it is a whole document.
fn is_whole(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("\\documentclass"))
}

/// A statement in TeX for pandoc, with all TeX beside it.
pub struct PandocSource {
    pub files: FileBytes,
    /// The file of the statement.
    pub entry: String,
    /// Its path in the package.
    pub shown: PathBuf,
}

impl PandocSource {
    pub fn new(package: &Package, statement: &StatementFile) -> Result<PandocSource> {
        let entry = statement.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let shown = statement.path.strip_prefix(&package.dir).unwrap_or(&statement.path).to_owned();
        let mut files = FileBytes::new();
        for (path, bytes) in files_beside(statement.dir())? {
            if path.ends_with(".tex") {
                files.insert(path.into(), SourceFile::new(&bytes));
            }
        }
        files.insert("definitions.tex".into(), SourceFile::new(DEFINITIONS.as_bytes()));
        files.insert(entry.clone().into(), SourceFile::new(statement.read(package)?.as_bytes()));
        Ok(PandocSource { files, entry, shown })
    }

    /// The message of pandoc, as an error of the statement.
    pub fn explain(&self, said: &str) -> String {
        format!("{}: {}", self.shown.display(), last_words("pandoc", said))
    }
}

/// A statement in TeX that shows the converted form of its figures in SVG.
struct DrawnFigures {
    text: String,
    figures: BTreeSet<String>,
}

fn with_drawn_figures(text: &str, dir: &Path) -> DrawnFigures {
    let command = r"\\(?:includegraphics|includesvg)\s*(?:\[[^\]]*\])?|\\illustration\s*\{[^}]*\}";
    let figure = Regex::new(&format!(r"({command})(\s*)\{{([^}}]*)\}}")).expect("a pattern that was tried");
    let mut figures = BTreeSet::new();
    let text = figure.replace_all(text, |found: &Captures| {
        let name = found[3].trim();
        let stem = name.strip_suffix(".svg").unwrap_or(name);
        let file = format!("{stem}.svg");
        // TeX finds any other form of a figure itself.
        let other = ["", ".pdf", ".png", ".jpg", ".jpeg"]
            .iter()
            .any(|end| dir.join(format!("{name}{end}")).is_file());
        if !dir.join(&file).is_file() || (other && stem == name) {
            return found[0].to_owned();
        }
        figures.insert(file);
        let command = found[1].replace("\\includesvg", "\\includegraphics");
        format!("{command}{}{{{stem}-svg.pdf}}", &found[2])
    });
    DrawnFigures { text: text.into_owned(), figures }
}

/// All files except statements, by their paths below the directory.
fn files_beside(dir: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    let mut size = 0;
    for entry in WalkDir::new(dir).sort_by_file_name().into_iter().flatten() {
        let Some(path) = entry.path().strip_prefix(dir).ok().and_then(Path::to_str) else { continue };
        let is_statement = path.starts_with("problem.") && !path.contains('/');
        if path.starts_with('.') || is_statement {
            continue;
        }
        let Some(bytes) = read_below(dir, path) else { continue };
        size += bytes.len() as u64;
        ensure!(
            size <= TOOL_CODE_LIMIT.0,
            "{}: the files beside the statement are larger than {TOOL_CODE_LIMIT}",
            dir.display()
        );
        found.push((path.to_owned(), bytes));
    }
    Ok(found)
}

/// Why a tool was stopped, or the end of its log.
fn last_words(tool: &str, said: &str) -> String {
    if let Some(stopped) = said.lines().next().and_then(|line| line.strip_prefix("the compiler ")) {
        return format!("{tool} {stopped}");
    }
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(3)..];
    format!("{tool} failed: {}", last.join(" / "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_in_svg_are_shown_in_their_converted_form() {
        let home = tempfile::tempdir().unwrap();
        for name in ["one.svg", "two.svg", "two.png", "figure.svg"] {
            std::fs::write(home.path().join(name), "<svg/>").unwrap();
        }
        for (text, expected) in [
            ("\\includegraphics[width=3cm]{one.svg}", "\\includegraphics[width=3cm]{one-svg.pdf}"),
            ("\\includegraphics {one}", "\\includegraphics {one-svg.pdf}"),
            ("\\illustration{0.3}{one}{One}", "\\illustration{0.3}{one-svg.pdf}{One}"),
            ("\\includesvg{two.svg}", "\\includegraphics{two-svg.pdf}"),
            ("\\includegraphics{two}", "\\includegraphics{two}"),
            ("\\includegraphics{no.svg}", "\\includegraphics{no.svg}"),
            ("\\begin{figure}", "\\begin{figure}"),
        ] {
            assert_eq!(with_drawn_figures(text, home.path()).text, expected);
        }
    }
}
