//! Claims in a source, such as `@EXPECTED_RESULTS@`.

use super::{
    Level, Message, Place,
    claim::{Claim, ClaimOrigin, Expectation, UseForTimeLimit, VerdictWord},
    disk::Disk,
    field_reader::short,
    nearest::nearest_word,
};
use crate::{
    language::SourceFiles,
    verdict::Verdict::{
        self, Accepted, CompileError, IdleLimit, MemoryLimit, OutputLimit, RunTimeError, TimeLimit,
        WrongAnswer,
    },
};
use std::path::Path;

const RESULTS: &str = "@EXPECTED_RESULTS@";
const SCORE: &str = "@EXPECTED_SCORE@";
const GRADES: &str = "@EXPECTED_GRADES@";

/// Words after `@EXPECTED_RESULTS@`, with the verdicts that they allow.
const RESULT_WORDS: &[(&str, &[Verdict])] = &[
    ("ACCEPTED", &[Accepted]),
    ("CORRECT", &[Accepted]),
    ("WRONG-ANSWER", &[WrongAnswer]),
    ("WRONG_ANSWER", &[WrongAnswer]),
    ("TIMELIMIT", &[TimeLimit, IdleLimit]),
    ("TIME_LIMIT_EXCEEDED", &[TimeLimit, IdleLimit]),
    ("RUN-ERROR", &[MemoryLimit, OutputLimit, RunTimeError]),
    ("RUN_TIME_ERROR", &[MemoryLimit, OutputLimit, RunTimeError]),
    ("NO-OUTPUT", &[WrongAnswer]),
    ("COMPILER-ERROR", &[CompileError]),
    ("OUTPUT-LIMIT", &[OutputLimit]),
    ("MEMORY-LIMIT", &[MemoryLimit]),
    ("CHECK-MANUALLY", &Verdict::ALL),
];

/// The claims in the files of a submission. `expected_result.txt` overrides the results of all files before
/// it. If sources hold several results, the first counts; of scores and grades, the last.
pub(super) fn source_tags(
    disk: &Disk,
    below: &Path,
    source: &SourceFiles,
    submission: &str,
    findings: &mut Vec<Message>,
) -> Vec<Claim> {
    let mut reader = TagReader::new(submission, findings);
    for file in &source.files {
        let path = below.join(file);
        // A file that cannot be read here cannot be built either, and the build reports it.
        let Ok(bytes) = disk.read(&path) else { continue };
        if file.file_name().is_some_and(|name| name == "expected_result.txt") {
            reader.read_result_file(&path, &String::from_utf8_lossy(&bytes));
        } else if memchr::memmem::find(&bytes, b"@EXPECTED_").is_some() {
            // Sources may be long, and few have tags: only those with tags are searched line by line.
            reader.read_source(&path, &String::from_utf8_lossy(&bytes));
        }
    }
    reader.claims()
}

/// The tags of one submission, from the files read so far.
struct TagReader<'a> {
    submission: &'a str,
    findings: &'a mut Vec<Message>,
    results: Option<Claim>,
    score: Option<Claim>,
    grades: Option<Claim>,
}

impl<'a> TagReader<'a> {
    fn new(submission: &'a str, findings: &'a mut Vec<Message>) -> TagReader<'a> {
        TagReader { submission, findings, results: None, score: None, grades: None }
    }

    fn claims(self) -> Vec<Claim> {
        [self.results, self.score, self.grades].into_iter().flatten().collect()
    }

    fn read_source(&mut self, file: &Path, text: &str) {
        for (line, text) in (1..).zip(text.lines()) {
            let at = Place::new(file, line);
            if self.results.is_none()
                && let Some(rest) = text_after(text, RESULTS)
            {
                self.results = self.read_results(rest, &at);
            }
            if let Some(rest) = text_after(text, SCORE) {
                self.read_score(rest, &at);
            }
            if let Some(rest) = text_after(text, GRADES) {
                let words: Vec<VerdictWord> = rest.split_whitespace().map(grade_word).collect();
                let grades = if !words.is_empty() { Some(Expectation::Grades(words)) } else { None };
                self.grades = grades.map(|grades| self.claim(GRADES, grades, &at));
            }
        }
    }

    /// The tag itself may be missing: then the whole text is the words.
    fn read_result_file(&mut self, file: &Path, text: &str) {
        let tagged =
            (1..).zip(text.lines()).find_map(|(line, text)| Some((line, text_after(text, RESULTS)?)));
        let (line, words) = tagged.unwrap_or((1, text));
        self.results = self.read_results(words, &Place::new(file, line));
    }

    fn read_results(&mut self, text: &str, at: &Place) -> Option<Claim> {
        let words = text.split(',').map(|word| word.trim().to_ascii_uppercase());
        let known: Vec<VerdictWord> =
            words.filter(|word| !word.is_empty()).filter_map(|word| self.result_word(word, at)).collect();
        if !known.is_empty() { Some(self.claim(RESULTS, Expectation::Result(known), at)) } else { None }
    }

    fn result_word(&mut self, word: String, at: &Place) -> Option<VerdictWord> {
        if let Some((_, verdicts)) = RESULT_WORDS.iter().find(|(known, _)| *known == word) {
            return Some(VerdictWord { word, verdicts: verdicts.iter().copied().collect() });
        }
        let known: Vec<&str> = RESULT_WORDS.iter().map(|(word, _)| *word).collect();
        let what = format!("`{RESULTS}`: unknown result `{}`", short(&word));
        let finding = Message::new(Level::Warning, what).at(at.clone());
        self.findings.push(match nearest_word(&word, &known) {
            Some(near) => finding.todo(format!("did you mean `{near}`?")),
            None => finding.todo(format!("one of: {}", known.join(", "))),
        });
        None
    }

    fn read_score(&mut self, text: &str, at: &Place) {
        match text.parse() {
            Ok(points) => {
                let score = Expectation::Score { min: Clone::clone(&points), max: points };
                self.score = Some(self.claim(SCORE, score, at));
            }
            Err(error) => {
                let what = format!("`{SCORE}`: {error}");
                self.findings.push(Message::new(Level::Warning, what).at(at.clone()));
            }
        }
    }

    fn claim(&self, name: &'static str, expectation: Expectation, at: &Place) -> Claim {
        Claim {
            origin: ClaimOrigin::Tag { name, at: at.clone() },
            submissions: self.submission.to_owned(),
            cases: None,
            expectations: vec![expectation],
            // A tag gives the verdict of the submission, which does not bound the time of a run.
            time: UseForTimeLimit::No,
        }
    }
}

