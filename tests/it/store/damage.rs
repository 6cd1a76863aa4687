//! Damage is reported with the remedy, and never used.

use super::{MONTH, fresh, key, tree, trial};
use kopek::{
    plan::Key,
    store::{Prune, Store},
};
use std::{
    fs,
    os::unix::fs::{FileExt, PermissionsExt},
    path::Path,
};

/// A store with some facts, closed: everything is in the database file.
fn filled() -> (tempfile::TempDir, std::path::PathBuf) {
    let (dir, store) = fresh();
    for n in 0..200 {
        store.put(&key(n), &trial(n)).unwrap();
    }
    store.remember("toolchain", &"gcc 14").unwrap();
    drop(store);
    let place = dir.path().join("store");
    assert!(!place.join("facts.sqlite-wal").exists(), "the last to close folds the log in");
    (dir, place)
}

/// Reads everything; how many facts were found, all of them true.
fn read_all(place: &Path) -> anyhow::Result<usize> {
    let store = Store::open(place)?;
    let keys: Vec<_> = (0..200).map(key).collect();
    let found = store.get_many(&keys)?;
    for (n, fact) in (0..).zip(&found) {
        assert!(fact.is_none() || *fact == Some(trial(n)), "fact {n} is another's");
    }
    if let Some(known) = store.recall::<String>("toolchain")? {
        assert_eq!(known, "gcc 14");
    }
    Ok(found.iter().flatten().count())
}

fn flip(file: &Path, at: u64) {
    fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
    let file = fs::File::options().read(true).write(true).open(file).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, at).unwrap();
    file.write_all_at(&[byte[0] ^ 0x15], at).unwrap();
}

#[test]
fn a_changed_byte_is_an_error_with_a_remedy_or_harmless_and_never_another_fact() {
    let (_dir, place) = filled();
    let file = place.join("facts.sqlite");
    let whole = fs::read(&file).unwrap();
    let mut refused = 0;
    for at in (0..100).chain((100..whole.len() as u64).step_by(whole.len() / 150)) {
        fs::write(&file, &whole).unwrap();
        flip(&file, at);
        if let Err(error) = read_all(&place) {
            let error = format!("{error:#}");
            assert!(error.contains("remedy: "), "byte {at}: {error}");
            refused += 1;
        }
    }
    assert!(refused > 100, "only {refused} changes were noticed");
    fs::write(&file, &whole).unwrap();
    assert_eq!(read_all(&place).unwrap(), 200);
}

#[test]
fn a_changed_fact_is_named() {
    let (_dir, place) = filled();
    let file = place.join("facts.sqlite");
    let mut text = fs::read(&file).unwrap();
    for at in 0..text.len() - 8 {
        if text[at..].starts_with(b"accepted") {
            text[at..at + 8].copy_from_slice(b"rejected");
        }
    }
    fs::write(&file, text).unwrap();
    let error = format!("{:#}", read_all(&place).unwrap_err());
    assert!(error.contains("the store is damaged: fact ") && error.contains(" was changed"), "{error}");
    assert!(error.contains(&format!("`kopek clean --store {}`", place.display())), "{error}");
}

#[test]
fn only_what_is_damaged_is_dropped() {
    let (dir, place) = filled();
    let store = Store::open(&place).unwrap();
    tree(&dir.path().join("one"));
    let whole = store.put_bytes(b"whole").unwrap();
    let broken = store.tree(&store.put_tree(&dir.path().join("one")).unwrap()).unwrap().unwrap();
    drop(store);
    let database = rusqlite::Connection::open(place.join("facts.sqlite")).unwrap();
    let changed = "UPDATE facts SET outcome = replace(outcome, 'accepted', 'wrong_answer') WHERE key = ?";
    assert_eq!(database.execute(changed, [key(3).as_bytes()]).unwrap(), 1);
    database.execute("UPDATE remembered SET json = '1'", []).unwrap();
    drop(database);
    fs::write(broken.join("extra"), "").unwrap();
    let pruned = MONTH.perform(&place).unwrap();
    assert_eq!((pruned.facts, pruned.blobs), (2, 1), "a fact, a memory, a blob");
    assert_eq!(read_all(&place).unwrap(), 199);
    assert!(Store::open(&place).unwrap().bytes(&whole).unwrap().is_some() && !broken.exists());
}

#[test]
fn a_damaged_log_loses_facts_and_changes_none() {
    let (_dir, store) = fresh();
    for n in 0..200 {
        store.put(&key(n), &trial(n)).unwrap();
    }
    // As a killed process leaves it: the log is not folded in.
    let (file, log) = (store.dir().join("facts.sqlite"), store.dir().join("facts.sqlite-wal"));
    let (base, whole) = (fs::read(file).unwrap(), fs::read(log).unwrap());
    let mut found = Vec::new();
    for at in (0..whole.len()).step_by(whole.len() / 25) {
        let copy = tempfile::tempdir().unwrap();
        fs::write(copy.path().join("facts.sqlite"), &base).unwrap();
        let mut log = whole.clone();
        log[at] ^= 0x40;
        fs::write(copy.path().join("facts.sqlite-wal"), log).unwrap();
        found.push(read_all(copy.path()).unwrap());
    }
    assert!(found.contains(&0) && found.iter().any(|n| (1..200).contains(n)), "{found:?}");
}

