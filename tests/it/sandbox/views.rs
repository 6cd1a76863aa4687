//! The files that a program sees, and the files copied out.

use super::*;
use crate::events::Changes;
use std::os::unix::fs::PermissionsExt;

/// What a shell prints inside.
fn shell_output(slot: &mut Slot, exec: &Exec) -> String {
    let ran = slot.run(exec).unwrap();
    String::from_utf8(ran.stdout.bytes().unwrap()).unwrap()
}

#[test]
fn a_program_runs_and_its_output_is_kept() {
    let mut slot = open_sandbox().slot(None);
    let ran = slot.run(&exec(&["echo", "hello"])).unwrap();
    assert_eq!((ran.exit, ran.stdout.bytes().unwrap()), (Exit::Code(0), b"hello\n".to_vec()));
    let mut cat = exec(&["cat"]);
    cat.stdin = Input::Bytes(b"in and out".to_vec());
    assert_eq!(shell_output(&mut slot, &cat), "in and out");
}

#[test]
fn the_root_holds_the_basis_and_nothing_else() {
    let mut slot = open_sandbox().slot(None);
    let listing =
        shell_output(&mut slot, &sh("ls / /dev /etc /box; test -e /proc || test -e /tmp || echo neither"));
    let allowed = [
        "bin", "box", "dev", "etc", "lib", "lib32", "lib64", "libx32", "sbin", "usr", "/:", "/dev:", "/etc:",
        "/box:", "",
    ];
    let etc = |line: &str| {
        [
            "alternatives",
            "passwd",
            "ld.so.cache",
            "ld-musl",
            "java",
            "fpc",
            "php",
            "perl",
            "python3",
            "mono",
            "ssl",
        ]
        .iter()
        .any(|start| line.starts_with(start))
    };
    for line in listing
        .lines()
        .filter(|line| !["full", "null", "random", "urandom", "zero", "neither"].contains(line))
    {
        assert!(allowed.contains(&line) || etc(line), "{line} is there");
    }
    assert!(listing.ends_with("neither\n"), "{listing}");
}

#[test]
fn the_environment_is_clean_and_the_process_numbers_are_always_the_same() {
    let mut slot = open_sandbox().slot(None);
    let first = shell_output(&mut slot, &sh("echo $$; env | sort"));
    assert_eq!(first, "2\nHOME=/box\nLANG=C.UTF-8\nPATH=/usr/local/bin:/usr/bin:/bin\nPWD=/box\n");
    assert_eq!(shell_output(&mut slot, &sh("(true); (true); echo $$; env | sort")), first);
}

#[test]
fn shown_files_can_be_read_but_not_written() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("note"), "seen").unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = dir.path().join("note");
    let mut slot = open_sandbox().slot(None);
    let mut look = sh(
        "cat /a/b/c/note /single; (echo no > /a/b/c/note) 2>/dev/null; touch /a/b/c/x /x /usr/x 2>/dev/null && echo written",
    );
    look.view.mounts = vec![
        ReadOnlyMount { host: dir.path().into(), inside: "/a/b/c".into() },
        ReadOnlyMount { host: file.clone(), inside: "/single".into() },
    ];
    assert_eq!(shell_output(&mut slot, &look), "seenseen");
    assert_eq!(std::fs::read(&file).unwrap(), b"seen");
}

#[test]
fn something_that_cannot_be_shown_is_a_fault_that_names_it() {
    let mut slot = open_sandbox().slot(None);
    let mut look = sh("true");
    look.view.mounts = vec![ReadOnlyMount { host: "/no/such/thing".into(), inside: "/x".into() }];
    let fault = slot.run(&look).unwrap_err();
    assert!(fault.what.contains("/no/such/thing"), "{fault}");
    assert_eq!(slot.run(&sh("true")).unwrap().exit, Exit::Code(0), "and the slot still works");
}

#[test]
fn a_box_that_is_not_writable_holds_its_files_and_takes_no_others() {
    let mut slot = open_sandbox().slot(None);
    let mut look = sh(
        "cat f d/g; touch x 2>/dev/null && echo written; (echo >> f) 2>/dev/null && echo written; rm -f f; chmod 777 . 2>/dev/null && echo opened; cat f",
    );
    look.files = vec![BoxFile::Bytes("f".into(), b"1".to_vec()), BoxFile::Bytes("d/g".into(), b"2".to_vec())];
    assert_eq!(shell_output(&mut slot, &look), "121");
    assert_eq!(shell_output(&mut slot, &sh("ls -A /box")), "", "and nothing of it stays");
}

