//! The tables of a class, of one package and of several: a column is one row of [`COLUMNS`], with its head and cell in
//! every format that has it.

use super::{
    class_cells::{
        ClassRow, csv_cells_of_group, csv_heads_of_group, csv_total, decided_of_packages, html_cell_of_group,
        html_cell_of_package, html_points, html_result, html_slowest, late_cell, marked_name, max_of_group,
        program_text, result_title, slowest_run, state_of_group, strong_points, text_cell_of_package,
        text_of_group, text_result, text_slowest, time_factors,
    },
    csv_cells::{guard_formula, list_cell, points_cell, text_cell, value_cell},
    html::frame::name_link,
    phrases::{cut_text, group_heading, group_title, tone_of_state},
    text_table::{Align, Cell, Column},
};
use kopek_base::wording::{limit_text, one_line};
use kopek_results::{
    Deduction, GroupHead, PackageReport, ResultKind, RowReport, decided_cases, total_deduction,
};
use maud::{Markup, html};

/// A column of the class.
pub(super) struct ClassColumn {
    /// In the table of one package.
    one: Formats,
    /// In the table of several.
    several: Formats,
}

/// A column in each format.
pub(super) struct Formats {
    pub text: Part<Column, Cell>,
    pub csv: Part<String, String>,
    pub html: Part<Markup, Markup>,
}

