//! `kopek grade --slurm`: judges a class by parts on the nodes of a cluster, and waits for them.

use super::{
    merge_command::disagreement_lines,
    progress_bars::BatchProgress,
    terminal_output::{print_message, print_wrapped},
};
use crate::{
    base::{
        Patience,
        files::write_atomic,
        wording::{counted, shortened},
    },
    class::part_of,
    course::GradedCourse,
    exec::StoppedEarly,
    machine::Machine,
    package::shell_words::quote_word,
    score::State,
    slurm::{BatchArray, BatchQueue, BatchTask, FoldOnly, PartFolder, PartNode},
};
use anyhow::{Context, Result, ensure};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

#[derive(clap::Args)]
pub(super) struct SlurmOptions {
    /// Judge on N nodes at a time of a cluster with Slurm
    #[arg(long = "slurm", hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_NODES),
        conflicts_with = "fresh")]
    nodes: Option<u64>,
    /// Folder that all nodes see [default: --out with .slurm]
    #[arg(long = "slurm-folder", hide_short_help = true, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Option for sbatch; repeatable: `--partition=day`
    #[arg(long = "slurm-option", hide_short_help = true, value_name = "OPT", allow_hyphen_values = true)]
    options: Vec<String>,
    /// The folder of the part that --shard names, for its job
    #[arg(long = "slurm-part", hide = true, value_name = "DIR", requires = "shard")]
    pub(super) part: Option<PathBuf>,
}

/// More parts than nodes, so that a node with quick programs takes another part.
const PARTS_PER_NODE: u64 = 4;
/// An array has at most 1 000 tasks unless the cluster allows more.
const MAX_NODES: u64 = 1000 / PARTS_PER_NODE;

/// A class that parts judge.
pub(super) struct SlurmRun<'a> {
    options: &'a SlurmOptions,
    nodes: u64,
    queue: BatchQueue,
    folder: PartFolder,
    parts: u64,
    machine: &'a Machine,
    stop: &'a AtomicBool,
}

impl SlurmOptions {
    pub(super) fn is_given(&self) -> bool {
        self.nodes.is_some()
    }

    /// The run that these options ask for, if any.
    pub(super) fn open<'a>(
        &'a self,
        out: Option<&Path>,
        machine: &'a Machine,
        stop: &'a AtomicBool,
    ) -> Result<Option<SlurmRun<'a>>> {
        let Some(nodes) = self.nodes else {
            ensure!(
                self.folder.is_none() && self.options.is_empty(),
                "--slurm-folder and --slurm-option need --slurm"
            );
            return Ok(None);
        };
        #[expect(clippy::disallowed_methods, reason = "where the user's programs are")]
        let queue = BatchQueue::find(&std::env::var_os("PATH").unwrap_or_default())?;
        let beside = |out: &Path| {
            PathBuf::from(
                [out.as_os_str().to_owned(), OsString::from(".slurm")].into_iter().collect::<OsString>(),
            )
        };
        let dir = self.folder.clone().or_else(|| out.map(beside));
        let dir = dir.context("--slurm needs --out, or --slurm-folder with a folder that all nodes see")?;
        let folder = PartFolder::open_or_make(&dir)?;
        let parts = folder.parts(nodes * PARTS_PER_NODE)?;
        Ok(Some(SlurmRun { options: self, nodes, queue, folder, parts, machine, stop }))
    }
}

