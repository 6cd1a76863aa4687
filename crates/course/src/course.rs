//! A course: all that a teacher decides, as `course.toml` says it. A rule is one field.

use super::{
    course_points::{LateTerms, PackageMax, PointRules},
    course_values::{HuntTime, OnlyStandardLibrary, TimeSpan},
    late_rule::LateRule,
    placed_value::{Placed, list},
    report_folder::check_folder,
    worksheet_late::{Deadline, Extension},
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use kopek_base::wording::{one_line, short_line};
use kopek_class::{near_people, people_called};
use kopek_judge::loading::find_packages;
use kopek_package::{
    language::{LanguageTable, check_code, detect_language},
    package::{Participant, TimeFactor, nearest_word},
    points::Points,
};
use kopek_results::{CourseTotals, FeedbackLevel, PackageReport};
use kopek_sentences::{Decimal, PageLanguage, Said};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    ops::Range,
    path::{Path, PathBuf},
    time::Duration,
};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Course {
    /// `None`: the packages and the hand-ins are given without a file, which has all rules.
    #[serde(skip)]
    file: Option<CourseFile>,
    pub title: Option<String>,
    #[serde(deserialize_with = "list")]
    pub problems: Vec<Placed<PathBuf>>,
    /// Folders or archives: one for all problems, or one for each.
    #[serde(deserialize_with = "list")]
    pub hand_ins: Vec<Placed<PathBuf>>,
    /// Names of files that are the program of a hand-in, the first match.
    #[serde(deserialize_with = "list")]
    pub entry: Vec<Placed<String>>,
    pub gradebook: Option<Placed<PathBuf>>,
    /// The title of the gradebook's column; `None`: found by the platform.
    pub column: Option<String>,
    /// The folder of the report.
    pub out: Option<Placed<PathBuf>>,
    /// Tables of several people.
    #[serde(deserialize_with = "list")]
    pub decisions: Vec<Placed<PathBuf>>,
    pub points: PointRules,
    pub late: LateRules,
    pub time: TimeRules,
    pub languages: BTreeMap<String, Placed<OnlyStandardLibrary>>,
    pub feedback: FeedbackRules,
    /// The members of each team, by names or numbers.
    pub teams: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct LateRules {
    pub deadline: Option<Placed<Deadline>>,
    /// One for all, or steps.
    #[serde(deserialize_with = "list")]
    pub rule: Vec<Placed<LateRule>>,
    /// Tables of late participants.
    #[serde(deserialize_with = "list")]
    pub table: Vec<Placed<PathBuf>>,
    /// Free for each hand-in.
    pub grace: Option<Placed<TimeSpan>>,
    /// Free for each participant in all.
    pub budget: Option<Placed<TimeSpan>>,
    /// By participant.
    pub extensions: BTreeMap<String, Placed<Extension>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct TimeRules {
    pub languages: BTreeMap<String, Placed<TimeFactor>>,
    pub participants: BTreeMap<String, Placed<TimeFactor>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct FeedbackRules {
    pub level: Option<Placed<FeedbackLevel>>,
    /// Of pages and feedback for participants.
    pub language: Option<Placed<PageLanguage>>,
    pub counterexamples: Option<Placed<HuntTime>>,
}

/// The file of a course, for the lines of errors.
#[derive(Debug, Clone)]
struct CourseFile {
    path: PathBuf,
    text: String,
}

impl CourseFile {
    /// `course.toml:12`.
    fn place(&self, span: &Range<usize>) -> String {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("{}:{line}", self.path.display())
    }

    fn wrong(&self, error: &toml::de::Error) -> anyhow::Error {
        let span = error.span().unwrap_or_default();
        let begin = self.text[..span.start].rfind('\n').map_or(0, |end| end + 1);
        let line = self.text[begin..].lines().next().unwrap_or_default().trim();
        anyhow!("{}: {} in `{}`", self.place(&span), error.message(), short_line(line))
    }
}

/// The rules for totals, and the packages that they are for.
pub struct TotalPlan<'a> {
    pub rules: &'a PointRules,
    pub packages: Vec<PackageMax>,
    /// The greatest total; `None`: unbounded.
    pub max: Option<Points>,
}

impl TotalPlan<'_> {
    /// The greatest total with all bonus problems; `None`: not known.
    pub fn max_with_bonus(&self) -> Option<Points> {
        self.rules.max_with_bonus(&self.packages)
    }

    /// `None`: they are the sums of the packages' points.
    pub fn totals(&self, packages: &[PackageReport]) -> Result<Option<CourseTotals>> {
        let mut rows = packages.iter().flat_map(|package| &package.rows);
        if self.rules.are_usual() && rows.all(|row| row.hand_in.total_by_hand.is_none()) {
            return Ok(None);
        }
        Ok(Some(self.rules.course_totals(packages, &self.packages)?))
    }
}

/// What a deadline needs.
pub(super) const GIVE_WORKSHEET: &str = "give Moodle's grading worksheet as `gradebook`";

impl Course {
    pub fn read(path: &Path) -> Result<Course> {
        let text = fs::read_to_string(path).with_context(|| format!("read the course {}", path.display()))?;
        Course::parse(path, text)
    }

    /// Reads the text of a file, whose paths are relative to it. Only `out` may be new.
    pub fn parse(path: &Path, text: String) -> Result<Course> {
        let file = CourseFile { path: path.to_owned(), text };
        let mut course: Course = toml::from_str(&file.text).map_err(|error| file.wrong(&error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let Course { problems, hand_ins, gradebook, decisions, late, .. } = &mut course;
        let all =
            problems.iter_mut().chain(hand_ins).chain(gradebook).chain(decisions).chain(&mut late.table);
        for Placed { value, span } in all {
            *value = folder.join(&*value);
            ensure!(value.exists(), "{}: {}: no such file or folder", file.place(span), value.display());
        }
        course.out.iter_mut().for_each(|out| out.value = folder.join(&out.value));
        let place = path.display();
        ensure!(!course.problems.is_empty(), "{place}: no `problems`; list the folders of the packages");
        ensure!(!course.hand_ins.is_empty(), "{place}: no `hand-ins`; name the folder or zip");
        course.file = Some(file);
        Ok(course)
    }

    /// The packages and, last, the hand-ins of the command line. Without a file there are no rules.
    pub fn of_paths(paths: &[PathBuf]) -> Course {
        let mut paths = paths.iter().cloned().map(Placed::option);
        let hand_ins = paths.next_back().into_iter().collect();
        Course { problems: paths.collect(), hand_ins, ..Course::default() }
    }

    /// Where the teacher wrote a value.
    pub fn place<T>(&self, value: &Placed<T>) -> String {
        self.file.as_ref().map_or_else(|| "command line".to_owned(), |file| file.place(&value.span))
    }

    /// The folders or archives of the hand-ins.
    pub fn hand_in_places(&self) -> Vec<&Path> {
        self.hand_ins.iter().map(|place| place.value.as_path()).collect()
    }

    /// The first of them.
    pub fn hand_in_place(&self) -> Result<&Path> {
        self.hand_in_places().first().copied().context("no folder of hand-ins")
    }

    /// The folder of the report.
    pub fn out_place(&self) -> Option<&Path> {
        self.out.as_ref().map(|out| out.value.as_path())
    }

    /// The names of files that are programs.
    pub fn entries(&self) -> Vec<String> {
        self.entry.iter().map(|name| name.value.clone()).collect()
    }

    pub fn feedback_level(&self) -> Option<FeedbackLevel> {
        self.feedback.level.as_ref().map(|level| level.value)
    }

    /// How long to look for inputs on which a program fails; `None`: not at all.
    pub fn hunt_time(&self) -> Option<HuntTime> {
        self.feedback.counterexamples.as_ref().map(|time| time.value)
    }

    /// The folders of the packages. Fails if the report would be written into one of them, or into the hand-ins.
    pub fn find_packages(&self) -> Result<Vec<PathBuf>> {
        let places: Vec<PathBuf> = self.problems.iter().map(|path| path.value.clone()).collect();
        let found = find_packages(&places)?;
        if let Some(out) = self.out_place() {
            check_folder(out, &found, &self.hand_in_places())?;
        }
        Ok(found)
    }

    pub fn deadline(&self) -> Option<Deadline> {
        self.late.deadline.as_ref().map(|deadline| deadline.value)
    }

    /// The codes of languages without other modules.
    pub fn standard_library(&self, table: &LanguageTable) -> Result<Vec<String>> {
        for (code, rule) in &self.languages {
            check_code(table, code).map_err(|why| anyhow!("{}: {why}", self.place(rule)))?;
        }
        Ok(self.languages.keys().cloned().collect())
    }

    /// The rules for totals; fails if they do not fit the packages.
    pub fn total_plan(&self, packages: Vec<PackageMax>) -> Result<TotalPlan<'_>> {
        let rules = &self.points;
        for (package, weight) in &rules.weights {
            check_package(package, &self.place(weight), &packages)?;
        }
        for package in &rules.bonus {
            check_package(&package.value, &self.place(package), &packages)?;
        }
        let most = packages.iter().filter(|one| !rules.is_bonus(&one.package)).count();
        if let Some(best) = rules.best.as_ref().filter(|best| best.value.0 > most) {
            bail!("{}: best is {}, but there are only {most} problems", self.place(best), best.value.0);
        }
        let max = if rules.are_usual() {
            packages.iter().map(|one| one.max.clone()).try_fold(Points::zero(), |sum, max| Some(sum + max?))
        } else {
            Some(rules.max_total(&packages).with_context(|| self.place_of_points())?)
        };
        Ok(TotalPlan { rules, packages, max })
    }

    /// The first rule that makes a total other than a sum.
    fn place_of_points(&self) -> String {
        let PointRules { scale, weights, best, bonus, round, cap: _ } = &self.points;
        let mut spans: Vec<&Range<usize>> = Vec::new();
        spans.extend(scale.iter().chain(round).map(|points| &points.span));
        spans.extend(weights.values().map(|weight| &weight.span));
        spans.extend(best.iter().map(|best| &best.span));
        spans.extend(bonus.iter().map(|package| &package.span));
        let span = spans.into_iter().min_by_key(|span| span.start).cloned();
        self.place(&Placed { value: (), span: span.unwrap_or_default() })
    }

    /// Names the course of the rules; without a title, the file.
    pub fn rules_from(&self) -> Option<String> {
        let file = self.file.as_ref()?.path.file_name()?.to_string_lossy();
        Some(format!("rules of {}", self.title.as_deref().unwrap_or(&file)))
    }

    /// The rules in sentences.
    pub fn sentences(&self, totals: &TotalPlan) -> Result<Vec<Said>> {
        let mut all = totals.rules.sentences(&totals.packages)?;
        for (language, factor) in &self.time.languages {
            let factor = Decimal::new(factor.value);
            all.push(Said::LanguageHasTime { language: language.clone(), factor });
        }
        for language in self.languages.keys() {
            all.push(Said::OnlyStandardLibrary { language: language.clone() });
        }
        Ok(all)
    }

    /// What being late costs; fails if something else is said about lateness without a penalty.
    pub fn late_terms(&self) -> Result<Option<LateTerms>> {
        let LateRules { deadline, rule, table, grace, budget, extensions } = &self.late;
        let span =
            |span: &Option<Placed<TimeSpan>>| span.as_ref().map_or(Duration::ZERO, |span| span.value.0);
        if let Some((first, rest)) = rule.split_first() {
            let mut whole = first.value.clone();
            for step in rest {
                whole = whole.then(&step.value).map_err(|why| anyhow!("{}: {why}", self.place(step)))?;
            }
            return Ok(Some(LateTerms { rule: whole, grace: span(grace), budget: span(budget) }));
        }
        let places = [
            deadline.as_ref().map(|deadline| self.place(deadline)),
            table.first().map(|table| self.place(table)),
            grace.as_ref().or(budget.as_ref()).map(|span| self.place(span)),
            extensions.values().next().map(|extension| self.place(extension)),
        ];
        let Some(place) = places.into_iter().flatten().next() else { return Ok(None) };
        // Later the deadline would be refused for the lack of times.
        let lacks_times = deadline.is_some() && self.gradebook.is_none() && self.hand_ins.len() < 2;
        let times = if lacks_times && !self.extends_to_times() {
            format!(", and {GIVE_WORKSHEET}")
        } else {
            String::new()
        };
        bail!("{place}: without a late penalty this has no effect; add `rule` to [late]{times}")
    }

    /// Where the late penalty is.
    pub fn place_of_late_rule(&self) -> String {
        self.late.rule.first().map(|rule| self.place(rule)).unwrap_or_default()
    }

    /// Whether an extension is a time, which needs the deadline.
    pub fn extends_to_times(&self) -> bool {
        self.late.extensions.values().any(|extension| matches!(extension.value, Extension::Until(_)))
    }

    /// Records extensions in the class.
    pub fn extend(&self, classes: &mut [Vec<Participant>]) -> Result<()> {
        for (name, extension) in self.by_participant(&self.late.extensions, "extensions", classes)? {
            let span = extension.value.span(self.deadline()).with_context(|| {
                format!(
                    "{}: `{}` is a time, so the deadline must be given, too; give it, or a time span such as 2 days",
                    self.place(extension),
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
    pub fn give_time(&self, table: &LanguageTable, classes: &mut [Vec<Participant>]) -> Result<()> {
        let of_people = self.by_participant(&self.time.participants, "factors", classes)?;
        for (language, factor) in &self.time.languages {
            check_code(table, language).map_err(|why| anyhow!("{}: {why}", self.place(factor)))?;
        }
        for member in classes.iter_mut().flatten() {
            let language = member.submission.as_ref().ok().and_then(|program| {
                detect_language(table, &program.source, program.language.as_deref(), None).ok()
            });
            let of_language = language.and_then(|language| self.time.languages.get(&language.code));
            let own = of_people.get(&member.name).map(|factor| factor.value);
            member.hand_in.time_factor = match (own, of_language) {
                (Some(own), Some(other)) => Some(own.times(other.value)),
                (own, of_language) => own.or(of_language.map(|factor| factor.value)),
            };
        }
        Ok(())
    }

    /// The values by the names of participants; fails for a name that means none or several, and for two values of one
    /// participant.
    fn by_participant<'a, T>(
        &self,
        values: &'a BTreeMap<String, Placed<T>>,
        what: &str,
        classes: &[Vec<Participant>],
    ) -> Result<BTreeMap<String, &'a Placed<T>>> {
        let mut found = BTreeMap::new();
        for (called, value) in values {
            let place = self.place(value);
            let names = people_called(classes, called).with_context(|| place.clone())?;
            if names.is_empty() {
                let near = near_people(classes, called);
                let remedy = if near.is_empty() { format!("; {KNOWN_NAMES}") } else { one_line(&near) };
                bail!("{place}: {}: no such participant{remedy}", one_line(called));
            }
            for name in names {
                let other = found.insert(name.clone(), value);
                ensure!(other.is_none(), "{place}: {name} has two {what}; give one");
            }
        }
        Ok(found)
    }
}

/// The remedy for an unknown participant.
pub(super) const KNOWN_NAMES: &str = "give the name as the table shows it, or the number of the platform";

fn check_package(name: &str, place: &str, packages: &[PackageMax]) -> Result<()> {
    let known: Vec<&str> = packages.iter().map(|one| one.package.as_str()).collect();
    let near = match nearest_word(name, &known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the packages are {}", known.join(", ")),
    };
    ensure!(known.contains(&name), "{place}: no package `{name}`; {near}");
    Ok(())
}
