//! A table for people: a row per participant, a column per group.

use super::{
    Kind, PackageReport, Page, Reader, Report, RowReport,
    remarks::remarks,
    table::{Cell, Column, MARK, Side, Table},
    words::{
        Tone, cell, counted, cut, gives_points, group_title, limit, one_line, paint, seconds, short, tone,
        total, wrap,
    },
};
use crate::{points::Points, score::State};
use std::collections::BTreeMap;

/// Renders all of it.
pub fn render(report: &Report, page: Page) -> String {
    let mut parts: Vec<String> = Vec::new();
    if !report.warnings.is_empty() {
        parts.push(warnings(report, page));
    }
    parts.extend(report.packages.iter().map(|package| package_part(package, report, page)));
    if report.packages.len() > 1 {
        parts.push(summary(&report.packages, page));
    }
    parts.push(footer(report, page));
    if !report.faults.is_empty() {
        parts.push(faults(report, page));
    }
    parts.join("\n")
}

fn warnings(report: &Report, page: Page) -> String {
    let one = |warning: &String| {
        let text = wrap(&format!("WARNING: {}", one_line(warning)), page.width, 9);
        format!("{}\n", paint(&text, Tone::Unsure, page.colour))
    };
    report.warnings.iter().map(one).collect()
}

fn package_part(package: &PackageReport, report: &Report, page: Page) -> String {
    let mut rows: Vec<&RowReport> = package.rows.iter().collect();
    rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
    let mut text = head(package, report, page);
    text.push('\n');
    text.push_str(&table(package, &rows).render(page));
    let below = [legend(&rows, page), notes(&rows, page)].concat();
    if !below.is_empty() {
        text.push('\n');
        text.push_str(&below);
    }
    text
}

fn head(package: &PackageReport, report: &Report, page: Page) -> String {
    let name = match package.title.as_str() {
        "" => one_line(&package.name),
        title => format!("{} ({})", one_line(title), one_line(&package.name)),
    };
    let limits = format!(
        "time limit {} · memory limit {} · isolation: {}",
        limit(package.time_limit),
        package.memory_limit,
        one_line(&report.isolation)
    );
    format!(
        "{}\n{}\n",
        paint(&cut(&name, page.width), Tone::Strong, page.colour),
        wrap(&limits, page.width, 0)
    )
}

fn table(package: &PackageReport, rows: &[&RowReport]) -> Table {
    let mut columns = vec![Column::new("name", "", Side::Left)];
    columns.extend(package.groups.iter().map(|group| {
        let max = group.max.as_ref().filter(|max| gives_points(&group.name, Some(max)));
        let below = max.filter(|_| package.kind == Kind::Scoring).map(|max| format!("/{max}"));
        Column::new(cut(&group_title(group), 16), below.unwrap_or_default(), Side::Right)
    }));
    columns.push(Column::new(last_title(package.kind), "", Side::Right));
    columns.push(Column::new("slowest", format!("of {}", limit(package.time_limit)), Side::Right));
    let rows = rows.iter().map(|row| cells(package, row)).collect();
    Table { columns, rows }
}

fn last_title(kind: Kind) -> &'static str {
    match kind {
        Kind::Scoring => "total",
        Kind::PassFail => "verdict",
    }
}

fn cells(package: &PackageReport, row: &RowReport) -> Vec<Cell> {
    let card = &row.card;
    let mark = if remarks(row, Reader::Judge).is_empty() { "" } else { MARK };
    let mut cells = vec![Cell::plain(format!("{}{mark}", one_line(&card.name)))];
    for group in &package.groups {
        let found = card.groups.iter().find(|own| own.name == group.name);
        cells.push(match found {
            Some(own) => Cell { text: cell(own, package.kind), tone: tone(&own.state) },
            None => Cell { text: short(&card.state).to_owned(), tone: tone(&card.state) },
        });
    }
    cells.push(match package.kind {
        Kind::Scoring => Cell { text: total(card.points.as_ref(), card.max.as_ref()), tone: Tone::Strong },
        Kind::PassFail => Cell { text: short(&card.state).to_owned(), tone: tone(&card.state) },
    });
    let slowest = card.slowest.as_ref();
    cells.push(Cell::plain(slowest.map_or("–".to_owned(), |(_, time)| {
        format!("{} {:>3.0} %", seconds(*time), share(*time, package.time_limit))
    })));
    cells
}

fn share(time: std::time::Duration, limit: std::time::Duration) -> f64 {
    if limit.is_zero() { 0.0 } else { 100.0 * time.as_secs_f64() / limit.as_secs_f64() }
}

