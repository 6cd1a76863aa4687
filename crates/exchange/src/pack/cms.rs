//! A task of CMS in the Italian format, which kopek imports, too.

use super::{losses::Loss, own_words::whole_mib, pack_layout::PackLayout, packed_submissions::with_comment};
use anyhow::Result;
use kopek_engine::package::{
    Judge, Submission, fill_constants,
    yaml::{YamlNode, emit_compact},
};
use std::fs;

const ADAPTER: &str = include_str!("adapters/cms.cpp");
const SCRIPT_ADAPTER: &str = include_str!("adapters/cms.py");
/// Natural languages, and the file names of their statements in CMS.
const LANGUAGES: &[(&str, &str)] = &[
    ("en", "english"),
    ("it", "italian"),
    ("fr", "french"),
    ("de", "german"),
    ("es", "spanish"),
    ("sl", "slovenian"),
    ("ru", "russian"),
    ("hr", "croatian"),
    ("hu", "hungarian"),
];
/// Directories of submissions, and the claim in the words of kopek's importer.
const CHECKS: &[(&str, &str)] = &[
    ("accepted", "accepted"),
    ("wrong_answer", "wrong-answer"),
    ("time_limit_exceeded", "time-limit-exceeded"),
    ("run_time_error", "runtime-error"),
];

impl PackLayout<'_> {
    pub fn add_cms(&mut self) -> Result<()> {
        let tests = self.cms_tests();
        for (number, &case) in tests.cases.iter().enumerate() {
            let case = &self.tests.cases[case];
            self.add_copy(format!("input/input{number}.txt"), &case.input);
            self.add_copy(format!("output/output{number}.txt"), &case.answer);
        }
        self.add_text("gen/GEN", tests.plan);
        self.add_attachments("att")?;
        for (number, &case) in tests.shown.iter().enumerate() {
            let case = &self.tests.cases[case];
            self.add_copy(format!("att/input{number}.txt"), &case.input);
            self.add_copy(format!("att/output{number}.txt"), &case.answer);
        }
        let language = self.add_cms_statements()?;
        self.add_task_yaml(&language, tests.keys);
        self.add_checker()?;
        self.add_cms_solutions()
    }

    /// CMS starts `check/checker`, a built program or a script; importers read the source beside it.
    fn add_checker(&mut self) -> Result<()> {
        if self.is_white_diff() {
            return Ok(());
        }
        if let Some(script) = self.adapted_script(SCRIPT_ADAPTER)? {
            self.add_text("check/checker.py", script.clone());
            self.add_text("check/checker", script);
            self.report_loss(Loss::ScriptChecker, "output_validator", &[]);
            return Ok(());
        }
        let source = self.adapted_validator(ADAPTER)?;
        self.add_text("check/checker.cpp", source);
        self.report_loss(Loss::BuiltChecker, "output_validator", &[]);
        Ok(())
    }

    /// Whether the comparison of CMS does the same as the package's.
    fn is_white_diff(&self) -> bool {
        let case_sensitive = |args: &[String]| args == ["case_sensitive"];
        matches!(self.package.judge, Judge::Default)
            && self.tests.cases.iter().all(|case| case_sensitive(&case.output_validator_args))
    }

    fn add_task_yaml(&mut self, language: &str, points: Vec<(&'static str, YamlNode)>) {
        let limits = &self.package.limits;
        let time = limits.time.map_or(1.0, |time| time.as_secs_f64());
        if limits.time.is_none() {
            self.report_loss(Loss::NoTimeLimit, "problem.yaml", &[]);
        }
        let empty = || YamlNode::quoted_string("");
        let mut keys = vec![
            ("name", YamlNode::string(self.target_name())),
            ("title", YamlNode::quoted_string(&self.main_title())),
            ("time_limit", YamlNode::bare(format!("{time:?}"))),
            ("memory_limit", YamlNode::bare(whole_mib(limits.memory))),
            ("infile", empty()),
            ("outfile", empty()),
            ("primary_language", YamlNode::string(language.replace('-', "_"))),
            ("token_mode", YamlNode::string("disabled")),
            ("score_mode", YamlNode::string("max_subtask")),
        ];
        keys.extend(points);
        self.add_text("task.yaml", emit_compact(YamlNode::map(keys)));
    }

    /// Adds the PDFs, the only form CMS shows; returns the language of the first.
    fn add_cms_statements(&mut self) -> Result<String> {
        let mut statements = self.own_statements()?;
        if statements.iter().any(|statement| statement.pdf.is_none()) {
            self.report_loss(Loss::StatementForm, "statement", &["PDF"]);
        }
        statements.sort_by_key(|statement| statement.language != "en");
        let found: Vec<_> = statements.into_iter().filter_map(|one| Some((one.language, one.pdf?))).collect();
        let Some((first, pdf)) = found.first() else { return Ok("en".into()) };
        if found.len() == 1 {
            self.add_copy("statement/statement.pdf", pdf);
        } else {
            for (language, pdf) in &found {
                let long = LANGUAGES.iter().find(|(short, _)| short == language).map(|(_, long)| *long);
                self.add_copy(format!("statement/{}.pdf", long.unwrap_or(language)), pdf);
            }
        }
        Ok(first.clone())
    }

    /// The first accepted submission is the model solution.
    fn add_cms_solutions(&mut self) -> Result<()> {
        let groups = self.tests.root.groups().flat_map(|group| group.groups()).count();
        let (mut model, mut left_out) = (false, false);
        for submission in &self.package.submissions {
            let directory = submission.name.split('/').next().unwrap_or_default();
            let [file] = submission.source.files.as_slice() else {
                left_out = true;
                continue;
            };
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, "txt"));
            let taken = ["grader", "stub", "template", "manager", "solution", "soluzione"];
            let path = match directory == "accepted" && !model {
                true => format!("sol/solution.{ending}"),
                false if taken.iter().any(|word| name.starts_with(word)) => format!("sol/own-{name}"),
                false => format!("sol/{name}"),
            };
            let path = if self.has(&path) { format!("sol/{directory}-{stem}.{ending}") } else { path };
            model |= directory == "accepted";
            // With several groups, a claim of one verdict would be about each of them.
            let check =
                CHECKS.iter().find(|(own, word)| *own == directory && (groups < 2 || *word == "accepted"));
            self.add_cms_solution(submission, path, check.map(|(_, word)| *word))?;
        }
        if left_out {
            self.report_loss(Loss::SubmissionForm, "submissions", &[]);
        }
        Ok(())
    }

    fn add_cms_solution(&mut self, submission: &Submission, path: String, check: Option<&str>) -> Result<()> {
        let from = submission.source.root.join(&submission.source.files[0]);
        let text = String::from_utf8_lossy(&fs::read(&from)?).into_owned();
        let text = fill_constants(&text, &self.package.constants);
        match check.and_then(|check| with_comment(&path, &text, &format!("@check-{check}:"))) {
            Some(text) => self.add_text(path, text),
            None => {
                let place = format!("submissions/{}", submission.name);
                self.report_loss(Loss::MixedExpectation, place, &["per group"]);
                self.add_filled(path, &from)?;
            }
        }
        Ok(())
    }
}
