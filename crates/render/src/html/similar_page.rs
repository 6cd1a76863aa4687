//! Programs that look alike, side by side.

use super::frame::whole_page;
use crate::phrases::percent_text;
use kopek_base::wording::{counted, one_line, without_control_characters};
use kopek_engine::similar::{
    ComparedFile, Comparison, EarlierMatch, SharedCode, SharedPassage, SimilarPair, SourceSpan,
};
use maud::{Markup, html};
use std::ops::Range;

/// The page of a comparison.
pub fn similar_page(title: &str, all: &Comparison) -> String {
    let title = format!("Similar programs: {}", one_line(title));
    let body = html! {
        h1 { (title) }
        p {
            (counted(all.participants(), "program")) " compared"
            @if all.earlier_compared > 0 { ", also with " (counted(all.earlier_compared, "earlier source")) }
            ". A shared passage is a hint to look, not a proof: \
            names, numbers, layout, comments and the order of functions do not count, and what many programs share \
            counts little."
        }
        h2 { "Clusters" }
        @if all.pairs.is_empty() { p { strong { "No programs are alike." } } }
        @if all.more_pairs > 0 {
            p class="note" { (counted(all.more_pairs, "more similar pair")) " left out: only the most alike are shown." }
        }
        @for cluster in &all.clusters { (cluster_section(all, cluster)) }
        @if all.earlier_compared > 0 { (earlier_section(all)) }
        @if !all.not_compared.is_empty() { (not_compared_list(all)) }
    };
    whole_page(&title, &body)
}

/// Programs that are alike, and their pairs, folded.
fn cluster_section(all: &Comparison, cluster: &[usize]) -> Markup {
    let names: Vec<String> = cluster.iter().map(|at| one_line(&all.programs[*at].name)).collect();
    let is_inside = |pair: &SimilarPair| cluster.contains(&pair.left);
    let pairs: Vec<(usize, &SimilarPair)> =
        all.pairs.iter().enumerate().filter(|(_, pair)| is_inside(pair)).collect();
    // The most alike come first.
    let likeness = pairs.first().map_or(0.0, |(_, pair)| pair.likeness);
    html! {
        section class="cluster" {
            h3 { (names.join(", ")) }
            p class="soft" { (counted(cluster.len(), "program")) ", up to " (percent_text(likeness)) " alike" }
            @if let [(number, pair)] = pairs[..] { (pair_details(all, pair, number + 1)) } @else {
                details {
                    summary { (counted(pairs.len(), "pair")) }
                    @for (number, pair) in pairs { (pair_details(all, pair, number + 1)) }
                }
            }
        }
    }
}

fn not_compared_list(all: &Comparison) -> Markup {
    html! {
        h2 { "Not compared" }
        ul { @for (name, why) in &all.not_compared { li { strong { (one_line(name)) } ": " (one_line(why)) } } }
    }
}

fn earlier_section(all: &Comparison) -> Markup {
    let near = all.near_the_same_source();
    html! {
        h2 { "Earlier sources" }
        @if all.earlier_matches.is_empty() { p { "No program is like an earlier source." } } @else { (earlier_table(all)) }
        @if !near.is_empty() {
            h3 { "Near the same earlier source" }
            ul { @for (source, names) in near { li { strong { (one_line(&source.file.path)) } ": " (one_line(&names.join(", "))) } } }
        }
        @for (number, found) in all.earlier_matches.iter().enumerate() { (earlier_details(all, found, number + 1)) }
    }
}

fn earlier_table(all: &Comparison) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Earlier sources" {
            table data-sort data-filter="earlier sources" {
                thead { tr {
                    th scope="col" { "one" } th scope="col" class="n" { "of it shared" }
                    th scope="col" { "earlier source" } th scope="col" class="n" { "longest, in tokens" }
                    th scope="col" class="n" { "others who have that passage" }
                } }
                tbody { @for (number, found) in all.earlier_matches.iter().enumerate() { (earlier_row(all, found, number + 1)) } }
            }
        }
    }
}

