//! What a command found, for people: parts in order, as text of any width or as HTML.
//!
//! Only here are texts wrapped, indented, painted, and cleared of control characters: authors of packages and
//! participants choose names, and what programs print.

use super::{
    excerpts::TextRoom,
    page::Page,
    phrases::{Tone, paint},
    text_table::{Align, Cell, Column, TextTable},
};
use kopek_base::wording::{one_line, without_control_characters, wrap_behind, wrap_text};
use kopek_package::package::Level;
use kopek_sentences::Said;
use maud::{Markup, html};

/// What a command found, for people.
#[derive(Default)]
pub struct Document<'a> {
    parts: Vec<DocumentPart<'a>>,
}

enum DocumentPart<'a> {
    Gap,
    Title(String),
    Item {
        head: String,
        /// Of lines after the first.
        indent: usize,
        text: String,
    },
    Finding {
        level: Level,
        what: String,
        todo: Option<String>,
    },
    Lines(Vec<String>),
    Diff(Vec<String>),
    Data {
        title: String,
        text: String,
    },
    Table(TextTable),
    Drawn(Box<dyn Fn(usize) -> Vec<String> + 'a>),
}

/// Lines of data in a text.
const DATA_LINES: usize = 20;
/// The width of drawings in HTML.
const WIDTH_IN_HTML: usize = 100;

impl<'a> Document<'a> {
    /// An empty line; nothing in HTML.
    pub fn gap(&mut self) {
        self.parts.push(DocumentPart::Gap);
    }

    pub fn title(&mut self, text: &str) {
        self.parts.push(DocumentPart::Title(one_line(text)));
    }

    /// One line, never wrapped.
    pub fn line(&mut self, text: &str) {
        self.lines(vec![text.to_owned()]);
    }

    /// Lines as they are: a heading, an excerpt.
    pub fn lines(&mut self, lines: Vec<String>) {
        self.parts.push(DocumentPart::Lines(lines));
    }

    /// Lines that begin with `-`, `+` or a space.
    pub fn diff(&mut self, lines: Vec<String>) {
        self.parts.push(DocumentPart::Diff(lines));
    }

    /// A text below its title: cut to the page as text, whole and easy to copy in HTML.
    pub fn data(&mut self, title: &str, text: &str) {
        self.parts
            .push(DocumentPart::Data { title: one_line(title), text: without_control_characters(text) });
    }

    /// Lines that depend on the width: a chart, or columns without a fixed place.
    pub fn drawn(&mut self, draw: impl Fn(usize) -> Vec<String> + 'a) {
        self.parts.push(DocumentPart::Drawn(Box::new(draw)));
    }

    pub(super) fn table(&mut self, table: TextTable) {
        self.parts.push(DocumentPart::Table(table));
    }

    /// A table of texts whose last column is wrapped.
    pub fn columns<const N: usize>(&mut self, titles: [&str; N], rows: Vec<[String; N]>) {
        let mut columns: Vec<Column> =
            titles.iter().map(|title| Column::new(*title, "", Align::Left)).collect();
        columns[N - 1] = Column::new(titles[N - 1], "", Align::Wrapped);
        let rows = rows.into_iter().map(|row| row.map(|text| Cell::plain(one_line(&text))).into()).collect();
        self.table(TextTable::new(columns, rows));
    }

    /// A wrapped text behind a head; later lines begin below the text.
    pub fn item(&mut self, head: &str, text: &str) {
        self.hanging_item(head, console::measure_text_width(head), text);
    }

    /// A wrapped text behind a head; later lines begin with `indent` spaces.
    pub fn hanging_item(&mut self, head: &str, indent: usize, text: &str) {
        self.parts.push(DocumentPart::Item { head: one_line(head), indent, text: one_line(text) });
    }

    pub fn finding(&mut self, level: Level, what: &str, todo: Option<&str>) {
        self.parts.push(DocumentPart::Finding { level, what: one_line(what), todo: todo.map(one_line) });
    }

    pub fn append(&mut self, other: Document<'a>) {
        self.parts.extend(other.parts);
    }

