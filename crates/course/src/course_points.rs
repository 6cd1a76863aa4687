//! From the points of packages to the points that count: late penalties, weights, the best problems, the scale, rounding.
//! All of it is exact until totals are rounded.

use super::{
    course_values::{PointWeight, PositivePoints, ProblemCount},
    late_rule::LateRule,
    placed_value::{Placed, list},
};
use kopek_base::PersonName;
use kopek_package::{
    package::{Lateness, PointsByHand, PointsChange, RowPlace},
    points::Points,
};
use kopek_results::{
    CourseTotal, CourseTotals, Deduction, LateSteps, PackageReport, RowReport, RowsOfParticipant, TotalPart,
    change_total, rows_by_name,
};
use kopek_sentences::{Decimal, Said};
use serde::Deserialize;
use std::{cmp::Reverse, collections::BTreeMap, time::Duration};

/// What being late costs, and what lateness is free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateTerms {
    pub rule: LateRule,
    /// Free for each hand-in.
    pub grace: Duration,
    /// Free for each participant in all, used in the order of the packages.
    pub budget: Duration,
}

impl LateTerms {
    /// Deducts points of all late hand-ins. There is one row for each participant of a package.
    pub fn deduct(&self, packages: &mut [PackageReport]) {
        let mut budgets: BTreeMap<String, Duration> = BTreeMap::new();
        for row in packages.iter_mut().flat_map(|package| &mut package.rows) {
            let Some(Lateness::By(late)) = row.hand_in.late else { continue };
            let budget = budgets.entry(row.card.name.clone()).or_insert(self.budget);
            // A penalty cannot take off anything, so the budget is for other problems.
            let is_worthless = row.reached().is_some_and(|points| is_nothing(&points));
            let usable = if is_worthless { Duration::ZERO } else { *budget };
            let steps = self.steps(row.hand_in.extension, late, usable);
            *budget -= steps.budget;
            if let Some(deduction) = self.deduction(row, steps.counted) {
                row.take_off(deduction);
            }
            row.late_steps = Some(steps).filter(LateSteps::spare_something);
        }
    }

    fn steps(&self, extension: Duration, late: Duration, budget: Duration) -> LateSteps {
        let mut counted = late;
        let mut spare = |max: Duration| {
            let spared = counted.min(max);
            counted -= spared;
            spared
        };
        let extension = spare(extension);
        let grace = spare(self.grace);
        let budget = spare(budget);
        LateSteps { extension, grace, budget, counted }
    }

    fn deduction(&self, row: &RowReport, late: Duration) -> Option<Deduction> {
        let reached = row.reached().filter(|points| !is_nothing(points))?;
        self.rule.deduction(&reached, late)
    }

    /// The late rule with its grace and budget, in sentences.
    pub fn said(&self) -> Vec<Said> {
        let mut all = self.rule.said();
        if !self.grace.is_zero() {
            all.push(Said::GraceOf { span: self.grace.into() });
        }
        if !self.budget.is_zero() {
            all.push(Said::BudgetOf { span: self.budget.into() });
        }
        all
    }
}

/// Whether a penalty can take off nothing.
fn is_nothing(points: &Points) -> bool {
    points.is_zero() || points.is_negative()
}

/// How the points of packages become a total.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct PointRules {
    /// The greatest total; `None`: the sum of the packages' points.
    pub scale: Option<Placed<PositivePoints>>,
    /// By package; 1 for the others.
    pub weights: BTreeMap<String, Placed<PointWeight>>,
    /// How many packages count, the best ones.
    pub best: Option<Placed<ProblemCount>>,
    /// Packages whose points are added to the maximum.
    #[serde(deserialize_with = "list")]
    pub bonus: Vec<Placed<String>>,
    /// Totals are rounded to multiples of it.
    pub round: Option<Placed<PositivePoints>>,
    /// Whether totals above the greatest one count as it.
    pub cap: bool,
}

/// A package, and the greatest number of its points; `None`: unbounded.
#[derive(Debug, Clone)]
pub struct PackageMax {
    pub package: String,
    pub max: Option<Points>,
}

/// Why points cannot be scaled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoScale {
    #[error("{0} has no greatest number of points, so totals cannot be weighted or scaled")]
    Unbounded(String),
    #[error("no package that counts gives points, so totals cannot be weighted or scaled")]
    NoPoints,
    #[error("{place}: all packages together give at most {max} points, not {points}; write +5 for a bonus")]
    TooManyByHand { place: RowPlace, points: String, max: String },
}

