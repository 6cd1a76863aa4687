//! `kopek doctor`: what this machine can isolate, and whether it can measure.

use super::shown::print;
use crate::sandbox::{Finding, Grade, Sandbox, Wish, look};
use anyhow::Result;
use std::process::ExitCode;

/// Arguments of `kopek doctor`.
///
/// Exit code: 0 if all is well or may wander a little; 1 if times mean little
/// here (a FAIL); 2 if programs cannot be isolated, or with --strict not in full.
#[derive(clap::Args)]
#[command(after_help = "Exit code: 0 all is well or merely CAUTION; 1 a FAIL: times mean little here; \
    2 programs cannot be isolated, or with --strict not in full.")]
pub struct Args {
    /// Refuse modes that do not keep every promise
    #[arg(long)]
    strict: bool,
}

/// Does it.
pub fn run(args: Args) -> Result<ExitCode> {
    let exe = std::env::current_exe()?;
    let sandbox = Sandbox::open_with(&exe, Wish { strict: args.strict, ..Wish::default() })?;
    let findings = look(&sandbox);
    print(&format!("{}{}", isolation(&sandbox), fairness(&findings)))?;
    let worst = findings.iter().map(|f| f.grade).max().unwrap_or(Grade::Pass);
    Ok(if worst == Grade::Fail { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Columns of a terminal, whatever its width: a report to be pasted.
const WIDTH: usize = 80;

/// A list item, wrapped; the first line begins with `mark`, the others are as far in.
fn item(mark: &str, text: &str) -> String {
    let indent = " ".repeat(mark.chars().count());
    let (mut lines, mut line) = (String::new(), mark.to_owned());
    let mut empty = true;
    let room = WIDTH - indent.len();
    // Long paths are cut: nothing may be wider.
    let pieces = text.split_whitespace().flat_map(|word| {
        let letters: Vec<char> = word.chars().collect();
        letters.chunks(room).map(|piece| piece.iter().collect::<String>()).collect::<Vec<_>>()
    });
    for word in pieces {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines += &format!("{line}\n");
            (line, empty) = (indent.clone(), true);
        }
        line += if empty { "" } else { " " };
        line += &word;
        empty = false;
    }
    lines + &line + "\n"
}

fn isolation(sandbox: &Sandbox) -> String {
    let mut text = format!("Isolation: {}\n", sandbox.mode());
    sandbox.guarantees().iter().for_each(|line| text += &item("  + ", line));
    sandbox.warnings().iter().for_each(|line| text += &item("  - ", line));
    sandbox.refused().iter().for_each(|line| text += &item("  tried: ", line));
    if !sandbox.warnings().is_empty() {
        sandbox.remedies().iter().for_each(|line| text += &item("  remedy: ", line));
    }
    text
}

fn fairness(findings: &[Finding]) -> String {
    let mut text = "Measuring:\n".to_owned();
    for finding in findings {
        let grade = match finding.grade {
            Grade::Pass => "PASS",
            Grade::Caution => "CAUTION",
            Grade::Fail => "FAIL",
        };
        text += &item(&format!("  {grade:8}{:14}", finding.what), &finding.found);
        if let Some(remedy) = &finding.remedy {
            text += &item("          remedy: ", remedy);
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
        let finding = Finding { what: "governor", grade: Grade::Caution, found: found.into(), remedy };
        let text = fairness(&[finding]);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(item("  - ", &"x".repeat(200)).lines().all(|line| line.len() <= WIDTH));
        assert!(text.contains("CAUTION governor") && text.contains("remedy: do this"), "{text}");
    }
}
