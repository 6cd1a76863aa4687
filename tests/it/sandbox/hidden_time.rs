//! CPU time of children whose end is ignored, without a cgroup that counts it.

use super::*;

/// Arguments: total milliseconds of CPU time, milliseconds of each child, and N. The program waits for every Nth child only.
const BURNER: &str = r#"
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/wait.h>
int main(int n, char **v) {
    long all = atol(v[1]), each = atol(v[2]), nth = atol(v[3]), count = 0;
    for (long burnt = 0; burnt < all; burnt += each) {
        signal(SIGCHLD, ++count % nth ? SIG_IGN : SIG_DFL);
        if (fork() == 0) {
            while (clock() < each * (CLOCKS_PER_SEC / 1000)) {}
            _exit(0);
        }
        while (wait(0) > 0) {}
    }
}
"#;

const NEVER: &str = "1000000";

/// The sandboxes without cgroups of this machine.
fn without_cgroups() -> impl Iterator<Item = Sandbox> {
    let strong = Sandbox::open_with(&worker(), modes::options(Isolation::Namespaces));
    strong.into_iter().chain(modes::without_namespaces())
}

/// A run of the burner, with room for all that it burns.
fn burner(dir: &tempfile::TempDir, arguments: [&str; 3]) -> Exec {
    let mut run = exec(&[&["/exe/burner"], &arguments[..]].concat());
    run.view.mounts = vec![ReadOnlyMount { host: dir.path().into(), inside: "/exe".into() }];
    (run.limits.cpu, run.limits.wall) = (Duration::from_secs(60), Duration::from_secs(60));
    run
}

#[test]
fn cpu_time_of_children_whose_end_is_ignored_is_seen_or_reported_as_unseen() {
    let out = built_c(&mut open_sandbox().slot(None), "burner", BURNER, &["-O1", "-static"]);
    for sandbox in without_cgroups() {
        let mut slot = sandbox.slot(None);
        // In the last one half of the children are waited for, and hide that the others are not.
        for (each, nth) in [("4", NEVER), ("100", NEVER), ("1", "2")] {
            let ran = slot.run(&burner(&out, ["400", each, nth])).unwrap();
            assert_eq!(ran.exit, Exit::Code(0), "{ran:?}");
            // The last children may end between two looks.
            let max = ran.usage.cpu + ran.unseen;
            assert!(max > Duration::from_millis(350), "{each} {nth} in {}: {ran:?}", sandbox.mode_name());
        }
    }
}

#[test]
fn children_whose_end_is_ignored_are_stopped_at_the_limit() {
    let out = built_c(&mut open_sandbox().slot(None), "burner", BURNER, &["-O1", "-static"]);
    for sandbox in without_cgroups() {
        let mut run = burner(&out, ["60000", "200", NEVER]);
        run.limits.cpu = Duration::from_millis(300);
        let ran = sandbox.slot(None).run(&run).unwrap();
        assert_eq!(ran.exit, Exit::Exceeded(Limit::Cpu), "{ran:?}");
    }
}

#[test]
fn cpu_time_of_threads_and_of_children_that_outlive_the_program_is_seen() {
    let threads = "import threading\ndef work(): sum(range(300000))\n\
                   for _ in range(20):\n t = threading.Thread(target=work); t.start(); t.join()";
    let orphans = "import os, time\nfor _ in range(5):\n  if os.fork() == 0: time.sleep(60)\ntime.sleep(0.1)";
    for sandbox in without_cgroups() {
        for script in [threads, orphans] {
            let ran = sandbox.slot(None).run(&exec(&["python3", "-c", script])).unwrap();
            assert_eq!((ran.exit, ran.unseen), (Exit::Code(0), Duration::ZERO), "{}", sandbox.mode_name());
        }
    }
}

#[test]
fn a_cgroup_sees_the_cpu_time_of_all_children() {
    let Some(sandbox) = sandbox_with_group() else { return };
    let out = built_c(&mut open_sandbox().slot(None), "burner", BURNER, &["-O1", "-static"]);
    let ran = sandbox.slot(None).run(&burner(&out, ["300", "4", NEVER])).unwrap();
    assert_eq!((ran.exit, ran.unseen), (Exit::Code(0), Duration::ZERO), "{ran:?}");
    assert!(ran.usage.cpu > Duration::from_millis(300), "{ran:?}");
}
