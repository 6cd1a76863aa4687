//! The server as a process, with real programs.

use super::{judge_body, write_sum};
use crate::{
    grading::lacks_toolchain,
    home::{Desk, ended},
    leftovers::descendants,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::{
    env, fs,
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
    thread,
};

/// A server on a free port. It is killed on drop.
pub(super) struct Server {
    child: Child,
    pub(super) port: u16,
    log: BufReader<ChildStderr>,
}

impl Server {
    pub(super) fn start(desk: &Desk, more: &[&str]) -> Server {
        Server::start_in(desk, &env::temp_dir(), more)
    }

    /// The same, once the log has a line with this part.
    fn start_after(desk: &Desk, more: &[&str], part: &str) -> Server {
        let mut server = Server::spawn(desk, &env::temp_dir(), more);
        server.wait_for_line(part);
        server.wait_for_port()
    }

    /// The same, with a place for temporary files.
    fn start_in(desk: &Desk, temporary: &Path, more: &[&str]) -> Server {
        Server::spawn(desk, temporary, more).wait_for_port()
    }

    fn spawn(desk: &Desk, temporary: &Path, more: &[&str]) -> Server {
        let args = [&["serve", "--address", "127.0.0.1:0"][..], more].concat();
        let mut command = desk.command(&args);
        let mut child = command.env("TMPDIR", temporary).stderr(Stdio::piped()).spawn().unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        Server { child, port: 0, log }
    }

    fn wait_for_port(mut self) -> Server {
        let line = self.wait_for_line("listening on 127.0.0.1:");
        let port = line.split("127.0.0.1:").nth(1).and_then(|rest| rest.split(':').next());
        self.port = port.unwrap().parse().unwrap();
        self
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }

    /// Sends a request and returns the status and the body.
    pub(super) fn send(&self, method: &str, below: &str, header: &str, body: &str) -> (u16, Value) {
        let mut stream = self.connect();
        write_request(&mut stream, method, below, header, body);
        read_answer(stream)
    }

    fn run(&self, spec: Value) -> Value {
        let (status, body) = self.send("POST", "runs", "", &json!({"run_spec": spec}).to_string());
        assert_eq!(status, 200, "{body}");
        body
    }

    /// The log until a line with this part.
    pub(super) fn wait_for_line(&mut self, part: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.log.read_line(&mut line).unwrap(), 0, "it ended without {part}");
            if line.contains(part) {
                return line;
            }
        }
    }

    pub(super) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_request(stream: &mut TcpStream, method: &str, below: &str, header: &str, body: &str) {
    let head = format!(
        "{method} /jobe/index.php/restapi/{below} HTTP/1.1\r\nHost: localhost\r\n{header}Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
}

fn read_answer(mut stream: TcpStream) -> (u16, Value) {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, if body.is_empty() { Value::Null } else { serde_json::from_str(body).unwrap() })
}

const HELLO_C: &str = "#include <stdio.h>\nint main() { puts(\"hello\"); }\n";
/// A program that runs until it is stopped, and uses no CPU.
const SLEEPER: &str = "import time\ntime.sleep(1000)\n";

