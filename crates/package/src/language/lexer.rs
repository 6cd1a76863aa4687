//! Splits a source into tokens, with the lexer of its language's row. There is no grammar: a source that no
//! compiler accepts may be misread.

use super::{row::LexerRow, table::LanguageTable};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword.
    Word,
    Number,
    /// A string or a character, with its quotes.
    Quoted,
    /// An operator, a bracket or other punctuation.
    Sign,
    /// A comment with its delimiters.
    Comment,
}

/// A token and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceToken<'t> {
    pub kind: TokenKind,
    /// Its text in the source.
    pub text: &'t str,
    /// Its offset in bytes.
    pub at: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Whether only blanks and comments precede it on its line.
    pub begins_line: bool,
}

impl SourceToken<'_> {
    /// The offset of its end, in bytes.
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// Whether it is this sign.
    pub fn is_sign(&self, sign: &str) -> bool {
        self.kind == TokenKind::Sign && self.text == sign
    }

    /// Whether it is this name or keyword.
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text == word
    }
}

/// The lexer of a language in the embedded table, for callers that know that language's syntax.
pub fn known_lexer(code: &str) -> &'static LexerRow {
    let language = LanguageTable::built_in().get(code);
    language.and_then(|language| language.lexer.as_ref()).expect("a language of the embedded table")
}

/// The words, numbers and signs of a source in a language of the embedded table.
pub fn code_words<'t>(text: &'t str, code: &str) -> Vec<&'t str> {
    let is_code = |token: &SourceToken| !matches!(token.kind, TokenKind::Comment | TokenKind::Quoted);
    SourceTokens::new(text, known_lexer(code)).filter(is_code).map(|token| token.text).collect()
}

/// The code alone: each comment becomes a space, and each string becomes `""`.
pub fn bare_code(text: &str, code: &str) -> String {
    let mut bare = String::new();
    let mut end = 0;
    for token in SourceTokens::new(text, known_lexer(code)) {
        bare += &text[end..token.at];
        bare += match token.kind {
            TokenKind::Comment => " ",
            TokenKind::Quoted => "\"\"",
            TokenKind::Word | TokenKind::Number | TokenKind::Sign => token.text,
        };
        end = token.end();
    }
    bare + &text[end..]
}

/// Operators of more than one character; longer ones first.
const OPERATORS: [&str; 40] = [
    "<<=", ">>=", ">>>", "**=", "//=", "===", "!==", "...", "..=", "<=>", "++", "--", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "->", "=>", "::", "**", "//",
    ":=", "<-", "|>", "..", "??", "?.", "<>",
];

/// The tokens of a source, comments included.
pub struct SourceTokens<'t> {
    text: &'t str,
    row: &'t LexerRow,
    at: usize,
    line: usize,
    begins_line: bool,
}

impl<'t> SourceTokens<'t> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'t str, row: &'t LexerRow) -> SourceTokens<'t> {
        SourceTokens { text, row, at: 0, line: 1, begins_line: true }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        for byte in self.rest().bytes().take_while(u8::is_ascii_whitespace) {
            self.at += 1;
            if byte == b'\n' {
                self.line += 1;
                self.begins_line = true;
            }
        }
    }

    /// The kind and the length of the token at the current position.
    fn measure(&self) -> (TokenKind, usize) {
        let first = self.rest().as_bytes()[0];
        if let Some(length) = self.comment_length() {
            (TokenKind::Comment, length)
        } else if let Some(length) = self.quoted_length() {
            (TokenKind::Quoted, length)
        } else if is_word_byte(first) {
            let kind = if first.is_ascii_digit() { TokenKind::Number } else { TokenKind::Word };
            (kind, self.word_length(kind))
        } else {
            (TokenKind::Sign, self.sign_length())
        }
    }

    fn comment_length(&self) -> Option<usize> {
        let rest = self.rest();
        // Blocks first: in Lua they begin like a one-line comment.
        if let Some((open, close)) = self.row.block.iter().find(|(open, _)| rest.starts_with(open)) {
            return Some(block_length(rest, open, close, self.row));
        }
        let is_line = self.row.line.iter().any(|sign| rest.starts_with(sign));
        if is_line { Some(rest.find('\n').unwrap_or(rest.len())) } else { None }
    }

    fn quoted_length(&self) -> Option<usize> {
        let rest = self.rest();
        for (open, close) in &self.row.raw {
            if let Some(inner) = rest.strip_prefix(open.as_str()) {
                return Some(open.len() + inner.find(close.as_str())? + close.len());
            }
        }
        if self.row.chars && rest.starts_with('\'') {
            return character_length(rest);
        }
        let quote = self.row.quotes.iter().find(|quote| rest.starts_with(quote.as_str()))?;
        let bytes = rest.as_bytes();
        let mut at = quote.len();
        while at < bytes.len() {
            if bytes[at..].starts_with(quote.as_bytes()) {
                return Some(at + quote.len());
            }
            // A stray quote must not swallow the rest of the program.
            if bytes[at] == b'\n' && quote.len() == 1 && quote != "`" && !self.row.lines {
                return None;
            }
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        None
    }

    fn word_length(&self, kind: TokenKind) -> usize {
        let rest = self.rest().as_bytes();
        let is_inside = |at: usize| {
            let is_point = kind == TokenKind::Number && rest[at] == b'.';
            is_word_byte(rest[at])
                || (is_point && rest.get(at + 1).is_some_and(u8::is_ascii_digit))
                || (self.row.primes && rest[at] == b'\'')
        };
        (0..rest.len()).find(|at| !is_inside(*at)).unwrap_or(rest.len())
    }

    fn sign_length(&self) -> usize {
        let rest = self.rest();
        let is_one = |sign: &str| self.row.separate.split_whitespace().all(|other| other != sign);
        // Most signs are single characters: this saves a third of the time for a text.
        let may_continue = rest.as_bytes().get(1).is_some_and(u8::is_ascii_punctuation);
        let is_here = |sign: &&str| may_continue && rest.starts_with(*sign) && is_one(sign);
        match OPERATORS.iter().copied().find(is_here) {
            Some(sign) => sign.len(),
            None => rest.chars().next().map_or(1, char::len_utf8),
        }
    }
}

