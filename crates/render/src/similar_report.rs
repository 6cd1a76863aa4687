//! Similar programs: as text for people, as JSON for programs.
//!
//! ```text
//! {
//!   "compared": 120,                      programs
//!   "pairs": [                            the most alike first; shares are between 0 and 1
//!     {"left": "ada", "right": "bob", "likeness": 0.97, "left_share": 0.96, "right_share": 0.98,
//!      "passages": [{"tokens": 210, "left": {"file": "ada.py", "lines": [3, 41]}, "right": {…}}]}
//!   ],
//!   "more_pairs": 0,                      similar pairs that were left out
//!   "clusters": [["ada", "bob", "eve"]],
//!   "earlier": {                          with --against
//!     "compared": 950,                    earlier sources
//!     "matches": [                        the nearest source of each participant, where it is alike
//!       {"name": "ada", "source": "2023/ada.py", "copies": ["2022/x.py"], "share": 0.83, "source_share": 0.4,
//!        "also_in": 0, "passages": [as above: left is the participant]}
//!     ]
//!   },
//!   "not_compared": [{"name": "zoe", "why": "…"}]
//! }
//! ```

use super::{
    page::Page,
    phrases::{Tone, json_text, paint, percent_text},
    text_table::{Align, Cell, Column, TextTable},
};
use kopek_base::wording::{counted, one_line, wrap_behind, wrap_text};
use kopek_engine::similar::{
    ComparedFile, Comparison, EarlierMatch, SharedCode, SharedPassage, SimilarPair, SourceSpan,
};
use serde::Serialize;

/// The text of a comparison.
pub fn similar_text(all: &Comparison, page: Page) -> String {
    let page = page.usable();
    let mut head = format!("{} compared", counted(all.participants(), "program"));
    if all.earlier_compared > 0 {
        head += &format!(", also with {}", counted(all.earlier_compared, "earlier source"));
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
    if !all.earlier_matches.is_empty() {
        text.push_str(&format!("\n{}{}", earlier_table(all).render(page), earlier_lines(all, page)));
    } else if all.earlier_compared > 0 {
        text.push_str("No program is like an earlier source.\n");
    }
    for (name, why) in &all.not_compared {
        let line = format!("not compared: {}: {}", one_line(name), one_line(why));
        text.push_str(&(wrap_behind("*  ", &line, page.width).join("\n") + "\n"));
    }
    if !all.pairs.is_empty() || !all.earlier_matches.is_empty() {
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
    TextTable { columns, rows: all.pairs.iter().map(|pair| pair_row(all, pair)).collect() }
}

fn pair_row(all: &Comparison, pair: &SimilarPair) -> Vec<Cell> {
    let left = &all.programs[pair.left];
    let right = &all.programs[pair.right];
    [
        one_line(&left.name),
        percent_text(pair.shared.left_share),
        one_line(&right.name),
        percent_text(pair.shared.right_share),
        pair.shared
            .longest()
            .map(|passage| passage_text(passage, &left.files, &right.files))
            .unwrap_or_default(),
    ]
    .map(Cell::plain)
    .into()
}

fn passage_text(passage: &SharedPassage, left: &[ComparedFile], right: &[ComparedFile]) -> String {
    let lines = |span: &SourceSpan, files: &[ComparedFile]| {
        let (first, last) = span.lines(files);
        format!("{first}–{last}")
    };
    format!("{}, {} and {}", passage.tokens, lines(&passage.left, left), lines(&passage.right, right))
}

fn earlier_table(all: &Comparison) -> TextTable {
    let columns = vec![
        Column::new("one", "", Align::Left),
        Column::new("shared", "", Align::Right),
        Column::new("earlier source", "", Align::Left),
        Column::new("longest passage", "tokens, lines", Align::Right),
        Column::new("also in", "", Align::Right),
    ];
    TextTable { columns, rows: all.earlier_matches.iter().map(|found| earlier_row(all, found)).collect() }
}

fn earlier_row(all: &Comparison, found: &EarlierMatch) -> Vec<Cell> {
    let program = &all.programs[found.program];
    let source = &all.earlier[found.source];
    let source_files = std::slice::from_ref(&source.file);
    let others = match found.also_in {
        0 => "no other".to_owned(),
        others => counted(others, "other"),
    };
    [
        one_line(&program.name),
        percent_text(found.shared.left_share),
        one_line(&source.file.path),
        found
            .shared
            .longest()
            .map(|passage| passage_text(passage, &program.files, source_files))
            .unwrap_or_default(),
        others,
    ]
    .map(Cell::plain)
    .into()
}

/// Participants near the same earlier source, and copies of that source.
fn earlier_lines(all: &Comparison, page: Page) -> String {
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
    let name = |at: &usize| one_line(&all.programs[*at].name);
    let large = all.clusters.iter().filter(|cluster| cluster.len() > 2);
    let line = |cluster: &Vec<usize>| {
        let names: Vec<String> = cluster.iter().map(name).collect();
        wrap_behind("cluster: ", &names.join(", "), page.width).join("\n") + "\n"
    };
    large.map(line).collect()
}

#[derive(Serialize)]
struct JsonComparison<'a> {
    compared: usize,
    pairs: Vec<JsonPair<'a>>,
    more_pairs: usize,
    clusters: Vec<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier: Option<JsonEarlier<'a>>,
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
struct JsonEarlier<'a> {
    compared: usize,
    matches: Vec<JsonEarlierMatch<'a>>,
}

#[derive(Serialize)]
struct JsonEarlierMatch<'a> {
    name: &'a str,
    source: &'a str,
    copies: &'a [String],
    share: f64,
    source_share: f64,
    also_in: usize,
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
        compared: all.participants(),
        pairs: all.pairs.iter().map(|pair| json_pair(all, pair)).collect(),
        more_pairs: all.more_pairs,
        clusters: all.clusters.iter().map(|cluster| cluster.iter().map(|at| name(*at)).collect()).collect(),
        earlier: (all.earlier_compared > 0).then(|| JsonEarlier {
            compared: all.earlier_compared,
            matches: all.earlier_matches.iter().map(|found| json_earlier(all, found)).collect(),
        }),
        not_compared: all.not_compared.iter().map(|(name, why)| JsonNotCompared { name, why }).collect(),
    };
    json_text(&json)
}

