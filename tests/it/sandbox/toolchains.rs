//! Compilers and runtimes of every kind work inside: threads, reserved memory,
//! temporary files, `/proc`. One that is not installed is left out.

use super::*;
use std::path::Path;

struct Tool {
    needs: &'static str,
    source: (&'static str, &'static str),
    /// Makes `out/`, run with the sources in the box.
    build: &'static str,
    /// Prints `hello`, run with what was built at `/exe`.
    run: &'static str,
    proc: bool,
}

const TOOLS: &[Tool] = &[
    Tool {
        needs: "/usr/bin/g++",
        source: ("a.cpp", "#include <bits/stdc++.h>\nint main(){std::cout<<\"hello\\n\";}"),
        build: "g++ -O2 -o out/a a.cpp",
        run: "/exe/a",
        proc: false,
    },
    Tool {
        needs: "/usr/bin/javac",
        source: ("A.java", "class A{public static void main(String[] a){System.out.println(\"hello\");}}"),
        build: "javac -d out A.java",
        run: "java -Xmx128m -cp /exe A",
        proc: true,
    },
    Tool {
        needs: "/usr/bin/go",
        source: ("a.go", "package main\nimport \"fmt\"\nfunc main(){fmt.Println(\"hello\")}"),
        build: "GOCACHE=/tmp/cache GO111MODULE=off go build -o out/a a.go",
        run: "/exe/a",
        proc: false,
    },
    Tool {
        needs: "/usr/bin/node",
        source: ("a.js", "console.log('hello')"),
        build: "cp a.js out",
        run: "node /exe/a.js",
        proc: true,
    },
    Tool {
        needs: "/usr/bin/python3",
        source: ("a.py", "print('hello')"),
        build: "python3 -m compileall -q . && cp a.py out",
        run: "python3 /exe/a.py",
        proc: false,
    },
    Tool {
        needs: "/usr/bin/fpc",
        source: ("a.pas", "begin writeln('hello'); end."),
        build: "fpc -O2 -oout/a a.pas",
        run: "/exe/a",
        proc: false,
    },
    Tool {
        needs: "/usr/bin/ocamlopt",
        source: ("a.ml", "print_endline \"hello\""),
        build: "ocamlopt -o out/a a.ml",
        run: "/exe/a",
        proc: false,
    },
    Tool {
        needs: "/usr/bin/ruby",
        source: ("a.rb", "puts 'hello'"),
        build: "cp a.rb out",
        run: "ruby /exe/a.rb",
        proc: false,
    },
    Tool {
        needs: "/usr/bin/pypy3",
        source: ("a.py", "print('hello')"),
        build: "cp a.py out",
        run: "pypy3 /exe/a.py",
        proc: false,
    },
];

#[test]
fn every_installed_toolchain_builds_and_runs() {
    let mut slot = open().slot(None);
    let mut tried = 0;
    for tool in TOOLS.iter().filter(|tool| Path::new(tool.needs).exists()) {
        let out = tempfile::tempdir().unwrap();
        let mut build = writable(sh(tool.build));
        build.files =
            vec![Placed::Bytes(tool.source.0.into(), tool.source.1.into()), Placed::Dir("out".into())];
        build.keep = Keep::Below("out".into(), out.path().into());
        build.view.proc = tool.proc;
        build.limits = Limits {
            cpu: Duration::from_secs(120),
            wall: Duration::from_secs(300),
            memory: Bytes::mib(2048),
            output: Bytes::mib(1),
            files: Bytes::mib(512),
            processes: 256,
        };
        let built = slot.run(&build).unwrap();
        let said = String::from_utf8_lossy(&built.stderr.bytes().unwrap()).into_owned();
        assert_eq!(built.exit, Exit::Code(0), "{}: {said} {built:?}", tool.build);
        let mut run = sh(&format!("exec {}", tool.run));
        run.view.proc = tool.proc;
        run.view.shown = vec![Shown { host: out.path().into(), inside: "/exe".into() }];
        run.limits = Limits {
            cpu: Duration::from_secs(20),
            wall: Duration::from_secs(100),
            processes: 64,
            ..build.limits
        };
        let ran = slot.run(&run).unwrap();
        let said = String::from_utf8_lossy(&ran.stderr.bytes().unwrap()).into_owned();
        assert_eq!(
            (ran.exit, &*ran.stdout.bytes().unwrap()),
            (Exit::Code(0), &b"hello\n"[..]),
            "{}: {said} {ran:?}",
            tool.run
        );
        tried += 1;
    }
    assert!(tried > 2, "no toolchains were found");
}

/// A toolchain below a directory that the program's user could not enter on the host.
#[test]
fn a_toolchain_in_a_closed_directory_can_be_shown() {
    use std::os::unix::fs::PermissionsExt;
    let closed = tempfile::tempdir().unwrap();
    let bin = closed.path().join("deep/bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::copy("/bin/echo", bin.join("say")).unwrap();
    std::fs::set_permissions(closed.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
    let mut say = exec(&["/tool/say", "shown"]);
    say.view.shown = vec![Shown { host: bin, inside: "/tool".into() }];
    let ran = open().slot(None).run(&say).unwrap();
    assert_eq!(ran.stdout.bytes().unwrap(), b"shown\n");
}

/// The box has a `/tmp` of its own; what is shown below it is there as well, run after run.
#[test]
fn a_toolchain_below_tmp_can_be_shown() {
    let tool = tempfile::tempdir().unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(tool.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir(tool.path().join("bin")).unwrap();
    std::fs::copy("/bin/echo", tool.path().join("bin/say")).unwrap();
    let script = "/tmp/tool/bin/say shown; echo x > /tmp/note; ! echo x 2>&- > /tmp/tool/note; ls /tmp";
    for exec in [sh(script), writable(sh(script))] {
        let mut exec = exec;
        exec.view.shown = vec![Shown { host: tool.path().into(), inside: "/tmp/tool".into() }];
        let mut slot = open().slot(None);
        for _ in 0..3 {
            let ran = slot.run(&exec).unwrap();
            let note = if exec.view.writable { "note\n" } else { "" };
            let said = String::from_utf8(ran.stdout.bytes().unwrap()).unwrap();
            assert_eq!(said, format!("shown\n{note}tool\n"), "{ran:?}");
        }
    }
}