impl<'t> Iterator for SourceTokens<'t> {
    type Item = SourceToken<'t>;

    fn next(&mut self) -> Option<SourceToken<'t>> {
        self.skip_blanks();
        if self.rest().is_empty() {
            return None;
        }
        let (kind, length) = self.measure();
        let text = &self.rest()[..length];
        let token = SourceToken { kind, text, at: self.at, line: self.line, begins_line: self.begins_line };
        self.at += length;
        self.line += memchr::memchr_iter(b'\n', text.as_bytes()).count();
        self.begins_line &= kind == TokenKind::Comment;
        Some(token)
    }
}

/// The length of a block comment; an unclosed one ends with the text.
fn block_length(text: &str, open: &str, close: &str, row: &LexerRow) -> usize {
    let mut at = open.len();
    let mut depth = 1;
    while let Some(next) = text[at..].chars().next() {
        if row.nested && text[at..].starts_with(open) {
            depth += 1;
            at += open.len();
        } else if text[at..].starts_with(close) {
            depth -= 1;
            at += close.len();
            if depth == 0 {
                return at;
            }
        } else {
            at += next.len_utf8();
        }
    }
    at
}

/// The length of a character literal. A `'` can also begin a lifetime or a type variable, which has no
/// closing quote.
fn character_length(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().skip(1).take(12);
    let (_, first) = chars.next()?;
    let escaped = first == '\\';
    if escaped {
        chars.next();
    }
    let (at, _) = chars.find(|(_, c)| *c == '\'' || !escaped || *c == '\n')?;
    if text[at..].starts_with('\'') { Some(at + 1) } else { None }
}

/// Includes `$`, which begins names in some languages and means nothing in others.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'t>(text: &'t str, code: &str) -> Vec<&'t str> {
        SourceTokens::new(text, known_lexer(code)).map(|token| token.text).collect()
    }

    #[test]
    fn a_token_ends_where_its_language_ends_it() {
        for (code, text, tokens) in [
            ("cpp", "x<-1 /* < */ <= 1.5e3;", &["x", "<", "-", "1", "/* < */", "<=", "1.5e3", ";"][..]),
            ("cpp", "c = '\\''; s = R\"(\")\"", &["c", "=", "'\\''", ";", "s", "=", "R\"(\")\""]),
            (
                "rust",
                "/* a /* b */ */ f(&'a x, 0..n)",
                &["/* a /* b */ */", "f", "(", "&", "'", "a", "x", ",", "0", "..", "n", ")"],
            ),
            ("rust", "r##\"\"#\"## \"a\n\"", &["r##\"\"#\"##", "\"a\n\""]),
            (
                "python3",
                "x //= 2 # <\n'''a\n'''\n\"it's",
                &["x", "//=", "2", "# <", "'''a\n'''", "\"", "it", "'", "s"],
            ),
            ("haskell", "f x' <- y", &["f", "x'", "<-", "y"]),
            ("pascal", "{ a } x := 'it''s'", &["{ a }", "x", ":=", "'it'", "'s'"]),
        ] {
            assert_eq!(texts(text, code), tokens, "{code}: {text}");
        }
    }

    #[test]
    fn a_token_knows_its_line_and_whether_it_begins_it() {
        let tokens = SourceTokens::new("a /* b\n */ c\n// d\ne", known_lexer("c"));
        let places: Vec<_> = tokens.map(|token| (token.text, token.line, token.begins_line)).collect();
        let expected =
            [("a", 1, true), ("/* b\n */", 1, false), ("c", 2, false), ("// d", 3, true), ("e", 4, true)];
        assert_eq!(places, expected);
    }

    #[test]
    fn bare_code_has_neither_comments_nor_texts() {
        assert_eq!(bare_code("f(\"a\", 'b') # c\n'''\n'''\nd", "python3"), "f(\"\", \"\")  \n\"\"\nd");
        assert_eq!(code_words("a // b\n\"c\" d.e", "java"), ["a", "d", ".", "e"]);
    }

    #[test]
    fn no_text_stops_the_lexer() {
        let odd = "'\"`/*{-(*--[[ \\ é ' \u{1F600} #\n\"\"\"'''$ R\"( r#\" 1.e 0x";
        for language in LanguageTable::built_in().languages() {
            let Some(row) = &language.lexer else { continue };
            for at in odd.char_indices().map(|(at, _)| at) {
                for token in SourceTokens::new(&odd[at..], row) {
                    assert_eq!(&odd[at..][token.at..token.end()], token.text, "{}: {at}", language.code);
                }
            }
        }
    }
}
