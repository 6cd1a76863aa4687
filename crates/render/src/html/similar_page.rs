//! Programs that look alike, side by side.

use super::frame::whole_page;
use crate::phrases::percent_text;
use kopek_base::wording::{counted, one_line, without_control_characters};
use kopek_class::similar::{
    ComparedFile, Comparison, EarlierComparison, EarlierMatch, IdenticalPrograms, NotCompared, SharedPassage,
    SimilarPair, SourceSpan, longest_passage,
};
use maud::{Markup, html};
use std::ops::Range;

/// The page of a comparison.
pub fn similar_page(title: &str, all: &Comparison) -> String {
    let title = format!("Similar programs: {}", one_line(title));
    let body = html! {
        h1 { (title) }
        p {
            (counted(all.compared, "program")) " compared"
            @if let Some(earlier) = &all.earlier { ", also with " (counted(earlier.compared, "earlier source")) }
            ". A shared passage is a hint to look, not a proof: \
            names, numbers, layout, comments and the order of functions do not count, and what many programs share \
            counts little."
        }
        h2 { "Clusters" }
        @if all.clusters.is_empty() { p { strong { "No programs are alike." } } }
        @if all.more_pairs > 0 {
            p class="note" { (counted(all.more_pairs, "more similar pair")) " left out: only the most alike are shown." }
        }
        @for (number, cluster) in all.clusters.iter().enumerate() { (cluster_section(all, number, cluster)) }
        @if let Some(earlier) = &all.earlier { (earlier_section(all, earlier)) }
        @if !all.not_compared.is_empty() { (not_compared_list(all)) }
    };
    whole_page(&title, &body)
}

/// Programs that are alike, and their pairs, folded.
fn cluster_section(all: &Comparison, number: usize, cluster: &[String]) -> Markup {
    let pairs: Vec<(usize, &SimilarPair)> =
        all.pairs.iter().enumerate().filter(|(_, pair)| pair.cluster == number).collect();
    let identical = all.identical.iter().filter(|same| cluster.contains(&same.names[0]));
    let identical: Vec<&IdenticalPrograms> = identical.collect();
    // The most alike come first.
    let likeness = pairs.first().filter(|_| identical.is_empty()).map_or(1.0, |(_, pair)| pair.likeness);
    html! {
        section class="cluster" {
            h3 { (one_line(&cluster.join(", "))) }
            p class="soft" { (counted(cluster.len(), "program")) ", up to " (percent_text(likeness)) " alike" }
            @for same in identical { (identical_details(all, same)) }
            @if let [(number, pair)] = pairs[..] { (pair_details(all, pair, number + 1)) } @else if !pairs.is_empty() {
                details {
                    summary { (counted(pairs.len(), "pair")) }
                    @for (number, pair) in pairs { (pair_details(all, pair, number + 1)) }
                }
            }
        }
    }
}

fn identical_details(all: &Comparison, same: &IdenticalPrograms) -> Markup {
    let IdenticalPrograms { names, program } = same;
    let files = &all.programs[*program].files;
    let side =
        ProgramSide { name: &names[0], files, spans: Vec::new(), pair: String::new(), letters: ["", ""] };
    html! {
        details {
            summary { "Identical: " strong { (one_line(&names.join(", "))) } }
            (side.markup())
        }
    }
}

fn not_compared_list(all: &Comparison) -> Markup {
    html! {
        h2 { "Not compared" }
        ul { @for NotCompared { name, why } in &all.not_compared { li { strong { (one_line(name)) } ": " (one_line(why)) } } }
    }
}

fn earlier_section(all: &Comparison, earlier: &EarlierComparison) -> Markup {
    let near = earlier.near_the_same_source();
    html! {
        h2 { "Earlier sources" }
        @if earlier.matches.is_empty() { p { "No program is like an earlier source." } } @else { (earlier_table(earlier)) }
        @if !near.is_empty() {
            h3 { "Near the same earlier source" }
            ul { @for (source, names) in near { li { strong { (one_line(&source.file.path)) } ": " (one_line(&names.join(", "))) } } }
        }
        @for (number, found) in earlier.matches.iter().enumerate() {
            (earlier_details(all, &earlier.sources[found.place].file, found, number + 1))
        }
    }
}

fn earlier_table(earlier: &EarlierComparison) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Earlier sources" {
            table data-sort data-filter="earlier sources" {
                thead { tr {
                    th scope="col" { "one" } th scope="col" class="n" { "of it shared" }
                    th scope="col" { "earlier source" } th scope="col" class="n" { "longest, in tokens" }
                    th scope="col" class="n" { "others who have that passage" }
                } }
                tbody { @for (number, found) in earlier.matches.iter().enumerate() { (earlier_row(found, number + 1)) } }
            }
        }
    }
}

fn earlier_row(found: &EarlierMatch, number: usize) -> Markup {
    let share = found.share;
    html! {
        tr {
            td class="name" { a href=(format!("#earlier-{number}")) { (one_line(&found.name)) } }
            td class="n" data-v=(format!("{share:.4}")) { (percent_text(share)) }
            td class="name" {
                (one_line(&found.source))
                @if !found.copies.is_empty() { " and " (counted(found.copies.len(), "equal source")) }
            }
            td class="n" { (longest_tokens(&found.passages)) }
            td class="n" { (found.also_in) }
        }
    }
}

/// A program and the earlier source that it is most like.
fn earlier_details(all: &Comparison, source: &ComparedFile, found: &EarlierMatch, number: usize) -> Markup {
    let sides = sides_of(
        &found.passages,
        format!("e{number}"),
        [(&found.name, &all.programs[found.program].files), (&found.source, std::slice::from_ref(source))],
    );
    let head = html! {
        strong { (one_line(&found.name)) " and " (one_line(&found.source)) }
        ": " (percent_text(found.share)) " of the program shared"
        @if !found.copies.is_empty() { ", also in " (one_line(&found.copies.join(", "))) }
    };
    side_by_side(&format!("earlier-{number}"), &head, &sides)
}

/// Both programs of a pair.
fn pair_details(all: &Comparison, pair: &SimilarPair, number: usize) -> Markup {
    let [left, right] = pair.programs.map(|program| &all.programs[program]);
    let sides = sides_of(
        &pair.shared.passages,
        format!("p{number}"),
        [(&left.name, &left.files), (&right.name, &right.files)],
    );
    let longest = longest_tokens(&pair.shared.passages);
    let passages = pair.shared.passages.len();
    let head = html! {
        (percent_text(pair.likeness)) " alike: "
        strong { (one_line(&left.name)) } " (" (percent_text(pair.shared.left_share)) " shared) and "
        strong { (one_line(&right.name)) } " (" (percent_text(pair.shared.right_share)) " shared), "
        (counted(passages, "passage")) @if passages > 1 { ", the longest" } " of " (counted(longest, "token"))
    };
    side_by_side(&format!("pair-{number}"), &head, &sides)
}

fn longest_tokens(passages: &[SharedPassage]) -> usize {
    longest_passage(passages).map_or(0, |passage| passage.tokens)
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
    passages: &'a [SharedPassage],
    pair: String,
    programs: [(&'a String, &'a [ComparedFile]); 2],
) -> [ProgramSide<'a>; 2] {
    let spans = |side: fn(&SharedPassage) -> &SourceSpan| passages.iter().map(side).collect::<Vec<_>>();
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
        let spans = self.spans.iter().enumerate().filter(|(_, span)| span.number == number);
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
