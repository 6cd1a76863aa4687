//! Every limit is held and reported as itself.

use super::*;
use std::os::unix::fs::PermissionsExt;

/// Tight limits; a run can exceed only the tested one, also on a busy machine.
fn tight(mut exec: Exec) -> Exec {
    exec.limits.memory = Bytes::mib(64);
    exec.limits.processes = 6;
    exec.limits.wall = Duration::from_secs(30);
    exec
}

#[test]
fn each_limit_is_reported_as_itself() {
    let mut slot = open_sandbox().slot(None);
    let mut spin = tight(sh("while :; do :; done"));
    spin.limits.cpu = Duration::from_millis(300);
    let mut idle = tight(sh("sleep 99"));
    (idle.limits.wall, idle.extension) = (Duration::from_millis(300), Some(Duration::from_secs(60)));
    let cases = [
        (spin, Exit::Exceeded(Limit::Cpu)),
        (idle, Exit::Exceeded(Limit::Wall)),
        (tight(exec(&["python3", "-c", "x = bytearray(200 << 20)"])), Exit::Exceeded(Limit::Memory)),
        // Little too much, and room for files is no room for it.
        (tight(exec(&["python3", "-c", "x = bytearray(68 << 20)"])), Exit::Exceeded(Limit::Memory)),
        (tight(sh("yes")), Exit::Exceeded(Limit::Output)),
        (tight(sh("yes >&2")), Exit::Exceeded(Limit::Output)),
        (tight(writable(sh("head -c 17m /dev/zero > a; exit 0"))), Exit::Exceeded(Limit::Files)),
        (
            tight(writable(sh("head -c 9m /dev/zero > a; head -c 9m /dev/zero > b; exit 0"))),
            Exit::Exceeded(Limit::Files),
        ),
        (
            tight(sh("for i in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; exit 3")),
            Exit::Exceeded(Limit::Processes),
        ),
        (tight(sh("kill -9 $$")), Exit::Signal(9)),
        (tight(sh("exit 7")), Exit::Code(7)),
    ];
    for (exec, expected) in cases {
        let ran = slot.run(&exec).unwrap();
        assert_eq!(ran.exit, expected, "{:?} {ran:?}", exec.argv);
    }
}

/// For its own limit the kernel counts ticks, on a busy machine some percent more than we measure: too close to ours, it
/// would kill a program that is within its limit.
#[test]
fn the_kernels_limit_of_cpu_time_is_far_above_ours() {
    let mut slot = open_sandbox().slot(None);
    let mut asks = tight(sh("ulimit -Ht"));
    asks.limits.cpu = Duration::from_secs(100);
    let ran = slot.run(&asks).unwrap();
    let seconds = String::from_utf8(ran.stdout.bytes().unwrap()).unwrap();
    assert!(seconds.trim().parse::<u64>().unwrap() >= 200, "{seconds}");
}

/// The kernel ends what asks for more than its group may hold. Before that, one that is short of little is let crawl
/// on, its own code dropped and read again and again; and how far it comes in its time differs.
#[test]
fn programs_above_the_memory_limit_are_stopped_for_it() {
    let mut slot = open_sandbox().slot(None);
    let mut full = tight(exec(&["python3", "-c", "x = bytearray(68 << 20)\nwhile True: pass"]));
    (full.limits.cpu, full.limits.output) = (Duration::from_secs(20), Bytes::mib(8));
    let ran = slot.run(&full).unwrap();
    assert_eq!(ran.exit, Exit::Exceeded(Limit::Memory), "{ran:?}");
}

/// Output and files are charged to the same group, and have limits of their own.
#[test]
fn output_and_files_that_are_mapped_are_not_taken_for_memory_of_a_full_group() {
    let Some(sandbox) = sandbox_with_group() else { return };
    let mut slot = sandbox.slot(None);
    let script = "import mmap, os\nx = bytearray(54 << 20)\none = bytes(1 << 20)\n\
                  f = os.open('/box/a', os.O_RDWR | os.O_CREAT)\nos.ftruncate(f, 15 << 20)\n\
                  y = mmap.mmap(f, 0)\nfor i in range(15): y[i << 20:i + 1 << 20] = one; os.write(1, one)\n\
                  for i in range(10 ** 7): pass";
    let mut mapped = tight(writable(exec(&["python3", "-c", script])));
    // How long the loop takes depends on the processor.
    (mapped.limits.cpu, mapped.limits.output) = (Duration::from_secs(20), Bytes::mib(16));
    let ran = slot.run(&mapped).unwrap();
    assert_eq!(ran.exit, Exit::Code(0), "{ran:?}");
}

