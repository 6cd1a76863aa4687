//! How a run on an input without an answer ended.

use super::phrases::{exit_text, seconds_text, without_control_characters};
use crate::plan::Trial;

/// What it wrote on standard error, and a line on its end.
pub fn end_of_run(trial: &Trial) -> String {
    let errors = without_control_characters(&trial.stderr);
    let break_line = if errors.is_empty() || errors.ends_with('\n') { "" } else { "\n" };
    let (time, memory) = (seconds_text(trial.usage.cpu), trial.usage.memory);
    let end = exit_text(&trial.exit);
    format!("{errors}{break_line}{end}, {time}, {memory}; nothing was compared, as there is no answer\n")
}

/// A text of others without what plays tricks on a terminal.
pub fn visible_text(text: &str) -> String {
    without_control_characters(text)
}
