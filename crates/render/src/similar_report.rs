//! Similar programs as text for people.

use super::{
    document::Document,
    phrases::percent_text,
    text_table::{Align, Cell, Column, TextTable},
};
use kopek_base::wording::{counted, one_line};
use kopek_class::similar::{
    Comparison, EarlierComparison, EarlierMatch, NotCompared, SharedPassage, SimilarPair, SourceSpan,
    longest_passage,
};

pub fn similar_document(all: &Comparison) -> Document<'static> {
    let mut document = Document::default();
    let mut head = format!("{} compared", counted(all.compared, "program"));
    if let Some(earlier) = &all.earlier {
        head += &format!(", also with {}", counted(earlier.compared, "earlier source"));
    }
    document.title(&head);
    if all.clusters.is_empty() {
        document.line("No programs are alike.");
    }
    for same in &all.identical {
        document.item("identical: ", &same.names.join(", "));
    }
    // A cluster of two is a pair.
    for cluster in all.clusters.iter().filter(|cluster| cluster.len() > 2) {
        document.item("cluster: ", &cluster.join(", "));
    }
    if !all.pairs.is_empty() {
        document.gap();
        document.table(pair_table(all));
    }
    if all.more_pairs > 0 {
        document.line(&format!("and {} left out", counted(all.more_pairs, "more similar pair")));
    }
    if let Some(earlier) = &all.earlier {
        add_earlier(&mut document, earlier);
    }
    for NotCompared { name, why } in &all.not_compared {
        document.item("*  ", &format!("not compared: {name}: {why}"));
    }
    let has_match = all.earlier.as_ref().is_some_and(|earlier| !earlier.matches.is_empty());
    if !all.pairs.is_empty() || has_match {
        document.gap();
        document
            .item("", "Shared passages are hints, not proofs. `--out DIR` shows both programs side by side.");
    }
    document
}

fn pair_table(all: &Comparison) -> TextTable {
    let columns = vec![
        Column::new("one", "", Align::Left),
        Column::new("shared", "", Align::Right),
        Column::new("other", "", Align::Left),
        Column::new("shared", "", Align::Right),
        Column::new("longest passage", "tokens, lines", Align::Right),
    ];
    TextTable::new(columns, all.pairs.iter().map(pair_row).collect())
}

fn pair_row(pair: &SimilarPair) -> Vec<Cell> {
    [
        one_line(&pair.left),
        percent_text(pair.shared.left_share),
        one_line(&pair.right),
        percent_text(pair.shared.right_share),
        longest_text(&pair.shared.passages),
    ]
    .map(Cell::plain)
    .into()
}

/// The longest passage: its tokens, and its lines on both sides.
fn longest_text(passages: &[SharedPassage]) -> String {
    let Some(passage) = longest_passage(passages) else { return String::new() };
    let lines = |SourceSpan { lines: [first, last], .. }: &SourceSpan| format!("{first}–{last}");
    format!("{}, {} and {}", passage.tokens, lines(&passage.left), lines(&passage.right))
}

fn earlier_table(all: &EarlierComparison) -> TextTable {
    let columns = vec![
        Column::new("one", "", Align::Left),
        Column::new("shared", "", Align::Right),
        Column::new("earlier source", "", Align::Left),
        Column::new("longest passage", "tokens, lines", Align::Right),
        Column::new("also in", "", Align::Right),
    ];
    TextTable::new(columns, all.matches.iter().map(earlier_row).collect())
}

fn earlier_row(found: &EarlierMatch) -> Vec<Cell> {
    let others = match found.also_in {
        0 => "no other".to_owned(),
        others => counted(others, "other"),
    };
    [
        one_line(&found.name),
        percent_text(found.share),
        one_line(&found.source),
        longest_text(&found.passages),
        others,
    ]
    .map(Cell::plain)
    .into()
}

/// Matches, participants near the same earlier source, and copies of that source.
fn add_earlier(document: &mut Document, earlier: &EarlierComparison) {
    if earlier.matches.is_empty() {
        document.line("No program is like an earlier source.");
        return;
    }
    document.gap();
    document.table(earlier_table(earlier));
    for (source, names) in earlier.near_the_same_source() {
        document.item(&format!("near {}: ", source.file.path), &names.join(", "));
    }
    for source in earlier.matched_sources().filter(|source| !source.copies.is_empty()) {
        let others = counted(source.copies.len(), "other earlier source");
        document.item("*  ", &format!("{} is also in {others}", source.file.path));
    }
}
