//! Turns a text into tokens that are invariant under renaming, reformatting and changed comments.

use kopek_package::language::{LexerRow, SourceToken, SourceTokens, TokenKind};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// A piece of text that is compared as a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// Equal for all tokens that count as the same.
    pub kind: u64,
    /// The offset of its beginning, in bytes.
    pub start: usize,
    /// The offset of its end.
    pub end: usize,
}

const NAME: u64 = 1;
const NUMBER: u64 = 2;
const TEXT: u64 = 3;
const TYPE: u64 = 4;

/// The class of a word.
#[derive(Clone, Copy)]
enum WordKind {
    Keyword,
    Type,
    Ignored,
}

/// Signs that layout adds or removes: they mark where a statement begins or ends.
const LAYOUT: [&str; 3] = ["{", "}", ";"];

pub(super) fn lex(text: &str, row: &LexerRow) -> Vec<Token> {
    let mut words = HashMap::new();
    for (list, kind) in
        [(&row.ignored, WordKind::Ignored), (&row.types, WordKind::Type), (&row.keywords, WordKind::Keyword)]
    {
        words.extend(list.split_whitespace().map(|word| (word, kind)));
    }
    let mut list = TokenList { text, row, words, tokens: Vec::new() };
    let mut preamble_end = 0;
    for token in SourceTokens::new(text, row).filter(|token| token.kind != TokenKind::Comment) {
        let rest = &text[token.at..];
        if token.begins_line && row.preamble.iter().any(|sign| rest.starts_with(sign)) {
            preamble_end = token.at + rest.find('\n').unwrap_or(rest.len());
        }
        if token.at >= preamble_end {
            list.add(&token);
        }
    }
    list.tokens
}

struct TokenList<'a> {
    text: &'a str,
    row: &'a LexerRow,
    words: HashMap<&'a str, WordKind>,
    tokens: Vec<Token>,
}

impl TokenList<'_> {
    fn add(&mut self, token: &SourceToken) {
        match token.kind {
            TokenKind::Comment => {}
            TokenKind::Quoted if self.is_docstring(token) => {}
            TokenKind::Quoted => self.push_or_widen(TEXT, token),
            TokenKind::Number => self.push(NUMBER, token),
            TokenKind::Word => self.add_word(token),
            TokenKind::Sign => self.add_sign(token),
        }
    }

    fn is_docstring(&self, token: &SourceToken) -> bool {
        let behind = self.text[token.end()..].split('\n').next().unwrap_or_default();
        self.row.docstrings && token.begins_line && behind.trim().is_empty()
    }

    fn add_word(&mut self, token: &SourceToken) {
        let folded = if self.row.fold { token.text.to_lowercase() } else { token.text.to_owned() };
        match self.words.get(folded.as_str()) {
            Some(WordKind::Ignored) => {}
            // `long long` counts as `int`.
            Some(WordKind::Type) => self.push_or_widen(TYPE, token),
            Some(WordKind::Keyword) => self.push(kind_of(&folded), token),
            None => self.push(NAME, token),
        }
    }

    fn add_sign(&mut self, token: &SourceToken) {
        match token.text {
            // A qualifier can be replaced by an import.
            "::" => drop(self.tokens.pop_if(|token| token.kind == NAME)),
            sign if LAYOUT.contains(&sign) => {}
            sign => self.push(kind_of(sign), token),
        }
    }

    fn push(&mut self, kind: u64, token: &SourceToken) {
        self.tokens.push(Token { kind, start: token.at, end: token.end() });
    }

    /// Merges consecutive tokens of one kind.
    fn push_or_widen(&mut self, kind: u64, token: &SourceToken) {
        match self.tokens.last_mut() {
            Some(last) if last.kind == kind => last.end = token.end(),
            Some(_) | None => self.push(kind, token),
        }
    }
}

fn kind_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    // Small numbers are for names, numbers, texts and types.
    hasher.finish() | 1 << 63
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::language::LanguageTable;

    fn kinds(code: &str, text: &str) -> Vec<u64> {
        let table = LanguageTable::embedded();
        lex(text, table.get(code).unwrap().lexer.as_ref().unwrap()).iter().map(|token| token.kind).collect()
    }

    /// Pairs of texts in a language that are the same program.
    const EQUALS: [(&str, &str, &str); 14] = [
        ("c", "for(int i=0;i<n;i++)s+=a[i];", "for (long j = 0; j < len; j++) { // sum\n  t += b[j]; }"),
        ("c", "char c = '\\''; puts(\"a\" \"b\");", "char d='x';/* ' */ puts(\"q\\\"\");"),
        ("c", "if(x<-1)y=**p;", "if (a < -1) { b = * *q; }"),
        ("rust", "f(\"a b\n c d\")", "g(\"x\")"),
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
    fn equivalent_sources_have_equal_tokens() {
        for (code, one, other) in EQUALS {
            assert_eq!(kinds(code, one), kinds(code, other), "{code}: {one}");
        }
    }

    #[test]
    fn other_operators_and_statements_are_other_tokens() {
        assert_ne!(kinds("c", "x = a + b;"), kinds("c", "x = a - b;"));
        assert_ne!(kinds("python3", "if x: y()"), kinds("python3", "while x: y()"));
    }
}
