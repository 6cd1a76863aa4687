//! Files beside a case for people: nothing of them is run.

use crate::package::{Case, Package, disk::Disk};
use anyhow::{Context, Result};
use std::path::PathBuf;

/// Files beside a case.
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
        illustration: ["png", "jpg", "jpeg", "svg"].into_iter().find_map(find),
    })
}
