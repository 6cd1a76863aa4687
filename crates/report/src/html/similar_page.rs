//! Programs that look alike, side by side.

use super::frame::{PageFrame, whole_page};
use crate::phrases::{one_line, percent_text, without_control_characters};
use kopek_engine::{
    base::wording::counted,
    similar::{ComparedFile, ComparedProgram, Comparison, SharedPassage, SimilarPair, SourceSpan},
};
use maud::{Markup, html};
use std::ops::Range;

/// The page of a comparison.
pub fn similar_page(title: &str, all: &Comparison) -> String {
    let title = format!("Similar programs: {}", one_line(title));
    let body = html! {
        h1 { (title) }
        p {
            (counted(all.programs.len(), "program")) " compared. A shared passage is a hint to look, not a proof: \
            names, numbers, layout, comments and the order of functions do not count, and what many programs share \
            counts little."
        }
        @if all.pairs.is_empty() { p { strong { "No two programs are so much alike." } } } @else { (pair_table(all)) }
        @if all.clusters.iter().any(|cluster| cluster.len() > 2) { (cluster_list(all)) }
        @if !all.not_compared.is_empty() { (not_compared_list(all)) }
        @for (number, pair) in all.pairs.iter().enumerate() { (pair_details(all, pair, number + 1)) }
    };
    whole_page(PageFrame { title: &title, events: None }, &body)
}

fn pair_table(all: &Comparison) -> Markup {
    html! {
        h2 { "Pairs" }
        @if all.more_pairs > 0 {
            p class="note" { (counted(all.more_pairs, "more pair")) " as much alike left out: the most alike are shown." }
        }
        div class="scroll" tabindex="0" role="region" aria-label="Pairs" {
            table data-sort data-filter="pairs" {
                thead { tr {
                    th scope="col" class="n" { "alike" }
                    th scope="col" { "one" } th scope="col" class="n" { "of it shared" }
                    th scope="col" { "other" } th scope="col" class="n" { "of it shared" }
                    th scope="col" class="n" { "passages" } th scope="col" class="n" { "longest, in tokens" }
                } }
                tbody { @for (number, pair) in all.pairs.iter().enumerate() { (pair_row(all, pair, number + 1)) } }
            }
        }
    }
}

fn pair_row(all: &Comparison, pair: &SimilarPair, number: usize) -> Markup {
    let longest = pair.passages.iter().map(|passage| passage.tokens).max().unwrap_or_default();
    html! {
        tr {
            td class="n" data-v=(format!("{:.4}", pair.likeness)) {
                a href=(format!("#pair-{number}")) { (percent_text(pair.likeness)) }
            }
            td class="name" { (one_line(&all.programs[pair.left].name)) }
            td class="n" data-v=(format!("{:.4}", pair.left_share)) { (percent_text(pair.left_share)) }
            td class="name" { (one_line(&all.programs[pair.right].name)) }
            td class="n" data-v=(format!("{:.4}", pair.right_share)) { (percent_text(pair.right_share)) }
            td class="n" { (pair.passages.len()) }
            td class="n" { (longest) }
        }
    }
}

fn cluster_list(all: &Comparison) -> Markup {
    let names = |cluster: &[usize]| {
        cluster.iter().map(|at| one_line(&all.programs[*at].name)).collect::<Vec<_>>().join(", ")
    };
    html! {
        h2 { "Groups that hang together" }
        ul { @for cluster in all.clusters.iter().filter(|cluster| cluster.len() > 2) { li { (counted(cluster.len(), "program")) ": " (names(cluster)) } } }
    }
}

fn not_compared_list(all: &Comparison) -> Markup {
    html! {
        h2 { "Not compared" }
        ul { @for (name, why) in &all.not_compared { li { strong { (one_line(name)) } ": " (one_line(why)) } } }
    }
}

