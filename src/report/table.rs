//! A table that fits: the first column is cut, then columns continue below.

use super::{
    Colour, Page,
    words::{Tone, cut, paint},
};
use console::measure_text_width;

/// A table: a head of one or two lines, then rows.
pub struct Table {
    /// Columns; the first names the row.
    pub columns: Vec<Column>,
    /// Each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

/// A column's head.
pub struct Column {
    /// First line.
    pub title: String,
    /// Second line.
    pub below: String,
    /// Where its cells stand.
    pub side: Side,
}

/// Where cells stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// What stands in a column.
#[derive(Clone)]
pub struct Cell {
    pub text: String,
    pub tone: Tone,
}

/// Between columns.
const GAP: &str = "  ";

/// The first column is not cut to less, to make all columns stand side by side.
const LEAST_NAME: usize = 14;

/// Nor to less than this, if they cannot.
const EASY_NAME: usize = 24;

/// Stands behind a name about which there is more to read; it is not cut off.
pub const MARK: &str = " *";

impl Table {
    /// Lays it out. Columns that do not fit are shown below, with the first column again.
    pub fn render(mut self, page: Page) -> String {
        let widths = self.fit(page.width);
        let mut text = String::new();
        for part in parts(&widths, page.width) {
            if !text.is_empty() {
                text.push('\n');
            }
            self.render_part(&part, &widths, page.colour, &mut text);
        }
        text
    }

    /// Widths of the columns, after cutting names where that helps.
    fn fit(&mut self, width: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = (0..self.columns.len()).map(|at| self.natural(at)).collect();
        let rest: usize = widths[1..].iter().map(|w| w + GAP.len()).sum();
        let room = match width.checked_sub(rest) {
            Some(room) if room >= LEAST_NAME => room,
            _ => EASY_NAME.min(width / 2),
        };
        if widths[0] > room {
            widths[0] = room;
            for row in &mut self.rows {
                row[0].text = cut_name(&row[0].text, room);
            }
        }
        widths
    }

    fn natural(&self, at: usize) -> usize {
        let head = [&self.columns[at].title, &self.columns[at].below];
        let texts = head.into_iter().chain(self.rows.iter().map(|row| &row[at].text));
        texts.map(|text| measure_text_width(text)).max().unwrap_or(0)
    }

    fn render_part(&self, part: &[usize], widths: &[usize], colour: Colour, text: &mut String) {
        let head = |line: fn(&Column) -> &String| -> Vec<Cell> {
            let cell = |column: &Column| Cell { text: line(column).clone(), tone: Tone::Strong };
            self.columns.iter().map(cell).collect()
        };
        let (above, below) = (head(|c| &c.title), head(|c| &c.below));
        let mut lines = vec![above];
        if part.iter().any(|&at| !below[at].text.is_empty()) {
            lines.push(below);
        }
        for cells in lines.iter().chain(&self.rows) {
            let shown = part.iter().map(|&at| pad(&cells[at], widths[at], self.columns[at].side, colour));
            text.push_str(shown.collect::<Vec<_>>().join(GAP).trim_end());
            text.push('\n');
        }
    }
}

fn cut_name(text: &str, room: usize) -> String {
    match text.strip_suffix(MARK) {
        Some(name) if measure_text_width(text) > room => cut(name, room.saturating_sub(MARK.len())) + MARK,
        _ => cut(text, room),
    }
}

/// Which columns stand side by side: as many as fit, the first always.
fn parts(widths: &[usize], width: usize) -> Vec<Vec<usize>> {
    let mut parts = vec![vec![0]];
    let mut used = widths[0];
    for (at, own) in widths.iter().enumerate().skip(1) {
        let part = parts.last_mut().expect("there is a first part");
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

fn pad(cell: &Cell, width: usize, side: Side, colour: Colour) -> String {
    let space = " ".repeat(width.saturating_sub(measure_text_width(&cell.text)));
    let text = paint(&cell.text, cell.tone, colour);
    match side {
        Side::Left => format!("{text}{space}"),
        Side::Right => format!("{space}{text}"),
    }
}

impl Cell {
    /// A cell without colour.
    pub fn plain(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), tone: Tone::Plain }
    }
}

impl Column {
    /// A column.
    pub fn new(title: impl Into<String>, below: impl Into<String>, side: Side) -> Column {
        Column { title: title.into(), below: below.into(), side }
    }
}
