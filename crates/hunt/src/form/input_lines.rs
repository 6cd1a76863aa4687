//! A case as lines of tokens.

/// A line of an input, without blanks at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InputLine<'a> {
    pub text: &'a str,
    pub tokens: Vec<&'a str>,
}

impl InputLine<'_> {
    /// Whether single blanks separate its tokens.
    pub fn is_plain(&self) -> bool {
        let blanks = self.tokens.len().saturating_sub(1);
        self.tokens.iter().map(|token| token.len()).sum::<usize>() + blanks == self.text.len()
    }
}

/// The lines of a text; empty ones at its end do not count.
pub(super) fn input_lines(text: &str) -> Vec<InputLine<'_>> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let text = line.trim_end();
        lines.push(InputLine { text, tokens: text.split_ascii_whitespace().collect() });
    }
    while lines.last().is_some_and(|line| line.text.is_empty()) {
        lines.pop();
    }
    lines
}

/// Bytes of these lines and their ends.
pub(super) fn bytes_of(lines: &[InputLine]) -> usize {
    lines.iter().map(|line| line.text.len() + 1).sum()
}

/// The value of a token that is an integer as programs write it.
pub(super) fn integer(token: &str) -> Option<i128> {
    let number: i128 = token.parse().ok()?;
    // Sums and differences of two such numbers still fit.
    (number.unsigned_abs() < 1 << 100 && number.to_string() == token).then_some(number)
}

/// Whether a token is an integer as programs write it, however large.
pub(super) fn is_numeral(token: &str) -> bool {
    let digits = token.strip_prefix('-').unwrap_or(token);
    let starts_right = !digits.is_empty() && !digits.starts_with('0');
    token == "0" || starts_right && digits.bytes().all(|byte| byte.is_ascii_digit())
}
