//! `kopek receive`: receives problems from the browser.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    terminal_output::{print_line, print_message},
};
use crate::receive::{PostedBatch, ProblemReceiver, TemplateFiles};
use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{atomic::Ordering, mpsc::RecvTimeoutError},
    time::Duration,
};
use walkdir::WalkDir;

/// Maximum delay of Ctrl-C.
const MOMENT: Duration = Duration::from_millis(100);

#[derive(clap::Args)]
#[command(after_help = "\
Listens on this machine only. Each problem becomes a package with its samples and limits. A problem that is \
sent again keeps its directory.\n\n\
Exit codes: 0 --once is complete; 2 error; 130 interrupted.")]
pub(super) struct Args {
    /// Directory for the problems
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Port to listen on; the extension knows 27121
    #[arg(long, default_value_t = 27121)]
    port: u16,
    /// Solution template for every new problem: a file, or a directory of files
    #[arg(long, value_name = "PATH")]
    template: Option<PathBuf>,
    /// Exit after one problem, or all problems of a contest
    #[arg(long)]
    once: bool,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let template = match &args.template {
        Some(path) => read_template(path)?,
        None => TemplateFiles::new(),
    };
    fs::create_dir_all(&args.dir).with_context(|| format!("make the directory {}", args.dir.display()))?;
    let stop = stop_on_interrupt()?;
    let receiver = ProblemReceiver::start(args.port, args.dir, template)?;
    print_message!("listening on 127.0.0.1:{}; Ctrl-C ends", receiver.port());
    let mut batches = HashMap::new();
    while !stop.load(Ordering::Relaxed) {
        match receiver.results.recv_timeout(MOMENT) {
            Ok(Ok(received)) => {
                print_line(&format!("{}: {}", received.dir.display(), received.title))?;
                if args.once && is_last(&mut batches, received.batch) {
                    return Ok(ExitStatus::Success);
                }
            }
            Ok(Err(error)) => print_message!("refused: {error:#}"),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("the server ended"),
        }
    }
    Ok(ExitStatus::Interrupted)
}

/// Reads a file, or all files below a directory such as attachments/templates/python3 of a package.
fn read_template(path: &Path) -> Result<TemplateFiles> {
    let act = || format!("read the template {}", path.display());
    let root = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let mut files = TemplateFiles::new();
    for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
        let entry = entry.with_context(act)?;
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_string_lossy();
            files.push((name.into_owned(), fs::read(entry.path()).with_context(act)?));
        }
    }
    ensure!(!files.is_empty(), "{} has no files to begin with", path.display());
    Ok(files)
}

/// Whether all problems of the user's click have arrived.
fn is_last(batches: &mut HashMap<String, usize>, batch: Option<PostedBatch>) -> bool {
    let Some(batch) = batch else { return true };
    let came = batches.entry(batch.id).or_default();
    *came += 1;
    *came >= batch.size
}
