//! A class compared with the shell loop that a person would write: each program is compiled and run on each
//! case, two programs at a time, without a sandbox.

use super::{CASES, COPIES, cpu_time, write_file, write_package};
use std::{
    fs,
    path::Path,
    process::{Command, Output},
    time::{Duration, Instant},
};

const PROBLEM: &str = "\
problem_format_version: 2025-09
name: Sum
uuid: 3f5a1c0e-6f0d-4b7e-9a53-0c4f5f1f5b0a
limits: {time_limit: 2}
";

/// Beginnings of C++ programs in courses. The last three of ten do not begin with standard headers.
const BEGINNINGS: [&str; 10] = [
    "#include <iostream>\n",
    "#include <bits/stdc++.h>\n",
    "#include <iostream>\n#include <vector>\n",
    "#include <iostream>\n#include <vector>\n#include <algorithm>\n",
    "#include <vector>\n#include <iostream>\n#include <string>\n#include <map>\n",
    "#include <bits/stdc++.h>\n",
    "#include <cstdio>\n#include <iostream>\n",
    "#define _USE_MATH_DEFINES\n#include <bits/stdc++.h>\n",
    "#pragma GCC optimize(\"O3\")\n#include <bits/stdc++.h>\n",
    "#ifndef LOCAL\n#endif\n#include <iostream>\n#include <map>\n#include <set>\n",
];

/// A language of a class, with the commands that a person would use.
pub struct LoopLanguage {
    pub name: &'static str,
    ending: &'static str,
    program: fn(usize) -> String,
    /// For the program `$1`.
    compile: &'static str,
    run: &'static str,
}

pub const LANGUAGES: [LoopLanguage; 2] = [
    LoopLanguage {
        name: "C++",
        ending: "cpp",
        program: |copy| {
            let beginning = BEGINNINGS[copy % BEGINNINGS.len()];
            format!(
                "{beginning}using namespace std;\nsigned main() {{\n  int n, sum{copy} = 0;\n  cin >> n;\n  \
                 for (int i = 0, x; i < n; i++) {{ cin >> x; sum{copy} += x; }}\n  \
                 cout << sum{copy} << endl;\n}}\n"
            )
        },
        compile: "g++ -O2 -o bin/$1 class/$1.cpp",
        run: "bin/$1",
    },
    LoopLanguage {
        name: "Python",
        ending: "py",
        program: |copy| {
            format!("n = int(input())\nsum{copy} = sum(map(int, input().split()))\nprint(sum{copy})\n")
        },
        compile: ":",
        // The interpreter that kopek uses: `python3` may be a wrapper script.
        run: "/usr/bin/python3 class/$1.py",
    },
];

/// Wall and CPU time.
#[derive(Debug, Clone, Copy)]
struct Cost {
    wall: Duration,
    cpu: Duration,
}

fn measure(command: &mut Command) -> (Cost, Output) {
    let (start, before) = (Instant::now(), cpu_time());
    let output = command.output().expect("start it");
    let cost = Cost { wall: start.elapsed(), cpu: cpu_time() - before };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (cost, output)
}

/// Prints the cost of a class in this language, for kopek with a new store and for the loop.
pub fn compare_with_loop(language: &LoopLanguage) {
    let dir = tempfile::tempdir().unwrap();
    write_class(dir.path(), language);
    let LoopLanguage { name, ending, compile, run, .. } = language;
    let each = format!(
        "{compile} && for c in sum/data/secret/*.in; do timeout 2 {run} < $c > out/$1 && cmp -s out/$1 ${{c%.in}}.ans \
         && echo right; done"
    );
    let all = format!("ls class | sed s/.{ending}$// | xargs -P 2 -n 1 sh -c '{each}' sh");
    let (by_loop, said) = measure(Command::new("sh").current_dir(dir.path()).args(["-c", &all]));
    let right = said.stdout.split(|byte| *byte == b'\n').filter(|line| *line == b"right").count();
    assert_eq!(right, COPIES * CASES);
    let mut grade = Command::new(env!("CARGO_BIN_EXE_kopek"));
    grade.current_dir(dir.path()).args(["grade", "sum", "class", "--store", "store", "--format", "csv"]);
    let (by_kopek, table) = measure(&mut grade);
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    assert_eq!(table.lines().filter(|line| line.contains(",AC,")).count(), COPIES, "{table}");
    println!(
        "{COPIES} programs in {name} on {CASES} cases: kopek {:.1} s, {:.1} s of CPU; the loop {:.1} s, {:.1} s of CPU: \
         {:.2} of its time, {:.2} of its CPU",
        by_kopek.wall.as_secs_f64(),
        by_kopek.cpu.as_secs_f64(),
        by_loop.wall.as_secs_f64(),
        by_loop.cpu.as_secs_f64(),
        by_kopek.wall.as_secs_f64() / by_loop.wall.as_secs_f64(),
        by_kopek.cpu.as_secs_f64() / by_loop.cpu.as_secs_f64(),
    );
}

fn write_class(dir: &Path, language: &LoopLanguage) {
    let case = |last: usize| {
        let numbers: Vec<String> = (0..=last).map(|number| number.to_string()).collect();
        [format!("{}\n{}\n", numbers.len(), numbers.join(" ")), format!("{}\n", last * (last + 1) / 2)]
    };
    write_package(&dir.join("sum"), PROBLEM, "input()\nprint(sum(map(int, input().split())))\n", case);
    for copy in 0..COPIES {
        write_file(&dir.join(format!("class/s{copy:02}.{}", language.ending)), &(language.program)(copy));
    }
    for made in ["bin", "out"] {
        fs::create_dir_all(dir.join(made)).unwrap();
    }
}
