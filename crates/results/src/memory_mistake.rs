//! A mistake of a C or C++ program with its memory, as other builds show it.

use super::source_findings::{compiler_findings, stop_of_program};
use kopek_base::wording::one_line;
use kopek_package::package::Message;
use std::fmt;

/// A mistake in the program itself. Says nothing about data: a sanitizer would name values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryMistake {
    /// `writes outside an array`.
    pub what: String,
    /// `main.cpp:2`, where it stopped on the case; `None`: not known.
    pub place: Option<String>,
    /// The case that shows it.
    pub case: String,
    /// Whether the program is right if its variables begin as zero.
    pub is_unset_variable: bool,
}

/// Where a report begins: the program may write anything before it.
const BEGINNINGS: [&str; 4] =
    [": runtime error: ", "AddressSanitizer", "Error: attempt to ", "terminate called after throwing"];

/// Words of reports, and what they mean. The first that is found counts.
const SIGNS: [(&str, &str); 18] = [
    ("heap-use-after-free", "uses memory that was freed"),
    ("stack-use-after", "uses a local variable of a block that has ended"),
    ("double-free", "frees memory twice"),
    ("stack-overflow", "calls functions too deeply, or has local arrays that are too large"),
    ("error: index ", "uses an index outside an array"),
    ("out-of-bounds index", "uses an index outside a vector or string"),
    ("std::out_of_range", "uses an index outside a vector or string"),
    ("empty container", "takes an element of an empty container"),
    ("iterator", "uses an iterator that is not valid"),
    ("division by zero", "divides by zero"),
    ("AddressSanitizer: FPE", "divides by zero"),
    ("null pointer", "uses a null pointer"),
    ("zero page", "uses a null pointer"),
    ("signed integer overflow", "computes a number that is too large for its type"),
    ("without returning a value", "ends a function without `return`"),
    ("WRITE of size", "writes outside an array"),
    ("READ of size", "reads outside an array"),
    ("std::invalid_argument", "converts a text to a number that is none"),
];

/// Reports that a variable without a value may explain better.
const VAGUE_SIGNS: [&str; 2] = ["AddressSanitizer: SEGV", "misaligned address"];
const WILD_ADDRESS: &str = "uses an address outside its memory, such as an index far outside an array";

impl MemoryMistake {
    /// Reads standard error of the checked run, or else the compiler's warnings. `files` are those of the program.
    pub fn read(stderr: &str, warnings: &str, files: &[&str]) -> Option<MemoryMistake> {
        let begin = BEGINNINGS.iter().filter_map(|mark| stderr.find(mark)).min();
        let report = &stderr[begin.unwrap_or(stderr.len())..];
        let of_report = |what: &str| {
            let stop = stop_of_program(stderr, files.iter().copied());
            MemoryMistake::at(what.to_owned(), stop.as_ref())
        };
        if let Some((_, what)) = SIGNS.iter().find(|(sign, _)| report.contains(sign)) {
            return Some(of_report(what));
        }
        let vague = VAGUE_SIGNS.iter().any(|sign| report.contains(sign));
        unset_variable(warnings).or_else(|| vague.then(|| of_report(WILD_ADDRESS)))
    }

    /// A program that is right if its variables begin as zero. `warnings` are those of the compiler, which name no case: the
    /// line may be shown to everyone.
    pub fn of_unset_variable(warnings: &str) -> MemoryMistake {
        let what = match unset_variable(warnings) {
            Some(MemoryMistake { what, place: Some(place), .. }) => format!("{what} ({})", one_line(&place)),
            Some(MemoryMistake { what, place: None, .. }) => what,
            None => "uses a variable before it has a value".into(),
        };
        let what = format!("{what}: it is right only where memory happens to be zero");
        MemoryMistake { is_unset_variable: true, ..MemoryMistake::at(what, None) }
    }

    fn at(what: String, found: Option<&Message>) -> MemoryMistake {
        let place = found.and_then(Message::place);
        let place = place.and_then(|place| Some(format!("{}:{}", place.file.display(), place.line?)));
        MemoryMistake { what, place, case: String::new(), is_unset_variable: false }
    }
}

fn unset_variable(warnings: &str) -> Option<MemoryMistake> {
    compiler_findings(warnings).iter().find_map(|warning| {
        let (before, _) = warning.what.split_once(" used uninitialized")?;
        let uses = if before.ends_with("may be") { "may use" } else { "uses" };
        let name = one_line(before.split(['\'', '‘', '’']).nth(1)?);
        Some(MemoryMistake::at(format!("{uses} `{name}` before it has a value"), Some(warning)))
    })
}

/// `main.cpp:2: writes outside an array`.
impl fmt::Display for MemoryMistake {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{}: {}", one_line(place), self.what),
            None => write!(f, "it {}", self.what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_become_sentences_without_values() {
        let asan = "==2==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7f\nWRITE of size 4 at 0x7f thread T0\n    \
                    #0 0x5 in main /exe/a.cpp:2\n";
        let hint = |stderr: &str| MemoryMistake::read(stderr, "", &["a.cpp"]).map(|found| found.to_string());
        for (stderr, expected) in [
            (asan, Some("a.cpp:2: writes outside an array")),
            (
                "a.cpp:7:13: runtime error: index 17 out of bounds for type 'int [3]'",
                Some("a.cpp:7: uses an index outside an array"),
            ),
            (
                "terminate called after throwing an instance of 'std::out_of_range'\n  what():  stoi",
                Some("it uses an index outside a vector or string"),
            ),
            ("AddressSanitizer: SEGV on unknown address 0x17", Some(&*format!("it {WILD_ADDRESS}"))),
            ("null pointer: 17", None),
            ("", None),
        ] {
            assert_eq!(hint(stderr).as_deref(), expected, "{stderr}");
        }
        let warned = |text: &str| MemoryMistake::read("", text, &["a.cpp"]).map(|found| found.to_string());
        let warning = "a.cpp:3:9: warning: 'sum' may be used uninitialized [-Wmaybe-uninitialized]\n";
        assert_eq!(warned(warning).as_deref(), Some("a.cpp:3: may use `sum` before it has a value"));
        assert_eq!(warned("a.cpp:3:9: warning: unused variable 'n' [-Wunused]"), None);
    }

    #[test]
    fn a_variable_without_a_value_is_named_with_its_line_if_the_compiler_knows_it() {
        let warning = "a.cpp:3:9: warning: 'sum' is used uninitialized [-Wuninitialized]\n";
        for (warnings, what) in [
            (
                warning,
                "it uses `sum` before it has a value (a.cpp:3): it is right only where memory happens to be zero",
            ),
            (
                "",
                "it uses a variable before it has a value: it is right only where memory happens to be zero",
            ),
        ] {
            assert_eq!(MemoryMistake::of_unset_variable(warnings).to_string(), what);
        }
    }
}
