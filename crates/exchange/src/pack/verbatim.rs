//! Packs a legacy package unchanged, with links resolved and data generated.

use super::{balloon::Balloon, losses::Loss, pack_layout::PackLayout, target::Target};
use anyhow::Result;

/// Directories that both systems read.
const DIRECTORIES: &[&str] = &[
    "problem_statement",
    "attachments",
    "data",
    "include",
    "submissions",
    "input_validators",
    "input_format_validators",
    "output_validators",
    "graders",
];
const FILES: &[&str] = &["problem.yaml", ".timelimit"];

impl PackLayout<'_> {
    pub fn add_verbatim(&mut self) -> Result<()> {
        for name in FILES.iter().filter(|name| self.package.dir.join(name).is_file()) {
            self.add_copy(*name, self.package.dir.join(name));
        }
        DIRECTORIES.iter().try_for_each(|dir| self.add_directory(dir))?;
        let readable = ["pdf", "html", "txt"].map(|ending| format!("problem_statement/problem.{ending}"));
        if self.target == Target::Domjudge && !readable.iter().any(|path| self.has(path)) {
            self.report_loss(Loss::StatementForm, "problem_statement", &["PDF, HTML or text"]);
        }
        if self.target == Target::Domjudge && self.package.grader.is_some() {
            self.report_loss(Loss::CustomGrader, "graders", &[]);
        }
        Ok(())
    }

    /// DOMjudge's own settings, which hold the time limit.
    pub fn add_settings(&mut self, balloon: Option<&Balloon>) {
        let own = std::fs::read(self.package.dir.join("domjudge-problem.ini"));
        let mut text = match own {
            Ok(own) => String::from_utf8_lossy(&own).into_owned(),
            Err(_) => self.plain_settings(),
        };
        let name = self.target_name();
        let (label, colour) = balloon.map_or((None, None), |own| (own.label.clone(), own.colour.clone()));
        let has_label = label.is_some();
        // Without these names DOMjudge takes that of the zip, which contains the target's name.
        let settings = [
            ("externalid", Some(name.clone()), false),
            ("short-name", label.or(Some(name)), has_label),
            ("color", colour, true),
        ];
        for (key, value, replaces) in settings {
            let Some(value) = value else { continue };
            let is_key = |line: &str| line.split_once('=').is_some_and(|(name, _)| name.trim() == key);
            if replaces || !text.lines().any(is_key) {
                text = text.lines().filter(|line| !is_key(line)).map(|line| format!("{line}\n")).collect();
                text += &format!("{key} = '{value}'\n");
            }
        }
        self.add_text("domjudge-problem.ini", text);
    }

    /// Settings for a package without its own.
    fn plain_settings(&mut self) -> String {
        let text = String::from("; settings of this problem that problem.yaml does not hold\n");
        match self.package.limits.time {
            Some(limit) => return text + &format!("timelimit = '{}'\n", limit.as_secs_f64()),
            None => self.report_loss(Loss::NoTimeLimit, "problem.yaml", &[]),
        }
        text
    }
}
