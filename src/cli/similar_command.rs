//! `kopek similar`: finds similar hand-ins.

use super::{
    exit_status::ExitStatus,
    hand_in_options::layout_parser,
    terminal_output::{print_message, print_text, terminal_page},
    toolchain_search::language_table,
};
use crate::{
    base::{
        files::{name_of, write_atomic},
        wording::counted,
    },
    class::{self, EarlierFiles, HandInLayout},
    course::is_inside,
    language::{LanguageTable, Links},
    package::{Package, Participant},
    render::{json_text, similar_document, similar_page},
    similar::{
        ComparedFile, Comparison, NotCompared, SimilarityOptions, compare_with_earlier, read_compared,
        read_texts,
    },
};
use anyhow::{Context, Result, anyhow, bail};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
#[command(after_help = "\
Similarity is a reason to look, not a proof, and never changes points.\n\n\
Exit codes: 0 compared; 2 error.")]
pub(super) struct Args {
    /// Folder of hand-ins, or a zip or tar of it
    handins: PathBuf,
    /// Layout of the hand-ins [default: detected]
    #[arg(long, value_name = "LAYOUT", value_parser = layout_parser())]
    layout: Option<HandInLayout>,
    #[command(flatten)]
    likeness: SimilarOptions,
    /// Write similar.html and similar.json into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Options for the comparison and its output.
#[derive(clap::Args)]
pub(super) struct SimilarOptions {
    /// Code given to everyone, file or folder; its passages do not count
    #[arg(long, value_name = "FILE")]
    skeleton: Vec<PathBuf>,
    /// Compare with other sources, too: folder, zip or tar
    #[arg(long, value_name = "DIR")]
    against: Vec<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let table = language_table()?;
    let others = args.likeness.read_others(&args.handins, &table)?;
    let cohort = class::read(&args.handins, args.layout, &[])?;
    print_message!("{}", cohort.summary());
    let cohort = cohort.all_sources(&table);
    let compared = compare_cohort(&cohort, others, &table);
    let min = if args.likeness.against.is_empty() { 2 } else { 1 };
    if compared.compared < min {
        bail!(
            "{}: {} to compare\n{}",
            args.handins.display(),
            if compared.programs.is_empty() { "no programs" } else { "only one program" },
            similar_document(&compared).to_text(terminal_page())
        );
    }
    print_text(&similar_document(&compared).to_text(terminal_page()))?;
    if let Some(dir) = &args.out {
        // Others read the page, so it does not show the full path.
        let whole = args.handins.canonicalize().unwrap_or_else(|_| args.handins.clone());
        write_comparison(dir, "similar", &name_of(&whole), &compared)?;
        print_message!("wrote similar.html and similar.json to {}", dir.display());
    }
    Ok(ExitStatus::Success)
}

/// Writes the page and the JSON.
pub(super) fn write_comparison(dir: &Path, name: &str, title: &str, compared: &Comparison) -> Result<()> {
    write_atomic(&dir.join(format!("{name}.html")), similar_page(title, compared).as_bytes())?;
    write_atomic(&dir.join(format!("{name}.json")), json_text(compared).as_bytes())
}

/// Other code to compare the programs of a class with.
struct OtherCode {
    /// Code given to every participant.
    skeleton: Vec<ComparedFile>,
    earlier: Vec<ComparedFile>,
}

impl SimilarOptions {
    fn read_others(&self, handins: &Path, table: &LanguageTable) -> Result<OtherCode> {
        let mut skeleton = Vec::new();
        for path in &self.skeleton {
            let read = || -> Result<Vec<ComparedFile>> {
                let participant = class::read_sources(path, table)?;
                read_compared(&participant, table).map(|program| program.files).map_err(|why| anyhow!(why))
            };
            skeleton.extend(read().with_context(|| format!("read skeleton {}", path.display()))?);
        }
        let mut earlier = Vec::new();
        for path in &self.against {
            if is_inside(path, handins) || is_inside(handins, path) {
                bail!(
                    "--against {}: contains the hand-ins themselves; name a folder of other sources",
                    path.display()
                );
            }
            let read =
                EarlierFiles::read(path, table).with_context(|| format!("--against {}", path.display()))?;
            print_message!("{}: {}", path.display(), counted(read.files.len(), "earlier source"));
            for (name, why) in &read.not_read {
                print_message!("warning: {name} is not compared: {why}");
            }
            earlier.extend(read.files);
        }
        Ok(OtherCode { skeleton, earlier })
    }
}

/// Compares the programs of a cohort, and lists participants without one, with the reason.
fn compare_cohort(cohort: &[Participant], others: OtherCode, table: &LanguageTable) -> Comparison {
    let mut programs = Vec::new();
    let mut unreadable = Vec::new();
    let mut teams = BTreeSet::new();
    for participant in cohort {
        // The members of a team share a program.
        if participant.hand_in.group.as_ref().is_some_and(|team| !teams.insert(team)) {
            continue;
        }
        match read_compared(participant, table) {
            Ok(program) => programs.push(program),
            Err(why) => unreadable.push(NotCompared { name: participant.name.clone(), why }),
        }
    }
    let options = SimilarityOptions::default();
    let mut compared = compare_with_earlier(programs, others.earlier, &others.skeleton, options);
    compared.not_compared.append(&mut unreadable);
    compared
}

/// Compares the hand-ins for a package while grading, and writes `name.html` and `name.json`.
pub(super) fn compare_class(
    dir: &Path,
    name: &str,
    package: &Package,
    cohort: &[Participant],
    table: &LanguageTable,
) -> Result<()> {
    // Hand-ins may have copies of the files that the package includes.
    let included = package.include.values().filter_map(|files| read_texts(files, Links::Follow, table).ok());
    let others = OtherCode { skeleton: included.flatten().collect(), earlier: Vec::new() };
    let compared = compare_cohort(cohort, others, table);
    write_comparison(dir, name, &package.name, &compared)?;
    print_message!(
        "{}: {} of similar programs; see {}",
        package.name,
        counted(compared.clusters.len(), "cluster"),
        dir.join(name).with_extension("html").display()
    );
    Ok(())
}
