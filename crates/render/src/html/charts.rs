//! Pictures made of rectangles, each with its numbers in words.

use maud::{Markup, html};

/// Bars side by side, with their counts above and their names below.
pub(super) struct BarChart<'a> {
    /// Describes the picture, also to readers who cannot see it.
    pub title: &'a str,
    /// Name and count of each bar.
    pub bars: Vec<(String, usize)>,
    /// The unit of the bars' names, below all of them.
    pub axis: &'a str,
    /// A dashed line before the bar of this number.
    pub limit: Option<usize>,
}

const BAR: usize = 48;
const HEIGHT: usize = 130;
const TOP: usize = 18;
const BOTTOM: usize = 40;

impl BarChart<'_> {
    pub fn markup(&self) -> Markup {
        let width = BAR * self.bars.len() + 8;
        let height = TOP + HEIGHT + BOTTOM;
        let base = TOP + HEIGHT;
        html! {
            // On a phone the keyboard scrolls it.
            figure tabindex="0" {
                svg role="img" aria-label=(self.words()) viewBox=(format!("0 0 {width} {height}"))
                    width=(width) height=(height) {
                    @for (at, (name, count)) in self.bars.iter().enumerate() { (self.bar(at, name, *count)) }
                    line class="axis" x1="4" x2=(width - 4) y1=(base) y2=(base) {}
                    @if let Some(before) = self.limit {
                        @let x = 4 + BAR * before;
                        line class="limit" x1=(x) x2=(x) y1="4" y2=(base) {}
                    }
                    text x=(width / 2) y=(height - 6) text-anchor="middle" { (self.axis) }
                }
                figcaption { (self.title) }
            }
        }
    }

    fn bar(&self, at: usize, name: &str, count: usize) -> Markup {
        let max = self.bars.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
        // One participant among thousands must still be visible.
        let tall = (HEIGHT * count / max).max(if count > 0 { 2 } else { 0 });
        let left = 4 + BAR * at;
        let middle = 4 + BAR * at + BAR / 2;
        html! {
            rect class="bar" x=(left + 3) y=(TOP + HEIGHT - tall) width=(BAR - 6) height=(tall) {}
            @if count > 0 { text x=(middle) y=(TOP + HEIGHT - tall - 4) text-anchor="middle" { (count) } }
            text x=(middle) y=(TOP + HEIGHT + 15) text-anchor="middle" { (name) }
        }
    }

    fn words(&self) -> String {
        let some = self.bars.iter().filter(|(_, count)| *count > 0);
        let list: Vec<String> = some.map(|(name, count)| format!("{name}: {count}")).collect();
        format!("{}. {} ({})", self.title, list.join(", "), self.axis)
    }
}

/// A share as a bar in a line of a table.
pub(super) fn share_bar(part: usize, whole: usize) -> Markup {
    let filled = (120 * part).checked_div(whole).unwrap_or(0);
    html! {
        svg aria-hidden="true" width="120" height="12" viewBox="0 0 120 12" {
            rect class="rest" x="0" y="1" width="120" height="10" {}
            rect class="bar" x="0" y="1" width=(filled) height="10" {}
        }
    }
}

/// Number of values in each tenth of the whole. The last bar counts the whole itself, and more.
pub(super) fn tenths(shares: impl Iterator<Item = f64>) -> [usize; 11] {
    let mut counts = [0; 11];
    for share in shares {
        // A value a hair below a tenth by rounding belongs to it.
        let tenth = (10.0 * share + 1e-9).floor().clamp(0.0, 10.0);
        counts[tenth as usize] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_has_a_bar_of_its_own() {
        let shares = [0.0, 0.05, 0.3, 0.999, 1.0, 7.0];
        assert_eq!(tenths(shares.into_iter()), [2, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2]);
    }

    #[test]
    fn a_picture_says_its_numbers_in_words() {
        let chart = BarChart {
            title: "Points",
            bars: vec![("0".into(), 3), ("1".into(), 0)],
            axis: "p",
            limit: None,
        };
        assert!(chart.markup().into_string().contains("aria-label=\"Points. 0: 3 (p)\""));
    }
}
