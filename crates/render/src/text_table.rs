//! A table that fits: the first column is cut, then columns continue below.

use super::{
    excerpts::wrap_line,
    page::{Colour, Page},
    phrases::{Tone, cut_text, paint},
};
use console::measure_text_width;
use kopek_base::wording::wrap_text;
use maud::{Markup, html};

/// A table: a head of one or two lines, then rows.
#[derive(Clone)]
pub(super) struct TextTable {
    /// Columns; the first names the row.
    columns: Vec<Column>,
    /// Each as long as `columns`.
    rows: Vec<Vec<Cell>>,
    indent: usize,
}

/// A column's head, of two lines.
#[derive(Clone)]
pub(super) struct Column {
    title: String,
    below: String,
    align: Align,
    min_width: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
    /// To the left, and wrapped if the table does not fit: the last column only.
    Wrapped,
}

#[derive(Clone)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) tone: Tone,
}

/// Between columns.
const GAP: &str = "  ";

/// The first column is not cut to less, to make all columns stand side by side.
const MIN_NAME: usize = 14;

/// Nor to less than this, if they cannot.
const EASY_NAME: usize = 24;

/// Stands behind a name with remarks below the table; it is not cut off.
pub(super) const MARK: &str = " *";

impl TextTable {
    pub(super) fn new(columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> TextTable {
        TextTable { columns, rows, indent: 0 }
    }

    /// Begins every line with spaces.
    pub(super) fn indented(self, indent: usize) -> TextTable {
        TextTable { indent, ..self }
    }

    /// A table that can be sorted.
    pub(super) fn to_html(&self, name: &str) -> Markup {
        let class = |at: usize| match self.columns[at].align {
            Align::Left | Align::Wrapped => None,
            Align::Right => Some("n"),
        };
        html! {
            div class="scroll" tabindex="0" role="region" aria-label=(name) {
                table data-sort {
                    thead { tr {
                        @for (at, column) in self.columns.iter().enumerate() {
                            th scope="col" class=[class(at)] { (column.title) @if !column.below.is_empty() { " " (column.below) } }
                        }
                    } }
                    tbody { @for row in &self.rows { tr {
                        th scope="row" { (row[0].text) }
                        @for (at, cell) in row.iter().enumerate().skip(1) { td class=[class(at)] { (cell.text) } }
                    } } }
                }
            }
        }
    }

    /// Lays it out. Columns that do not fit are shown below, with the first column again.
    pub(super) fn render(mut self, page: Page) -> String {
        let width = page.width.saturating_sub(self.indent);
        let widths = self.fit_widths(width);
        let mut text = String::new();
        for part in columns_side_by_side(&widths, width) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&self.render_part(&part, &widths, page.colour));
        }
        text
    }

    /// Widths of the columns, after cutting names where that helps.
    fn fit_widths(&mut self, width: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = (0..self.columns.len()).map(|at| self.natural_width(at)).collect();
        let last = widths.len() - 1;
        if self.columns[last].align == Align::Wrapped {
            let others: usize = widths[..last].iter().map(|w| w + GAP.len()).sum();
            widths[last] = widths[last].min(width.saturating_sub(others)).max(MIN_NAME);
        }
        let rest: usize = widths[1..].iter().map(|w| w + GAP.len()).sum();
        let room = match width.checked_sub(rest) {
            Some(room) if room >= MIN_NAME => room,
            _ => EASY_NAME.min(width / 2),
        };
        // Only names are cut: a number without its end is another number.
        if widths[0] > room {
            widths[0] = room;
            let cut: Vec<String> = self.rows.iter().map(|row| cut_name(&row[0].text, room)).collect();
            for (at, row) in self.rows.iter_mut().enumerate() {
                let alike = cut.iter().enumerate().any(|(other, text)| other != at && *text == cut[at]);
                // Names that only differ at their ends must not look the same.
                row[0].text = if alike { cut_middle(&row[0].text, room) } else { cut[at].clone() };
            }
        }
        widths
    }

    fn natural_width(&self, at: usize) -> usize {
        let head = [&self.columns[at].title, &self.columns[at].below];
        let texts = head.into_iter().chain(self.rows.iter().map(|row| &row[at].text));
        let widest = texts.map(|text| measure_text_width(text)).max().unwrap_or(0);
        widest.max(self.columns[at].min_width)
    }

    /// The lines of a row whose last cell is wrapped.
    fn wrapped_row(&self, row: &[Cell], widths: &[usize]) -> Vec<Vec<Cell>> {
        let last = row.len() - 1;
        let texts = wrap_text(&row[last].text, "", 0, widths[last]);
        // A word may be wider than the column.
        let texts: Vec<String> = texts.iter().flat_map(|text| wrap_line(text, widths[last])).collect();
        let mut lines = vec![row.to_vec()];
        lines.resize(texts.len(), vec![Cell::plain(""); row.len()]);
        for (line, text) in lines.iter_mut().zip(texts) {
            line[last].text = text;
        }
        lines
    }

    fn render_part(&self, part: &[usize], widths: &[usize], colour: Colour) -> String {
        let head = |line: fn(&Column) -> &String| -> Vec<Cell> {
            let cell = |column: &Column| Cell { text: line(column).clone(), tone: Tone::Strong };
            self.columns.iter().map(cell).collect()
        };
        let above = head(|c| &c.title);
        let below = head(|c| &c.below);
        let mut lines = vec![above];
        if part.iter().any(|&at| !below[at].text.is_empty()) {
            lines.push(below);
        }
        let last = self.columns.len() - 1;
        let is_wrapped = part.contains(&last) && self.columns[last].align == Align::Wrapped;
        let mut text = String::new();
        let mut add_line = |cells: &[Cell]| {
            let line =
                part.iter().map(|&at| pad_cell(&cells[at], widths[at], self.columns[at].align, colour));
            text.push_str(&" ".repeat(self.indent));
            text.push_str(line.collect::<Vec<_>>().join(GAP).trim_end());
            text.push('\n');
        };
        lines.iter().for_each(|line| add_line(line));
        for row in &self.rows {
            if is_wrapped {
                self.wrapped_row(row, widths).iter().for_each(|line| add_line(line));
            } else {
                add_line(row);
            }
        }
        text
    }
}

