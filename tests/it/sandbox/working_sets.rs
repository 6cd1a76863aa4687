//! What a program uses of its memory, told apart from what it holds.

use super::*;

/// Holds 64 MiB, and for a second uses what its first argument says: all of it, or a little.
const HOLDER: &str = r#"
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int n, char **v) {
    size_t size = 64 << 20, used = strcmp(v[1], "all") ? 64 << 10 : size;
    volatile char *held = malloc(size);
    memset((char *)held, 1, size);
    while (clock() < CLOCKS_PER_SEC)
        for (size_t at = 0; at < used; at += 4096) held[at]++;
}
"#;

#[test]
fn what_a_program_uses_is_told_apart_from_what_it_holds() {
    let out = built_c(&mut open_sandbox().slot(None), "holder", HOLDER, &["-O1", "-static"]);
    let strong = Sandbox::open_with(&worker(), modes::options(Isolation::Namespaces));
    for sandbox in strong.into_iter().chain(modes::without_namespaces()) {
        let (mut slot, mode) = (sandbox.slot(None), sandbox.mode_name());
        let mut run_with = |what: &str, watches: bool| {
            let mut run = exec(&["/exe/holder", what]);
            run.view.mounts = vec![ReadOnlyMount { host: out.path().into(), inside: "/exe".into() }];
            slot.watch_working_sets(watches.then_some(Duration::MAX));
            let ran = slot.run(&run).unwrap();
            assert_eq!(ran.exit, Exit::Code(0), "{mode}: {ran:?}");
            assert!(ran.usage.memory > Bytes::mib(60), "{mode}: {ran:?}");
            ran.usage.working_set
        };
        assert_eq!(run_with("little", false), None, "{mode}: nobody asked");
        // Where the machine is busy one may end between two looks.
        let mut watched = |what: &str| (0..5).find_map(|_| run_with(what, true));
        let (Some(little), Some(all)) = (watched("little"), watched("all")) else {
            skip::report("the kernel does not show what a program touches");
            continue;
        };
        // Two huge pages, at the most, where the kernel gives them to everybody.
        assert!(little < Bytes::mib(8), "{mode}: {little}");
        assert!(all > Bytes::mib(48), "{mode}: {all}");
    }
}