/// The final charge is not memory of the program, but files may have been read after the peak.
#[test]
fn too_much_memory_is_not_hidden_behind_files_read_late() {
    let mut slot = open_sandbox().slot(None);
    // A large unused library.
    let script = "import glob, os\nx = bytearray(66 << 20)\ndel x\n\
                  paths = [p for d in ('', '/*') for p in glob.glob(f'/usr/lib*{d}/*.so*') if os.path.isfile(p)]\n\
                  f = os.open(max((p for p in paths if os.path.getsize(p) < 60 << 20), key=os.path.getsize), 0)\n\
                  os.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)\nos.read(f, 40 << 20)";
    let mut late = tight(exec(&["python3", "-c", script]));
    late.limits.output = Bytes::mib(8);
    match slot.run(&late) {
        Ok(ran) => assert_eq!(ran.exit, Exit::Exceeded(Limit::Memory), "{ran:?}"),
        Err(fault) => assert_hidden_by_files(&fault),
    }
}

fn assert_hidden_by_files(fault: &Fault) {
    // The judge retries it at once.
    assert_eq!(fault.source, FaultSource::UnclearMemory, "{fault}");
    assert!(fault.what.contains("were read for it"), "{fault}");
}

/// Both processes together exceed the limit, and the file has to be read from the disk.
#[test]
fn memory_of_two_processes_is_not_hidden_behind_files_read_late() {
    let Some(sandbox) = sandbox_with_group() else { return };
    let mut slot = sandbox.slot(None);
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = std::fs::File::create(dir.path().join("cold")).unwrap();
    std::io::Write::write_all(&mut &file, &[1; 40 << 20]).unwrap();
    file.sync_all().unwrap();
    let script = "import os\nheld, end = os.pipe(), os.pipe()\n\
                  for _ in range(2):\n  if os.fork() == 0:\n    x = bytearray(32 << 20); os.write(held[1], b'x')\n    \
                  os.read(end[0], 1); os._exit(0)\n\
                  for _ in range(2): os.read(held[0], 1)\nos.write(end[1], b'xx')\n\
                  for _ in range(2): os.wait()\nf = os.open('/data/cold', 0)\n\
                  for _ in range(40): os.read(f, 1 << 20)";
    let mut late = tight(exec(&["python3", "-c", script]));
    late.limits.output = Bytes::mib(16);
    late.view.mounts = vec![ReadOnlyMount { host: dir.path().into(), inside: "/data".into() }];
    // The second time everything else is in memory already.
    for _ in 0..2 {
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
        match slot.run(&late) {
            Ok(ran) => assert_eq!(ran.exit, Exit::Exceeded(Limit::Memory), "{ran:?}"),
            Err(fault) => assert_hidden_by_files(&fault),
        }
    }
}

#[test]
fn programs_within_their_limits_are_not_stopped() {
    let mut slot = open_sandbox().slot(None);
    let mut big = tight(writable(sh("head -c 1m /dev/zero; head -c 15m /dev/zero > a; exit 0")));
    big.limits.output = Bytes::mib(1);
    let ran = slot.run(&big).unwrap();
    assert_eq!((ran.exit, ran.stdout.size().unwrap()), (Exit::Code(0), Bytes::mib(1)), "{ran:?}");
    // No least figure: files that it reads again at its end, because others dropped them, are subtracted.
    // `the_memory_of_all_processes_together_is_limited_and_measured` has one.
    let full = tight(exec(&["python3", "-c", "x = bytearray(40 << 20)"]));
    let ran = slot.run(&full).unwrap();
    assert_eq!(ran.exit, Exit::Code(0), "{ran:?}");
    assert!(ran.usage.memory < Bytes::mib(56), "{ran:?}");
}

