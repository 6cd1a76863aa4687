//! The page that fills up while it is judged, asked for as browsers and others ask.

use super::{assert_quiet, browser};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A problem with three cases, and a class of three; one of them is slow and one is wrong.
fn lay_out(home: &Path) {
    let write = |path: &str, text: &str| {
        let path = home.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "echo/problem.yaml",
        "problem_format_version: 2025-09\nname: Echo\nuuid: u\nlimits: {time_limit: 5}\n",
    );
    for n in 1..=3 {
        write(&format!("echo/data/secret/{n}.in"), &format!("{n}\n"));
        write(&format!("echo/data/secret/{n}.ans"), &format!("{n}\n"));
    }
    write("class/ada.py", "import time\ntime.sleep(1)\nprint(input())\n");
    write("class/<b>bob.py", "print(1)\n");
    write("class/eve.py", "print(input())\n");
}

struct Serving {
    child: Child,
    port: u16,
    path: String,
    stderr: BufReader<std::process::ChildStderr>,
}

impl Serving {
    fn start(home: &Path) -> Serving {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
        command.args(["grade", "echo", "class", "--serve", "--jobs", "1"]).current_dir(home);
        // Known facts would finish before a browser connects.
        command.arg("--store").arg(home.join("store"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("live: ") {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "no address");
        }
        let address = line.trim().strip_prefix("live: http://127.0.0.1:").expect("loopback").to_owned();
        let (port, path) = address.split_once('/').unwrap();
        Serving { child, port: port.parse().unwrap(), path: format!("/{path}"), stderr }
    }

    fn ask(&self, method: &str, path: &str, host: &str) -> String {
        let text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        ask(self.port, &text)
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// What it printed, once it ended, and its exit code.
    fn finish(mut self) -> (String, i32) {
        let mut text = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        std::io::copy(&mut self.stderr, &mut std::io::sink()).unwrap();
        (text, self.child.wait().unwrap().code().unwrap())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn ask(port: u16, text: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut reply = String::new();
    drop(stream.read_to_string(&mut reply));
    reply
}

#[test]
fn the_live_page_fills_up_for_those_who_know_its_address() {
    let home = tempfile::tempdir().unwrap();
    lay_out(home.path());
    let live = Serving::start(home.path());
    let page = live.ask("GET", &live.path, &live.host());
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("Cache-Control: no-store"), "{page}");
    assert!(page.contains("data-events=\"events\""), "{page}");
    let token = live.path.trim_matches('/').to_owned();
    let refusals = [
        ("GET", "/".to_owned(), live.host()),
        ("GET", format!("/{}/", token.replace(&token[..1], "_")), live.host()),
        ("GET", live.path.clone(), format!("evil.example:{}", live.port)),
        ("GET", format!("{}../", live.path), live.host()),
        ("POST", live.path.clone(), live.host()),
    ];
    for (method, path, host) in refusals {
        let reply = live.ask(method, &path, &host);
        assert!(
            reply.starts_with("HTTP/1.1 404") && !reply.contains("ada"),
            "{method} {path} {host}: {reply}"
        );
    }
    assert!(ask(live.port, "what?\r\n\r\n").starts_with("HTTP/1.1 400"));
    // A client that hangs up at once disturbs no other.
    drop(TcpStream::connect(("127.0.0.1", live.port)).unwrap());
    // Nor do many that send nothing: the page is there for the one that knows its address.
    let silent: Vec<TcpStream> =
        (0..100).map(|_| TcpStream::connect(("127.0.0.1", live.port)).unwrap()).collect();
    let page = live.ask("GET", &live.path, &live.host());
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
    let mut events = TcpStream::connect(("127.0.0.1", live.port)).unwrap();
    write!(events, "GET {}events HTTP/1.1\r\nHost: {}\r\n\r\n", live.path, live.host()).unwrap();
    let lines: Vec<String> = BufReader::new(events).lines().map_while(Result::ok).collect();
    assert!(
        lines.contains(&"Content-Type: text/event-stream; charset=utf-8".to_owned())
            || lines.iter().any(|line| line == "Content-Type: text/event-stream")
    );
    assert!(lines.iter().filter(|line| line.starts_with("data: ")).count() >= 2, "{lines:?}");
    assert!(lines.iter().any(|line| line == "data: end"), "{lines:?}");
    drop(silent);
    // The last state waits for those who saw the end.
    let page = live.ask("GET", &live.path, &live.host());
    assert!(page.contains("ada") && page.contains("&lt;b&gt;bob") && !page.contains("data-events"), "{page}");
    let (table, code) = live.finish();
    assert_eq!(code, 0);
    assert!(table.contains("ada") && table.contains("AC") && table.contains("WA"), "{table}");
}

#[test]
fn an_address_that_cannot_be_had_is_refused_before_anything_runs() {
    let home = tempfile::tempdir().unwrap();
    lay_out(home.path());
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = format!("--serve={}", taken.local_addr().unwrap());
    for (option, part) in [(taken.as_str(), "listen on 127.0.0.1"), ("--serve=nowhere", "write a port")] {
        let run = Command::new(env!("CARGO_BIN_EXE_kopek"))
            .args(["grade", "echo", "class", option])
            .current_dir(home.path())
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.code() == Some(2) && message.contains(part), "{message}");
        assert!(run.stdout.is_empty());
    }
}

#[test]
#[ignore = "a browser that follows a judge needs the CPUs: run it alone, as .ci/nightly does"]
fn a_browser_follows_the_judge_to_the_end() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let home = tempfile::tempdir().unwrap();
    lay_out(home.path());
    let live = Serving::start(home.path());
    browser.open(&format!("http://{}{}", live.host(), live.path));
    browser.await_true("document.querySelectorAll('.tools input').length > 0");
    browser.evaluate(
        "{ const filter = document.querySelector('.tools input'); filter.value = 'ada'; \
         filter.dispatchEvent(new Event('input')); }",
    );
    browser.await_true("document.querySelectorAll('tbody tr:not([hidden]) .good').length >= 1");
    browser.await_true("document.getElementById('progress') === null");
    // What the reader looked for is still looked for.
    browser.await_true("document.querySelectorAll('table[data-sort] tbody tr:not([hidden])').length === 1");
    browser.requests.retain(|url| !url.starts_with(&format!("http://{}{}", live.host(), live.path)));
    assert_quiet(&browser, "live");
    assert_eq!(live.finish().1, 0);
}