#[test]
fn programs_end_as_the_protocol_says() {
    let desk = Desk::new();
    let server = Server::start(&desk, &[]);
    let spec = |language: &str, source: &str| json!({"language_id": language, "sourcecode": source});
    let with = |mut spec: Value, key: &str, value: Value| {
        spec[key] = value;
        spec
    };
    let c = |body: &str| {
        spec("c", &format!("#include <stdio.h>\n#include <stdlib.h>\nint main() {{ {body} }}\n"))
    };
    let python = |source: &str| spec("python3", source);
    let parameters = |spec: Value, parameters: Value| with(spec, "parameters", parameters);
    for (spec, outcome, stdout) in [
        (spec("c", HELLO_C), 15, "hello\n"),
        (c("puts(\"x\") "), 11, ""),
        (c("int unused; return 0;"), 11, ""),
        (c("return 3;"), 15, ""),
        (c("*(volatile int*)0 = 1;"), 12, ""),
        (c("printf(\"\\1\\300\\n\");"), 15, "\\x01\\xc0\n"),
        (c("puts(malloc(2000000000) ? \"got it\" : \"refused\");"), 15, "refused\n"),
        (parameters(c("for (;;);"), json!({"cputime": 1})), 13, ""),
        (parameters(c("puts(\"x\");"), json!({"compileargs": ["std=c89"]})), 11, ""),
        (spec("cpp", "#include <iostream>\nint main() { std::cout << 7; }\n"), 15, "7"),
        (spec("cpp", "#include <iostream>\nstd::vector<int> v;\nint main() {}\n"), 11, ""),
        (
            spec(
                "cpp",
                "#include <bits/stdc++.h>\nint main() { std::vector<int> v(3); std::cout << v.size(); }\n",
            ),
            15,
            "3",
        ),
        (with(python("print(input())"), "input", json!("one\n")), 15, "one\n"),
        (python("print("), 11, ""),
        (python("import os, sys\nsys.stderr.write('in /box/prog.py')"), 12, ""),
        (python("import sys\nsys.stderr.write('oh')\nprint(1)"), 12, "1\n"),
        (python("print('Un rôle')"), 15, "Un rôle\n"),
        (parameters(python(""), json!({"interpreterargs": ["-c \"print(\\\"Blah\\\")\""]})), 15, "Blah\n"),
        (
            parameters(python("import sys\nprint(sys.argv[1:])"), json!({"runargs": ["a", "'b c'"]})),
            15,
            "['a', 'b c']\n",
        ),
        (python("open('new', 'w').write('x')\nprint(open('new').read())"), 15, "x\n"),
        (
            with(python("import os\nprint(sorted(os.listdir()))"), "sourcefilename", json!("test.py")),
            15,
            "['__pycache__', 'test.py']\n",
        ),
        (spec("bash", "echo $((3 + 4))"), 15, "7\n"),
    ] {
        let answer = server.run(spec.clone());
        let got = (&answer["outcome"], &answer["stdout"]);
        assert_eq!(got, (&json!(outcome), &json!(stdout)), "{spec}: {answer}");
        assert_eq!(answer["cmpinfo"] != json!(""), outcome == 11, "{spec}: {answer}");
        assert!(!answer["stderr"].as_str().unwrap().contains("/box/"), "{answer}");
    }
}

#[test]
fn too_much_output_is_said() {
    let desk = Desk::new();
    let server = Server::start(&desk, &[]);
    let source = "#include <stdio.h>\nint main() { for (;;) puts(\"Hello\"); }\n";
    let parameters = json!({"streamsize": 1, "disklimit": 1});
    let answer = server.run(json!({"language_id": "c", "sourcecode": source, "parameters": parameters}));
    assert_eq!((&answer["outcome"], &answer["stderr"]), (&json!(13), &json!("")));
    assert!(answer["stdout"].as_str().unwrap().ends_with("\n[the program wrote too much output]\n"));
}

#[test]
fn a_program_may_build_and_run_another_one() {
    let desk = Desk::new();
    let server = Server::start(&desk, &[]);
    let source = format!(
        "import subprocess\nopen('student.c', 'w').write({HELLO_C:?})\n\
         subprocess.check_call(['gcc', '-o', 'student', 'student.c'])\n\
         print(subprocess.check_output(['./student']).decode(), end='')\n"
    );
    let answer = server.run(json!({"language_id": "python3", "sourcecode": source}));
    assert_eq!((&answer["outcome"], &answer["stdout"]), (&json!(15), &json!("hello\n")), "{answer}");
}

