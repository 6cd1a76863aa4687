//! Pairs file names: which are an input and its answer.

use std::collections::BTreeMap;

/// An input and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePair {
    /// The common part of both names.
    pub title: String,
    pub input: String,
    pub answer: String,
    /// Further answers of this input; their names do not show which one is right.
    pub others: Vec<String>,
}

/// The pairs among the names of one folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilePairs {
    pub pairs: Vec<FilePair>,
    /// Inputs without an answer.
    pub unanswered: Vec<String>,
}

/// Names of sibling folders of inputs and of answers.
pub const PAIRED_FOLDERS: [(&str, &str); 3] = [("in", "out"), ("input", "output"), ("inputs", "outputs")];

/// How names of inputs map to names of answers, best first. `*` is the common part, `#` a number.
const FORMS: [(&str, &[&str]); 16] = [
    ("*.in", &["*.ans", "*.out", "*.sol", "*.expected", "*.ok", "*.ou", "*.a"]),
    ("*.in.txt", &["*.ans.txt", "*.out.txt"]),
    ("*.inp", &["*.ans", "*.out", "*.oup"]),
    // cpbooster writes the program's output to `*.out#`, beside `*.ans#`.
    ("*.in#", &["*.ans#", "*.out#", "*.ou#"]),
    ("*.in.#", &["*.ans.#", "*.out.#", "*.ou.#"]),
    ("i.#", &["o.#"]),
    // `*.cpin` without a number is the last run of cp.nvim.
    ("*.#.cpin", &["*.#.cpout"]),
    ("*_input#.txt", &["*_output#.txt", "*_answer#.txt"]),
    ("*-input#.txt", &["*-output#.txt", "*-answer#.txt"]),
    ("input*.txt", &["output*.txt", "answer*.txt"]),
    ("in*.txt", &["out*.txt", "ans*.txt"]),
    ("*input.txt", &["*output.txt", "*answer.txt"]),
    ("*.input", &["*.output", "*.answer"]),
    ("input.*", &["output.*", "answer.*"]),
    ("input", &["output", "answer"]),
    ("#", &["#.a", "#.ans", "#.out"]),
];

/// Pairs the names of one folder, ignoring case.
pub fn pair_files(names: &[String]) -> FilePairs {
    let there = by_small_name(names);
    let mut found = FilePairs::default();
    for name in names {
        let Some(form) = as_input(name) else { continue };
        let answers: Vec<String> =
            form.answers.iter().filter_map(|answer| there.get(answer)).cloned().cloned().collect();
        match answers.split_first() {
            Some((answer, others)) => found.pairs.push(FilePair {
                title: form.title,
                input: name.clone(),
                answer: answer.clone(),
                others: others.to_vec(),
            }),
            None if form.certain => found.unanswered.push(name.clone()),
            None => {}
        }
    }
    found
}

/// Pairs names of a folder of inputs with those of a folder of answers: equal names, equal stems, or `input1.txt`
/// with `output1.txt`.
pub fn pair_folders(inputs: &[String], answers: &[String]) -> Vec<FilePair> {
    let there = by_small_name(answers);
    let stem = |name: &str| name.split_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let pair = |input: &String| {
        let named = as_input(input).map(|form| form.answers).unwrap_or_default();
        let answer = answers
            .iter()
            .find(|answer| *answer == input)
            .or_else(|| named.iter().find_map(|name| there.get(name)).copied())
            .or_else(|| answers.iter().find(|answer| stem(answer) == stem(input)))?;
        let input = input.clone();
        let answer = answer.clone();
        Some(FilePair { title: stem(&input), input, answer, others: Vec::new() })
    };
    inputs.iter().filter_map(pair).collect()
}

fn by_small_name(names: &[String]) -> BTreeMap<String, &String> {
    names.iter().map(|name| (name.to_ascii_lowercase(), name)).collect()
}

/// An input, with the possible names of its answer.
struct InputName {
    title: String,
    /// Possible names of its answer, in lower case.
    answers: Vec<String>,
    /// Whether such a name hardly has another meaning.
    certain: bool,
}

fn as_input(name: &str) -> Option<InputName> {
    let small = name.to_ascii_lowercase();
    FORMS.iter().find_map(|(form, answers)| {
        let (common, number) = parts_of(form, &small)?;
        let fill = |form: &&str| form.replacen('*', common, 1).replacen('#', number, 1);
        Some(InputName {
            title: title_of(form, name, common, number),
            answers: answers.iter().map(fill).collect(),
            certain: form.contains('*'),
        })
    })
}

