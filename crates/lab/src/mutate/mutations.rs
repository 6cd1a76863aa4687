//! Small changes of a source that resemble human mistakes. Each either changes the behaviour of the program, does not
//! compile, or is equivalent; other modules find out which.

use super::{
    source_tokens::{Syntax, read_tokens},
    word_tables::{KEPT_STATEMENTS, PYTHON_WORDS, SIGNS, TYPES, WORDS},
};
use kopek_package::language::{SourceToken, TokenKind};
use kopek_results::Mutation;
use std::{collections::HashSet, ops::Range};

/// All mutations of a source, each text once.
pub(super) fn list_mutations(source: &str, syntax: Syntax) -> Vec<Mutation> {
    let tokens = read_tokens(source, syntax);
    let mut list = MutationList { source, syntax, tokens: &tokens, found: Vec::new() };
    for at in 0..tokens.len() {
        if !list.is_declaration(at) {
            list.exchange(at);
            list.change_number(at);
            list.swap_pair(at);
        }
        list.change_condition(at);
        list.narrow_type(at);
    }
    match syntax {
        Syntax::Python => list.drop_python_lines(),
        Syntax::C | Syntax::Java | Syntax::Rust => list.drop_statements(),
    }
    let mut known = HashSet::from([normal_form(source, syntax)]);
    list.found.retain(|mutation| known.insert(normal_form(&mutation.applied_to(source), syntax)));
    list.found
}

/// A source without its comments and blanks: equal results mean equal programs. For Python, lines are kept.
pub(super) fn normal_form(source: &str, syntax: Syntax) -> String {
    let mut text = String::new();
    let mut line = 0;
    for token in read_tokens(source, syntax) {
        if syntax == Syntax::Python && token.line != line {
            let before = &source[..token.at];
            let indent = before.len() - before.rfind('\n').map(|at| at + 1).unwrap_or_default();
            text += &format!("\n{indent}:");
            line = token.line;
        }
        text += token.text;
        text.push(' ');
    }
    text
}

struct MutationList<'a> {
    source: &'a str,
    syntax: Syntax,
    tokens: &'a [SourceToken<'a>],
    found: Vec<Mutation>,
}

impl<'a> MutationList<'a> {
    fn token(&self, at: usize) -> Option<&'a SourceToken<'a>> {
        self.tokens.get(at)
    }

    fn before(&self, at: usize) -> Option<&'a SourceToken<'a>> {
        at.checked_sub(1).and_then(|at| self.token(at))
    }

    fn add(&mut self, kind: &'static str, range: Range<usize>, by: impl Into<String>, line: usize) {
        self.found.push(Mutation { kind, range, by: by.into(), line });
    }

    /// Whether a token is in a line of imports or declarations, where mutations have no effect.
    fn is_declaration(&self, at: usize) -> bool {
        let line = self.tokens[at].line;
        let first = self.tokens[..=at].iter().rev().take_while(|token| token.line == line).last();
        first.is_some_and(|first| {
            first.kind == TokenKind::Word
                && matches!(
                    first.text,
                    "import" | "from" | "use" | "using" | "package" | "typedef" | "mod" | "extern"
                )
        })
    }

    fn exchange(&mut self, at: usize) {
        let token = self.tokens[at];
        let table: &[(&str, &[&str], &str)] = match token.kind {
            TokenKind::Sign => &SIGNS,
            TokenKind::Word => &WORDS,
            TokenKind::Number | TokenKind::Quoted | TokenKind::Comment => return,
        };
        let Some((_, others, kind)) = table.iter().find(|(text, ..)| *text == token.text) else { return };
        // A sign without a value before it belongs to the next token.
        let is_unary =
            token.kind == TokenKind::Sign && matches!(token.text, "-" | "+" | "*") && !self.ends_value(at);
        if is_unary || (matches!(token.text, "<" | ">") && self.is_type_bracket(at)) {
            return;
        }
        for other in others.iter() {
            self.add(kind, token.at..token.end(), *other, token.line);
        }
        self.drop_modulus(at);
    }

