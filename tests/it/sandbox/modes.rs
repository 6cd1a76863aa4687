//! Weaker modes isolate too, and say what they cannot do.

use super::*;

pub fn options(isolation: Isolation) -> SandboxOptions {
    SandboxOptions { isolation: Some(isolation), without_cgroups: true }
}

/// A sandbox without namespaces; none on a kernel that says it cannot make one.
pub fn without_namespaces() -> Option<Sandbox> {
    match Sandbox::open_with(&worker(), options(Isolation::Landlock)) {
        Ok(sandbox) => Some(sandbox),
        Err(fault) => {
            assert!(fault.what.contains("scope signals by Landlock, since Linux 6.12"), "{fault}");
            assert!(linux_version() < (6, 12), "{:?}: {fault}", linux_version());
            skip::report("Linux is older than 6.12: there is no sandbox without namespaces");
            None
        }
    }
}

fn linux_version() -> (u32, u32) {
    let text = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

#[test]
fn every_mode_says_what_it_guarantees_and_what_not() {
    let strong = Sandbox::open_with(&worker(), options(Isolation::Namespaces)).expect("a sandbox");
    let Some(weak) = without_namespaces() else { return };
    assert!(weak.mode_name().ends_with("Landlock, no cgroup"), "{}", weak.mode_name());
    assert!(weak.warnings().len() > strong.warnings().len());
    assert!(!weak.guarantees().is_empty() && !weak.remedies().is_empty());
}

/// As sanitizers do, whose shadow of all addresses is mapped at the start.
#[test]
fn reserved_memory_is_not_limited_without_a_cgroup() {
    let sandbox = Sandbox::open_with(&worker(), options(Isolation::Namespaces)).expect("a sandbox");
    let flags = "mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000";
    let script = format!("import mmap\nmmap.mmap(-1, 1 << 44, flags={flags})");
    let end = |reserves| {
        let mut run = exec(&["python3", "-c", &script]);
        run.reserves = reserves;
        sandbox.slot(None).run(&run).unwrap().exit
    };
    assert_eq!([end(false), end(true)], [Exit::Code(1), Exit::Code(0)]);
}

#[test]
fn without_namespaces_limits_are_held() {
    let Some(sandbox) = without_namespaces() else { return };
    let mut slot = sandbox.slot(None);
    let mut spin = sh("while :; do :; done");
    spin.limits.cpu = Duration::from_millis(200);
    spin.limits.wall = Duration::from_secs(30);
    let mut idle = sh("sleep 99");
    (idle.limits.wall, idle.extension) = (Duration::from_millis(200), Some(Duration::from_secs(60)));
    let mut hog = exec(&["python3", "-c", "x = bytearray(200 << 20)"]);
    hog.limits.memory = Bytes::mib(64);
    let cases = [
        (spin, Exit::Exceeded(Limit::Cpu)),
        (idle, Exit::Exceeded(Limit::Wall)),
        (hog, Exit::Exceeded(Limit::Memory)),
        (sh("yes"), Exit::Exceeded(Limit::Output)),
        (
            writable(sh("head -c 9m /dev/full > a; head -c 9m /dev/full > b; exit 0")),
            Exit::Exceeded(Limit::Files),
        ),
        (sh("exit 7"), Exit::Code(7)),
    ];
    for (exec, expected) in cases {
        let ran = slot.run(&exec).unwrap();
        assert_eq!(ran.exit, expected, "{:?} {ran:?}", exec.argv);
    }
}

#[test]
fn without_namespaces_files_and_network_are_out_of_reach() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("answer"), "42").unwrap();
    let Some(sandbox) = without_namespaces() else { return };
    let mut slot = sandbox.slot(None);
    let secret = dir.path().join("answer").display().to_string();
    let tries = [
        exec(&["cat", &secret]),
        exec(&["cat", "/etc/hostname"]),
        exec(&["ls", "/root"]),
        exec(&["ls", "/proc"]),
        sh("echo x > /tmp/kopek-was-here"),
        sh("echo x > /box/f"),
        exec(&["python3", "-c", "import socket; socket.socket()"]),
        sh("kill -9 $PPID"),
    ];
    for exec in tries {
        let ran = slot.run(&exec).unwrap();
        assert_ne!(ran.exit, Exit::Code(0), "{:?}", exec.argv);
        assert_eq!(ran.stdout.bytes().unwrap(), b"", "{:?}", exec.argv);
    }
}