fn cut_name(text: &str, room: usize) -> String {
    match text.strip_suffix(MARK) {
        Some(name) if measure_text_width(text) > room => {
            cut_text(name, room.saturating_sub(MARK.len())) + MARK
        }
        _ => cut_text(text, room),
    }
}

/// A name cut in the middle.
fn cut_middle(text: &str, room: usize) -> String {
    let (name, mark) = text.strip_suffix(MARK).map_or((text, ""), |name| (name, MARK));
    let room = room.saturating_sub(mark.len() + 1);
    if measure_text_width(text) <= room + mark.len() + 1 {
        return text.to_owned();
    }
    let first = cut_text(name, room / 2 + 1);
    let first = first.trim_end_matches('…');
    let letters: Vec<char> = name.chars().collect();
    let last = (0..letters.len()).map(|at| letters[at..].iter().collect::<String>());
    let last = last.into_iter().find(|end| measure_text_width(end) <= room - measure_text_width(first));
    format!("{first}…{}{mark}", last.unwrap_or_default())
}

/// Which columns stand side by side: as many as fit, the first always.
fn columns_side_by_side(widths: &[usize], width: usize) -> Vec<Vec<usize>> {
    let mut parts = vec![vec![0]];
    let mut used = widths[0];
    for (at, own) in widths.iter().enumerate().skip(1) {
        let part = parts.last_mut().expect("there is a first part");
        // A column that fits beside no name stays: a line that is too wide is better than a lost column.
        if used + GAP.len() + own > width && part.len() > 1 {
            parts.push(vec![0, at]);
            used = widths[0] + GAP.len() + own;
        } else {
            part.push(at);
            used += GAP.len() + own;
        }
    }
    parts
}

fn pad_cell(cell: &Cell, width: usize, align: Align, colour: Colour) -> String {
    let space = " ".repeat(width.saturating_sub(measure_text_width(&cell.text)));
    let text = paint(&cell.text, cell.tone, colour);
    match align {
        Align::Left | Align::Wrapped => format!("{text}{space}"),
        Align::Right => format!("{space}{text}"),
    }
}

impl Cell {
    /// A cell without colour.
    pub(super) fn plain(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), tone: Tone::Plain }
    }
}

impl Column {
    pub(super) fn new(title: impl Into<String>, below: impl Into<String>, align: Align) -> Column {
        Column { title: title.into(), below: below.into(), align, min_width: 0 }
    }

    pub(super) fn at_least(self, min_width: usize) -> Column {
        Column { min_width, ..self }
    }
}
