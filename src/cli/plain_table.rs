//! Tables without lines, as wide as the terminal.

use super::terminal_output::terminal_page;

/// A table with this header and only spaces between columns.
pub(super) fn plain_table(head: &[&str]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(head.iter().copied());
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.set_width(u16::try_from(terminal_page().width).unwrap_or(u16::MAX));
    table
}
