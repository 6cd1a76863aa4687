//! `kopek receive`: real posts over a real socket.

use super::{Desk, ended};
use kopek::receive::{ProblemReceiver, TemplateFiles};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
};

/// A kopek that listens on a free port.
fn listen(desk: &Desk, more: &[&str]) -> (Child, u16) {
    let args = [&["receive", "contest", "--port", "0"][..], more].concat();
    let mut child = desk.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    let port = line.split("127.0.0.1:").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
    (child, port.parse().unwrap())
}

/// Receives problems into an empty directory.
fn receiver(desk: &Desk, port: u16) -> anyhow::Result<ProblemReceiver> {
    fs::create_dir(desk.path().join("contest")).unwrap();
    ProblemReceiver::start(port, desk.path().join("contest"), TemplateFiles::new())
}

fn send(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer.lines().next().unwrap_or_default().to_owned()
}

pub fn post(port: u16, body: &str) -> String {
    let head = format!("POST / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n");
    send(port, &format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()))
}

/// A problem as the extension's documentation shows it.
pub fn problem(name: &str, size: usize) -> String {
    serde_json::json!({
        "name": name, "group": "Round 1", "url": format!("https://judge.example/{name}"), "interactive": false,
        "memoryLimit": 256, "timeLimit": 1500,
        "tests": [{"input": "1 2\n", "output": "3\n"}, {"input": "3 4\n", "output": "7\n"}],
        "testType": "single", "input": {"type": "stdin"}, "output": {"type": "stdout"},
        "languages": {"java": {"mainClass": "Main", "taskClass": "A"}},
        "batch": {"id": "123e67c8-03c6-44a4-a3f9-5918533f9fb2", "size": size},
    })
    .to_string()
}

#[test]
fn a_contest_becomes_a_package_per_problem() {
    let desk = Desk::new();
    desk.write("sum.py", "print(sum(map(int, input().split())))\n");
    let (mut child, port) = listen(&desk, &["--once", "--template", "sum.py"]);
    assert_eq!(post(port, &problem("A. Sum", 2)), "HTTP/1.1 200 OK");
    assert_eq!(post(port, &problem("../../B: Sum", 2)), "HTTP/1.1 200 OK");
    assert_eq!(child.wait().unwrap().code(), Some(0), "all of the batch came");
    let read = |path: &str| fs::read_to_string(desk.path().join("contest").join(path)).unwrap();
    assert_eq!(
        (read("a-sum/data/sample/2.in"), read("b-sum/data/sample/1.ans")),
        ("3 4\n".into(), "3\n".into())
    );
    assert!(read("a-sum/problem.yaml").contains("time_limit: 1.500"));
    let (code, out, err) = ended(&desk.kopek(&["run", "contest/a-sum", "contest/a-sum/sum.py"]));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("2 cases right") && out.contains("of 1.5 s"), "{out}");
    assert!(!err.contains("error"), "what is received is sound: {err}");
}

#[test]
fn a_template_may_be_a_directory_of_a_package() {
    let desk = Desk::new();
    desk.write("python3/sum.py", "print(1)\n");
    desk.write("python3/lib/more.py", "x = 1\n");
    desk.write("python3/problem.yaml", "name: mine\n");
    let (mut child, port) = listen(&desk, &["--template", "python3"]);
    assert_eq!(post(port, &problem("Sum", 1)), "HTTP/1.1 200 OK");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let read = |path: &str| fs::read_to_string(desk.path().join("contest/sum").join(path)).unwrap();
    assert_eq!((read("sum.py"), read("lib/more.py")), ("print(1)\n".into(), "x = 1\n".into()));
    assert!(read("problem.yaml").contains("time_limit"), "posted files win");
    fs::create_dir(desk.path().join("empty")).unwrap();
    let (code, _, err) = ended(&desk.kopek(&["receive", "contest", "--template", "empty"]));
    assert!(code == 2 && err.contains("empty has no files to begin with"), "{err}");
}

#[test]
fn everything_else_is_refused_and_nothing_is_written() {
    let desk = Desk::new();
    let receiver = receiver(&desk, 0).unwrap();
    let port = receiver.port();
    let body = problem("A", 1);
    let with = |head: &str| format!("POST / HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(), "405"),
        (with("Host: evil.example\r\n"), "403"),
        (with("Host: localhost\r\nOrigin: https://evil.example\r\n"), "403"),
        (with("Host: localhost\r\nOrigin: null\r\nContent-Type: text/plain\r\n"), "403"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n".to_owned(), "413"),
        ("nonsense\r\n\r\n".to_owned(), "400"),
    ] {
        let answer = send(port, &request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {answer}");
    }
    let outside = problem("x", 1).replace(r#"{"type":"stdin"}"#, r#"{"type":"file","fileName":"../x"}"#);
    assert!(outside.contains("../x"), "{outside}");
    for body in ["", "[]", "{}", "{\"name\": 1}", &problem("x", 1).replace("1500", "-1"), &outside] {
        assert!(post(port, body).starts_with("HTTP/1.1 422 "), "{body}");
    }
    let left: Vec<_> = fs::read_dir(desk.path().join("contest")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn clients_that_send_nothing_keep_no_problem_out() {
    let desk = Desk::new();
    let receiver = receiver(&desk, 0).unwrap();
    let port = receiver.port();
    // More than are served at once.
    let silent: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    assert_eq!(post(port, &problem("A. Sum", 1)), "HTTP/1.1 200 OK");
    let written = receiver.results.iter().find_map(Result::ok);
    assert_eq!(written.map(|problem| problem.title).as_deref(), Some("A. Sum"));
    drop(silent);
}

#[test]
fn a_port_that_an_editor_uses_is_explained() {
    let desk = Desk::new();
    let editor = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let error = receiver(&desk, editor.local_addr().unwrap().port()).err().expect("a port in use");
    let words = format!("{error:#}");
    assert!(words.contains("such as CPH or competitest.nvim") && words.contains("--port 10045"), "{words}");
}
