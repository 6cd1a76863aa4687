//! Selects the tokens of a source to mutate.

use kopek_package::language::{LexerRow, SourceToken, SourceTokens, TokenKind, known_lexer};

/// How a language is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    C,
    Java,
    Rust,
    Python,
}

impl Syntax {
    /// The syntax of a language, by its code.
    pub fn of_language(code: &str) -> Option<Syntax> {
        match code {
            "c" | "cpp" | "cgmp" | "cppgmp" => Some(Syntax::C),
            "java" => Some(Syntax::Java),
            "rust" => Some(Syntax::Rust),
            "python3" | "pypy3" | "python3numpy" => Some(Syntax::Python),
            _ => None,
        }
    }

    fn lexer(self) -> &'static LexerRow {
        known_lexer(match self {
            Syntax::C => "cpp",
            Syntax::Java => "java",
            Syntax::Rust => "rust",
            Syntax::Python => "python3",
        })
    }

    /// The length of a part that mutations skip, if one begins here: a preprocessor line, an attribute.
    fn silent_length(self, rest: &str) -> Option<usize> {
        match self {
            Syntax::C if rest.starts_with('#') => Some(directive_length(rest)),
            Syntax::Rust if rest.starts_with("#[") || rest.starts_with("#![") => {
                rest.find(']').or(rest.find('\n')).map(|end| end + 1)
            }
            Syntax::C | Syntax::Java | Syntax::Rust | Syntax::Python => None,
        }
    }
}

/// The tokens of a source that a mutation may change, and their neighbours.
pub(super) fn read_tokens(source: &str, syntax: Syntax) -> Vec<SourceToken<'_>> {
    let mut tokens = Vec::new();
    let mut silent_end = 0;
    for token in SourceTokens::new(source, syntax.lexer()).filter(|token| token.kind != TokenKind::Comment) {
        if token.at < silent_end {
            continue;
        }
        match syntax.silent_length(&source[token.at..]) {
            Some(length) => silent_end = token.at + length,
            None => tokens.push(token),
        }
    }
    tokens
}

/// The length of a preprocessor line with its continuation lines.
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
