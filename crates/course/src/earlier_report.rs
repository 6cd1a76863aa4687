//! An earlier report, for comparison with a new one.

use kopek_base::wording::shortened;
use kopek_package::{
    package::Package,
    points::{Points, exact_json},
};
use kopek_results::{GradeChange, HandChange, PackageReport, RowByHand, RowReport};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// An earlier report, read from its `report.json`.
#[derive(Debug, Clone)]
pub struct EarlierReport {
    /// As the teacher names it.
    pub place: String,
    packages: Vec<EarlierPackage>,
}

/// What a report of a package said.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct EarlierPackage {
    package: String,
    uuid: Option<String>,
    pub(super) participants: Vec<EarlierRow>,
    pub(super) sheet: Option<EarlierTotals>,
    #[serde(default)]
    changes: Option<Vec<GradeChange>>,
    #[serde(default)]
    total_changes: Vec<GradeChange>,
    pub(super) setting: Option<String>,
    pub(super) case_digests: Option<BTreeMap<String, String>>,
    #[serde(default)]
    pub(super) excluded_cases: BTreeSet<String>,
    pub(super) time_limit_seconds: Option<f64>,
    #[serde(default)]
    anonymous: bool,
}

/// The totals, the same in all packages.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct EarlierTotals {
    #[serde(default, with = "exact_json")]
    pub(super) max: Option<Points>,
    #[serde(default, with = "exact_json")]
    pub(super) round: Option<Points>,
    pub(super) totals: Vec<EarlierTotal>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct EarlierTotal {
    pub(super) name: String,
    #[serde(default)]
    pub(super) parts: Vec<EarlierPart>,
    pub(super) by_hand: Option<HandChange>,
    #[serde(default, with = "exact_json")]
    pub(super) points: Option<Points>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct EarlierPart {
    pub(super) package: String,
    #[serde(default, with = "exact_json")]
    pub(super) weight: Option<Points>,
    pub(super) counts: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct EarlierRow {
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) email: Option<String>,
    #[serde(default, with = "exact_json")]
    pub(super) points: Option<Points>,
    pub(super) verdict: Option<String>,
    pub(super) program: Option<String>,
    pub(super) entry: Option<String>,
    pub(super) time_factor: Option<String>,
    pub(super) deduction: Option<EarlierDeduction>,
    pub(super) by_hand: Option<RowByHand>,
    #[serde(default)]
    pub(super) groups: Vec<EarlierGroup>,
    #[serde(default)]
    pub(super) decided: Vec<EarlierDecision>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct EarlierDeduction {
    pub(super) reason: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct EarlierGroup {
    pub(super) name: String,
    #[serde(default, with = "exact_json")]
    pub(super) points: Option<Points>,
    pub(super) verdict: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct EarlierDecision {
    pub(super) case: String,
}

/// Why a file is not an earlier report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a report of `kopek grade`: {0}")]
pub struct NotAReport(String);

/// An earlier report has nothing of a package.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: a report of {known}, not of {package}; give a report of the same package")]
pub struct OtherPackage {
    place: String,
    known: String,
    package: String,
}

impl EarlierReport {
    /// Reads the output of `kopek grade --format json`.
    pub fn parse(place: &str, text: &str) -> Result<EarlierReport, NotAReport> {
        let read: serde_json::Result<Vec<EarlierPackage>> = if text.trim_start().starts_with('[') {
            serde_json::from_str(text)
        } else {
            serde_json::from_str(text).map(|one| vec![one])
        };
        let packages = read.map_err(|error| NotAReport(error.to_string()))?;
        if packages.is_empty() {
            return Err(NotAReport("it has no packages".to_owned()));
        }
        Ok(EarlierReport { place: place.to_owned(), packages })
    }

    /// The totals by rules; `None`: they were the sums of the packages' points.
    pub(super) fn total_rules(&self) -> Option<&EarlierTotals> {
        self.packages.iter().find_map(|package| package.sheet.as_ref())
    }

    /// The changes that it lists itself.
    pub(super) fn changes(&self) -> impl Iterator<Item = GradeChange> {
        let of_packages = self.packages.iter().flat_map(|package| {
            let changes = package.changes.iter().flatten();
            changes.map(|change| GradeChange { package: Some(package.package.clone()), ..change.clone() })
        });
        of_packages.chain(self.packages.iter().take(1).flat_map(|package| package.total_changes.clone()))
    }

    /// Whether it has numbers instead of names.
    pub fn is_anonymous(&self) -> bool {
        self.packages.iter().any(|package| package.anonymous)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.packages.iter().flat_map(|package| &package.participants).map(|row| row.name.as_str())
    }

    /// Names of its packages that are none of these.
    pub fn packages_besides(&self, packages: &[&Package]) -> Vec<&str> {
        let is_among = |own: &&EarlierPackage| {
            packages.iter().any(|package| own.is_of(&package.name, package.about.uuid.as_deref()))
        };
        self.packages.iter().filter(|own| !is_among(own)).map(|own| own.package.as_str()).collect()
    }

    /// Fails if it has nothing of a package.
    pub fn check_package(&self, package: &Package) -> Result<(), OtherPackage> {
        let uuid = package.about.uuid.as_deref();
        if self.of_package(&package.name, uuid).is_some() {
            return Ok(());
        }
        let known: Vec<String> =
            self.packages.iter().map(|own| identity(&own.package, own.uuid.as_deref())).collect();
        Err(OtherPackage {
            place: self.place.clone(),
            known: shortened(&known, 5, ", "),
            package: identity(&package.name, uuid),
        })
    }

    pub(super) fn of_report(&self, package: &PackageReport) -> Option<&EarlierPackage> {
        self.of_package(&package.name, package.uuid.as_deref())
    }

    /// The same package then: its folder may have had another name.
    fn of_package(&self, name: &str, uuid: Option<&str>) -> Option<&EarlierPackage> {
        let same = self.packages.iter().filter(|own| own.is_of(name, uuid));
        // Copies of a package may still have its uuid.
        same.max_by_key(|own| own.package == name)
    }
}

impl EarlierPackage {
    /// The same person then, by the platform's number, which stays when a name is spelt in another way.
    pub(super) fn row_of(&self, row: &RowReport) -> Option<&EarlierRow> {
        self.participants.iter().find(|earlier| match (&earlier.id, &row.hand_in.id) {
            (Some(id), Some(own)) => id == own,
            (Some(_), None) | (None, _) => earlier.name == row.card.name,
        })
    }

    fn is_of(&self, name: &str, uuid: Option<&str>) -> bool {
        match (self.uuid.as_deref(), uuid) {
            (Some(then), Some(now)) => then == now,
            (Some(_), None) | (None, _) => self.package == name,
        }
    }
}

/// `sums (uuid 8fd2f3f0-…)`.
fn identity(name: &str, uuid: Option<&str>) -> String {
    match uuid {
        Some(uuid) => format!("{name} (uuid {uuid})"),
        None => name.to_owned(),
    }
}
