//! `kopek man`: the manual, generated from the definition of the command line.

use super::{exit_status::ExitStatus, terminal_output::print_text};
use crate::base::{files::write_atomic, wording::counted};
use anyhow::{Context, Result};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Read a page with `kopek man | man -l -` or `kopek man grade | man -l -`.")]
pub(super) struct Args {
    /// Subcommand [default: kopek itself]
    command: Option<String>,
    /// Write all pages into DIR: kopek.1, kopek-grade.1
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// Prints one page, or writes all of them.
pub(super) fn run(args: Args, mut kopek: clap::Command) -> Result<ExitStatus> {
    // Adds global options to every page, as in `--help`.
    kopek.build();
    if let Some(dir) = args.out {
        let pages = all_pages(&kopek)?;
        for (name, page) in &pages {
            write_atomic(&dir.join(name), page)?;
        }
        print_text(&format!("wrote {} to {}\n", counted(pages.len(), "page"), dir.display()))?;
        return Ok(ExitStatus::Success);
    }
    let command = match &args.command {
        None => &kopek,
        Some(name) => {
            kopek.find_subcommand(name).with_context(|| format!("kopek has no command `{name}`"))?
        }
    };
    print_text(&String::from_utf8(page_of(command)?)?)?;
    Ok(ExitStatus::Success)
}

fn all_pages(kopek: &clap::Command) -> Result<Vec<(String, Vec<u8>)>> {
    let below = kopek.get_subcommands().filter(|command| command.get_name() != "help");
    let mut pages = vec![("kopek.1".to_owned(), page_of(kopek)?)];
    for command in below {
        pages.push((format!("kopek-{}.1", command.get_name()), page_of(command)?));
    }
    Ok(pages)
}

fn page_of(command: &clap::Command) -> Result<Vec<u8>> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let mut page = Vec::new();
    // No date, so that the pages of a version are reproducible.
    let named = command.clone().version(env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(named).title(name).render(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::{super::Args as Kopek, *};
    use clap::CommandFactory;

    #[test]
    fn every_command_has_its_page_with_rare_options() {
        let mut kopek = Kopek::command();
        kopek.build();
        let pages = all_pages(&kopek).unwrap();
        let page = |name: &str| {
            let (_, page) = pages.iter().find(|(file, _)| file == name).unwrap();
            String::from_utf8(page.clone()).unwrap()
        };
        let run = page("kopek-run.1");
        assert!(run.contains(".TH") && run.contains("samples") && run.contains("Exit codes"), "{run}");
        assert!(page("kopek-grade.1").contains("Decisions by hand"));
        for command in kopek.get_subcommands().filter(|command| command.get_name() != "help") {
            page(&format!("kopek-{}.1", command.get_name()));
        }
    }
}
