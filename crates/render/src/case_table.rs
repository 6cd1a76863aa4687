//! All cases of one solution, with verdict, time and memory.

use super::{
    page::Page,
    phrases::Tone,
    text_table::{Align, Cell, Column, TextTable},
};
use kopek_base::wording::{limit_text, one_line};
use kopek_engine::verdict::Verdict;
use kopek_results::{CaseReport, PackageReport, RowReport, decision_text, exit_text};
use kopek_sandbox::Exit;

/// A row per case, in judging order.
pub fn render_case_table(package: &PackageReport, row: &RowReport, page: Page) -> String {
    let columns = vec![
        Column::new("case", "", Align::Left),
        Column::new("verdict", "", Align::Left),
        Column::new("time", format!("of {}", limit_text(package.time_limit)), Align::Right),
        Column::new("memory", format!("of {}", package.memory_limit), Align::Right),
        Column::new("end", "", Align::Left),
    ];
    let rows = row.cases.iter().map(case_cells).collect();
    TextTable { columns, rows }.render(page.usable())
}

fn case_cells(case: &CaseReport) -> Vec<Cell> {
    let name = Cell::plain(one_line(&case.name));
    let Some(trial) = &case.trial else {
        return [name].into_iter().chain(["not run", "–", "–", ""].map(Cell::plain)).collect();
    };
    let tone = if trial.verdict == Verdict::Accepted { Tone::Good } else { Tone::Bad };
    if let Some(decision) = &case.decided {
        let verdict = Cell { text: trial.verdict.to_string(), tone };
        return vec![name, verdict, Cell::plain("–"), Cell::plain("–"), Cell::plain(decision_text(decision))];
    }
    let end = if trial.exit == Exit::Code(0) { String::new() } else { short_end(&trial.exit) };
    vec![
        name,
        Cell { text: trial.verdict.to_string(), tone },
        // To the millisecond: this table also compares runs of less than a hundredth of a second.
        Cell::plain(format!("{:.3} s", trial.usage.cpu.as_secs_f64())),
        Cell::plain(trial.usage.memory.to_string()),
        Cell::plain(end),
    ]
}

/// How a run ended, without its explanation, which the case itself shows.
fn short_end(exit: &Exit) -> String {
    let text = exit_text(exit);
    text.split(" (").next().unwrap_or(&text).to_owned()
}
