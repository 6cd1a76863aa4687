//! From a text to tokens that survive renaming, reformatting and comments.

use crate::language::LexerRow;
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// A piece of a text that is compared as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// Equal for all that is taken for the same thing.
    pub kind: u64,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

const NAME: u64 = 1;
const NUMBER: u64 = 2;
const TEXT: u64 = 3;
const TYPE: u64 = 4;

/// What a word is taken for.
#[derive(Clone, Copy)]
enum WordKind {
    Keyword,
    Type,
    Ignored,
}

/// Operators of more than one sign; the longer ones first.
const OPERATORS: [&str; 40] = [
    "<<=", ">>=", ">>>", "**=", "//=", "===", "!==", "...", "..=", "<=>", "++", "--", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "->", "=>", "::", "**", "//",
    ":=", "<-", "|>", "..", "??", "?.", "<>",
];

/// Signs that layout adds or leaves out: they mark where a statement begins or ends.
const LAYOUT: &[u8] = b"{};";

/// The tokens of a text.
pub(super) fn lex(text: &str, row: &LexerRow) -> Vec<Token> {
    let mut words = HashMap::new();
    for (list, kind) in
        [(&row.ignored, WordKind::Ignored), (&row.types, WordKind::Type), (&row.keywords, WordKind::Keyword)]
    {
        words.extend(list.split_whitespace().map(|word| (word, kind)));
    }
    let mut scanner = Scanner { text, row, words, at: 0, line_start: true, tokens: Vec::new() };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.tokens
}

struct Scanner<'a> {
    text: &'a str,
    row: &'a LexerRow,
    words: HashMap<&'a str, WordKind>,
    at: usize,
    /// Whether only white space stands before this place on its line.
    line_start: bool,
    tokens: Vec<Token>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn byte(&self) -> u8 {
        self.text.as_bytes()[self.at]
    }

    fn step(&mut self) {
        let byte = self.byte();
        if byte.is_ascii_whitespace() {
            self.line_start |= byte == b'\n';
            self.at += 1;
        } else if self.line_start && self.row.preamble.iter().any(|sign| self.rest().starts_with(sign)) {
            self.skip_line();
        } else if !self.skip_comment() {
            let first = std::mem::replace(&mut self.line_start, false);
            if let Some(end) = self.end_of_text() {
                self.push_text(end, first);
            } else if is_word_byte(byte) {
                self.push_word();
            } else {
                self.push_operator();
            }
        }
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn skip_comment(&mut self) -> bool {
        // Blocks first: in Lua they begin as a comment of one line does.
        if let Some((open, close)) = self.row.block.iter().find(|(open, _)| self.rest().starts_with(open)) {
            self.skip_block(open, close);
            return true;
        }
        let line = self.row.line.iter().any(|sign| self.rest().starts_with(sign));
        if line {
            self.skip_line();
        }
        line
    }

    fn skip_block(&mut self, open: &str, close: &str) {
        let mut depth = 0;
        while self.at < self.text.len() {
            if self.rest().starts_with(open) && (depth == 0 || self.row.nested) {
                depth += 1;
                self.at += open.len();
            } else if self.rest().starts_with(close) {
                depth -= 1;
                self.at += close.len();
                if depth == 0 {
                    return;
                }
            } else {
                self.at += self.rest().chars().next().map_or(1, char::len_utf8);
            }
        }
    }

    /// Where a quoted text ends that begins here.
    fn end_of_text(&self) -> Option<usize> {
        let rest = self.rest();
        for (open, close) in &self.row.raw {
            if let Some(inner) = rest.strip_prefix(open.as_str()) {
                return Some(self.at + open.len() + inner.find(close.as_str())? + close.len());
            }
        }
        if self.row.chars && rest.starts_with('\'') {
            return self.end_of_character();
        }
        let quote = self.row.quotes.iter().find(|quote| rest.starts_with(quote.as_str()))?;
        self.end_of_quoted(quote)
    }

    /// `'` can also begin a lifetime or a type variable: then nothing closes it soon.
    fn end_of_character(&self) -> Option<usize> {
        let mut chars = self.rest().char_indices().skip(1).take(12);
        let (_, first) = chars.next()?;
        let escaped = first == '\\';
        if escaped {
            chars.next();
        }
        let (at, _) = chars.find(|(_, c)| *c == '\'' || !escaped || *c == '\n')?;
        self.rest()[at..].starts_with('\'').then_some(self.at + at + 1)
    }

    fn end_of_quoted(&self, quote: &str) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + quote.len();
        while at < bytes.len() {
            if bytes[at..].starts_with(quote.as_bytes()) {
                return Some(at + quote.len());
            }
            // A stray quote must not swallow the program.
            if bytes[at] == b'\n' && quote.len() == 1 && quote != "`" {
                return None;
            }
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        None
    }

    fn push_text(&mut self, end: usize, first: bool) {
        let start = std::mem::replace(&mut self.at, end);
        let alone = self.rest().split('\n').next().unwrap_or_default().trim().is_empty();
        if self.row.docstrings && first && alone {
            return;
        }
        self.push_or_widen(Token { kind: TEXT, start, end });
    }

    fn push_word(&mut self) {
        let rest = self.rest().as_bytes();
        let number = rest[0].is_ascii_digit();
        let inside = |at: usize| {
            let byte = rest[at];
            is_word_byte(byte)
                || (number && byte == b'.' && rest.get(at + 1).is_some_and(u8::is_ascii_digit))
                || (self.row.primes && byte == b'\'')
        };
        let length = (0..rest.len()).find(|at| !inside(*at)).unwrap_or(rest.len());
        let (start, end) = (self.at, self.at + length);
        self.at = end;
        if number {
            return self.tokens.push(Token { kind: NUMBER, start, end });
        }
        let word = &self.text[start..end];
        let folded = if self.row.fold { word.to_lowercase() } else { word.to_owned() };
        match self.words.get(folded.as_str()) {
            Some(WordKind::Ignored) => {}
            // `long long` is as good as `int`.
            Some(WordKind::Type) => self.push_or_widen(Token { kind: TYPE, start, end }),
            Some(WordKind::Keyword) => self.tokens.push(Token { kind: kind_of(&folded), start, end }),
            None => self.tokens.push(Token { kind: NAME, start, end }),
        }
    }

    fn push_operator(&mut self) {
        let rest = self.rest();
        let sign = OPERATORS.iter().find(|sign| rest.starts_with(**sign)).copied();
        let sign = sign.unwrap_or_else(|| &rest[..rest.chars().next().map_or(1, char::len_utf8)]);
        let (start, end) = (self.at, self.at + sign.len());
        self.at = end;
        match sign {
            // Where a name comes from can be imported or written before it.
            "::" => drop(self.tokens.pop_if(|token| token.kind == NAME)),
            sign if sign.len() == 1 && LAYOUT.contains(&sign.as_bytes()[0]) => {}
            sign => self.tokens.push(Token { kind: kind_of(sign), start, end }),
        }
    }

    /// Several of a kind in a row are one.
    fn push_or_widen(&mut self, token: Token) {
        match self.tokens.last_mut() {
            Some(last) if last.kind == token.kind => last.end = token.end,
            Some(_) | None => self.tokens.push(token),
        }
    }
}

