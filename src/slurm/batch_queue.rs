//! Slurm's own programs, started as the user would start them: outside of the sandbox.

use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::BTreeSet,
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
};

/// The programs of a Slurm, by their paths.
pub struct BatchQueue {
    sbatch: PathBuf,
    squeue: PathBuf,
    scancel: PathBuf,
}

/// An array of jobs to submit.
pub struct BatchArray<'a> {
    pub name: &'a str,
    pub script: &'a Path,
    /// The output of each task; `%a` is its number.
    pub output: &'a Path,
    pub tasks: &'a [u64],
    /// How many run at the same time.
    pub at_once: u64,
    /// Options of the user, which override ours.
    pub options: &'a [String],
}

/// A task of an array that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchTask {
    /// The job of the whole array.
    pub job: String,
    pub is_running: bool,
    /// Why it waits, in the words of Slurm.
    pub reason: String,
}

impl BatchQueue {
    /// Looks for the programs in the directories of a search path.
    pub fn find(search_path: &OsStr) -> Result<BatchQueue> {
        let find = |name: &str| {
            let mut places = env::split_paths(search_path).map(|dir| dir.join(name));
            places.find(|place| place.is_file()).with_context(|| {
                format!("--slurm: there is no `{name}` on the path; run kopek on a login node of a cluster with Slurm, or judge parts with --shard")
            })
        };
        Ok(BatchQueue { sbatch: find("sbatch")?, squeue: find("squeue")?, scancel: find("scancel")? })
    }

    /// Submits an array, and returns the id of its job.
    pub fn submit(&self, array: &BatchArray) -> Result<String> {
        let tasks: Vec<String> = array.tasks.iter().map(u64::to_string).collect();
        let mut command = start(&self.sbatch);
        command.args(["--parsable", "--requeue", "--exclusive", "--open-mode=append"]);
        // A part keeps its results when its time is nearly over. Without B: only children of the script get the signal.
        command.arg("--signal=B:TERM@60");
        command.arg(format!("--job-name={}", array.name));
        command.arg(format!("--array={}%{}", tasks.join(","), array.at_once));
        command.arg(format!("--output={}", array.output.display()));
        let said = said(command.args(array.options).arg(array.script))?;
        // A federation adds its cluster.
        let job = said.trim().split(';').next().unwrap_or_default().to_owned();
        ensure!(!job.is_empty(), "sbatch printed no id of a job");
        Ok(job)
    }

    /// The tasks of the user's arrays with this name that have not ended.
    pub fn tasks(&self, name: &str) -> Result<Vec<BatchTask>> {
        let mut command = start(&self.squeue);
        command.args(["--me", "--noheader", "--array", "--format=%F|%T|%r"]).arg(format!("--name={name}"));
        read_tasks(&said(&mut command)?)
    }

    /// Cancels jobs by their ids.
    pub fn cancel(&self, jobs: &BTreeSet<String>) -> Result<()> {
        said(start(&self.scancel).args(jobs)).map(drop)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "programs of the cluster, which the user trusts like kopek itself"
)]
fn start(program: &Path) -> Command {
    Command::new(program)
}

/// Runs a program to its end, and returns its output.
fn said(command: &mut Command) -> Result<String> {
    let name = Path::new(command.get_program()).file_name().unwrap_or_default().display().to_string();
    let output = command.output().with_context(|| format!("start {name}"))?;
    if !output.status.success() {
        bail!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn read_tasks(text: &str) -> Result<Vec<BatchTask>> {
    let read = |line: &str| {
        let fields: Vec<&str> = line.trim().splitn(3, '|').collect();
        let [job, state, reason] = fields[..] else { bail!("squeue printed `{line}`, not a task of a job") };
        let is_running = matches!(state, "RUNNING" | "COMPLETING");
        Ok(BatchTask { job: job.to_owned(), is_running, reason: reason.to_owned() })
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_squeue_is_a_task() {
        let tasks = read_tasks("12|RUNNING|None\n12|PENDING|Resources\n\n12|PENDING|(odd|reason)\n").unwrap();
        let reasons: Vec<&str> = tasks.iter().map(|task| task.reason.as_str()).collect();
        assert_eq!(reasons, ["None", "Resources", "(odd|reason)"]);
        assert!(tasks[0].is_running && !tasks[1].is_running);
        let error = read_tasks("slurm is away").unwrap_err().to_string();
        assert_eq!(error, "squeue printed `slurm is away`, not a task of a job");
    }
}
