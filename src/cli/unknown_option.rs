//! Errors for unknown options and commands, with a hint: another command that has the option, or a similar command.

use super::init_command::COURSE_TEMPLATE;
use crate::base::edit_distance;
use clap::{
    Command, Error,
    error::{ContextKind, ContextValue, ErrorKind},
};

/// The error with a better tip: clap's own explains how to pass the option as the name of a file.
pub(super) fn explain_unknown(mut error: Error, kopek: Command) -> Error {
    if error.kind() == ErrorKind::InvalidSubcommand {
        return explain_command(error, &kopek);
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return error };
    let name = unknown.split('=').next().unwrap_or(unknown).trim_start_matches('-').to_owned();
    if is_rule(&name)
        && error.get(ContextKind::Usage).is_some_and(|usage| usage.to_string().contains("kopek grade"))
    {
        let tip = format!("`{name}` is for course.toml; `kopek init --course` writes one");
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Suggested);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return error;
    }
    let has_it = |command: &&Command| {
        let mut options = command.get_arguments();
        options.any(|option| option.get_long() == Some(&*name))
    };
    let others: Vec<String> = kopek
        .get_subcommands()
        .filter(has_it)
        .map(|command| format!("`kopek {}`", command.get_name()))
        .collect();
    // clap's suggestion of a similar option of this command is better.
    if others.is_empty() || error.get(ContextKind::SuggestedArg).is_some() {
        return error;
    }
    error.remove(ContextKind::Suggested);
    let tip = format!("--{name} is an option of {}", others.join(", "));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// Whether the template of a course has a key or a table of this name.
fn is_rule(name: &str) -> bool {
    let [key, table] = [format!("{name} ="), format!("[{name}]")];
    let mut lines = COURSE_TEMPLATE.lines().map(|line| line.trim_start_matches("# "));
    lines.any(|line| line.starts_with(&key) || line.starts_with(&table))
}

/// The error with a similar command. clap finds `import` similar to `sort`, and nothing after `help`.
fn explain_command(mut error: Error, kopek: &Command) -> Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let unknown = unknown.clone();
    let distance = |command: &&Command| edit_distance(command.get_name(), &unknown);
    let nearest = kopek.get_subcommands().min_by_key(distance);
    let nearest = nearest.filter(|command| distance(command) <= MAX_EDITS);
    let tip = match (unknown.as_str(), nearest) {
        ("version", _) => "`kopek --version` prints the version".to_owned(),
        (_, Some(command)) => format!("a similar command is `kopek {}`", command.get_name()),
        (_, None) => "`kopek help` lists the commands".to_owned(),
    };
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// A word with more wrong letters is another word.
const MAX_EDITS: usize = 2;

#[cfg(test)]
mod tests {
    use super::{super::Args, *};
    use clap::CommandFactory;

    #[test]
    fn an_option_of_another_command_is_named_with_its_commands() {
        for (words, tip) in [
            (&["limits", "x", "--watch"][..], "--watch is an option of `kopek run`, `kopek test`"),
            (
                &["grade", "a", "b", "--exclude-language", "x"],
                "--exclude-language is an option of `kopek verify`",
            ),
            (&["run", "x", "y", "--smaples"], "--samples"),
            (&["grade", "a", "b", "--late", "10%/day"], "`late` is for course.toml; `kopek init --course`"),
            (&["grade", "a", "b", "--language=de"], "`language` is for course.toml"),
            (&["run", "a", "b", "--language=de"], "--language is an option of `kopek statement`"),
        ] {
            let words = std::iter::once(&"kopek").chain(words);
            let error = Args::command().try_get_matches_from(words).unwrap_err();
            let text = explain_unknown(error, Args::command()).to_string();
            assert!(text.contains(tip) && !text.contains("-- --"), "{text}");
        }
    }
    #[test]
    fn an_unknown_command_has_a_tip_that_helps() {
        for (words, tip) in [
            (&["version"][..], "`kopek --version` prints the version"),
            (&["help", "version"], "`kopek --version` prints the version"),
            (&["grad"], "a similar command is `kopek grade`"),
            (&["help", "grad"], "a similar command is `kopek grade`"),
            (&["sort"], "`kopek help` lists the commands"),
        ] {
            let words = std::iter::once(&"kopek").chain(words);
            let error = Args::command().try_get_matches_from(words).unwrap_err();
            let text = explain_unknown(error, Args::command()).to_string();
            assert!(text.contains(tip) && !text.contains("import"), "{text}");
        }
    }
}