/// The greatest total and sum.
struct GreatestTotal {
    total: Points,
    sum: Points,
}

impl PointRules {
    /// Whether totals are the sums of the packages' points.
    pub fn are_usual(&self) -> bool {
        *self == PointRules::default()
    }

    fn weight(&self, package: &str) -> Points {
        self.weights.get(package).map_or_else(Points::one, |weight| weight.value.0.clone())
    }

    pub fn is_bonus(&self, package: &str) -> bool {
        self.bonus.iter().any(|bonus| bonus.value == package)
    }

    fn count(&self) -> Option<usize> {
        self.best.as_ref().map(|best| best.value.0)
    }

    fn step(&self) -> Option<&Points> {
        self.round.as_ref().map(|step| &step.value.0)
    }

    /// The greatest total.
    pub fn max_total(&self, packages: &[PackageMax]) -> Result<Points, NoScale> {
        Ok(self.greatest(packages)?.total)
    }

    /// The greatest total with all bonus problems; `None`: not known.
    pub fn max_with_bonus(&self, packages: &[PackageMax]) -> Option<Points> {
        let GreatestTotal { total, sum } = self.greatest(packages).ok()?;
        if self.cap {
            return Some(total);
        }
        let mut most = sum.clone();
        for PackageMax { package, max } in packages.iter().filter(|one| self.is_bonus(&one.package)) {
            most = most + max.clone()? * self.weight(package);
        }
        Some(most * total / sum)
    }

    fn greatest(&self, packages: &[PackageMax]) -> Result<GreatestTotal, NoScale> {
        let mut all = Vec::new();
        for PackageMax { package, max } in packages.iter().filter(|one| !self.is_bonus(&one.package)) {
            let max = max.clone().ok_or_else(|| NoScale::Unbounded(package.clone()))?;
            all.push((max.clone() * self.weight(package), max));
        }
        all.sort_by_key(|(weighted, _)| Reverse(weighted.clone()));
        all.truncate(self.count().unwrap_or(all.len()));
        let sum: Points = all.iter().map(|(weighted, _)| weighted.clone()).sum();
        if sum.is_zero() || sum.is_negative() {
            return Err(NoScale::NoPoints);
        }
        let usual = all.into_iter().map(|(_, max)| max).sum();
        let total = self.scale.as_ref().map_or(usual, |scale| scale.value.0.clone());
        Ok(GreatestTotal { total, sum })
    }

    /// The totals of all participants.
    pub fn course_totals(
        &self,
        packages: &[PackageReport],
        max: &[PackageMax],
    ) -> Result<CourseTotals, NoScale> {
        let greatest = self.greatest(max)?;
        let mut totals = Vec::new();
        for (PersonName(name), rows) in rows_by_name(packages) {
            let mut total = self.total(name, self.parts(max, packages, &rows), &greatest);
            if let Some(given) = rows.iter().flatten().find_map(|row| row.hand_in.total_by_hand.as_ref()) {
                change_by_hand(&mut total, given, &greatest.total)?;
            }
            if self.cap && total.points.as_ref().is_some_and(|points| *points > greatest.total) {
                total.uncapped = total.points.replace(greatest.total.clone());
            }
            totals.push(total);
        }
        let GreatestTotal { total: max, sum: max_sum } = greatest;
        Ok(CourseTotals { max, max_sum, round: self.step().cloned(), totals })
    }

    /// The points of all packages of the course, and which of them count. Of equal ones the earlier count.
    fn parts(
        &self,
        course: &[PackageMax],
        packages: &[PackageReport],
        rows: &RowsOfParticipant,
    ) -> Vec<TotalPart> {
        let mut parts = Vec::new();
        for PackageMax { package, .. } in course {
            // The report of a part of a class may lack a package, whose points are not known then.
            let at = packages.iter().position(|one| one.name == *package);
            let points = at.and_then(|at| rows[at]).and_then(RowReport::worth);
            let weight = self.weight(package);
            let counts = self.is_bonus(package);
            parts.push(TotalPart { package: package.clone(), points, weight, counts });
        }
        let mut order: Vec<usize> = (0..parts.len()).filter(|&at| !parts[at].counts).collect();
        order.sort_by_key(|&at| Reverse(weighted(&parts[at])));
        for at in order.into_iter().take(self.count().unwrap_or(course.len())) {
            parts[at].counts = true;
        }
        parts
    }

