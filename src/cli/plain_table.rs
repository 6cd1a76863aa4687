//! Tables without lines, as wide as the terminal.

/// A table with this head and nothing between its columns but space.
pub(super) fn plain_table(head: &[&str]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(head.iter().copied());
    table
}
