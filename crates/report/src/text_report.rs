//! A table for people: a row per participant, a column per group.

use super::{
    page::Page,
    phrases::{
        Tone, calibration_text, cut_text, gives_points, group_cell, group_title, limit_text, noise_text,
        one_line, paint, points_of_max, seconds_text, short_state, tone_of_state, ways_to_close,
    },
    remarks::{Audience, row_remarks},
    results::{PackageReport, Report, ReportChanges, ResultKind, RowReport, UndecidedCase},
    text_table::{Align, Cell, Column, MARK, TextTable},
    totals::{RowsOfParticipant, greatest_total, rows_by_name, total_points},
};
use kopek_base::{
    natural_order,
    wording::{counted, wrap_behind, wrap_text},
};
use kopek_engine::score::State;

/// Renders all of it.
pub(super) fn render(report: &Report, page: Page) -> String {
    // Warnings come before the points that they put in doubt; faults come last, where a terminal shows
    // them after a long table.
    let mut parts: Vec<String> = Vec::new();
    if !report.warnings.is_empty() {
        parts.push(warning_lines(report, page));
    }
    let rules = report.all_rules();
    if !rules.is_empty() {
        let lines = rules.iter().map(|rule| wrap_text(&one_line(rule), "", 4, page.width).join("\n") + "\n");
        parts.push(lines.collect());
    }
    parts.extend(report.packages.iter().map(|package| package_part(package, report, page)));
    if report.packages.len() > 1 {
        parts.push(summary_table(&report.packages, page));
    }
    parts.extend(report.since.as_ref().map(|since| change_lines(since, report, page)));
    parts.push(footer_line(report, page));
    if !report.undecided.is_empty() {
        parts.push(undecided_list(&report.undecided, page));
    }
    if !report.faults.is_empty() {
        parts.push(fault_list(report, page));
    }
    parts.join("\n")
}

fn change_lines(since: &ReportChanges, report: &Report, page: Page) -> String {
    let several = report.packages.len() > 1;
    let number = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
    let head = format!("points changed since {}: {}", one_line(&since.place), since.changes.len());
    let mut lines = wrap_text(&head, "", 2, page.width);
    for change in &since.changes {
        let package = if several { format!(" on {}", one_line(&change.package)) } else { String::new() };
        let (before, after) = (number(&change.before), number(&change.after));
        let text =
            format!("{}{package}: {before} → {after}: {}", one_line(&change.name), one_line(&change.why));
        lines.extend(wrap_text(&text, "  ", 4, page.width));
    }
    lines.join("\n") + "\n"
}

fn warning_lines(report: &Report, page: Page) -> String {
    let one = |warning: &String| {
        let text = wrap_behind("WARNING: ", &one_line(warning), page.width).join("\n");
        format!("{}\n", paint(&text, Tone::Unsure, page.colour))
    };
    report.warnings.iter().map(one).collect()
}

fn package_part(package: &PackageReport, report: &Report, page: Page) -> String {
    let mut rows: Vec<&RowReport> = package.rows.iter().collect();
    rows.sort_by(|a, b| natural_order(&a.card.name, &b.card.name));
    let mut text = package_head(package, report, page);
    text.push('\n');
    text.push_str(&package_table(package, &rows).render(page));
    text + "\n" + &sign_legend(&rows, page) + &remark_lines(&rows, page) + &noise_line(package, page)
}

fn package_head(package: &PackageReport, report: &Report, page: Page) -> String {
    let name = match package.title.as_str() {
        "" => one_line(&package.name),
        title => format!("{} ({})", one_line(title), one_line(&package.name)),
    };
    let limits = format!(
        "time limit {} · memory limit {} · isolation: {}",
        limit_text(package.time_limit),
        package.memory_limit,
        one_line(&report.isolation)
    );
    let calibration = package.calibration.as_ref().map(calibration_text);
    let lines = std::iter::once(limits).chain(calibration);
    let lines: Vec<String> = lines.flat_map(|line| wrap_text(&line, "", 0, page.width)).collect();
    format!("{}\n{}\n", paint(&cut_text(&name, page.width), Tone::Strong, page.colour), lines.join("\n"))
}

