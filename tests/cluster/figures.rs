//! What distribution costs, on jobs that cost nothing.

use crate::{
    child::ChildWorker,
    contract::{List, job, machine},
    course::Course,
    server::{NatsServer, free_port, note},
    workers::{Told, await_worker, connect, coordinator, wait_until},
};
use kopek::{
    exec::{Executor, JobResult, Local, Work},
    machine::Machine,
    plan::{Job, Key},
};
use kopek_fakes as fake;
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    time::{Duration, Instant},
};

/// What is done, as often as it takes for a figure.
#[derive(Clone, Copy)]
enum Kind {
    /// Builds of sources of so many bytes: each travels to a worker, and the program home.
    Builds { count: usize, bytes: usize },
    /// Builds of which the next is given away when the last is done.
    OneByOne,
    /// Builds and trials of a course.
    Course,
}

const KINDS: [(&str, Kind); 4] = [
    ("1000 builds of 1 kB", Kind::Builds { count: 1000, bytes: 1000 }),
    ("200 builds, one after the other", Kind::OneByOne),
    ("40 builds and 1000 trials", Kind::Course),
    ("60 builds of 2.3 MB", Kind::Builds { count: 60, bytes: 2_300_000 }),
];

/// Of workers with a slot each; 0: here, without a cluster.
const PLACES: [usize; 4] = [0, 1, 2, 4];

const ROUNDS: usize = 3;

/// What it took, all in all.
#[derive(Clone, Copy, Default)]
struct Cost {
    jobs: usize,
    wall: Duration,
    /// CPU time of this process, of the server, and of the workers.
    cpu: [Duration; 3],
    /// Bytes that the server got and sent.
    bytes: [u64; 2],
}

/// Gives the next job away when the last is done.
struct OneByOne {
    list: List,
    is_under_way: bool,
}

impl Work for OneByOne {
    fn next(&mut self, warm: Option<&Key>) -> Option<Job> {
        if self.is_under_way {
            return None;
        }
        let job = self.list.next(warm);
        self.is_under_way = job.is_some();
        job
    }

    fn done(&mut self, job: Job, result: JobResult) -> anyhow::Result<()> {
        self.is_under_way = false;
        self.list.done(job, result)
    }
}

/// A text that can be compressed as far as programs can, to a third or so.
pub fn likely_text(seed: usize, bytes: usize) -> String {
    let mut state = seed as u64;
    let mut letter = |at: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if at % 64 < 24 { char::from(b'a' + (state >> 60) as u8) } else { ' ' }
    };
    (0..bytes).map(&mut letter).collect()
}

/// Does it all; how many jobs there were.
fn perform_all(kind: Kind, home: &Path, here: &Machine, executor: &dyn Executor) -> usize {
    let builds = |count: usize, bytes: usize| {
        let text = |index: usize| format!("{index} {}", likely_text(index, bytes));
        let jobs = (0..count).map(|index| job(&here.store, index, &text(index))).collect();
        List { jobs, ..List::default() }
    };
    match kind {
        Kind::Builds { count, bytes } => {
            let mut list = builds(count, bytes);
            executor.run(&mut list).unwrap();
            assert_eq!(list.reported.len(), count);
            count
        }
        Kind::OneByOne => {
            let mut list = OneByOne { list: builds(200, 1000), is_under_way: false };
            executor.run(&mut list).unwrap();
            list.list.reported.len()
        }
        Kind::Course => {
            let course = Course::new(&home.join("course"), 8);
            let plan = course.plan(&here.store, 40);
            course.judge(&plan, (&here.store, executor), &mut || ()).1
        }
    }
}

/// CPU time of a process so far.
fn cpu_of(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let words: Vec<&str> = stat[stat.rfind(')').unwrap() + 2..].split(' ').collect();
    // In hundredths of a second, on all Linuxes.
    let ticks = |at: usize| words[at].parse::<u64>().unwrap();
    Duration::from_millis(10 * (ticks(11) + ticks(12)))
}

