//! A chart of time or memory against the size of the input, with accepted solutions. Both axes are logarithmic, so a power
//! is a straight line.

use kopek_plan::growth::CostKind;
use kopek_results::{ChartPoint, GrowthChart, ProgramGrowth};
use kopek_sentences::{PageLanguage, Said};
use maud::{Markup, html};
use std::time::Duration;

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 170.0;
/// Around the points, for the numbers of the axes.
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 24.0;

pub(super) fn growth_chart(growth: &ProgramGrowth, time_limit: Duration, language: PageLanguage) -> Markup {
    let Some(chart) = growth.chart.as_ref().filter(|chart| !chart.own.is_empty()) else { return html! {} };
    let mut axes = Axes::of(chart);
    let limit = Some(time_limit.as_secs_f64() * 1e3).filter(|_| growth.kind == CostKind::Time);
    axes.to.cost = limit.unwrap_or(0.0).max(axes.to.cost);
    let unit = match growth.kind {
        CostKind::Time => "ms",
        CostKind::Memory => "MiB",
    };
    let [from, to, cheap, dear] = [axes.from.size, axes.to.size, axes.from.cost, axes.to.cost];
    html! {
        // On a phone the keyboard scrolls it.
        figure tabindex="0" {
            svg role="img" aria-label=(language.say(&Said::ChartTitle)) viewBox=(format!("0 0 {WIDTH} {HEIGHT}"))
                width=(WIDTH) height=(HEIGHT) {
                line class="axis" x1=(LEFT) x2=(WIDTH) y1=(HEIGHT - BOTTOM) y2=(HEIGHT - BOTTOM) {}
                line class="axis" x1=(LEFT) x2=(LEFT) y1="0" y2=(HEIGHT - BOTTOM) {}
                @if let Some(limit) = limit {
                    @let y = axes.height(limit);
                    line class="limit" x1=(LEFT) x2=(WIDTH) y1=(y) y2=(y) {}
                }
                @for point in &chart.accepted { (axes.circle(*point, "rest")) }
                @for point in &chart.own { (axes.circle(*point, "bar")) }
                text x=(LEFT) y=(HEIGHT - 6.0) { (format!("{from:.0}")) }
                text x=(WIDTH) y=(HEIGHT - 6.0) text-anchor="end" { (language.say(&growth.growth.measure.into())) " = " (format!("{to:.0}")) }
                text x=(LEFT - 4.0) y=(HEIGHT - BOTTOM) text-anchor="end" { (format!("{cheap:.0}")) }
                text x=(LEFT - 4.0) y="12" text-anchor="end" { (format!("{dear:.0} {unit}")) }
            }
            figcaption { (language.say(&Said::ChartLegend)) }
        }
    }
}

/// The points in the corners.
struct Axes {
    from: ChartPoint,
    to: ChartPoint,
}

impl Axes {
    fn of(chart: &GrowthChart) -> Axes {
        let bound = |pick: fn(f64, f64) -> f64| {
            let all = chart.own.iter().chain(&chart.accepted).copied();
            // Shorter times cannot be measured.
            let all = all.map(|point| ChartPoint { cost: point.cost.max(1.0), ..point });
            let both = |one: ChartPoint, other: ChartPoint| ChartPoint {
                size: pick(one.size, other.size),
                cost: pick(one.cost, other.cost),
            };
            all.reduce(both).expect("a chart has a point")
        };
        Axes { from: bound(f64::min), to: bound(f64::max) }
    }

    fn circle(&self, point: ChartPoint, class: &str) -> Markup {
        let right = share(point.size, self.from.size, self.to.size);
        let x = LEFT + 6.0 + right * (WIDTH - LEFT - 12.0);
        html! { circle class=(class) cx=(format!("{x:.1}")) cy=(self.height(point.cost)) r="4" {} }
    }

    fn height(&self, cost: f64) -> String {
        let up = share(cost, self.from.cost, self.to.cost);
        format!("{:.1}", HEIGHT - BOTTOM - 6.0 - up * (HEIGHT - BOTTOM - 12.0))
    }
}

/// The logarithmic place between two bounds.
fn share(value: f64, from: f64, to: f64) -> f64 {
    if to > from { (value.max(from) / from).ln() / (to / from).ln() } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_plan::growth::{Growth, SizeMeasure};
    use kopek_results::AcceptedGrowth;

    #[test]
    fn a_power_is_a_straight_line() {
        let point = |size: f64| ChartPoint { size, cost: size * size };
        let measure = SizeMeasure::Number { line: 0, token: 0 };
        let growth = Growth { measure, factor: 4.0, spread: 1.0, from: 10, to: 1000 };
        let chart = GrowthChart { own: [10.0, 100.0, 1000.0].map(point).to_vec(), accepted: vec![] };
        let words = PageLanguage::English;
        let of =
            |chart| ProgramGrowth { kind: CostKind::Time, growth, accepted: AcceptedGrowth::Unknown, chart };
        let text = growth_chart(&of(Some(chart)), Duration::from_secs(1000), words).into_string();
        for place in
            ["cx=\"66.0\" cy=\"140.0\"", "cx=\"200.0\" cy=\"73.0\"", "cx=\"334.0\" cy=\"6.0\"", "n = 1000"]
        {
            assert!(text.contains(place), "{place}: {text}");
        }
        assert_eq!(growth_chart(&of(None), Duration::ZERO, words).into_string(), "");
    }
}
