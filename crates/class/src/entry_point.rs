//! The entry point that a language needs for its commands: a file, or a class.

use super::{found_source::FoundSource, source_scan::ProgramStart};
use kopek_package::{
    language::{EntryPoint, SourceFile},
    package::NoSubmission,
};
use kopek_sentences::Said;
use std::path::Path;

pub(super) struct EntryRequest<'a> {
    pub(super) participant: &'a str,
    /// The chosen source.
    pub(super) source: &'a FoundSource<'a>,
    /// Whether the program has no other source.
    pub(super) is_alone: bool,
    /// Whether the package starts the program.
    pub(super) is_driven: bool,
    pub(super) package: &'a str,
}

/// The entry that the language needs for its commands; `None` if it needs none.
pub(super) fn entry_name(request: &EntryRequest) -> Result<Option<String>, NoSubmission> {
    let source = request.source;
    match &source.language.entry {
        _ if request.is_driven => Ok(None),
        EntryPoint::Linked => Ok(None),
        // A single file is renamed to the name that the language requires.
        EntryPoint::File(_) if request.is_alone => Ok(None),
        EntryPoint::File(_) => Ok(Some(source.name.to_string_lossy().into_owned())),
        EntryPoint::Class(_) if source.language.lone.is_some() && request.is_alone => Ok(None),
        EntryPoint::Class(_) if source.language.lone.is_some() => {
            Ok(Some(kotlin_class(&source.file, &source.name)))
        }
        EntryPoint::Class(_) | EntryPoint::Object(_) => java_class(request),
    }
}

/// The class that Kotlin generates for a file.
fn kotlin_class(file: &SourceFile, name: &Path) -> String {
    let text = String::from_utf8_lossy(&file.bytes);
    let package = text.lines().find_map(|line| line.trim().strip_prefix("package "));
    let prefix = package.map(|package| format!("{}.", package.trim().trim_end_matches(';')));
    let prefix = prefix.unwrap_or_default();
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    let legal: String = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let mut letters = legal.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{prefix}{first}{}Kt", letters.as_str())
}

/// The class with the `main`, in Java and Scala. If there are several, the one named like the file or the package,
/// `main` or `solution`.
fn java_class(request: &EntryRequest) -> Result<Option<String>, NoSubmission> {
    let EntryRequest { source, participant, package, .. } = *request;
    let classes = &source.scan.classes;
    let simple = |class: &str| class.rsplit('.').next().unwrap_or(class).to_lowercase();
    match classes.as_slice() {
        [] if source.scan.start == ProgramStart::Nothing => Err(NoSubmission::Refused(Said::NoMainMethod)),
        [] => Ok(None),
        [only] => Ok(Some(only.clone())),
        several => {
            let stem = source.stem();
            let names = [stem.as_str(), package, "main", "solution"];
            let found = names.iter().find_map(|name| several.iter().find(|class| simple(class) == *name));
            if let Some(class) = found {
                return Ok(Some(class.clone()));
            }
            Err(NoSubmission::Undecided(format!(
                "several classes have a `main` method, and none is called like its file: {}; ask {participant} \
                 which one counts",
                several.join(", ")
            )))
        }
    }
}
