//! An exam: programs of many students in a short time, while the server is killed and a package is repaired.

use super::{judge_body, server::Server, write_sum};
use crate::home::Desk;
use rustix::process::Signal;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    net::TcpStream,
    sync::{Condvar, Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

const STUDENTS: usize = 300;
/// Students who wait for an answer at a time. In two hours, 300 with ten checks each of half a second would be 0.2.
const AT_A_TIME: usize = 2;
/// The numbers of marks after which the server is killed.
const KILLS: [usize; 2] = [100, 200];

/// What a student hands in, and its mark.
fn hand_in(student: usize) -> (String, f64) {
    let (text, mark) = match student % 3 {
        0 => ("print(a + b)", 1.0),
        1 => ("print((a + b) % 1000)", 0.4),
        _ => ("print(a - b)", 0.0),
    };
    (format!("# {student}\na, b = map(int, input().split())\n{text}\n"), mark)
}

/// What a student gets for a program; `None`: no mark.
fn check(port: u16, student: usize) -> Option<f64> {
    let body = judge_body("python3".into(), "", &hand_in(student).0, "");
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    let length = body.len();
    let head = format!(
        "POST /jobe/index.php/restapi/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all((head + &body).as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    if !head.starts_with("HTTP/1.1 200") {
        return None;
    }
    let body: Value = serde_json::from_str(body).ok()?;
    assert_eq!(body["outcome"], 15, "{body}");
    let answer: Value = serde_json::from_str(body["stdout"].as_str().unwrap()).unwrap();
    answer["fraction"].as_f64()
}

/// The port of the server while there is one.
#[derive(Default)]
struct Door {
    port: Mutex<Option<u16>>,
    opened: Condvar,
}

impl Door {
    fn wait(&self) -> u16 {
        let port = self.opened.wait_while(self.port.lock().unwrap(), |port| port.is_none()).unwrap();
        port.unwrap()
    }

    fn set(&self, port: Option<u16>) {
        *self.port.lock().unwrap() = port;
        self.opened.notify_all();
    }
}

/// A mark, and the time until the student read it.
struct Mark {
    student: usize,
    mark: f64,
    took: Duration,
}

#[test]
#[ignore = "measures: the answers to 300 students"]
#[expect(clippy::print_stdout, reason = "people read the figures")]
fn an_exam_loses_no_mark_and_gives_none_twice_though_the_server_is_killed() {
    let desk = Desk::new();
    write_sum(&desk.path().join("problems/sum"));
    let manifest = fs::read_to_string(desk.path().join("problems/sum/problem.yaml")).unwrap();
    desk.write("problems/sum/problem.yaml", "name: [\n");
    let start = || Server::start(&desk, &["--problems", "problems", "--reasons", "none"]);
    let mut server = start();
    assert_eq!(check(server.port, 0), None, "the package is broken");
    desk.write("problems/sum/problem.yaml", &manifest);
    server.signal(Signal::HUP);
    server.wait_for_line("listening on");
    let door = Door::default();
    door.set(Some(server.port));
    let mut server = Some(server);
    let open = Mutex::new((0..STUDENTS).collect::<Vec<_>>());
    let (sender, receiver) = mpsc::channel();
    let (mut marks, mut times): (BTreeMap<usize, Vec<f64>>, Vec<Duration>) = Default::default();
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            let (sender, door, open) = (sender.clone(), &door, &open);
            scope.spawn(move || {
                while let Some(student) = { open.lock().unwrap().pop() } {
                    let begin = Instant::now();
                    let mark =
                        std::iter::repeat_with(|| check(door.wait(), student)).flatten().next().unwrap();
                    sender.send(Mark { student, mark, took: begin.elapsed() }).unwrap();
                }
            });
        }
        drop(sender);
        for (at, Mark { student, mark, took }) in receiver.into_iter().enumerate() {
            marks.entry(student).or_default().push(mark);
            times.push(took);
            if KILLS.contains(&at) {
                door.set(None);
                drop(server.take());
                door.set(Some(server.insert(start()).port));
            }
        }
    });
    let wanted: BTreeMap<usize, Vec<f64>> = (0..STUDENTS).map(|one| (one, vec![hand_in(one).1])).collect();
    assert_eq!(marks, wanted);
    let port = door.wait();
    for student in 0..STUDENTS {
        assert_eq!(check(port, student), Some(hand_in(student).1), "a regrade gives {student} the same");
    }
    times.sort_unstable();
    let most = times[times.len() * 95 / 100];
    let load = fs::read_to_string("/proc/loadavg").unwrap();
    println!("95 % of marks within {most:?}, at load {load}");
    assert!(most <= Duration::from_secs(5), "{most:?} at load {load}");
}
