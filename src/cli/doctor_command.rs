//! `kopek doctor`: checks isolation and timing on this machine.

use super::{
    exit_status::ExitStatus,
    languages_command::identify_all,
    terminal_output::{print_text, terminal_page},
    toolchain_search::language_table,
};
use crate::{
    base::wording::wrap_behind,
    sandbox::{FindingLevel, MachineFinding, Sandbox, SandboxOptions, check_machine},
};
use anyhow::Result;

#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 fit to measure (PASS or CAUTION); 1 a FAIL: times are unreliable; \
    2 isolation does not work, or with --strict only in part.")]
pub(super) struct Args {
    /// Fail unless isolation keeps every promise
    #[arg(long)]
    strict: bool,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let exe = std::env::current_exe()?;
    let sandbox =
        Sandbox::open_with(&exe, SandboxOptions { strict: args.strict, ..SandboxOptions::default() })?;
    let findings = check_machine();
    print_text(&format!("{}{}", isolation_text(&sandbox), measuring_text(&findings)))?;
    print_text(&languages_text(&sandbox)?)?;
    let fails = findings.iter().any(|finding| finding.grade == FindingLevel::Fail);
    Ok(if fails { ExitStatus::Negative } else { ExitStatus::Success })
}

/// Maximum width of the report, so that it can be pasted.
const WIDTH: usize = 80;

fn width() -> usize {
    terminal_page().width.min(WIDTH)
}

/// A list item that begins with `mark`.
fn list_item(mark: &str, text: &str) -> String {
    let room = width().saturating_sub(mark.chars().count()).max(1);
    // Splits long paths, because no line may be wider.
    let pieces = text.split_whitespace().flat_map(|word| {
        let letters: Vec<char> = word.chars().collect();
        letters.chunks(room).map(|piece| piece.iter().collect::<String>()).collect::<Vec<_>>()
    });
    wrap_behind(mark, &pieces.collect::<Vec<_>>().join(" "), width()).join("\n") + "\n"
}

fn isolation_text(sandbox: &Sandbox) -> String {
    let mut text = format!("Isolation: {}\n", sandbox.mode_name());
    sandbox.guarantees().iter().for_each(|line| text += &list_item("  + ", line));
    sandbox.warnings().iter().for_each(|line| text += &list_item("  - ", line));
    sandbox.rejected_modes().iter().for_each(|line| text += &list_item("  tried: ", line));
    if !sandbox.warnings().is_empty() {
        sandbox.remedies().iter().for_each(|line| text += &list_item("  remedy: ", line));
    }
    text
}

/// The working languages, and why the others do not work. A missing language is not a fault.
fn languages_text(sandbox: &Sandbox) -> Result<String> {
    let table = language_table(None)?;
    let found = identify_all(sandbox, table.languages())?;
    let mut working = Vec::new();
    for (row, found) in table.languages().iter().zip(&found) {
        if found.is_ok() {
            working.push(row.name.clone());
        }
    }
    let mut text = format!("Languages: {} of {} work\n", working.len(), found.len());
    text += &list_item("  + ", &working.join(", "));
    for missing in found.iter().filter_map(|found| found.as_ref().err()) {
        text += &list_item("  - ", &missing.to_string());
    }
    Ok(text)
}

fn measuring_text(findings: &[MachineFinding]) -> String {
    let mut text = "Measuring:\n".to_owned();
    for finding in findings {
        let grade = match finding.grade {
            FindingLevel::Pass => "PASS",
            FindingLevel::Caution => "CAUTION",
            FindingLevel::Fail => "FAIL",
        };
        text += &list_item(&format!("  {grade:8}{:14}", finding.what), &finding.found);
        if let Some(remedy) = &finding.remedy {
            text += &list_item("          remedy: ", remedy);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_fits_into_eighty_columns() {
        let found = "a long story about a governor that follows the load of the machine up and down the hill";
        let remedy =
            Some("do this and that and some more of what can be done about it, as root, twice".to_owned());
        let finding =
            MachineFinding { what: "governor", grade: FindingLevel::Caution, found: found.into(), remedy };
        let text = measuring_text(&[finding]);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(list_item("  - ", &"x".repeat(200)).lines().all(|line| line.len() <= WIDTH));
        assert!(text.contains("CAUTION governor") && text.contains("remedy: do this"), "{text}");
    }
}
