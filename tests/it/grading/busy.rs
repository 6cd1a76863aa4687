//! Load on the machine costs no submission a point.

use super::{
    claims::{CLASSES, is_undecided, read_claims},
    grade_class, json, kopek, root,
};
use std::{
    process::{Child, Command},
    sync::{Arc, Mutex, Weak},
};

/// Four endless loops and two programs that thrash the caches; gone when dropped.
struct Crowd(Vec<Child>);

impl Crowd {
    /// One crowd for all tests that run at the same time: several would only be slower.
    fn join() -> Arc<Crowd> {
        static CROWD: Mutex<Weak<Crowd>> = Mutex::new(Weak::new());
        let mut there = CROWD.lock().unwrap();
        there.upgrade().unwrap_or_else(|| {
            let crowd = Arc::new(Crowd::gather());
            *there = Arc::downgrade(&crowd);
            crowd
        })
    }

    fn gather() -> Crowd {
        let spin = "while :; do :; done";
        let thrash = "exec python3 -c 'b=bytearray(64<<20)\nc=bytearray(64<<20)\nwhile True: b[:]=c; c[:]=b'";
        // Sessions of their own: schedulers share the CPUs among sessions first.
        let start = |script: &str| Command::new("setsid").args(["sh", "-c", script]).spawn().unwrap();
        Crowd([spin, spin, spin, spin, thrash, thrash].map(start).into())
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// `KOPEK_BUSY_ROUNDS=20` is what the documentation speaks of.
fn rounds() -> usize {
    std::env::var("KOPEK_BUSY_ROUNDS").map_or(1, |rounds| rounds.parse().expect("a number"))
}

#[test]
#[ignore = "keeps all CPUs busy: run it with those of this file only, as .ci/nightly does"]
fn the_example_classes_get_their_points_or_nobody_knows_while_others_keep_the_machine_busy() {
    let _crowd = Crowd::join();
    for class in (0..rounds()).flat_map(|_| CLASSES) {
        let (claims, home) = (read_claims(class), tempfile::tempdir().unwrap());
        let graded = json(&grade_class(class, home.path(), "json").output().unwrap());
        let (rows, mut unknown) = (graded["participants"].as_array().unwrap(), 0);
        for row in rows {
            let name = row["name"].as_str().unwrap();
            let claimed = claims.participants[name].points.iter().sum::<u64>();
            let known = row["points"].as_u64();
            let open = is_undecided(name, &graded) || row["language"].is_null();
            assert!(known == Some(claimed) || (known.is_none() && open), "{row:#} {}", graded["faults"]);
            unknown += usize::from(known.is_none());
        }
        // Only programs near the limit can be undecided, and most are far from it.
        assert!(
            2 * unknown < rows.len(),
            "{unknown} of {} rows are undecided: {}",
            rows.len(),
            graded["faults"]
        );
    }
}

#[test]
#[ignore = "keeps all CPUs busy: run it with those of this file only, as .ci/nightly does"]
fn verify_reports_no_broken_claim_that_is_only_noise() {
    let home = tempfile::tempdir().unwrap();
    let _crowd = Crowd::join();
    let mut verify = kopek();
    verify.args(["verify", "problems/smart-and-dumb", "--store"]).arg(home.path());
    let output = verify.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{text}");
    assert!(!text.contains("error:"), "{text}");
    let undecided = text.matches("fault:").count();
    assert_eq!(output.status.code() == Some(3), undecided > 0, "{text}");
    // A verification that decides nothing has far more than one for each submission.
    let package = kopek::package::read(&root().join("problems/smart-and-dumb")).unwrap().package.unwrap();
    assert!(undecided <= package.submissions.len(), "{text}");
}
