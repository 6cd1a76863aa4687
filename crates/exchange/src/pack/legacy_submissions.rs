//! `submissions/`: in legacy the directory alone says the expected verdict.

use super::{
    losses::Loss,
    packed::{PackSource, Packed},
    target::Target,
    testdata_yaml::max_score,
};
use anyhow::Result;
use kopek_package::{
    package::{Claim, Expectation, Submission, glob_matches},
    points::Points,
    verdict::Class,
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Directories, and the verdict that a submission in it must get at least once.
const DIRECTORIES: &[(&str, Class, &str)] = &[
    ("accepted", Class::Ac, "CORRECT"),
    ("wrong_answer", Class::Wa, "WRONG-ANSWER"),
    ("time_limit_exceeded", Class::Tle, "TIMELIMIT"),
    ("run_time_error", Class::Rte, "RUN-ERROR"),
];

/// The place of a submission.
enum SubmissionHome {
    Directory(&'static str),
    /// Into no directory of one verdict: any of these.
    Mixed(BTreeSet<Class>),
}

pub fn add_submissions(source: &PackSource, packed: &mut Packed) -> Result<()> {
    for submission in &source.package.submissions {
        let name = submission.name.rsplit('/').next().unwrap_or(&submission.name);
        match home_of(source, submission) {
            SubmissionHome::Directory(directory) => {
                add_submission(source, packed, submission, directory, name)?;
            }
            SubmissionHome::Mixed(classes) if source.target == Target::Domjudge => {
                add_mixed(source, packed, submission, name, &classes)?;
            }
            SubmissionHome::Mixed(_) => {
                let place = format!("submissions/{}", submission.name);
                packed.report_loss(Loss::MixedSubmission, place, &[]);
            }
        }
    }
    Ok(())
}

fn home_of(source: &PackSource, submission: &Submission) -> SubmissionHome {
    let mut claims: Vec<&Claim> = source.package.claims.iter().collect();
    claims.retain(|claim| claim.cases.is_none() && glob_matches(&claim.submissions, &submission.name));
    if source.target == Target::Kattis && is_partial(source, &claims) {
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
fn is_partial(source: &PackSource, claims: &[&Claim]) -> bool {
    let whole = match max_score(&source.tests.root.rule) {
        Some(max) if source.package.kind.scoring => max,
        _ => return false,
    };
    claims.iter().flat_map(|claim| &claim.expectations).any(|expectation| match expectation {
        Expectation::Score { min, max } => *min > Points::zero() && max < whole,
        _ => false,
    })
}

/// Returns its files by their paths in the zip.
fn add_submission(
    source: &PackSource,
    packed: &mut Packed,
    submission: &Submission,
    directory: &str,
    name: &str,
) -> Result<Vec<(String, PathBuf)>> {
    let mut at = format!("submissions/{directory}/{name}");
    if packed.files.contains_key(&at) {
        at = format!("submissions/{directory}/{}", submission.name.replace('/', "-"));
    }
    let places = file_places(submission, &at);
    for (path, file) in &places {
        packed.add_filled(source, path, file)?;
    }
    Ok(places)
}

/// DOMjudge reads the expected verdicts in the source.
fn add_mixed(
    source: &PackSource,
    packed: &mut Packed,
    submission: &Submission,
    name: &str,
    classes: &BTreeSet<Class>,
) -> Result<()> {
    let places = add_submission(source, packed, submission, "mixed", name)?;
    let expected = DIRECTORIES.iter().filter(|(_, class, _)| classes.contains(class));
    let words = expected.map(|(_, _, word)| *word).collect::<Vec<_>>().join(", ");
    let is_result = |one: &Expectation| matches!(one, Expectation::Result(_));
    let tagged = submission.tags.iter().any(|claim| claim.expectations.iter().any(is_result));
    let Some((path, file)) = places.first().filter(|_| !tagged && !words.is_empty()) else { return Ok(()) };
    match with_comment(source, file, path, &format!("@EXPECTED_RESULTS@: {words}")) {
        Some(text) => packed.add_text(path, text),
        None => {
            let place = format!("submissions/{}", submission.name);
            packed.report_loss(Loss::MixedExpectation, place, &[&words]);
        }
    }
    Ok(())
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
fn file_places(submission: &Submission, at: &str) -> Vec<(String, PathBuf)> {
    let lone = submission.source.files.len() == 1
        && submission.name.ends_with(&*submission.source.files[0].to_string_lossy());
    let mut places = Vec::new();
    for file in &submission.source.files {
        let place = if lone { at.to_owned() } else { format!("{at}/{}", file.display()) };
        places.push((place, submission.source.root.join(file)));
    }
    places
}

/// The source with a comment in a line of its own; `None`: it is not text, or there is no safe place for a comment.
pub fn with_comment(source: &PackSource, file: &Path, path: &str, comment: &str) -> Option<String> {
    add_comment(path, &source.read_filled(file).ok()?, comment)
}

fn add_comment(path: &str, source: &str, comment: &str) -> Option<String> {
    const SLASHES: &[&str] =
        &["c", "cc", "cpp", "java", "rs", "go", "js", "ts", "kt", "cs", "scala", "swift", "pas"];
    const HASHES: &[&str] = &["py", "py3", "rb", "pl", "sh"];
    let (_, ending) = path.rsplit_once('.')?;
    let start = match ending {
        // PHP prints text outside its tags, so a comment at the end could become output.
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
    use super::add_comment;

    #[test]
    fn a_comment_is_never_part_of_the_output() {
        for (path, source, expected) in [
            ("a.py", "print(1)\n\n", Some("print(1)\n# x\n")),
            ("a.php", "<?php\necho 1;\n?>\n", Some("<?php\n// x\necho 1;\n?>\n")),
            ("a.php", "1<?php echo 1;\n", None),
            ("a.txt", "1\n", None),
        ] {
            assert_eq!(add_comment(path, source, "x").as_deref(), expected, "{source}");
        }
    }
}