#[test]
fn a_writable_box_is_written_taken_out_and_emptied() {
    let out = tempfile::tempdir().unwrap();
    let mut slot = open_sandbox().slot(None);
    let mut work = writable(sh(
        "mkdir -p d/e; echo 1 > d/e/f; echo 2 > g; chmod 755 g; ln -s /etc/passwd link; mkfifo pipe 2>/dev/null; echo t > /tmp/t; chmod 000 d/e; echo $HOME; cat placed >> g",
    ));
    work.files = vec![BoxFile::Bytes("placed".into(), b"3\n".to_vec())];
    work.keep = Keep::Below("".into(), out.path().into());
    assert_eq!(shell_output(&mut slot, &work), "/box\n");
    let read = |path: &str| std::fs::read_to_string(out.path().join(path)).unwrap();
    assert_eq!((read("d/e/f"), read("g"), read("placed")), ("1\n".into(), "2\n3\n".into(), "3\n".into()));
    assert_eq!(std::fs::metadata(out.path().join("g")).unwrap().permissions().mode() & 0o111, 0o111);
    assert_eq!(std::fs::metadata(out.path().join("placed")).unwrap().permissions().mode() & 0o111, 0);
    assert!(std::fs::symlink_metadata(out.path().join("link")).is_err(), "links are left");
    assert_eq!(shell_output(&mut slot, &writable(sh("ls -A /box /tmp"))), "/box:\n\n/tmp:\n");
}

#[test]
fn placed_files_may_not_leave_the_box() {
    let mut slot = open_sandbox().slot(None);
    for path in ["../x", "/x", "a/../../x", ""] {
        let mut bad = sh("true");
        bad.files = vec![BoxFile::Bytes(path.into(), vec![])];
        assert!(slot.run(&bad).is_err(), "{path:?} was placed");
    }
}

#[test]
fn a_link_in_the_box_leads_the_judge_nowhere() {
    let out = tempfile::tempdir().unwrap();
    let mut slot = open_sandbox().slot(None);
    let mut trap = writable(sh("ln -s /etc out"));
    trap.keep = Keep::Below("out".into(), out.path().into());
    assert_eq!(slot.run(&trap).unwrap().exit, Exit::Code(0));
    assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0);
}

#[test]
fn proc_is_there_when_the_view_has_it_and_shows_only_its_own() {
    let mut slot = open_sandbox().slot(None);
    let mut look = sh(
        "ls /proc | tr '\\n' ' '; readlink /proc/self/fd/0; cat /proc/1/environ /proc/meminfo /proc/sys/kernel/hostname 2>/dev/null; echo; echo a > /tmp/in 2>/dev/null",
    );
    look.view.proc = true;
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("secret-name.in"), "x").unwrap();
    look.stdin = Input::Path(dir.path().join("secret-name.in"));
    let listing = shell_output(&mut slot, &look);
    assert!(!listing.contains("secret"), "{listing}");
    let numbers: Vec<&str> = listing.split_whitespace().filter(|w| w.parse::<u32>().is_ok()).collect();
    assert!(!numbers.contains(&"1"), "{listing}");
    assert!(!listing.contains("MemTotal"), "{listing}");
}

#[test]
fn a_compiler_makes_a_program_and_it_is_taken_out_and_run() {
    let mut slot = open_sandbox().slot(Some(0));
    let out = tempfile::tempdir().unwrap();
    let mut gcc = writable(exec(&["gcc", "-O1", "-o", "out/main", "main.c"]));
    gcc.files = vec![
        BoxFile::Bytes(
            "main.c".into(),
            b"#include <stdio.h>\nint main(){int n;scanf(\"%d\",&n);printf(\"%d\\n\",n+1);}".to_vec(),
        ),
        BoxFile::Dir("out".into()),
    ];
    gcc.keep = Keep::Below("out".into(), out.path().into());
    let ran = slot.run(&gcc).unwrap();
    assert_eq!(ran.exit, Exit::Code(0), "{}", String::from_utf8_lossy(&ran.stderr.bytes().unwrap()));
    let mut run = exec(&["/exe/main"]);
    run.view.mounts = vec![ReadOnlyMount { host: out.path().into(), inside: "/exe".into() }];
    run.stdin = Input::Bytes(b"41".to_vec());
    assert_eq!(shell_output(&mut slot, &run), "42\n");
}

