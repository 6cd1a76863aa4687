//! The screen of `kopek --help`: the usual commands in groups.

use clap::Command;
use std::fmt::Write;

/// The visible commands by purpose; all others are hidden.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Grade", &["grade", "run", "similar", "serve"]),
    ("At home", &["test", "talk", "stress"]),
    ("Problems", &["init", "generate", "verify", "limits", "mutate", "statement", "pack", "import"]),
    ("Machine", &["doctor", "languages", "clean"]),
];

/// The command line with this screen as help. Only `-h` of a command omits rare options.
pub(super) fn with_help(kopek: Command, words: impl IntoIterator<Item = String>) -> Command {
    let screen = screen(&kopek);
    let kopek = kopek.override_help(screen);
    // With rare options clap uses its long layout, which does not fit on one screen.
    if words.into_iter().any(|word| word == "-h") {
        return kopek;
    }
    kopek.mut_subcommands(|command| command.mut_args(|option| option.hide_short_help(false)))
}

fn screen(kopek: &Command) -> String {
    let mut text = format!(
        "kopek {}, a judge and grader of programs. Usage: kopek COMMAND [OPTIONS]\n\n",
        env!("CARGO_PKG_VERSION")
    );
    for (group, names) in GROUPS {
        for (at, name) in names.iter().enumerate() {
            let group = if at == 0 { group } else { "" };
            let about = kopek.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "{group:<9} {name:<10} {about}");
        }
    }
    text + "\nkopek COMMAND -h lists the common options, --help all of them.\n"
}

#[cfg(test)]
mod tests {
    use super::{super::Args, *};
    use clap::CommandFactory;

    #[test]
    fn every_visible_command_is_in_one_group() {
        let kopek = Args::command();
        let visible = kopek.get_subcommands().filter(|command| !command.is_hide_set());
        let mut visible: Vec<&str> = visible.map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        visible.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, visible);
    }

    #[test]
    fn the_screen_has_24_lines_of_80_columns() {
        let text = screen(&Args::command());
        assert!(text.lines().count() < 24, "no line is left for the prompt:\n{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    fn all_commands() -> Vec<Command> {
        let mut kopek = Args::command();
        kopek.build();
        let below = kopek.get_subcommands().flat_map(|command| command.get_subcommands()).cloned();
        kopek.get_subcommands().cloned().chain(below).filter(|command| command.get_name() != "help").collect()
    }

    #[test]
    fn every_option_is_explained_in_at_most_80_characters() {
        for command in all_commands() {
            for option in command.get_arguments() {
                let place = format!("{} {}", command.get_name(), option.get_id());
                let text = option.get_help().map(ToString::to_string).unwrap_or_default();
                assert!((1..=80).contains(&text.chars().count()), "{place}: {text}");
                // Either of these makes clap use its long layout.
                assert!(option.get_long_help().is_none(), "{place}: one paragraph");
                let values = option.get_possible_values();
                assert!(
                    values.iter().all(|value| value.get_help().is_none()),
                    "{place}: values have no help"
                );
            }
        }
    }

    #[test]
    fn help_has_no_words_that_need_a_second_reading() {
        let words =
            [" who ", "anew", "nobody", "somebody", "whoever", " so many", "so much", "what was", "one's"];
        for command in all_commands() {
            let texts = command.get_arguments().filter_map(|option| option.get_help());
            let texts = texts.chain(command.get_about()).chain(command.get_after_help());
            for text in texts.map(ToString::to_string) {
                assert!(!words.iter().any(|word| text.contains(word)), "{}: {text}", command.get_name());
            }
        }
    }

    #[test]
    fn long_help_fits_on_100_lines_of_80_columns() {
        let help = |command: &str| {
            let words = ["kopek", command, "--help"].map(str::to_owned);
            let kopek = with_help(Args::command().term_width(80), words.clone());
            kopek.try_get_matches_from(words).unwrap_err().to_string()
        };
        for (_, commands) in GROUPS {
            for text in commands.iter().map(|command| help(command)) {
                let lines = text.lines().count();
                assert!(lines <= 100 && text.lines().all(|line| line.chars().count() <= 80), "{text}");
            }
        }
        let grade = help("grade");
        let course = grade.find("course.toml").unwrap();
        assert!(course < grade.find("PACKAGE").unwrap(), "{grade}");
    }

    #[test]
    fn long_help_of_a_command_has_what_short_help_leaves_out() {
        let help = |word: &str| {
            let words = ["kopek", "grade", word].map(str::to_owned);
            let kopek = with_help(Args::command(), words.clone());
            kopek.try_get_matches_from(words).unwrap_err().to_string()
        };
        let (short, long) = (help("-h"), help("--help"));
        assert!(long.contains("--scoring") && !short.contains("--scoring"), "{short}");
        assert!(!long.contains("--shard"), "{long}");
        // Blank lines only between sections.
        assert!(!long.contains("\n          \n") && !long.contains("\n\n      --"), "{long}");
        let sections = ["Which hand-ins:", "Output:", "Judging:", "Machine:", "General:"];
        let places: Vec<usize> = sections.iter().map(|name| long.find(name).unwrap()).collect();
        assert!(places.is_sorted(), "{long}");
    }
}
