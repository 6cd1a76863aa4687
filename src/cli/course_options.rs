//! The rules of a course: points, lateness and time. `course_file` reads the same values from `course.toml`.

use super::named_packages::LoadedPackage;
use crate::{
    base::wording::one_line,
    class::{DecidedPackage, near_people, people_called},
    course::{Deadline, Extension, LateRule, LateTerms, PackageMax, TotalRules, parse_lateness},
    language::{LanguageTable, check_code, detect_language},
    package::{Participant, TimeFactor, nearest_word},
    points::Points,
    results::{CourseTotals, PackageReport},
};
use anyhow::{Result, anyhow, bail, ensure};
use std::{collections::BTreeMap, fmt, path::PathBuf, time::Duration};

/// The remedy for an unknown participant.
pub(super) const KNOWN_NAMES: &str = "give the name as the table shows it, or the number of the platform";

/// The heading of options that `course.toml` has as keys.
pub(super) const RULES: &str = "Rules, also in course.toml";

/// Where the teacher wrote a value, for errors that are found later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Option(&'static str),
    Line { file: String, line: usize },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Place::Option(name) => f.write_str(name),
            Place::Line { file, line } => write!(f, "{file}:{line}"),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Placed<T> {
    pub(super) place: Place,
    pub(super) value: T,
}

/// A value for a package, a language or a participant.
#[derive(Debug, Clone)]
pub(super) struct Named<T> {
    pub(super) place: Place,
    pub(super) name: String,
    pub(super) value: T,
}

/// Options for points, lateness and time.
#[derive(clap::Args)]
pub(super) struct CourseOptions {
    /// Maximum of the total: `10`
    #[arg(long, value_name = "POINTS", value_parser = parse_scale)]
    pub(super) scale: Option<Placed<Points>>,
    /// Weight of a package; repeatable: `pairs=2`
    #[arg(long = "weight", value_name = "PACKAGE=X", value_parser = parse_weight)]
    pub(super) weights: Vec<Named<Points>>,
    /// Time limit factor; repeatable: `ada=1.5`
    #[arg(long = "time-factor", value_name = "NAME=X", value_parser = parse_time_factor)]
    pub(super) time_factors: Vec<Named<TimeFactor>>,
    /// Time limit factor; repeatable: `python3=2`
    #[arg(long = "language-factor", value_name = "ID=X", value_parser = parse_language_factor)]
    pub(super) language_factors: Vec<Named<TimeFactor>>,
    /// Lateness without a penalty: `15 min`
    #[arg(long, value_name = "TIME", value_parser = parse_grace)]
    pub(super) grace: Option<Placed<Duration>>,
    /// Later deadline; repeatable: `ada=2d`
    #[arg(long = "extension", value_name = "NAME=TIME", value_parser = parse_extension)]
    pub(super) extensions: Vec<Named<Extension>>,
    #[arg(skip)]
    pub(super) of_file: FileValues,
}

/// What only `course.toml` can say.
#[derive(Default)]
pub(super) struct FileValues {
    /// `None`: there is no file.
    pub(super) file: Option<PathBuf>,
    pub(super) title: Option<String>,
    pub(super) best: Option<Placed<usize>>,
    pub(super) round: Option<Placed<Points>>,
    pub(super) budget: Option<Placed<Duration>>,
    /// Languages whose programs may use the standard library only.
    pub(super) standard_library: Vec<Named<()>>,
    /// The keys of the file that the command line overrides or adds to.
    pub(super) changed: Vec<&'static str>,
}

impl FileValues {
    /// The codes of languages without other modules.
    pub(super) fn standard_library(&self, table: &LanguageTable) -> Result<Vec<String>> {
        let mut codes = Vec::new();
        for language in &self.standard_library {
            check_code(table, &language.name).map_err(|why| anyhow!("{}: {why}", language.place))?;
            codes.push(language.name.clone());
        }
        Ok(codes)
    }
}

fn parse_scale(text: &str) -> Result<Placed<Points>, String> {
    Ok(Placed { place: Place::Option("--scale"), value: positive_points(text)? })
}

/// A number of points above 0.
pub(super) fn positive_points(text: &str) -> Result<Points, String> {
    let points: Option<Points> = text.parse().ok().filter(|points: &Points| !points.is_negative());
    points.filter(|points| !points.is_zero()).ok_or_else(|| "write a number above 0, such as 10".to_owned())
}

/// A number that points are multiplied by.
pub(super) fn weight_of(text: &str) -> Result<Points, String> {
    let weight: Option<Points> = text.parse().ok();
    weight.filter(|weight| !weight.is_negative()).ok_or_else(|| "write a weight such as 2 or 0.5".to_owned())
}

pub(super) fn factor_of(text: &str) -> Result<TimeFactor, String> {
    TimeFactor::parse(text).ok_or_else(|| "write a factor from 0.1 to 100, such as 1.5".to_owned())
}

/// The known word that is meant, or all of them.
pub(super) fn near_or_all(word: &str, known: &[&str], all: &str) -> String {
    match nearest_word(word, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{all} are {}", known.join(", ")),
    }
}

