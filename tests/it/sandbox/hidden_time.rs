//! CPU time of processes that nobody waits for, where no cgroup counts it.

use super::*;

/// Burns the milliseconds of its first argument in children that live as long as its second says, and
/// whose end it ignores.
const BURNER: &str = r#"
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/wait.h>
int main(int n, char **v) {
    signal(SIGCHLD, SIG_IGN);
    long all = atol(v[1]), each = atol(v[2]);
    for (long burnt = 0; burnt < all; burnt += each) {
        if (fork() == 0) {
            while (clock() < each * (CLOCKS_PER_SEC / 1000)) {}
            _exit(0);
        }
        while (wait(0) > 0) {}
    }
}
"#;

#[test]
fn time_of_children_whose_end_is_ignored_is_counted_or_doubted() {
    let out = built_c(&mut open_sandbox().slot(None), "burner", BURNER, &["-O1", "-static"]);
    let strong = Sandbox::open_with(&worker(), modes::options(Isolation::Namespaces));
    for sandbox in strong.into_iter().chain(modes::without_namespaces()) {
        let mut slot = sandbox.slot(None);
        for each in ["4", "30", "200"] {
            let mut run = exec(&["/exe/burner", "900", each]);
            run.view.mounts = vec![ReadOnlyMount { host: out.path().into(), inside: "/exe".into() }];
            run.limits.cpu = Duration::from_millis(300);
            run.limits.wall = Duration::from_secs(60);
            match slot.run(&run) {
                Ok(ran) => assert_eq!(ran.exit, Exit::Exceeded(Limit::Cpu), "{each}: {ran:?}"),
                Err(fault) => assert!(fault.what.contains("whose end it ignored"), "{each}: {fault}"),
            }
            // What is in doubt is so only where the limit may have been passed.
            run.argv = ["/exe/burner", "60", each].map(String::from).to_vec();
            run.limits.cpu = Duration::from_secs(60);
            assert_eq!(slot.run(&run).unwrap().exit, Exit::Code(0), "{each} in {}", sandbox.mode_name());
        }
    }
}

#[test]
fn time_of_children_that_are_waited_for_is_never_in_doubt() {
    let strong = Sandbox::open_with(&worker(), modes::options(Isolation::Namespaces));
    for sandbox in strong.into_iter().chain(modes::without_namespaces()) {
        let mut run =
            sh("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sh -c ':'; sleep 0.01; done");
        run.limits.cpu = Duration::from_millis(200);
        run.limits.wall = Duration::from_secs(60);
        let ran = sandbox.slot(None).run(&run).unwrap();
        let fine = ran.exit == Exit::Code(0) || ran.exit == Exit::Exceeded(Limit::Cpu);
        assert!(fine, "{}: {ran:?}", sandbox.mode_name());
    }
}
