//! A conversation without a package: the user's own input and answer as the only case.

use super::{AdaptChecker, LooseJudge};
use crate::loading::LoadedPackage;
use anyhow::{Context, Result};
use kopek_package::package::{LooseCase, Package, loose_package, loose_tests};
use std::{
    fs,
    path::{Path, PathBuf},
};

pub struct LooseTalk<'a> {
    pub judge: LooseJudge<'a>,
    pub adapt: &'a AdaptChecker<'a>,
    /// `None`: they are empty.
    pub input: Option<&'a Path>,
    pub answer: Option<&'a Path>,
}

impl LooseTalk<'_> {
    /// The package of the conversation. Writes its files into the directory `aside`.
    pub fn load(&self, aside: &Path) -> Result<LoadedPackage> {
        fs::create_dir(aside.join("data")).context("make a directory for the judge")?;
        let judge = self.judge.read(aside, self.adapt)?;
        let copy = |from: Option<&Path>, name: &str| -> Result<PathBuf> {
            let to = aside.join("data").join(name);
            match from {
                Some(from) => drop(fs::copy(from, &to).with_context(|| format!("read {}", from.display()))?),
                None => fs::write(&to, "").context("make an empty file for the judge")?,
            }
            Ok(to)
        };
        let case = LooseCase {
            name: "talk".into(),
            input: copy(self.input, "talk.in")?,
            answer: copy(self.answer, "talk.ans")?,
        };
        let mut package = Package { judge, ..loose_package("talk", aside) };
        package.kind.interactive = self.judge.is_interactive();
        Ok(LoadedPackage::new(package, loose_tests("sample", &[case], &[])?))
    }
}