#[test]
fn files_are_sent_once_and_no_run_sees_those_of_another() {
    let desk = Desk::new();
    let server = Server::start(&desk, &["--jobs", "1"]);
    let id = "5d41402abc4b2a76b9719d911017c592";
    let source = "import os\nprint(sorted(os.listdir('.')), open('data.txt').read())";
    let spec = json!({"language_id": "python3", "sourcecode": source, "file_list": [[id, "data.txt"]]});
    let body = json!({"run_spec": spec}).to_string();
    assert_eq!(server.send("POST", "runs", "", &body).0, 404);
    assert_eq!(server.send("PUT", &format!("files/{id}"), "", r#"{"file_contents": "aGVsbG8="}"#).0, 204);
    assert_eq!(server.send("HEAD", &format!("files/{id}"), "", "").0, 204);
    let leave = "open('left', 'w').write('x')\nopen('/tmp/left', 'w').write('x')";
    assert_eq!(server.run(json!({"language_id": "python3", "sourcecode": leave}))["outcome"], 15);
    let answer = server.run(spec);
    let stdout = answer["stdout"].as_str().unwrap();
    assert!(
        stdout.contains("'data.txt'") && stdout.contains("hello") && !stdout.contains("left"),
        "{answer}"
    );
    let look = "import os\nprint(os.path.exists('/tmp/left'))";
    assert_eq!(server.run(json!({"language_id": "python3", "sourcecode": look}))["stdout"], "False\n");
}

#[test]
fn java_programs_are_named_by_their_class() {
    if lacks_toolchain("java") {
        return;
    }
    let desk = Desk::new();
    let server = Server::start(&desk, &[]);
    let source =
        "public class Test { public static void main(String[] args) { System.out.println(\"é\"); } }";
    let other =
        "class Test { } class Other { public static void main(String[] args) { System.out.println(7); } }";
    let spec = json!({"language_id": "java", "sourcecode": other, "parameters": {"main_class": "Other"}});
    assert_eq!(server.run(spec)["stdout"], "7\n");
    for file in [json!(null), json!("prog.java"), json!("Test.java")] {
        // A virtual machine maps more than this, whatever it uses.
        let answer = server.run(json!({
            "language_id": "java", "sourcecode": source, "sourcefilename": file, "parameters": {"memorylimit": 400},
        }));
        assert_eq!((&answer["outcome"], &answer["stdout"]), (&json!(15), &json!("é\n")), "{answer}");
    }
}

#[test]
fn octave_names_the_place_of_a_mistake_in_a_source_of_any_name() {
    if lacks_toolchain("octave") {
        return;
    }
    let desk = Desk::new();
    let server = Server::start(&desk, &[]);
    let source = "function sq = sqr(n)\n  sq = n:\nend\ndisp(sqr(0));\n";
    let answer = server.run(json!({"language_id": "octave", "sourcecode": source, "sourcefilename": "prog"}));
    assert!(
        answer["stderr"].as_str().unwrap().contains("parse error near line 3 of file prog.m"),
        "{answer}"
    );
}

#[test]
fn an_unsound_package_judges_nothing_and_the_others_do() {
    let desk = Desk::new();
    write_sum(&desk.path().join("problems/sum"));
    write_sum(&desk.path().join("problems/broken"));
    desk.write("problems/broken/output_validator/check.c", "int main( {");
    desk.write("problems/unreadable/problem.yaml", "name: [\n");
    let mut server =
        Server::start_after(&desk, &["--problems", "problems"], "broken judges nothing: build output");
    let body = |package: &str| {
        judge_body(json!("bash"), "", "read a b; echo $((a + b))", "").replace("sum", package)
    };
    for (package, status) in [("broken", 503), ("unreadable", 503), ("sum", 200)] {
        assert_eq!(server.send("POST", "runs", "", &body(package)).0, status, "{package}");
    }
    let line = server.wait_for_line("POST runs");
    assert!(line.contains("503 kopek broken: not judged: the package has errors (build output"), "{line}");
}

#[test]
fn a_repaired_package_judges_after_a_hangup_signal() {
    let desk = Desk::new();
    write_sum(&desk.path().join("problems/sum"));
    let yaml = fs::read_to_string(desk.path().join("problems/sum/problem.yaml")).unwrap();
    desk.write("problems/sum/problem.yaml", "name: [\n");
    let mut server = Server::start(&desk, &["--problems", "problems"]);
    let status = |server: &Server| {
        let body = judge_body(json!("bash"), "", "read a b; echo $((a + b))", "");
        server.send("POST", "runs", "", &body).0
    };
    assert_eq!(status(&server), 503);
    desk.write("problems/sum/problem.yaml", &yaml);
    server.signal(Signal::HUP);
    server.wait_for_line("listening on");
    assert_eq!(status(&server), 200);
    server.signal(Signal::TERM);
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

#[test]
fn only_clients_with_a_key_are_served_where_keys_are_demanded() {
    let desk = Desk::new();
    desk.write("keys", "# of the class\nsecret-1\n\nsecret-2 # another\n");
    let server = Server::start(&desk, &["--keys", "keys"]);
    for (header, status) in [
        ("", 403),
        ("X-API-KEY: secret\r\n", 403),
        ("X-API-KEY: secret-1\r\nX-API-KEY: secret-1\r\n", 403),
        ("X-API-KEY: secret-1\r\n", 200),
        ("x-api-key: secret-2\r\n", 200),
    ] {
        assert_eq!(server.send("GET", "languages", header, "").0, status, "{header}");
    }
    let (code, _, err) = ended(&desk.kopek(&["serve", "--address", "0.0.0.0:0"]));
    assert!(code == 2 && err.contains("--keys FILE"), "{err}");
    desk.write("empty", "# none\n");
    let (code, _, err) = ended(&desk.kopek(&["serve", "--keys", "empty", "--address", "127.0.0.1:0"]));
    assert!(code == 2 && err.contains("it has no key"), "{err}");
}

#[test]
fn bad_requests_do_not_disturb_others() {
    let desk = Desk::new();
    let server = Server::start(&desk, &[]);
    for (request, status) in [
        ("nonsense", "400"),
        ("POST /jobe/index.php/restapi/runs HTTP/1.1\r\nHost: localhost", "411"),
        ("POST /jobe/index.php/restapi/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999", "413"),
        ("OPTIONS /jobe/index.php/restapi/runs HTTP/1.1\r\nHost: localhost", "405"),
        ("DELETE /jobe/index.php/restapi/files/0123456789 HTTP/1.1\r\nHost: localhost", "405"),
        ("POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0", "405"),
        ("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost", "404"),
        ("GET /healthz HTTP/1.1\r\nHost: evil.example", "403"),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example", "403"),
        (
            "GET /jobe/index.php/restapi/languages HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site",
            "403",
        ),
    ] {
        let mut stream = server.connect();
        stream.write_all(format!("{request}\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {answer}");
    }
    // Waits for a go-ahead, as curl does with large bodies.
    let body = json!({"run_spec": {"language_id": "python3", "sourcecode": "print(1)"}}).to_string();
    let mut stream = server.connect();
    let head = format!(
        "POST /jobe/index.php/restapi/runs HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut go_ahead = [0; 25];
    stream.read_exact(&mut go_ahead).unwrap();
    assert_eq!(&go_ahead, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(body.as_bytes()).unwrap();
    assert_eq!(read_answer(stream).1["stdout"], "1\n");
}

/// A server with one place, which lets programs run for an hour.
fn server_of_one(desk: &Desk, more: &[&str]) -> Server {
    Server::start(desk, &[&["--jobs", "1", "--cputime", "3600"], more].concat())
}

impl Server {
    fn post_python(&self, source: &str) -> TcpStream {
        let spec = json!({"language_id": "python3", "sourcecode": source, "parameters": {"cputime": 3600}});
        let mut stream = self.connect();
        write_request(&mut stream, "POST", "runs", "", &json!({"run_spec": spec}).to_string());
        stream
    }

    /// Waits until the server reports this.
    fn wait_for_health(&self, key: &str, value: u64) {
        let health = || {
            let mut stream = self.connect();
            stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            read_answer(stream).1
        };
        while health()[key] != value {
            thread::yield_now();
        }
    }
}

#[test]
fn a_client_that_goes_away_ends_its_run() {
    let desk = Desk::new();
    let mut server = server_of_one(&desk, &[]);
    let running = server.post_python(SLEEPER);
    server.wait_for_health("started", 1);
    let waiting = server.post_python(SLEEPER);
    server.wait_for_health("waiting", 1);
    waiting.shutdown(Shutdown::Both).unwrap();
    running.shutdown(Shutdown::Both).unwrap();
    // The only place is free again: otherwise this would wait for two hours.
    assert_eq!(read_answer(server.post_python("print(7)")).1["stdout"], "7\n");
    let line = server.wait_for_line("went away");
    assert!(line.contains("POST runs") && !line.contains("time"), "the log has no programs: {line}");
}

#[test]
fn a_client_that_does_not_read_its_answer_keeps_nobody_out() {
    let desk = Desk::new();
    let mut server = server_of_one(&desk, &[]);
    // More than the buffers of a connection hold.
    let parameters = json!({"streamsize": 8, "disklimit": 20});
    let spec =
        json!({"language_id": "python3", "sourcecode": "print('x' * 8_000_000)", "parameters": parameters});
    let mut silent = server.connect();
    write_request(&mut silent, "POST", "runs", "", &json!({"run_spec": spec}).to_string());
    server.wait_for_health("started", 1);
    assert_eq!(read_answer(server.post_python("print(7)")).1["stdout"], "7\n");
    let first = server.wait_for_line("POST runs");
    assert!(!first.contains("not read"), "it was answered before the other was given up: {first}");
}

#[test]
fn an_answer_that_is_not_read_is_held_once() {
    let desk = Desk::new();
    let server = server_of_one(&desk, &[]);
    let status = || fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let held = || -> u64 {
        let line = status().lines().find(|line| line.starts_with("VmRSS:")).unwrap().to_owned();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let (clients, size) = (30, 8_000_000);
    let spec = json!({
        "language_id": "python3", "sourcecode": format!("print('x' * {size})"), "parameters": {"streamsize": 8},
    });
    let body = json!({"run_spec": spec}).to_string();
    let idle = held();
    let silent: Vec<TcpStream> = (0..clients)
        .map(|_| {
            let mut stream = server.connect();
            write_request(&mut stream, "POST", "runs", "", &body);
            // The whole answer is ready when its first byte comes.
            stream.read_exact(&mut [0]).unwrap();
            stream
        })
        .collect();
    let more = (held() - idle) << 10;
    assert!(more < clients * size * 3 / 2, "{more} bytes for {clients} answers of {size}");
    drop(silent);
}

#[test]
fn announced_bodies_keep_nobody_out() {
    let desk = Desk::new();
    let server = Server::start(&desk, &[]);
    let head = format!(
        "POST /jobe/index.php/restapi/runs HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\
         Content-Length: {}\r\n\r\n",
        32 << 20
    );
    let announced: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(head.as_bytes()).unwrap();
            let mut go_ahead = [0; 12];
            stream.read_exact(&mut go_ahead).unwrap();
            assert_eq!(&go_ahead, b"HTTP/1.1 100");
            stream
        })
        .collect();
    assert_eq!(server.run(json!({"language_id": "python3", "sourcecode": "print(7)"}))["stdout"], "7\n");
    drop(announced);
}

#[test]
fn clients_that_send_large_bodies_slowly_keep_nobody_out() {
    let desk = Desk::new();
    let mut server = Server::start(&desk, &[]);
    // More than there are places for requests in memory.
    let slow: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = server.connect();
            let head = format!(
                "POST /jobe/index.php/restapi/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n",
                32 << 20
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(&[b' '; 200 << 10]).unwrap();
            stream
        })
        .collect();
    assert_eq!(server.run(json!({"language_id": "python3", "sourcecode": "print(7)"}))["stdout"], "7\n");
    // The places of slow ones were given to others.
    server.wait_for_line("not read");
    drop(slow);
}

#[test]
fn bodies_are_not_held_as_trees() {
    let desk = Desk::new();
    let server = Server::start(&desk, &[]);
    let most_held = || -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
    };
    let before = most_held();
    let lists = format!("[{}[]]", "[],".repeat(1 << 20));
    let spec = json!({"language_id": "python3", "sourcecode": "print(7)"}).to_string();
    let body = format!("{{\"run_spec\": {spec}, \"other\": {lists}}}");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(server.send("POST", "runs", "", &body).1["stdout"], "7\n"));
        }
    });
    // A tree of it has 32 bytes for each list of three bytes.
    let more = most_held() - before;
    assert!(more < 8 * 3 * body.len() as u64, "{more} bytes for 8 bodies of {}", body.len());
}

