//! A statement in Markdown as TeX, in the dialect of Kattis' own tools.

use super::statement_html::{is_web_link, markdown_options};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Parser, Tag, TagEnd};

pub struct TexStatement {
    /// A whole `problem.tex`.
    pub text: String,
    /// Figures that it shows, as the Markdown names them.
    pub figures: Vec<String>,
    /// Figures that TeX cannot show.
    pub left_out: Vec<String>,
    /// For each of its lines, the line of the Markdown that it comes from.
    pub lines: Vec<usize>,
}

/// How figures in SVG are replaced, which TeX cannot show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SvgFigures {
    LeaveOut,
    /// Each has a `NAME-svg.pdf`, made separately.
    AsPdf,
}

/// Makes TeX of Markdown.
pub fn render_tex(title: &str, markdown: &str, svg: SvgFigures) -> TexStatement {
    let text = format!("\\problemname{{{}}}\n\n", escape_tex(title));
    let mut writer =
        TexWriter { text, svg, figures: vec![], left_out: vec![], verbatim: false, cells: 0, marks: vec![] };
    for (event, range) in Parser::new_ext(markdown, markdown_options()).into_offset_iter() {
        writer.marks.push((writer.text.len(), range.start));
        writer.push_event(event);
    }
    let lines = writer.source_lines(markdown);
    // The braces of the placeholders are escaped by now.
    let text = writer.text.trim_end().replace("\\{\\{nextsample\\}\\}", "\\nextsample");
    let text = text.replace("\\{\\{remainingsamples\\}\\}", "\\remainingsamples");
    TexStatement { text: text + "\n", figures: writer.figures, left_out: writer.left_out, lines }
}

struct TexWriter {
    text: String,
    svg: SvgFigures,
    figures: Vec<String>,
    left_out: Vec<String>,
    /// Inside a block of code nothing is escaped.
    verbatim: bool,
    /// Cells of the row begun.
    cells: usize,
    /// Offsets in the text, each with the offset in the Markdown that it comes from.
    marks: Vec<(usize, usize)>,
}

