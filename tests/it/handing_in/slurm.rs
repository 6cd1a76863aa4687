//! A class judged by parts, with the programs of a Slurm of one node that the tests write. `.ci/nightly` does it with
//! the real ones.

use super::graded::{HALF, SUM, WRONG, command, sums_package, write_file};
use crate::events::Changes;
use rustix::process::{Pid, Signal, kill_process};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};
use tempfile::TempDir;

/// Runs all tasks before it ends, unless they wait for resources. A broken task is killed.
const SBATCH: &str = "#!/bin/sh
home=$(dirname \"$0\")
echo \"$*\" >>\"$home/sent\"
for word; do
    case $word in
    --array=*) tasks=${word#*=} ;;
    --output=*) output=${word#*=} ;;
    esac
    script=$word
done
[ ! -e \"$home/hold\" ] || echo '17|PENDING|Resources' >\"$home/queue\"
[ -e \"$home/hold\" ] || for task in $(echo \"${tasks%\\%*}\" | tr , ' '); do
    file=${output%\\%a.out}$task.out
    if [ -e \"$home/broken\" ]; then
        echo 'slurmstepd: error: Detected 1 oom_kill event' >>\"$file\"
    else
        SLURM_ARRAY_TASK_ID=$task SLURMD_NODENAME=node7 sh \"$script\" >>\"$file\" 2>&1
    fi
done
echo 17
";
/// Prints the queue, which ends after that if `ends` is there.
const SQUEUE: &str = "#!/bin/sh
home=$(dirname \"$0\")
[ ! -e \"$home/queue\" ] || cat \"$home/queue\"
[ ! -e \"$home/ends\" ] || rm -f \"$home/queue\"
echo \"$*\" >>\"$home/asked\"
";
const SCANCEL: &str = "#!/bin/sh\necho \"$*\" >>\"$(dirname \"$0\")/cancelled\"\n";

/// A class of nine, six programs, and a Slurm.
struct Cluster(TempDir);

impl Cluster {
    fn new() -> Cluster {
        let home = tempfile::tempdir().unwrap();
        sums_package(&home.path().join("sums"));
        for number in 0..9 {
            let text = [SUM, HALF, WRONG][number % 3];
            write_file(
                &home.path().join(format!("class/p{number}.py")),
                &format!("{text}# {}\n", number / 6),
            );
        }
        for (name, text) in [("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL)] {
            let program = home.path().join("slurm").join(name);
            write_file(&program, text);
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Cluster(home)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn lines(&self, name: &str) -> Vec<String> {
        fs::read_to_string(self.file(name)).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = command(self.0.path(), &[&["grade", "sums", "class"], args].concat());
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.file("slurm").display()));
        command
    }

    /// Grades with Slurm; returns what it said.
    #[track_caller]
    fn grade(&self, args: &[&str], code: i32) -> String {
        let output = self.command(&[&["--slurm", "2", "--out", "report"], args].concat()).output().unwrap();
        let said = said(&output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        said
    }

    /// Names and points of a report.
    fn points(&self, folder: &str) -> BTreeMap<String, Option<u64>> {
        let text = fs::read(self.file(folder).join("report.json")).unwrap();
        let report: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let row =
            |row: &serde_json::Value| (row["name"].as_str().unwrap().to_owned(), row["points"].as_u64());
        report["participants"].as_array().unwrap().iter().map(row).collect()
    }

    /// The arrays that were sent, as numbers of parts.
    fn sent_parts(&self) -> Vec<usize> {
        let count = |line: &String| {
            let array = line.split("--array=").nth(1).unwrap().split('%').next().unwrap();
            array.split(',').count()
        };
        self.lines("slurm/sent").iter().map(count).collect()
    }
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

#[test]
fn parts_on_nodes_give_the_report_of_one_machine_and_a_later_run_sends_what_is_new() {
    let cluster = Cluster::new();
    let said = cluster.grade(&["--slurm-option", "--partition=day"], 0);
    assert!(said.contains(" sent to Slurm as job 17") && said.contains(" 0 jobs done"), "{said}");
    let sent = cluster.lines("slurm/sent").concat();
    assert!(
        sent.contains("%2 ") && sent.contains(" --requeue ") && sent.contains(" --partition=day "),
        "{sent}"
    );
    let alone = cluster.command(&["--out", "alone", "--store", "other"]).output().unwrap();
    assert!(alone.status.success(), "{}", self::said(&alone));
    assert_eq!(cluster.points("report"), cluster.points("alone"));

    let said = cluster.grade(&[], 0);
    assert!(!said.contains("sent to Slurm"), "everything is known: {said}");
    write_file(&cluster.file("class/zoe.py"), SUM);
    cluster.grade(&[], 0);
    assert_eq!(cluster.sent_parts()[1..], [1], "only the part of the new program");
    assert_eq!(cluster.points("report")["zoe"], Some(100));
}

#[test]
fn a_part_that_fails_is_named_and_has_no_grades() {
    let cluster = Cluster::new();
    cluster.grade(&[], 0);
    write_file(&cluster.file("class/zoe.py"), SUM);
    write_file(&cluster.file("slurm/broken"), "");
    let said = cluster.grade(&[], 3);
    assert!(
        said.contains("is incomplete; the last lines of ") && said.contains("Detected 1 oom_kill event"),
        "{said}"
    );
    let points = cluster.points("report");
    assert_eq!((points["p0"], points["zoe"]), (Some(100), None));
    fs::remove_file(cluster.file("slurm/broken")).unwrap();
    cluster.grade(&[], 0);
    assert_eq!(cluster.points("report")["zoe"], Some(100));
}

#[test]
fn a_node_with_another_processor_is_named_with_the_way_to_one_kind() {
    let cluster = Cluster::new();
    cluster.grade(&[], 0);
    for part in 1..=8 {
        let record = cluster.file(&format!("report.slurm/part-{part}.json"));
        let Ok(text) = fs::read_to_string(&record) else { continue };
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["node"]["name"], "node7");
        value["node"]["processor"] = "x86_64 of another age".into();
        fs::write(&record, value.to_string()).unwrap();
    }
    write_file(&cluster.file("class/zoe.py"), SUM);
    write_file(&cluster.file("slurm/broken"), "");
    let said = cluster.grade(&[], 3);
    assert!(said.contains("the results of node7 cannot be used on "), "{said}");
    assert!(
        said.contains("processor x86_64 of another age there") && said.contains("--constraint="),
        "{said}"
    );
    assert_eq!(said.matches("the results of node7").count(), 1, "{said}");
}

/// A run that waits for its queue.
fn start_waiting(cluster: &Cluster) -> Child {
    write_file(&cluster.file("slurm/hold"), "");
    write_file(&cluster.file("slurm/asked"), "");
    let asked = Changes::of([cluster.file("slurm/asked")]);
    let mut run = cluster.command(&["--slurm", "2", "--out", "report"]);
    let run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // Once before it sends the parts.
    asked.until("two questions about the queue", || (cluster.lines("slurm/asked").len() >= 2).then_some(()));
    fs::remove_file(cluster.file("slurm/hold")).unwrap();
    run
}

#[test]
fn ctrl_c_cancels_the_jobs_of_this_folder_and_the_same_command_continues() {
    let cluster = Cluster::new();
    let run = start_waiting(&cluster);
    kill_process(Pid::from_child(&run), Signal::INT).unwrap();
    let output = run.wait_with_output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("cancelled job 17; its parts keep their results in "), "{said}");
    assert_eq!(cluster.lines("slurm/cancelled"), ["17"]);
    fs::remove_file(cluster.file("slurm/queue")).unwrap();
    cluster.grade(&[], 0);
    assert_eq!(cluster.sent_parts().len(), 2);
}

#[test]
fn a_run_after_a_kill_waits_for_the_jobs_that_still_run() {
    let cluster = Cluster::new();
    let mut run = start_waiting(&cluster);
    run.kill().unwrap();
    run.wait().unwrap();
    write_file(&cluster.file("slurm/ends"), "");
    let said = cluster.grade(&[], 0);
    assert!(said.contains("waiting for an earlier job of this folder: 17"), "{said}");
    assert_eq!(cluster.sent_parts().len(), 2, "what the earlier job left");
}

#[test]
fn what_slurm_cannot_do_is_refused_with_the_remedy() {
    let cluster = Cluster::new();
    let refused = |command: &mut Command, part: &str| {
        let output = command.output().unwrap();
        let said = said(&output);
        assert!(output.status.code() == Some(2) && said.contains(part), "{said}");
    };
    let with = |args: &[&str]| cluster.command(&[&["--slurm", "2"], args].concat());
    refused(&mut with(&[]), "--slurm needs --out, or --slurm-folder");
    refused(&mut with(&["--out", "report", "--fresh"]), "--fresh");
    refused(&mut with(&["--out", "report", "--shard", "1/2"]), "leave out --shard");
    refused(&mut cluster.command(&["--slurm-folder", "x"]), "need --slurm");
    let nowhere = "there is no `sbatch` on the path";
    fs::remove_file(cluster.file("slurm/sbatch")).unwrap();
    // This machine may have a Slurm.
    refused(with(&["--out", "report"]).env("PATH", cluster.file("slurm")), nowhere);
    assert!(!cluster.file("report.slurm").exists());
    let part = ["--shard", "1/8", "--slurm-part", "unseen"];
    refused(
        &mut cluster.command(&part),
        "does not see unseen; name a folder on a file system that all nodes see",
    );
    fs::create_dir(cluster.file("seen")).unwrap();
    fs::remove_dir_all(cluster.file("class")).unwrap();
    let part = ["--shard", "1/8", "--slurm-part", "seen"];
    refused(
        &mut cluster.command(&part),
        "where all packages, hand-ins and files of the course must be visible",
    );
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let cluster = Cluster::new();
    let mut run = start_waiting(&cluster);
    let args = ["--slurm", "2", "--out", "other", "--slurm-folder", "report.slurm"];
    let output = cluster.command(&args).output().unwrap();
    run.kill().unwrap();
    run.wait().unwrap();
    let said = said(&output);
    assert!(output.status.code() == Some(2) && said.contains("another kopek waits for the parts"), "{said}");
}

/// The lines of the guide are for these programs.
#[test]
fn the_guide_shows_the_options_of_slurm() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/many-machines.md");
    let guide = fs::read_to_string(guide).unwrap();
    let lines: Vec<&str> = guide.lines().filter(|line| line.contains("--slurm ")).collect();
    let cluster = Cluster::new();
    write_file(&cluster.file("course.toml"), "problems = [\"sums\"]\nhand-ins = \"class\"\n");
    for line in lines.iter().filter(|line| line.starts_with("kopek grade")) {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let mut run = command(cluster.0.path(), &words);
        let path = format!("{}:{}", cluster.file("slurm").display(), std::env::var("PATH").unwrap());
        let output = run.env("PATH", path).output().unwrap();
        assert!(output.status.success(), "{line}\n{}", said(&output));
    }
    assert!(!lines.is_empty());
}
