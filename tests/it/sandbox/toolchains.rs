//! Compilers and runtimes of every kind work inside: threads, reserved memory,
//! temporary files, `/proc`. One that is not installed is skipped by name.

use super::*;
use std::{os::unix::fs::PermissionsExt, path::Path};

struct ToolTrial {
    needs: &'static str,
    source: (&'static str, &'static str),
    /// Makes `out/`, run with the sources in the box.
    build: &'static str,
    /// Prints `hello`, with the build at `/exe`.
    run: &'static str,
    proc: bool,
}

const TOOLS: &[ToolTrial] = &[
    ToolTrial {
        needs: "sh",
        source: ("a.sh", "#!/bin/sh\necho hello\n"),
        build: "cat a.sh > out/a && chmod +x out/a",
        run: "/exe/a",
        proc: false,
    },
    ToolTrial {
        needs: "gcc",
        source: ("a.c", "#include <stdio.h>\nint main(){puts(\"hello\");}"),
        build: "gcc -O2 -flto -o out/a a.c",
        run: "/exe/a",
        proc: false,
    },
    ToolTrial {
        needs: "g++",
        source: ("a.cpp", "#include <bits/stdc++.h>\nint main(){std::cout<<\"hello\\n\";}"),
        build: "g++ -O2 -o out/a a.cpp",
        run: "/exe/a",
        proc: false,
    },
    ToolTrial {
        needs: "javac",
        source: ("A.java", "class A{public static void main(String[] a){System.out.println(\"hello\");}}"),
        build: "javac -d out A.java",
        run: "java -Xmx128m -cp /exe A",
        proc: true,
    },
    ToolTrial {
        needs: "go",
        source: ("a.go", "package main\nimport \"fmt\"\nfunc main(){fmt.Println(\"hello\")}"),
        build: "GOCACHE=/tmp/cache GO111MODULE=off go build -o out/a a.go",
        run: "/exe/a",
        proc: false,
    },
    ToolTrial {
        needs: "node",
        source: ("a.js", "console.log('hello')"),
        build: "cp a.js out",
        run: "node /exe/a.js",
        proc: true,
    },
    ToolTrial {
        needs: "python3",
        source: ("a.py", "print('hello')"),
        build: "python3 -m compileall -q . && cp a.py out",
        run: "python3 /exe/a.py",
        proc: false,
    },
    ToolTrial {
        needs: "fpc",
        source: ("a.pas", "begin writeln('hello'); end."),
        build: "fpc -O2 -oout/a a.pas",
        run: "/exe/a",
        proc: false,
    },
    ToolTrial {
        needs: "ocamlopt",
        source: ("a.ml", "print_endline \"hello\""),
        build: "ocamlopt -o out/a a.ml",
        run: "/exe/a",
        proc: false,
    },
    ToolTrial {
        needs: "ruby",
        source: ("a.rb", "puts 'hello'"),
        build: "cp a.rb out",
        run: "ruby /exe/a.rb",
        proc: false,
    },
    ToolTrial {
        needs: "pypy3",
        source: ("a.py", "print('hello')"),
        build: "cp a.py out",
        run: "pypy3 /exe/a.py",
        proc: false,
    },
];

/// Where programs are looked for inside.
fn is_installed(tool: &str) -> bool {
    ["/usr/local/bin", "/usr/bin"].iter().any(|dir| Path::new(dir).join(tool).exists())
}

#[test]
fn every_installed_toolchain_builds_and_runs() {
    build_and_run_all(open_sandbox().slot(None));
}

/// Where no program can change the mode of a file: linkers and `chmod` ask for it all the same.
#[test]
fn without_namespaces_every_installed_toolchain_builds_and_runs() {
    if let Some(sandbox) = modes::without_namespaces() {
        build_and_run_all(sandbox.slot(None));
    }
}

