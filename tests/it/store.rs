//! The store keeps finished work, whatever happens.

mod damage;
pub mod killed_processes;

use kopek::{
    base::{Bytes, Digest},
    plan::{Build, Key, Outcome, Trial},
    sandbox::{Exit, Usage},
    store::{Prune, Store, take_over},
    verdict::Verdict,
};
use std::{fs, path::Path, time::Duration};

/// As `kopek clean` removes.
const MONTH: Prune = Prune::Unneeded(Duration::from_secs(30 * 86_400));

fn key(n: u64) -> Key {
    Digest::of(&n.to_le_bytes())
}

/// A fact that its number identifies.
fn trial(n: u64) -> Outcome {
    Outcome::Trial(Trial {
        usage: Usage { cpu: Duration::from_micros(n), memory: Bytes(n), ..Usage::default() },
        output: Bytes(n),
        ..Trial::ended(Verdict::Accepted, Exit::Code(0))
    })
}

fn fresh() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("store")).unwrap();
    (dir, store)
}

#[test]
fn a_fact_is_found_by_the_next_who_opens() {
    let (dir, store) = fresh();
    let built = Outcome::Build(Build::Refused { message: "error: naïve".into() });
    store.put(&key(1), &trial(1)).unwrap();
    store.put(&key(2), &built).unwrap();
    drop(store);
    let store = Store::open(&dir.path().join("store")).unwrap();
    let found = store.get_many(&[key(2), key(3), key(1), key(2)]).unwrap();
    assert_eq!(found, [Some(built.clone()), None, Some(trial(1)), Some(built)]);
}

#[test]
fn a_fresh_start_knows_only_new_facts_and_they_replace_the_older_ones() {
    let (dir, store) = fresh();
    store.put(&key(1), &trial(1)).unwrap();
    store.put(&key(2), &trial(2)).unwrap();
    store.ignore_older_facts();
    assert_eq!(store.get_many(&[key(1), key(2)]).unwrap(), [None, None]);
    store.put(&key(1), &trial(3)).unwrap();
    assert_eq!(store.get_many(&[key(1), key(2)]).unwrap(), [Some(trial(3)), None]);
    drop(store);
    let store = Store::open(&dir.path().join("store")).unwrap();
    assert_eq!(store.get_many(&[key(1), key(2)]).unwrap(), [Some(trial(3)), Some(trial(2))]);
}

#[test]
fn facts_of_another_store_are_added_and_none_is_replaced() {
    let ((_ours, store), (theirs, other)) = (fresh(), fresh());
    let failed = |n| match trial(n) {
        Outcome::Trial(trial) => Outcome::Trial(Trial { verdict: Verdict::WrongAnswer, ..trial }),
        _ => unreachable!("it is a trial"),
    };
    let program = theirs.path().join("program");
    tree(&program);
    let (entry, message) = (String::new(), String::new());
    let built = Outcome::Build(Build::Program { blob: other.put_tree(&program).unwrap(), entry, message });
    let gone = Outcome::Build(Build::Program {
        blob: Digest::of(b"nowhere"),
        entry: String::new(),
        message: String::new(),
    });
    store.put(&key(1), &trial(1)).unwrap();
    store.put(&key(2), &trial(2)).unwrap();
    for (n, outcome) in [(1, &trial(99)), (2, &failed(2)), (3, &trial(3)), (4, &built), (5, &gone)] {
        other.put(&key(n), outcome).unwrap();
    }
    let merged = take_over(&store, &other).unwrap();
    assert_eq!((merged.added, merged.known, merged.lost), (2, 2, 1));
    let [disagreement] = &merged.disagreements[..] else { panic!("{merged:?}") };
    assert_eq!(disagreement.key, key(2));
    assert_eq!((disagreement.here.as_str(), disagreement.there.as_str()), ("accepted", "wrong answer"));
    let found = store.get_many(&[1, 2, 3, 4, 5].map(key)).unwrap();
    assert_eq!(found, [Some(trial(1)), Some(trial(2)), Some(trial(3)), Some(built.clone()), None]);
    let Outcome::Build(Build::Program { blob, .. }) = built else { unreachable!("it is a build") };
    assert!(store.tree(&blob).unwrap().is_some(), "its files came along");
    assert_eq!(take_over(&store, &other).unwrap().added, 0, "once is enough");
}

#[test]
fn small_things_are_remembered_under_their_name() {
    let (_dir, store) = fresh();
    assert_eq!(store.recall::<Vec<u32>>("primes").unwrap(), None);
    store.remember("primes", &vec![2, 3, 5]).unwrap();
    assert_eq!(store.recall::<Vec<u32>>("primes").unwrap(), Some(vec![2, 3, 5]));
    assert_eq!(store.recall::<String>("primes").unwrap(), None, "of another form");
}