/// A grade's word allows the verdicts with that name: ours, and the format's coarser classes.
fn grade_word(word: &str) -> VerdictWord {
    let fits = |verdict: &Verdict| {
        verdict.short() == word || verdict.class().is_some_and(|class| class.short() == word)
    };
    VerdictWord { word: word.to_owned(), verdicts: Verdict::ALL.into_iter().filter(fits).collect() }
}

/// The text after a tag on its line, without the end of a comment.
fn text_after<'a>(line: &'a str, tag: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(tag)?;
    let rest = rest.trim_start_matches(':').trim();
    // The tag may be in a comment of any language: the end of the comment is not part of it.
    let ends = ["*/", "-->", "*)", "-}", "}"];
    Some(ends.iter().fold(rest, |rest, end| rest.trim_end_matches(end).trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags_of(text: &str) -> (Vec<Claim>, Vec<Message>) {
        let mut findings = Vec::new();
        let mut reader = TagReader::new("accepted/a.c", &mut findings);
        reader.read_source(Path::new("a.c"), text);
        (reader.claims(), findings)
    }

    fn words(words: &[VerdictWord]) -> Vec<&str> {
        words.iter().map(|word| word.word.as_str()).collect()
    }

    #[test]
    fn tags_are_read_out_of_comments_with_their_lines() {
        let (tags, findings) = tags_of(
            "/* @EXPECTED_RESULTS@: WRONG-ANSWER, timelimit */\n# @EXPECTED_SCORE@: 12.5\n// @EXPECTED_GRADES@ AC WA\n",
        );
        let [results, score, grades] = tags.as_slice() else { panic!("{tags:?}") };
        let Expectation::Result(found) = &results.expectations[0] else { panic!("{results:?}") };
        assert_eq!(words(found), ["WRONG-ANSWER", "TIMELIMIT"]);
        let points: crate::points::Points = "12.5".parse().unwrap();
        assert_eq!(score.expectations, [Expectation::Score { min: points.clone(), max: points }]);
        let at = Place::new("a.c", 2);
        assert_eq!(score.origin, ClaimOrigin::Tag { name: SCORE, at });
        let Expectation::Grades(found) = &grades.expectations[0] else { panic!("{grades:?}") };
        assert_eq!(words(found), ["AC", "WA"]);
        assert!(findings.is_empty());
    }

    #[test]
    fn a_result_file_overrides_what_sources_before_it_say() {
        let mut findings = Vec::new();
        for (text, line, word) in
            [("wrong-answer\n", 1, "WRONG-ANSWER"), ("\n@EXPECTED_RESULTS@: CORRECT\n", 2, "CORRECT")]
        {
            let mut reader = TagReader::new("rejected/a", &mut findings);
            reader.read_source(Path::new("a/a.c"), "// @EXPECTED_RESULTS@: TIMELIMIT\n");
            reader.read_result_file(Path::new("a/expected_result.txt"), text);
            let claims = reader.claims();
            let at = Place::new("a/expected_result.txt", line);
            assert_eq!(claims[0].origin, ClaimOrigin::Tag { name: RESULTS, at });
            let Expectation::Result(found) = &claims[0].expectations[0] else { panic!("{claims:?}") };
            assert_eq!(words(found), [word]);
        }
        assert!(findings.is_empty());
    }

    #[test]
    fn a_word_allows_the_verdicts_it_means() {
        let (tags, _) = tags_of("// @EXPECTED_RESULTS@: RUN-ERROR\n// @EXPECTED_GRADES@ RTE MLE XX\n");
        let Expectation::Result(results) = &tags[0].expectations[0] else { panic!("{tags:?}") };
        assert!(results[0].verdicts.contains(&MemoryLimit) && !results[0].verdicts.contains(&TimeLimit));
        let Expectation::Grades(grades) = &tags[1].expectations[0] else { panic!("{tags:?}") };
        let sizes: Vec<usize> = grades.iter().map(|grade| grade.verdicts.len()).collect();
        assert_eq!(sizes, [3, 1, 0]);
    }

    #[test]
    fn an_unknown_result_is_reported_with_its_line() {
        let (tags, findings) = tags_of("\n# @EXPECTED_RESULTS@: TIMELIMT\n");
        assert!(tags.is_empty());
        assert_eq!(findings[0].place().unwrap().line, Some(2));
        assert_eq!(findings[0].todo.as_deref(), Some("did you mean `TIMELIMIT`?"));
    }
}
