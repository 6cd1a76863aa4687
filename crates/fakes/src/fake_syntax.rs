//! Parses lines of a fake program: see `fake_language`.

/// A value of a fake program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FakeValue {
    Number(i128),
    Text(String),
    List(Vec<FakeValue>),
}

use FakeValue::{Number, Text};

#[derive(Debug)]
pub(super) enum Formula {
    Constant(FakeValue),
    Name(String),
    Call(String, Vec<Formula>),
    Item(Box<Formula>, Box<Formula>),
    /// Items from here to there, or to the end.
    Part(Box<Formula>, Box<Formula>, Option<Box<Formula>>),
    Operation(String, Box<Formula>, Box<Formula>),
}

#[derive(Debug)]
pub(super) enum Statement {
    Assign(String, Formula),
    If(Formula, Box<Statement>),
    Do(String, Vec<Formula>),
}

/// The smallest and largest number of values of each statement.
const STATEMENTS: [(&str, usize, usize); 11] = [
    ("print", 0, 99),
    ("put", 1, 99),
    ("say", 1, 99),
    ("write", 2, 99),
    ("accept", 0, 0),
    ("refuse", 0, 0),
    ("exit", 1, 1),
    ("signal", 1, 1),
    ("time", 1, 1),
    ("memory", 1, 1),
    ("sleep", 0, 0),
];

/// Operators from the weakest to the strongest.
const OPERATORS: [&[&str]; 5] =
    [&["or"], &["and"], &["==", "!=", "<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

pub(super) fn parse_statement(line: &str) -> Result<Statement, String> {
    let mut tokens = LineTokens { rest: line };
    let statement = tokens.statement()?;
    if tokens.rest.is_empty() { Ok(statement) } else { Err(tokens.unexpected()) }
}

struct LineTokens<'t> {
    rest: &'t str,
}

impl<'t> LineTokens<'t> {
    fn unexpected(&self) -> String {
        format!("`{}` is no statement of a fake program", self.rest)
    }

    /// Skips this text if it comes next.
    fn take(&mut self, wanted: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(wanted) else { return false };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if wanted.ends_with(is_word) && rest.starts_with(is_word) {
            return false;
        }
        self.rest = rest.trim_start();
        true
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Takes the longest matching prefix, unless it is empty.
    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> Option<&'t str> {
        let end = self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        (!taken.is_empty()).then_some(taken)
    }

    fn statement(&mut self) -> Result<Statement, String> {
        if self.take("if") {
            let condition = self.formula(0)?;
            self.expect(":")?;
            return Ok(Statement::If(condition, Box::new(self.statement()?)));
        }
        for (name, min, max) in STATEMENTS {
            if self.take(name) {
                let values = if self.rest.is_empty() { vec![] } else { self.formulas()? };
                let fits = (min..=max).contains(&values.len());
                return if fits { Ok(Statement::Do(name.into(), values)) } else { Err(self.unexpected()) };
            }
        }
        let name = self.take_while(|c| c.is_ascii_alphabetic() || c == '_').ok_or(self.unexpected())?;
        self.expect("=")?;
        Ok(Statement::Assign(name.to_owned(), self.formula(0)?))
    }

    fn formulas(&mut self) -> Result<Vec<Formula>, String> {
        let mut all = vec![self.formula(0)?];
        while self.take(",") {
            all.push(self.formula(0)?);
        }
        Ok(all)
    }

    fn formula(&mut self, level: usize) -> Result<Formula, String> {
        let Some(operators) = OPERATORS.get(level) else { return self.operand() };
        let mut left = self.formula(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.take(operator)) {
            let right = self.formula(level + 1)?;
            left = Formula::Operation((*operator).to_owned(), Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Formula, String> {
        let mut value = self.single()?;
        while self.take("[") {
            let index = self.formula(0)?;
            let is_part = self.take("..");
            let end = if is_part && !self.rest.starts_with(']') { Some(self.formula(0)?) } else { None };
            self.expect("]")?;
            let list = Box::new(value);
            let index = Box::new(index);
            value = if is_part {
                Formula::Part(list, index, end.map(Box::new))
            } else {
                Formula::Item(list, index)
            };
        }
        Ok(value)
    }

    fn single(&mut self) -> Result<Formula, String> {
        if self.take("(") {
            let inner = self.formula(0)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.take("-") {
            let zero = Box::new(Formula::Constant(Number(0)));
            return Ok(Formula::Operation("-".into(), zero, Box::new(self.operand()?)));
        }
        if let Some(quoted) = self.rest.strip_prefix('"') {
            let (text, rest) = quoted.split_once('"').ok_or(self.unexpected())?;
            self.rest = rest.trim_start();
            return Ok(Formula::Constant(Text(text.replace("\\n", "\n"))));
        }
        if let Some(digits) = self.take_while(|c| c.is_ascii_digit()) {
            return Ok(Formula::Constant(Number(digits.parse().map_err(|e| format!("{digits}: {e}"))?)));
        }
        let name = self.take_while(|c| c.is_ascii_alphabetic() || c == '_').ok_or(self.unexpected())?;
        if !self.take("(") {
            return Ok(Formula::Name(name.to_owned()));
        }
        let values = self.formulas()?;
        self.expect(")")?;
        Ok(Formula::Call(name.to_owned(), values))
    }
}