impl SlurmRun<'_> {
    /// Joins the results of earlier jobs, first of those that still run.
    pub(super) fn continue_earlier(&self) -> Result<()> {
        let running = self.queue.tasks(&self.folder.job_name())?;
        if !running.is_empty() {
            let jobs: BTreeSet<String> = running.iter().map(|task| task.job.clone()).collect();
            print_message!("waiting for an earlier job of this folder: {}", listed(&jobs));
            self.wait(running.len(), jobs)?;
        }
        self.join()
    }

    /// Judges the parts with hand-ins that have no verdict in this report; `None`: all parts.
    pub(super) fn judge(&self, folded: Option<&GradedCourse>) -> Result<()> {
        let parts: Vec<u64> = match folded {
            Some(graded) => unjudged_parts(graded, self.parts).into_iter().collect(),
            None => (1..=self.parts).collect(),
        };
        if parts.is_empty() {
            return Ok(());
        }
        let script = self.folder.script();
        write_atomic(&script, job_script(self.folder.dir())?.as_bytes())?;
        self.folder.forget_ends(&parts)?;
        let array = BatchArray {
            name: &self.folder.job_name(),
            script: &script,
            output: &self.folder.output("%a"),
            tasks: &parts,
            at_once: self.nodes,
            options: &self.options.options,
        };
        let job = self.queue.submit(&array)?;
        print_message!("{} sent to Slurm as job {job}", counted(parts.len(), "part"));
        self.wait(parts.len(), BTreeSet::from([job]))?;
        self.join()?;
        self.name_failed(&parts)
    }

    /// Waits until no task is left. Ctrl-C cancels the jobs.
    fn wait(&self, parts: usize, mut jobs: BTreeSet<String>) -> Result<()> {
        let progress = BatchProgress::new(parts);
        let mut poll = Poll { next: Instant::now(), gap: FIRST_GAP };
        let patience = Patience { max: Duration::MAX, pause: Duration::from_millis(100) };
        let is_going = |_: &Waiting| !self.stop.load(Ordering::Relaxed);
        let ended = patience.retry(is_going, || {
            if !poll.is_due() {
                return Err(Waiting);
            }
            match self.queue.tasks(&self.folder.job_name()) {
                Ok(tasks) if tasks.is_empty() => return Ok(()),
                Ok(tasks) => {
                    progress.show(parts.saturating_sub(tasks.len()), &state_of(&tasks));
                    jobs.extend(tasks.into_iter().map(|task| task.job));
                }
                // Its controller restarts at times, while the jobs run on.
                Err(error) => progress.show_trouble(&format!("{error:#}")),
            }
            Err(Waiting)
        });
        progress.close();
        if ended.is_ok() {
            return Ok(());
        }
        self.queue.cancel(&jobs)?;
        let folder = self.folder.dir().display();
        print_message!("cancelled job {}; its parts keep their results in {folder}", listed(&jobs));
        Err(StoppedEarly.into())
    }

    fn join(&self) -> Result<()> {
        let scratch = tempfile::tempdir().context("make a folder for the results of parts")?;
        let mut disagreements = Vec::new();
        for part in 1..=self.parts {
            let merged = self.folder.join(part, &self.machine.store, scratch.path())?;
            disagreements.extend(merged.into_iter().flat_map(|merged| merged.disagreements));
        }
        if !disagreements.is_empty() {
            print_wrapped(disagreement_lines(&disagreements).trim_end());
        }
        Ok(())
    }

    /// Names the parts that did not end well, with what they printed last.
    fn name_failed(&self, parts: &[u64]) -> Result<()> {
        let mut failed = Vec::new();
        for part in parts {
            let code = self.folder.record(*part)?.and_then(|record| record.code);
            if code != Some(0) {
                failed.push(*part);
            }
        }
        for part in failed.iter().take(MAX_SHOWN) {
            let lines = self.folder.last_lines(*part, LAST_LINES);
            if lines.is_empty() {
                print_message!(
                    "part {part} failed and printed nothing into {}: do the nodes see this folder? name another one with --slurm-folder",
                    self.folder.output(&part.to_string()).display()
                );
                continue;
            }
            print_message!(
                "part {part} is incomplete; the last lines of {}:",
                self.folder.output(&part.to_string()).display()
            );
            lines.iter().for_each(|line| print_message!("  {line}"));
        }
        if failed.len() > MAX_SHOWN {
            let others: Vec<String> = failed[MAX_SHOWN..].iter().map(u64::to_string).collect();
            print_message!("incomplete, too: parts {}", shortened(&others, 20, ", "));
        }
        Ok(())
    }

    /// Names nodes whose results cannot be used here, after the fold has found this machine's compilers.
    pub(super) fn name_other_nodes(&self, fold: &FoldOnly, here: &str) -> Result<()> {
        if fold.refused() == 0 {
            return Ok(());
        }
        let ours = PartNode::of(self.machine, here.to_owned());
        let mut seen = BTreeSet::new();
        for part in 1..=self.parts {
            let Some(record) = self.folder.record(part)? else { continue };
            let differences = ours.differences(&record.node);
            if !differences.is_empty() && seen.insert(record.node.name.clone()) {
                print_message!(
                    "the results of {} cannot be used on {here}: {}\n  remedy: nodes of one kind, the kind of {here}: \
                     --slurm-option --constraint=FEATURE (`sinfo -o '%N %f'` lists features), or start kopek on such a node with srun",
                    record.node.name,
                    differences.join("; ")
                );
            }
        }
        Ok(())
    }
}

