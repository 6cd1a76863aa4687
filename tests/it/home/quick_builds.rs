//! Standard headers that many programs begin with are compiled once; nothing else changes by it.

use super::{Desk, ended};
use crate::toolchain_search::search;
use kopek::{
    base::Digest,
    exec::{Engine, KnownFacts, local_executor},
    language::{LanguageTable, SourceFiles},
    machine::{
        BuildRules, DeclaredSource, Machine, SourceRole, TOOL_BUILD_LIMITS, available_cpus, plan_build,
    },
    package::TOOL_CODE_LIMIT,
    plan::{Build, Job, Outcome, Task},
    sandbox::{Isolation, Sandbox, SandboxOptions},
    store::Store,
};
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

/// The usual row, whose linker prints its files if the compiler took a precompiled header: the text of the header is an
/// error, and a build without a header gets no additional arguments.
const TELLING: &str = r##"
[[language]]
code = 'cpp'
precompiled.make = ['sh', '-c', '"$@" all.h -o all.h.gch && echo "#error" > all.h', 'sh', '{cxx}', '{std}', '-O2', '-pipe', '-x', 'c++-header']
precompiled.give = ['-include', '/warm/all.h', '-Wl,--trace']
"##;

/// The usual build of C++ without precompiled headers: a row with a build of its own has none.
const PLAIN: &str = "\
[[language]]
code = 'cpp'
build = ['{cxx}', '{std}', '-O2', '-pipe', '-s', '{static}', '{linker}', '-o', '{binary}', '{files}']
";

/// What this machine offers, and what a container offers, if Linux is new enough for it.
fn sandboxes() -> Vec<Sandbox> {
    let weak = SandboxOptions { isolation: Some(Isolation::Landlock), ..SandboxOptions::default() };
    let open = |options| Sandbox::open_with(Path::new(env!("CARGO_BIN_EXE_kopek")), options);
    [open(SandboxOptions::default()).unwrap()].into_iter().chain(open(weak)).collect()
}

/// Builds programs together. Returns each program's digest and the compiler's message.
fn built(sandbox: &Sandbox, rows: &str, texts: &[String]) -> Vec<(Digest, String)> {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(&home.path().join("store")).unwrap();
    let table = LanguageTable::embedded().with(rows, "rows.toml").unwrap();
    let machine = Machine::new(sandbox.clone(), store, table, search(), available_cpus()[..1].to_vec());
    let plan = |(index, text): (usize, &String)| {
        let name = format!("{index}.cpp");
        fs::write(home.path().join(&name), text).unwrap();
        let source = SourceFiles { root: home.path().to_owned(), files: vec![name.into()] };
        let (constants, include) = (BTreeMap::new(), BTreeMap::new());
        let rules = BuildRules {
            role: SourceRole::HandIn,
            constants: &constants,
            allowed: None,
            include: &include,
            limits: TOOL_BUILD_LIMITS,
            code: TOOL_CODE_LIMIT,
        };
        Job::new(Task::Build(Arc::new(
            plan_build(&machine, DeclaredSource::undeclared(&source), &rules).unwrap(),
        )))
    };
    let (executor, stop) = (local_executor(&machine), AtomicBool::new(false));
    let jobs = texts.iter().enumerate().map(plan).collect();
    let engine = Engine::new(&machine, &executor, &stop);
    let results = engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(())).unwrap();
    assert!(machine.slow_builds().is_empty());
    let built = |result| match result {
        Some(Ok(Outcome::Build(Build::Program { blob, message, .. }))) => (blob, message),
        other => panic!("{other:?}"),
    };
    results.into_iter().map(built).collect()
}

fn takes_header(message: &str) -> bool {
    message.contains("crt1.o")
}

/// Asks for a header at the place that rows name, and for the place itself.
const ASKING: &str = r#"#include <iostream>
#define PASTE(a, b) a##b
#define ASK PASTE(__has_, include)
#if __has_include("/warm/all.h.gch") || ASK("/warm/all.h") || __has_include("/warm/../usr/include/stdio.h")
int main() { std::cout << "others use a header"; }
#else
int main() { std::cout << "alone"; }
#endif
"#;

