//! Sources as tokens, as far as mutations need it: no grammar, and nothing is understood that a
//! compiler would not refuse if it was misunderstood.

/// How a language is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// C, C++.
    C,
    Java,
    Rust,
    Python,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    /// A string or a letter in quotes.
    Quoted,
    Sign,
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SourceToken<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    pub at: usize,
    /// From 1.
    pub line: usize,
}

impl SourceToken<'_> {
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }

    pub fn is_sign(&self, sign: &str) -> bool {
        self.kind == TokenKind::Sign && self.text == sign
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text == word
    }
}

impl Syntax {
    /// The syntax of a language of the table.
    pub fn of_language(code: &str) -> Option<Syntax> {
        match code {
            "c" | "cpp" | "cgmp" | "cppgmp" => Some(Syntax::C),
            "java" => Some(Syntax::Java),
            "rust" => Some(Syntax::Rust),
            "python3" | "pypy3" | "python3numpy" => Some(Syntax::Python),
            _ => None,
        }
    }
}

/// Signs of several letters, the longest first.
const SIGNS: [&str; 33] = [
    "<<=", ">>=", "...", "..=", "**=", "//=", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "->", "=>", "::", "..", "**", "//", ":=", "?.", "::<",
];

/// Reads a source. What lies in comments, quotes and lines for the preprocessor makes no signs.
pub(super) fn read_tokens(source: &str, syntax: Syntax) -> Vec<SourceToken<'_>> {
    let mut reader = TokenReader { source, syntax, at: 0, line: 1, tokens: Vec::new() };
    while reader.at < source.len() {
        reader.read_next();
    }
    reader.tokens
}

struct TokenReader<'a> {
    source: &'a str,
    syntax: Syntax,
    at: usize,
    line: usize,
    tokens: Vec<SourceToken<'a>>,
}

impl<'a> TokenReader<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn skip(&mut self, length: usize) {
        let length = length.min(self.rest().len());
        self.line += self.rest()[..length].matches('\n').count();
        self.at += length;
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let text = &self.rest()[..length];
        self.tokens.push(SourceToken { kind, text, at: self.at, line: self.line });
        self.skip(length);
    }

    fn read_next(&mut self) {
        let rest = self.rest();
        let first = rest.chars().next().expect("something is left");
        if let Some(length) = self.silent_length() {
            self.skip(length);
        } else if first.is_alphabetic() || first == '_' {
            self.read_word();
        } else if first.is_ascii_digit() {
            let is_part = |(at, c): (usize, char)| {
                let is_range = c == '.' && rest[at..].starts_with("..");
                !(c.is_ascii_alphanumeric() || c == '_' || (c == '.' && !is_range))
            };
            let length = rest.char_indices().find(|one| is_part(*one)).map_or(rest.len(), |(at, _)| at);
            self.push(TokenKind::Number, length);
        } else if let Some(length) = self.quoted_length() {
            self.push(TokenKind::Quoted, length);
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign) && self.has_sign(sign));
            self.push(TokenKind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()));
        }
    }

    /// `//` divides in Python only, and `>>` ends two types elsewhere as often as it shifts.
    fn has_sign(&self, sign: &str) -> bool {
        let python = self.syntax == Syntax::Python;
        match sign {
            "//" | "//=" | "**" | "**=" | ":=" => python,
            "&&" | "||" | "++" | "--" | "=>" => !python,
            _ => true,
        }
    }

    /// Blanks, comments, attributes, lines for the preprocessor.
    fn silent_length(&self) -> Option<usize> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        let line = rest.find('\n').unwrap_or(rest.len());
        if first.is_whitespace() {
            return Some(first.len_utf8());
        }
        match self.syntax {
            Syntax::Python => rest.starts_with('#').then_some(line),
            Syntax::C | Syntax::Java | Syntax::Rust if rest.starts_with("//") => Some(line),
            Syntax::C | Syntax::Java | Syntax::Rust if rest.starts_with("/*") => {
                Some(rest.find("*/").map_or(rest.len(), |end| end + 2))
            }
            Syntax::C if rest.starts_with('#') => Some(directive_length(rest)),
            Syntax::Rust if rest.starts_with("#[") || rest.starts_with("#![") => {
                Some(rest.find(']').map_or(line, |end| end + 1))
            }
            Syntax::C | Syntax::Java | Syntax::Rust => None,
        }
    }

    fn read_word(&mut self) {
        let rest = self.rest();
        let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
        let length = rest.find(is_end).unwrap_or(rest.len());
        // Prefixes of strings: `b"x"`, `r#"x"#`, `f'x'`, `u8R"(x)"`.
        let behind = &rest[length..];
        let is_prefix = length <= 3 && rest[..length].chars().all(|c| "bBrRfFuULl8".contains(c));
        if is_prefix && self.syntax == Syntax::Rust && behind.starts_with('#') {
            let marks = behind.len() - behind.trim_start_matches('#').len();
            let end = format!("\"{}", "#".repeat(marks));
            if behind[marks..].starts_with('"') {
                let inner = &behind[marks + 1..];
                let end = inner.find(&end).map_or(behind.len(), |at| marks + 1 + at + end.len());
                return self.push(TokenKind::Quoted, length + end);
            }
        }
        self.push(TokenKind::Word, length);
    }

    fn quoted_length(&self) -> Option<usize> {
        let rest = self.rest();
        let first = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
        for triple in ["\"\"\"", "'''"] {
            if rest.starts_with(triple) && matches!(self.syntax, Syntax::Python | Syntax::Java) {
                return Some(rest[3..].find(triple).map_or(rest.len(), |end| end + 6));
            }
        }
        // A lifetime is no letter in quotes.
        if self.syntax == Syntax::Rust && first == '\'' {
            let is_letter =
                rest.starts_with("'\\") || rest.char_indices().nth(2).is_some_and(|(_, c)| c == '\'');
            if !is_letter {
                return None;
            }
        }
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' if self.syntax != Syntax::Rust => return Some(at),
                c if c == first => return Some(at + 1),
                _ => {}
            }
        }
        Some(rest.len())
    }
}

/// A line for the preprocessor, with those that continue it.
fn directive_length(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(source: &str, syntax: Syntax) -> Vec<&str> {
        read_tokens(source, syntax).iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_quotes_hide_what_is_in_them() {
        assert_eq!(
            texts("#define A \\\n 1\nint a = 'x' /* < */ <= 1.5e3; // >\n\"a<\\\"b\"", Syntax::C),
            ["int", "a", "=", "'x'", "<=", "1.5e3", ";", "\"a<\\\"b\""]
        );
        assert_eq!(
            texts("#[derive(X)]\nfn f<'a>(x: &'a str) { r#\"<\"# ; '\\'' ; 0..n }", Syntax::Rust),
            [
                "fn", "f", "<", "'", "a", ">", "(", "x", ":", "&", "'", "a", "str", ")", "{", "r#\"<\"#",
                ";", "'\\''", ";", "0", "..", "n", "}"
            ]
        );
        assert_eq!(texts("x //= 2 # <\n'''a\n<'''", Syntax::Python), ["x", "//=", "2", "'''a\n<'''"]);
    }

    proptest! {
        #[test]
        fn arbitrary_sources_do_no_harm(source in "\\PC{0,80}") {
            for syntax in [Syntax::C, Syntax::Java, Syntax::Rust, Syntax::Python] {
                for token in read_tokens(&source, syntax) {
                    prop_assert_eq!(&source[token.at..token.end()], token.text);
                }
            }
        }
    }
}
