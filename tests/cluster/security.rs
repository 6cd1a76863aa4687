//! Who may connect, what is sent in the clear, and what a hostile program reaches.

use crate::{
    contract::copy_sources,
    server::{NatsServer, skip},
    workers::KOPEK,
};
use std::{
    fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

pub const TOKEN: &str = "a-token-that-nobody-must-see";

pub fn kopek(args: &[&str], token: Option<&str>) -> Output {
    let mut command = Command::new(KOPEK);
    command.args(args).env_remove("KOPEK_CLUSTER_TOKEN");
    command.envs(token.map(|token| ("KOPEK_CLUSTER_TOKEN", token))).output().unwrap()
}

pub fn both_streams(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// A request that must be refused for this reason.
#[track_caller]
pub fn assert_refused(args: &[&str], token: Option<&str>, why: &str) {
    let output = kopek(args, token);
    let text = both_streams(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains(why), "{text}");
    assert!(!text.contains(TOKEN) && !text.contains("wrong-token"), "{text}");
}

/// A process of `kopek worker`.
pub struct WorkerProcess(pub Child);

impl WorkerProcess {
    pub fn start(log: &Path, args: &[&str], token: &str) -> WorkerProcess {
        let log = fs::File::create(log).unwrap();
        let mut command = Command::new(KOPEK);
        command.arg("worker").args(args).env_remove("KOPEK_CLUSTER_TOKEN");
        if !token.is_empty() {
            command.env("KOPEK_CLUSTER_TOKEN", token);
        }
        WorkerProcess(command.stdout(Stdio::null()).stderr(log).spawn().unwrap())
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_wrong_token_and_a_server_that_is_not_there_are_refused() {
    let Some(server) = NatsServer::start(&format!("authorization {{ token: \"{TOKEN}\" }}")) else { return };
    let status = ["cluster", "status", "--cluster", &server.url];
    assert_refused(&status, None, "wants a token: give it by --token-file or KOPEK_CLUSTER_TOKEN");
    assert_refused(&status, Some("wrong-token"), "the server refuses the token");
    let worker = ["worker", "--cluster", &server.url];
    assert_refused(&worker, Some("wrong-token"), "the server refuses the token");
    let in_the_address = server.url.replace("//", &format!("//{TOKEN}@"));
    assert_refused(&["worker", "--cluster", &in_the_address], None, "must not hold its token");
    assert_refused(&["cluster", "status", "--cluster", "nats://127.0.0.1:1"], None, "cannot be reached");
    assert_refused(&["cluster", "status", "--cluster", "http://127.0.0.1"], None, "nats://HOST");

    let file = server.home.path().join("token");
    fs::write(&file, format!("{TOKEN}\n")).unwrap();
    let output = kopek(&[&status[..], &["--token-file", file.to_str().unwrap()]].concat(), None);
    // Nobody has worked here yet.
    assert!(both_streams(&output).contains("no workers, no runs"), "{}", both_streams(&output));
    drop(server);
    let Some(off) = NatsServer::start_without_jetstream() else { return };
    assert_refused(
        &["grade", "src/templates/package/pass-fail", ".", "--cluster", &off.url],
        None,
        "JetStream does not answer",
    );
}

/// The block of the guide that holds this text.
pub fn guide_block(text: &str) -> String {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/many-machines.md");
    let guide = fs::read_to_string(guide).unwrap();
    let block = guide.split("```").skip(1).step_by(2).find(|block| block.contains(text));
    let block = block.unwrap_or_else(|| panic!("the guide has no block with {text}"));
    block.split_once('\n').unwrap().1.to_owned()
}

/// A certificate of an authority that is made just now, by the lines of the guide.
pub fn make_certificate() -> Option<tempfile::TempDir> {
    let home = tempfile::tempdir().unwrap();
    let lines = guide_block("openssl x509").replace("10.0.0.5", "127.0.0.1");
    let lines = lines.lines().filter(|line| line.starts_with("openssl ") || line.starts_with("printf "));
    let script = lines.collect::<Vec<_>>().join("\n");
    let made = Command::new("sh").args(["-ec", &script]).current_dir(home.path()).output().unwrap();
    if !made.status.success() {
        skip(&format!("openssl makes no certificate: {}", both_streams(&made)));
        return None;
    }
    Some(home)
}

/// A server with a certificate of its own authority, which lies beside it.
fn server_with_certificate() -> Option<NatsServer> {
    let home = make_certificate()?;
    let dir = home.path().display();
    let server =
        NatsServer::start(&format!("tls {{ cert_file: \"{dir}/cert.pem\", key_file: \"{dir}/key.pem\" }}"))?;
    // Read once at its start.
    fs::copy(home.path().join("ca.pem"), server.home.path().join("ca.pem")).unwrap();
    Some(server)
}

#[test]
fn a_server_is_known_by_the_authority_that_signed_for_it() {
    let Some(server) = server_with_certificate() else { return };
    let ca = server.home.path().join("ca.pem");
    let status = ["cluster", "status", "--cluster", &server.url];
    let known = kopek(&[&status[..], &["--ca", ca.to_str().unwrap()]].concat(), None);
    assert!(both_streams(&known).contains("no workers, no runs"), "{}", both_streams(&known));
    assert_refused(&status, None, "certificate");
    assert_refused(
        &[&status[..], &["--ca", "/nowhere.pem"]].concat(),
        None,
        "read the certificate /nowhere.pem",
    );

    // And who wants certificates does not talk in the clear.
    let Some(plain) = NatsServer::start("") else { return };
    assert_refused(&["cluster", "status", "--cluster", &plain.url, "--ca", ca.to_str().unwrap()], None, "");
}

/// A right solution of the package of these tests.
pub const SUM: &str = "import sys\nprint(sum(map(int, sys.stdin.read().split()[1:])))\n";

/// A program that prints the right answer only if it reaches the server or finds the token.
fn hostile_program(port: &str) -> String {
    format!(
        r#"
import glob, os, socket, sys
numbers = list(map(int, sys.stdin.read().split()[1:]))
def found():
    try:
        socket.create_connection(("127.0.0.1", {port}), 1).close()
        return True
    except OSError: pass
    if any({TOKEN:?} in value for value in os.environ.values()): return True
    for name in glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline") + glob.glob("/tmp/**", recursive=True):
        try:
            if {TOKEN:?}.encode() in open(name, "rb").read(1 << 20): return True
        except OSError: pass
    return False
print(sum(numbers) if found() else "nothing")
"#
    )
}

#[test]
fn a_hostile_program_finds_neither_the_token_nor_the_server() {
    let user = format!(
        "authorization {{ users: [ {{ user: teacher, password: \"{TOKEN}\" }}, {} ] }}",
        worker_account()
    );
    let Some(server) = NatsServer::start(&user) else { return };
    let home = server.home.path();
    let port = server.url.rsplit(':').next().unwrap();
    let package = home.join("package");
    copy_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/templates/package/pass-fail"), &package);
    let class = home.join("class");
    fs::create_dir_all(&class).unwrap();
    fs::write(class.join("mallory.py"), hostile_program(port)).unwrap();
    fs::write(class.join("ada.py"), SUM).unwrap();
    let outside = format!("echo 2 20 22 | python3 {}", class.join("mallory.py").display());
    let outside = Command::new("sh").args(["-c", &outside]).output().unwrap();
    assert_eq!(both_streams(&outside), "42\n", "outside of the sandbox it finds the server");

    let teacher = format!("teacher:{TOKEN}");
    let grade = |store: &str, more: &[&str]| {
        let store = home.join(store);
        let args = ["grade", package.to_str().unwrap(), class.to_str().unwrap(), "--store"];
        kopek(&[&args[..], &[store.to_str().unwrap()], more].concat(), Some(&teacher))
    };
    let local = grade("local", &["--format", "csv"]);
    assert!(local.status.success(), "{}", both_streams(&local));
    // The worker may do nothing but work: the queue of its class is made by the teacher.
    let cache = home.join("cache");
    let args = ["--cluster", &server.url, "--slots", "1", "--cache", cache.to_str().unwrap()];
    let worker = WorkerProcess::start(&home.join("worker.log"), &args, &format!("worker:{TOKEN}"));
    let over_cluster = grade("cluster", &["--format", "csv", "--cluster", &server.url]);
    let text = both_streams(&over_cluster);
    assert!(
        over_cluster.status.success(),
        "{text}\n{}",
        fs::read_to_string(home.join("worker.log")).unwrap()
    );
    let without_times = |output: &Output| -> Vec<Vec<String>> {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().map(|line| line.split(',').take(4).map(str::to_owned).collect()).collect()
    };
    assert_eq!(without_times(&over_cluster), without_times(&local), "{text}");
    let is_right = |name: &str| text.lines().any(|line| line.starts_with(name) && line.contains(",AC,"));
    assert!(is_right("ada,") && !is_right("mallory,"), "{text}");
    // All is known now, without the cluster.
    let again = grade("cluster", &[]);
    assert!(both_streams(&again).contains("0 jobs done"), "{}", both_streams(&again));
    assert_no_violations(&server);
    ends_when_asked(&["--cluster", &server.url], &teacher, worker);
}

/// A worker that comes before the first teacher looks whether it may make the queue, and may not. It wants nothing
/// else that it may not have.
pub fn assert_no_violations(server: &NatsServer) {
    let log = fs::read_to_string(server.home.path().join("log")).unwrap();
    let violations: Vec<_> = log.lines().filter(|line| line.contains("Violation")).collect();
    assert!(violations.iter().all(|line| line.contains("\"$JS.API.INFO\"")), "{violations:#?}");
}

/// `drain` ends a worker, and `status` shows it until then.
pub fn ends_when_asked(cluster: &[&str], teacher: &str, mut worker: WorkerProcess) {
    let status = kopek(&[&["cluster", "status"], cluster].concat(), Some(teacher));
    let text = both_streams(&status);
    assert!(text.contains("class default: 1 worker, 1 slot") && !text.contains(TOKEN), "{text}");
    let drained = kopek(&[&["cluster", "drain"], cluster].concat(), Some(teacher));
    assert!(both_streams(&drained).contains("ends when its jobs are done"), "{}", both_streams(&drained));
    assert!(worker.0.wait().unwrap().success());
}

/// The account of a worker, as the documentation gives it.
pub fn worker_account() -> String {
    let guide = guide_block("authorization {\n");
    let begin = guide.find("{ user: worker").expect("the guide has the account of a worker");
    let end = begin + guide[begin..].find("\n    }").expect("and its end") + "\n    }".len();
    guide[begin..end].replace("\"A-LONG-SECRET\"", &format!("\"{TOKEN}\""))
}
