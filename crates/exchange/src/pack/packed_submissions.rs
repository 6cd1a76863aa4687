//! `submissions/`: in legacy the directory alone says the expected verdict.

use super::{losses::Loss, pack_layout::PackLayout, target::Target};
use anyhow::Result;
use kopek_engine::{
    package::{Claim, Expectation, Rule, Submission, fill_constants, glob_matches},
    points::Points,
    verdict::Class,
};
use std::collections::BTreeSet;

/// Directories, and the verdict that a submission in it must get at least once.
const DIRECTORIES: &[(&str, Class, &str)] = &[
    ("accepted", Class::Ac, "CORRECT"),
    ("wrong_answer", Class::Wa, "WRONG-ANSWER"),
    ("time_limit_exceeded", Class::Tle, "TIMELIMIT"),
    ("run_time_error", Class::Rte, "RUN-ERROR"),
];

/// The place of a submission.
enum SubmissionHome {
    /// Into this directory.
    Directory(&'static str),
    /// Into no directory of one verdict: any of these.
    Mixed(BTreeSet<Class>),
}

impl PackLayout<'_> {
    pub fn add_submissions(&mut self) -> Result<()> {
        for submission in &self.package.submissions {
            let name = submission.name.rsplit('/').next().unwrap_or(&submission.name);
            match self.home_of(submission) {
                SubmissionHome::Directory(directory) => self.add_submission(submission, directory, name)?,
                SubmissionHome::Mixed(classes) if self.target == Target::Domjudge => {
                    self.add_mixed(submission, name, &classes)?
                }
                SubmissionHome::Mixed(_) => {
                    let place = format!("submissions/{}", submission.name);
                    self.report_loss(Loss::MixedSubmission, place, &[]);
                }
            }
        }
        Ok(())
    }

    fn home_of(&self, submission: &Submission) -> SubmissionHome {
        let claims: Vec<&Claim> = self
            .package
            .claims
            .iter()
            .filter(|claim| claim.cases.is_none() && glob_matches(&claim.submissions, &submission.name))
            .collect();
        if self.target == Target::Kattis && self.is_partial(&claims) {
            return SubmissionHome::Directory("partially_accepted");
        }
        let own = submission.name.split('/').next().unwrap_or("");
        if let Some((directory, _, _)) = DIRECTORIES.iter().find(|(name, _, _)| *name == own) {
            return SubmissionHome::Directory(directory);
        }
        let classes = expected_classes(&claims);
        match DIRECTORIES.iter().find(|(_, class, _)| classes.len() == 1 && classes.contains(class)) {
            Some((directory, _, _)) => SubmissionHome::Directory(directory),
            None => SubmissionHome::Mixed(classes),
        }
    }

    /// Whether a claim gives it a part of the points: Kattis calls that accepted.
    fn is_partial(&self, claims: &[&Claim]) -> bool {
        let Some(most) = self.package.kind.scoring.then(|| self.greatest_score()).flatten() else {
            return false;
        };
        let partial = |expectation: &Expectation| matches!(expectation, Expectation::Score { least, greatest } if *least > Points::zero() && *greatest < most);
        claims.iter().flat_map(|claim| &claim.expectations).any(partial)
    }

    fn greatest_score(&self) -> Option<Points> {
        match &self.tests.root.rule {
            Rule::Modern { max_score, .. } => max_score.clone(),
            Rule::Legacy(rule) => rule.range.1.clone(),
        }
    }

    fn add_submission(&mut self, submission: &Submission, directory: &str, name: &str) -> Result<()> {
        let mut at = format!("submissions/{directory}/{name}");
        if self.has(&at) {
            at = format!("submissions/{directory}/{}", submission.name.replace('/', "-"));
        }
        for (path, file) in file_places(submission, &at) {
            self.add_filled(path, &file)?;
        }
        Ok(())
    }

