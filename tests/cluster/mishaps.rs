//! A whole course, in quiet and while everything goes wrong that can.

use crate::{
    child::ChildWorker,
    contract::machine,
    course::Course,
    server::{NatsServer, note},
    workers::{StopAtEnd, Told, await_worker, connect_to, coordinator},
};
use kopek::{cluster::ClusterEvent, exec::fake, score::Scorecard};
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

const WORKERS: usize = 3;

/// How large a course is, and what befalls it.
struct Scale {
    hand_ins: usize,
    /// In each of three groups.
    cases: usize,
    /// Milliseconds that a job takes more than nothing.
    pause: u64,
    kill_every: Duration,
    frozen_for: Duration,
    /// Of the server's disk.
    disk: &'static str,
}

impl Scale {
    /// Small, unless `KOPEK_TEST_COURSE=full` asks for 2000 hand-ins on 70 cases.
    fn chosen() -> Scale {
        let seconds = Duration::from_secs;
        match env::var("KOPEK_TEST_COURSE").is_ok_and(|size| size == "full") {
            true => Scale {
                hand_ins: 2000,
                cases: 23,
                pause: 0,
                kill_every: seconds(5),
                frozen_for: seconds(60),
                disk: "1g",
            },
            false => Scale {
                hand_ins: 60,
                cases: 3,
                pause: 60,
                kill_every: seconds(3),
                frozen_for: seconds(4),
                disk: "32m",
            },
        }
    }
}

/// Workers in processes, each with a cache that outlives it.
struct Crew {
    url: String,
    home: PathBuf,
    pause: u64,
    children: Vec<ChildWorker>,
}

impl Crew {
    fn start(server: &NatsServer, name: &str, pause: u64) -> Crew {
        let (url, home) = (server.url.clone(), server.home.path().join(name));
        fs::create_dir(&home).unwrap();
        let mut crew = Crew { url, home, pause, children: vec![] };
        crew.children = (0..WORKERS).map(|index| crew.child(index)).collect();
        crew
    }

    fn child(&self, index: usize) -> ChildWorker {
        let cache = self.home.join(format!("worker-{index}"));
        ChildWorker::start_counted(&self.url, &cache, Some((self.pause, &self.count_file())))
    }

    fn count_file(&self) -> PathBuf {
        self.home.join("performed")
    }

    /// How many jobs its workers did, however often each.
    fn performed(&self) -> usize {
        fs::read(self.count_file()).map_or(0, |dots| dots.len())
    }

    fn replace(&mut self, index: usize) {
        self.children[index].signal("-KILL");
        self.children[index] = self.child(index);
    }
}

/// What has befallen a run.
#[derive(Debug, Default)]
struct Mishaps {
    workers_killed: usize,
    frozen_since: Option<Instant>,
    woken: bool,
    server_killed: usize,
    disk_full: bool,
    told_of_disk: bool,
}

/// Does its worst until the work has ended, each thing at its part of the work.
struct Fiend<'a> {
    scale: &'a Scale,
    /// How many percent are done.
    percent: &'a AtomicUsize,
    ended: &'a AtomicBool,
    told: &'a Told,
    has_small_disk: bool,
}

impl Fiend<'_> {
    fn rage(&self, server: &mut NatsServer, crew: &mut Crew) -> Mishaps {
        let (mut mishaps, mut killed) = (Mishaps::default(), Instant::now());
        while !self.ended.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(50));
            let percent = self.percent.load(Ordering::Relaxed);
            self.freeze_and_wake(percent, crew, &mut mishaps);
            if killed.elapsed() >= self.scale.kill_every {
                // The first may stand still now: whoever is dead cannot wake up.
                crew.replace(1 + mishaps.workers_killed % (WORKERS - 1));
                (killed, mishaps.workers_killed) = (Instant::now(), mishaps.workers_killed + 1);
            }
            if percent >= [25, 75, 1000][mishaps.server_killed] {
                server.kill();
                thread::sleep(Duration::from_secs(1));
                server.start_again();
                mishaps.server_killed += 1;
            }
            if percent >= 50 && self.has_small_disk && !mishaps.disk_full {
                mishaps.disk_full = true;
                mishaps.told_of_disk = self.fill_disk(server);
            }
        }
        mishaps
    }

    fn freeze_and_wake(&self, percent: usize, crew: &Crew, mishaps: &mut Mishaps) {
        match mishaps.frozen_since {
            None if percent >= 10 => {
                crew.children[0].signal("-STOP");
                mishaps.frozen_since = Some(Instant::now());
            }
            Some(since) if !mishaps.woken && since.elapsed() >= self.scale.frozen_for => {
                crew.children[0].signal("-CONT");
                mishaps.woken = true;
            }
            Some(_) | None => {}
        }
    }

    /// Fills the server's disk until people are told so, makes room, and starts the server again as they are told to.
    /// Whether they were told.
    fn fill_disk(&self, server: &mut NatsServer) -> bool {
        let complaints = || {
            let told = self.told.lock().unwrap();
            told.iter().filter(|event| event.to_string().contains("store_dir")).count()
        };
        let (before, filler) = (complaints(), server.store_dir().join("filler"));
        let (mut file, since) = (fs::File::create(&filler).unwrap(), Instant::now());
        // What the server makes room for is filled, too.
        while complaints() == before && since.elapsed() < Duration::from_secs(60) {
            while file.write_all(&[0; 4096]).is_ok() {}
            thread::sleep(Duration::from_millis(100));
        }
        // An open file keeps its room.
        drop(file);
        fs::remove_file(filler).unwrap();
        let heard = complaints() > before;
        server.kill();
        server.start_again();
        heard
    }
}

