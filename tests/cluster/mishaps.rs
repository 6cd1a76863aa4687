//! A whole course, in quiet and while everything goes wrong that can.

use crate::{
    contract::machine,
    course::Course,
    crew::{CREW, Crew},
    server::{NatsServer, note},
    workers::{StopAtEnd, Told, await_worker, connect_to, coordinator},
};
use kopek::{cluster::ClusterEvent, score::Scorecard};
use kopek_fakes as fake;
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

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
                // The work must outlast the minute in which one stands still.
                pause: 4,
                kill_every: seconds(5),
                frozen_for: seconds(60),
                disk: "1g",
            },
            false => Scale {
                hand_ins: 80,
                cases: 3,
                pause: 60,
                kill_every: seconds(3),
                // Long enough that others have done by then what it held.
                frozen_for: seconds(6),
                disk: "32m",
            },
        }
    }
}

/// What has befallen a run.
#[derive(Debug, Default)]
struct Mishaps {
    workers_killed: usize,
    frozen_since: Option<Instant>,
    woken: Option<Waking>,
    server_killed: usize,
    disk_full: bool,
    told_of_disk: bool,
}

/// The moment when a worker that stood still goes on.
#[derive(Debug, Clone, Copy)]
struct Waking {
    frozen_for: Duration,
    /// What it had done before it stood still.
    performed: usize,
    late: usize,
}

/// The worker that stands still; the others are killed, for whoever is dead cannot wake up.
const FROZEN: usize = 0;

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
                crew.replace(1 + mishaps.workers_killed % (CREW - 1));
                (killed, mishaps.workers_killed) = (Instant::now(), mishaps.workers_killed + 1);
            }
            // Once while a worker stands still, and once after it woke up.
            let is_calm_enough = mishaps.server_killed == 0 || mishaps.woken.is_some();
            if percent >= [20, 75, 1000][mishaps.server_killed] && is_calm_enough {
                server.kill();
                thread::sleep(Duration::from_secs(1));
                server.start_again();
                mishaps.server_killed += 1;
            }
            // What the frozen one held must be done by another before it wakes up: not while nothing is written.
            if percent >= 50 && mishaps.woken.is_some() && self.has_small_disk && !mishaps.disk_full {
                mishaps.disk_full = true;
                mishaps.told_of_disk = self.fill_disk(server);
            }
        }
        mishaps
    }

    fn freeze_and_wake(&self, percent: usize, crew: &Crew, mishaps: &mut Mishaps) {
        match mishaps.frozen_since {
            None if percent >= 5 => {
                crew.children[FROZEN].signal("-STOP");
                mishaps.frozen_since = Some(Instant::now());
            }
            Some(since) if mishaps.woken.is_none() && since.elapsed() >= self.scale.frozen_for => {
                let (performed, late) = (crew.performed_by(FROZEN), crew.late_answers(FROZEN));
                mishaps.woken = Some(Waking { frozen_for: since.elapsed(), performed, late });
                crew.children[FROZEN].signal("-CONT");
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
    (told, on_job): (&Told, &mut (dyn FnMut(usize) + Send)),
) -> (Vec<Scorecard>, usize) {
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
    let judged = course.judge(&plan, (&here.store, &executor), &mut count);
    let (sent, received) = executor.traffic();
    note(&format!(
        "{name}: {} B of contents sent and {} B received for a hand-in",
        sent / scale.hand_ins as u64,
        received / scale.hand_ins as u64
    ));
    judged
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

    let mut crew = Crew::start(&server, "calm-crew", scale.pause);
    let began = Instant::now();
    let calm = judge_over((&home, &server.url), (&course, &scale), "calm", (&Told::default(), &mut |_| ()));
    let seconds = began.elapsed().as_secs_f64();
    note(&format!("{CREW} workers: {seconds:.1} s, {:.0} jobs a second", jobs as f64 / seconds));
    assert!(calm == (expected.clone(), jobs), "in quiet all comes to the same");
    assert_eq!(crew.performed(), jobs, "in quiet nothing is done twice");
    crew.end_cleanly();

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
    let (stormy, mishaps) = thread::scope(|scope| {
        let _ended = StopAtEnd(&ended);
        let raging = scope.spawn(|| fiend.rage(&mut server, &mut crew));
        let mut on_job = |done: usize| percent.store(done * 100 / jobs, Ordering::Relaxed);
        let stormy = judge_over((&home, &url), (&course, &scale), "stormy", (&told, &mut on_job));
        ended.store(true, Ordering::Relaxed);
        (stormy, raging.join().unwrap())
    });
    report(&scale, (&mishaps, began.elapsed()), (&crew, jobs), &told);
    // Each job was heard of once, whoever did it how often.
    assert!(stormy == (expected, jobs), "with all that happened it comes to the same");
    assert!(mishaps.workers_killed >= 2, "{mishaps:?}");
    assert_eq!((mishaps.server_killed, mishaps.told_of_disk), (2, disk.is_some()), "{mishaps:?}");
    let again = |event: &ClusterEvent| matches!(event, ClusterEvent::GivenAgain(_));
    assert!(told.lock().unwrap().iter().any(again), "what was done twice is told");
    assert_frozen_went_on(&mut crew, &mishaps, scale.frozen_for);
}

/// The worker that stood still was woken, was refused with what it brought late, worked on, and ends as others do.
fn assert_frozen_went_on(crew: &mut Crew, mishaps: &Mishaps, frozen_for: Duration) {
    let waking = mishaps.woken.expect("it was woken while there was work");
    assert!(waking.frozen_for >= frozen_for, "{waking:?}");
    assert!(crew.late_answers(FROZEN) > waking.late, "others had done what it held: {waking:?}");
    let more = crew.performed_by(FROZEN) - waking.performed;
    let held = crew.late_answers(FROZEN) - waking.late;
    assert!(more > held, "it did {more} jobs after it woke up, and held {held}");
    assert!(!crew.children[FROZEN].has_ended(), "it is the same process still");
    crew.end_cleanly();
}

fn report(scale: &Scale, (mishaps, took): (&Mishaps, Duration), (crew, jobs): (&Crew, usize), told: &Told) {
    note(&format!(
        "with mishaps: {:.1} s; {} workers killed, one frozen for {} s, server killed {} times, disk full: {}",
        took.as_secs_f64(),
        mishaps.workers_killed,
        scale.frozen_for.as_secs(),
        mishaps.server_killed,
        if mishaps.disk_full { "once" } else { "never" },
    ));
    let performed = crew.performed();
    note(&format!(
        "{performed} jobs were begun to the end: {} more than there are",
        performed.saturating_sub(jobs)
    ));
    if let Some(waking) = mishaps.woken {
        note(&format!(
            "the frozen worker had done {} jobs, did {} more when it was woken, and was too late with {}",
            waking.performed,
            crew.performed_by(FROZEN) - waking.performed,
            crew.late_answers(FROZEN) - waking.late
        ));
    }
    told.lock().unwrap().iter().for_each(|event| note(&format!("  cluster: {event}")));
}
