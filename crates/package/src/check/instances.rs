//! Counts the correct instances of a file with many. Only information: the file is judged as a whole.

use super::{CompareOptions, compare, tape::is_space};

/// The instances of a file, and the number of correct ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstanceCount {
    pub all: usize,
    /// The number of correct instances.
    pub right: usize,
    /// The first wrong instance, from 1.
    pub first_wrong: usize,
}

impl InstanceCount {
    pub fn in_words(&self) -> String {
        format!("right on {} of {} instances, first wrong: {}", self.right, self.all, self.first_wrong)
    }
}

/// Counts instances if the first line of the input is their number, and each has one line in the input and
/// one in the answer. `None` for another form, or if nothing is wrong.
pub fn count_instances(
    input: &[u8],
    answer: &[u8],
    output: &[u8],
    options: &CompareOptions,
) -> Option<InstanceCount> {
    let input = filled_lines(input);
    let answer = filled_lines(answer);
    let output = filled_lines(output);
    let number = std::str::from_utf8(input.first()?).ok()?.trim();
    let all: usize = number.parse().ok().filter(|number| *number > 1)?;
    if input.len() != all + 1 || answer.len() != all || output.len() > all {
        return None;
    }
    let is_right =
        |at: &usize| output.get(*at).is_some_and(|line| compare(answer[*at], line, options).is_none());
    let first_wrong = (0..all).find(|at| !is_right(at))? + 1;
    Some(InstanceCount { all, right: (0..all).filter(is_right).count(), first_wrong })
}

fn filled_lines(text: &[u8]) -> Vec<&[u8]> {
    let is_filled = |line: &&[u8]| !line.iter().copied().all(is_space);
    text.split(|byte| *byte == b'\n').filter(is_filled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(input: &str, answer: &str, output: &str) -> Option<String> {
        let options = CompareOptions::parse(&[]).unwrap();
        let count = count_instances(input.as_bytes(), answer.as_bytes(), output.as_bytes(), &options);
        count.map(|count| count.in_words())
    }

    #[test]
    fn instances_are_counted_where_each_has_a_line() {
        let input = "3\n1 2\n3 4\n5 6\n";
        let some = words(input, "3\n7\n11\n", "3\n\n8\n11");
        assert_eq!(some.as_deref(), Some("right on 2 of 3 instances, first wrong: 2"));
        let short = words(input, "yes\nno\nyes\n", "YES\n");
        assert_eq!(short.as_deref(), Some("right on 1 of 3 instances, first wrong: 2"));
    }

    #[test]
    fn other_files_have_no_instances() {
        for (input, answer, output) in [
            ("3\n1 2 3\n", "1\n2\n3\n", "1\n"),
            ("2\n1\n2\n", "1\n", "2\n"),
            ("2\n1\n2\n", "1\n2\n", "1\n2\n3\n"),
            ("1\n1\n", "1\n", "2\n"),
            ("a b\n", "1\n", "2\n"),
            ("2\n1\n2\n", "1\n2\n", "1\n2\n"),
        ] {
            assert_eq!(words(input, answer, output), None, "{input:?}");
        }
    }
}
