//! A statement in Markdown as TeX, in the dialect of Kattis' own tools.

use super::statement_html::markdown_options;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Parser, Tag, TagEnd};

pub(crate) struct TexStatement {
    pub text: String,
    /// Figures that TeX cannot show.
    pub left_out: Vec<String>,
}

pub(crate) fn render_tex(title: &str, markdown: &str) -> TexStatement {
    let text = format!("\\problemname{{{}}}\n\n", escape_tex(title));
    let mut writer = TexWriter { text, ..TexWriter::default() };
    Parser::new_ext(markdown, markdown_options()).for_each(|event| writer.push_event(event));
    // By now the braces of the placeholders were escaped like any others.
    let text = writer.text.trim_end().replace("\\{\\{nextsample\\}\\}", "\\nextsample");
    let text = text.replace("\\{\\{remainingsamples\\}\\}", "\\remainingsamples");
    TexStatement { text: text + "\n", left_out: writer.left_out }
}

#[derive(Default)]
struct TexWriter {
    text: String,
    left_out: Vec<String>,
    /// Inside a block of code nothing is escaped.
    verbatim: bool,
    /// Cells of the row begun.
    cells: usize,
}

impl TexWriter {
    fn push_event(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start_tag(tag),
            Event::End(tag) => self.end_tag(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => match self.verbatim {
                true => self.text += &text,
                false => self.text += &escape_tex(&text),
            },
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
            Tag::Link { dest_url, .. } => {
                self.text += &format!("\\href{{{}}}{{", dest_url.replace('%', "\\%"))
            }
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

    /// A figure, or its description alone.
    fn push_figure(&mut self, file: &str) {
        let is_printable = [".png", ".jpg", ".jpeg", ".pdf"].iter().any(|ending| file.ends_with(ending));
        match is_printable {
            true => self.text += &format!("\\includegraphics[width=0.6\\textwidth]{{{file}}}\n\n\\emph{{"),
            false => {
                self.left_out.push(file.to_owned());
                self.text += "\\emph{";
            }
        }
    }
}

fn column_letter(alignment: &Alignment) -> &'static str {
    match alignment {
        Alignment::None | Alignment::Left => "|l",
        Alignment::Center => "|c",
        Alignment::Right => "|r",
    }
}

fn escape_tex(text: &str) -> String {
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
        ] {
            let written = render_tex("T", markdown).text;
            assert_eq!(written.trim_end(), format!("\\problemname{{T}}\n\n{expected}"), "{markdown}");
        }
    }

    #[test]
    fn a_table_has_its_lines() {
        let written = render_tex("T", "| a | b |\n|---|--:|\n| 1 | 2 |\n").text;
        assert!(
            written
                .contains("\\begin{tabular}{|l|r|}\n\\hline\na & b \\\\ \\hline\n1 & 2 \\\\ \\hline\n\\end"),
            "{written}"
        );
    }

    #[test]
    fn a_figure_that_tex_cannot_show_is_told() {
        assert_eq!(render_tex("T", "![Two](a.svg)").left_out, ["a.svg"]);
    }
}
