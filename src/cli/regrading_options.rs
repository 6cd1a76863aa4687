//! The teacher's rulings after the contest: excluded cases, late penalties and extra time; and the changes
//! since an earlier report.

use super::{gradebook_options::WorksheetLateness, named_packages::LoadedPackage, report_folder::is_inside};
use crate::{
    base::wording::{limit_text, shortened},
    class::{HandInLayout, NumberKey},
    course::{
        ClassExtent, Course, EarlierReport, LatePenalty, LateTable, LateTerms, RuleValue,
        add_earlier_changes, apply_late_tables, changes_since,
    },
    grade::{excluded_cases, without_cases},
    package::{Lateness, Participant, TimeFactor},
    results::{PackageReport, Report, ReportChanges, give_points_by_hand},
};
use anyhow::{Context, Error, Result, bail, ensure};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Options for regrading.
#[derive(clap::Args)]
pub(super) struct RegradingOptions {
    /// Late penalty, or CSV of `participant,late`: `10%/day, max 5 days`
    #[arg(long, value_name = "RULE|CSV")]
    pub(super) late: Vec<String>,
    /// Leave out cases; repeatable: `secret/1/07`, `2/*`
    #[arg(help_heading = "Judging", long, value_name = "CASE")]
    without: Vec<String>,
    /// List changes since an earlier report, and write their pages
    #[arg(help_heading = "Output", display_order = 100, long, value_name = "REPORT")]
    since: Option<PathBuf>,
}

fn is_table(text: &str) -> bool {
    text.to_lowercase().ends_with(".csv")
}

/// The rulings that affect points.
pub(super) struct Rulings {
    late: Vec<LateTable>,
    earlier: Option<EarlierReport>,
    /// By package.
    excluded: BTreeMap<String, Vec<String>>,
}

impl RegradingOptions {
    /// The penalty among the values of `--late`.
    pub(super) fn late_rule(&self) -> Result<Option<LatePenalty>> {
        let rules: Vec<&String> = self.late.iter().filter(|text| !is_table(text)).collect();
        match rules.as_slice() {
            [] => Ok(None),
            [rule] => Ok(Some(LatePenalty::read(rule).map_err(Error::msg).context("--late")?)),
            _ => bail!("--late: give only one rule"),
        }
    }

    /// Reads the tables and the earlier report first.
    pub(super) fn read(&self, course: &Course) -> Result<Rulings> {
        let tables: Vec<&String> = self.late.iter().filter(|text| is_table(text)).collect();
        ensure!(
            tables.is_empty() || course.late.rule.is_some(),
            "--late: a table of late participants needs a penalty; add --late '10%/day' or another rule"
        );
        let late = tables.iter().map(|table| LateTable::read(Path::new(table))).collect::<Result<_>>()?;
        let earlier = self.since.as_deref().map(read_earlier).transpose()?;
        Ok(Rulings { late, earlier, excluded: BTreeMap::new() })
    }

