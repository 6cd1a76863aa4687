//! A package of a course, ready for judging.

use super::course_points::PackageMax;
use kopek_class::DecidedPackage;
use kopek_judge::grade::{rules, run_limits};
use kopek_package::{
    package::{Package, TestSet, TimeFactor},
    verdict::Verdict,
};
use kopek_plan::score::{LegacyReading, refused_scorecard};

#[derive(Debug, Clone, Copy)]
pub struct CoursePackage<'a> {
    pub package: &'a Package,
    pub tests: &'a TestSet,
}

impl<'a> CoursePackage<'a> {
    pub fn name(self) -> &'a str {
        &self.package.name
    }

    /// Its groups, and what they give at most.
    pub fn decided(self) -> DecidedPackage {
        let rules = rules(self.package, self.tests, LegacyReading::Kattis);
        DecidedPackage {
            name: self.package.name.clone(),
            scoring: rules.scoring,
            card: refused_scorecard("", &rules, Verdict::NoProgram),
        }
    }

    pub fn max(self) -> PackageMax {
        let DecidedPackage { name, card, .. } = self.decided();
        PackageMax { package: name, max: card.max }
    }

    /// With its time limit multiplied.
    pub(super) fn with_time_factor(self, factor: Option<TimeFactor>) -> Package {
        let mut package = self.package.clone();
        if let Some(factor) = factor {
            package.limits.time = Some(factor.of(run_limits(&package).cpu));
        }
        package
    }
}