/// Also `$`, which begins the names of some languages and means nothing in others.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn kind_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    // The small ones are names, numbers, texts and types.
    hasher.finish() | 1 << 63
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::LanguageTable;

    fn kinds(code: &str, text: &str) -> Vec<u64> {
        let table = LanguageTable::embedded();
        lex(text, table.get(code).unwrap().lexer.as_ref().unwrap()).iter().map(|token| token.kind).collect()
    }

    /// Two texts of a language that are the same program.
    const EQUALS: [(&str, &str, &str); 12] = [
        ("c", "for(int i=0;i<n;i++)s+=a[i];", "for (long j = 0; j < len; j++) { // sum\n  t += b[j]; }"),
        ("c", "char c = '\\''; puts(\"a\" \"b\");", "char d='x';/* ' */ puts(\"q\\\"\");"),
        ("cpp", "#include <map>\nstd::map<int,int> m;", "using namespace std;\nmap<long long, int> counts;"),
        ("rust", "fn f<'a>(x: &'a str) -> u8 { b'x' }", "pub fn g<'b>(y: &'b str) -> u64 { b'\\n' }"),
        ("rust", "/* a /* b */ c */ let mut x = 1;", "let y = 2; // it's"),
        ("python3", "def f(x):\n  '''says\n what'''\n  return x # it", "def g(y):\n\n    return y"),
        ("java", "public static int f() { return 1; }", "private final long g() {\n return 2; }"),
        ("javascript", "const x = `a\n${b}`;", "let yy = 'c'"),
        ("pascal", "BEGIN x := 'it''s'; END.", "begin { says } y := 'z'; end."),
        ("lua", "local x = 1 --[[ a\n b ]]", "y = 2 -- c"),
        ("haskell", "f x' = x' {- a {- b -} -}", "g y = y -- c"),
        ("perl", "my $x = 1; # it", "$total = 20;"),
    ];

    #[test]
    fn what_says_nothing_of_the_program_does_not_count() {
        for (code, one, other) in EQUALS {
            assert_eq!(kinds(code, one), kinds(code, other), "{code}: {one}");
        }
    }

    #[test]
    fn what_the_program_does_counts() {
        assert_ne!(kinds("c", "x = a + b;"), kinds("c", "x = a - b;"));
        assert_ne!(kinds("python3", "if x: y()"), kinds("python3", "while x: y()"));
    }

    #[test]
    fn no_text_stops_the_lexer() {
        let odd = "'\"`/*{-(*--[[ \\ é ' \u{1F600} #\n\"\"\"'''$ R\"( r#\" 1.e 0x";
        for language in LanguageTable::embedded().languages() {
            let Some(row) = &language.lexer else { continue };
            for at in odd.char_indices().map(|(at, _)| at) {
                for token in lex(&odd[at..], row) {
                    assert!(odd[at..].get(token.start..token.end).is_some(), "{}: {at}", language.code);
                }
            }
        }
    }
}
