//! A real server for a test: `$KOPEK_NATS_SERVER`, or `nats-server` of the PATH.

use crate::events;
use rustix::process::{Pid, Signal, kill_process};
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// A server, and its directory.
pub struct NatsServer {
    pub home: tempfile::TempDir,
    pub url: String,
    program: PathBuf,
    options: &'static [&'static str],
    port: String,
    child: Child,
}

/// Reports that something is not tried here.
pub fn skip(what: &str) {
    let required = env::var_os("KOPEK_REQUIRE_ALL").is_some_and(|value| value == "1");
    assert!(!required, "everything is required here, but {what}");
    note(&format!("skipped: {what}"));
}

/// Writes a line that is seen of tests that pass, too: the harness catches what `eprintln` writes.
pub fn note(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

fn find_program() -> Option<PathBuf> {
    if let Some(named) = env::var_os("KOPEK_NATS_SERVER") {
        return Some(named.into());
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .chain([PathBuf::from("/usr/sbin")])
        .map(|dir| dir.join("nats-server"))
        .find(|file| file.is_file())
}

impl NatsServer {
    /// A server with these further lines of configuration; `None`: there is no program, which was reported.
    pub fn start(configuration: &str) -> Option<NatsServer> {
        NatsServer::begin(configuration, &["-js"])
    }

    /// A server with this configuration and nothing else, but for its address.
    pub fn start_as_configured(configuration: &str) -> Option<NatsServer> {
        NatsServer::begin(configuration, &[])
    }

    /// A server that keeps nothing.
    pub fn start_without_jetstream() -> Option<NatsServer> {
        NatsServer::begin("", &[])
    }

    fn begin(configuration: &str, options: &'static [&'static str]) -> Option<NatsServer> {
        let Some(program) = find_program() else {
            skip("there is no nats-server: name one by KOPEK_NATS_SERVER");
            return None;
        };
        let home = tempfile::tempdir().unwrap();
        fs::write(
            home.path().join("server.conf"),
            configuration.replace("HOME", &home.path().display().to_string()),
        )
        .unwrap();
        // A port of its own choice: one that was free before it began may be another's by then.
        let child = spawn(&program, (home.path(), options), "-1");
        let mut server =
            NatsServer { home, url: String::new(), program, options, port: String::new(), child };
        server.port = server.await_port();
        server.url = format!("nats://127.0.0.1:{}", server.port);
        Some(server)
    }

    /// As a machine that lost its power.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// As its operator stops it: all that it knows is on its disk then.
    pub fn stop(&mut self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).unwrap();
        self.child.wait().unwrap();
    }

    /// Again at the same place, with what its disk held.
    pub fn start_again(&mut self) {
        fs::remove_file(self.log()).unwrap();
        self.child = spawn(&self.program, (self.home.path(), self.options), &self.port);
        self.await_port();
    }

    /// With other lines of configuration, from its next start on.
    pub fn configure(&self, configuration: &str) {
        fs::write(self.home.path().join("server.conf"), configuration).unwrap();
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Where it keeps everything.
    pub fn store_dir(&self) -> PathBuf {
        self.home.path().join("js")
    }

    /// All that it kept is lost.
    pub fn lose_everything(&mut self) {
        fs::remove_dir_all(self.store_dir()).unwrap();
    }

    fn log(&self) -> PathBuf {
        self.home.path().join("log")
    }

    /// Where it listens, once it does.
    fn await_port(&self) -> String {
        let listening = |log: &str| {
            let rest = log.split_once("client connections on 127.0.0.1:")?.1;
            log.contains("Server is ready").then_some(rest.split_once('\n')?.0.to_owned())
        };
        listening(&events::await_text(&self.log(), |log| listening(log).is_some())).unwrap()
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(program: &Path, (home, options): (&Path, &[&str]), port: &str) -> Child {
    let log = fs::File::options().append(true).create(true).open(home.join("log")).unwrap();
    let mut command = Command::new(program);
    command.args(["-a", "127.0.0.1", "-p", port]).args(options);
    if options.contains(&"-js") {
        command.arg("-sd").arg(home.join("js"));
    }
    command.arg("-c").arg(home.join("server.conf")).stdout(Stdio::null()).stderr(log).spawn().unwrap()
}

/// Of the system's choice.
pub fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
