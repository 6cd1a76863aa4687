//! The page of losses is what the reports are made of.

use kopek::pack::render_losses;
use std::{fs, path::Path};

#[test]
fn the_page_lists_what_the_reports_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/packing.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once("<!-- losses -->\n").unwrap();
    let (own, tail) = rest.split_once("<!-- end of losses -->").unwrap();
    let lists = format!("{}\n", render_losses());
    if std::env::var_os("KOPEK_UPDATE_PAGES").is_some() {
        fs::write(&path, format!("{head}<!-- losses -->\n{lists}<!-- end of losses -->{tail}")).unwrap();
        return;
    }
    assert!(own == lists, "docs/packing.md is stale: run this test with KOPEK_UPDATE_PAGES=1");
}
