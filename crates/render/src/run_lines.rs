//! What a run found, for editors: a line `FILE:LINE:COLUMN: error: text` for each finding.

use kopek_base::wording::one_line;
use kopek_package::{
    check::Difference,
    package::{Message, Place, Subject},
    verdict::Verdict,
};
use kopek_plan::{plan::Trial, score::State};
use kopek_results::{CaseReport, RowReport, compiler_findings, compiler_findings_in, stop_of_program};
use std::path::Path;

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

    fn stop(&self, trial: &Trial) -> Option<Message> {
        stop_of_program(&trial.stderr, self.names.iter().map(String::as_str))
    }

    /// The finding with the user's path of its file.
    fn with_path(&self, mut finding: Message) -> Message {
        if let Subject::Place(place) = &mut finding.about {
            let own = self.names.iter().find(|name| place.file == Path::new(name));
            if let Some(name) = own {
                place.file = (self.path)(name).into();
            }
        }
        finding
    }
}

/// A finding in a file as editors read it; an unknown line or column is 1.
pub fn finding_line(finding: &Message) -> String {
    let Some(Place { file, line, column }) = finding.place() else { return String::new() };
    let path = one_line(&file.display().to_string());
    let line = line.unwrap_or(1);
    let column = column.unwrap_or(1);
    format!("{path}:{line}:{column}: {}: {}\n", finding.level, finding.what)
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
            // The program stopped there before, on another case.
            Some(stop) if found.iter().any(|one| one.about == stop.about) => continue,
            Some(stop) => Message { what: format!("{} (on {})", stop.what, one_line(&case.name)), ..stop },
            None if has_plain => continue,
            None => Message::error(files.first(), failure_text(case, trial)).line(1),
        };
        has_plain |= finding.place().is_some_and(|place| place.line == Some(1) && place.column.is_none());
        found.push(finding);
    }
    if row.cases.is_empty() && found.is_empty() {
        found.extend(row.notes.iter().map(|note| Message::error(files.first(), note.said.to_string())));
    }
    found.into_iter().map(|finding| finding_line(&files.with_path(finding))).collect()
}

/// `a.cpp:9: index 3 of 3` of the first case that stopped the program at a place that is known.
pub fn first_stop(row: &RowReport, files: &SolutionFiles) -> Option<String> {
    let stop = failed_cases(row).find_map(|(_, trial)| files.stop(trial))?;
    Some(one_line(&files.with_path(stop).placed_text()))
}

fn failed_cases(row: &RowReport) -> impl Iterator<Item = (&CaseReport, &Trial)> {
    let ran = row.cases.iter().filter_map(|case| Some((case, case.trial.as_ref()?)));
    ran.filter(|(_, trial)| trial.verdict != Verdict::Accepted)
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