/// Both programs of a pair, and a link at the head of each passage to its twin.
fn pair_details(all: &Comparison, pair: &SimilarPair, number: usize) -> Markup {
    let (left, right) = (&all.programs[pair.left], &all.programs[pair.right]);
    let spans = |side: fn(&SharedPassage) -> &SourceSpan| pair.passages.iter().map(side).collect::<Vec<_>>();
    let sides = [
        ProgramSide {
            program: left,
            spans: spans(|passage| &passage.left),
            pair: number,
            letters: ["l", "r"],
        },
        ProgramSide {
            program: right,
            spans: spans(|passage| &passage.right),
            pair: number,
            letters: ["r", "l"],
        },
    ];
    html! {
        details id=(format!("pair-{number}")) {
            summary {
                strong { (number) ". " (one_line(&left.name)) " and " (one_line(&right.name)) }
                ": " (percent_text(pair.left_share)) " and " (percent_text(pair.right_share)) " shared"
            }
            div class="sides" { @for side in &sides { div { (side.markup()) } } }
        }
    }
}

/// A program with its marked passages.
struct ProgramSide<'a> {
    program: &'a ComparedProgram,
    spans: Vec<&'a SourceSpan>,
    pair: usize,
    /// What this side is called in anchors, and what the other.
    letters: [&'static str; 2],
}

/// A piece of a line, and the passage that it belongs to.
struct LinePiece<'a> {
    text: &'a str,
    passage: Option<usize>,
    /// Whether the passage begins here.
    begins: bool,
}

impl ProgramSide<'_> {
    fn markup(&self) -> Markup {
        html! {
            h3 { (one_line(&self.program.name)) }
            @for (at, file) in self.program.files.iter().enumerate() {
                p class="small soft" { (one_line(&file.path)) }
                pre class="source" tabindex="0" { code {
                    @for pieces in self.lines_of(file, at) {
                        span class="l" { @for piece in pieces { (self.piece_markup(&piece)) } } "\n"
                    }
                } }
            }
        }
    }

    /// The lines of a file, cut where passages begin and end.
    fn lines_of<'f>(&self, file: &'f ComparedFile, number: usize) -> Vec<Vec<LinePiece<'f>>> {
        let spans = self.spans.iter().enumerate().filter(|(_, span)| span.file == number);
        let spans: Vec<(usize, &SourceSpan)> = spans.map(|(at, span)| (at, *span)).collect();
        let mut start = 0;
        let mut lines = Vec::new();
        for line in file.text.split_inclusive('\n') {
            let end = start + line.trim_end_matches(['\n', '\r']).len();
            lines.push(cut_line(&file.text, start..end, &spans));
            start += line.len();
        }
        lines
    }

    fn piece_markup(&self, piece: &LinePiece) -> Markup {
        let text = without_control_characters(piece.text);
        let Some(passage) = piece.passage else { return html! { (text) } };
        let [own, other] = self.letters;
        let anchor = |side: &str| format!("p{}-{}-{side}", self.pair, passage + 1);
        let class = format!("m{}", passage % 6);
        html! {
            @if piece.begins {
                a class="to" id=(anchor(own)) href=(format!("#{}", anchor(other)))
                    aria-label=(format!("passage {} on the other side", passage + 1)) { (passage + 1) }
            }
            mark class=(class) { (text) }
        }
    }
}

fn cut_line<'f>(text: &'f str, line: Range<usize>, spans: &[(usize, &SourceSpan)]) -> Vec<LinePiece<'f>> {
    let Range { start, end } = line;
    let inside = |at: usize| line.contains(&at);
    let mut cuts: Vec<usize> = spans
        .iter()
        .flat_map(|(_, span)| [span.bytes.start, span.bytes.end])
        .filter(|at| inside(*at))
        .collect();
    cuts.extend([start, end]);
    cuts.sort_unstable();
    cuts.dedup();
    let piece = |cut: &[usize]| {
        let passage = spans.iter().find(|(_, span)| span.bytes.contains(&cut[0]));
        LinePiece {
            text: &text[cut[0]..cut[1]],
            passage: passage.map(|(number, _)| *number),
            begins: passage.is_some_and(|(_, span)| span.bytes.start == cut[0]),
        }
    };
    cuts.windows(2).map(piece).collect()
}
