//! The teacher's rulings after the contest: excluded cases, late penalties and extra time; and the changes
//! since an earlier report.

use super::{
    changes::{ClassExtent, add_earlier_changes, changes_since},
    class_gradebook::WorksheetLateness,
    course::{Course, GIVE_WORKSHEET},
    course_points::LateTerms,
    earlier_report::EarlierReport,
    late_rule::{LateTable, apply_late_tables},
    platforms::platform_of,
    report_folder::is_inside,
};
use anyhow::{Context, Result, bail, ensure};
use kopek_base::wording::{limit_text, shortened};
use kopek_class::{HandInLayout, NumberKey};
use kopek_judge::{
    grade::{excluded_cases, without_cases},
    loading::LoadedPackage,
};
use kopek_package::package::{Lateness, Participant, Subject, TimeFactor};
use kopek_results::{Note, PackageReport, Report, ReportChanges, case_in_text, give_points_by_hand};
use kopek_sentences::{Decimal, Listed, Said};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The rulings that affect points.
#[derive(Debug)]
pub struct Rulings {
    late: Vec<LateTable>,
    earlier: Option<EarlierReport>,
    /// By package.
    excluded: BTreeMap<String, Vec<String>>,
}

/// The penalty that applies to a class, and warnings for the teacher, with names.
pub(super) struct RuledClass {
    pub(super) late_rule: Option<Said>,
    pub(super) terms: Option<LateTerms>,
    pub(super) warnings: Vec<String>,
}

/// Where lateness may come from, apart from tables.
pub(super) struct KnownLateness<'a> {
    pub(super) worksheet: Option<&'a WorksheetLateness>,
    pub(super) layout: HandInLayout,
    pub(super) course: &'a Course,
}

/// Cases of one package, as indices.
struct FoundCases {
    package: usize,
    cases: Vec<usize>,
}

/// Finds the package and its cases with this name.
fn find_cases(name: &str, packages: &[LoadedPackage]) -> Result<FoundCases> {
    if let Some((package, case)) = name.split_once(':')
        && let Some(package) = packages.iter().position(|one| one.name() == package)
    {
        let cases = excluded_cases(&packages[package].tests, case).context("--without")?;
        return Ok(FoundCases { package, cases });
    }
    let mut found = Vec::new();
    let mut missing = None;
    for (package, one) in packages.iter().enumerate() {
        match excluded_cases(&one.tests, name) {
            Ok(cases) => found.push(FoundCases { package, cases }),
            Err(error) => missing = missing.or(Some(error)),
        }
    }
    let names: Vec<String> = found.iter().map(|one| packages[one.package].name().to_owned()).collect();
    match found.pop() {
        Some(only) if found.is_empty() => Ok(only),
        Some(last) => bail!(
            "--without {name}: {} have such a case; write {}:{name}",
            shortened(&names, 5, ", "),
            packages[last.package].name()
        ),
        None => Err(missing.context("no package")?).context("--without"),
    }
}

/// The remedy where no platform knows how late somebody is.
const LATE_TABLE: &str = "`table = \"late.csv\"` to [late], with the columns participant,late";

/// Fails if the lateness has no duration, or if a package gives no points.
fn check_late(place: &str, packages: &[LoadedPackage], classes: &[Vec<Participant>]) -> Result<()> {
    if let Some(package) = packages.iter().find(|one| !one.tests.gives_points(&one.package)) {
        bail!(
            "{place}: {} gives a verdict and no points, so there is no penalty; give it points, or remove the rule",
            package.name()
        );
    }
    let unknown = classes.iter().flatten().filter(|one| one.hand_in.late == Some(Lateness::Marked));
    let unknown: BTreeSet<String> = unknown.map(|one| one.name.clone()).collect();
    if !unknown.is_empty() {
        bail!(
            "{place}: the platform does not say how late {} is; add {LATE_TABLE}",
            shortened(&unknown.into_iter().collect::<Vec<_>>(), 8, ", ")
        );
    }
    Ok(())
}

