//! Errors for unknown options, with a hint if another command has the option.

use clap::{
    Command, Error,
    error::{ContextKind, ContextValue, ErrorKind},
};

/// Options and commands of earlier versions, with the remedy.
const REMOVED: [(&str, &str); 9] = [
    ("coins", "the coin games are a program of their own: cargo run -p kopek-coins -- ..."),
    ("stats", "`kopek stats` was removed; `kopek verify FOLDER` reports on every package of a folder"),
    ("watch", "use `kopek run PACKAGE SOLUTION --watch`, or without a package `kopek test SOLUTION --watch`"),
    ("--serve", "judging no longer serves a page; open index.html in the folder of --out when it ends"),
    ("--upgrade", "recipes are no longer rewritten; `kopek generate` names each old key and the new one"),
    ("--ci", "--ci was removed: docs/ci.md has the workflows for GitHub and GitLab"),
    ("--groups", "use `--points equal`"),
    ("--colour", "write `color = '#ff0000'` into domjudge-problem.ini, or pack the contest with --contest"),
    ("--editor", "--editor was removed: docs/editors.md has the files for VS Code, Vim and Neovim"),
];

/// The error with a better tip: clap's own explains how to pass the option as a file name.
pub(super) fn explain_unknown(mut error: Error, kopek: Command) -> Error {
    if let Some(tip) = unknown_name(&error).and_then(known_tip) {
        if error.kind() == ErrorKind::InvalidSubcommand {
            return Error::raw(ErrorKind::InvalidSubcommand, format!("{tip}\n"));
        }
        error.remove(ContextKind::Suggested);
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return error;
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return error };
    let name = unknown.split('=').next().unwrap_or(unknown).trim_start_matches('-').to_owned();
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

/// The unknown option or command.
fn unknown_name(error: &Error) -> Option<&str> {
    match error.kind() {
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand => {}
        _ => return None,
    }
    let kinds = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand];
    match kinds.into_iter().find_map(|kind| error.get(kind))? {
        ContextValue::String(unknown) => unknown.split('=').next(),
        _ => None,
    }
}

fn known_tip(name: &str) -> Option<&'static str> {
    REMOVED.iter().find(|(removed, _)| *removed == name).map(|(_, remedy)| *remedy)
}

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
            (&["init", "x", "--ci", "github"], "--ci was removed: docs/ci.md"),
        ] {
            let words = std::iter::once(&"kopek").chain(words);
            let error = Args::command().try_get_matches_from(words).unwrap_err();
            let text = explain_unknown(error, Args::command()).to_string();
            assert!(text.contains(tip) && !text.contains("-- --"), "{text}");
        }
    }
}
