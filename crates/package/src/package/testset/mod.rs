//! Reads `data/` into a test set.
//!
//! The tree is walked once, and settings are inherited on the way down. Then several threads compute the
//! digests of all files.

mod case_digests;
mod case_settings;
mod data_folder;
mod data_reader;
mod group_config;
mod group_demands;
mod legacy_data;
mod modern_data;
mod test_case;
mod validation_data;

use super::{
    CASE_PICTURES, Case, ClaimOrigin, Format, Group, Member, Package, RECIPE_FILE, Rule, StaticScore,
    TestSet, cause::sorted_findings, disk::Disk, glob::Pattern, glob_fault,
};
use crate::package::Message;
pub use case_digests::data_beside_cases;

use anyhow::{Context, Result};
use std::path::PathBuf;

/// The package has no secret cases. Contains the rest, such as samples.
#[derive(Debug, Clone, thiserror::Error)]
#[error("no cases in {}; {}", .dir.join("data/secret").display(), self.remedy())]
pub struct NoCases {
    pub dir: PathBuf,
    /// Whether a recipe could generate cases.
    pub recipe: bool,
    /// The test data that was read.
    pub tests: Box<TestSet>,
    pub findings: Vec<Message>,
}

impl NoCases {
    fn remedy(&self) -> String {
        if self.recipe {
            return format!("run `kopek generate {}`", self.dir.display());
        }
        "put an .in and an .ans file there for each case, or a recipe into generators/generators.yaml".into()
    }
}

/// Reads all test data of a package. Fails with [`NoCases`] if there is no secret case (yet), and if a file
/// cannot be read.
pub fn read_tests(package: &Package) -> Result<(TestSet, Vec<Message>)> {
    let disk = Disk::open(&package.dir, package.links)
        .with_context(|| format!("read test data of {}", package.dir.display()))?;
    let mut findings = Vec::new();
    let mut set = match package.data {
        Format::V2025_09 => modern_data::test_set(package, &disk, &mut findings),
        Format::Legacy => legacy_data::test_set(package, &disk, &mut findings),
    };
    report_unmatched_patterns(package, &set, &mut findings);
    case_digests::fill_digests(&mut set, &disk, &package.known_files)?;
    let findings = sorted_findings(findings);
    if has_secret(&set) {
        return Ok((set, findings));
    }
    let recipe = disk.path(RECIPE_FILE).is_file();
    Err(NoCases { dir: package.dir.clone(), recipe, tests: Box::new(set), findings }.into())
}

/// Reports patterns of claims that match no group and no case.
fn report_unmatched_patterns(package: &Package, set: &TestSet, findings: &mut Vec<Message>) {
    let mut names: Vec<&str> = set.cases.iter().map(|case| case.name.as_str()).collect();
    group_names(&set.root, &mut names);
    for claim in &package.claims {
        let (Some(pattern), ClaimOrigin::Declared(at)) = (&claim.cases, &claim.origin) else { continue };
        let read = Pattern::new(pattern);
        if glob_fault(pattern).is_none() && !names.iter().any(|name| read.matches(name)) {
            let finding =
                Message::warning(&at.file, format!("`{pattern}` matches no group and no case")).line(at.line);
            findings.push(finding.todo("patterns are relative to data/, as in `secret/1`"));
        }
    }
}

fn group_names<'a>(group: &'a Group, names: &mut Vec<&'a str>) {
    names.push(&group.name);
    for member in &group.members {
        if let Member::Group(below) = member {
            group_names(below, names);
        }
    }
}

fn has_secret(set: &TestSet) -> bool {
    let secret = |member: &Member| match member {
        Member::Group(group) => group.name == "secret" && has_cases(group),
        Member::Case(_) => false,
    };
    set.root.members.iter().any(secret)
}

fn has_cases(group: &Group) -> bool {
    // Static validation is a case of its own: in the format, it may be the only case of a group.
    let has_static = matches!(
        &group.rule,
        Rule::Modern { static_validation: Some(StaticScore::PassFail | StaticScore::Points(_)), .. }
    );
    let member = |member: &Member| match member {
        Member::Case(_) => true,
        Member::Group(group) => has_cases(group),
    };
    has_static || group.members.iter().any(member)
}

/// Files beside a case for people: nothing of them is run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extras {
    /// `.out`: shown instead of the answer; the output validator must accept it.
    pub output: Option<PathBuf>,
    /// `.interaction`: a dialogue, shown instead of input and answer.
    pub interaction: Option<PathBuf>,
    /// `.in.statement`: shown instead of the input.
    pub input_shown: Option<PathBuf>,
    /// `.ans.statement`: shown instead of the answer.
    pub answer_shown: Option<PathBuf>,
    /// `.in.download`: downloaded instead of the input.
    pub input_given: Option<PathBuf>,
    /// `.ans.download`: downloaded instead of the answer.
    pub answer_given: Option<PathBuf>,
    /// A picture of the case.
    pub illustration: Option<PathBuf>,
}

/// Finds the extra files of a case.
pub fn case_extras(package: &Package, case: &Case) -> Result<Extras> {
    let disk = Disk::open(&package.dir, package.links)
        .with_context(|| format!("read test data of {}", package.dir.display()))?;
    let find = |ending: &str| {
        let item = disk.item(format!("data/{}.{ending}", case.name), &mut Vec::new());
        item.filter(|item| !item.is_dir).map(|item| disk.path(item.path))
    };
    Ok(Extras {
        output: find("out"),
        interaction: find("interaction"),
        input_shown: find("in.statement"),
        answer_shown: find("ans.statement"),
        input_given: find("in.download"),
        answer_given: find("ans.download"),
        illustration: CASE_PICTURES.into_iter().find_map(find),
    })
}
