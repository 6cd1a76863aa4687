//! A mistake of a C or C++ program with its memory, as other builds show it.

use super::source_findings::{compiler_findings, stop_of_program};
use kopek_package::package::Message;
use kopek_sentences::Said;

/// A mistake in the program itself. Says nothing about data: a sanitizer would name values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryMistake {
    /// `writes outside an array`.
    pub what: Said,
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
const SIGNS: [(&str, Said); 18] = [
    ("heap-use-after-free", Said::UsesFreed),
    ("stack-use-after", Said::UsesEndedBlock),
    ("double-free", Said::FreesTwice),
    ("stack-overflow", Said::CallsTooDeeply),
    ("error: index ", Said::IndexOutsideArray),
    ("out-of-bounds index", Said::IndexOutsideVector),
    ("std::out_of_range", Said::IndexOutsideVector),
    ("empty container", Said::EmptyContainer),
    ("iterator", Said::InvalidIterator),
    ("division by zero", Said::DividesByZero),
    ("AddressSanitizer: FPE", Said::DividesByZero),
    ("null pointer", Said::NullPointer),
    ("zero page", Said::NullPointer),
    ("signed integer overflow", Said::NumberTooLarge),
    ("without returning a value", Said::NoReturn),
    ("WRITE of size", Said::WritesOutside),
    ("READ of size", Said::ReadsOutside),
    ("std::invalid_argument", Said::TextAsNumber),
];

/// Reports that a variable without a value may explain better.
const VAGUE_SIGNS: [&str; 2] = ["AddressSanitizer: SEGV", "misaligned address"];

impl MemoryMistake {
    /// Reads standard error of the checked run, or else the compiler's warnings. `files` are those of the program.
    pub fn read(stderr: &str, warnings: &str, files: &[&str]) -> Option<MemoryMistake> {
        let begin = BEGINNINGS.iter().filter_map(|mark| stderr.find(mark)).min();
        let report = &stderr[begin.unwrap_or(stderr.len())..];
        let of_report = |what: Said| {
            let stop = stop_of_program(stderr, files.iter().copied());
            MemoryMistake::at(what, stop.as_ref())
        };
        if let Some((_, what)) = SIGNS.iter().find(|(sign, _)| report.contains(sign)) {
            return Some(of_report(what.clone()));
        }
        let vague = VAGUE_SIGNS.iter().any(|sign| report.contains(sign));
        unset_variable(warnings).or_else(|| vague.then(|| of_report(Said::WildAddress)))
    }

    /// A program that is right if its variables begin as zero. `warnings` are those of the compiler, which name no case: the
    /// line may be shown to everyone.
    pub fn of_unset_variable(warnings: &str) -> MemoryMistake {
        let what = match unset_variable(warnings) {
            Some(MemoryMistake { what, place: Some(place), .. }) => {
                Said::AtPlace { what: what.into(), place }
            }
            Some(MemoryMistake { what, place: None, .. }) => what,
            None => Said::UsesSomeUnset,
        };
        let what = Said::RightByChance { what: what.into() };
        MemoryMistake { is_unset_variable: true, ..MemoryMistake::at(what, None) }
    }

    fn at(what: Said, found: Option<&Message>) -> MemoryMistake {
        let place = found.and_then(Message::place);
        let place = place.and_then(|place| Some(format!("{}:{}", place.file.display(), place.line?)));
        MemoryMistake { what, place, case: String::new(), is_unset_variable: false }
    }
}

fn unset_variable(warnings: &str) -> Option<MemoryMistake> {
    compiler_findings(warnings).iter().find_map(|warning| {
        let (before, _) = warning.what.split_once(" used uninitialized")?;
        let variable = before.split(['\'', '‘', '’']).nth(1)?.to_owned();
        let is_doubtful = before.ends_with("may be");
        let what = if is_doubtful { Said::MayUseUnset { variable } } else { Said::UsesUnset { variable } };
        Some(MemoryMistake::at(what, Some(warning)))
    })
}

impl MemoryMistake {
    /// `main.cpp:2: writes outside an array`.
    pub fn said(&self) -> Said {
        let what = Box::new(self.what.clone());
        match &self.place {
            Some(place) => Said::About { place: Said::Name { name: place.clone() }.into(), reason: what },
            None => Said::ItDoes { what },
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
        let hint =
            |stderr: &str| MemoryMistake::read(stderr, "", &["a.cpp"]).map(|found| found.said().to_string());
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
            (
                "AddressSanitizer: SEGV on unknown address 0x17",
                Some("it uses an address outside its memory, such as an index far outside an array"),
            ),
            ("null pointer: 17", None),
            ("", None),
        ] {
            assert_eq!(hint(stderr).as_deref(), expected, "{stderr}");
        }
        let warned =
            |text: &str| MemoryMistake::read("", text, &["a.cpp"]).map(|found| found.said().to_string());
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
            assert_eq!(MemoryMistake::of_unset_variable(warnings).said().to_string(), what);
        }
    }
}