/// Parts and their last lines that are shown.
const MAX_SHOWN: usize = 5;
const LAST_LINES: usize = 5;

/// Tasks are left.
struct Waiting;

/// When to ask the queue: soon at first, then seldom, because it serves the whole cluster.
struct Poll {
    next: Instant,
    gap: Duration,
}

const FIRST_GAP: Duration = Duration::from_millis(200);
const LAST_GAP: Duration = Duration::from_secs(10);

impl Poll {
    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        if now < self.next {
            return false;
        }
        self.gap = (self.gap * 3 / 2).min(LAST_GAP);
        self.next = now + self.gap;
        true
    }
}

fn state_of(tasks: &[BatchTask]) -> String {
    let running = tasks.iter().filter(|task| task.is_running).count();
    match tasks.iter().find(|task| !task.is_running) {
        _ if running > 0 => format!("{running} running"),
        Some(waiting) => format!("pending: {}", waiting.reason),
        None => String::new(),
    }
}

fn listed(jobs: &BTreeSet<String>) -> String {
    jobs.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// The parts with programs that have no verdict.
fn unjudged_parts(graded: &GradedCourse, parts: u64) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    for (package, members) in graded.packages.iter().zip(&graded.class.members) {
        let results = graded.report.packages.iter().find(|results| results.name == package.name());
        let rows = results.into_iter().flat_map(|results| &results.rows);
        let open: BTreeSet<&str> = rows
            .filter(|row| matches!(row.card.state, State::Unknown(_)))
            .map(|row| row.card.name.as_str())
            .collect();
        let open = members.iter().filter(|one| one.submission.is_ok() && open.contains(one.name.as_str()));
        found.extend(open.map(|member| part_of(member, parts)));
    }
    found
}

/// The script of a part: this command line, with its part.
#[expect(clippy::disallowed_methods, reason = "the command to repeat on the nodes")]
fn job_script(folder: &Path) -> Result<String> {
    let program = std::env::current_exe().context("find the kopek program itself")?;
    let here = std::env::current_dir().context("find the current folder")?;
    let words: Vec<String> = std::env::args().skip(1).collect();
    let grade = words.iter().position(|word| word == "grade").context("find the command")?;
    let quoted = |words: &[String]| words.iter().map(|word| quote_word(word) + " ").collect::<String>();
    let path = |path: &Path| quote_word(&path.display().to_string());
    // With exec, the signal before the end of the job reaches kopek.
    Ok(format!(
        "#!/bin/sh\ncd {} || exit 2\nexec {} {}--shard \"$SLURM_ARRAY_TASK_ID/$(cat {})\" --slurm-part {} {}\n",
        path(&here),
        path(&program),
        quoted(&words[..=grade]),
        path(&folder.join("parts")),
        path(folder),
        quoted(&words[grade + 1..]).trim_end(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_says_why_a_queue_does_not_start() {
        let task =
            |is_running, reason: &str| BatchTask { job: "12".into(), is_running, reason: reason.into() };
        assert_eq!(state_of(&[task(false, "Resources"), task(false, "Priority")]), "pending: Resources");
        assert_eq!(state_of(&[task(false, "Resources"), task(true, "None")]), "1 running");
    }
}
