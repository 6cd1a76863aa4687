//! How a run on an input without an answer ended, and a talk by hand.

use super::phrases::seconds_text;
use kopek_base::wording::without_control_characters;
use kopek_package::check::Score;
use kopek_plan::plan::Trial;
use kopek_results::exit_text;

/// What it wrote on standard error, and a line on its end.
pub fn end_of_run(trial: &Trial) -> String {
    format!("{}; not checked: no answer to compare with\n{}", end_text(trial), notes_text(trial))
}

fn notes_text(trial: &Trial) -> String {
    trial.notes.iter().map(|note| format!("{note}\n")).collect()
}

/// What the judge thinks at the end of a talk: its verdict, its score and its messages.
pub fn reply_of_judge(trial: &Trial) -> String {
    let score = match &trial.score {
        Some(Score::Points(points)) => format!(", {points} points"),
        Some(Score::Multiplier(share)) => format!(", {share} of the points"),
        None => String::new(),
    };
    let mut text = format!("the judge: {}{score}\n", trial.verdict);
    for message in [&trial.judge_message, &trial.team_message] {
        let message = without_control_characters(message);
        text.extend(message.lines().map(|line| format!("  {line}\n")));
    }
    text
}

fn end_text(trial: &Trial) -> String {
    let errors = without_control_characters(&trial.stderr);
    let break_line = if errors.is_empty() || errors.ends_with('\n') { "" } else { "\n" };
    let time = seconds_text(trial.usage.cpu);
    let memory = trial.usage.memory;
    format!("{errors}{break_line}{}, {time}, {memory}", exit_text(&trial.exit))
}

/// A text of others without what plays tricks on a terminal.
pub fn visible_text(text: &str) -> String {
    without_control_characters(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::verdict::Verdict;
    use kopek_sandbox::{Exit, Limit};
    use kopek_sentences::Said;

    #[test]
    fn notes_follow_the_end_of_a_run() {
        let mut trial = Trial::ended(Verdict::IdleLimit, Exit::Exceeded(Limit::Wall));
        trial.notes = vec![Said::BoxFull, Said::KernelStopped];
        assert_eq!(
            end_of_run(&trial),
            "stopped: waited for input or slept, 0.00 s, 0 B; not checked: no answer to compare with\n\
             the box was full\nthe kernel stopped it for lack of memory\n"
        );
    }
}
