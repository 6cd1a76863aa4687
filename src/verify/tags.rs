//! What sources say of themselves: `@EXPECTED_RESULTS@` and its kin.

use super::{
    Bench, Level, Remark, Section, Verified,
    claims::final_verdict,
    counted,
    judged::{End, Seen},
};
use crate::{
    package::Submission,
    score::{GroupScore, State},
    verdict::{Class, Verdict},
};
use std::fs;

/// Checks the tags of every submission whose results are known.
pub fn check(_bench: &Bench, seen: &[Seen], verified: &mut Verified) {
    let mut kept = 0;
    for one in seen.iter().filter(|one| !matches!(one.end, End::Foreign(_))) {
        let tags = &one.submission.tags;
        let told = [
            (!tags.results.is_empty()).then(|| results(one, &tags.results)),
            tags.score.is_some().then(|| score(one)),
            (!tags.grades.is_empty()).then(|| grades(one, &tags.grades)),
        ];
        let names = ["@EXPECTED_RESULTS@", "@EXPECTED_SCORE@", "@EXPECTED_GRADES@"];
        for (name, told) in names.into_iter().zip(told) {
            match told {
                Some(Some(what)) => verified.add(remark(one, name, what)),
                Some(None) => kept += 1,
                None => {}
            }
        }
    }
    if kept > 0 {
        verified.check(Section::Submissions, format!("{} kept", counted(kept, "tag")));
    }
}

fn remark(one: &Seen, tag: &str, what: String) -> Remark {
    let what = format!("`{tag}` says {what}");
    let at = place(one.submission, tag).unwrap_or_else(|| one.path());
    Remark::new(Section::Submissions, Level::Error, what)
        .at(at)
        .todo("mend the submission or the data, or change the tag")
}

/// File and line of a tag.
fn place(submission: &Submission, tag: &str) -> Option<String> {
    let source = &submission.source;
    let line = |file: &std::path::PathBuf| {
        let text = String::from_utf8_lossy(&fs::read(source.root.join(file)).ok()?).into_owned();
        let line = text.lines().position(|line| line.contains(tag))? + 1;
        Some((file.clone(), line))
    };
    let (file, line) = source.files.iter().find_map(line)?;
    let single = submission.name.ends_with(&file.display().to_string());
    let below = if single { String::new() } else { format!("/{}", file.display()) };
    Some(format!("submissions/{}{below}:{line}", submission.name))
}

fn results(one: &Seen, words: &[String]) -> Option<String> {
    let verdict = match one.end {
        End::Refused(_) => Verdict::CompileError,
        End::Foreign(_) => return None,
        End::Tried(_) | End::Unknown => final_verdict(one)?,
    };
    let fits = |word: &String| match word.as_str() {
        "ACCEPTED" | "CORRECT" => verdict == Verdict::Accepted,
        "WRONG-ANSWER" | "WRONG_ANSWER" | "NO-OUTPUT" => verdict == Verdict::WrongAnswer,
        "TIMELIMIT" | "TIME_LIMIT_EXCEEDED" => verdict.class() == Some(Class::Tle),
        "RUN-ERROR" | "RUN_TIME_ERROR" => verdict.class() == Some(Class::Rte),
        "MEMORY-LIMIT" => verdict == Verdict::MemoryLimit,
        "OUTPUT-LIMIT" => verdict == Verdict::OutputLimit,
        "COMPILER-ERROR" => verdict == Verdict::CompileError,
        _ => true,
    };
    (!words.iter().any(fits)).then(|| format!("{}, but it is {}", words.join(", "), verdict.short()))
}

fn score(one: &Seen) -> Option<String> {
    let (wanted, got) = (one.submission.tags.score.as_ref()?, one.card.points.as_ref()?);
    (wanted != got).then(|| format!("{wanted}, but it scores {got}"))
}

fn grades(one: &Seen, words: &[String]) -> Option<String> {
    let groups: Vec<&GroupScore> = one.card.groups.iter().filter(|group| group.name != "sample").collect();
    if groups.len() != words.len() {
        return Some(format!(
            "{}, but {} in secret",
            counted(words.len(), "grade"),
            counted(groups.len(), "group")
        ));
    }
    groups.iter().zip(words).find_map(|(group, word)| {
        let State::Decided(verdict) = group.state else { return None };
        let class = verdict.class().map(|class| format!("{class:?}").to_ascii_uppercase());
        let fits = word == verdict.short() || class.as_ref() == Some(word);
        (!fits).then(|| format!("{word} for {}, but it is {}", group.name, verdict.short()))
    })
}