/// A time span such as `15 min`.
pub(super) fn span_of(text: &str) -> Result<Duration, String> {
    let span = parse_lateness(text).filter(|span| !span.is_zero());
    span.ok_or_else(|| "write a time span such as 15 min, 36 h or 2 days".to_owned())
}

fn parse_named<T>(
    option: &'static str,
    text: &str,
    read: fn(&str) -> Result<T, String>,
) -> Result<Named<T>, String> {
    let (name, value) = text.rsplit_once('=').ok_or("write it as NAME=VALUE")?;
    Ok(Named { place: Place::Option(option), name: name.to_owned(), value: read(value)? })
}

fn parse_weight(text: &str) -> Result<Named<Points>, String> {
    parse_named("--weight", text, weight_of)
}

fn parse_time_factor(text: &str) -> Result<Named<TimeFactor>, String> {
    parse_named("--time-factor", text, factor_of)
}

fn parse_language_factor(text: &str) -> Result<Named<TimeFactor>, String> {
    parse_named("--language-factor", text, factor_of)
}

fn parse_grace(text: &str) -> Result<Placed<Duration>, String> {
    Ok(Placed { place: Place::Option("--grace"), value: span_of(text)? })
}

fn parse_extension(text: &str) -> Result<Named<Extension>, String> {
    parse_named("--extension", text, str::parse)
}

/// The rules for totals, and the packages that they are for.
pub(super) struct TotalPlan {
    pub(super) rules: TotalRules,
    pub(super) packages: Vec<PackageMax>,
    /// The greatest total; `None`: unbounded.
    pub(super) max: Option<Points>,
}

impl TotalPlan {
    /// `None`: they are the sums of the packages' points.
    pub(super) fn totals(&self, packages: &[PackageReport]) -> Result<Option<CourseTotals>> {
        let mut rows = packages.iter().flat_map(|package| &package.rows);
        if self.rules.are_usual() && rows.all(|row| row.hand_in.total_by_hand.is_none()) {
            return Ok(None);
        }
        Ok(Some(self.rules.course_totals(packages, &self.packages)?))
    }
}

impl CourseOptions {
    /// The rules for totals; fails if they do not fit the packages.
    pub(super) fn total_plan(&self, loaded: &[LoadedPackage]) -> Result<TotalPlan> {
        let packages: Vec<PackageMax> = loaded.iter().map(max_of_package).collect();
        let rules = TotalRules {
            scale: self.scale.as_ref().map(|scale| scale.value.clone()),
            weights: self.weights_of(&packages)?,
            best: self.of_file.best.as_ref().map(|best| best.value),
            round: self.of_file.round.as_ref().map(|round| round.value.clone()),
        };
        if let Some(best) = self.of_file.best.as_ref().filter(|best| best.value > packages.len()) {
            bail!("{}: best is {}, but there are only {} problems", best.place, best.value, packages.len());
        }
        let max = if rules.are_usual() {
            packages.iter().map(|one| one.max.clone()).try_fold(Points::zero(), |sum, max| Some(sum + max?))
        } else {
            let max = rules.max_total(&packages);
            Some(max.map_err(|why| anyhow!("{}: {why}", self.place_of_rules()))?)
        };
        Ok(TotalPlan { rules, packages, max })
    }

    /// One of the places that make a total other than a sum.
    fn place_of_rules(&self) -> String {
        let FileValues { best, round, .. } = &self.of_file;
        let places = [
            self.scale.as_ref().map(|scale| &scale.place),
            self.weights.last().map(|weight| &weight.place),
            best.as_ref().map(|best| &best.place),
            round.as_ref().map(|round| &round.place),
        ];
        places.into_iter().flatten().map(Place::to_string).next().unwrap_or_default()
    }

    fn weights_of(&self, packages: &[PackageMax]) -> Result<BTreeMap<String, Points>> {
        let known: Vec<&str> = packages.iter().map(|one| one.package.as_str()).collect();
        let check = |weight: &Named<Points>| -> Result<()> {
            if known.contains(&weight.name.as_str()) {
                return Ok(());
            }
            let near = near_or_all(&weight.name, &known, "the packages");
            bail!("{}: no package `{}`; {near}", weight.place, weight.name)
        };
        let mut weights = UniqueValues::new("weights");
        for weight in &self.weights {
            check(weight)?;
            weights.add(weight.name.clone(), weight)?;
        }
        Ok(weights.values())
    }

    /// The rules in sentences: the file's name first.
    pub(super) fn sentences(&self, sheet: &TotalPlan) -> Result<Vec<String>> {
        let mut all = Vec::new();
        let FileValues { file, changed, .. } = &self.of_file;
        if let Some(file) = file.as_ref().and_then(|file| file.file_name()) {
            let changed = if changed.is_empty() {
                String::new()
            } else {
                format!(", with changes on the command line: {}", changed.join(", "))
            };
            all.push(format!("rules of {}{changed}", file.display()));
        }
        all.extend(sheet.rules.sentences(&sheet.packages)?);
        for factor in &self.language_factors {
            all.push(format!("programs in {} have {} times the time limit", factor.name, factor.value));
        }
        for language in &self.of_file.standard_library {
            all.push(format!("programs in {} may use the standard library only", language.name));
        }
        Ok(all)
    }

