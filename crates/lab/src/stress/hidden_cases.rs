//! Which inputs would reveal a hidden case of a package.

use super::{counter_example::InputOrigin, hunting_ground::KnownTest, input_text::count_tokens};
use anyhow::{Context, Result};
use kopek_package::package::{Package, TestSet, read_tests};
use std::{
    collections::{HashMap, HashSet},
    fs,
};

/// All cases of a package but the samples that count. Cases that a teacher leaves out stay hidden.
#[derive(Debug, Default)]
pub(super) struct HiddenCases {
    /// Their tokens.
    known: HashSet<blake3::Hash>,
    sizes: HashMap<String, CaseSize>,
}

#[derive(Debug, Clone, Copy)]
struct CaseSize {
    tokens: usize,
    bytes: usize,
}

/// Larger inputs are not shown, so they are not compared.
pub(super) const MAX_SHOWN: u64 = 1 << 20;

/// A case with more blanks than this could have few tokens; such cases do not exist.
const MAX_READ: u64 = 8 * MAX_SHOWN;

/// Changes of a case with at most this number of tokens are as good as new: a few random numbers are such inputs, too.
const FEW_TOKENS: usize = 12;

impl HiddenCases {
    /// Reads the data of the package; `counting` are the cases that are not left out.
    pub fn read(package: &Package, counting: &TestSet) -> Result<HiddenCases> {
        let (all, _) = read_tests(package)?;
        let public: HashSet<&str> = counting
            .cases
            .iter()
            .map(|case| case.name.as_str())
            .filter(|name| is_sample_name(name))
            .collect();
        let mut hidden = HiddenCases::default();
        for case in all.cases.iter().filter(|case| !public.contains(case.name.as_str())) {
            let path = &case.input;
            let size = fs::metadata(path).with_context(|| format!("read {}", path.display()))?.len();
            if size <= MAX_READ {
                let bytes = fs::read(path).with_context(|| format!("read {}", path.display()))?;
                hidden.known.insert(tokens_hash(&bytes));
                let size = CaseSize { tokens: count_tokens(&bytes), bytes: bytes.len() };
                hidden.sizes.insert(case.name.clone(), size);
            }
        }
        Ok(hidden)
    }

    /// Whether an input is a hidden case.
    pub fn contains(&self, input: &[u8]) -> bool {
        self.known.contains(&tokens_hash(input))
    }

    /// Whether an input shows most of the hidden case that it was made from. Tokens that repeat the one before them
    /// show nothing: a thousand zeros are as good as new.
    pub fn is_revealed_by(&self, input: &[u8], origin: &InputOrigin) -> bool {
        let (name, few) = match origin {
            InputOrigin::Command(_) => return false,
            InputOrigin::Case(name) => (name, 0),
            InputOrigin::ChangedCase(name) => (name, FEW_TOKENS),
        };
        match self.sizes.get(name) {
            Some(&CaseSize { tokens, bytes }) => {
                tokens > few && 2 * count_new_tokens(input) > tokens && 2 * input.len() > bytes
            }
            // It is a sample, or too large to be compared.
            None => false,
        }
    }
}

pub(super) fn is_sample(test: &KnownTest) -> bool {
    is_sample_name(&test.name)
}

fn is_sample_name(name: &str) -> bool {
    name.starts_with("sample/")
}

/// Tokens that differ from the one before them, without lines that repeat the one before them.
fn count_new_tokens(input: &[u8]) -> usize {
    let mut lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
    lines.dedup();
    let line_tokens = lines.iter().flat_map(|line| line.split(u8::is_ascii_whitespace));
    let mut tokens: Vec<&[u8]> = line_tokens.filter(|token| !token.is_empty()).collect();
    tokens.dedup();
    tokens.len()
}

fn tokens_hash(bytes: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for token in bytes.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()) {
        hasher.update(token);
        hasher.update(b" ");
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_made_from_a_case_shows_at_most_half_of_it() {
        let mut hidden = HiddenCases::default();
        hidden.sizes.insert("secret/1".into(), CaseSize { tokens: 5, bytes: 20 });
        let case = InputOrigin::Case("secret/1".into());
        for (input, is_revealed) in [
            ("4\n111 222 333 4\n", true),
            ("4\n7 7 7 7 7 7 7 7 7 7 7\n", false),
            ("3\n1 2\n1 2\n1 2\n1 2\n1 2\n", true),
            ("2\n1 1\n1 1\n1 1\n1 1\n1 1\n", false),
            ("4\n1 2 3\n", false),
        ] {
            assert_eq!(hidden.is_revealed_by(input.as_bytes(), &case), is_revealed, "{input}");
        }
        assert!(!hidden.is_revealed_by(b"4\n111 222 333 4\n", &InputOrigin::Case("sample/1".into())));
    }

    #[test]
    fn blanks_make_no_difference() {
        assert_eq!(tokens_hash(b"3\n1 2 3\n"), tokens_hash(b"3 1\r\n2  3"));
        assert_ne!(tokens_hash(b"3\n1 2 3\n"), tokens_hash(b"3\n12 3\n"));
    }
}
