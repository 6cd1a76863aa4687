//! Every refused system call is called, for real, and is refused.

use super::*;
use kopek::sandbox::{RunNote, SyscallRule, list_syscall_rules};

/// A program that makes system calls read from its input, `number a b c d e f`, and prints the results.
const CALLER: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/syscall.h>
int main(void) {
    long n, a[6];
    while (scanf("%ld%ld%ld%ld%ld%ld%ld", &n, a, a + 1, a + 2, a + 3, a + 4, a + 5) == 7) {
        errno = 0;
        long r = syscall(n, a[0], a[1], a[2], a[3], a[4], a[5]);
        printf("%ld %d\n", r, errno);
        fflush(stdout);
    }
}
"#;

fn caller(slot: &mut Slot) -> tempfile::TempDir {
    built_c(slot, "caller", CALLER, &[])
}

/// What each of these calls came to: result and error.
fn call(slot: &mut Slot, calls: &[[i64; 7]]) -> Vec<(i64, i32)> {
    let out = caller(slot);
    let mut run = exec(&["/exe/caller"]);
    run.view.mounts = vec![ReadOnlyMount { host: out.path().into(), inside: "/exe".into() }];
    let line = |c: &[i64; 7]| c.map(|n| n.to_string()).join(" ") + "\n";
    run.stdin = Input::Bytes(calls.iter().map(line).collect::<String>().into());
    let ran = slot.run(&run).unwrap();
    assert_eq!(ran.exit, Exit::Code(0), "{ran:?}");
    let text = String::from_utf8(ran.stdout.bytes().unwrap()).unwrap();
    let pair = |l: &str| {
        let (result, error) = l.split_once(' ').unwrap();
        (result.parse().unwrap(), error.parse().unwrap())
    };
    text.lines().map(pair).collect()
}

#[test]
fn every_call_that_is_always_refused_is_refused_as_the_table_says() {
    let mut slot = open_sandbox().slot(None);
    let refused: Vec<SyscallRule> = list_syscall_rules()
        .into_iter()
        .filter(|rule| rule.tests.is_empty() && rule.error.is_some())
        .collect();
    assert!(refused.len() > 100, "the table has shrunk");
    let numbers: Vec<[i64; 7]> = refused.iter().map(|rule| [rule.number, 0, 0, 0, 0, 0, 0]).collect();
    for (rule, (result, error)) in refused.iter().zip(call(&mut slot, &numbers)) {
        let expected = rule.error.unwrap();
        assert_eq!((result, error), (if expected == 0 { 0 } else { -1 }, expected), "{}", rule.name);
    }
}

#[test]
fn every_call_that_is_refused_for_its_arguments_is_refused() {
    let mut slot = open_sandbox().slot(None);
    let conditional: Vec<SyscallRule> =
        list_syscall_rules().into_iter().filter(|rule| !rule.tests.is_empty()).collect();
    assert!(conditional.len() > 15, "the table has shrunk");
    let arguments: Vec<[i64; 7]> = conditional.iter().map(SyscallRule::refused_example).collect();
    for (rule, (result, error)) in conditional.iter().zip(call(&mut slot, &arguments)) {
        let expected = rule.error.unwrap();
        assert_eq!(
            (result, error),
            (if expected == 0 { 0 } else { -1 }, expected),
            "{} {:?}",
            rule.name,
            rule.tests
        );
    }
}

/// Those of other processes show when the judge measures a run.
#[test]
fn the_cpu_clocks_of_other_processes_are_refused_and_those_of_the_program_are_not() {
    const REFUSED: (i64, i32) = (-1, libc::EINVAL);
    // Nothing is written to address 0, but the clock is found.
    const FOUND: (i64, i32) = (-1, libc::EFAULT);
    let process = |pid: i64, kind: i64| !pid << 3 | kind;
    // The worker and the program itself, and a process outside of the namespaces.
    let others = [1, 2, i64::from(std::process::id())].map(|pid| [0, 1, 2].map(|kind| process(pid, kind)));
    let others: Vec<i64> = others.into_iter().flatten().chain([process(3, 3)]).collect();
    let own = [2, 3, process(0, 0), process(0, 1), process(0, 2), process(0, 6)];
    let calls = |clocks: &[i64], number: i64| -> Vec<[i64; 7]> {
        clocks.iter().map(|clock| [number, *clock, 0, 0, 0, 0, 0]).collect()
    };
    for sandbox in [open_sandbox()].into_iter().chain(modes::without_namespaces()) {
        let mut slot = sandbox.slot(None);
        let numbers = [
            libc::SYS_clock_gettime,
            libc::SYS_clock_getres,
            libc::SYS_clock_nanosleep,
            libc::SYS_timer_create,
        ];
        for number in numbers {
            let came = call(&mut slot, &calls(&others, number));
            assert_eq!(came, vec![REFUSED; others.len()], "{number} in {}", sandbox.mode_name());
        }
        let came = call(&mut slot, &calls(&own, libc::SYS_clock_gettime));
        assert_eq!(came, vec![FOUND; own.len()], "{}", sandbox.mode_name());
        let came = call(&mut slot, &calls(&own, libc::SYS_clock_getres));
        assert_eq!(came, vec![(0, 0); own.len()], "{}", sandbox.mode_name());
    }
}

#[test]
fn a_call_that_the_table_does_not_know_does_not_exist() {
    let mut slot = open_sandbox().slot(None);
    let known: Vec<i64> = list_syscall_rules().iter().map(|rule| rule.number).collect();
    // 335 and 336 belong to the kernel's own probes: no filter is asked, and others are killed for them.
    let is_probe = |n: &i64| cfg!(target_arch = "x86_64") && [335, 336].contains(n);
    let unknown: Vec<[i64; 7]> =
        (0..600).filter(|n| !known.contains(n) && !is_probe(n)).map(|n| [n, 0, 0, 0, 0, 0, 0]).collect();
    for (call, came) in unknown.iter().zip(call(&mut slot, &unknown)) {
        assert_eq!(came, (-1, 38), "call {}", call[0]);
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn the_calls_of_the_other_word_sizes_do_not_exist() {
    let mut slot = open_sandbox().slot(None);
    let x32 = [0x4000_0000 + 39, 0, 0, 0, 0, 0, 0];
    assert_eq!(call(&mut slot, &[x32]), [(-1, 38)]);
    let source =
        "int main(void) { int r; __asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"a\"(20)); return 0; }";
    let out = built_c(&mut slot, "old", source, &[]);
    let mut run = exec(&["/exe/old"]);
    run.view.mounts = vec![ReadOnlyMount { host: out.path().into(), inside: "/exe".into() }];
    let ran = slot.run(&run).unwrap();
    assert_eq!(ran.exit, Exit::Signal(31), "{ran:?}");
    assert!(ran.notes.contains(&RunNote::ForbiddenCall));
}
