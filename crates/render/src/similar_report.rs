//! Similar programs as text for people.

use super::{
    page::Page,
    phrases::{Tone, paint, percent_text},
    text_table::{Align, Cell, Column, TextTable},
};
use kopek_base::wording::{counted, one_line, wrap_behind, wrap_text};
use kopek_engine::similar::{
    Comparison, EarlierComparison, EarlierMatch, NotCompared, SharedPassage, SimilarPair, SourceSpan,
    longest_passage,
};

/// The text of a comparison.
pub fn similar_text(all: &Comparison, page: Page) -> String {
    let page = page.usable();
    let mut head = format!("{} compared", counted(all.compared, "program"));
    if let Some(earlier) = &all.earlier {
        head += &format!(", also with {}", counted(earlier.compared, "earlier source"));
    }
    let mut text = format!("{}\n", paint(&head, Tone::Strong, page.colour));
    if all.pairs.is_empty() {
        text.push_str("No programs are alike.\n");
    } else {
        text.push_str(&format!("\n{}", pair_table(all).render(page)));
    }
    if all.more_pairs > 0 {
        text.push_str(&format!("and {} left out\n", counted(all.more_pairs, "more similar pair")));
    }
    text.push_str(&cluster_lines(all, page));
    let mut has_match = false;
    if let Some(earlier) = &all.earlier {
        has_match = !earlier.matches.is_empty();
        if has_match {
            let table = earlier_table(earlier).render(page);
            text.push_str(&format!("\n{table}{}", earlier_lines(earlier, page)));
        } else {
            text.push_str("No program is like an earlier source.\n");
        }
    }
    for NotCompared { name, why } in &all.not_compared {
        let line = format!("not compared: {}: {}", one_line(name), one_line(why));
        text.push_str(&(wrap_behind("*  ", &line, page.width).join("\n") + "\n"));
    }
    if !all.pairs.is_empty() || has_match {
        let advice =
            "Shared passages are hints, not proofs. `--format html` shows both programs side by side.";
        text.push_str(&format!("\n{}\n", wrap_text(advice, "", 0, page.width).join("\n")));
    }
    text
}

fn pair_table(all: &Comparison) -> TextTable {
    let columns = vec![
        Column::new("one", "", Align::Left),
        Column::new("shared", "", Align::Right),
        Column::new("other", "", Align::Left),
        Column::new("shared", "", Align::Right),
        Column::new("longest passage", "tokens, lines", Align::Right),
    ];
    TextTable { columns, rows: all.pairs.iter().map(pair_row).collect() }
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
    TextTable { columns, rows: all.matches.iter().map(earlier_row).collect() }
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

/// Participants near the same earlier source, and copies of that source.
fn earlier_lines(all: &EarlierComparison, page: Page) -> String {
    let mut text = String::new();
    let mut add = |head: &str, rest: &str| {
        text.push_str(&(wrap_behind(head, rest, page.width).join("\n") + "\n"));
    };
    for (source, names) in all.near_the_same_source() {
        let names: Vec<String> = names.into_iter().map(one_line).collect();
        add(&format!("near {}: ", one_line(&source.file.path)), &names.join(", "));
    }
    for source in all.matched_sources().filter(|source| !source.copies.is_empty()) {
        let others = counted(source.copies.len(), "other earlier source");
        add("*  ", &format!("{} is also in {others}", one_line(&source.file.path)));
    }
    text
}

fn cluster_lines(all: &Comparison, page: Page) -> String {
    let large = all.clusters.iter().filter(|cluster| cluster.len() > 2);
    let line = |cluster: &Vec<String>| {
        let names: Vec<String> = cluster.iter().map(|name| one_line(name)).collect();
        wrap_behind("cluster: ", &names.join(", "), page.width).join("\n") + "\n"
    };
    large.map(line).collect()
}