#[test]
fn programs_are_the_same_with_precompiled_headers() {
    let text = |n: u32| {
        let more = ["", "#include <vector>\n", "#include <cstdio>\n#include <map>\n"][n as usize % 3];
        format!(
            "// {n}\n#include <iostream> // cout\n{more}int main() {{ std::cout << {n} << std::endl; }}\n"
        )
    };
    let mut texts: Vec<String> = (0..6).map(text).collect();
    texts.push(ASKING.to_owned());
    texts.push("#define more\n#include <iostream>\nint main() { std::cout << 1 more; }\n".into());
    let sandboxes = sandboxes();
    let plain = built(&sandboxes[0], PLAIN, &texts[4..]);
    for sandbox in &sandboxes {
        let quick = built(sandbox, TELLING, &texts);
        let takes: Vec<bool> = quick.iter().map(|(_, message)| takes_header(message)).collect();
        assert_eq!(
            takes[..],
            [vec![false], vec![true; 6], vec![false]].concat(),
            "the first one is the sample"
        );
        let is_equal = plain.iter().zip(&quick[4..]).all(|(plain, quick)| plain.0 == quick.0);
        assert!(is_equal, "{}", sandbox.mode_name());
    }
}

/// One that cannot be made, of a compiler that knows only one program.
const ODD: &str = r#"
[[language]]
code = "cpp"
build = ["sh", "-c", "printf '#!/bin/sh\necho 42\n' > \"$0\" && chmod +x \"$0\"", "{binary}"]
precompiled = { make = ["false"], give = ["-I/warm"] }
"#;

#[test]
fn without_a_header_builds_are_slower_and_that_is_said() {
    let desk = Desk::new();
    desk.write("1.in", "");
    desk.write("1.ans", "42\n");
    desk.write("odd.toml", ODD);
    for n in 1..=5 {
        desk.write("a.cpp", &format!("#include <bits/stdc++.h>\nint main() {{ return {n}; }}\n"));
        let mut command = desk.command(&["test", "a.cpp"]);
        command.env("KOPEK_LANGUAGES", "odd.toml");
        let (code, out, err) =
            ended(&command.env("KOPEK_STORE", desk.path().join("store")).output().unwrap());
        assert_eq!(code, 0, "{out}{err}");
        let warning = "builds are slower than usual: no precompiled header for C++";
        assert_eq!((out + &err).contains(warning), n == 5, "{n}");
    }
}

/// Everything that a program can see of how it was compiled.
const CURIOUS: &str = "\
// A comment, and then
#include <bits/stdc++.h>
#if __has_include(<atcoder/all>)
int extra = 1;
#else
int extra = 0;
#endif
int main() {
    std::cout << __COUNTER__ << ' ' << __INCLUDE_LEVEL__ << ' ' << __FILE__ << ' ' << __LINE__ << ' '
              << __cplusplus << ' ' << __OPTIMIZE__ << ' ' << extra << '\\n';
    std::map<std::string, std::vector<int>> m; m[\"a\"].push_back(1);
    std::cout << m.size() << ' ' << sizeof(m) << std::endl;
}
";

mod long_runs {
    use super::*;

    #[test]
    #[ignore = "long: compiles bits/stdc++.h a dozen times"]
    fn a_precompiled_standard_library_changes_nothing_but_the_time() {
        let texts: Vec<String> = (0..6).map(|n| format!("{CURIOUS}// {n}\n")).collect();
        let sandbox = &sandboxes()[0];
        assert_eq!(built(sandbox, "", &texts), built(sandbox, PLAIN, &texts));
        let telling = built(sandbox, TELLING, &texts);
        assert!(telling[1..].iter().all(|(_, message)| takes_header(message)));
    }
}
