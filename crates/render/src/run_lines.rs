//! What a run found, for editors: a line `FILE:LINE:COLUMN: error: text` for each finding.

use kopek_base::wording::one_line;
use kopek_engine::{check::Difference, package::Severity, plan::Trial, score::State, verdict::Verdict};
use kopek_results::{
    CaseReport, RowReport, SourceFinding, compiler_findings, compiler_findings_in, stop_of_program,
};

/// The files of a solution, and where the user has them.
pub struct SolutionFiles<'a> {
    /// Their names in messages; the first one gets the findings without a place.
    pub names: &'a [String],
    /// The path of such a name; other paths stay as they are.
    pub path: &'a dyn Fn(&str) -> String,
}

impl SolutionFiles<'_> {
    fn first(&self) -> &str {
        self.names.first().map_or("solution", String::as_str)
    }

    fn stop(&self, trial: &Trial) -> Option<SourceFinding> {
        stop_of_program(&trial.stderr, self.names.iter().map(String::as_str))
    }

    fn place(&self, finding: &SourceFinding) -> String {
        let is_own = self.names.contains(&finding.file);
        one_line(&if is_own { (self.path)(&finding.file) } else { finding.file.clone() })
    }
}

/// A finding as editors read it; what is not known of the place is 1.
pub fn finding_line(path: &str, finding: &SourceFinding) -> String {
    let SourceFinding { line, column, level, text, .. } = finding;
    format!("{path}:{line}:{}: {level}: {text}\n", column.unwrap_or(1))
}

/// Messages of the compiler, places where the program stopped, and the first case that failed otherwise.
pub fn render_run_lines(row: &RowReport, files: &SolutionFiles) -> String {
    let mut found = match row.card.state {
        State::Decided(Verdict::CompileError) => compiler_findings_in(files.first(), &row.compile_message),
        State::Decided(_) | State::Requires(_) | State::Unknown(_) => compiler_findings(&row.compile_message),
    };
    let mut has_plain = false;
    for (case, trial) in failed_cases(row) {
        let finding = match files.stop(trial) {
            Some(stop) if found.iter().any(|one| is_same_stop(one, &stop)) => continue,
            Some(stop) => {
                SourceFinding { text: format!("{} (on {})", stop.text, one_line(&case.name)), ..stop }
            }
            None if has_plain => continue,
            None => plain_finding(files.first(), failure_text(case, trial)),
        };
        has_plain |= finding.column.is_none() && finding.line == 1;
        found.push(finding);
    }
    if row.cases.is_empty() && found.is_empty() {
        found.extend(row.notes.iter().map(|note| plain_finding(files.first(), one_line(note))));
    }
    found.iter().map(|finding| finding_line(&files.place(finding), finding)).collect()
}

/// `a.cpp:9: index 3 of 3` of the first case that stopped the program at a place that is known.
pub fn first_stop(row: &RowReport, files: &SolutionFiles) -> Option<String> {
    let stop = failed_cases(row).find_map(|(_, trial)| files.stop(trial))?;
    let column = stop.column.map(|column| format!(":{column}")).unwrap_or_default();
    Some(format!("{}:{}{column}: {}", files.place(&stop), stop.line, stop.text))
}

fn failed_cases(row: &RowReport) -> impl Iterator<Item = (&CaseReport, &Trial)> {
    let ran = row.cases.iter().filter_map(|case| Some((case, case.trial.as_ref()?)));
    ran.filter(|(_, trial)| trial.verdict != Verdict::Accepted)
}

/// Whether the program stopped there before, on another case.
fn is_same_stop(known: &SourceFinding, stop: &SourceFinding) -> bool {
    (&known.file, known.line, known.column) == (&stop.file, stop.line, stop.column)
}

fn plain_finding(file: &str, text: String) -> SourceFinding {
    SourceFinding { file: file.to_owned(), line: 1, column: None, level: Severity::Error, text }
}

/// `wrong answer on sample/1: expected 3, found 4`.
fn failure_text(case: &CaseReport, trial: &Trial) -> String {
    let name = one_line(&case.name);
    let token = |token: &Option<String>| token.as_deref().map_or("nothing more".to_owned(), one_line);
    let difference = trial.difference.as_ref().map(|Difference { line, expected, found, .. }| {
        format!(": line {line}: expected {}, found {}", token(expected), token(found))
    });
    format!("{} on {name}{}", trial.verdict, difference.unwrap_or_default())
}
