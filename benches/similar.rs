//! The cost of comparing a course: programs of 200 lines, all against all, some of them copies.
//!
//! `cargo bench --bench similar [-- PROGRAMS]`. Fails if a thousand take 10 s or more, if a copy is not
//! found, or if a program that is not a copy ranks above one.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark")]

use kopek::{
    language::LanguageTable,
    render::similar_page,
    similar::{ComparedFile, ComparedProgram, SimilarityOptions, compare_programs},
};
use rand_pcg::{Pcg64, rand_core::Rng};
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

/// The target for a thousand programs.
const WANTED: Duration = Duration::from_secs(10);
const LINES: usize = 200;
/// One in this many programs is a copy of the one before.
const COPY_EVERY: usize = 50;

// A benchmark prints for people.
fn print_line(line: &str) {
    println!("{line}");
}

/// Statements with places for names (`N`) and for expressions (`E`), in the style of contestants.
const STATEMENTS: [&str; 16] = [
    "int N = E;",
    "N[E] = E;",
    "N += E;",
    "if (E < E) { N = E; } else { N = E; }",
    "for (int N = 0; N < E; N++) {\n N += E;\n}",
    "while (E > E) { N -= E; }",
    "vector<int> N(E, E);",
    "cin >> N >> N;",
    "cout << E << endl;",
    "if (N[E] == E) continue;",
    "N.push_back(E);",
    "sort(N.begin(), N.end());",
    "N = max(N, E);",
    "swap(N[E], N[E]);",
    "if (E) return E;",
    "N = E ? E : E;",
];
const EXPRESSIONS: [&str; 10] =
    ["N", "N", "7", "N + E", "N * E", "N[E]", "N(E, E)", "E % 1000", "N - 1", "N.size()"];

struct Author(Pcg64);

impl Author {
    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.0.next_u64() as usize % all.len()]
    }

    fn fill(&mut self, template: &str, depth: usize) -> String {
        let mut text = String::new();
        for letter in template.chars() {
            match letter {
                'N' => text.push_str(&format!("x{}", self.0.next_u64() % 30)),
                'E' if depth < 3 => {
                    let template = self.pick(&EXPRESSIONS);
                    text.push_str(&self.fill(template, depth + 1));
                }
                'E' => text.push('1'),
                letter => text.push(letter),
            }
        }
        text
    }

    fn write_program(&mut self) -> String {
        let mut text = String::from("#include <bits/stdc++.h>\nusing namespace std;\nint main() {\n");
        while text.lines().count() < LINES {
            let template = self.pick(&STATEMENTS);
            text.push_str(&self.fill(template, 0));
            text.push('\n');
        }
        text + "}\n"
    }
}

fn course(programs: usize) -> Vec<ComparedProgram> {
    let lexer = LanguageTable::embedded().get("cpp").unwrap().lexer.clone().unwrap();
    let mut author = Author(Pcg64::new(42, 1));
    let mut last = String::new();
    let mut all = Vec::new();
    for number in 0..programs {
        let text = match number % COPY_EVERY {
            1 => last.replace('x', "value").replace("; ", ";\n\n  "),
            _ => author.write_program(),
        };
        last.clone_from(&text);
        let file = ComparedFile { path: format!("{number}.cpp"), text, lexer: lexer.clone() };
        all.push(ComparedProgram { name: format!("{number:04}"), files: vec![file] });
    }
    all
}

fn main() -> ExitCode {
    let programs = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(1000);
    let course = course(programs);
    let copies = (0..programs).filter(|number| number % COPY_EVERY == 1).count();
    let start = Instant::now();
    let all = compare_programs(course, &[], SimilarityOptions { min: 0.0, max: 2 * copies.max(1) });
    let time = start.elapsed();
    let page = similar_page("bench", &all);
    let found = all
        .pairs
        .iter()
        .take(copies)
        .filter(|pair| pair.programs[1] % COPY_EVERY == 1 && pair.programs[0] + 1 == pair.programs[1]);
    let found = found.count();
    let next = all.pairs.get(copies).map_or(0.0, |pair| pair.likeness);
    print_line(&format!(
        "{programs} programs of {LINES} lines: {:.2} s; page of {} KiB",
        time.as_secs_f64(),
        page.len() >> 10
    ));
    print_line(&format!(
        "{found} of {copies} copies before all others; the next pair is {:.0} % alike",
        100.0 * next
    ));
    let wanted = WANTED.mul_f64((programs as f64 / 1000.0).max(1.0).powi(2));
    let passed = time < wanted && found == copies;
    print_line(if passed { "PASS" } else { "FAIL" });
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
