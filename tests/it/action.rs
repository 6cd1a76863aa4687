//! Chapter: the steps of action.yml, run by bash as a workflow would.

use crate::skip;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// A kopek that prints its arguments, one a line, and ends with the code in `$CODE`.
const ECHO: &str = "#!/bin/sh\nprintf '<%s>\\n' \"$@\"\nexit ${CODE:-0}\n";

/// The files of a job, and the step's variables.
struct Job {
    home: TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Job {
    fn begin() -> Job {
        let home = tempfile::tempdir().unwrap();
        for dir in ["temp", "bin", "work"] {
            fs::create_dir(home.path().join(dir)).unwrap();
        }
        write_program(&home.path().join("bin/kopek"), ECHO);
        let root = env!("CARGO_MANIFEST_DIR").to_owned();
        let mut job = Job { home, variables: vec![("GITHUB_ACTION_PATH", root)] };
        for (name, file) in
            [("RUNNER_TEMP", "temp"), ("GITHUB_PATH", "path.txt"), ("GITHUB_OUTPUT", "output.txt")]
        {
            let path = job.path(file).display().to_string();
            job = job.with(name, &path);
        }
        job.with("KOPEK_PROGRAM", "")
            .with("KOPEK_VERSION", "")
            .with("KOPEK_REPOSITORY", "us/kopek")
            .with("KOPEK_COMMAND", "verify")
            .with("KOPEK_ARGUMENTS", ".")
            .with("KOPEK_JUNIT", "")
    }

    fn with(mut self, name: &'static str, value: &str) -> Job {
        self.variables.push((name, value.to_owned()));
        self
    }

    fn path(&self, below: &str) -> PathBuf {
        self.home.path().join(below)
    }

    fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap_or_default()
    }

    /// Runs a step; its exit code and what it printed.
    fn step(&self, name: &str) -> (i32, String) {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/action");
        let mut command = Command::new("bash");
        command.arg(script).arg(name).current_dir(self.path("work")).env("PATH", path);
        command.envs(self.variables.iter().map(|(name, value)| (*name, value)));
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (status.code().unwrap(), text)
    }

    /// The program that the step put on the workflow's path.
    fn installed(&self) -> String {
        fs::read_to_string(Path::new(self.read("path.txt").trim_end()).join("kopek")).unwrap()
    }
}

fn write_program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A job that finds the releases of `us/kopek` in its own directory, with one of this version.
fn job_with_release(version: &str) -> Job {
    let job = Job::begin();
    let release = job.path(&format!("us/kopek/releases/download/v{version}"));
    let file = format!("kopek-{version}-linux-{}", std::env::consts::ARCH);
    write_program(&release.join(&file), ECHO);
    let sums = Command::new("sha256sum").arg(file).current_dir(&release).output().unwrap();
    fs::write(
        release.join("SHA256SUMS"),
        [&sums.stdout[..], format!("{:064}  kopek-other\n", 0).as_bytes()].concat(),
    )
    .unwrap();
    let server = format!("file://{}", job.home.path().display());
    job.with("GITHUB_SERVER_URL", &server)
}

fn has_curl() -> bool {
    let found = Command::new("curl").arg("--version").output().is_ok();
    if !found {
        skip::report("there is no curl to download releases");
    }
    found
}

#[test]
fn the_release_of_the_action_or_of_a_given_version_is_installed() {
    if !has_curl() {
        return;
    }
    let job = job_with_release(env!("CARGO_PKG_VERSION"));
    let (code, text) = job.step("install");
    assert_eq!((code, job.installed().as_str()), (0, ECHO), "{text}");
    for version in ["v9.1.0", "9.1.0"] {
        let job = job_with_release("9.1.0").with("KOPEK_VERSION", version);
        let (code, text) = job.step("install");
        assert_eq!((code, job.installed().as_str()), (0, ECHO), "{text}");
    }
}

#[test]
fn a_release_that_is_missing_or_damaged_is_not_installed() {
    if !has_curl() {
        return;
    }
    let job = job_with_release("9.1.0").with("KOPEK_VERSION", "9.2.0");
    let (code, text) = job.step("install");
    assert!(code == 2 && text.contains("v9.2.0/SHA256SUMS: is there such a release?"), "{text}");
    let job = job_with_release("9.1.0").with("KOPEK_VERSION", "9.1.0");
    let file = format!("us/kopek/releases/download/v9.1.0/kopek-9.1.0-linux-{}", std::env::consts::ARCH);
    write_program(&job.path(&file), "#!/bin/sh\nexit 0\n");
    let (code, text) = job.step("install");
    assert!(code == 2 && text.contains("does not have the checksum of its release"), "{text}");
    assert_eq!(job.read("path.txt"), "");
}