/// Orphans of orphans spin beyond 300 ms while the main process sleeps.
fn spinning_orphans() -> Exec {
    let spin = "(while :; do :; done) & (while :; do :; done) & (while :; do :; done) & sleep 20";
    let mut hidden = tight(sh(spin));
    hidden.limits.cpu = Duration::from_millis(300);
    hidden
}

#[test]
fn the_cpu_time_of_all_processes_together_is_limited() {
    let ran = open_sandbox().slot(None).run(&spinning_orphans()).unwrap();
    assert_eq!(ran.exit, Exit::Exceeded(Limit::Cpu), "{ran:?}");
}

/// Children that each hold this number of MiB, all at once.
fn family(children: u32, mib: u32) -> Exec {
    let script = format!(
        "import os, time\nfor _ in range({children}):\n  if os.fork() == 0:\n    x = bytearray({mib} << 20); time.sleep(1); os._exit(0)\nfor _ in range({children}): os.wait()"
    );
    tight(exec(&["python3", "-c", &script]))
}

#[test]
fn the_memory_of_all_processes_together_is_limited_and_measured() {
    let sandbox = open_sandbox();
    let promises = |what: &str| sandbox.guarantees().iter().any(|line| line.contains(what));
    if !promises("memory and processes are limited") {
        return skip::report("no cgroup limits the memory of all processes together");
    }
    let mut slot = sandbox.slot(None);
    let ran = slot.run(&family(3, 30)).unwrap();
    assert_eq!(ran.exit, Exit::Exceeded(Limit::Memory), "{ran:?}");
    // What the kernel kept of a larger program is nothing to the next submission.
    for (children, mib, max) in [(3, 16, 64), (2, 10, 36)] {
        slot.renew_worker();
        let ran = slot.run(&family(children, mib)).unwrap();
        assert_eq!(ran.exit, Exit::Code(0), "{ran:?}");
        let min = if promises("of its largest process") { mib } else { children * mib };
        let (min, max) = (Bytes::mib(min.into()), Bytes::mib(max));
        assert!(ran.usage.memory >= min && ran.usage.memory < max, "{ran:?}");
    }
}

#[test]
#[ignore = "measures CPU time: run it alone, as .ci/nightly does"]
fn a_limit_of_100_ms_kills_close_to_it() {
    let mut slot = open_sandbox().slot(Some(0));
    let mut spin = sh("while :; do :; done");
    spin.limits.cpu = Duration::from_millis(100);
    spin.limits.wall = Duration::from_secs(30);
    for _ in 0..5 {
        let ran = slot.run(&spin).unwrap();
        assert_eq!(ran.exit, Exit::Exceeded(Limit::Cpu));
        assert!(
            ran.usage.cpu >= Duration::from_millis(100) && ran.usage.cpu <= Duration::from_millis(115),
            "{ran:?}"
        );
    }
    let ran = slot.run(&spinning_orphans()).unwrap();
    assert!(ran.usage.cpu < Duration::from_millis(600), "{ran:?}");
}

#[test]
fn a_fork_bomb_leaves_a_machine_for_the_next_program() {
    let mut slot = open_sandbox().slot(None);
    let mut bomb = sh("f() { f | f & f; }; f");
    bomb.limits.wall = Duration::from_millis(300);
    let ran = slot.run(&bomb).unwrap();
    assert_ne!(ran.exit, Exit::Code(0), "{ran:?}");
    let ran = slot.run(&sh("echo here")).unwrap();
    assert_eq!((ran.exit, ran.stdout.bytes().unwrap()), (Exit::Code(0), b"here\n".to_vec()));
}

#[test]
fn files_written_and_removed_are_not_taken_for_memory() {
    let mut slot = open_sandbox().slot(None);
    let script = "import os\nfor i in range(9):\n  open('f', 'wb').write(b'x' * (15 << 20)); os.remove('f')";
    let mut work = tight(writable(exec(&["python3", "-c", script])));
    work.limits.memory = Bytes::mib(48);
    let ran = slot.run(&work).unwrap();
    assert_eq!(ran.exit, Exit::Code(0), "{ran:?}");
}