#[test]
fn a_cut_database_is_damaged_and_the_remedy_works() {
    for keep in [1, 50, 100, 4096, 10_000, 40_000] {
        let (_dir, place) = filled();
        fs::File::options().write(true).open(place.join("facts.sqlite")).unwrap().set_len(keep).unwrap();
        let error = format!("{:#}", read_all(&place).unwrap_err());
        assert!(error.contains("damaged") && error.contains("kopek clean --all"), "cut to {keep}: {error}");
        Prune::All.perform(&place).unwrap();
        assert_eq!(read_all(&place).unwrap(), 0, "empty, and usable again");
    }
}

#[test]
fn foreign_databases_are_not_touched() {
    let (_dir, place) = filled();
    let file = place.join("facts.sqlite");
    fs::write(&file, "a diary, not a database; long enough to be looked at. ".repeat(40)).unwrap();
    let error = format!("{:#}", read_all(&place).unwrap_err());
    assert!(error.contains("file is not a database"), "{error}");
    fs::remove_file(&file).unwrap();
    rusqlite::Connection::open(&file).unwrap().execute_batch("CREATE TABLE diary (day TEXT)").unwrap();
    let error = format!("{:#}", read_all(&place).unwrap_err());
    assert!(error.contains("not a database of kopek"), "{error}");
}

#[test]
fn a_database_with_our_marks_and_other_definitions_is_left_alone() {
    for definition in [
        "CREATE TRIGGER t AFTER UPDATE ON facts BEGIN DELETE FROM facts; END",
        "DROP TABLE remembered; CREATE VIEW remembered AS SELECT key AS name, outcome AS json FROM facts",
    ] {
        let (_dir, place) = filled();
        let database = rusqlite::Connection::open(place.join("facts.sqlite")).unwrap();
        database.execute_batch(definition).unwrap();
        drop(database);
        let error = format!("{:#}", read_all(&place).unwrap_err());
        assert!(error.contains("not a database of kopek"), "{error}");
    }
}

#[test]
fn a_newer_store_is_refused() {
    let (_dir, place) = filled();
    let database = rusqlite::Connection::open(place.join("facts.sqlite")).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    drop(database);
    let error = format!("{:#}", read_all(&place).unwrap_err());
    assert!(error.contains("made by a newer kopek (form 99, this one knows 1)"), "{error}");
}

/// Puts a fact's text of some form into the place of one that is known.
fn rewrite_fact(place: &Path, key: &Key, form: i64, text: &str) {
    let database = rusqlite::Connection::open(place.join("facts.sqlite")).unwrap();
    let sum = kopek::base::DigestFields::new("fact")
        .with("key", key.as_bytes())
        .with("form", &form.to_le_bytes())
        .with("text", text.as_bytes())
        .digest();
    let sql = "UPDATE facts SET form = ?, outcome = ?, digest = ? WHERE key = ?";
    let values = rusqlite::params![form, text, sum.as_bytes(), key.as_bytes()];
    assert_eq!(database.execute(sql, values).unwrap(), 1);
}

#[test]
fn a_fact_of_another_form_is_unknown_and_replaced() {
    let (_dir, place) = filled();
    rewrite_fact(&place, &key(3), 99, "{}");
    assert_eq!(read_all(&place).unwrap(), 199);
    Store::open(&place).unwrap().put(&key(3), &trial(3)).unwrap();
    assert_eq!(read_all(&place).unwrap(), 200);
}

#[test]
fn a_changed_blob_is_not_run() {
    let (dir, store) = fresh();
    tree(&dir.path().join("one"));
    let digest = store.put_tree(&dir.path().join("one")).unwrap();
    let bytes = store.put_bytes(b"output").unwrap();
    let stored = store.tree(&digest).unwrap().unwrap();
    drop(store);
    flip(&stored.join("sub/b"), 2);
    let store = Store::open(&dir.path().join("store")).unwrap();
    let error = format!("{:#}", store.tree(&digest).unwrap_err());
    assert!(error.contains("was changed") && error.contains("kopek clean --store"), "{error}");
    let shelf = stored.parent().unwrap().parent().unwrap().join(&bytes.to_string()[..2]);
    flip(&shelf.join(bytes.to_string()), 0);
    let error = format!("{:#}", store.bytes(&bytes).unwrap_err());
    assert!(error.contains("was changed"), "{error}");
    // A process that has the contents repairs them.
    assert_eq!(store.put_tree(&dir.path().join("one")).unwrap(), digest);
    assert_eq!(store.put_bytes(b"output").unwrap(), bytes);
    assert!(store.tree(&digest).unwrap().is_some() && store.bytes(&bytes).unwrap().is_some());
}

/// Root may write anywhere, so this runs as another user, in a separate thread.
fn as_nobody<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let nobody = scope.spawn(|| {
            if rustix::process::geteuid().is_root() {
                rustix::thread::set_thread_uid(rustix::fs::Uid::from_raw(65_534)).unwrap();
            }
            act()
        });
        nobody.join().unwrap()
    })
}

#[test]
fn a_place_that_cannot_be_written_is_named_with_a_way_out() {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let error = as_nobody(|| format!("{:#}", Store::open(&dir.path().join("store")).err().unwrap()));
    assert!(error.contains("cannot be written") && error.contains("--store PATH"), "{error}");
    let (dir, place) = filled();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    for path in [place.clone(), place.join("tmp"), place.join("lock"), place.join("facts.sqlite")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o555)).unwrap();
    }
    let error = as_nobody(|| format!("{:#}", Store::open(&place).err().unwrap()));
    assert!(error.contains("cannot be written") && error.contains("--store PATH"), "{error}");
    let error = format!("{:#}", Store::open(Path::new("/dev/null/store")).err().unwrap());
    assert!(
        error.starts_with("open the store /dev/null/store: ") && error.contains("--store PATH"),
        "{error}"
    );
}
