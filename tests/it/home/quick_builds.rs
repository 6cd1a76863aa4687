//! The header that programs begin with is compiled once; nothing else changes by it.

use super::{Desk, ended};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};
use walkdir::WalkDir;

/// C with a header that is compiled in no time.
const SMALL: &str = r#"
[[language]]
code = "c"
build = ["{cc}", "-std=gnu17", "-O1", "-o", "{binary}", "{files}"]
precompiled = { include = "stdio.h", make = ["sh", "-c", "echo '#include <stdio.h>' > all.h && $0 -std=gnu17 -O1 -x c-header all.h -o stdio.h.gch && rm all.h", "{cc}"], give = ["-I/warm"] }
"#;

/// One that cannot be made.
const ODD: &str = r#"
[[language]]
code = "c"
precompiled = { include = "stdio.h", make = ["false"], give = ["-I/warm"] }
"#;

/// A program that prints 42, and that nobody built before.
fn program(n: u32) -> String {
    format!("// {n}\n#include <stdio.h>\nint main(void) {{ printf(\"%d\\n\", 42 + 0 * {n}); }}\n")
}

fn judged(desk: &Desk, rows: &str) -> (i32, String) {
    let mut command = desk.command(&["test", "a.c", "--languages", rows]);
    let (code, out, err) = ended(&command.env("KOPEK_STORE", desk.path().join("store")).output().unwrap());
    (code, out + &err)
}

fn headers(dir: &Path) -> Vec<PathBuf> {
    let all = WalkDir::new(dir).into_iter().filter_map(|entry| Some(entry.ok()?.into_path()));
    all.filter(|path| path.extension().is_some_and(|ending| ending == "gch")).collect()
}

#[test]
fn a_header_is_made_for_the_second_program_and_anew_when_it_was_touched() {
    let desk = Desk::new();
    desk.write("1.in", "");
    desk.write("1.ans", "42\n");
    desk.write("small.toml", SMALL);
    let warm = desk.path().join("store/warm");
    let build = |n: u32| {
        desk.write("a.c", &program(n));
        let (code, text) = judged(&desk, "small.toml");
        assert!(code == 0 && !text.contains("slower than usual"), "{text}");
        headers(&warm)
    };
    assert!(build(1).is_empty(), "one program alone is not worth it");
    let made = build(2);
    let [header] = &made[..] else { panic!("one header, not {made:?}") };
    let whole = fs::read(header).unwrap();
    fs::write(header, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(build(3), made);
    assert!(fs::metadata(header).unwrap().len() > whole.len() as u64 / 2, "made anew");
    let changed = || fs::metadata(header).unwrap().modified().unwrap();
    let before = changed();
    build(4);
    assert_eq!(changed(), before, "made once, and not written to by builds");
    // What stands before the header could change its meaning.
    desk.write("a.c", "#define WANTED 42\n#include <stdio.h>\nint main(void) { printf(\"%d\", WANTED); }\n");
    let (code, text) = judged(&desk, "small.toml");
    assert!(code == 0 && text.contains("accepted"), "{text}");
    desk.write("a.c", &program(5).replace("printf", "prntf"));
    let (code, text) = judged(&desk, "small.toml");
    assert!(code == 1 && text.contains("a.c:3:") && text.contains("prntf"), "{text}");
}

#[test]
fn without_a_header_builds_are_slower_and_that_is_said() {
    let desk = Desk::new();
    desk.write("1.in", "");
    desk.write("1.ans", "42\n");
    desk.write("odd.toml", ODD);
    for n in 1..3 {
        desk.write("a.c", &program(n));
        let (code, text) = judged(&desk, "odd.toml");
        assert_eq!(code, 0, "{text}");
        assert_eq!(
            text.contains("builds are slower than usual: no precompiled header for C"),
            n == 2,
            "{text}"
        );
    }
}

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

mod long_runs {
    use super::*;

    #[test]
    #[ignore = "long: compiles bits/stdc++.h half a dozen times"]
    fn a_precompiled_standard_library_changes_nothing_but_the_time() {
        let desk = Desk::new();
        desk.write("plain.toml", PLAIN);
        let printed = |args: &[&str]| {
            let mut command = desk.command(&["talk", "a.cpp"]);
            command.env("KOPEK_STORE", desk.path().join("store"));
            let (code, out, _) = ended(&command.args(args).stdin(Stdio::null()).output().unwrap());
            (code, out)
        };
        desk.write("a.cpp", "#include <bits/stdc++.h>\nint main() {}\n");
        assert_eq!(printed(&[]).0, 0);
        for source in [CURIOUS, "#include <bits/stdc++.h>\nint main() { std::sort(1, 2); retrun 0; }\n"] {
            desk.write("a.cpp", source);
            let (code, out) = printed(&[]);
            assert_eq!((code, out.clone()), printed(&["--languages", "plain.toml"]), "{source}");
            assert!(out.contains("> 0 0 ") || out.contains("compile error"), "{out}");
        }
        assert_eq!(headers(&desk.path().join("store/warm")).len(), 1);
    }
}