/// Bytes that a server got and sent so far, by its own count.
fn traffic_of(monitor: u16) -> [u64; 2] {
    let mut stream = TcpStream::connect(("127.0.0.1", monitor)).unwrap();
    stream.write_all(b"GET /varz HTTP/1.0\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let body: serde_json::Value = serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    ["in_bytes", "out_bytes"].map(|name| body[name].as_u64().unwrap())
}

fn cost_here(kind: Kind) -> Cost {
    let home = tempfile::tempdir().unwrap();
    let here = machine(&home.path().join("here"));
    let executor = Local::new(vec![Box::new(|job: &Job| fake::perform(&here.store, job))]);
    let (before, began) = (cpu_of(std::process::id()), Instant::now());
    let jobs = perform_all(kind, home.path(), &here, &executor);
    let cpu = [cpu_of(std::process::id()) - before, Duration::ZERO, Duration::ZERO];
    Cost { jobs, wall: began.elapsed(), cpu, bytes: [0; 2] }
}

/// With a server, workers and stores of its own.
fn cost_over_cluster(kind: Kind, workers: usize) -> Option<Cost> {
    let monitor = free_port();
    let server = NatsServer::start(&format!("http: \"127.0.0.1:{monitor}\""))?;
    let home = server.home.path();
    let connection = connect(&server);
    let caches = (0..workers).map(|index| home.join(format!("worker-{index}")));
    let crew: Vec<ChildWorker> =
        caches.map(|cache| ChildWorker::start_slots(&server.url, &cache, 1)).collect();
    wait_until("all are there", || connection.status().is_ok_and(|status| status.workers.len() == workers));
    let mut here = machine(&home.join("here"));
    await_worker(&connection, &mut here);
    let executor = coordinator(&connection, &here, &Told::default());
    let cpu = || {
        let of_crew = crew.iter().map(|worker| cpu_of(worker.id())).sum();
        [cpu_of(std::process::id()), cpu_of(server.id()), of_crew]
    };
    let (cpu_before, bytes_before, began) = (cpu(), traffic_of(monitor), Instant::now());
    let jobs = perform_all(kind, home, &here, &executor);
    let (wall, now, bytes) = (began.elapsed(), cpu(), traffic_of(monitor));
    let difference = |at: usize| now[at] - cpu_before[at];
    Some(Cost {
        jobs,
        wall,
        cpu: [0, 1, 2].map(difference),
        bytes: [bytes[0] - bytes_before[0], bytes[1] - bytes_before[1]],
    })
}

fn note_cost(name: &str, workers: usize, cost: &Cost) {
    let jobs = cost.jobs as f64;
    let each = |time: Duration| time.as_secs_f64() * 1000.0 / jobs;
    let [here, server, crew] = cost.cpu.map(each);
    let [got, sent] = cost.bytes.map(|bytes| bytes as f64 / jobs / 1000.0);
    let place = if workers == 0 { "here".to_owned() } else { format!("{workers} workers") };
    note(&format!(
        "{name}, {place}: {:.0} jobs a second, {:.2} ms each; CPU of a job {here:.2} ms here, {server:.2} ms server, \
         {crew:.2} ms workers; server got {got:.1} kB and sent {sent:.1} kB for it",
        jobs / cost.wall.as_secs_f64(),
        each(cost.wall),
    ));
}

#[test]
#[ignore = "prints figures, for which the machine must be quiet: medians of three, a minute or two"]
fn what_distribution_costs() {
    let mut costs = vec![[const { Vec::new() }; PLACES.len()]; KINDS.len()];
    // All of a round side by side: what disturbs disturbs all of them.
    for _ in 0..ROUNDS {
        for (at, (_, kind)) in KINDS.iter().enumerate() {
            for (place, &workers) in PLACES.iter().enumerate() {
                let cost =
                    if workers == 0 { Some(cost_here(*kind)) } else { cost_over_cluster(*kind, workers) };
                let Some(cost) = cost else { return };
                costs[at][place].push(cost);
            }
        }
    }
    for ((name, _), places) in KINDS.iter().zip(&mut costs) {
        for (place, &workers) in places.iter_mut().zip(&PLACES) {
            place.sort_by_key(|cost: &Cost| cost.wall);
            note_cost(name, workers, &place[ROUNDS / 2]);
        }
    }
    let load = fs::read_to_string("/proc/loadavg").unwrap();
    note(&format!("load of this machine afterwards: {}", load.trim()));
}