fn json_pair<'a>(all: &'a Comparison, pair: &SimilarPair) -> JsonPair<'a> {
    let left = &all.programs[pair.left];
    let right = &all.programs[pair.right];
    JsonPair {
        left: &left.name,
        right: &right.name,
        likeness: rounded(pair.likeness),
        left_share: rounded(pair.shared.left_share),
        right_share: rounded(pair.shared.right_share),
        passages: json_passages(&pair.shared, &left.files, &right.files),
    }
}

fn json_earlier<'a>(all: &'a Comparison, found: &EarlierMatch) -> JsonEarlierMatch<'a> {
    let program = &all.programs[found.program];
    let source = &all.earlier[found.source];
    JsonEarlierMatch {
        name: &program.name,
        source: &source.file.path,
        copies: &source.copies,
        share: rounded(found.shared.left_share),
        source_share: rounded(found.shared.right_share),
        also_in: found.also_in,
        passages: json_passages(&found.shared, &program.files, std::slice::from_ref(&source.file)),
    }
}

fn json_passages<'a>(
    shared: &SharedCode,
    left: &'a [ComparedFile],
    right: &'a [ComparedFile],
) -> Vec<JsonPassage<'a>> {
    let passage = |passage: &SharedPassage| JsonPassage {
        tokens: passage.tokens,
        left: json_span(&passage.left, left),
        right: json_span(&passage.right, right),
    };
    shared.passages.iter().map(passage).collect()
}

fn json_span<'a>(span: &SourceSpan, files: &'a [ComparedFile]) -> JsonSpan<'a> {
    let (first, last) = span.lines(files);
    JsonSpan { file: &files[span.file].path, lines: [first, last] }
}

/// Four decimals are enough for every comparison.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}