fn tree(dir: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(dir.join("sub/empty")).unwrap();
    fs::write(dir.join("sub/b"), "bytes").unwrap();
    fs::write(dir.join("a"), "program").unwrap();
    fs::set_permissions(dir.join("a"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn equal_directories_are_one_blob_and_any_change_is_another() {
    let (dir, store) = fresh();
    let (one, two) = (dir.path().join("one"), dir.path().join("two"));
    tree(&one);
    tree(&two);
    let digest = store.put_tree(&one).unwrap();
    assert_eq!(store.put_tree(&two).unwrap(), digest);
    let changes: [(&str, &dyn Fn()); 4] = [
        ("contents", &|| fs::write(two.join("sub/b"), "other").unwrap()),
        ("name", &|| fs::rename(two.join("a"), two.join("c")).unwrap()),
        ("file", &|| fs::write(two.join("d"), "").unwrap()),
        ("directory", &|| fs::remove_dir(two.join("sub/empty")).unwrap()),
    ];
    let mut known = vec![digest];
    for (what, change) in changes {
        change();
        let other = store.put_tree(&two).unwrap();
        assert!(!known.contains(&other), "{what}");
        known.push(other);
    }
}

#[test]
fn a_kept_directory_is_readable_by_everybody_and_its_programs_stay_programs() {
    use std::os::unix::fs::PermissionsExt;
    let (dir, store) = fresh();
    tree(&dir.path().join("one"));
    let digest = store.put_tree(&dir.path().join("one")).unwrap();
    let stored = store.tree(&digest).unwrap().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&stored.join("a")), 0o555);
    assert_eq!(mode(&stored.join("sub/b")), 0o444);
    assert_eq!([mode(&stored.join("sub")), mode(&stored)], [0o755; 2]);
    let shelf = stored.parent().unwrap();
    assert_eq!([mode(shelf), mode(shelf.parent().unwrap())], [0o711; 2], "passed, not listed");
    assert_eq!(fs::read_to_string(stored.join("sub/b")).unwrap(), "bytes");
    assert_eq!(store.tree(&key(9)).unwrap(), None);
    assert!(store.has(&digest) && !store.has(&key(9)));
}

#[test]
fn a_store_is_closed_to_other_users_and_keeps_nothing_with_set_user_id() {
    use std::os::unix::fs::PermissionsExt;
    let (dir, store) = fresh();
    let place = store.dir().to_owned();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode(&place), mode(&place.join("tmp"))), (0o700, 0o700));
    tree(&dir.path().join("one"));
    for (path, bits) in [("one", 0o7777), ("one/sub", 0o2775), ("one/a", 0o6777), ("one/sub/b", 0o4666)] {
        fs::set_permissions(dir.path().join(path), fs::Permissions::from_mode(bits)).unwrap();
    }
    let kept = store.put_tree(&dir.path().join("one")).unwrap();
    let kept = store.tree(&kept).unwrap().unwrap();
    for entry in walkdir::WalkDir::new(&place).into_iter().flatten() {
        assert_eq!(mode(entry.path()) & 0o7022, 0, "{}", entry.path().display());
    }
    assert_eq!(mode(&kept.join("a")), 0o555);
    drop(store);
    // As a copy left it, and as an owner shares it with a group.
    for (bits, wanted) in [(0o755, 0o700), (0o711, 0o711), (0o2770, 0o2770), (0o2775, 0o2770)] {
        fs::set_permissions(&place, fs::Permissions::from_mode(bits)).unwrap();
        Store::open(&place).unwrap();
        assert_eq!(mode(&place), wanted, "{bits:o}");
    }
}

#[test]
fn bytes_are_kept_by_their_digest() {
    let (_dir, store) = fresh();
    let digest = store.put_bytes(b"output").unwrap();
    assert_eq!(digest, Digest::of(b"output"));
    assert_eq!(store.put_bytes(b"output").unwrap(), digest);
    assert_eq!(store.bytes(&digest).unwrap().as_deref(), Some(b"output".as_slice()));
    assert_eq!(store.bytes(&key(1)).unwrap(), None);
}

#[test]
fn a_link_is_no_part_of_a_program() {
    let (dir, store) = fresh();
    tree(&dir.path().join("one"));
    std::os::unix::fs::symlink("/etc/passwd", dir.path().join("one/link")).unwrap();
    let error = format!("{:#}", store.put_tree(&dir.path().join("one")).unwrap_err());
    assert!(error.contains("one/link is neither a file nor a directory"), "{error}");
}

#[test]
fn everything_goes_when_asked_and_nothing_while_another_uses_it() {
    let (dir, store) = fresh();
    let place = dir.path().join("store");
    store.put(&key(1), &trial(1)).unwrap();
    let digest = store.put_bytes(b"output").unwrap();
    for prune in [Prune::All, Prune::Unneeded(Duration::ZERO)] {
        let error = format!("{:#}", prune.perform(&place).unwrap_err());
        assert!(error.contains("another kopek process is using it"), "{error}");
    }
    assert_eq!(store.get(&key(1)).unwrap(), Some(trial(1)));
    drop(store);
    assert_eq!(Prune::All.perform(&place).unwrap().blobs, 1);
    let store = Store::open(&place).unwrap();
    assert_eq!((store.get(&key(1)).unwrap(), store.bytes(&digest).unwrap()), (None, None));
}

