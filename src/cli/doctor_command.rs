//! `kopek doctor`: checks isolation and timing on this machine.

use super::{
    exit_status::ExitStatus,
    languages_command::identify_all,
    terminal_output::{print_text, terminal_page},
    toolchain_search::language_table,
};
use crate::{
    render::{Document, Page},
    sandbox::{FindingLevel, MachineFinding, Sandbox, check_machine},
};
use anyhow::Result;

#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 fit to measure (PASS or CAUTION); 1 a FAIL: times are unreliable; \
    2 isolation does not work.")]
pub(super) struct Args {}

pub(super) fn run(_: Args) -> Result<ExitStatus> {
    let sandbox = Sandbox::open(&std::env::current_exe()?)?;
    let findings = check_machine();
    let mut document = isolation_document(&sandbox);
    document.append(measuring_document(&findings));
    print_narrow(&document)?;
    print_narrow(&languages_document(&sandbox)?)?;
    let fails = findings.iter().any(|finding| finding.grade == FindingLevel::Fail);
    Ok(if fails { ExitStatus::Negative } else { ExitStatus::Success })
}

/// Maximum width of the report, so that it can be pasted.
const WIDTH: usize = 80;

fn narrow_page() -> Page {
    let page = terminal_page();
    Page { width: page.width.min(WIDTH), ..page }
}

fn print_narrow(document: &Document) -> Result<()> {
    print_text(&document.to_text(narrow_page()))
}

/// Splits long paths, because no line may be wider.
fn add_item(document: &mut Document, mark: &str, text: &str) {
    let room = narrow_page().width.saturating_sub(mark.chars().count()).max(1);
    let pieces = text.split_whitespace().flat_map(|word| {
        let letters: Vec<char> = word.chars().collect();
        letters.chunks(room).map(|piece| piece.iter().collect::<String>()).collect::<Vec<_>>()
    });
    document.item(mark, &pieces.collect::<Vec<_>>().join(" "));
}

fn isolation_document(sandbox: &Sandbox) -> Document<'static> {
    let mut document = Document::default();
    document.line(&format!("Isolation: {}", sandbox.mode_name()));
    sandbox.guarantees().iter().for_each(|line| add_item(&mut document, "  + ", line));
    sandbox.warnings().iter().for_each(|line| add_item(&mut document, "  - ", line));
    sandbox.rejected_modes().iter().for_each(|line| add_item(&mut document, "  tried: ", line));
    if !sandbox.warnings().is_empty() {
        sandbox.remedies().iter().for_each(|line| add_item(&mut document, "  remedy: ", line));
    }
    document
}

/// The working languages, and why the others do not work. A missing language is not a fault.
fn languages_document(sandbox: &Sandbox) -> Result<Document<'static>> {
    let table = language_table()?;
    let found = identify_all(sandbox, table.languages())?;
    let mut working = Vec::new();
    for (row, found) in table.languages().iter().zip(&found) {
        if found.is_ok() {
            working.push(row.name.clone());
        }
    }
    let mut document = Document::default();
    document.line(&format!("Languages: {} of {} work", working.len(), found.len()));
    add_item(&mut document, "  + ", &working.join(", "));
    for missing in found.iter().filter_map(|found| found.as_ref().err()) {
        add_item(&mut document, "  - ", &missing.to_string());
    }
    Ok(document)
}

fn measuring_document(findings: &[MachineFinding]) -> Document<'static> {
    let mut document = Document::default();
    document.line("Measuring:");
    for finding in findings {
        let grade = match finding.grade {
            FindingLevel::Pass => "PASS",
            FindingLevel::Caution => "CAUTION",
            FindingLevel::Fail => "FAIL",
        };
        add_item(&mut document, &format!("  {grade:8}{:14}", finding.what), &finding.found);
        if let Some(remedy) = &finding.remedy {
            add_item(&mut document, "          remedy: ", remedy);
        }
    }
    document
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
        let mut document = measuring_document(&[finding]);
        add_item(&mut document, "  - ", &"x".repeat(200));
        let text = document.to_text(Page::default());
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.contains("CAUTION governor") && text.contains("remedy: do this"), "{text}");
    }
}
