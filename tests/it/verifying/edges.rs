//! Numbers at the bounds of the statement and just beyond them, as the input validators take them.

use super::verify_with;

/// A statement that describes every line of the input.
fn statement(of_n: &str, of_a: &str) -> String {
    format!(
        "Print the sum.\n\n## Input\n\nThe first line has an integer $n$, {of_n}.\nThe second line has $n$ \
         integers $a_1, \\dots, a_n$ ({of_a}).\n\n## Output\n\nThe sum.\n"
    )
}

#[track_caller]
fn about_bounds(of_n: &str, of_a: &str) -> Vec<String> {
    let text = statement(of_n, of_a);
    let (code, remarks) = verify_with(&[("statement/problem.en.md", Some(&text))]);
    assert_eq!(code, 0, "{remarks:?}");
    let is_edge = |remark: &String| !remark.contains("no input validator has that number");
    remarks.into_iter().filter(is_edge).collect()
}

#[test]
fn bounds_that_the_validators_keep_are_only_counted() {
    assert_eq!(about_bounds("$1 \\le n \\le 9$", "$0 \\le a_i \\le 999$"), Vec::<String>::new());
}

#[test]
fn an_input_beyond_the_statement_that_is_accepted_is_shown() {
    assert_eq!(
        about_bounds("$1 \\le n \\le 9$", "$0 \\le a_i \\le 9$"),
        [
            "warning statement/problem.en.md:6: says `a ≤ 9`, but every input validator accepts a = 10 (line 2, all \
             words): data/secret/1/b.in, changed to `1\\n10` → let an input validator refuse it, or mend the \
             statement"
        ]
    );
    let longer = about_bounds("$1 \\le n \\le 8$", "$0 \\le a_i \\le 999$");
    assert_eq!(longer.len(), 1, "{longer:?}");
    assert!(
        longer[0].contains("says `n ≤ 8`, but every input validator accepts n = 9 (line 1)"),
        "{longer:?}"
    );
}

#[test]
fn a_case_beyond_the_statement_is_named() {
    let found = about_bounds("$1 \\le n \\le 2$", "$0 \\le a_i \\le 999$");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("says `n ≤ 2`, but data/secret/2/c.in has n = 3 (line 1)"), "{found:?}");
}

#[test]
fn an_input_at_a_bound_that_is_refused_is_shown() {
    let found = about_bounds("$1 \\le n \\le 9$", "$0 \\le a_i \\le 1000$");
    assert_eq!(found.len(), 1, "{found:?}");
    let sentence = "says `a ≤ 1000`, but the input validators refuse a = 1000 (line 2, all words), and accept the \
                    next two numbers inside";
    assert!(found[0].contains(sentence), "{found:?}");
}

#[test]
fn a_number_that_the_statement_does_not_place_is_not_tried() {
    let text = "Print the sum.\n\n## Input\n\nSome numbers $a_i$ ($0 \\le a_i \\le 5$), $n$ of them ($1 \\le n \\le 2$).\n";
    assert_eq!(verify_with(&[("statement/problem.en.md", Some(text))]), (0, vec![]));
}