/// Runs the program: exit code and output.
fn kopek(args: &[&str]) -> (i32, String) {
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_kopek")).args(args).output().unwrap();
    let output = [ran.stdout, ran.stderr].concat();
    (ran.status.code().unwrap(), String::from_utf8(output).unwrap())
}

#[test]
fn clean_says_what_it_removes() {
    let (dir, store) = fresh();
    let place = dir.path().join("store");
    let path = place.to_str().unwrap();
    store.put(&key(1), &trial(1)).unwrap();
    let [old, new] = [7, 8].map(|byte| store.put_bytes(&[byte; 2048]).unwrap());
    let warm = store.warm().join("some toolchain");
    std::fs::create_dir_all(&warm).unwrap();
    std::fs::write(warm.join("cache"), [7; 1024]).unwrap();
    age_blob(&place, &old, 40);
    let (code, message) = kopek(&["clean", "--all", "--store", path]);
    assert!(code == 2 && message.contains("another kopek process is using it"), "{message}");
    drop(store);
    let (code, message) = kopek(&["clean", "--store", path]);
    assert!(code == 0 && message.starts_with("removed 0 facts and 1 blob, 2 KiB; "), "{message}");
    assert!(warm.exists() && Store::open(&place).unwrap().has(&new));
    let (code, message) = kopek(&["clean", "--all", "--store", path]);
    assert!(code == 0 && message.starts_with("removed everything: "), "{message}");
    let (code, message) = kopek(&["clean", "--store", dir.path().to_str().unwrap()]);
    assert!(code == 2 && message.contains("there is no store at"), "{message}");
}

/// Sets the last use of a blob to this number of days ago.
fn age_blob(store: &Path, digest: &Digest, days: u64) {
    let name = digest.to_string();
    let file = fs::File::open(store.join("blobs").join(&name[..2]).join(&name)).unwrap();
    let then = std::time::SystemTime::now() - Duration::from_secs(days * 86_400);
    file.set_times(fs::FileTimes::new().set_modified(then)).unwrap();
}

fn age_fact(store: &Path, key: &Key, days: i64) {
    let database = rusqlite::Connection::open(store.join("facts.sqlite")).unwrap();
    database
        .execute("UPDATE facts SET used = used - ? WHERE key = ?", rusqlite::params![days, key.as_bytes()])
        .unwrap();
}

#[test]
fn entries_unused_for_long_are_pruned_and_use_keeps_them() {
    let (dir, store) = fresh();
    let place = dir.path().join("store");
    let blobs = [b"old", b"new", b"saw"].map(|bytes| store.put_bytes(bytes).unwrap());
    for n in 0..3 {
        store.put(&key(n), &trial(n)).unwrap();
    }
    for n in [0, 2] {
        age_blob(&place, &blobs[n], 40);
        age_fact(&place, &key(n as u64), 40);
    }
    store.bytes(&blobs[2]).unwrap();
    store.get(&key(2)).unwrap();
    drop(store);
    let pruned = MONTH.perform(&place).unwrap();
    assert_eq!((pruned.facts, pruned.blobs), (1, 1));
    let store = Store::open(&place).unwrap();
    let known: Vec<bool> = (0..3).map(|n| store.get(&key(n)).unwrap().is_some()).collect();
    let stored: Vec<bool> = blobs.iter().map(|blob| store.bytes(blob).unwrap().is_some()).collect();
    assert_eq!((known, stored), (vec![false, true, true], vec![false, true, true]));
}

#[test]
fn a_class_of_facts_is_read_in_one_go() {
    let (dir, store) = fresh();
    let facts: Vec<_> = (0..3_000).map(|n| (key(n), trial(n))).collect();
    for (key, fact) in &facts {
        store.put(key, fact).unwrap();
    }
    drop(store);
    let keys: Vec<Key> = facts.iter().map(|(key, _)| *key).collect();
    let store = Store::open(&dir.path().join("store")).unwrap();
    let found = store.get_many(&keys).unwrap();
    assert!(facts.iter().zip(found).all(|((_, fact), found)| found.as_ref() == Some(fact)));
}

#[test]
fn a_store_keeps_its_id_and_another_in_its_place_has_another() {
    let (dir, store) = fresh();
    store.put(&key(1), &trial(1)).unwrap();
    let id = store.id().unwrap();
    assert_eq!(store.id().unwrap(), id);
    let place = dir.path().join("store");
    drop(store);
    Prune::Unneeded(Duration::ZERO).perform(&place).unwrap();
    assert_eq!(Store::open(&place).unwrap().id().unwrap(), id);
    Prune::All.perform(&place).unwrap();
    assert_ne!(Store::open(&place).unwrap().id().unwrap(), id);
}