    fn total(&self, name: &str, parts: Vec<TotalPart>, max: &GreatestTotal) -> CourseTotal {
        // An unknown part may be among the best.
        let is_known = parts.iter().all(|part| part.points.is_some());
        let counting = parts.iter().filter(|part| part.counts);
        let sum: Option<Points> = if is_known { counting.map(weighted).sum() } else { None };
        let scaled = sum.clone().map(|sum| sum * max.total.clone() / max.sum.clone());
        let points = match (&scaled, self.step()) {
            // A step that does not divide the maximum must not exceed it; a bonus by hand may.
            (Some(exact), Some(step)) if *exact <= max.total => {
                Some(exact.rounded_to(step).min(max.total.clone()))
            }
            (Some(exact), Some(step)) => Some(exact.rounded_to(step)),
            (exact, _) => exact.clone(),
        };
        CourseTotal { name: name.to_owned(), parts, sum, scaled, by_hand: None, uncapped: None, points }
    }

    /// A sentence for each rule.
    pub fn sentences(&self, packages: &[PackageMax]) -> Result<Vec<Said>, NoScale> {
        if self.are_usual() {
            return Ok(Vec::new());
        }
        let mut all = Vec::new();
        for (package, weight) in &self.weights {
            all.push(Said::WeightIs { package: package.clone(), factor: exact_text(&weight.value.0) });
        }
        if let Some(best) = self.count() {
            let others = packages.len() - self.bonus.len();
            all.push(Said::BestCount { number: best, count: Said::Problems { number: others }.into() });
        }
        for Placed { value: package, .. } in &self.bonus {
            all.push(Said::IsBonus { package: package.clone() });
        }
        all.push(Said::TotalIsOutOf { points: exact_text(&self.max_total(packages)?) });
        if self.cap {
            all.push(Said::TotalsCapped);
        }
        if let Some(step) = self.step() {
            all.push(Said::TotalsRounded { step: exact_text(step) });
        }
        Ok(all)
    }
}

/// All decimals: a rule is no result, which two describe well enough.
fn exact_text(points: &Points) -> Decimal {
    Decimal::new(points.exact_decimal().unwrap_or_else(|| points.to_string()))
}

fn change_by_hand(total: &mut CourseTotal, given: &PointsByHand, max: &Points) -> Result<(), NoScale> {
    if let Some(PointsChange::Set(points)) = &given.change
        && points > max
    {
        let [points, max] = [points, max].map(Points::to_string);
        return Err(NoScale::TooManyByHand { place: given.place.clone(), points, max });
    }
    let change = change_total(given, total.points.take());
    total.points.clone_from(&change.after);
    total.by_hand = Some(change);
    Ok(())
}

