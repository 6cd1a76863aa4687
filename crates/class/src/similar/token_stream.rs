//! All tokens of a program, with a mark for those that are its author's own.

use super::{
    compared_tokens::{Token, lex},
    source_text::ComparedFile,
};

/// The tokens of a program's files, in one sequence.
pub(super) struct TokenStream {
    pub tokens: Vec<Token>,
    /// By token: whether it is the author's own, and not code that everyone was given.
    pub own: Vec<bool>,
    /// By token: the number of its file.
    pub files: Vec<usize>,
}

impl TokenStream {
    pub fn read(files: &[ComparedFile]) -> TokenStream {
        let (mut tokens, mut numbers) = (Vec::new(), Vec::new());
        for (number, file) in files.iter().enumerate() {
            tokens.extend(lex(&file.text, &file.lexer));
            numbers.resize(tokens.len(), number);
        }
        TokenStream { own: vec![true; tokens.len()], tokens, files: numbers }
    }

    /// Marks a passage as code that everyone was given.
    pub fn take_out(&mut self, from: usize, length: usize) {
        self.own[from..from + length].fill(false);
    }

    /// Whether a passage is within one file and its author's own.
    pub fn is_whole(&self, from: usize, length: usize) -> bool {
        let inside = self.own.get(from..from + length);
        inside.is_some_and(|own| own.iter().all(|own| *own))
            && self.files[from] == self.files[from + length - 1]
    }
}