    /// Whether a value ends before a token.
    fn ends_value(&self, at: usize) -> bool {
        self.before(at).is_some_and(|before| match before.kind {
            TokenKind::Word => {
                !matches!(before.text, "return" | "in" | "and" | "or" | "not" | "if" | "else" | "print")
            }
            TokenKind::Number | TokenKind::Quoted => true,
            TokenKind::Sign => matches!(before.text, ")" | "]"),
            TokenKind::Comment => false,
        })
    }

    /// `vector<int>` is not a comparison. A wrong guess does not compile.
    fn is_type_bracket(&self, at: usize) -> bool {
        if self.syntax == Syntax::Python {
            return false;
        }
        let token = self.tokens[at];
        let gap_before = self.source[..token.at].ends_with(' ');
        let gap_behind = self.source[token.end()..].starts_with(' ');
        let is_type = |word: &str| word.starts_with(char::is_uppercase) || TYPES.contains(&word);
        let beside = [self.before(at), self.token(at + 1)];
        (!gap_before || !gap_behind)
            && beside.into_iter().flatten().any(|one| one.kind == TokenKind::Word && is_type(one.text))
    }

    /// `x % m` becomes `x`, where `m` is one token.
    fn drop_modulus(&mut self, at: usize) {
        let token = self.tokens[at];
        let Some(next) = self.token(at + 1) else { return };
        let is_alone = self.token(at + 2).is_none_or(|after| !after.is_sign("(") && !after.is_sign("["));
        if token.is_sign("%") && matches!(next.kind, TokenKind::Word | TokenKind::Number) && is_alone {
            self.add("modulus dropped", token.at..next.end(), "", token.line);
        }
    }

    fn change_number(&mut self, at: usize) {
        let token = self.tokens[at];
        let next = self.token(at + 1);
        // A fraction, or a method of a number.
        let has_point = next.is_some_and(|next| next.is_sign(".") && next.at == token.end());
        if token.kind != TokenKind::Number || has_point {
            return;
        }
        let digits = token.text.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(token.text.len());
        let (number, suffix) = token.text.split_at(digits);
        let Ok(value) = number.replace('_', "").parse::<i128>() else { return };
        let is_plain = suffix.chars().all(|c| "uUlL".contains(c)) || suffix.starts_with(['i', 'u']);
        if !is_plain || (number.len() > 1 && number.starts_with('0')) {
            return;
        }
        let mut values = vec![value + 1];
        if value > 0 {
            values.push(value - 1);
        }
        if value >= 1000 {
            values.push(value / 10);
        }
        for value in values {
            self.add("constant", token.at..token.end(), format!("{value}{suffix}"), token.line);
        }
    }

    /// `f(a, b)` becomes `f(b, a)`, `a[i][j]` becomes `a[j][i]`; only for single words and numbers.
    fn swap_pair(&mut self, at: usize) {
        let is = |sign: &str, behind: usize| self.token(at + behind).is_some_and(|token| token.is_sign(sign));
        let (second, kind) = match () {
            () if is("(", 0) && is(",", 2) && is(")", 4) => (3, "swapped arguments"),
            () if is("[", 0) && is("]", 2) && is("[", 3) && is("]", 5) => (4, "swapped indices"),
            () => return,
        };
        let (first, second) = (self.tokens[at + 1], self.tokens[at + second]);
        let is_simple = |token: SourceToken| matches!(token.kind, TokenKind::Word | TokenKind::Number);
        if !is_simple(first) || !is_simple(second) {
            return;
        }
        // For min and max the order does not matter.
        let is_symmetric =
            self.before(at).is_some_and(|name| matches!(name.text, "min" | "max" | "gcd" | "swap"));
        if first.text != second.text && !is_symmetric {
            let between = &self.source[first.end()..second.at];
            self.add(
                kind,
                first.at..second.end(),
                format!("{}{between}{}", second.text, first.text),
                first.line,
            );
        }
    }

