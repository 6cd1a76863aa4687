//! Claims inside a source: `@EXPECTED_RESULTS@` and its kin.

use super::{Finding, Tags, disk::Disk, nearest::nearest};
use crate::language::Source;
use std::path::Path;

/// Words that may follow `@EXPECTED_RESULTS@`.
const RESULTS: &[&str] = &[
    "ACCEPTED",
    "CORRECT",
    "WRONG-ANSWER",
    "WRONG_ANSWER",
    "TIMELIMIT",
    "TIME_LIMIT_EXCEEDED",
    "RUN-ERROR",
    "RUN_TIME_ERROR",
    "NO-OUTPUT",
    "COMPILER-ERROR",
    "OUTPUT-LIMIT",
    "MEMORY-LIMIT",
    "CHECK-MANUALLY",
];

/// Reads the tags of all files of a source; `expected_result.txt` wins.
pub fn tags(disk: &Disk, below: &Path, source: &Source, findings: &mut Vec<Finding>) -> Tags {
    let mut tags = Tags::default();
    for file in &source.files {
        let path = below.join(file);
        // What cannot be read here cannot be built either, and is told there.
        let Ok(bytes) = disk.read(&path) else { continue };
        if file.file_name().is_some_and(|name| name == "expected_result.txt") {
            let text = String::from_utf8_lossy(&bytes);
            tags.results = words(&path, 1, after(&text, "@EXPECTED_RESULTS@").unwrap_or(&text), findings);
            continue;
        }
        if memchr::memmem::find(&bytes, b"@EXPECTED_").is_some() {
            of_text(&path, &String::from_utf8_lossy(&bytes), &mut tags, findings);
        }
    }
    tags
}

fn of_text(path: &Path, text: &str, tags: &mut Tags, findings: &mut Vec<Finding>) {
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(rest) = after(text, "@EXPECTED_RESULTS@").filter(|_| tags.results.is_empty()) {
            tags.results = words(path, line, rest, findings);
        }
        if let Some(rest) = after(text, "@EXPECTED_SCORE@") {
            match rest.parse() {
                Ok(points) => tags.score = Some(points),
                Err(error) => {
                    findings.push(Finding::warning(path, format!("`@EXPECTED_SCORE@`: {error}")).at(line))
                }
            }
        }
        if let Some(rest) = after(text, "@EXPECTED_GRADES@") {
            tags.grades = rest.split_whitespace().map(str::to_owned).collect();
        }
    }
}

/// What follows a tag on its line.
fn after<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(tag)?;
    rest.lines().next().map(uncommented)
}

fn uncommented(rest: &str) -> &str {
    let rest = rest.trim_start_matches(':').trim();
    ["*/", "-->", "*)", "-}", "}"].iter().fold(rest, |rest, end| rest.trim_end_matches(end).trim_end())
}

fn words(path: &Path, line: u32, text: &str, findings: &mut Vec<Finding>) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split(',').map(|word| word.trim().to_ascii_uppercase()).filter(|word| !word.is_empty()) {
        if RESULTS.contains(&word.as_str()) {
            words.push(word);
            continue;
        }
        let what = format!("`@EXPECTED_RESULTS@`: unknown result `{}`", super::sheet::short(&word));
        let finding = Finding::warning(path, what).at(line);
        findings.push(match nearest(&word, RESULTS) {
            Some(near) => finding.hint(format!("did you mean `{near}`?")),
            None => finding.hint(format!("one of: {}", RESULTS.join(", "))),
        });
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_out_of_comments() {
        let (mut tags, mut findings) = (Tags::default(), Vec::new());
        let text = "/* @EXPECTED_RESULTS@: WRONG-ANSWER, timelimit */\n# @EXPECTED_SCORE@: 12.5\n// @EXPECTED_GRADES@ AC WA\n";
        of_text(Path::new("a.c"), text, &mut tags, &mut findings);
        assert_eq!(tags.results, ["WRONG-ANSWER", "TIMELIMIT"]);
        assert_eq!(tags.score, Some("12.5".parse().unwrap()));
        assert_eq!(tags.grades, ["AC", "WA"]);
        assert!(findings.is_empty());
    }

    #[test]
    fn an_unknown_result_is_told_with_its_line() {
        let (mut tags, mut findings) = (Tags::default(), Vec::new());
        of_text(Path::new("a.py"), "\n# @EXPECTED_RESULTS@: TIMELIMT\n", &mut tags, &mut findings);
        assert_eq!(findings[0].line, Some(2));
        assert_eq!(findings[0].hint.as_deref(), Some("did you mean `TIMELIMIT`?"));
    }
}