#[test]
fn a_program_that_is_not_there_is_our_fault() {
    let mut slot = open_sandbox().slot(None);
    for name in ["no-such-program", "/box/no-such-program"] {
        let fault = slot.run(&exec(&[name])).unwrap_err();
        assert!(fault.what.contains(name), "{fault}");
    }
}

#[test]
fn a_program_that_is_still_open_for_writing_is_waited_for_and_never_a_runtime_error() {
    let tool = tempfile::tempdir().unwrap();
    std::fs::set_permissions(tool.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = tool.path().join("say");
    std::fs::copy("/bin/echo", &program).unwrap();
    let mut say = exec(&["/exe/say", "written"]);
    say.view.mounts = vec![ReadOnlyMount { host: tool.path().into(), inside: "/exe".into() }];
    let mut slot = open_sandbox().slot(None);
    let open = || std::fs::File::options().append(true).open(&program).unwrap();
    let writer = open();
    let attempts = Changes::reads_of(&program);
    let closing = std::thread::spawn(move || {
        attempts.next("an attempt to execute the program");
        drop(writer);
    });
    assert_eq!(slot.run(&say).unwrap().stdout.bytes().unwrap(), b"written\n");
    closing.join().unwrap();
    let _writer = open();
    // Some kernels execute what can be written.
    match slot.run(&say) {
        Ok(ran) => assert_eq!(ran.exit, Exit::Code(0)),
        Err(fault) => assert!(fault.what.contains("execute /exe/say: "), "{fault}"),
    }
}

#[test]
fn no_note_is_passed_from_one_run_to_the_next() {
    let mut slot = open_sandbox().slot(None);
    let python = |code: &str| writable(exec(&["python3", "-c", code]));
    // (leaves a note, looks for it)
    let pairs = [
        ("open('/box/n','w').write('note')", "print(open('/box/n').read())"),
        ("open('/tmp/n','w').write('note')", "print(open('/tmp/n').read())"),
        (
            "import os; os.chmod('/box', 0o711)",
            "import os; print('note' if os.stat('/box').st_mode & 0o777 == 0o711 else '')",
        ),
        (
            "import os; os.utime('/box', (1, 1))",
            "import os; print('note' if os.stat('/box').st_mtime == 1 else '')",
        ),
        (
            "import os; [os.fork() or os._exit(0) for _ in range(9)]",
            "import os; print('note' if os.getpid() > 3 else '')",
        ),
    ];
    for (leave, look) in pairs {
        slot.run(&python(leave)).unwrap();
        let ran = slot.run(&python(look)).unwrap();
        let output = String::from_utf8(ran.stdout.bytes().unwrap()).unwrap();
        assert!(!output.contains("note"), "{leave} was found by {look}");
    }
}

#[test]
fn holes_and_deep_directories_do_not_fill_the_judges_disk() {
    let out = tempfile::tempdir().unwrap();
    let mut slot = open_sandbox().slot(None);
    let tricks = [
        "for i in 1 2 3 4 5 6 7 8 9; do truncate -s 15m f$i; done",
        "i=0; while [ $i -lt 90 ]; do mkdir d; cd d; i=$((i+1)); done",
    ];
    for trick in tricks {
        let mut trap = writable(sh(trick));
        trap.keep = Keep::Below("".into(), out.path().into());
        let ran = slot.run(&trap).unwrap();
        assert_eq!(ran.exit, Exit::Exceeded(Limit::Files), "{trick}: {ran:?}");
    }
    let size: u64 =
        walkdir::WalkDir::new(out.path()).into_iter().flatten().map(|e| e.metadata().unwrap().len()).sum();
    assert!(size < 40 << 20, "{size}");
    assert_eq!(slot.run(&writable(sh("ls -A"))).unwrap().stdout.size().unwrap(), Bytes(0));
}