/// Explains the signs that occur.
fn legend(rows: &[&RowReport], page: Page) -> String {
    let any = |wanted: fn(&State) -> bool| {
        rows.iter().any(|row| row.card.groups.iter().any(|g| wanted(&g.state)) || wanted(&row.card.state))
    };
    let signs = [
        (
            any(|state| matches!(state, State::Requires(_))),
            "–  not run: an earlier group that it needs was not passed",
        ),
        (any(|state| matches!(state, State::Unknown(_))), "?  not judged yet"),
    ];
    let occurring = signs.iter().filter(|(occurs, _)| *occurs);
    occurring.map(|(_, meaning)| wrap(meaning, page.width, 3) + "\n").collect()
}

fn notes(rows: &[&RowReport], page: Page) -> String {
    let mut text = String::new();
    for row in rows {
        for remark in remarks(row, Reader::Judge) {
            let line = format!("*  {}: {remark}", one_line(&row.card.name));
            text.push_str(&wrap(&line, page.width, 3));
            text.push('\n');
        }
    }
    text
}

/// Participants by packages, with the grand total.
fn summary(packages: &[PackageReport], page: Page) -> String {
    let mut columns = vec![Column::new("name", "", Side::Left)];
    columns.extend(
        packages.iter().map(|package| Column::new(cut(&one_line(&package.name), 16), "", Side::Right)),
    );
    columns.push(Column::new("total", "", Side::Right));
    let rows = by_name(packages).into_iter().map(|(name, rows)| summary_row(name, &rows, packages)).collect();
    let title = paint("All packages", Tone::Strong, page.colour);
    format!("{title}\n\n{}", Table { columns, rows }.render(page))
}

fn summary_row(name: &str, rows: &[Option<&RowReport>], packages: &[PackageReport]) -> Vec<Cell> {
    let mut cells = vec![Cell::plain(one_line(name))];
    for (row, package) in rows.iter().zip(packages) {
        cells.push(match (row, package.kind) {
            (None, _) => Cell::plain("–"),
            (Some(row), Kind::Scoring) => Cell::plain(total(row.card.points.as_ref(), row.card.max.as_ref())),
            (Some(row), Kind::PassFail) => {
                Cell { text: short(&row.card.state).to_owned(), tone: tone(&row.card.state) }
            }
        });
    }
    let (got, max) = grand_total(rows, packages);
    cells.push(Cell { text: total(got.as_ref(), max.as_ref()), tone: Tone::Strong });
    cells
}

/// Each participant's rows, one place per package.
pub fn by_name(packages: &[PackageReport]) -> BTreeMap<&str, Vec<Option<&RowReport>>> {
    let mut found: BTreeMap<&str, Vec<Option<&RowReport>>> = BTreeMap::new();
    for (at, package) in packages.iter().enumerate() {
        for row in &package.rows {
            found.entry(&row.card.name).or_insert_with(|| vec![None; packages.len()])[at] = Some(row);
        }
    }
    found
}

/// Points of all packages together, and the most there are; `None`: unknown, or unbounded.
/// Who handed in nothing for a package has no points there.
pub fn grand_total(
    rows: &[Option<&RowReport>],
    packages: &[PackageReport],
) -> (Option<Points>, Option<Points>) {
    let got = rows.iter().flatten().map(|row| row.card.points.clone()).sum_known();
    let most = packages.iter().map(|package| package.rows.first().and_then(|row| row.card.max.clone()));
    (got, most.sum_known())
}

/// A sum that is unknown if a part is.
trait SumKnown {
    fn sum_known(self) -> Option<Points>;
}

impl<I: Iterator<Item = Option<Points>>> SumKnown for I {
    fn sum_known(mut self) -> Option<Points> {
        self.try_fold(Points::zero(), |sum, part| Some(sum + part?))
    }
}

fn footer(report: &Report, page: Page) -> String {
    let names = by_name(&report.packages).len();
    let line = format!(
        "{} · {} done, {} known from before · {} · {}",
        counted(names, "participant"),
        counted(report.ran, "job"),
        report.reused,
        seconds(report.elapsed),
        one_line(&report.machine)
    );
    format!("{}\n", wrap(line.trim_end_matches([' ', '·']), page.width, 0))
}

fn faults(report: &Report, page: Page) -> String {
    let title = format!("NOT EVERYTHING WAS JUDGED: we failed {}", counted(report.faults.len(), "time"));
    let mut text = format!("{}\n", paint(&title, Tone::Bad, page.colour));
    for (number, fault) in report.faults.iter().enumerate() {
        text.push_str(&wrap(&format!("  {}. {}", number + 1, one_line(fault)), page.width, 5));
        text.push('\n');
    }
    let advice = "What to do: run the same command again; what was finished is kept. If it stays, \
                  `kopek doctor` says what this machine lacks.";
    text + &wrap(advice, page.width, 0) + "\n"
}