impl TexWriter {
    fn push_event(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start_tag(tag),
            Event::End(tag) => self.end_tag(tag),
            Event::Text(text) if self.verbatim => {
                self.text += &text.replace("\\end{verbatim}", "\\end {verbatim}");
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.text += &escape_tex(&text)
            }
            Event::Code(text) => self.text += &format!("\\texttt{{{}}}", escape_tex(&text)),
            Event::InlineMath(text) => self.text += &format!("${text}$"),
            Event::DisplayMath(text) => self.text += &format!("\\[{text}\\]"),
            Event::SoftBreak => self.text.push('\n'),
            Event::HardBreak => self.text += "\\\\\n",
            Event::Rule => self.text += "\\bigskip\n\n",
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn start_tag(&mut self, tag: Tag) {
        match tag {
            Tag::Heading { level, .. } => {
                self.text += if level as usize <= 2 { "\\section*{" } else { "\\subsection*{" }
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.verbatim = true;
                self.text += "\\begin{verbatim}\n";
            }
            Tag::List(Some(_)) => self.text += "\\begin{enumerate}\n",
            Tag::List(None) => self.text += "\\begin{itemize}\n",
            Tag::Item => self.text += "\\item ",
            Tag::BlockQuote(_) => self.text += "\\begin{quote}\n",
            Tag::Emphasis => self.text += "\\emph{",
            Tag::Strong => self.text += "\\textbf{",
            Tag::Link { dest_url, .. } if !is_web_link(&dest_url) => self.text.push('{'),
            Tag::Link { dest_url, .. } => self.text += &format!("\\href{{{}}}{{", tex_link(&dest_url)),
            Tag::Image { dest_url, .. } => self.push_figure(&dest_url),
            Tag::Table(columns) => {
                let columns: String = columns.iter().map(column_letter).collect();
                self.text += &format!("\\begin{{tabular}}{{{columns}|}}\n\\hline\n");
            }
            Tag::TableHead | Tag::TableRow => self.cells = 0,
            Tag::TableCell => {
                self.text += if self.cells > 0 { " & " } else { "" };
                self.cells += 1;
            }
            _ => {}
        }
    }

    fn end_tag(&mut self, tag: TagEnd) {
        self.text += match tag {
            TagEnd::Paragraph => "\n\n",
            TagEnd::Heading(_) => "}\n\n",
            TagEnd::CodeBlock => {
                self.verbatim = false;
                "\\end{verbatim}\n\n"
            }
            TagEnd::List(true) => "\\end{enumerate}\n\n",
            TagEnd::List(false) => "\\end{itemize}\n\n",
            TagEnd::Item => "\n",
            TagEnd::BlockQuote(_) => "\\end{quote}\n\n",
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image => "}",
            TagEnd::TableHead | TagEnd::TableRow => " \\\\ \\hline\n",
            TagEnd::Table => "\\end{tabular}\n\n",
            _ => "",
        };
    }

    /// A figure, or only its description.
    fn push_figure(&mut self, file: &str) {
        match self.printable_figure(file) {
            Some(printed) => {
                self.figures.push(file.to_owned());
                self.text += &format!("\\includegraphics[width=0.6\\textwidth]{{{printed}}}\n\n\\emph{{");
            }
            None => {
                self.left_out.push(file.to_owned());
                self.text += "\\emph{";
            }
        }
    }

    /// The file that TeX shows for a figure.
    fn printable_figure(&self, file: &str) -> Option<String> {
        if file.contains(|letter| "\\{}%#$&^~\"".contains(letter)) {
            return None;
        }
        if [".png", ".jpg", ".jpeg", ".pdf"].iter().any(|ending| file.ends_with(ending)) {
            return Some(file.to_owned());
        }
        let stem = file.strip_suffix(".svg").filter(|_| self.svg == SvgFigures::AsPdf)?;
        Some(format!("{stem}-svg.pdf"))
    }

    /// For each line of the text, the line of the first element that begins in it, else that of the line above.
    fn source_lines(&self, markdown: &str) -> Vec<usize> {
        let [written, read] = [&self.text, markdown].map(line_starts);
        let line_at = |starts: &[usize], at: usize| starts.partition_point(|&start| start <= at);
        let mut lines = vec![0; written.len()];
        for &(at, from) in &self.marks {
            let line = &mut lines[line_at(&written, at) - 1];
            if *line == 0 {
                *line = line_at(&read, from);
            }
        }
        let mut above = 1;
        for line in &mut lines {
            above = if *line == 0 { above } else { *line };
            *line = above;
        }
        lines
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect()
}

fn column_letter(alignment: &Alignment) -> &'static str {
    match alignment {
        Alignment::None | Alignment::Left => "|l",
        Alignment::Center => "|c",
        Alignment::Right => "|r",
    }
}

/// A link in the argument of a command.
fn tex_link(link: &str) -> String {
    let mut written = String::new();
    for letter in link.chars() {
        match letter {
            '%' | '#' => written.extend(['\\', letter]),
            '\\' | '{' | '}' | '$' | '^' => written += &format!("\\%{:02X}", u32::from(letter)),
            _ => written.push(letter),
        }
    }
    written
}

/// Text with the special characters of TeX escaped.
pub fn escape_tex(text: &str) -> String {
    let mut written = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => written += "\\textbackslash{}",
            '~' => written += "\\textasciitilde{}",
            '^' => written += "\\textasciicircum{}",
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => written.extend(['\\', letter]),
            _ => written.push(letter),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_tex() {
        for (markdown, expected) in [
            ("# A\n\nb *c* **d** `e_f`", "\\section*{A}\n\nb \\emph{c} \\textbf{d} \\texttt{e\\_f}"),
            ("$n_1 < 5$ & 3%", "$n_1 < 5$ \\& 3\\%"),
            ("- a\n- b", "\\begin{itemize}\n\\item a\n\\item b\n\\end{itemize}"),
            ("```\na_b\n```", "\\begin{verbatim}\na_b\n\\end{verbatim}"),
            ("![Two](a.png)", "\\includegraphics[width=0.6\\textwidth]{a.png}\n\n\\emph{Two}"),
            ("{{nextsample}}", "\\nextsample"),
            ("[a](https://a.example/#5%7D{})", "\\href{https://a.example/\\#5\\%7D\\%7B\\%7D}{a}"),
            ("![Two](<a}\\input{b}.png>)", "\\emph{Two}"),
            (
                "```\n\\end{verbatim}\\input{b}\n```",
                "\\begin{verbatim}\n\\end {verbatim}\\input{b}\n\\end{verbatim}",
            ),
        ] {
            let written = render_tex("T", markdown, SvgFigures::LeaveOut).text;
            assert_eq!(written.trim_end(), format!("\\problemname{{T}}\n\n{expected}"), "{markdown}");
        }
    }

    #[test]
    fn a_table_has_its_lines() {
        let written = render_tex("T", "| a | b |\n|---|--:|\n| 1 | 2 |\n", SvgFigures::LeaveOut).text;
        assert!(
            written
                .contains("\\begin{tabular}{|l|r|}\n\\hline\na & b \\\\ \\hline\n1 & 2 \\\\ \\hline\n\\end"),
            "{written}"
        );
    }

    #[test]
    fn figures_that_tex_cannot_show_are_reported() {
        let written = render_tex("T", "![Two](a.svg)", SvgFigures::LeaveOut);
        assert_eq!((written.left_out, written.figures), (vec!["a.svg".to_owned()], vec![]));
        let written = render_tex("T", "![Two](a.svg)", SvgFigures::AsPdf);
        assert!(written.text.contains("{a-svg.pdf}") && written.figures == ["a.svg"], "{}", written.text);
    }

    #[test]
    fn a_line_of_tex_knows_its_line_of_the_markdown() {
        let markdown = "First\nsecond.\n\n\n## Input\n\n- one $a$\n- two \\(\n\n```\nx\n```\n";
        let written = render_tex("T", markdown, SvgFigures::LeaveOut);
        for (part, line) in
            [("First", 1), ("second.", 2), ("Input", 5), ("one", 7), ("two", 8), ("verbatim", 10)]
        {
            let at = written.text.lines().position(|line| line.contains(part)).unwrap();
            assert_eq!(written.lines[at], line, "{part}: {}", written.text);
        }
    }
}
