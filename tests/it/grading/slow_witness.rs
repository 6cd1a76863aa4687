//! A submission that slows the witness down gains nothing: it is never accepted.

use super::{json, kopek};
use crate::handing_in::graded::{sums_package, write_file};
use serde_json::Value;

/// Uses 1.6 times the limit, then answers right. `ATTACK` runs again and again until then.
const PROGRAM: &str = r"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static double used(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
static char cache[64 << 20];
static void evict(void) { for (size_t i = 0; i < sizeof cache; i += 64) cache[i]++; }
static void dirty(void) {
    FILE *f = fopen(used() > 0.1 ? `/box/a` : `/box/b`, `w`);
    if (f) { fwrite(cache, 1, 16 << 20, f); fclose(f); }
}
static void leave(void) {
    static int left;
    if (left++ < 4 && !fork()) { setsid(); for (;;) evict(); }
}
int main(void) {
    int a, b;
    if (scanf(`%d %d`, &a, &b) != 2) return 1;
    while (used() < 0.32) ATTACK();
    printf(`%d\n`, a + b);
}
";

/// Evicts the caches in the next slot.
const COLLUDER: &str = r"
static char cache[64 << 20];
int main(void) { for (int n = 0; n < 40; n++) for (unsigned i = 0; i < sizeof cache; i += 64) cache[i]++; }
";

const SUM: &str =
    "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); }\n";

#[test]
fn slowing_the_witness_down_never_makes_a_submission_accepted() {
    let home = tempfile::tempdir().unwrap();
    let at = |path: &str| home.path().join(path);
    sums_package(&at("sums"));
    let limits = std::fs::read_to_string(at("sums/problem.yaml")).unwrap();
    write_file(&at("sums/problem.yaml"), &limits.replace("time_limit: 5", "time_limit: 0.2"));
    write_file(&at("sums/submissions/accepted/sum.c"), SUM);
    let attacks = ["evict", "dirty", "leave"];
    for attack in attacks {
        write_file(&at(&format!("class/{attack}.c")), &PROGRAM.replace('`', "\"").replace("ATTACK", attack));
        write_file(&at(&format!("class/{attack}-friend.c")), COLLUDER);
    }
    let mut command = kopek();
    command.current_dir(home.path()).args(["grade", "sums", "class", "--format", "json", "--store", "store"]);
    let graded = json(&command.output().unwrap());
    for attack in attacks {
        let row =
            graded["participants"].as_array().unwrap().iter().find(|row| row["name"] == attack).unwrap();
        assert_ne!(row["verdict"], "AC", "{row:#}");
        for group in row["groups"].as_array().unwrap() {
            assert!(group["points"] == 0 || group["points"] == Value::Null, "{group:#}");
        }
    }
    assert_ne!(graded["slowdown"], Value::Null, "the witness ran");
}