    pub fn to_text(&self, page: Page) -> String {
        let page = page.usable();
        let width = page.width;
        let mut lines: Vec<String> = Vec::new();
        for part in &self.parts {
            match part {
                DocumentPart::Gap => lines.push(String::new()),
                DocumentPart::Title(text) => lines.push(paint(text, Tone::Strong, page.colour)),
                DocumentPart::Item { head, indent, text } => {
                    lines.extend(wrap_text(text, head, *indent, width))
                }
                DocumentPart::Finding { level, what, todo } => {
                    lines.extend(finding_lines(*level, what, page));
                    lines.extend(todo.iter().flat_map(|todo| wrap_behind("      → ", todo, width)));
                }
                DocumentPart::Lines(texts) | DocumentPart::Diff(texts) => {
                    lines.extend(texts.iter().map(|text| one_line(text)))
                }
                DocumentPart::Data { title, text } => {
                    let title = Said::Titled { title: title.to_string() };
                    lines.push(format!("  {}", page.language.say(&title)));
                    let shown =
                        TextRoom { width, indent: "    ", language: page.language }.data(text, DATA_LINES);
                    lines.extend(shown.lines().map(|line| line.trim_end().to_owned()));
                }
                DocumentPart::Table(table) => {
                    lines.extend(table.clone().render(page).lines().map(str::to_owned))
                }
                DocumentPart::Drawn(draw) => lines.extend(draw(width).iter().map(|text| one_line(text))),
            }
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    pub fn to_html(&self) -> Markup {
        html! {
            @for part in &self.parts {
                @match part {
                    DocumentPart::Gap => {},
                    DocumentPart::Title(text) => h3 { (text) },
                    DocumentPart::Item { head, text, .. } => p { (format!("{head}{text}").trim_start()) },
                    DocumentPart::Finding { level, what, todo } => p class="note" {
                        (level) ": " (what) @if let Some(todo) = todo { " → " (todo) }
                    },
                    DocumentPart::Lines(lines) => pre tabindex="0" { @for line in lines { (one_line(line)) "\n" } },
                    DocumentPart::Diff(lines) => pre tabindex="0" { @for line in lines { (diff_line(line)) "\n" } },
                    DocumentPart::Data { title, text } => {
                        p class="soft" { (title) }
                        // HTML ignores a line end at the beginning.
                        pre class="copy" tabindex="0" { "\n" (text) }
                    },
                    DocumentPart::Table(table) => (table.to_html("table")),
                    DocumentPart::Drawn(draw) => pre tabindex="0" {
                        @for line in draw(WIDTH_IN_HTML) { (one_line(&line)) "\n" }
                    },
                }
            }
        }
    }
}

fn finding_lines(level: Level, what: &str, page: Page) -> Vec<String> {
    let word = level.to_string();
    let tone = match level {
        Level::Error => Tone::Bad,
        Level::Warning => Tone::Unsure,
        Level::Note => Tone::Plain,
    };
    let mut lines = wrap_behind(&format!("    {word}: "), what, page.width);
    // Painted last: escape sequences have no width.
    lines[0] = lines[0].replacen(&word, &paint(&word, tone, page.colour), 1);
    for line in lines.iter_mut().skip(1) {
        *line = format!("      {}", line.trim_start());
    }
    lines
}

fn diff_line(line: &str) -> Markup {
    let text = one_line(line);
    match text.trim_start().chars().next() {
        Some('-') => html! { span class="minus" { (text) } },
        Some('+') => html! { span class="plus" { (text) } },
        _ => html! { (text) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document<'static> {
        let mut document = Document::default();
        document.columns(["code", "toolchain"], vec![["c".into(), "a compiler ".repeat(6)]]);
        document.finding(Level::Error, &"a broken claim ".repeat(4), Some("correct <it>"));
        document.item("  - ", &"an item with\u{1b}[2J ".repeat(4));
        document.diff(vec!["  - old".into(), "  + new".into()]);
        document
    }

    #[test]
    fn every_part_fits_the_width_and_no_control_character_is_left() {
        let text = document().to_text(Page { width: 50, ..Page::default() });
        assert!(text.lines().all(|line| line.chars().count() <= 50 && line.trim_end() == line), "{text}");
        assert!(
            text.contains(
                "\nc     a compiler a compiler a compiler a compiler\n      a compiler a compiler\n"
            ),
            "{text}"
        );
        assert!(
            text.contains("    error: a broken claim") && text.contains("\n      → correct <it>\n"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn columns_that_do_not_fit_stand_below_without_empty_lines_and_wide_words_are_broken() {
        let mut document = Document::default();
        let wide = "a ".repeat(10) + &"\u{6f22}".repeat(20);
        document.columns(["name", "endings", "toolchain"], vec![["c".into(), "e".repeat(30), wide]]);
        let text = document.to_text(Page { width: 40, ..Page::default() });
        assert!(text.lines().all(|line| console::measure_text_width(line) <= 40), "{text}");
        let parts: Vec<&str> = text.split("\n\n").collect();
        assert!(parts.len() == 2 && parts[0].lines().count() == 2, "{text}");
        assert_eq!(text.matches('\u{6f22}').count(), 20, "{text}");
    }

    #[test]
    fn a_page_has_the_same_parts_and_nothing_is_markup() {
        let page = document().to_html().into_string();
        for part in
            ["<th scope=\"row\">c</th>", "→ correct &lt;it&gt;", "<span class=\"plus\">  + new</span>"]
        {
            assert!(page.contains(part), "{part}\n{page}");
        }
    }
}