    /// Makes a condition always or never true, or drops a negation.
    fn change_condition(&mut self, at: usize) {
        let token = self.tokens[at];
        if token.is_word("not")
            || (token.is_sign("!") && self.token(at + 1).is_some_and(|next| next.at == token.end()))
        {
            // `not in` is one comparison.
            if !self.token(at + 1).is_some_and(|next| {
                next.is_word("in") || next.is_sign("[") || next.is_sign("(") && self.is_macro(at)
            }) {
                self.add("negation dropped", token.at..token.end(), "", token.line);
            }
        }
        if !(token.is_word("if") || token.is_word("elif")) {
            return;
        }
        let Some(range) = self.condition_range(at) else { return };
        let (yes, no) = match self.syntax {
            Syntax::C => ("1", "0"),
            Syntax::Python => ("True", "False"),
            Syntax::Java | Syntax::Rust => ("true", "false"),
        };
        self.add("condition always true", range.clone(), yes, token.line);
        self.add("condition never true", range, no, token.line);
    }

    fn is_macro(&self, at: usize) -> bool {
        self.before(at).is_some_and(|name| name.kind == TokenKind::Word && name.end() == self.tokens[at].at)
    }

    /// The range between `if` and its body.
    fn condition_range(&self, at: usize) -> Option<Range<usize>> {
        let first = self.token(at + 1)?;
        let mut depth = 0i32;
        for (offset, token) in self.tokens[at + 1..].iter().enumerate() {
            match token.text {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                _ => {}
            }
            let last = self.tokens.get(at + offset);
            match self.syntax {
                Syntax::C | Syntax::Java if depth == 0 => {
                    return if first.is_sign("(") { Some(first.end()..token.at) } else { None };
                }
                Syntax::Python if depth == 0 && token.is_sign(":") => return Some(first.at..last?.end()),
                Syntax::Rust if depth == 0 && token.is_sign("{") && !first.is_word("let") => {
                    return Some(first.at..last?.end());
                }
                Syntax::C | Syntax::Java | Syntax::Rust | Syntax::Python => {}
            }
            if depth < 0 {
                return None;
            }
        }
        None
    }

    /// `long long` becomes `int`.
    fn narrow_type(&mut self, at: usize) {
        let token = self.tokens[at];
        if !token.is_word("long") {
            return;
        }
        let end = match (self.syntax, self.token(at + 1)) {
            (Syntax::C, Some(next)) if next.is_word("long") => next.end(),
            (Syntax::Java, _) => token.end(),
            (Syntax::C | Syntax::Rust | Syntax::Python, _) => return,
        };
        self.add("narrower type", token.at..end, "int", token.line);
    }

    /// Statements that end with a semicolon and declare nothing.
    fn drop_statements(&mut self) {
        let mut start = 0;
        let mut depth = 0i32;
        for at in 0..self.tokens.len() {
            match self.tokens[at].text {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "{" | "}" => (start, depth) = (at + 1, 0),
                ";" if depth == 0 => {
                    self.drop_statement(start, at);
                    start = at + 1;
                }
                _ => {}
            }
        }
    }

    fn drop_statement(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let first = self.tokens[start];
        let is_kept = first.kind != TokenKind::Word
            || KEPT_STATEMENTS.contains(&first.text)
            || self
                .token(start + 1)
                .is_some_and(|second| second.kind == TokenKind::Word || second.is_sign("<"));
        let is_jump = matches!(first.text, "break" | "continue");
        if !is_kept || is_jump {
            let range = first.at..self.tokens[end].end();
            self.add("statement dropped", range, ";", first.line);
        }
    }