/// A column in one format: its head, and its cell of a row.
pub(super) enum Part<H, C> {
    Absent,
    Titled(&'static str, fn(ClassRow) -> C),
    Headed(fn(&PackageReport) -> H, fn(ClassRow) -> C),
    /// Only where a package gives points.
    IfScored(fn() -> H, fn(ClassRow) -> C),
    /// For each group of the package as many cells as heads.
    Groups(fn(&PackageReport, &GroupHead) -> Vec<H>, fn(ClassRow, &GroupHead) -> Vec<C>),
    /// For each package as many cells as heads; a program may have been left out.
    Packages(fn(&PackageReport) -> Vec<H>, fn(&PackageReport, Option<&RowReport>) -> Vec<C>),
}

impl ClassColumn {
    fn formats(&self, packages: &[PackageReport]) -> &Formats {
        if packages.len() == 1 { &self.one } else { &self.several }
    }
}

impl<H, C> Part<H, C> {
    fn heads(&self, packages: &[PackageReport], titled: fn(&'static str) -> H) -> Vec<H> {
        let package = &packages[0];
        match self {
            Part::Absent => Vec::new(),
            Part::Titled(title, _) => vec![titled(title)],
            Part::Headed(head, _) => vec![head(package)],
            Part::IfScored(head, _) if is_scored(packages) => vec![head()],
            Part::IfScored(..) => Vec::new(),
            Part::Groups(heads, _) => package.groups.iter().flat_map(|group| heads(package, group)).collect(),
            Part::Packages(heads, _) => packages.iter().flat_map(heads).collect(),
        }
    }

    fn cells(&self, row: ClassRow) -> Vec<C> {
        match self {
            Part::Absent => Vec::new(),
            Part::Titled(_, cell) | Part::Headed(_, cell) => vec![cell(row)],
            Part::IfScored(_, cell) if is_scored(row.packages) => vec![cell(row)],
            Part::IfScored(..) => Vec::new(),
            Part::Groups(_, cells) => {
                row.package().groups.iter().flat_map(|group| cells(row, group)).collect()
            }
            Part::Packages(_, cells) => {
                let pairs = row.packages.iter().zip(row.rows);
                pairs.flat_map(|(package, row)| cells(package, *row)).collect()
            }
        }
    }
}

fn is_scored(packages: &[PackageReport]) -> bool {
    packages.iter().any(|package| package.kind == ResultKind::Scoring)
}

/// The heads of a table in one format. `titled` makes a head of a title.
pub(super) fn heads<H, C>(
    packages: &[PackageReport],
    format: fn(&Formats) -> &Part<H, C>,
    titled: fn(&'static str) -> H,
) -> Vec<H> {
    let all = COLUMNS.iter().map(|column| format(column.formats(packages)));
    all.flat_map(|part| part.heads(packages, titled)).collect()
}

/// The cells of a row in one format.
pub(super) fn cells<H, C>(row: ClassRow, format: fn(&Formats) -> &Part<H, C>) -> Vec<C> {
    COLUMNS.iter().flat_map(|column| format(column.formats(row.packages)).cells(row)).collect()
}

const ABSENT: Formats = Formats { text: Part::Absent, csv: Part::Absent, html: Part::Absent };

const fn csv(title: &'static str, cell: fn(ClassRow) -> String) -> Formats {
    Formats { csv: Part::Titled(title, cell), ..ABSENT }
}

const fn only_csv(title: &'static str, cell: fn(ClassRow) -> String) -> ClassColumn {
    ClassColumn { one: csv(title, cell), several: ABSENT }
}

/// About the person, or the sum of all packages.
const fn csv_of_both(title: &'static str, cell: fn(ClassRow) -> String) -> ClassColumn {
    ClassColumn { one: csv(title, cell), several: csv(title, cell) }
}

const fn only_html(title: &'static str, cell: fn(ClassRow) -> Markup) -> ClassColumn {
    ClassColumn { one: Formats { html: Part::Titled(title, cell), ..ABSENT }, several: ABSENT }
}

const NAME: Formats = Formats {
    text: Part::Headed(
        |_| Column::new("name", "", Align::Left),
        |row| Cell::plain(one_line(&row.row().card.name)),
    ),
    csv: Part::Titled("name", |row| guard_formula(&row.row().card.name)),
    html: Part::Headed(
        |_| html! { th scope="col" class="name" { "name" } },
        |row| html! { th scope="row" class="name" { (name_link(&row.row().card.name, row.view)) } },
    ),
};

/// All columns, in the order of every format.
const COLUMNS: [ClassColumn; 21] = [
    ClassColumn {
        one: Formats {
            text: Part::Headed(
                |_| Column::new("name", "", Align::Left),
                |row| Cell::plain(marked_name(row.row())),
            ),
            ..NAME
        },
        several: NAME,
    },
    csv_of_both("id", |row| text_cell(row.row().hand_in.id.as_ref())),
    csv_of_both("email", |row| text_cell(row.row().hand_in.email.as_ref())),
    csv_of_both("group", |row| text_cell(row.row().hand_in.group.as_ref())),
    csv_of_both("late", |row| late_cell(row.row().hand_in.late)),
    only_csv("attempt", |row| value_cell(row.row().hand_in.attempt)),
    ClassColumn {
        one: csv("time_factor", |row| value_cell(row.row().hand_in.time_factor)),
        several: csv("time_factor", time_factors),
    },
    only_csv("submission", |row| guard_formula(&row.row().file)),
    only_csv("entry", |row| text_cell(row.row().hand_in.entry.as_ref())),
    only_csv("language", |row| text_cell(row.row().language.as_ref())),
    ClassColumn {
        one: Formats {
            text: Part::Groups(
                |package, group| {
                    let max = max_of_group(package, group).map(|max| format!("/{max}")).unwrap_or_default();
                    vec![Column::new(cut_text(&group_title(group), 16), max, Align::Right)]
                },
                |row, group| {
                    let text = text_of_group(row.package(), row.row(), group);
                    vec![Cell { text, tone: tone_of_state(state_of_group(row.row(), group)) }]
                },
            ),
            csv: Part::Groups(csv_heads_of_group, csv_cells_of_group),
            html: Part::Groups(
                |package, group| {
                    let max = max_of_group(package, group);
                    vec![html! {
                        th scope="col" class="n" { (group_heading(&group.name)) @if let Some(max) = max { " /" (max) } }
                    }]
                },
                |row, group| vec![html_cell_of_group(row, group)],
            ),
        },
        several: Formats {
            text: Part::Packages(
                |package| vec![Column::new(cut_text(&one_line(&package.name), 16), "", Align::Right)],
                |package, row| vec![text_cell_of_package(package, row)],
            ),
            csv: Part::Packages(
                |package| {
                    let verdict = guard_formula(&format!("{} verdict", package.name));
                    vec![guard_formula(&package.name), verdict]
                },
                |_, row| {
                    let verdict = row.and_then(|row| row.card.state.key()).unwrap_or_default();
                    vec![points_cell(row.and_then(RowReport::worth).as_ref()), verdict.to_owned()]
                },
            ),
            html: Part::Packages(
                |package| vec![html! { th scope="col" class="n" { (one_line(&package.name)) } }],
                |package, row| vec![html_cell_of_package(package, row)],
            ),
        },
    },
    csv_of_both("deduction", |row| points_cell(total_deduction(row.rows).as_ref())),
    only_csv("deduction_reason", |row| reason_cell(row.row().deduction.as_ref())),
    ClassColumn {
        one: Formats {
            text: Part::Headed(|package| Column::new(result_title(package), "", Align::Right), text_result),
            csv: Part::Titled("total", csv_total),
            html: Part::Headed(
                |package| html! { th scope="col" class="n" { (result_title(package)) } },
                html_result,
            ),
        },
        several: Formats {
            text: Part::Titled("total", strong_points),
            csv: Part::Titled("total", csv_total),
            html: Part::IfScored(|| html! { th scope="col" class="n" { "total" } }, html_points),
        },
    },
    csv_of_both("max", |row| points_cell(row.max_total().as_ref())),
    only_csv("verdict", |row| row.row().card.state.key().unwrap_or_default().to_owned()),
    ClassColumn {
        one: Formats {
            text: Part::Headed(
                |package| {
                    Column::new("slowest", format!("of {}", limit_text(package.time_limit)), Align::Right)
                },
                text_slowest,
            ),
            csv: Part::Titled("slowest_seconds", |row| {
                value_cell(slowest_run(row).map(|time| format!("{:.3}", time.as_secs_f64())))
            }),
            html: Part::Headed(|_| html! { th scope="col" class="n" { "slowest" } }, html_slowest),
        },
        several: ABSENT,
    },
    csv_of_both("rules", |row| list_cell(row.rules)),
    ClassColumn {
        one: csv("decided", |row| list_cell(&decided_cases(row.row()))),
        several: csv("decided", decided_of_packages),
    },
    only_html("language", |row| {
        let language = row.row().language.as_deref().map(one_line).unwrap_or_default();
        html! { td { (language) } }
    }),
    only_html("program", |row| html! { td { (program_text(row.row())) } }),
];

fn reason_cell(taken: Option<&Deduction>) -> String {
    text_cell(taken.map(|taken| taken.reason.to_string()).as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::frame::ClassView;
    use kopek_package::package::{HandIn, NoSubmission, Participant};
    use kopek_package::points::Points;
    use kopek_results::Noise;
    use kopek_sentences::Said;
    use std::time::Duration;

    fn package_of(kind: ResultKind) -> PackageReport {
        let group = |name: &str, max| GroupHead { name: name.into(), max: Some(Points::from(max)) };
        PackageReport {
            name: "sum".into(),
            uuid: None,
            title: String::new(),
            kind,
            time_limit: Duration::from_secs(1),
            memory_limit: kopek_base::Bytes(1 << 20),
            noise: Noise::default(),
            groups: vec![group("sample", 0), group("secret/1", 40), group("secret/2", 60)],
            rows: Vec::new(),
            data: None,
            excluded: Vec::new(),
        }
    }

    #[test]
    fn every_column_has_as_many_cells_as_heads_in_every_format() {
        let submission = Err(NoSubmission::Refused(Said::NoJudgeableProgram));
        let [name, file] = ["ada", "ada.pdf"].map(String::from);
        let own = RowReport::unjudged(&Participant { name, file, hand_in: HandIn::default(), submission });
        let [scoring, pass_fail] = [ResultKind::Scoring, ResultKind::PassFail].map(package_of);
        for packages in [
            vec![scoring.clone()],
            vec![pass_fail.clone()],
            vec![pass_fail.clone(), scoring],
            vec![pass_fail.clone(), pass_fail],
        ] {
            // The last program was left out.
            let mut rows = vec![Some(&own); packages.len()];
            if rows.len() > 1 {
                rows.pop();
                rows.push(None);
            }
            let row = ClassRow {
                packages: &packages,
                rows: &rows,
                rules: &[],
                sheet: None,
                view: ClassView::default(),
            };
            for column in &COLUMNS {
                let formats = column.formats(&packages);
                let text = assert_even(&formats.text, row, |title| Column::new(title, "", Align::Left));
                let csv = assert_even(&formats.csv, row, str::to_owned);
                let html = assert_even(&formats.html, row, |title| html! { th { (title) } });
                assert!(packages.len() > 1 || text + csv + html > 0, "a column that no format shows");
            }
            let heads = heads(&packages, |formats| &formats.csv, str::to_owned);
            assert_eq!(heads.len(), cells(row, |formats| &formats.csv).len(), "{heads:?}");
        }
    }

    /// The number of heads of a column, which is that of its cells.
    fn assert_even<H, C>(part: &Part<H, C>, row: ClassRow, titled: fn(&'static str) -> H) -> usize {
        let heads = part.heads(row.packages, titled).len();
        assert_eq!(heads, part.cells(row).len());
        heads
    }
}