fn package_table(package: &PackageReport, rows: &[&RowReport]) -> TextTable {
    let mut columns = vec![Column::new("name", "", Align::Left)];
    columns.extend(package.groups.iter().map(|group| {
        let max = group.max.as_ref().filter(|max| gives_points(&group.name, Some(max)));
        let below = max.filter(|_| package.kind == ResultKind::Scoring).map(|max| format!("/{max}"));
        Column::new(cut_text(&group_title(group), 16), below.unwrap_or_default(), Align::Right)
    }));
    columns.push(Column::new(last_title(package.kind), "", Align::Right));
    columns.push(Column::new("slowest", format!("of {}", limit_text(package.time_limit)), Align::Right));
    let rows = rows.iter().map(|row| package_row(package, row)).collect();
    TextTable { columns, rows }
}

fn last_title(kind: ResultKind) -> &'static str {
    match kind {
        ResultKind::Scoring => "total",
        ResultKind::PassFail => "verdict",
    }
}

fn package_row(package: &PackageReport, row: &RowReport) -> Vec<Cell> {
    let card = &row.card;
    let mark = if row_remarks(row, Audience::Judge).is_empty() { "" } else { MARK };
    let mut cells = vec![Cell::plain(format!("{}{mark}", one_line(&card.name)))];
    for group in &package.groups {
        let found = card.groups.iter().find(|own| own.name == group.name);
        cells.push(match found {
            Some(own) => Cell { text: group_cell(own, package.kind), tone: tone_of_state(&own.state) },
            None => Cell { text: short_state(&card.state).to_owned(), tone: tone_of_state(&card.state) },
        });
    }
    cells.push(match package.kind {
        ResultKind::Scoring => {
            Cell { text: points_of_max(row.worth().as_ref(), card.max.as_ref()), tone: Tone::Strong }
        }
        ResultKind::PassFail => {
            Cell { text: short_state(&card.state).to_owned(), tone: tone_of_state(&card.state) }
        }
    });
    let slowest = card.slowest.as_ref();
    cells.push(Cell::plain(slowest.map_or("–".to_owned(), |(_, time)| {
        format!("{} {:>3.0} %", seconds_text(*time), percentage(*time, package.time_limit))
    })));
    cells
}

fn percentage(time: std::time::Duration, limit: std::time::Duration) -> f64 {
    if limit.is_zero() { 0.0 } else { 100.0 * time.as_secs_f64() / limit.as_secs_f64() }
}

/// Explains the signs that occur.
fn sign_legend(rows: &[&RowReport], page: Page) -> String {
    let occurs = |is_shown: fn(&State) -> bool| {
        rows.iter().any(|row| {
            is_shown(&row.card.state) || row.card.groups.iter().any(|group| is_shown(&group.state))
        })
    };
    let signs = [
        (
            occurs(|state| matches!(state, State::Requires(_))),
            "–  ",
            "not run: an earlier group that it needs was not passed",
        ),
        (occurs(|state| matches!(state, State::Unknown(_))), "?  ", "not judged yet"),
    ];
    let signs = signs.iter().filter(|(occurs, ..)| *occurs);
    signs.map(|(_, sign, meaning)| wrap_behind(sign, meaning, page.width).join("\n") + "\n").collect()
}

fn remark_lines(rows: &[&RowReport], page: Page) -> String {
    let mut text = String::new();
    for row in rows {
        for remark in row_remarks(row, Audience::Judge) {
            let line = format!("{}: {remark}", one_line(&row.card.name));
            text.push_str(&wrap_behind("*  ", &line, page.width).join("\n"));
            text.push('\n');
        }
    }
    text
}