#[test]
fn a_signal_ends_the_server_while_it_looks_for_languages() {
    let desk = Desk::new();
    let tools = desk.path().join("tools");
    fs::create_dir(&tools).unwrap();
    desk.write("wait.c", "#include <unistd.h>\nint main() { for (;;) pause(); }\n");
    // A compiler that does not answer; no other program has its name.
    let built = Command::new("cc").args(["-o", "tools/swipl", "wait.c"]).current_dir(desk.path()).status();
    assert!(built.unwrap().success());
    let mut command = desk.command(&["serve", "--address", "127.0.0.1:0"]);
    let path = env::var("PATH").unwrap();
    let mut child =
        command.env("PATH", format!("{}:{path}", tools.display())).stderr(Stdio::piped()).spawn().unwrap();
    let is_asked = |pid: &u32| {
        fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim_end() == "swipl")
    };
    while !descendants(child.id()).iter().any(is_asked) {
        thread::yield_now();
    }
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(child.wait().unwrap().code() == Some(0) && !log.contains("listening"), "{log}");
}

#[test]
fn a_killed_worker_costs_no_run() {
    let desk = Desk::new();
    let server = server_of_one(&desk, &[]);
    let running = server.post_python("import time\ntime.sleep(1)\nprint('done')");
    let is_worker = |pid: &u32| {
        fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name == "kopek-worker\n")
    };
    // One that is found may have ended: without namespaces, each command has its own.
    let kill = |pid: u32| kill_process(Pid::from_raw(pid as i32).unwrap(), Signal::KILL);
    while descendants(server.child.id()).into_iter().find(is_worker).is_none_or(|pid| kill(pid).is_err()) {
        thread::yield_now();
    }
    let answer = read_answer(running).1;
    assert_eq!((&answer["outcome"], &answer["stdout"]), (&json!(15), &json!("done\n")), "{answer}");
}