fn build_and_run_all(mut slot: Slot) {
    let (installed, missing): (Vec<&ToolTrial>, Vec<_>) =
        TOOLS.iter().partition(|tool| is_installed(tool.needs));
    missing.iter().for_each(|tool| skip::report(&format!("`{}` is not installed", tool.needs)));
    assert!(installed.len() > 2, "no toolchains were found");
    installed.iter().for_each(|tool| tool.build_and_run(&mut slot));
}

impl ToolTrial {
    fn build_and_run(&self, slot: &mut Slot) {
        let out = tempfile::tempdir().unwrap();
        std::fs::set_permissions(out.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let (name, text) = self.source;
        let mut build = writable(sh(self.build));
        build.files = vec![BoxFile::Bytes(name.into(), text.into()), BoxFile::Dir("out".into())];
        build.keep = Keep::Below("out".into(), out.path().into());
        build.view.proc = self.proc;
        build.limits = Limits {
            cpu: Duration::from_secs(120),
            wall: Duration::from_secs(300),
            memory: Bytes::mib(2048),
            output: Bytes::mib(1),
            files: Bytes::mib(512),
            processes: 256,
        };
        let built = slot.run(&build).unwrap();
        let message = String::from_utf8_lossy(&built.stderr.bytes().unwrap()).into_owned();
        assert_eq!(built.exit, Exit::Code(0), "{}: {message} {built:?}", self.build);
        // Not through a shell: where there are no namespaces, inside paths are understood in the command only.
        let mut run = exec(&self.run.split(' ').collect::<Vec<_>>());
        run.view.proc = self.proc;
        run.view.mounts = vec![ReadOnlyMount { host: out.path().into(), inside: "/exe".into() }];
        run.limits = Limits {
            cpu: Duration::from_secs(20),
            wall: Duration::from_secs(100),
            processes: 64,
            ..build.limits
        };
        let ran = slot.run(&run).unwrap();
        let message = String::from_utf8_lossy(&ran.stderr.bytes().unwrap()).into_owned();
        let output = ran.stdout.bytes().unwrap();
        assert_eq!((ran.exit, &*output), (Exit::Code(0), &b"hello\n"[..]), "{}: {message} {ran:?}", self.run);
    }
}

/// A toolchain below a directory that the program's user could not enter on the host.
#[test]
fn a_toolchain_in_a_closed_directory_can_be_shown() {
    let closed = tempfile::tempdir().unwrap();
    let bin = closed.path().join("deep/bin");
    std::fs::create_dir_all(&bin).unwrap();
    crate::ordinary_user::copy_program("/bin/echo".as_ref(), &bin.join("say"));
    std::fs::set_permissions(closed.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
    let mut say = exec(&["/tool/say", "shown"]);
    say.view.mounts = vec![ReadOnlyMount { host: bin, inside: "/tool".into() }];
    let ran = open_sandbox().slot(None).run(&say).unwrap();
    assert_eq!(ran.stdout.bytes().unwrap(), b"shown\n");
}

/// The box has its own `/tmp`; views below it are there as well, in every run.
#[test]
fn a_toolchain_below_tmp_can_be_shown() {
    let tool = tempfile::tempdir().unwrap();
    std::fs::set_permissions(tool.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir(tool.path().join("bin")).unwrap();
    crate::ordinary_user::copy_program("/bin/echo".as_ref(), &tool.path().join("bin/say"));
    let script = "/tmp/tool/bin/say shown; echo x > /tmp/note; ! echo x 2>&- > /tmp/tool/note; ls /tmp";
    for exec in [sh(script), writable(sh(script))] {
        let mut exec = exec;
        exec.view.mounts = vec![ReadOnlyMount { host: tool.path().into(), inside: "/tmp/tool".into() }];
        let mut slot = open_sandbox().slot(None);
        for _ in 0..3 {
            let ran = slot.run(&exec).unwrap();
            let note = if exec.view.writable { "note\n" } else { "" };
            let output = String::from_utf8(ran.stdout.bytes().unwrap()).unwrap();
            assert_eq!(output, format!("shown\n{note}tool\n"), "{ran:?}");
        }
    }
}
