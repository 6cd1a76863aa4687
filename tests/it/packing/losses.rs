//! The page of losses is what the reports are made of.

use kopek::pack::render_loss_table;
use std::{fs, path::Path};

#[test]
fn the_page_lists_what_the_reports_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/packing.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once("<!-- losses -->\n").unwrap();
    let (own, tail) = rest.split_once("<!-- end of losses -->").unwrap();
    let table = format!("\n{}\n", render_loss_table());
    if std::env::var_os("KOPEK_UPDATE_PAGES").is_some() {
        fs::write(&path, format!("{head}<!-- losses -->\n{table}<!-- end of losses -->{tail}")).unwrap();
        return;
    }
    assert!(own == table, "docs/packing.md is stale: run this test with KOPEK_UPDATE_PAGES=1");
}
