//! A course: all that a teacher decides. A rule is one field, which the file and the command line fill.

use super::{
    course_file::{near_or_all, read_file},
    course_points::{LateTerms, PackageMax, TotalRules},
    course_tree::tree_of,
    course_values::{
        HuntTime, LatePenalty, Named, OnlyStandardLibrary, Origin, PointWeight, PositivePoints, ProblemCount,
        Sourced, TimeSpan, TotalCap, by_name,
    },
    report_folder::check_folder,
    unique_values::{UniqueValues, of_participants},
    worksheet_late::{Deadline, Extension},
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use kopek_judge::loading::find_packages;
use kopek_package::{
    language::{LanguageTable, check_code, detect_language},
    package::{Participant, TimeFactor},
    points::Points,
};
use kopek_results::{CourseTotals, FeedbackLevel, PackageReport, PageLanguage};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

/// The options of the command line have no `file`, and their paths are as they were given.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Course {
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// The keys of the file that the command line overrides or adds to.
    #[serde(skip)]
    pub changed: Vec<String>,
    #[serde(skip_serializing)]
    pub title: Option<Sourced<String>>,
    #[serde(skip_serializing)]
    pub problems: Vec<Sourced<PathBuf>>,
    /// Folders or archives: one for all problems, or one for each.
    #[serde(skip_serializing)]
    pub hand_ins: Vec<Sourced<PathBuf>>,
    #[serde(skip_serializing)]
    pub gradebook: Option<Sourced<PathBuf>>,
    /// The folder of the report.
    #[serde(skip_serializing)]
    pub out: Option<Sourced<PathBuf>>,
    /// Tables of several people.
    pub decisions: Vec<Sourced<PathBuf>>,
    pub points: PointRules,
    pub late: LateRules,
    pub time: TimeRules,
    #[serde(with = "by_name")]
    pub languages: Vec<Named<OnlyStandardLibrary>>,
    pub feedback: FeedbackRules,
    /// The members of each team, by names or numbers.
    #[serde(skip_serializing)]
    pub teams: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct PointRules {
    /// The greatest total.
    pub scale: Option<Sourced<PositivePoints>>,
    /// By package.
    #[serde(with = "by_name")]
    pub weights: Vec<Named<PointWeight>>,
    /// How many problems count, the best ones.
    pub best: Option<Sourced<ProblemCount>>,
    /// Packages whose points are beyond the maximum.
    pub bonus: Vec<Sourced<String>>,
    /// Totals are rounded to multiples of it.
    pub round: Option<Sourced<PositivePoints>>,
    pub cap: Option<Sourced<TotalCap>>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct LateRules {
    pub deadline: Option<Sourced<Deadline>>,
    /// One for all, or steps.
    pub rule: Vec<Sourced<LatePenalty>>,
    /// Free for each hand-in.
    pub grace: Option<Sourced<TimeSpan>>,
    /// Free for each participant in all.
    pub budget: Option<Sourced<TimeSpan>>,
    /// By participant.
    #[serde(with = "by_name")]
    pub extensions: Vec<Named<Extension>>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct TimeRules {
    #[serde(with = "by_name")]
    pub languages: Vec<Named<TimeFactor>>,
    #[serde(with = "by_name")]
    pub participants: Vec<Named<TimeFactor>>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct FeedbackRules {
    pub level: Option<Sourced<FeedbackLevel>>,
    /// Of pages and feedback for participants.
    pub language: Option<Sourced<PageLanguage>>,
    pub counterexamples: Option<Sourced<HuntTime>>,
}

/// The rules for totals, and the packages that they are for.
pub struct TotalPlan {
    pub rules: TotalRules,
    pub packages: Vec<PackageMax>,
    /// The greatest total; `None`: unbounded.
    pub max: Option<Points>,
}

impl TotalPlan {
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

impl Course {
    /// Reads a file, whose paths are relative to it. Only `out` may be new.
    pub fn read(file: &Path) -> Result<Course> {
        let mut course = read_file(file)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let Course { problems, hand_ins, gradebook, decisions, .. } = &mut course;
        let lists = [("problems", problems), ("hand-ins", hand_ins), ("decisions", decisions)];
        let paths = lists.into_iter().flat_map(|(key, list)| list.iter_mut().map(move |path| (key, path)));
        for (key, path) in paths.chain(gradebook.iter_mut().map(|path| ("gradebook", path))) {
            path.value = folder.join(&path.value);
            let place = path.value.display();
            ensure!(path.value.exists(), "{}: `{key}`: {place}: no such file or folder", path.from);
        }
        course.out.iter_mut().for_each(|out| out.value = folder.join(&out.value));
        let place = file.display();
        ensure!(!course.problems.is_empty(), "{place}: no `problems`; list the folders of the packages");
        ensure!(!course.hand_ins.is_empty(), "{place}: no `hand-ins`; name the folder or zip");
        course.file = Some(file.to_owned());
        Ok(course)
    }

    /// With the command line's options: values of it replace those of the file, and its lists are added.
    pub fn overlaid(mut self, options: Course) -> Course {
        self.changed = tree_of(&self).keys_in_both(&tree_of(&options));
        // Whole patterns, so that no new rule is forgotten here.
        let Course {
            file: _,
            changed: _,
            title,
            problems,
            hand_ins,
            gradebook,
            out,
            decisions,
            points: PointRules { scale, weights, best, bonus, round, cap },
            late: LateRules { deadline, rule, grace, budget, extensions },
            time: TimeRules { languages: factors, participants },
            languages,
            feedback: FeedbackRules { level, language, counterexamples },
            teams,
        } = options;
        lay(&mut self.title, title);
        self.problems.extend(problems);
        lay_list(&mut self.hand_ins, hand_ins);
        lay(&mut self.gradebook, gradebook);
        lay(&mut self.out, out);
        lay_list(&mut self.decisions, decisions);
        lay(&mut self.points.scale, scale);
        self.points.weights.extend(weights);
        lay(&mut self.points.best, best);
        lay_list(&mut self.points.bonus, bonus);
        lay(&mut self.points.round, round);
        lay(&mut self.points.cap, cap);
        lay(&mut self.late.deadline, deadline);
        lay_list(&mut self.late.rule, rule);
        lay(&mut self.late.grace, grace);
        lay(&mut self.late.budget, budget);
        self.late.extensions.extend(extensions);
        self.time.languages.extend(factors);
        self.time.participants.extend(participants);
        self.languages.extend(languages);
        lay(&mut self.feedback.level, level);
        lay(&mut self.feedback.language, language);
        lay(&mut self.feedback.counterexamples, counterexamples);
        self.teams.extend(teams);
        self
    }

    /// With the packages and, last, the hand-ins of the command line.
    pub fn with_paths(mut self, paths: &[PathBuf]) -> Course {
        let mut paths = paths.iter().map(|path| Sourced::option("PATH", path.clone()));
        self.hand_ins = paths.next_back().into_iter().collect();
        self.problems = paths.collect();
        self
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

    pub fn feedback_level(&self) -> Option<FeedbackLevel> {
        self.feedback.level.as_ref().map(|level| level.value)
    }

    /// How long to look for inputs on which a program fails; `None`: not at all.
    pub fn hunt_time(&self) -> Option<HuntTime> {
        self.feedback.counterexamples.as_ref().map(|time| time.value)
    }

    /// The places of the packages.
    pub fn problem_places(&self) -> Vec<PathBuf> {
        self.problems.iter().map(|path| path.value.clone()).collect()
    }

    /// The folders of the packages. Fails if the report would be written into one of them, or into the hand-ins.
    pub fn find_packages(&self) -> Result<Vec<PathBuf>> {
        let found = find_packages(&self.problem_places())?;
        if let Some(out) = self.out_place() {
            check_folder(out, &found, &self.hand_in_places())?;
        }
        Ok(found)
    }

    /// The lines that make options of the command line permanent.
    pub fn lines(&self) -> Vec<String> {
        tree_of(self).lines()
    }
}

impl Course {
    pub fn deadline(&self) -> Option<Deadline> {
        self.late.deadline.as_ref().map(|deadline| deadline.value)
    }

    /// The codes of languages without other modules.
    pub fn standard_library(&self, table: &LanguageTable) -> Result<Vec<String>> {
        let mut codes = Vec::new();
        for language in &self.languages {
            check_code(table, &language.name).map_err(|why| anyhow!("{}: {why}", language.from))?;
            codes.push(language.name.clone());
        }
        Ok(codes)
    }

    /// The rules for totals; fails if they do not fit the packages.
    pub fn total_plan(&self, packages: Vec<PackageMax>) -> Result<TotalPlan> {
        let PointRules { scale, best, bonus, round, cap, .. } = &self.points;
        for Sourced { value, from } in bonus {
            check_package(value, from, &packages)?;
        }
        let rules = TotalRules {
            scale: scale.as_ref().map(|scale| scale.value.0.clone()),
            weights: self.weights_of(&packages)?,
            best: best.as_ref().map(|best| best.value.0),
            bonus: bonus.iter().map(|package| package.value.clone()).collect(),
            round: round.as_ref().map(|round| round.value.0.clone()),
            cap: cap.as_ref().is_some_and(|cap| cap.value.0),
        };
        let most = packages.iter().filter(|one| !rules.bonus.contains(&one.package)).count();
        if let Some(best) = best.as_ref().filter(|best| best.value.0 > most) {
            let from = &best.from;
            bail!("{from}: best is {}, but there are only {most} problems", best.value.0);
        }
        let max = if rules.are_usual() {
            packages.iter().map(|one| one.max.clone()).try_fold(Points::zero(), |sum, max| Some(sum + max?))
        } else {
            let max = rules.max_total(&packages);
            Some(max.map_err(|why| anyhow!("{}: {why}", self.origin_of_totals()))?)
        };
        Ok(TotalPlan { rules, packages, max })
    }

    /// The place of one of the rules that make a total other than a sum.
    fn origin_of_totals(&self) -> String {
        let PointRules { scale, weights, best, bonus, round, cap } = &self.points;
        let origins = [
            scale.as_ref().map(|scale| &scale.from),
            weights.last().map(|weight| &weight.from),
            best.as_ref().map(|best| &best.from),
            bonus.last().map(|package| &package.from),
            round.as_ref().map(|round| &round.from),
            cap.as_ref().map(|cap| &cap.from),
        ];
        origins.into_iter().flatten().map(Origin::to_string).next().unwrap_or_default()
    }

    fn weights_of(&self, packages: &[PackageMax]) -> Result<BTreeMap<String, Points>> {
        let mut weights = UniqueValues::new("weights");
        for weight in &self.points.weights {
            check_package(&weight.name, &weight.from, packages)?;
            weights.add(weight.name.clone(), weight)?;
        }
        Ok(weights.values().into_iter().map(|(name, weight)| (name, weight.0)).collect())
    }

    /// Names the course of the rules; without a title, the file.
    pub fn rules_from(&self) -> Option<String> {
        let Course { file, title, changed, .. } = self;
        let file = file.as_ref()?.file_name()?.to_string_lossy();
        let name = title.as_ref().map_or(&*file, |title| &title.value);
        let changed = if changed.is_empty() {
            String::new()
        } else {
            format!(", with changes on the command line: {}", changed.join(", "))
        };
        Some(format!("rules of {name}{changed}"))
    }

    /// The rules in sentences.
    pub fn sentences(&self, totals: &TotalPlan) -> Result<Vec<String>> {
        let mut all = totals.rules.sentences(&totals.packages)?;
        for factor in &self.time.languages {
            all.push(format!("programs in {} have {} times the time limit", factor.name, factor.value));
        }
        for language in &self.languages {
            all.push(format!("programs in {} may use the standard library only", language.name));
        }
        Ok(all)
    }

    /// What being late costs; fails if there is grace or an extension without a penalty.
    pub fn late_terms(&self) -> Result<Option<LateTerms>> {
        let LateRules { rule, grace, budget, extensions, .. } = &self.late;
        let span =
            |span: &Option<Sourced<TimeSpan>>| span.as_ref().map_or(Duration::ZERO, |span| span.value.0);
        if let Some((first, rest)) = rule.split_first() {
            let mut whole = first.value.rule.clone();
            for Sourced { value, from } in rest {
                whole = whole.then(&value.rule).map_err(|why| anyhow!("{from}: `rule`: {why}"))?;
            }
            return Ok(Some(LateTerms { rule: whole, grace: span(grace), budget: span(budget) }));
        }
        let origins = [
            grace.as_ref().map(|grace| &grace.from),
            budget.as_ref().map(|budget| &budget.from),
            extensions.last().map(|extension| &extension.from),
        ];
        match origins.into_iter().flatten().next() {
            Some(origin) => bail!(
                "{origin}: without a late penalty there is no lateness to forgive; add `rule` to [late], or --late RULE"
            ),
            None => Ok(None),
        }
    }

    /// Whether an extension is a time, which needs the deadline.
    pub fn extends_to_times(&self) -> bool {
        self.late.extensions.iter().any(|extension| matches!(extension.value, Extension::Until(_)))
    }

    /// Records extensions in the class.
    pub fn extend(&self, classes: &mut [Vec<Participant>]) -> Result<()> {
        for (name, extension) in of_participants(&self.late.extensions, "extensions", classes)? {
            let span = extension.value.span(self.deadline()).ok_or_else(|| {
                anyhow!(
                    "{}: `{}` is a time, so the deadline must be given, too; give it, or a time span such as 2 days",
                    extension.from,
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
        let of_people = of_participants(&self.time.participants, "factors", classes)?;
        let mut of_languages = UniqueValues::new("factors");
        for factor in &self.time.languages {
            check_code(table, &factor.name).map_err(|why| anyhow!("{}: {why}", factor.from))?;
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

fn check_package(name: &str, from: &Origin, packages: &[PackageMax]) -> Result<()> {
    let known: Vec<&str> = packages.iter().map(|one| one.package.as_str()).collect();
    let near = || near_or_all(name, &known, "the packages");
    ensure!(known.contains(&name), "{from}: no package `{name}`; {}", near());
    Ok(())
}

fn lay_list<T>(own: &mut Vec<T>, option: Vec<T>) {
    if !option.is_empty() {
        *own = option;
    }
}

fn lay<T>(own: &mut Option<T>, option: Option<T>) {
    if option.is_some() {
        *own = option;
    }
}
