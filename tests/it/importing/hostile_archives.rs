//! Sources that mean harm are refused by name, and nothing of them is left.

use kopek::import::{ImportOptions, import};
use std::{
    fs,
    io::Write,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use zip::{ZipWriter, write::SimpleFileOptions};

const MANIFEST: &str = "<problem short-name=\"x\"/>";

fn zipped(home: &TempDir, pack: impl FnOnce(&mut ZipWriter<fs::File>)) -> PathBuf {
    let path = home.path().join("x.zip");
    let mut zip = ZipWriter::new(fs::File::create(&path).unwrap());
    pack(&mut zip);
    zip.finish().unwrap();
    path
}

fn put(zip: &mut ZipWriter<fs::File>, name: &str, bytes: &[u8]) {
    zip.start_file(name, SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
}

#[track_caller]
fn refused(home: &TempDir, source: &Path, part: &str) {
    let target = home.path().join("made");
    let error =
        import(source, Some(&target), &ImportOptions::default()).expect_err("a source that means harm");
    assert!(format!("{error:#}").contains(part), "{error:#}");
    assert!(!target.exists());
    assert!(!home.path().join("escaped").exists() && !Path::new("/tmp/kopek-escaped").exists());
}

#[test]
fn an_archive_cannot_write_outside_of_its_directory() {
    let names = ["../escaped", "a/../../escaped", "/tmp/kopek-escaped", "..\\escaped", "C:\\escaped"];
    for name in names {
        let home = tempfile::tempdir().unwrap();
        let zip = zipped(&home, |zip| {
            put(zip, "problem.xml", MANIFEST.as_bytes());
            put(zip, name, b"gotcha");
        });
        refused(&home, &zip, "would be written outside of the directory: refused");
    }
}

#[test]
fn a_link_in_an_archive_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let zip = zipped(&home, |zip| {
        put(zip, "problem.xml", MANIFEST.as_bytes());
        zip.add_symlink("tests", "/etc", SimpleFileOptions::default()).unwrap();
    });
    refused(&home, &zip, "\"tests\" is a link: refused");
}

#[test]
fn an_archive_that_grows_too_large_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let zip = zipped(&home, |zip| {
        let large = SimpleFileOptions::default().large_file(true);
        zip.start_file("tests/01", large).unwrap();
        let zeros = vec![0; 1 << 24];
        (0..65).for_each(|_| zip.write_all(&zeros).unwrap());
    });
    assert!(fs::metadata(&zip).unwrap().len() < 2 << 20, "it is a bomb");
    refused(&home, &zip, "tests/01");
}

#[test]
fn an_archive_of_little_that_becomes_much_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let zeros = vec![0; 1 << 24];
    let zip = zipped(&home, |zip| {
        put(zip, "problem.xml", MANIFEST.as_bytes());
        for number in 0..20 {
            put(zip, &format!("tests/{number}"), &zeros);
        }
    });
    refused(&home, &zip, "more than 200 times as large as the archive");
    let zip = zipped(&home, |zip| {
        put(zip, "problem.xml", MANIFEST.as_bytes());
        put(zip, "tests/0", &zeros);
        (1..9).for_each(|number| zip.shallow_copy_file("tests/0", &format!("tests/{number}")).unwrap());
    });
    refused(&home, &zip, "its entries share their bytes: refused");
}

#[test]
fn files_that_are_no_archives_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("x.zip");
    fs::write(&path, "not a zip").unwrap();
    refused(&home, &path, "not a zip archive");
    refused(&home, &home.path().join("gone.zip"), "gone.zip");
}

/// A directory with a manifest, to which a test adds a defect.
fn directory(home: &TempDir) -> PathBuf {
    let dir = home.path().join("source");
    fs::create_dir_all(dir.join("tests")).unwrap();
    fs::write(dir.join("problem.xml"), MANIFEST).unwrap();
    dir
}

#[test]
fn a_link_out_of_a_directory_is_refused_and_one_within_is_followed() {
    let home = tempfile::tempdir().unwrap();
    let dir = directory(&home);
    symlink("../problem.xml", dir.join("tests/01")).unwrap();
    refused(&home, &dir, "there is no <testset>");
    symlink("/etc/passwd", dir.join("tests/02")).unwrap();
    refused(&home, &dir, "tests/02 is a link out of the source, to /etc/passwd: refused");
    fs::remove_file(dir.join("tests/02")).unwrap();
    symlink("nowhere", dir.join("tests/02")).unwrap();
    refused(&home, &dir, "tests/02 is a broken link");
}

#[test]
fn a_manifest_that_is_no_file_is_not_waited_for() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("source");
    fs::create_dir_all(dir.join("tests")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        dir.join("problem.xml"),
        rustix::fs::FileType::Fifo,
        0o644.into(),
        0,
    )
    .unwrap();
    refused(&home, &dir, "problem.xml is neither a file nor a directory: refused");
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let home = tempfile::tempdir().unwrap();
    let dir = directory(&home);
    fs::File::create(dir.join("tests/01")).unwrap().set_len((1 << 30) + 1).unwrap();
    refused(&home, &dir, "tests/01 is 1 GiB: larger than 1 GiB");
    fs::remove_file(dir.join("tests/01")).unwrap();
    fs::File::create(dir.join("problem.xml")).unwrap().set_len(17 << 20).unwrap();
    refused(&home, &dir, "problem.xml is 17 MiB: too large for a text");
}

#[test]
fn a_zip_of_a_package_in_a_directory_is_the_package() {
    let home = tempfile::tempdir().unwrap();
    let source = super::foreign_packages::named("cms-grader").source();
    let zip = zipped(&home, |zip| {
        for entry in walkdir::WalkDir::new(&source) {
            let entry = entry.unwrap();
            if entry.file_type().is_file() {
                let name = entry.path().strip_prefix(&source).unwrap().display().to_string();
                put(zip, &format!("wrapped/{name}"), &fs::read(entry.path()).unwrap());
            }
        }
    });
    let target = home.path().join("made");
    import(&zip, Some(&target), &ImportOptions::default()).unwrap();
    assert!(target.join("include/cpp/grader.cpp").exists());
}