/// Fails if the gradebook does not state whether a hand-in is late, or states it in unknown words, and no table lists
/// the participant.
fn check_unclear(place: &str, worksheet: &WorksheetLateness, listed: &BTreeSet<String>) -> Result<()> {
    let mut unclear = Vec::new();
    for (name, late) in &worksheet.participants {
        match late {
            Err(cell) if !listed.contains(name) => unclear.push(format!("{name}: {cell}")),
            Err(_) | Ok(_) => {}
        }
    }
    let other = if worksheet.deadline.is_none() { "give the `deadline`, or " } else { "" };
    ensure!(
        unclear.is_empty(),
        "{place}: the gradebook does not say whether these are late: {}; {other}add {LATE_TABLE}",
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
    /// Reads the course's tables of late participants, and the earlier report.
    pub fn read(course: &Course, since: Option<&Path>) -> Result<Rulings> {
        course.late_terms()?;
        let tables = course.late.table.iter();
        let late = tables.map(|table| LateTable::read(&table.value)).collect::<Result<_>>()?;
        Ok(Rulings { late, earlier: since.map(read_earlier).transpose()?, excluded: BTreeMap::new() })
    }

    pub(super) fn earlier(&self) -> Option<&EarlierReport> {
        self.earlier.as_ref()
    }

    /// Leaves these cases out of the test sets. Returns rules for the report.
    pub(super) fn leave_out_cases(
        &mut self,
        without: &[String],
        packages: &mut [LoadedPackage],
    ) -> Result<Vec<Said>> {
        let mut excluded: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); packages.len()];
        for name in without {
            let found = find_cases(name, packages)?;
            excluded[found.package].extend(found.cases);
        }
        let mut sentences = Vec::new();
        for (one, cases) in packages.iter_mut().zip(&excluded).filter(|(_, cases)| !cases.is_empty()) {
            let LoadedPackage { package, tests, .. } = one;
            let names: Vec<String> = cases.iter().map(|&case| tests.cases[case].name.clone()).collect();
            let texts: Vec<Said> = names.iter().map(|name| case_in_text(name)).collect();
            let (package_name, listed) = (package.name.clone(), Listed::first(texts, 20));
            sentences.push(match names.len() {
                1 => Said::CaseExcluded { package: package_name, cases: listed },
                _ => Said::CasesExcluded { package: package_name, cases: listed },
            });
            *tests = without_cases(package, tests, cases)?;
            self.excluded.insert(package.name.clone(), names);
        }
        Ok(sentences)
    }

    /// Records lateness and extra time in the class; a table overrides the gradebook.
    pub(super) fn rule(
        &self,
        known: &KnownLateness,
        packages: &[LoadedPackage],
        classes: &mut [Vec<Participant>],
    ) -> Result<RuledClass> {
        let worksheet = known.worksheet;
        for member in classes.iter_mut().flatten() {
            if let Some(Ok(late)) = worksheet.and_then(|worksheet| worksheet.participants.get(&member.name)) {
                member.hand_in.late = *late;
            }
        }
        let names: Vec<&str> = packages.iter().map(LoadedPackage::name).collect();
        let rows = apply_late_tables(&self.late, &names, classes)?;
        let several = known.course.hand_ins.len() > 1;
        let wanted = if several {
            format!("add {LATE_TABLE},package: a worksheet knows one assignment")
        } else {
            format!("{GIVE_WORKSHEET}, or add {LATE_TABLE}")
        };
        if let Some(deadline) = &known.course.late.deadline {
            ensure!(
                worksheet.is_some() || known.course.extends_to_times(),
                "{}: the deadline {} has no effect: nothing says when hand-ins were made; {}",
                known.course.place(deadline),
                deadline.value,
                if several { format!("remove it, and {wanted}") } else { GIVE_WORKSHEET.to_owned() }
            );
        }
        known.course.extend(classes)?;
        let terms = known.course.late_terms()?;
        let mut ruled = RuledClass { late_rule: None, terms: terms.clone(), warnings: rows.warnings };
        let Some(terms) = terms else { return Ok(ruled) };
        let platform = platform_of(known.layout);
        let place = known.course.place_of_late_rule();
        let has_source = worksheet.is_some() || !self.late.is_empty() || platform.marks_late;
        ensure!(
            has_source,
            "{place}: nothing says which hand-ins are late{}; {wanted}",
            if several { " in each download" } else { platform.lateness_hint }
        );
        check_late(&place, packages, classes)?;
        if let Some(worksheet) = worksheet {
            check_unclear(&place, worksheet, &rows.listed)?;
        }
        let mut parts = terms.said();
        let deadline = worksheet.and_then(|worksheet| worksheet.deadline);
        parts.extend(deadline.map(|time| Said::DeadlineWas { time: time.to_string() }));
        let is_late = |one: &Participant| matches!(one.hand_in.late, Some(Lateness::By(_)));
        let is_any_late = classes.iter().flatten().any(is_late);
        parts.extend((!is_any_late).then_some(Said::NobodyLate));
        ruled.late_rule = Some(Said::Several { parts });
        Ok(ruled)
    }

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
    pub(super) fn check_packages(&self, packages: &[LoadedPackage]) -> Result<()> {
        let Some(earlier) = &self.earlier else { return Ok(()) };
        packages.iter().try_for_each(|one| earlier.check_package(&one.package)).context("--since")
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
                let limit = Decimal::new(limit_text(factor.of(results.time_limit)));
                let said = Said::OwnTimeLimit { limit, factor: Decimal::new(factor) };
                row.notes.push(Note::new(Subject::Whole, said));
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
