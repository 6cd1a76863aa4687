//! Rows and tables as text, in eighty columns.

use std::fmt::Write as _;

/// Widest line: eighty columns less the indent.
const WIDTH: usize = 78;

/// A row with the ends marked, and positions below; the middle of a long row is left out.
pub(super) fn draw_row(row: &[i64], at: usize) -> String {
    let cells: Vec<String> = row.iter().map(|coin| format!("({coin})")).collect();
    let ends = coins_per_end(&cells, (at + row.len()).to_string().len());
    let (mut coins, mut places) = (String::from("  "), String::from("  "));
    for (index, cell) in cells.iter().enumerate() {
        if index >= ends && index < cells.len() - ends {
            if index == ends {
                let gap = format!("... {} more ... ", cells.len() - 2 * ends);
                coins += &gap;
                places += &" ".repeat(gap.len());
            }
            continue;
        }
        let width = cell.len().max((at + index).to_string().len());
        // Writing into a string cannot fail.
        let _ = write!(coins, "{cell:^width$} ");
        let _ = write!(places, "{:^width$} ", at + index);
    }
    format!("{}\n{}", coins.trim_end(), places.trim_end())
}

/// How many coins of each end fit; all if half of them do. `digits`: of the greatest position.
fn coins_per_end(cells: &[String], digits: usize) -> usize {
    let width = |cells: &[String]| cells.iter().map(|cell| cell.len().max(digits) + 1).sum::<usize>();
    if width(cells) + 2 <= WIDTH && cells.len() < 20 {
        return cells.len();
    }
    // 26 columns are kept for the note in the gap.
    let fits = |&ends: &usize| width(&cells[..ends]) + width(&cells[cells.len() - ends..]) + 26 <= WIDTH;
    (0..=cells.len() / 2).take_while(fits).last().unwrap_or(0)
}

/// A table with a line under its head, nothing more.
pub(super) fn new_table(head: &[&str]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(head.iter().copied());
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_any_length_fit_into_eighty_columns() {
        for (length, coin) in
            [(0, 0), (1, 5), (19, 7), (30, 1), (1_000_000, 1023), (5, -(1 << 60)), (40, 1 << 60)]
        {
            let drawn = draw_row(&vec![coin; length], 999_999);
            assert!(drawn.lines().all(|line| line.len() <= 80), "{length} coins of {coin}:\n{drawn}");
        }
    }

    #[test]
    fn both_ends_of_a_long_row_are_shown() {
        let row: Vec<i64> = (100..200).collect();
        let drawn = draw_row(&row, 0);
        assert!(drawn.contains("(100)") && drawn.contains("(199)") && drawn.contains("more"), "{drawn}");
    }
}