fn earlier_row(all: &Comparison, found: &EarlierMatch, number: usize) -> Markup {
    let source = &all.earlier[found.source];
    let share = found.shared.left_share;
    html! {
        tr {
            td class="name" { a href=(format!("#earlier-{number}")) { (one_line(&all.programs[found.program].name)) } }
            td class="n" data-v=(format!("{share:.4}")) { (percent_text(share)) }
            td class="name" {
                (one_line(&source.file.path))
                @if !source.copies.is_empty() { " and " (counted(source.copies.len(), "equal source")) }
            }
            td class="n" { (found.shared.longest().map_or(0, |passage| passage.tokens)) }
            td class="n" { (found.also_in) }
        }
    }
}

/// A program and the earlier source that it is most like.
fn earlier_details(all: &Comparison, found: &EarlierMatch, number: usize) -> Markup {
    let program = &all.programs[found.program];
    let source = &all.earlier[found.source];
    let files = std::slice::from_ref(&source.file);
    let sides = sides_of(
        &found.shared,
        format!("e{number}"),
        [(&program.name, &program.files), (&source.file.path, files)],
    );
    let head = html! {
        strong { (one_line(&program.name)) " and " (one_line(&source.file.path)) }
        ": " (percent_text(found.shared.left_share)) " of the program shared"
        @if !source.copies.is_empty() { ", also in " (one_line(&source.copies.join(", "))) }
    };
    side_by_side(&format!("earlier-{number}"), &head, &sides)
}

/// Both programs of a pair.
fn pair_details(all: &Comparison, pair: &SimilarPair, number: usize) -> Markup {
    let left = &all.programs[pair.left];
    let right = &all.programs[pair.right];
    let sides = sides_of(
        &pair.shared,
        format!("p{number}"),
        [(&left.name, &left.files), (&right.name, &right.files)],
    );
    let longest = pair.shared.longest().map_or(0, |passage| passage.tokens);
    let passages = pair.shared.passages.len();
    let head = html! {
        (percent_text(pair.likeness)) " alike: "
        strong { (one_line(&left.name)) } " (" (percent_text(pair.shared.left_share)) " shared) and "
        strong { (one_line(&right.name)) } " (" (percent_text(pair.shared.right_share)) " shared), "
        (counted(passages, "passage")) @if passages > 1 { ", the longest" } " of " (counted(longest, "token"))
    };
    side_by_side(&format!("pair-{number}"), &head, &sides)
}

/// Two programs, and a link at the head of each passage to its twin.
fn side_by_side(id: &str, head: &Markup, sides: &[ProgramSide; 2]) -> Markup {
    html! {
        details id=(id) {
            summary { (head) }
            div class="sides" { @for side in sides { div { (side.markup()) } } }
        }
    }
}

fn sides_of<'a>(
    shared: &'a SharedCode,
    pair: String,
    programs: [(&'a String, &'a [ComparedFile]); 2],
) -> [ProgramSide<'a>; 2] {
    let spans =
        |side: fn(&SharedPassage) -> &SourceSpan| shared.passages.iter().map(side).collect::<Vec<_>>();
    let [(left, left_files), (right, right_files)] = programs;
    [
        ProgramSide {
            name: left,
            files: left_files,
            spans: spans(|passage| &passage.left),
            pair: pair.clone(),
            letters: ["l", "r"],
        },
        ProgramSide {
            name: right,
            files: right_files,
            spans: spans(|passage| &passage.right),
            pair,
            letters: ["r", "l"],
        },
    ]
}

/// A program with its marked passages.
struct ProgramSide<'a> {
    name: &'a str,
    files: &'a [ComparedFile],
    spans: Vec<&'a SourceSpan>,
    /// What its pair is called in anchors.
    pair: String,
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
            h3 { (one_line(self.name)) }
            @for (at, file) in self.files.iter().enumerate() {
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
        let anchor = |side: &str| format!("{}-{}-{side}", self.pair, passage + 1);
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