    /// DOMjudge reads the expected verdicts in the source.
    fn add_mixed(&mut self, submission: &Submission, name: &str, classes: &BTreeSet<Class>) -> Result<()> {
        self.add_submission(submission, "mixed", name)?;
        let words: Vec<&str> = DIRECTORIES
            .iter()
            .filter(|(_, class, _)| classes.contains(class))
            .map(|(_, _, word)| *word)
            .collect();
        let first = file_places(submission, &format!("submissions/mixed/{name}")).into_iter().next();
        let is_result = |one: &Expectation| matches!(one, Expectation::Result(_));
        let tagged = submission.tags.iter().any(|claim| claim.expectations.iter().any(is_result));
        let Some((path, file)) = first.filter(|_| !tagged && !words.is_empty()) else { return Ok(()) };
        let words = words.join(", ");
        let source = std::fs::read_to_string(&file).unwrap_or_default();
        let source = fill_constants(&source, &self.package.constants);
        match with_comment(&path, &source, &format!("@EXPECTED_RESULTS@: {words}")) {
            Some(text) => self.add_text(path, text),
            None => {
                let place = format!("submissions/{}", submission.name);
                self.report_loss(Loss::MixedExpectation, place, &[&words]);
            }
        }
        Ok(())
    }
}

/// The verdicts that claims allow, without accepted if there are others.
fn expected_classes(claims: &[&Claim]) -> BTreeSet<Class> {
    let required = claims.iter().filter_map(|claim| claim.required().cloned());
    let permitted = claims.iter().filter_map(|claim| claim.permitted().cloned());
    let all = BTreeSet::from([Class::Ac, Class::Wa, Class::Tle, Class::Rte]);
    let mut left = permitted.fold(all, |left, set| &left & &set);
    // A required verdict that is not permitted is ignored.
    left = required.fold(left, |left, set| if left.is_disjoint(&set) { left } else { &left & &set });
    if left.len() > 1 {
        // A wrong submission may be accepted on many cases: that decides no directory.
        left.remove(&Class::Ac);
    }
    left
}

/// The place of its files: a single file, or a directory for several.
fn file_places(submission: &Submission, at: &str) -> Vec<(String, std::path::PathBuf)> {
    let lone = submission.source.files.len() == 1
        && submission.name.ends_with(&*submission.source.files[0].to_string_lossy());
    let place = |file: &std::path::PathBuf| match lone {
        true => at.to_owned(),
        false => format!("{at}/{}", file.display()),
    };
    submission.source.files.iter().map(|file| (place(file), submission.source.root.join(file))).collect()
}

/// The source with a comment in a line of its own; `None`: there is no safe place for one.
pub fn with_comment(path: &str, source: &str, comment: &str) -> Option<String> {
    const SLASHES: &[&str] =
        &["c", "cc", "cpp", "java", "rs", "go", "js", "ts", "kt", "cs", "scala", "swift", "pas"];
    const HASHES: &[&str] = &["py", "py3", "rb", "pl", "sh"];
    let (_, ending) = path.rsplit_once('.')?;
    let start = match ending {
        // A program prints what is outside of its tags, so a comment at the end could be part of the output.
        "php" => return Some(format!("<?php\n// {comment}\n{}", source.strip_prefix("<?php\n")?)),
        "hs" | "lua" => "--",
        _ if SLASHES.contains(&ending) => "//",
        _ if HASHES.contains(&ending) => "#",
        _ => return None,
    };
    Some(format!("{}\n{start} {comment}\n", source.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::with_comment;

    #[test]
    fn a_comment_is_never_part_of_the_output() {
        for (path, source, expected) in [
            ("a.py", "print(1)\n\n", Some("print(1)\n# x\n")),
            ("a.php", "<?php\necho 1;\n?>\n", Some("<?php\n// x\necho 1;\n?>\n")),
            ("a.php", "1<?php echo 1;\n", None),
            ("a.txt", "1\n", None),
        ] {
            assert_eq!(with_comment(path, source, "x").as_deref(), expected, "{source}");
        }
    }
}
