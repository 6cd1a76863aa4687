//! The header that C++ programs begin with is compiled once; nothing else changes by it.

use super::{Desk, ended};
use crate::skip;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use walkdir::WalkDir;

/// The usual build of C++ without the header: a row with a build of its own has none.
const PLAIN: &str = "\
[[language]]
code = 'cpp'
build = ['{cxx}', '{std}', '-O2', '-pipe', '{static}', '-o', '{binary}', '{files}']
";

/// Everything that a program can see of how it was compiled.
const CURIOUS: &str = "\
// A comment, and then
#include <bits/stdc++.h>
int main() {
    std::cout << __COUNTER__ << ' ' << __INCLUDE_LEVEL__ << ' ' << __FILE__ << ' ' << __LINE__ << ' '
              << __cplusplus << ' ' << __OPTIMIZE__ << ' ' << __has_include(<atcoder/all>) << '\\n';
    std::map<std::string, std::vector<int>> m; m[\"a\"].push_back(1);
    std::cout << m.size() << ' ' << sizeof(m) << std::endl;
}
";

fn has_compiler() -> bool {
    let is_here = Command::new("g++").arg("--version").output().is_ok();
    if !is_here {
        skip::report("there is no g++, whose precompiled headers are tried");
    }
    is_here
}

/// What a program prints, and what is said of it.
fn printed(desk: &Desk, args: &[&str]) -> (i32, String, String) {
    let mut command = desk.command(&["talk", "a.cpp"]);
    ended(&command.args(args).stdin(Stdio::null()).output().unwrap())
}

#[test]
fn a_precompiled_header_changes_nothing_but_the_time() {
    if !has_compiler() {
        return;
    }
    let desk = Desk::new();
    desk.write("plain.toml", PLAIN);
    // The first program that could use it does not wait for it.
    for n in 0..2 {
        desk.write("a.cpp", &format!("#include <bits/stdc++.h>\nint main() {{ return {n} * 0; }}\n"));
        assert_eq!(printed(&desk, &[]).0, 0);
    }
    for source in [CURIOUS, "#include <bits/stdc++.h>\nint main() { std::sort(1, 2); retrun 0; }\n"] {
        desk.write("a.cpp", source);
        let (code, out, _) = printed(&desk, &[]);
        let (plain_code, plain_out, _) = printed(&desk, &["--languages", "plain.toml"]);
        assert_eq!((code, &out), (plain_code, &plain_out), "{source}");
        assert!(out.contains("> 0 0 ") || out.contains("compile error"), "{out}");
    }
}

#[test]
fn a_header_that_was_touched_or_cannot_be_made_is_not_used() {
    if !has_compiler() {
        return;
    }
    let desk = Desk::new();
    let judged = |store: &str, args: &[&str]| {
        let mut command = desk.command(&["test", "a.cpp", "--again"]);
        ended(&command.args(args).env("KOPEK_STORE", desk.path().join(store)).output().unwrap())
    };
    desk.write("a.cpp", "#include <bits/stdc++.h>\nint main() { std::cout << 42; }\n");
    desk.write("1.in", "");
    desk.write("1.ans", "42\n");
    let (code, out, err) = judged("store", &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(!desk.path().join("store/warm").exists(), "one program alone is not worth it");
    desk.write("a.cpp", "#include <bits/stdc++.h>\nint main() { std::cout << 6 * 7; }\n");
    assert_eq!(judged("store", &[]).0, 0);
    let made = headers(&desk.path().join("store/warm"));
    let [header] = &made[..] else { panic!("one header, not {made:?}") };
    let whole = fs::read(header).unwrap();
    fs::write(header, &whole[..whole.len() / 2]).unwrap();
    desk.write("a.cpp", "#include <bits/stdc++.h>\nint main() { std::cout << 40 + 2; }\n");
    let (code, out, err) = judged("store", &[]);
    assert!(code == 0 && !(out + &err).contains("slower than usual"), "{err}");
    assert!(fs::metadata(header).unwrap().len() > whole.len() as u64 / 2, "made anew");
    desk.write(
        "odd.toml",
        "[[language]]\ncode = 'cpp'\nprecompiled = { include = 'bits/stdc++.h', make = ['false'], give = ['-I/warm'] }\n",
    );
    judged("store", &["--languages", "odd.toml"]);
    desk.write("a.cpp", "#include <bits/stdc++.h>\nint main() { std::cout << 41 + 1; }\n");
    let (code, out, err) = judged("store", &["--languages", "odd.toml"]);
    assert!(code == 0 && (out + &err).contains("builds are slower than usual"), "{err}");
}

fn headers(dir: &Path) -> Vec<PathBuf> {
    let all = WalkDir::new(dir).into_iter().map(|entry| entry.unwrap().into_path());
    all.filter(|path| path.extension().is_some_and(|ending| ending == "gch")).collect()
}