#[test]
fn where_no_file_can_be_made_a_run_is_an_internal_error_and_a_later_one_is_right() {
    let desk = Desk::new();
    let temporary = desk.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let server = Server::start_in(&desk, &temporary, &[]);
    let run = || server.run(json!({"language_id": "c", "sourcecode": HELLO_C}));
    assert_eq!(run()["outcome"], 15);
    let away = desk.path().join("away");
    fs::rename(&temporary, &away).unwrap();
    assert_eq!(run()["outcome"], 20);
    fs::rename(&away, &temporary).unwrap();
    assert_eq!(run()["stdout"], "hello\n");
}

#[test]
fn a_signal_ends_the_server_after_what_runs() {
    let desk = Desk::new();
    let mut server = server_of_one(&desk, &[]);
    let running = server.post_python("import time\ntime.sleep(1)\nprint('done')");
    server.wait_for_health("started", 1);
    server.signal(Signal::TERM);
    let answer = read_answer(running).1;
    assert_eq!((&answer["outcome"], &answer["stdout"]), (&json!(15), &json!("done\n")), "{answer}");
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

#[test]
fn two_hundred_clients_at_once_all_get_their_own_answer() {
    let desk = Desk::new();
    let server = Server::start(&desk, &[]);
    let answers: Vec<Value> = thread::scope(|scope| {
        let clients: Vec<_> = (0..200)
            .map(|number| {
                let server = &server;
                scope.spawn(move || {
                    server.run(json!({"language_id": "bash", "sourcecode": format!("echo {number}")}))
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    for (number, answer) in answers.iter().enumerate() {
        assert_eq!(answer["stdout"], format!("{number}\n"), "{answer}");
    }
}

#[test]
fn silent_clients_keep_nobody_out() {
    let desk = Desk::new();
    let server = Server::start(&desk, &[]);
    // More than are read at once.
    let silent: Vec<TcpStream> = (0..600).map(|_| server.connect()).collect();
    assert_eq!(server.run(json!({"language_id": "python3", "sourcecode": "print(7)"}))["stdout"], "7\n");
    drop(silent);
}

#[test]
fn a_package_judges_and_an_equal_program_is_known() {
    let desk = Desk::new();
    write_sum(&desk.path().join("problems/sum"));
    let server = Server::start(&desk, &["--problems", "problems"]);
    let judge = |language: Value, file: &str, source: &str| {
        let (status, body) = server.send("POST", "runs", "", &judge_body(language, file, source, ""));
        assert_eq!((status, &body["outcome"]), (200, &json!(15)), "{body}");
        serde_json::from_str::<Value>(body["stdout"].as_str().unwrap()).unwrap()
    };
    let right = "print(sum(map(int, input().split())))";
    assert_eq!(judge(json!("python3"), "", right)["fraction"], 1.0);
    assert_eq!(judge(Value::Null, "sum.py", right)["fraction"], 1.0);
    let short =
        "#include <stdio.h>\nint main() { short a, b; scanf(\"%hd %hd\", &a, &b); printf(\"%d\", a + b); }";
    let answer = judge(json!("c"), "", short);
    assert_eq!(answer["fraction"], 0.4, "{answer}");
    let broken = judge(json!("cpp"), "", "int main() { return x; }");
    assert!(broken["prologuehtml"].as_str().unwrap().contains("main.cpp"), "{broken}");
}

/// The sum without the case of equal numbers, and with it as of two programs.
const WRONG_EXAMPLE: &str = "a, b = map(int, input().split())\nprint(a + b if a < b else 0)\n";
const WRONG: &str = "a, b = map(int, input().split())\nprint(a + b if a <= b else -1)\n";

/// A desk with the package `sum`, a validator, a solution and a wrong example submission.
fn desk_with_wrong_example() -> Desk {
    let desk = Desk::new();
    write_sum(&desk.path().join("problems/sum"));
    let file = |path: &str, text: &str| desk.write(&format!("problems/sum/{path}"), text);
    file("submissions/accepted/sum.py", "print(sum(map(int, input().split())))\n");
    file("submissions/wrong_answer/small.py", WRONG_EXAMPLE);
    file(
        "input_validators/check.py",
        "import re, sys\nis_valid = re.fullmatch(r'(0|[1-9]\\d{0,6}) (0|[1-9]\\d{0,6})\\n', sys.stdin.read())\n\
         sys.exit(42 if is_valid else 43)\n",
    );
    desk
}

/// What the answer to a program says below its table.
fn judge(server: &Server, source: &str) -> String {
    let (status, body) = server.send("POST", "runs", "", &judge_body(json!("python3"), "", source, ""));
    assert_eq!((status, &body["outcome"]), (200, &json!(15)), "{body}");
    let answer: Value = serde_json::from_str(body["stdout"].as_str().unwrap()).unwrap();
    answer["epiloguehtml"].as_str().unwrap().to_owned()
}

#[test]
fn mutants_of_a_solution_give_inputs_where_there_is_no_wrong_example() {
    let desk = desk_with_wrong_example();
    fs::remove_dir_all(desk.path().join("problems/sum/submissions/wrong_answer")).unwrap();
    // Mistakes in the last line show on the sample.
    let solution = "a, b = map(int, input().split())\nif a > b:\n    print(a + b)\nelse:\n    print(b + a)\n";
    desk.write("problems/sum/submissions/accepted/sum.py", solution);
    let mut server = Server::start(&desk, &["--problems", "problems"]);
    server.wait_for_line("for programs that fail");
    let shown = judge(&server, &solution.replace("a + b", "a - b"));
    assert!(shown.contains("fails on this input, which is not one of the tests"), "{shown}");
}

#[test]
fn a_wrong_program_gets_an_input_that_is_no_test_and_a_right_one_none() {
    let desk = desk_with_wrong_example();
    let mut server = Server::start(&desk, &["--problems", "problems", "--feedback-language", "de"]);
    server.wait_for_line("sum: 1 input for programs that fail");
    let shown = judge(&server, WRONG);
    assert!(shown.contains("scheitert an dieser Eingabe, die keiner der Tests ist"), "{shown}");
    assert!(shown.contains("-1"), "its own output: {shown}");
    for (_, hidden) in super::SUM.iter().filter(|(path, _)| path.contains("secret") && path.ends_with(".in"))
    {
        assert!(!shown.contains(hidden), "{shown}");
    }
    let right = judge(&server, "print(sum(map(int, input().split())))");
    assert!(!right.contains("Eingabe"), "{right}");
    drop(server);
    let quiet = Server::start(&desk, &["--problems", "problems", "--reasons", "none"]);
    assert!(!judge(&quiet, WRONG).contains("not one of the tests"));
    drop(quiet);
    desk.write("wrong.py", WRONG);
    for args in [&["run", "problems/sum", "wrong.py"][..], &["test", "wrong.py", "problems/sum"]] {
        let (code, out, err) = ended(&desk.kopek(args));
        assert!(
            code == 1 && out.contains("fails on this input, which is not one of the tests"),
            "{out}{err}"
        );
        assert!(out.contains("expected output") && out.contains("your output"), "{out}");
    }
}
