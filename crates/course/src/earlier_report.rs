//! An earlier report, for comparison with a new one.

use kopek_base::wording::shortened;
use kopek_package::package::Package;
use kopek_results::{CourseTotals, GradeChange, PackageReport, RowReport, StoredPackage};
use serde::{Deserialize, de::DeserializeOwned};

/// An earlier report, read from its `report.json`.
#[derive(Debug, Clone)]
pub struct EarlierReport {
    /// As the teacher names it.
    pub place: String,
    packages: Vec<StoredPackage<'static>>,
}

/// Why a file is not an earlier report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAReport {
    #[error("not a report of `kopek grade`: {0}")]
    Other(String),
    #[error(
        "another version of kopek wrote this report: {0}; grade the hand-ins of then with this version, and compare with \
            that report"
    )]
    OtherVersion(String),
}

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
        let heads: Vec<ReportHead> =
            one_or_many(text).map_err(|error| NotAReport::Other(error.to_string()))?;
        if heads.is_empty() {
            return Err(NotAReport::Other("it has no packages".to_owned()));
        }
        if heads.iter().any(|head| head.version != Some(StoredPackage::VERSION)) {
            return Err(NotAReport::OtherVersion(format!("its `version` is not {}", StoredPackage::VERSION)));
        }
        let packages = one_or_many(text).map_err(|error| NotAReport::OtherVersion(error.to_string()))?;
        Ok(EarlierReport { place: place.to_owned(), packages })
    }

    /// The totals by rules; `None`: they were the sums of the packages' points.
    pub(super) fn total_rules(&self) -> Option<&CourseTotals> {
        self.packages.iter().find_map(|stored| stored.sheet.as_deref())
    }

    /// The changes that it lists itself.
    pub(super) fn changes(&self) -> impl Iterator<Item = GradeChange> {
        let of_packages = self.packages.iter().flat_map(|stored| {
            let changes = stored.changes.iter().flatten();
            let package = Some(stored.package.name.clone());
            changes.map(move |change| GradeChange { package: package.clone(), ..change.clone().into_owned() })
        });
        let first = self.packages.iter().take(1);
        of_packages
            .chain(first.flat_map(|stored| &stored.total_changes).map(|change| change.clone().into_owned()))
    }

    /// Whether it has numbers instead of names.
    pub fn is_anonymous(&self) -> bool {
        self.packages.iter().any(|stored| stored.anonymous)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.packages().flat_map(|package| &package.rows).map(|row| row.card.name.as_str())
    }

    /// Names of its packages that are none of these.
    pub fn packages_besides(&self, packages: &[&Package]) -> Vec<&str> {
        let is_among = |own: &&PackageReport| {
            packages.iter().any(|package| is_same(own, &package.name, package.about.uuid.as_deref()))
        };
        self.packages().filter(|own| !is_among(own)).map(|own| own.name.as_str()).collect()
    }

    /// Fails if it has nothing of a package.
    pub fn check_package(&self, package: &Package) -> Result<(), OtherPackage> {
        let uuid = package.about.uuid.as_deref();
        if self.of_package(&package.name, uuid).is_some() {
            return Ok(());
        }
        let known: Vec<String> =
            self.packages().map(|own| identity(&own.name, own.uuid.as_deref())).collect();
        Err(OtherPackage {
            place: self.place.clone(),
            known: shortened(&known, 5, ", "),
            package: identity(&package.name, uuid),
        })
    }

    pub(super) fn of_report(&self, package: &PackageReport) -> Option<&PackageReport> {
        self.of_package(&package.name, package.uuid.as_deref())
    }

    /// The same package then: its folder may have had another name.
    fn of_package(&self, name: &str, uuid: Option<&str>) -> Option<&PackageReport> {
        // Copies of a package may still have its uuid.
        self.packages().filter(|own| is_same(own, name, uuid)).max_by_key(|own| own.name == name)
    }

    fn packages(&self) -> impl Iterator<Item = &PackageReport> {
        self.packages.iter().map(|stored| &*stored.package)
    }
}

/// The same person then, by the platform's number, which stays when a name is spelt in another way.
pub(super) fn row_then<'a>(earlier: &'a PackageReport, row: &RowReport) -> Option<&'a RowReport> {
    earlier.rows.iter().find(|earlier| match (&earlier.hand_in.id, &row.hand_in.id) {
        (Some(id), Some(own)) => id == own,
        (Some(_), None) | (None, _) => earlier.card.name == row.card.name,
    })
}

/// What all versions of a report have, and other JSON has not.
#[derive(Deserialize)]
struct ReportHead {
    #[serde(rename = "package")]
    _package: String,
    version: Option<u32>,
}

/// A report of one package is an object, one of several a list.
fn one_or_many<T: DeserializeOwned>(text: &str) -> serde_json::Result<Vec<T>> {
    if text.trim_start().starts_with('[') {
        serde_json::from_str(text)
    } else {
        serde_json::from_str(text).map(|one| vec![one])
    }
}

fn is_same(earlier: &PackageReport, name: &str, uuid: Option<&str>) -> bool {
    match (earlier.uuid.as_deref(), uuid) {
        (Some(then), Some(now)) => then == now,
        (Some(_), None) | (None, _) => earlier.name == name,
    }
}

/// `sums (uuid 8fd2f3f0-…)`.
fn identity(name: &str, uuid: Option<&str>) -> String {
    match uuid {
        Some(uuid) => format!("{name} (uuid {uuid})"),
        None => name.to_owned(),
    }
}