#[test]
fn a_given_program_is_installed_instead_of_a_release() {
    let job = Job::begin();
    let program = job.path("bin/kopek").display().to_string();
    let job = job.with("KOPEK_PROGRAM", &program);
    let (code, text) = job.step("install");
    assert_eq!((code, job.installed().as_str()), (0, ECHO), "{text}");
    let job = Job::begin().with("KOPEK_PROGRAM", "gone");
    let (code, text) = job.step("install");
    assert!(code == 2 && text.contains("::error title=kopek::program: there is no file gone"), "{text}");
}

#[test]
fn arguments_are_quoted_as_in_a_shell_and_nothing_else_is_done_with_them() {
    let job =
        Job::begin().with("KOPEK_COMMAND", "grade").with("KOPEK_ARGUMENTS", "'my problem' $HOME `id`\n*");
    let (code, text) = job.step("run");
    assert_eq!(code, 0, "{text}");
    assert_eq!(text, "<grade>\n<my problem>\n<$HOME>\n<`id`>\n<*>\n<--format>\n<github>\n");
    let (code, text) = Job::begin().with("KOPEK_ARGUMENTS", "'my").step("run");
    assert!(code == 2 && text.contains("::error title=kopek::arguments: a quote is not closed"), "{text}");
    let (code, text) = Job::begin().with("KOPEK_COMMAND", "clean").step("run");
    assert!(code == 2 && text.contains("clean is neither verify nor grade"), "{text}");
    let (code, text) = Job::begin().with("KOPEK_COMMAND", "grade").with("KOPEK_JUNIT", "k.xml").step("run");
    assert!(code == 2 && text.contains("junit: only the command verify writes it"), "{text}");
}

#[test]
fn the_step_ends_as_kopek_does_and_only_faults_are_a_warning() {
    for (ended, code, is_reported) in
        [("0", 0, true), ("1", 1, true), ("2", 2, false), ("3", 0, true), ("4", 4, true)]
    {
        let job = Job::begin().with("CODE", ended).with("KOPEK_JUNIT", "kopek.xml");
        let (step, text) = job.step("run");
        assert_eq!((step, text.contains("::warning")), (code, ended == "3"), "{text}");
        assert_eq!(job.read("output.txt"), format!("exit-code={ended}\n"));
        let junit = if is_reported { "<verify>\n<.>\n<--format>\n<junit>\n" } else { "" };
        assert_eq!(job.read("work/kopek.xml"), junit, "{ended}");
    }
}

#[test]
fn a_broken_package_is_annotated() {
    let job = Job::begin().with("KOPEK_JUNIT", "kopek.xml");
    fs::remove_file(job.path("bin/kopek")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_kopek"), job.path("bin/kopek")).unwrap();
    fs::write(job.path("work/problem.yaml"), "name: [\n").unwrap();
    let (code, text) = job.step("run");
    assert!(code == 1 && text.contains("::error file=problem.yaml,"), "{code} {text}");
    assert!(job.read("work/kopek.xml").contains("<failure"), "{text}");
}

/// Every version is a commit, and every script exists: nothing else of a workflow can be tried without GitHub.
#[test]
fn workflows_pin_their_actions_and_name_scripts_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["action.yml", ".github/workflows/release.yml"] {
        let text = fs::read_to_string(root.join(file)).unwrap();
        for action in text.lines().filter_map(|line| line.split_once("uses: ")) {
            let pin = action.1.split_once('@').unwrap().1;
            let commit = pin.split_once(" # v").expect("the comment names the version").0;
            assert!(commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit()), "{file}: {pin}");
        }
        for script in text.split("packaging/").skip(1) {
            let name = script.split(|c: char| !c.is_ascii_lowercase() && c != '-').next().unwrap();
            assert!(
                ["", "*"].contains(&name) || root.join("packaging").join(name).exists(),
                "{file}: {name}"
            );
        }
    }
}