    /// Leaves out cases, and returns a rule for the report of each package.
    pub(super) fn leave_out_cases(
        &self,
        rulings: &mut Rulings,
        loaded: &mut [LoadedPackage],
    ) -> Result<Vec<String>> {
        let mut excluded: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); loaded.len()];
        for name in &self.without {
            let found = find_cases(name, loaded)?;
            excluded[found.package].extend(found.cases);
        }
        let mut rules = Vec::new();
        for (loaded, excluded) in loaded.iter_mut().zip(excluded).filter(|(_, cases)| !cases.is_empty()) {
            let names: Vec<String> =
                excluded.iter().map(|&case| loaded.tests.cases[case].name.clone()).collect();
            loaded.tests = without_cases(&loaded.package, &loaded.tests, &excluded)?;
            let verb = if names.len() == 1 { "does not count" } else { "do not count" };
            rules.push(format!("{}: {} {verb}", loaded.package.name, shortened(&names, 20, ", ")));
            rulings.excluded.insert(loaded.package.name.clone(), names);
        }
        Ok(rules)
    }

    /// Records lateness and extra time in the class; a table overrides the gradebook.
    pub(super) fn rule(
        &self,
        rulings: &Rulings,
        known: &KnownLateness,
        loaded: &[LoadedPackage],
        classes: &mut [Vec<Participant>],
    ) -> Result<RuledClass> {
        let sheet = known.sheet;
        for member in classes.iter_mut().flatten() {
            if let Some(Ok(late)) = sheet.and_then(|sheet| sheet.participants.get(&member.name)) {
                member.hand_in.late = *late;
            }
        }
        let rows = apply_late_tables(&rulings.late, classes)?;
        if let Some(deadline) = known.course.deadline() {
            ensure!(
                known.course.late.rule.is_some(),
                "the deadline {deadline} has no effect without a late penalty; add --late RULE"
            );
            ensure!(
                sheet.is_some() || known.course.extends_to_times(),
                "the deadline {deadline} has no effect: nothing says when hand-ins were made; add --gradebook with \
                    Moodle's grading worksheet"
            );
        }
        known.course.extend(classes)?;
        let terms = known.course.late_terms()?;
        let mut ruled = RuledClass { late_rule: None, terms: terms.clone(), warnings: rows.warnings };
        let Some(terms) = terms else { return Ok(ruled) };
        // Canvas marks the files of late participants.
        let has_source = sheet.is_some() || !rulings.late.is_empty() || known.layout == HandInLayout::Canvas;
        // A program of the participant could run if kopek asked git for the times of commits.
        let commits = match known.layout {
            HandInLayout::Repositories => " (kopek does not read the times of commits)",
            HandInLayout::Plain | HandInLayout::Moodle | HandInLayout::Canvas | HandInLayout::Gradescope => {
                ""
            }
        };
        ensure!(
            has_source,
            "--late: nothing says which hand-ins are late{commits}; add --gradebook with Moodle's grading worksheet, or \
                --late FILE.csv, a table with the columns participant,late"
        );
        check_late(loaded, classes)?;
        if let Some(sheet) = sheet {
            check_unclear(sheet, &rows.listed)?;
        }
        let deadline =
            sheet.and_then(|sheet| sheet.deadline).map(|time| format!("; the deadline was {time}"));
        let is_late = |one: &Participant| matches!(one.hand_in.late, Some(Lateness::By(_)));
        let is_any_late = classes.iter().flatten().any(is_late);
        let reached = if is_any_late { "" } else { "; no late submission found" };
        ruled.late_rule = Some(format!("{terms}{}{reached}", deadline.unwrap_or_default()));
        Ok(ruled)
    }
}

/// The penalty that applies to a class, and warnings for the teacher, with names.
pub(super) struct RuledClass {
    pub(super) late_rule: Option<String>,
    pub(super) terms: Option<LateTerms>,
    pub(super) warnings: Vec<String>,
}

/// Where lateness may come from, apart from tables.
pub(super) struct KnownLateness<'a> {
    pub(super) sheet: Option<&'a WorksheetLateness>,
    pub(super) layout: HandInLayout,
    pub(super) course: &'a Course,
}

/// Cases of one package, as indices.
struct FoundCases {
    package: usize,
    cases: Vec<usize>,
}

/// Finds the package and its cases with this name.
fn find_cases(name: &str, loaded: &[LoadedPackage]) -> Result<FoundCases> {
    if let Some((package, case)) = name.split_once(':')
        && let Some(package) = loaded.iter().position(|loaded| loaded.package.name == package)
    {
        let cases = excluded_cases(&loaded[package].tests, case).context("--without")?;
        return Ok(FoundCases { package, cases });
    }
    let mut found = Vec::new();
    let mut missing = None;
    for (package, loaded) in loaded.iter().enumerate() {
        match excluded_cases(&loaded.tests, name) {
            Ok(cases) => found.push(FoundCases { package, cases }),
            Err(error) => missing = missing.or(Some(error)),
        }
    }
    let names: Vec<String> = found.iter().map(|one| loaded[one.package].package.name.clone()).collect();
    match found.pop() {
        Some(only) if found.is_empty() => Ok(only),
        Some(last) => bail!(
            "--without {name}: {} have such a case; write {}:{name}",
            shortened(&names, 5, ", "),
            loaded[last.package].package.name
        ),
        None => Err(missing.context("no package")?).context("--without"),
    }
}

