//! A page that is one table.

use super::frame::{PageFrame, whole_page};
use maud::html;

/// A whole page; the first column names the rows.
pub fn table_page(title: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let body = html! {
        h1 { (title) }
        div.scroll tabindex="0" role="region" aria-label=(title) { table.unbroken {
            thead { tr { @for name in head { th scope="col" { (name) } } } }
            tbody {
                @for row in rows {
                    tr {
                        @for (at, cell) in row.iter().enumerate() {
                            @if at == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                        }
                    }
                }
            }
        } }
    };
    whole_page(PageFrame { title, events: None }, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_packages_are_no_markup() {
        let page = table_page("packages", &["package"], &[vec!["<b>".into(), "1".into()]]);
        assert!(page.contains("<th scope=\"row\">&lt;b&gt;</th><td>1</td>"), "{page}");
        assert!(
            page.contains(
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"packages\"><table"
            ),
            "a phone is narrower than the table: {page}"
        );
    }
}
