//! What a program holds counts as its memory, although it looks like what ended processes held and the kernel takes
//! back late: that counts for no program (`crates/sandbox/src/meters/exit_cause.rs`).

use super::*;

#[test]
fn memory_of_a_program_that_started_many_others_is_its_own() {
    let Some(sandbox) = sandbox_with_group() else { return };
    let script = "import os, time\nfor _ in range(300):\n  if os.fork() == 0: os._exit(0)\n  os.wait()\n\
                  time.sleep(0.3)\nx = bytearray(999 << 20)";
    let ran = sandbox.slot(None).run(&exec(&["python3", "-c", script])).unwrap();
    assert_eq!(ran.exit, Exit::Exceeded(Limit::Memory), "{ran:?}");
}

/// They are the kernel's memory as well, but stay as long as the box.
#[test]
fn a_program_that_makes_many_empty_files_is_decided() {
    let Some(sandbox) = sandbox_with_group() else { return };
    let script = "import os, time\nfor _ in range(100):\n  if os.fork() == 0: os._exit(0)\n  os.wait()\n\
                  time.sleep(0.3)\nx = bytearray(56 << 20)\nfor i in range(99999): open(f'/box/{i}', 'w')";
    let mut files = writable(exec(&["python3", "-c", script]));
    (files.limits.memory, files.limits.files) = (Bytes::mib(64), Bytes::mib(1));
    let ran = sandbox.slot(None).run(&files).unwrap();
    assert!(matches!(ran.exit, Exit::Exceeded(_)), "{ran:?}");
}

/// These come back late as well, but they were held by the living.
#[test]
fn page_tables_of_a_living_program_are_its_own() {
    let Some(sandbox) = sandbox_with_group() else { return };
    // One table for each 2 MiB, and the page itself given back at once.
    let script = "import mmap\nm = mmap.mmap(-1, 1 << 40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)\n\
                  for at in range(0, 1 << 40, 2 << 20):\n  m[at] = 1; m.madvise(mmap.MADV_DONTNEED, at, 4096)";
    let mut tables = exec(&["python3", "-c", script]);
    tables.limits.memory = Bytes::mib(64);
    match sandbox.slot(None).run(&tables) {
        Ok(ran) => assert_eq!(ran.exit, Exit::Exceeded(Limit::Memory), "{ran:?}"),
        // The kernel may stop the supervisor while it frees the page tables. The judge retries such a run.
        Err(fault) => assert_eq!(fault.source, FaultSource::Machine, "{fault}"),
    }
}