/// Fails if the lateness has no duration, or if a package gives no points.
fn check_late(loaded: &[LoadedPackage], classes: &[Vec<Participant>]) -> Result<()> {
    if let Some(package) = loaded.iter().find(|loaded| !loaded.package.kind.scoring) {
        bail!("--late: {} gives a verdict and no points, so there is no penalty", package.package.name);
    }
    let unknown = classes.iter().flatten().filter(|one| one.hand_in.late == Some(Lateness::Marked));
    let unknown: BTreeSet<String> = unknown.map(|one| one.name.clone()).collect();
    if !unknown.is_empty() {
        bail!(
            "--late: the platform does not say how late {} is; add --late FILE.csv, a table with the \
                columns participant,late",
            shortened(&unknown.into_iter().collect::<Vec<_>>(), 8, ", ")
        );
    }
    Ok(())
}

/// Fails if the gradebook does not state whether a hand-in is late, or states it in unknown words, and no table lists
/// the participant.
fn check_unclear(sheet: &WorksheetLateness, listed: &BTreeSet<String>) -> Result<()> {
    let mut unclear = Vec::new();
    for (name, late) in &sheet.participants {
        match late {
            Err(cell) if !listed.contains(name) => unclear.push(format!("{name}: {cell}")),
            Err(_) | Ok(_) => {}
        }
    }
    let other = if sheet.deadline.is_none() { "give --deadline, or " } else { "" };
    ensure!(
        unclear.is_empty(),
        "--late: the gradebook does not say whether these are late: {}; {other}add --late FILE.csv, a table with \
            the columns participant,late",
        shortened(&unclear, 8, ", ")
    );
    Ok(())
}

fn read_earlier(place: &Path) -> Result<EarlierReport> {
    let file = if place.is_dir() { place.join("report.json") } else { place.to_owned() };
    let read = || -> Result<EarlierReport> {
        Ok(EarlierReport::parse(&file.display().to_string(), &fs::read_to_string(&file)?)?)
    };
    read().with_context(|| format!("--since: read the report {}", file.display()))
}

impl Rulings {
    /// The changes since the earlier report. One in --out is replaced, so that the changes that it lists stay.
    pub(super) fn changes(
        &self,
        report: &Report,
        class: ClassExtent,
        out: Option<&Path>,
    ) -> Option<ReportChanges> {
        let earlier = self.earlier.as_ref()?;
        let mut since = changes_since(earlier, report, class);
        if out.is_some_and(|out| is_inside(Path::new(&earlier.place), out)) {
            add_earlier_changes(&mut since, earlier);
        }
        Some(since)
    }

    /// Fails if the earlier report is of other packages, in which nothing would seem to have changed.
    pub(super) fn check_packages(&self, loaded: &[LoadedPackage]) -> Result<()> {
        let Some(earlier) = &self.earlier else { return Ok(()) };
        loaded.iter().try_for_each(|loaded| earlier.check_package(&loaded.package)).context("--since")
    }

    /// Fails if the earlier report has unknown names, because the list of changes would reveal them.
    pub(super) fn check_anonymous(&self, key: &NumberKey) -> Result<()> {
        let Some(earlier) = &self.earlier else { return Ok(()) };
        let unknown = earlier.names().filter(|name| !key.has_alias(name)).count();
        ensure!(
            unknown == 0,
            "--since {}: has names, or numbers of another key; give a report made with --anonymous and the \
                same key",
            earlier.place
        );
        Ok(())
    }

    /// Gives points by hand, and notes extra time and excluded cases.
    pub(super) fn apply(&self, results: &mut PackageReport) -> Result<()> {
        results.excluded = self.excluded.get(&results.name).cloned().unwrap_or_default();
        for row in &mut results.rows {
            give_points_by_hand(row)?;
            if let Some(factor) = row.hand_in.time_factor {
                let limit = limit_text(factor.of(results.time_limit));
                row.notes.push(format!("time limit {limit}: {factor} times the package's"));
            }
        }
        Ok(())
    }
}

/// Participants with the same time limit.
pub(super) struct ClassPart {
    pub(super) factor: Option<TimeFactor>,
    pub(super) members: Vec<Participant>,
}

/// Splits the class by time limit; the part with the package's own limit comes first.
pub(super) fn parts_by_time(class: &[Participant]) -> Vec<ClassPart> {
    let mut parts: BTreeMap<Option<TimeFactor>, Vec<Participant>> = BTreeMap::new();
    for one in class {
        parts.entry(one.hand_in.time_factor).or_default().push(one.clone());
    }
    parts.into_iter().map(|(factor, members)| ClassPart { factor, members }).collect()
}
