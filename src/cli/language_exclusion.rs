//! `--exclude-language`: leaves out programs in some languages, and says so.

use crate::{
    base::wording::shortened,
    language::{LanguageTable, check_code, detect_language},
    package::{Participant, Submission},
};
use anyhow::Result;

/// Languages to leave out.
#[derive(clap::Args)]
pub(super) struct LanguageExclusion {
    /// Skip this language, by its code in `kopek languages`; repeatable
    #[arg(long = "exclude-language", value_name = "ID")]
    codes: Vec<String>,
}

impl LanguageExclusion {
    /// The codes; fails if the table lacks one.
    pub(super) fn codes(&self, table: &LanguageTable) -> Result<&[String]> {
        self.codes.iter().try_for_each(|code| check_code(table, code))?;
        Ok(&self.codes)
    }

    /// Removes participants whose program is in such a language, and returns a line with their names.
    pub(super) fn leave_out(
        &self,
        table: &LanguageTable,
        classes: &mut [Vec<Participant>],
    ) -> Result<Option<String>> {
        let codes = self.codes(table)?;
        let mut names = Vec::new();
        for class in classes {
            class.retain(|one| {
                let is_out = one.submission.as_ref().is_ok_and(|of| is_in(of, table, codes));
                if is_out && !names.contains(&one.name) {
                    names.push(one.name.clone());
                }
                !is_out
            });
        }
        if names.is_empty() {
            return Ok(None);
        }
        let whose = shortened(&names, 10, ", ");
        Ok(Some(format!("not judged (--exclude-language {}): {whose}", codes.join(", "))))
    }
}

fn is_in(submission: &Submission, table: &LanguageTable, codes: &[String]) -> bool {
    let found = detect_language(table, &submission.source, submission.language.as_deref(), None);
    found.is_ok_and(|language| codes.contains(&language.code))
}