#[test]
fn without_namespaces_nothing_outlives_its_run() {
    let Some(sandbox) = without_namespaces() else { return };
    let mut slot = sandbox.slot(None);
    let mark = format!("kopek-mark-{}", std::process::id());
    let mut stays = exec(&[
        "python3",
        "-c",
        "import os, sys, time\nfor _ in range(5):\n  if os.fork() == 0:\n    os.setsid() if sys.argv[2:] else None\n    time.sleep(60)",
        &mark,
    ]);
    for arguments in [1, 2] {
        stays.argv.resize(3 + arguments, "x".into());
        slot.run(&stays).unwrap();
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        let left = all.filter(|e| {
            let line = std::fs::read(e.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&mark) && line.starts_with(b"python3")
        });
        assert_eq!(left.count(), 0);
    }
}

#[test]
fn without_namespaces_compilers_work_and_inside_paths_are_understood() {
    let out = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(out.path(), None, None).unwrap();
    let Some(sandbox) = without_namespaces() else { return };
    let mut slot = sandbox.slot(None);
    let mut gcc = writable(exec(&["gcc", "-o", "/box/out/main", "/box/main.c"]));
    gcc.files = vec![
        BoxFile::Bytes("main.c".into(), b"#include <stdio.h>\nint main(){puts(\"made\");}".to_vec()),
        BoxFile::Dir("out".into()),
    ];
    gcc.keep = Keep::Below("out".into(), out.path().into());
    let ran = slot.run(&gcc).unwrap();
    assert_eq!(ran.exit, Exit::Code(0), "{}", String::from_utf8_lossy(&ran.stderr.bytes().unwrap()));
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(out.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut run = exec(&["/exe/main"]);
    run.view.mounts = vec![ReadOnlyMount { host: out.path().into(), inside: "/exe".into() }];
    let ran = slot.run(&run).unwrap();
    assert_eq!((ran.exit, ran.stdout.bytes().unwrap()), (Exit::Code(0), b"made\n".to_vec()), "{ran:?}");
}

#[test]
fn a_build_runs_what_it_built_in_each_mode() {
    let strong = Sandbox::open_with(&worker(), options(Isolation::Namespaces)).expect("a sandbox");
    let mut build = writable(sh("gcc -o a a.c && ./a"));
    build.files = vec![BoxFile::Bytes("a.c".into(), b"int main(void) { return 7; }".to_vec())];
    build.limits.processes = 64;
    build.limits.wall = Duration::from_secs(60);
    for sandbox in without_namespaces().into_iter().chain([strong]) {
        assert_eq!(sandbox.slot(None).run(&build).unwrap().exit, Exit::Code(7), "{}", sandbox.mode_name());
    }
}

/// The judge makes what a linker or `chmod` asks for executable in their place, in a box that is writable, and nothing
/// else.
#[test]
fn without_namespaces_a_program_runs_what_it_builds() {
    let Some(sandbox) = without_namespaces() else { return };
    let mut slot = sandbox.slot(None);
    let script = "
        mkdir $TMPDIR/in; cd $TMPDIR/in; printf 'int main(void) { return 7; }' > a.c
        gcc -o a a.c || exit 1; ./a; echo $?; cd \"$HOME\"
        printf '#!/bin/sh\necho two' > b; chmod 6777 b; ./b
        printf 'text' > c; chmod 755 c; stat -c '%a' b c
        cat b > d; chmod 600 d; ./d 2> e || echo no
        for i in 1 2 3 4 5 6 7 8; do (cat b > f$i; chmod 755 f$i; ./f$i) & done; wait";
    let mut run = writable(sh(script));
    run.limits.processes = 64;
    run.limits.wall = Duration::from_secs(60);
    let ran = slot.run(&run).unwrap();
    let text = String::from_utf8(ran.stdout.bytes().unwrap()).unwrap();
    let expected = format!("7\ntwo\n755\n644\nno\n{}", "two\n".repeat(8));
    assert_eq!((text, ran.exit), (expected, Exit::Code(0)), "{:?}", ran.stderr.bytes());
}

#[test]
fn without_namespaces_a_program_whose_loader_is_missing_ends_as_unfit() {
    let made = tempfile::tempdir().unwrap();
    let source = "const char loader[] __attribute__((section(\".interp\"))) = \"/no/such/loader\"; int main(void) { return 0; }";
    std::fs::write(made.path().join("a.c"), source).unwrap();
    let mut gcc = std::process::Command::new("gcc");
    let done = gcc.args(["-nostartfiles", "-shared", "-o", "a", "a.c"]).current_dir(made.path()).status();
    assert!(done.unwrap().success());
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(made.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut run = exec(&["/exe/a"]);
    run.view.mounts = vec![ReadOnlyMount { host: made.path().into(), inside: "/exe".into() }];
    let strong = Sandbox::open_with(&worker(), options(Isolation::Namespaces)).expect("a sandbox");
    for sandbox in without_namespaces().into_iter().chain([strong]) {
        assert_eq!(sandbox.slot(None).run(&run).unwrap().exit, Exit::Code(126), "{}", sandbox.mode_name());
    }
}

#[test]
fn without_namespaces_two_programs_talk() {
    let Some(sandbox) = without_namespaces() else { return };
    let mut slot = sandbox.slot(None);
    let pair = slot
        .run_pair(&sh("echo 5; read x; exit $x"), &sh("read x; echo $((x+1)); cat"), PairOptions::default())
        .unwrap();
    assert_eq!(
        (pair.first.exit, pair.second.exit, pair.first_to_end),
        (Exit::Code(6), Exit::Code(0), PairMember::First)
    );
}

#[test]
fn a_mode_that_was_found_before_is_believed_until_a_program_runs() {
    let home = tempfile::tempdir().unwrap();
    let memory = home.path().join("isolation.json");
    let open = || Sandbox::open_remembered(&worker(), &memory).expect("a sandbox");
    // The first sandbox of a process may move it into a cgroup of its own, which counts as other surroundings.
    let (first, found) = (open(), open());
    assert_eq!(first.mode_name(), found.mode_name());
    let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(&memory).unwrap()).unwrap();
    let keep = |kept: &serde_json::Value| std::fs::write(&memory, kept.to_string()).unwrap();
    assert_eq!(open().mode_name(), found.mode_name());
    assert_eq!(open().slot(None).run(&exec(&["true"])).unwrap().exit, Exit::Code(0));

    let mut other = kept.clone();
    // No machine has both: version 1 is there only where version 2 has no controllers.
    other[1]["cgroups"] = if kept[1]["cgroups"] == "V2" { "V1" } else { "V2" }.into();
    keep(&other);
    let believed = open();
    assert_ne!(believed.mode_name(), found.mode_name());
    let fault = believed.slot(None).run(&exec(&["true"])).unwrap_err();
    assert!(fault.what.ends_with("run again"), "{fault}");
    assert!(!memory.exists(), "a wrong mode is forgotten");
    assert_eq!(open().mode_name(), found.mode_name());

    other[0] = kept[0].as_str().unwrap().chars().rev().collect::<String>().into();
    keep(&other);
    assert_eq!(open().mode_name(), found.mode_name(), "other surroundings");
}