/// A disk of its own for the server; `None`: this is not the machine's root.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path, size: &str) -> Option<SmallDisk> {
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(at);
        command.output().is_ok_and(|done| done.status.success()).then(|| SmallDisk(at.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Judges a course by the workers of a server; hears how many jobs have ended.
fn judge_over(
    (home, url): (&Path, &str),
    (course, scale): (&Course, &Scale),
    name: &str,
    (told, on_job): (&Told, &mut dyn FnMut(usize)),
) -> Vec<Scorecard> {
    let connection = connect_to(url);
    let mut here = machine(&home.join(name));
    await_worker(&connection, &mut here);
    let executor = coordinator(&connection, &here, told);
    let mut done = 0;
    let mut count = || {
        done += 1;
        on_job(done);
    };
    let plan = course.plan(&here.store, scale.hand_ins);
    let cards = course.judge(&plan, (&here.store, &executor), &mut count).0;
    let (sent, received) = executor.traffic();
    note(&format!(
        "{name}: {} B of contents sent and {} B received for a hand-in",
        sent / scale.hand_ins as u64,
        received / scale.hand_ins as u64
    ));
    cards
}

#[test]
#[ignore = "three processes and a server that are killed again and again: alone, and a minute"]
fn a_course_comes_to_the_same_whatever_dies_on_the_way() {
    let scale = Scale::chosen();
    let Some(mut server) = NatsServer::start("") else { return };
    let home = server.home.path().to_owned();
    let course = Course::new(&home.join("test"), scale.cases);

    let local = machine(&home.join("local"));
    let plan = course.plan(&local.store, scale.hand_ins);
    let began = Instant::now();
    let (expected, jobs) = course.judge(&plan, (&local.store, &fake::Fake::new(&local.store)), &mut || ());
    let cases = 3 * scale.cases + 1;
    note(&format!("{} hand-ins x {cases} cases, {jobs} jobs", scale.hand_ins));
    note(&format!("here, without a cluster: {:.1} s", began.elapsed().as_secs_f64()));

    let crew = Crew::start(&server, "calm-crew", scale.pause);
    let began = Instant::now();
    let cards = judge_over((&home, &server.url), (&course, &scale), "calm", (&Told::default(), &mut |_| ()));
    assert_eq!(cards, expected);
    assert_eq!(crew.performed(), jobs, "in quiet nothing is done twice");
    let seconds = began.elapsed().as_secs_f64();
    note(&format!("{WORKERS} workers: {seconds:.1} s, {:.0} jobs a second", jobs as f64 / seconds));
    drop(crew);

    // Its disk is small now, and empty: as a new server at the same place.
    server.kill();
    let disk = SmallDisk::mount(&server.store_dir(), scale.disk);
    if disk.is_none() {
        note("skipped: a full disk, because no file system can be mounted here");
    }
    server.start_again();
    let mut crew = Crew::start(&server, "crew", scale.pause);
    let (percent, ended, told) = (AtomicUsize::new(0), AtomicBool::new(false), Told::default());
    let began = Instant::now();
    let url = server.url.clone();
    let fiend = Fiend {
        scale: &scale,
        percent: &percent,
        ended: &ended,
        told: &told,
        has_small_disk: disk.is_some(),
    };
    let (cards, mishaps) = thread::scope(|scope| {
        let _ended = StopAtEnd(&ended);
        let raging = scope.spawn(|| fiend.rage(&mut server, &mut crew));
        let mut on_job = |done: usize| percent.store(done * 100 / jobs, Ordering::Relaxed);
        let cards = judge_over((&home, &url), (&course, &scale), "stormy", (&told, &mut on_job));
        ended.store(true, Ordering::Relaxed);
        (cards, raging.join().unwrap())
    });
    assert_eq!(cards, expected);
    let performed = crew.performed();
    note(&format!(
        "with mishaps: {:.1} s; {} workers killed, one frozen for {} s, server killed {} times, disk full: {}",
        began.elapsed().as_secs_f64(),
        mishaps.workers_killed,
        scale.frozen_for.as_secs(),
        mishaps.server_killed,
        if mishaps.disk_full { "once" } else { "never" },
    ));
    note(&format!(
        "{performed} jobs were begun to the end, {} of them twice or more",
        performed.saturating_sub(jobs)
    ));
    told.lock().unwrap().iter().for_each(|event| note(&format!("  cluster: {event}")));
    assert!(mishaps.workers_killed >= 2 && mishaps.frozen_since.is_some(), "{mishaps:?}");
    assert_eq!((mishaps.server_killed, mishaps.told_of_disk), (2, disk.is_some()), "{mishaps:?}");
    let again = |event: &ClusterEvent| matches!(event, ClusterEvent::GivenAgain(_));
    assert!(told.lock().unwrap().iter().any(again), "what was done twice is told");
}
