//! A conversation without a package: the user's own input and answer as the only case.

use super::{AdaptChecker, LOOSE_MEMORY, LOOSE_TIME, LooseJudge, make_data_folder};
use crate::loading::LoadedPackage;
use anyhow::{Context, Result};
use kopek_package::package::{LooseCase, LooseProblem, loose_package};
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
        make_data_folder(aside)?;
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
        let problem = LooseProblem {
            name: "talk".into(),
            dir: aside.to_owned(),
            judge,
            interactive: self.judge.is_interactive(),
            judge_args: Vec::new(),
            named_files: None,
            time_limit: LOOSE_TIME,
            memory_limit: LOOSE_MEMORY,
        };
        let (package, tests) = loose_package(problem, &[case])?;
        Ok(LoadedPackage::new(package, tests))
    }
}