    /// Turns lines of Python that are assignments or calls into `pass`.
    fn drop_python_lines(&mut self) {
        let starts: Vec<usize> = (0..self.tokens.len())
            .filter(|&at| at == 0 || self.tokens[at - 1].line != self.tokens[at].line)
            .collect();
        for (number, &at) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(self.tokens.len()) - 1;
            let first = self.tokens[at];
            let last = self.tokens[end];
            let is_whole = first.kind == TokenKind::Word && !last.is_sign(":") && !last.is_sign(",");
            let is_statement = is_whole && !PYTHON_WORDS.contains(&first.text);
            let depth: i32 = self.tokens[at..=end].iter().map(|token| bracket_depth(token.text)).sum();
            if is_statement && depth == 0 {
                self.add("statement dropped", first.at..last.end(), "pass", first.line);
            }
        }
    }
}

fn bracket_depth(text: &str) -> i32 {
    match text {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn changes(source: &str, syntax: Syntax) -> Vec<String> {
        list_mutations(source, syntax).iter().map(|mutation| mutation.applied_to(source)).collect()
    }

    #[track_caller]
    fn assert_has(source: &str, syntax: Syntax, wanted: &[&str]) {
        let changes = changes(source, syntax);
        for want in wanted {
            assert!(changes.iter().any(|change| change == want), "no `{want}` in {changes:#?}");
        }
    }

    #[test]
    fn the_mistakes_that_people_make_are_made() {
        assert_has(
            "if (a < b) x += 1;",
            Syntax::C,
            &[
                "if (a <= b) x += 1;",
                "if (a > b) x += 1;",
                "if (1) x += 1;",
                "if (0) x += 1;",
                "if (a < b) x -= 1;",
                "if (a < b) x += 2;",
            ],
        );
        assert_has(
            "{ f(a, b); long long s = t[i][j] % 1000; }",
            Syntax::C,
            &[
                "{ f(b, a); long long s = t[i][j] % 1000; }",
                "{ ; long long s = t[i][j] % 1000; }",
                "{ f(a, b); int s = t[i][j] % 1000; }",
                "{ f(a, b); long long s = t[j][i] % 1000; }",
                "{ f(a, b); long long s = t[i][j] ; }",
                "{ f(a, b); long long s = t[i][j] % 100; }",
            ],
        );
        assert_has(
            "for i in range(n - 1):\n    x = min(a, b)\n",
            Syntax::Python,
            &[
                "for i in range(n + 1):\n    x = min(a, b)\n",
                "for i in range(n - 0):\n    x = min(a, b)\n",
                "for i in range(n - 1):\n    x = max(a, b)\n",
                "for i in range(n - 1):\n    pass\n",
            ],
        );
        assert_has(
            "if !a && b { for i in 0..n { c(); } }",
            Syntax::Rust,
            &[
                "if a && b { for i in 0..n { c(); } }",
                "if true { for i in 0..n { c(); } }",
                "if !a || b { for i in 0..n { c(); } }",
                "if !a && b { for i in 0..=n { c(); } }",
                "if !a && b { for i in 0..n { ; } }",
            ],
        );
    }

    #[test]
    fn types_imports_and_texts_are_left_alone() {
        for (source, syntax) in [
            ("#include <vector>\nusing std::min;", Syntax::C),
            ("import a.max;", Syntax::Java),
            ("from math import min", Syntax::Python),
        ] {
            assert_eq!(changes(source, syntax), Vec::<String>::new(), "{source}");
        }
        let changes = changes("vector<int> v; string s = \"a < b\";", Syntax::C);
        assert!(changes.is_empty(), "{changes:?}");
    }

    proptest! {
        #[test]
        fn each_mutation_is_another_program(source in "[a-c0-2 <>=+(){};\\[\\],%!\n]{0,40}") {
            for syntax in [Syntax::C, Syntax::Rust, Syntax::Python] {
                let mut forms: Vec<String> = list_mutations(&source, syntax)
                    .iter()
                    .map(|mutation| normal_form(&mutation.applied_to(&source), syntax))
                    .collect();
                forms.push(normal_form(&source, syntax));
                let count = forms.len();
                forms.sort();
                forms.dedup();
                prop_assert_eq!(forms.len(), count);
            }
        }
    }
}
