//! Which programs look alike: for people at a terminal, and for programs.
//!
//! ```text
//! {
//!   "compared": 120,                      programs
//!   "pairs": [                            the most alike first; shares are between 0 and 1
//!     {"left": "ada", "right": "bob", "likeness": 0.97, "left_share": 0.96, "right_share": 0.98,
//!      "passages": [{"tokens": 210, "left": {"file": "ada.py", "lines": [3, 41]}, "right": {…}}]}
//!   ],
//!   "more_pairs": 0,                      as alike, and left out
//!   "clusters": [["ada", "bob", "eve"]],
//!   "not_compared": [{"name": "zoe", "why": "…"}]
//! }
//! ```

use super::{
    page::Page,
    phrases::{Tone, json_text, one_line, paint, percent_text},
    text_table::{Align, Cell, Column, TextTable},
};
use kopek_engine::{
    base::wording::{counted, wrap_behind, wrap_text},
    similar::{ComparedProgram, Comparison, SharedPassage, SimilarPair, SourceSpan},
};
use serde::Serialize;

/// The text of a comparison.
pub fn similar_text(all: &Comparison, page: Page) -> String {
    let page = page.usable();
    let head = format!("{} compared", counted(all.programs.len(), "program"));
    let mut text = format!("{}\n", paint(&head, Tone::Strong, page.colour));
    if all.pairs.is_empty() {
        text.push_str("No two programs are so much alike.\n");
    } else {
        text.push_str(&format!("\n{}", pair_table(all).render(page)));
    }
    if all.more_pairs > 0 {
        text.push_str(&format!("and {} as much alike\n", counted(all.more_pairs, "more pair")));
    }
    text.push_str(&cluster_lines(all, page));
    for (name, why) in &all.not_compared {
        let line = format!("not compared: {}: {}", one_line(name), one_line(why));
        text.push_str(&(wrap_behind("*  ", &line, page.width).join("\n") + "\n"));
    }
    if !all.pairs.is_empty() {
        let advice = "A shared passage is a hint to look, not a proof. `--format html` shows both programs side \
                      by side.";
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
    TextTable { columns, rows: all.pairs.iter().map(|pair| pair_row(all, pair)).collect() }
}

fn pair_row(all: &Comparison, pair: &SimilarPair) -> Vec<Cell> {
    let (left, right) = (&all.programs[pair.left], &all.programs[pair.right]);
    let longest = pair.passages.iter().max_by_key(|passage| passage.tokens);
    let lines = |span: &SourceSpan, program: &ComparedProgram| {
        let (first, last) = span.lines(program);
        format!("{first}–{last}")
    };
    let place = |passage: &SharedPassage| {
        format!("{}, {} and {}", passage.tokens, lines(&passage.left, left), lines(&passage.right, right))
    };
    [
        one_line(&left.name),
        percent_text(pair.left_share),
        one_line(&right.name),
        percent_text(pair.right_share),
        longest.map(place).unwrap_or_default(),
    ]
    .map(Cell::plain)
    .into()
}

fn cluster_lines(all: &Comparison, page: Page) -> String {
    let name = |at: &usize| one_line(&all.programs[*at].name);
    let large = all.clusters.iter().filter(|cluster| cluster.len() > 2);
    let line = |cluster: &Vec<usize>| {
        let names: Vec<String> = cluster.iter().map(name).collect();
        wrap_behind("hang together: ", &names.join(", "), page.width).join("\n") + "\n"
    };
    large.map(line).collect()
}

#[derive(Serialize)]
struct JsonComparison<'a> {
    compared: usize,
    pairs: Vec<JsonPair<'a>>,
    more_pairs: usize,
    clusters: Vec<Vec<&'a str>>,
    not_compared: Vec<JsonNotCompared<'a>>,
}

#[derive(Serialize)]
struct JsonPair<'a> {
    left: &'a str,
    right: &'a str,
    likeness: f64,
    left_share: f64,
    right_share: f64,
    passages: Vec<JsonPassage<'a>>,
}

#[derive(Serialize)]
struct JsonPassage<'a> {
    tokens: usize,
    left: JsonSpan<'a>,
    right: JsonSpan<'a>,
}

#[derive(Serialize)]
struct JsonSpan<'a> {
    file: &'a str,
    lines: [usize; 2],
}

#[derive(Serialize)]
struct JsonNotCompared<'a> {
    name: &'a str,
    why: &'a str,
}

/// The JSON of a comparison.
pub fn similar_json(all: &Comparison) -> String {
    let name = |at: usize| all.programs[at].name.as_str();
    let json = JsonComparison {
        compared: all.programs.len(),
        pairs: all.pairs.iter().map(|pair| json_pair(all, pair)).collect(),
        more_pairs: all.more_pairs,
        clusters: all.clusters.iter().map(|cluster| cluster.iter().map(|at| name(*at)).collect()).collect(),
        not_compared: all.not_compared.iter().map(|(name, why)| JsonNotCompared { name, why }).collect(),
    };
    json_text(&json)
}

fn json_pair<'a>(all: &'a Comparison, pair: &SimilarPair) -> JsonPair<'a> {
    let (left, right) = (&all.programs[pair.left], &all.programs[pair.right]);
    let passage = |passage: &SharedPassage| JsonPassage {
        tokens: passage.tokens,
        left: json_span(&passage.left, left),
        right: json_span(&passage.right, right),
    };
    JsonPair {
        left: &left.name,
        right: &right.name,
        likeness: rounded(pair.likeness),
        left_share: rounded(pair.left_share),
        right_share: rounded(pair.right_share),
        passages: pair.passages.iter().map(passage).collect(),
    }
}

fn json_span<'a>(span: &SourceSpan, program: &'a ComparedProgram) -> JsonSpan<'a> {
    let (first, last) = span.lines(program);
    JsonSpan { file: &program.files[span.file].path, lines: [first, last] }
}

/// Four decimals are more than anybody can compare.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}
