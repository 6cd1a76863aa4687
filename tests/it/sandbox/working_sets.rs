//! What a program uses of its memory, told apart from what it holds.

use super::*;
use kopek::exec::available_cpus;

/// Holds 32 MiB, and for half a second uses so many KiB of it as its first argument says.
const HOLDER: &str = r#"
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int n, char **v) {
    size_t size = 32 << 20, used = atol(v[1]) << 10;
    volatile char *held = malloc(size);
    memset((char *)held, 1, size);
    unsigned long at = 1;
    while (clock() < CLOCKS_PER_SEC / 2)
        for (int step = 0; step < 1000000; step++) {
            at = at * 6364136223846793005UL + 1442695040888963407UL;
            held[(at >> 20) % used]++;
        }
}
"#;

#[test]
fn what_a_program_uses_is_told_apart_from_what_it_holds() {
    let out = built_c(&mut open_sandbox().slot(None), "holder", HOLDER, &["-O1", "-static"]);
    let strong = Sandbox::open_with(&worker(), modes::options(Isolation::Namespaces));
    for sandbox in strong.into_iter().chain(modes::without_namespaces()) {
        let (mut slot, mode) = (sandbox.slot(available_cpus().first().copied()), sandbox.mode_name());
        slot.pin_thread().unwrap();
        let mut run_with = |kib: &str, watches: bool| {
            let mut run = exec(&["/exe/holder", kib]);
            run.limits.cpu = Duration::from_millis(640);
            run.view.mounts = vec![ReadOnlyMount { host: out.path().into(), inside: "/exe".into() }];
            slot.watch_working_sets(watches.then_some(Duration::MAX));
            let ran = slot.run(&run).unwrap();
            assert_eq!(ran.exit, Exit::Code(0), "{mode}: {ran:?}");
            assert!(ran.usage.memory > Bytes::mib(30), "{mode}: {ran:?}");
            ran.usage.working_set
        };
        assert_eq!(run_with("64", false), None, "{mode}: nobody asked");
        // The second is what a CPU remembers all pages of, and marks none of them unless it is made to forget them.
        for kib in [64, 4 << 10, 32 << 10] {
            // Where the machine is busy one may end between two looks.
            let Some(used) = (0..5).find_map(|_| run_with(&kib.to_string(), true)) else {
                skip::report("the kernel does not show what a program touches");
                continue;
            };
            let in_all = Bytes::kib(kib).0;
            // Two huge pages, at the most, where the kernel gives them to everybody.
            let most = in_all + Bytes::mib(8).0;
            assert!((in_all / 100 * 95..most).contains(&used.0), "{mode}: {used} of {kib} KiB");
        }
    }
}
