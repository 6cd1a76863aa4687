//! What a contestant sees at home, on terminals of 80 and of 60 columns: nothing is cut, nothing breaks in a word.

use super::{Desk, run::sums, typist::Typist};

/// Each says something else.
const LINES: [&str; 8] = [
    "run sums wrong.py --case secret/2/ten --again",
    "run sums crash.py --samples --again",
    "run sums broken.py --samples --again",
    "test loose/a.py --tolerance 1e-6 --case 10 --again",
    "test loose/a.py nowhere",
    "run right.py sums",
    "run sumz right.py",
    "run sums",
];

fn desk() -> Desk {
    let desk = sums();
    desk.write("crash.py", "print('so far', flush=True)\nprint(1 / 0)\n");
    desk.write("broken.py", "print(\n");
    desk.write("right.py", "print(sum(map(int, input().split())))\n");
    desk.write("bad.py", "a, b = map(int, input().split())\nprint(abs(a) + b)\n");
    desk.write("gen.py", "import sys\nprint(-int(sys.argv[1]), 5)\n");
    desk.write("mine.txt", "1 40\n");
    desk.write("loose/a.py", "print(7)\n");
    for (name, input, answer) in [("1", "1 2", "3"), ("2", "3 4", "7"), ("10", "5 6", "11")] {
        desk.write(&format!("loose/{name}.in"), &format!("{input}\n"));
        desk.write(&format!("loose/{name}.ans"), &format!("{answer}\n"));
    }
    desk
}

/// What these say depends on the machine, except a part.
const MACHINE_LINES: [(&str, &str); 6] = [
    ("languages", "\npython3"),
    ("doctor", "\nLanguages: "),
    ("grade sums", "error"),
    ("grade sums --cohorts", "error"),
    ("run sums crash.py --debug --samples", "run-time error"),
    ("limits sums right.py --sinse 2026-11-22 --frobnicate", "error"),
];

/// No line is wider than the terminal, which would break it anywhere.
#[track_caller]
fn assert_fits(screen: &str, columns: u32) {
    let wide = |line: &&str| console::measure_text_width(line) > columns as usize;
    let wide: Vec<&str> = screen.lines().filter(wide).collect();
    assert!(wide.is_empty(), "wider than {columns}: {wide:#?}");
}

#[test]
fn every_screen_of_a_contestant_fits_its_terminal() {
    let desk = desk();
    for columns in [80, 60] {
        let show = |line: &&str| {
            let screen = desk.terminal(columns, line);
            assert_fits(&screen, columns);
            format!("$ kopek {line}\n{screen}\n")
        };
        let session: String = LINES.iter().map(show).collect();
        insta::assert_snapshot!(format!("session-{columns}"), session);
    }
    // On the narrow one only: it is the harder.
    let columns = 60;
    for (line, part) in MACHINE_LINES {
        let screen = desk.terminal(columns, line);
        assert_fits(&screen, columns);
        assert!(screen.contains(part), "{line}: {screen}");
    }
    // Where a line ends, and how many inputs were tried, depends on the machine.
    let screen = desk.terminal(columns, "run sums wrong.py --input mine.txt");
    assert_fits(&screen, columns);
    assert!(screen.starts_with("41\nread 1 40\nended well, "), "{screen}");
    let line = "stress bad.py --brute right.py --gen 'gen.py {1..3} {seed}' --out found";
    let screen = desk.terminal(columns, line);
    assert!(screen.contains("line 1: expected `3`, found `7`"), "{screen}");
    let screen = desk.terminal(columns, "test bad.py found --again");
    assert!(screen.contains("expected `3`, found `7`"), "the saved input is a test: {screen}");
}

#[test]
fn a_screen_that_watches_is_drawn_over() {
    for columns in [80, 60] {
        let desk = desk();
        let mut typist = Typist::start(&desk, (columns, "test loose/a.py --watch --cases"));
        typist.wait_for("sample/10");
        desk.write("loose/a.py", "print(sum(map(int, input().split())))\n");
        typist.wait_for("3 cases right");
        // Ctrl-C.
        typist.say("\x03");
        let screen = typist.end();
        assert_fits(&screen, columns);
        assert!(screen.contains("watching a.py; Ctrl-C ends"), "{screen}");
        assert!(screen.ends_with("exit code 130\n") && !screen.contains('?'), "{screen}");
    }
}