fn noise_line(package: &PackageReport, page: Page) -> String {
    wrap_behind("*  ", &noise_text(&package.noise), page.width).join("\n") + "\n"
}

/// Participants by packages, with the grand total.
fn summary_table(packages: &[PackageReport], page: Page) -> String {
    let mut columns = vec![Column::new("name", "", Align::Left)];
    columns.extend(
        packages.iter().map(|package| Column::new(cut_text(&one_line(&package.name), 16), "", Align::Right)),
    );
    columns.push(Column::new("total", "", Align::Right));
    let rows = rows_by_name(packages);
    let rows = rows.into_iter().map(|(name, rows)| summary_row(name, &rows, packages)).collect();
    let title = paint("All packages", Tone::Strong, page.colour);
    format!("{title}\n\n{}", TextTable { columns, rows }.render(page))
}

fn summary_row(name: &str, rows: &RowsOfParticipant, packages: &[PackageReport]) -> Vec<Cell> {
    let mut cells = vec![Cell::plain(one_line(name))];
    for (row, package) in rows.iter().zip(packages) {
        cells.push(match (row, package.kind) {
            (None, _) => Cell::plain("–"),
            (Some(row), ResultKind::Scoring) => {
                Cell::plain(points_of_max(row.worth().as_ref(), row.card.max.as_ref()))
            }
            (Some(row), ResultKind::PassFail) => {
                Cell { text: short_state(&row.card.state).to_owned(), tone: tone_of_state(&row.card.state) }
            }
        });
    }
    let (points, max) = (total_points(rows), greatest_total(packages));
    cells.push(Cell { text: points_of_max(points.as_ref(), max.as_ref()), tone: Tone::Strong });
    cells
}

fn footer_line(report: &Report, page: Page) -> String {
    let names = rows_by_name(&report.packages).len();
    let line = format!(
        "{} · {} done, {} known from before · {} · {}",
        counted(names, "participant"),
        counted(report.ran, "job"),
        report.reused,
        seconds_text(report.elapsed),
        one_line(&report.machine)
    );
    wrap_text(line.trim_end_matches([' ', '·']), "", 0, page.width).join("\n") + "\n"
}

fn undecided_list(cases: &[UndecidedCase], page: Page) -> String {
    let verb = if cases.len() == 1 { "is" } else { "are" };
    let title = format!("NOT EVERYTHING WAS JUDGED: {} {verb} undecided", counted(cases.len(), "case"));
    let mut text = format!("{}\n", paint(&title, Tone::Bad, page.colour));
    text.push_str(&numbered_lines(cases.iter().map(UndecidedCase::in_words), page));
    let them = if cases.len() == 1 { "it" } else { "one" };
    text.push_str(&format!("To close {them}:\n"));
    for way in ways_to_close(&cases[0]) {
        text.push_str(&(wrap_behind("  - ", &one_line(&way), page.width).join("\n") + "\n"));
    }
    text
}

fn numbered_lines(texts: impl Iterator<Item = String>, page: Page) -> String {
    let line = |(number, text): (usize, String)| {
        wrap_behind(&format!("  {number}. "), &one_line(&text), page.width).join("\n") + "\n"
    };
    (1..).zip(texts).map(line).collect()
}

fn fault_list(report: &Report, page: Page) -> String {
    let title = format!("NOT EVERYTHING WAS JUDGED: {} to settle", counted(report.faults.len(), "case"));
    let mut text = format!("{}\n", paint(&title, Tone::Bad, page.colour));
    text.push_str(&numbered_lines(report.faults.iter().cloned(), page));
    let advice = "What to do: where a line says what is to be decided, do that. Else run the same command again; \
                  what was finished is kept. If it stays, `kopek doctor` says what this machine lacks.";
    text + &wrap_text(advice, "", 0, page.width).join("\n") + "\n"
}
