//! The next commands after grading a class, ready to copy.

use crate::{
    base::wording::one_line,
    package::shell_words::quote_word,
    results::{Report, RowReport},
    score::State,
    verdict::Verdict,
};
use std::path::Path;

/// A graded class and its origin.
pub(super) struct GradedClass<'a> {
    pub(super) report: &'a Report,
    /// Names and directories.
    pub(super) packages: Vec<(&'a str, &'a Path)>,
    /// One for all packages, or one for each.
    pub(super) hand_ins: &'a [&'a Path],
    pub(super) out: Option<&'a Path>,
    pub(super) hides_names: bool,
    /// The words of this command line.
    pub(super) words: Vec<String>,
}

/// Maximum number of commands.
const MAX_COUNT: usize = 2;

impl GradedClass<'_> {
    /// One line per command, the first after `Next: `.
    pub(super) fn next_steps(&self) -> String {
        let steps = [Some(self.look_at_page()), self.run_a_failed_one(), self.compare_programs()];
        let heads = ["Next: ", "      "];
        let steps = steps.into_iter().flatten().take(MAX_COUNT);
        let steps = heads.into_iter().zip(steps);
        steps.map(|(head, step)| format!("{head}{}\n", one_line(&step))).collect()
    }

    fn look_at_page(&self) -> String {
        match self.out {
            Some(out) => format!("xdg-open {}", quoted(&out.join("index.html"))),
            None => {
                let words: Vec<String> = self.words.iter().map(|word| quote_word(word)).collect();
                format!("{} --out report", words.join(" "))
            }
        }
    }

    /// A command that runs the first hand-in with lost points, to show its cases.
    fn run_a_failed_one(&self) -> Option<String> {
        let mut failed = self.report.packages.iter().flat_map(|results| {
            let at = self.packages.iter().position(|(name, _)| *name == results.name);
            let dir = at.map(|at| self.packages[at].1);
            let place = self.hand_ins.get(at.unwrap_or_default()).or(self.hand_ins.first());
            let rows = results.rows.iter().filter(|row| is_worth_a_look(row));
            rows.filter_map(move |row| Some((dir?, place?.join(&row.file))))
        });
        // A hand-in from a zip cannot be run.
        let (dir, file) = failed.find(|(_, file)| !self.hides_names && file.exists())?;
        Some(format!("{} run {} {}", quote_word(self.words.first()?), quoted(dir), quoted(&file)))
    }

    fn compare_programs(&self) -> Option<String> {
        if self.report.packages.iter().all(|package| package.rows.len() < 2) {
            return None;
        }
        Some(format!("{} similar {}", quote_word(self.words.first()?), quoted(self.hand_ins.first()?)))
    }
}

fn is_worth_a_look(row: &RowReport) -> bool {
    match row.card.state {
        State::Decided(Verdict::Accepted | Verdict::NoProgram | Verdict::CompileError) => false,
        State::Decided(_) => true,
        State::Requires(_) | State::Unknown(_) => false,
    }
}

fn quoted(path: &Path) -> String {
    quote_word(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::Bytes,
        package::{HandIn, NoSubmission, Participant},
        results::{Noise, PackageReport, ResultKind},
    };
    use std::{fs, time::Duration};

    fn row(file: &str, verdict: Verdict) -> RowReport {
        let (name, submission) =
            (file.to_owned(), Err(NoSubmission::Absent(crate::sentences::Said::NothingHandedIn)));
        let participant = Participant { file: name.clone(), name, hand_in: HandIn::default(), submission };
        let mut row = RowReport::unjudged(&participant);
        row.card.state = State::Decided(verdict);
        row
    }

    fn report(rows: Vec<RowReport>) -> Report {
        let package = PackageReport {
            name: "sums".into(),
            uuid: None,
            title: String::new(),
            kind: ResultKind::PassFail,
            groups: Vec::new(),
            time_limit: Duration::from_secs(1),
            memory_limit: Bytes::mib(1),
            noise: Noise::default(),
            data: None,
            excluded: Vec::new(),
            rows,
        };
        Report { packages: vec![package], ..Report::default() }
    }

    #[test]
    fn the_page_and_a_failed_hand_in_come_next() {
        let class = tempfile::tempdir().unwrap();
        let dir = class.path().display();
        fs::write(class.path().join("b o.py"), "").unwrap();
        let failed = report(vec![row("ada.py", Verdict::Accepted), row("b o.py", Verdict::WrongAnswer)]);
        let right = report(vec![row("ada.py", Verdict::Accepted), row("eve.py", Verdict::CompileError)]);
        let steps = |report: &Report, out: Option<&Path>, hides_names: bool| {
            let words = ["kopek", "grade", "sums", "my class"].map(String::from).into();
            let packages = vec![("sums", Path::new("p/sums"))];
            let graded = GradedClass { report, packages, hand_ins: &[class.path()], out, hides_names, words };
            graded.next_steps()
        };
        assert_eq!(
            steps(&failed, None, false),
            format!(
                "Next: kopek grade sums 'my class' --out report\n      kopek run p/sums '{dir}/b o.py'\n"
            )
        );
        let similar = format!("Next: xdg-open out/index.html\n      kopek similar {dir}\n");
        assert_eq!(steps(&right, Some(Path::new("out")), false), similar);
        assert_eq!(steps(&failed, Some(Path::new("out")), true), similar, "a file tells a name");
    }
}