fn weighted(part: &TotalPart) -> Option<Points> {
    Some(part.points.clone()? * part.weight.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_base::Bytes;
    use kopek_package::package::{HandIn, NoSubmission, Participant};
    use kopek_results::{Noise, ResultKind};
    use kopek_sentences::Said;

    const HOUR: Duration = Duration::from_secs(3600);
    const DAY: Duration = Duration::from_secs(86_400);

    fn points(text: &str) -> Points {
        text.parse().unwrap()
    }

    fn row(name: &str, got: Option<u64>, late: Duration) -> RowReport {
        let hand_in =
            HandIn { late: Some(Lateness::By(late)).filter(|_| !late.is_zero()), ..HandIn::default() };
        let submission = Err(NoSubmission::Absent(Said::NothingHandedIn));
        let mut row =
            RowReport::unjudged(&Participant { name: name.into(), file: name.into(), hand_in, submission });
        row.card.points = got.map(Points::from);
        row
    }

    fn package(name: &str, max: u64, rows: Vec<RowReport>) -> PackageReport {
        let mut package = PackageReport {
            name: name.into(),
            uuid: None,
            title: String::new(),
            kind: ResultKind::Scoring,
            groups: Vec::new(),
            time_limit: Duration::from_secs(1),
            memory_limit: Bytes::mib(1),
            noise: Noise::default(),
            data: None,
            excluded: Vec::new(),
            rows,
        };
        package.rows.iter_mut().for_each(|row| row.card.max = Some(Points::from(max)));
        package
    }

    /// The points of ada in pairs (of 100), russia (of 100) and nim (of 40).
    fn packages(got: [u64; 3]) -> Vec<PackageReport> {
        let of = |name, max, got| package(name, max, vec![row("ada", Some(got), Duration::ZERO)]);
        vec![of("pairs", 100, got[0]), of("russia", 100, got[1]), of("nim", 40, got[2])]
    }

    fn terms(rule: &str) -> LateTerms {
        let rule = rule.parse().unwrap();
        LateTerms { rule, grace: Duration::ZERO, budget: Duration::ZERO }
    }

    fn max_of(package: &PackageReport) -> PackageMax {
        PackageMax { package: package.name.clone(), max: package.rows[0].card.max.clone() }
    }

    /// As the file has them.
    fn rules(text: &str) -> PointRules {
        toml::from_str(text).unwrap()
    }

    fn total(rules: &PointRules, packages: &[PackageReport]) -> CourseTotal {
        let max: Vec<PackageMax> = packages.iter().map(max_of).collect();
        rules.course_totals(packages, &max).unwrap().totals.remove(0)
    }

    #[test]
    fn lateness_is_reduced_by_extension_then_grace_then_budget() {
        let terms = LateTerms { grace: HOUR, budget: 12 * HOUR, ..terms("10 %/day") };
        let mut packages = [package(
            "pairs",
            100,
            vec![row("ada", Some(80), 2 * DAY), row("bob", Some(80), 2 * DAY), row("eve", Some(80), HOUR)],
        )];
        packages[0].rows[0].hand_in.extension = DAY;
        terms.deduct(&mut packages);
        let [ada, bob, eve] = [0, 1, 2].map(|at| &packages[0].rows[at]);
        // 48 h − 24 h − 1 h − 12 h = 11 h: a day begun, 10 % of 80.
        assert_eq!(ada.worth(), Some(Points::from(72)));
        assert_eq!(
            ada.late_steps.unwrap().said().to_string(),
            "2 days after the deadline; less 1 day of extension; less 1 hour of grace; less 12 hours of the \
                budget for lateness; 11 hours late"
        );
        // 48 h − 1 h − 12 h = 35 h: two days begun.
        assert_eq!(bob.worth(), Some(Points::from(64)));
        assert_eq!(eve.worth(), Some(Points::from(80)));
        assert!(eve.late_steps.unwrap().said().to_string().ends_with("less 1 hour of grace; in time"));
    }

    #[test]
    fn the_budget_is_used_in_the_order_of_the_packages() {
        let terms = LateTerms { budget: 3 * DAY, ..terms("10 %/day") };
        let of = |name| package(name, 100, vec![row("ada", Some(50), 2 * DAY)]);
        let mut packages = [of("pairs"), of("russia"), of("nim")];
        terms.deduct(&mut packages);
        let worth: Vec<Option<Points>> = packages.iter().map(|package| package.rows[0].worth()).collect();
        // Two days of three, the third one, and none.
        assert_eq!(worth, [50, 45, 40].map(|points| Some(Points::from(points))));
        assert_eq!(packages[2].rows[0].late_steps, None);
        // A problem without points needs no budget; one whose points are open may.
        let of = |got| package("pairs", 100, vec![row("ada", got, 2 * DAY)]);
        let mut packages = [of(Some(0)), of(None), of(Some(50))];
        terms.deduct(&mut packages);
        let used = packages.map(|package| package.rows[0].late_steps.map(|steps| steps.budget));
        assert_eq!(used, [None, Some(2 * DAY), Some(DAY)]);
    }

    #[test]
    fn weights_multiply_and_the_scale_divides_exactly() {
        let ada = total(&rules("scale = 10\nweights = { russia = 2 }"), &packages([60, 50, 20]));
        // 60 + 2 × 50 + 20 = 180 of 100 + 200 + 40 = 340.
        assert_eq!(ada.sum, Some(Points::from(180)));
        assert_eq!(ada.points, Some(Points::from(1800) / 340));
    }

    #[test]
    fn the_best_problems_count_by_their_weighted_points() {
        let ada = total(&rules("weights = { nim = 3 }\nbest = 2"), &packages([50, 70, 20]));
        // 70 and 3 × 20 of at most 120 and 100, shown out of the 40 and 100 points that the packages have.
        assert_eq!(ada.parts.iter().map(|part| part.counts).collect::<Vec<_>>(), [false, true, true]);
        assert_eq!(ada.sum, Some(Points::from(130)));
        assert_eq!(ada.points, Some(Points::from(130 * 140) / 220));
    }

    #[test]
    fn totals_are_rounded_last_and_only_a_bonus_exceeds_the_maximum() {
        // 150 of 240 are 6.25 of 10.
        let ada = total(&rules("scale = 10\nround = 0.5"), &packages([100, 50, 0]));
        assert_eq!((ada.scaled, ada.points), (Some(points("6.25")), Some(points("6.5"))));
        assert_eq!(
            total(&rules("scale = 10\nround = 4"), &packages([100, 100, 40])).points,
            Some(Points::from(10))
        );
        // Points by hand may exceed the maximum: 247.2 of 240 are 10.3 of 10.
        let mut bonus = packages([100, 100, 40]);
        bonus[0].rows[0].card.points = Some(points("107.2"));
        let ada = total(&rules("scale = 10\nround = \"0.5\""), &bonus);
        assert_eq!((ada.scaled, ada.points), (Some(points("10.3")), Some(points("10.5"))));
    }

    #[test]
    fn a_bonus_counts_beyond_the_maximum_and_beside_the_best() {
        let rules = rules("best = 1\nbonus = \"nim\"\nround = 0.5");
        let ada = total(&rules, &packages([100, 50, 20]));
        assert_eq!(ada.parts.iter().map(|part| part.counts).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(ada.points, Some(Points::from(120)));
        let capped = PointRules { cap: true, ..rules.clone() };
        let ada = total(&capped, &packages([100, 50, 20]));
        assert_eq!((ada.uncapped, ada.points), (Some(Points::from(120)), Some(Points::from(100))));
        let max: Vec<PackageMax> = packages([0; 3]).iter().map(max_of).collect();
        assert_eq!(
            [&rules, &capped].map(|rules| rules.max_with_bonus(&max)),
            [140, 100].map(|max| Some(max.into()))
        );
        assert_eq!(rules.max_total(&packages([0; 3]).iter().map(max_of).collect::<Vec<_>>()), Ok(100.into()));
    }

    #[test]
    fn an_unknown_part_leaves_the_total_unknown() {
        let rules = rules("best = 1");
        let packages = [
            package("pairs", 100, vec![row("ada", Some(100), Duration::ZERO)]),
            package("nim", 40, vec![row("ada", None, Duration::ZERO)]),
        ];
        assert_eq!(total(&rules, &packages).points, None);
        let max: Vec<PackageMax> = packages.iter().map(max_of).collect();
        // The report of a part of the class may lack a package.
        let part = rules.course_totals(&packages[..1], &max).unwrap().totals.remove(0);
        assert_eq!((part.points, part.parts.len()), (None, 2));
        let of = |max| PackageMax { package: "nim".into(), max };
        assert_eq!(rules.max_total(&[of(None)]), Err(NoScale::Unbounded("nim".into())));
        assert_eq!(rules.max_total(&[of(Some(Points::zero()))]), Err(NoScale::NoPoints));
    }

    #[test]
    fn every_rule_is_a_sentence() {
        let rules = rules(
            "scale = 10\nweights = { nim = 1.125 }\nbest = 1\nbonus = [\"extra\"]\nround = 0.5\ncap = true",
        );
        let of = |package: &str| PackageMax { package: package.into(), max: Some(Points::from(40)) };
        let sentences = rules.sentences(&[of("nim"), of("pairs"), of("extra")]).unwrap().into_iter();
        assert_eq!(
            sentences.map(|said| said.to_string()).collect::<Vec<_>>(),
            [
                "the points of nim count 1.125 times",
                "the best of 2 problems counts",
                "extra is a bonus: its points count beyond the maximum",
                "the total is out of 10 points",
                "totals above the maximum count as the maximum",
                "totals are rounded to multiples of 0.5, ties up"
            ]
        );
        let terms = LateTerms { grace: HOUR / 4, budget: 3 * DAY, ..terms("10 %/day") };
        assert_eq!(
            Said::Several { parts: terms.said() }.to_string(),
            "late hand-ins lose 10 % of the points reached for each day begun; grace of 15 minutes; \
                budget of 3 days for each participant, used in the order of the problems"
        );
    }
}