/// The parts of a name that match `*` and `#`.
fn parts_of<'a>(form: &str, name: &'a str) -> Option<(&'a str, &'a str)> {
    let (before, after) = form.split_once('*').map_or((None, form), |(before, after)| (Some(before), after));
    let (rest, number) = match after.split_once('#') {
        None => (name.strip_suffix(after)?, ""),
        Some((middle, end)) => {
            let name = name.strip_suffix(end)?;
            let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
            if bare.len() == name.len() {
                return None;
            }
            (bare.strip_suffix(middle)?, &name[bare.len()..])
        }
    };
    match before {
        Some(before) => Some((rest.strip_prefix(before)?, number)),
        None => rest.is_empty().then_some(("", number)),
    }
}

/// The title of `1.in` is `1`; that of `input1.txt` is its whole stem, because `1` would say little; that of
/// `a.in3` is `a-3`.
fn title_of(form: &str, name: &str, common: &str, number: &str) -> String {
    let before = form.split_once('*').map_or("", |(before, _)| before);
    // Only ASCII letters were lowered, so the lengths are equal.
    let common = &name[..before.len() + common.len()];
    let parts =
        [common.trim_end_matches(['.', '_', '-']), number].into_iter().filter(|part| !part.is_empty());
    let title = parts.collect::<Vec<_>>().join("-");
    if title.is_empty() { name.to_owned() } else { title }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(names: &[&str]) -> Vec<String> {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let found = pair_files(&names);
        let unanswered = found.unanswered.into_iter().map(|name| format!("{name} alone"));
        let pairs = found.pairs.into_iter().map(|pair| {
            let others =
                if pair.others.is_empty() { String::new() } else { format!(" or {}", pair.others.join(" ")) };
            format!("{}: {} {}{others}", pair.title, pair.input, pair.answer)
        });
        pairs.chain(unanswered).collect()
    }

    #[test]
    fn inputs_have_the_answers_that_each_convention_means() {
        for (names, expected) in [
            (&["1.in", "1.out"][..], "1: 1.in 1.out"),
            (&["1.IN", "1.ANS"], "1: 1.IN 1.ANS"),
            (&["1.in", "1.ans", "1.out"], "1: 1.in 1.ans or 1.out"),
            (&["I.1", "O.1"], "1: I.1 O.1"),
            (&["01", "01.a", "README"], "01: 01 01.a"),
            (&["01", "02"], ""),
            (&["sum.in1", "sum.ou1"], "sum-1: sum.in1 sum.ou1"),
            (&["sum.in1", "sum.out1", "sum.ans1"], "sum-1: sum.in1 sum.ans1 or sum.out1"),
            (&["sum.in.1", "sum.out.1"], "sum-1: sum.in.1 sum.out.1"),
            (&["sum.10.in", "sum.10.ok"], "sum.10: sum.10.in sum.10.ok"),
            (&["task.s1-1.in", "task.s1-1.sol"], "task.s1-1: task.s1-1.in task.s1-1.sol"),
            (&["SUM.INP", "SUM.OUT"], "SUM: SUM.INP SUM.OUT"),
            (&["a_input0.txt", "a_output0.txt"], "a-0: a_input0.txt a_output0.txt"),
            (&["abc.1.cpin", "abc.1.cpout", "abc.cpin", "abc.cpout"], "abc-1: abc.1.cpin abc.1.cpout"),
            (&["input1.txt", "output1.txt"], "input1: input1.txt output1.txt"),
            (&["input", "output"], "input: input output"),
            (&["a.in", "a.in1"], "a.in alone, a.in1 alone"),
            (&["Ä 1.IN", "Ä 1.out"], "Ä 1: Ä 1.IN Ä 1.out"),
        ] {
            assert_eq!(pairs(names).join(", "), expected, "{names:?}");
        }
    }

    #[test]
    fn folders_side_by_side_are_paired_by_name_stem_or_form() {
        let all = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        for (input, answer) in [("1.txt", "1.txt"), ("1.in", "1.out"), ("input1.txt", "output1.txt")] {
            assert_eq!(pair_folders(&all(&[input, "x"]), &all(&[answer, "y"])).len(), 1, "{input}");
        }
    }
}
