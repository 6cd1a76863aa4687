//! `kopek receive`: problems from the browser.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    path_hints::missing_path,
    terminal_output::{print_line, print_message},
};
use crate::receive::{PostedBatch, receive};
use anyhow::{Context, Result};
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use std::{
    collections::HashMap,
    fs,
    net::{Ipv4Addr, TcpListener},
    path::PathBuf,
    sync::atomic::Ordering,
};

#[derive(clap::Args)]
#[command(after_help = "\
Listens on this machine alone for what the browser extension Competitive Companion posts, and writes a package \
with the samples and the limits for each problem: `kopek run PROBLEM SOLUTION` judges with it. A problem that is \
posted again keeps its directory, and the solutions in it.\n\n\
Exit codes: 0 all of --once was received; 2 the request cannot be done; 130 interrupted.")]
pub(super) struct Args {
    /// Where the problems go
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Where to listen; 27121 is a port that the extension posts to by itself
    #[arg(long, default_value_t = 27121)]
    port: u16,
    /// A file that every new problem begins with
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// End when one problem, or all of one contest, was received
    #[arg(long)]
    once: bool,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    if !args.dir.is_dir() {
        return Err(missing_path("write problems to", &args.dir));
    }
    let template = args.template.as_deref().map(|path| -> Result<(String, Vec<u8>)> {
        let name = path.file_name().context("a template is a file")?.to_string_lossy().into_owned();
        Ok((name, fs::read(path).with_context(|| format!("read the template {}", path.display()))?))
    });
    let template = template.transpose()?;
    let stop = stop_on_interrupt()?;
    // Loopback alone: whoever can reach this port can write files here.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).with_context(|| {
        format!("listen on port {}: another program may use it; --port names another", args.port)
    })?;
    let port = listener.local_addr().context("listen")?.port();
    print_message!("listening on 127.0.0.1:{port}; Ctrl-C ends");
    let mut batches = HashMap::new();
    while !stop.load(Ordering::Relaxed) {
        match poll(&mut [PollFd::new(&listener, PollFlags::IN)], None) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error).context("wait for a problem"),
        }
        let (stream, _) = listener.accept().context("accept a connection")?;
        match receive(&stream, &args.dir, template.as_ref()) {
            Ok(received) => {
                print_line(&format!("{}: {}", received.dir.display(), received.title))?;
                if args.once && is_last(&mut batches, received.batch) {
                    return Ok(ExitStatus::Success);
                }
            }
            Err(error) => print_message!("refused: {error:#}"),
        }
    }
    Ok(ExitStatus::Interrupted)
}

/// Whether all problems of what the user sent have come.
fn is_last(batches: &mut HashMap<String, usize>, batch: Option<PostedBatch>) -> bool {
    let Some(batch) = batch else { return true };
    let came = batches.entry(batch.id).or_default();
    *came += 1;
    *came >= batch.size
}
