//! Generators of graphs that loop for ever with other numbers than those of their recipe, as most do.

use super::{kopek, report, submission, text_of, write_file};
use crate::scratch;
use std::path::Path;

/// A tree, and then more edges than there may be if `m` is too great.
const GENERATOR: &str = "#include <stdio.h>
#include <stdlib.h>
int main(int c, char **v) { int n = atoi(v[1]), m = atoi(v[2]), e = 0; unsigned long s = strtoul(v[3], 0, 10) * 2654435761u + 1;
static char has[50][50]; printf(\"%d %d\\n\", n, m);
for (int i = 2; i <= n; i++, e++) { s = s * 6364136223846793005u + 1442695040888963407u; int a = (s >> 33) % (i - 1) + 1;
  has[a][i] = 1; printf(\"%d %d\\n\", a, i); }
while (e != m) { s = s * 6364136223846793005u + 1442695040888963407u; int a = (s >> 33) % n + 1, b = (s >> 45) % n + 1;
  if (a < b && !has[a][b]) { has[a][b] = 1, e++; printf(\"%d %d\\n\", a, b); } } }
";

const VALIDATOR: &str = "#include <stdio.h>
#include <stdlib.h>
static int number(int end) { char s[8]; int i = 0, c;
  while ((c = getchar()) != end) { if (c < '0' || c > '9' || i > 4) exit(43); s[i++] = c; }
  s[i] = 0; if (!i || s[0] == '0') exit(43); return atoi(s); }
int main(void) { static char has[50][50]; int n = number(' '), m = number('\\n'), root[50];
if (n < 2 || n > 40) return 43;
for (int i = 0; i <= n; i++) root[i] = i;
while (m--) { int a = number(' '), b = number('\\n'); if (a >= b || b > n || has[a][b]) return 43;
  has[a][b] = 1; int from = root[a], to = root[b]; for (int i = 1; i <= n; i++) if (root[i] == from) root[i] = to; }
for (int i = 2; i <= n; i++) if (root[i] != root[1]) return 43;
return getchar() == EOF ? 42 : 43; }
";

/// The longest of all shortest ways.
const RIGHT: &str = "#include <stdio.h>
int d[50][50];
int main(void) { int n, m, a, b, best = 0; scanf(\"%d %d\", &n, &m);
for (int i = 1; i <= n; i++) for (int j = 1; j <= n; j++) d[i][j] = i == j ? 0 : 99;
while (m--) { scanf(\"%d %d\", &a, &b); d[a][b] = d[b][a] = 1; }
for (int k = 1; k <= n; k++) for (int i = 1; i <= n; i++) for (int j = 1; j <= n; j++)
  if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
/*S*/ for (int i = 1; i <= n; i++) for (int j = 1; j <= n; j++) if (d[i][j] > best) best = d[i][j];
printf(\"%d\\n\", best); }
";

/// Searches twice, from the farthest town: right for trees and complete graphs, and these are all the tests have.
fn write_package(dir: &Path, cases: &str) {
    let problem = "problem_format_version: 2025-09\nname: Ways\nuuid: 5a6bd2a1-9a6d-4b4c-8f4c-2d6a3c1b0e13\nlimits: {time_limit: 1}\n";
    let twice = RIGHT.replace(
        "/*S*/ for (int i = 1; i <= n; i++) for",
        "int f = 1; for (int i = 1; i <= n; i++) if (d[1][i] > d[1][f]) f = i; for (int i = f; i == f; i++) for",
    );
    let recipe = format!(
        "solution: /submissions/accepted/right.c\ndata:\n  sample:\n    data:\n      one:\n        in: |\n          2 1\n          \
         1 2\n        ans: |\n          1\n  secret:\n    data:\n{cases}"
    );
    for (path, text) in [
        ("problem.yaml", problem),
        ("statement/problem.en.md", "The longest way.\n"),
        ("generators/generators.yaml", &recipe),
        ("generators/gen.c", GENERATOR),
        ("input_validators/validate.c", VALIDATOR),
        ("submissions/accepted/right.c", RIGHT),
        ("submissions/wrong_answer/twice.c", &twice),
    ] {
        write_file(&dir.join(path), text);
    }
}

#[test]
fn a_mistake_is_found_though_most_calls_of_the_generator_hang() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("ways");
    write_package(&dir, "      full: gen.c 10 45 {seed}\n      tree: gen.c 12 11 {seed}\n");
    let wrong = submission(&dir, "wrong_answer/twice.c");
    let args = ["stress", dir.to_str().unwrap(), &wrong, "--format", "json", "--time", "300s"];
    let output = kopek(&scratch::store(), &args);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let report = report(&output);
    assert_eq!(report["findings"][0]["failure"]["verdict"], "wrong_answer", "{report}");
    assert_eq!(report["findings"][0]["shrinking"], "minimal", "{report}");
}

#[test]
fn a_generator_that_always_hangs_makes_a_hunt_incomplete() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    write_file(&home.path().join("hang.c"), "int main(void) { for (volatile int i = 0;; i++); }\n");
    write_file(&home.path().join("right.c"), RIGHT);
    let (right, command) = (path("right.c"), format!("{} {{1..9}} {{seed}}", path("hang.c")));
    let args = ["stress", &right, "--brute", &right, "--gen", &command, "--time", "2s", "--format", "json"];
    let output = kopek(&scratch::store(), &args);
    let faults = report(&output)["faults"].take();
    assert_eq!(output.status.code(), Some(3), "{faults}");
    assert!(text_of(&faults[0]).starts_with("no new input was tried: "), "{faults}");
}
