//! An option that this command does not have: perhaps another one has it.

use clap::{
    Command, Error,
    error::{ContextKind, ContextValue, ErrorKind},
};

/// The error with a better tip: clap's own says how to hand in the option as a file name.
pub(super) fn explain_unknown(mut error: Error, kopek: Command) -> Error {
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
    // A near miss among the own options is the better guess, and clap has made it.
    if others.is_empty() || error.get(ContextKind::SuggestedArg).is_some() {
        return error;
    }
    error.remove(ContextKind::Suggested);
    let tip = format!("--{name} is an option of {}", others.join(", "));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}