    /// What being late costs; fails if there is grace or an extension without a penalty.
    pub(super) fn late_terms(&self, rule: Option<&LateRule>) -> Result<Option<LateTerms>> {
        let FileValues { budget, .. } = &self.of_file;
        if let Some(rule) = rule {
            let grace = self.grace.as_ref().map(|grace| grace.value).unwrap_or_default();
            let budget = budget.as_ref().map(|budget| budget.value).unwrap_or_default();
            return Ok(Some(LateTerms { rule: rule.clone(), grace, budget }));
        }
        let places = [
            self.grace.as_ref().map(|grace| &grace.place),
            budget.as_ref().map(|budget| &budget.place),
            self.extensions.last().map(|extension| &extension.place),
        ];
        match places.into_iter().flatten().next() {
            Some(place) => bail!(
                "{place}: without a late penalty there is no lateness to forgive; add `rule` to [late], or --late RULE"
            ),
            None => Ok(None),
        }
    }

    /// Whether an extension is a time, which needs the deadline.
    pub(super) fn extends_to_times(&self) -> bool {
        self.extensions.iter().any(|extension| matches!(extension.value, Extension::Until(_)))
    }

    /// Records extensions in the class.
    pub(super) fn extend(&self, deadline: Option<Deadline>, classes: &mut [Vec<Participant>]) -> Result<()> {
        for (name, extension) in of_participants(&self.extensions, "extensions", classes)? {
            let span = extension.value.span(deadline).ok_or_else(|| {
                anyhow!(
                    "{}: `{}` is a time, so the deadline must be given, too; give it, or a time span such as 2 days",
                    extension.place,
                    extension.value
                )
            })?;
            for member in classes.iter_mut().flatten().filter(|member| member.name == name) {
                member.hand_in.extension = span;
            }
        }
        Ok(())
    }

    /// Records the time factors of participants and languages in the class.
    pub(super) fn give_time(&self, table: &LanguageTable, classes: &mut [Vec<Participant>]) -> Result<()> {
        let of_people = of_participants(&self.time_factors, "factors", classes)?;
        let mut of_languages = UniqueValues::new("factors");
        for factor in &self.language_factors {
            check_code(table, &factor.name).map_err(|why| anyhow!("{}: {why}", factor.place))?;
            of_languages.add(factor.name.clone(), factor)?;
        }
        let of_languages = of_languages.values();
        for member in classes.iter_mut().flatten() {
            let language = member.submission.as_ref().ok().and_then(|program| {
                detect_language(table, &program.source, program.language.as_deref(), None).ok()
            });
            let of_language = language.and_then(|language| of_languages.get(&language.code)).copied();
            let own = of_people.get(&member.name).map(|factor| factor.value);
            member.hand_in.time_factor = match (own, of_language) {
                (Some(own), Some(other)) => Some(own.times(other)),
                (own, of_language) => own.or(of_language),
            };
        }
        Ok(())
    }
}

fn max_of_package(loaded: &LoadedPackage) -> PackageMax {
    let DecidedPackage { name, card, .. } = loaded.decided();
    PackageMax { package: name, max: card.max }
}

/// Values by name. The command line comes after the file and overrides it; within one of them a second value is an
/// error.
struct UniqueValues<'a, T> {
    what: &'static str,
    values: BTreeMap<String, &'a Named<T>>,
}

impl<'a, T: Clone> UniqueValues<'a, T> {
    fn new(what: &'static str) -> UniqueValues<'a, T> {
        UniqueValues { what, values: BTreeMap::new() }
    }

    fn add(&mut self, name: String, value: &'a Named<T>) -> Result<()> {
        let is_option = |one: &Named<T>| matches!(one.place, Place::Option(_));
        if let Some(other) = self.values.get(&name) {
            ensure!(
                is_option(other) != is_option(value),
                "{}: {name} has two {}; give one",
                value.place,
                self.what
            );
        }
        self.values.insert(name, value);
        Ok(())
    }

    fn values(&self) -> BTreeMap<String, T> {
        self.values.iter().map(|(name, named)| (name.clone(), named.value.clone())).collect()
    }
}

/// The values by the names of participants; fails for a name that means none or several.
fn of_participants<'a, T: Clone>(
    list: &'a [Named<T>],
    what: &'static str,
    classes: &[Vec<Participant>],
) -> Result<BTreeMap<String, &'a Named<T>>> {
    let mut values = UniqueValues::new(what);
    for one in list {
        let found = people_called(classes, &one.name).map_err(|why| anyhow!("{}: {why}", one.place))?;
        if found.is_empty() {
            let near = near_people(classes, &one.name);
            let remedy = if near.is_empty() { format!("; {KNOWN_NAMES}") } else { one_line(&near) };
            bail!("{}: {}: no such participant{remedy}", one.place, one_line(&one.name));
        }
        for name in found {
            values.add(name, one)?;
        }
    }
    Ok(values.values)
}
