//! Processes that are killed, that write at once, and that run out of space.

use super::{MONTH, key, tree, trial};
use crate::child;
use kopek::store::{Prune, Store};
use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// Where a child's store lies, and with which number it begins.
const PLACE: &str = "KOPEK_TEST_PLACE";
const FIRST: &str = "KOPEK_TEST_FIRST";

fn command(task: &str, place: &Path, first: u64) -> Command {
    let mut command = child::command(task);
    command.env(PLACE, place).env(FIRST, first.to_string()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn place() -> PathBuf {
    env::var_os(PLACE).expect("a place").into()
}

fn first_number() -> u64 {
    env::var(FIRST).expect("a number").parse().unwrap()
}

/// Prints each number after its fact and its blob were put.
pub fn write_for_ever() {
    let place = place();
    let store = Store::open(&place.join("store")).unwrap();
    for n in first_number().. {
        let digest = store.put_tree(&place.join("one")).unwrap();
        store.put(&key(n), &trial(n)).unwrap();
        store.put_bytes(&vec![n as u8; 3000]).unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "done {n} {digest}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn finished_facts_survive_a_kill_at_any_moment() {
    let dir = tempfile::tempdir().unwrap();
    tree(&dir.path().join("one"));
    let (mut next, mut finished) = (0, 0);
    for round in 0..12_u64 {
        let mut writer = command("write for ever", dir.path(), next).spawn().unwrap();
        let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let (sender, done) = mpsc::channel();
        let reader = thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Some((_, rest)) = line.split_once("done ") {
                    sender.send(rest.split(' ').next().unwrap().parse::<u64>().unwrap()).unwrap();
                }
            }
        });
        // However slowly it starts, it has written something when it is killed.
        let first = done.iter().nth(round as usize).unwrap();
        writer.kill().unwrap();
        writer.wait().unwrap();
        reader.join().unwrap();
        let last = done.iter().last().unwrap_or(first);
        let store = Store::open(&dir.path().join("store")).unwrap();
        let claimed: Vec<u64> = (next..=last).collect();
        for n in &claimed {
            assert_eq!(store.get(&key(*n)).unwrap(), Some(trial(*n)), "{n} was finished");
            assert!(store.bytes(&kopek::base::Digest::of(&vec![*n as u8; 3000])).unwrap().is_some());
        }
        let left: Vec<_> = fs::read_dir(store.dir().join("tmp")).unwrap().collect();
        assert!(left.is_empty(), "what was half written is swept: {left:?}");
        finished += claimed.len();
        next += claimed.len() as u64 + 10;
    }
    assert!(finished >= 12, "the writers hardly wrote: {finished}");
}

/// Removes everything, in the first way or the second, after printing that it begins.
pub fn clean_the_store() {
    let mut out = std::io::stdout().lock();
    writeln!(out, "begins").unwrap();
    out.flush().unwrap();
    let prune = match first_number() {
        0 => Prune::All,
        _ => Prune::Unneeded(Duration::ZERO),
    };
    prune.perform(&place().join("store")).unwrap();
}

#[test]
fn a_killed_cleaning_leaves_whole_blobs_and_true_facts() {
    let dir = tempfile::tempdir().unwrap();
    let (place, files) = (dir.path().join("store"), dir.path().join("one"));
    tree(&files);
    for round in 0..8_u64 {
        let store = Store::open(&place).unwrap();
        for n in 0..60 {
            fs::write(files.join("sub/b"), n.to_string()).unwrap();
            store.put_tree(&files).unwrap();
            store.put(&key(n), &trial(n)).unwrap();
        }
        drop(store);
        let mut cleaner = command("clean the store", dir.path(), round % 2).spawn().unwrap();
        let mut lines = BufReader::new(cleaner.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("begins")));
        thread::sleep(Duration::from_micros(700 * round));
        cleaner.kill().unwrap();
        cleaner.wait().unwrap();
        let found = MONTH.perform(&place).unwrap();
        assert_eq!((found.facts, found.blobs), (0, 0), "round {round}");
        let store = Store::open(&place).unwrap();
        for n in 0..60 {
            assert!(store.get(&key(n)).unwrap().is_none_or(|fact| fact == trial(n)));
        }
    }
}

/// Puts 300 facts, half of them also put by the others, and reads all the while.
pub fn write_beside_others() {
    let (place, first) = (place(), first_number());
    for part in 0..6 {
        // Opening and closing is where databases meet worst.
        let store = Store::open(&place.join("store")).unwrap();
        for n in first + part * 50..first + part * 50 + 50 {
            store.put(&key(n), &trial(n)).unwrap();
            assert_eq!(store.get(&key(n)).unwrap(), Some(trial(n)));
            store.put_tree(&place.join("one")).unwrap();
            store.remember("last", &n).unwrap();
        }
    }
}

#[test]
fn several_processes_on_one_store_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    tree(&dir.path().join("one"));
    let start = |first| command("write beside others", dir.path(), first).spawn().unwrap();
    let writers: [Child; 4] = [0, 0, 150, 300].map(start);
    for writer in writers {
        child::check_output(&writer.wait_with_output().unwrap());
    }
    let store = Store::open(&dir.path().join("store")).unwrap();
    let keys: Vec<_> = (0..600).map(key).collect();
    let found = store.get_many(&keys).unwrap();
    assert!((0..).zip(found).all(|(n, fact)| fact == Some(trial(n))));
    drop(store);
    let swept = Prune::Unneeded(Duration::ZERO).perform(&dir.path().join("store"));
    assert_eq!(swept.map(|pruned| (pruned.facts, pruned.blobs)).unwrap(), (600, 1));
}

/// Writes until the disk is full, here played by a limit on the size of files.
pub fn write_until_the_disk_is_full() {
    let place = place();
    let ignored = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    signal_hook::flag::register(rustix::process::Signal::XFSZ.as_raw(), ignored).unwrap();
    let store = Store::open(&place.join("store")).unwrap();
    let limit = rustix::process::Rlimit { current: Some(200_000), maximum: Some(200_000) };
    rustix::process::setrlimit(rustix::process::Resource::Fsize, limit).unwrap();
    let error = format!("{:#}", store.put_bytes(&vec![0; 300_000]).unwrap_err());
    assert!(error.contains("limit of 200000 bytes under which"), "{error}");
    assert!(error.contains("the disk is full") && error.contains("remedy: make room"), "{error}");
    for n in 0..100_000 {
        if let Err(error) = store.put(&key(n), &trial(n)) {
            let error = format!("{error:#}");
            assert!(error.contains("the disk is full") && error.contains("remedy: make room"), "{error}");
            fs::write(place.join("put"), n.to_string()).unwrap();
            return;
        }
    }
    panic!("the disk never was full");
}

#[test]
fn a_full_disk_is_an_error_and_what_was_finished_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    child::finish(&mut command("write until the disk is full", dir.path(), 0));
    let put: u64 = fs::read_to_string(dir.path().join("put")).unwrap().parse().unwrap();
    assert!(put > 10, "{put}");
    let store = Store::open(&dir.path().join("store")).unwrap();
    for n in 0..put {
        assert_eq!(store.get(&key(n)).unwrap(), Some(trial(n)), "{n} of {put}");
    }
    store.put(&key(put), &trial(put)).unwrap();
}
