//! The language of fake programs: submissions, validators, generators, graders and visualizers that are
//! interpreted instead of run. Knows no job and no sandbox.
//!
//! A program is a list of statements, one per line, executed from top to bottom. `#` and `//` begin a comment
//! line.
//!
//! ```text
//! NAME = E             defines a name
//! if E: STATEMENT      executes it if E is not 0
//! print E, E...        writes a line to standard output: the values, separated by spaces
//! put E, E...          the same without the line end
//! say E, E...          writes a line to standard error
//! write "PATH", E...   writes a line to a file of the box: "feedback/judgemessage.txt", "testcase.ans", "bar.svg"
//! accept, refuse       exits with 42, with 43
//! exit E, signal E     ends with this exit code, by this signal
//! time E, memory E     uses this many milliseconds of CPU time, this many MiB; above the limit the run is stopped
//! sleep                runs until the wall limit
//! ```
//!
//! `E` is a number, a `"text"`, a name or a call, with `[i]`, `[i..]` and `[i..j]` for items, and the
//! operators `* / %`, `+ -`, `== != < <= > >=`, `and`, `or`, weakest last; `+` also joins texts. Predefined
//! names: `text` (standard input), `input` (the numbers at its beginning), `args` (numbers and texts). The
//! functions:
//!
//! ```text
//! len(L) sum(L) min(L) max(L)      of a list; `len` of a text, too
//! numbers(T) words(T)              the numbers at the beginning of a text; its words
//! lines(E, E...)                   a text: one line for each value, lists separated by spaces
//! column(L)                        a text: the items one below the other, without a line end
//! has(T, PART)                     whether a text contains this part
//! file(PATH)                       the contents of a file: `file(args[0])` is the input in an output validator
//! option("--max-n", E)             the number of the argument `--max-n=NUMBER`, else E
//! random(SEED, COUNT, LOW, HIGH)   a list of numbers; the same for the same seed
//! ```
//!
//! An impossible operation, such as `input[5]` of three numbers, ends the program with code 1. A text with a
//! line that is not a statement does not compile, nor does one with the line `build refused`.

use crate::fake_syntax::{FakeValue, Formula, Statement, parse_statement};
use std::{cmp::Ordering, collections::BTreeMap};

use FakeValue::{List, Number, Text};

#[derive(Debug)]
pub(super) struct FakeProgram {
    statements: Vec<(usize, Statement)>,
}

pub(super) struct FakeInput<'a> {
    pub text: String,
    pub args: &'a [String],
    /// The contents of a file, by its path inside the box.
    pub file: &'a dyn Fn(&str) -> Option<String>,
}

/// How a program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FakeEnd {
    Code(i32),
    Signal(i32),
    Asleep,
}

/// The effects of a run.
#[derive(Debug)]
pub(super) struct FakeEffects {
    pub stdout: String,
    pub stderr: String,
    /// By path below the box.
    pub files: BTreeMap<String, String>,
    pub milliseconds: u64,
    pub mebibytes: u64,
    pub end: FakeEnd,
}

impl FakeProgram {
    /// Parses a text; the error is the compiler's message. Lines for which `is_other` is true are skipped.
    pub(super) fn parse(text: &str, is_other: impl Fn(&str) -> bool) -> Result<FakeProgram, String> {
        let mut statements = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line == "build refused" {
                return Err("as the text says".into());
            }
            if line.is_empty() || line.starts_with('#') || line.starts_with("//") || is_other(line) {
                continue;
            }
            let statement = parse_statement(line).map_err(|what| format!("line {}: {what}", at + 1))?;
            statements.push((at + 1, statement));
        }
        Ok(FakeProgram { statements })
    }

    pub(super) fn run(&self, input: &FakeInput) -> FakeEffects {
        let args: Vec<FakeValue> = input.args.iter().map(|arg| word_value(arg)).collect();
        let numbers = numbers_of(&input.text);
        let names = [("text", Text(input.text.clone())), ("input", numbers), ("args", List(args))];
        let mut run = FakeRunState {
            input,
            names: names.map(|(name, value)| (name.to_owned(), value)).into(),
            done: FakeEffects {
                stdout: String::new(),
                stderr: String::new(),
                files: BTreeMap::new(),
                milliseconds: 1,
                mebibytes: 1,
                end: FakeEnd::Code(0),
            },
        };
        for (line, statement) in &self.statements {
            match run.perform(statement) {
                Ok(None) => {}
                Ok(Some(end)) => {
                    run.done.end = end;
                    break;
                }
                Err(what) => {
                    run.done.stderr += &format!("line {line}: {what}\n");
                    run.done.end = FakeEnd::Code(1);
                    break;
                }
            }
        }
        run.done
    }
}

struct FakeRunState<'a> {
    input: &'a FakeInput<'a>,
    names: BTreeMap<String, FakeValue>,
    done: FakeEffects,
}

impl FakeRunState<'_> {
    fn perform(&mut self, statement: &Statement) -> Result<Option<FakeEnd>, String> {
        match statement {
            Statement::Assign(name, formula) => {
                let value = self.value(formula)?;
                self.names.insert(name.clone(), value);
                Ok(None)
            }
            Statement::If(condition, then) => {
                if number(self.value(condition)?)? == 0 {
                    Ok(None)
                } else {
                    self.perform(then)
                }
            }
            Statement::Do(name, formulas) => {
                let values = formulas.iter().map(|one| self.value(one)).collect::<Result<Vec<_>, _>>()?;
                self.act(name, values)
            }
        }
    }

    fn act(&mut self, name: &str, values: Vec<FakeValue>) -> Result<Option<FakeEnd>, String> {
        let first = || number(values.first().cloned().unwrap_or(Number(0)));
        let amount = || u64::try_from(first()?).map_err(|e| e.to_string());
        let code = || i32::try_from(first()?).map_err(|e| e.to_string());
        match name {
            "print" => self.done.stdout += &(spaced(&values) + "\n"),
            "put" => self.done.stdout += &spaced(&values),
            "say" => self.done.stderr += &(spaced(&values) + "\n"),
            "write" => drop(self.done.files.insert(text_form(&values[0]), spaced(&values[1..]) + "\n")),
            "accept" => return Ok(Some(FakeEnd::Code(42))),
            "refuse" => return Ok(Some(FakeEnd::Code(43))),
            "exit" => return Ok(Some(FakeEnd::Code(code()?))),
            "signal" => return Ok(Some(FakeEnd::Signal(code()?))),
            "time" => self.done.milliseconds = amount()?,
            "memory" => self.done.mebibytes = amount()?,
            "sleep" => return Ok(Some(FakeEnd::Asleep)),
            other => return Err(format!("no statement `{other}`")),
        }
        Ok(None)
    }

    fn value(&self, formula: &Formula) -> Result<FakeValue, String> {
        let of_list = |list: &Formula, index: &Formula| {
            let items = items(self.value(list)?)?;
            let index = number(self.value(index)?)?;
            Ok::<_, String>((items, usize::try_from(index).map_err(|e| e.to_string())?))
        };
        match formula {
            Formula::Constant(value) => Ok(value.clone()),
            Formula::Name(name) => self.names.get(name).cloned().ok_or(format!("no name `{name}`")),
            Formula::Item(list, index) => {
                let (mut items, index) = of_list(list, index)?;
                if index < items.len() {
                    Ok(items.swap_remove(index))
                } else {
                    Err(format!("no item {index}"))
                }
            }
            Formula::Part(list, index, end) => {
                let (items, index) = of_list(list, index)?;
                let end = end.as_ref().map(|end| number(self.value(end)?)).transpose()?;
                let end = end.map_or(items.len(), |end| usize::try_from(end).unwrap_or(0));
                Ok(List(items.into_iter().take(end).skip(index).collect()))
            }
            Formula::Operation(operator, left, right) => {
                operate(operator, self.value(left)?, || self.value(right))
            }
            Formula::Call(name, formulas) => {
                let values = formulas.iter().map(|one| self.value(one)).collect::<Result<Vec<_>, _>>()?;
                self.call(name, &values)
            }
        }
    }

    fn call(&self, name: &str, values: &[FakeValue]) -> Result<FakeValue, String> {
        let all = || items(values[0].clone());
        let all_numbers = || all()?.into_iter().map(number).collect::<Result<Vec<i128>, _>>();
        let at = |index: usize| values.get(index).cloned().ok_or(format!("`{name}` takes more values"));
        let none = || format!("`{name}` of nothing");
        Ok(match name {
            "len" => match &values[0] {
                Text(text) => Number(text.len() as i128),
                other => Number(items(other.clone())?.len() as i128),
            },
            "sum" => Number(all_numbers()?.iter().sum()),
            "min" => Number(all_numbers()?.into_iter().min().ok_or_else(none)?),
            "max" => Number(all_numbers()?.into_iter().max().ok_or_else(none)?),
            "numbers" => numbers_of(&text_form(&values[0])),
            "words" => {
                List(text_form(&values[0]).split_whitespace().map(|word| Text(word.to_owned())).collect())
            }
            "lines" => Text(values.iter().map(|value| text_form(value) + "\n").collect()),
            "column" => Text(all()?.iter().map(text_form).collect::<Vec<_>>().join("\n")),
            "has" => Number(text_form(&values[0]).contains(&text_form(&at(1)?)).into()),
            "file" => {
                let path = text_form(&values[0]);
                Text((self.input.file)(&path).ok_or(format!("no file `{path}`"))?)
            }
            "option" => {
                let start = text_form(&values[0]) + "=";
                let given = self.input.args.iter().rev().find_map(|arg| arg.strip_prefix(&start));
                given.map_or_else(|| at(1), |given| Ok(word_value(given)))?
            }
            "random" => random([&at(0)?, &at(1)?, &at(2)?, &at(3)?].map(|value| number(value.clone())))?,
            other => return Err(format!("no function `{other}`")),
        })
    }
}

fn operate(
    operator: &str,
    left: FakeValue,
    right: impl Fn() -> Result<FakeValue, String>,
) -> Result<FakeValue, String> {
    let truth = |is: bool| Ok(Number(is.into()));
    match operator {
        "and" => return truth(number(left)? != 0 && number(right()?)? != 0),
        "or" => return truth(number(left)? != 0 || number(right()?)? != 0),
        "==" => return truth(left == right()?),
        "!=" => return truth(left != right()?),
        _ => {}
    }
    if let ("+", Text(text)) = (operator, &left) {
        return Ok(Text(format!("{text}{}", text_form(&right()?))));
    }
    let left = number(left)?;
    let right = number(right()?)?;
    let order = left.cmp(&right);
    let result = match operator {
        "<" => return truth(order == Ordering::Less),
        "<=" => return truth(order != Ordering::Greater),
        ">" => return truth(order == Ordering::Greater),
        ">=" => return truth(order != Ordering::Less),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div_euclid(right),
        _ => left.checked_rem_euclid(right),
    };
    result.map(Number).ok_or(format!("{left} {operator} {right} has no result"))
}

fn number(value: FakeValue) -> Result<i128, String> {
    match value {
        Number(number) => Ok(number),
        Text(_) | List(_) => Err(format!("`{}` is no number", text_form(&value))),
    }
}

fn items(value: FakeValue) -> Result<Vec<FakeValue>, String> {
    match value {
        List(items) => Ok(items),
        Number(_) | Text(_) => Err(format!("`{}` is no list", text_form(&value))),
    }
}

fn text_form(value: &FakeValue) -> String {
    match value {
        Number(number) => number.to_string(),
        Text(text) => text.clone(),
        List(items) => spaced(items),
    }
}

fn spaced(values: &[FakeValue]) -> String {
    values.iter().map(text_form).collect::<Vec<_>>().join(" ")
}

fn word_value(word: &str) -> FakeValue {
    word.parse().map_or_else(|_| Text(word.to_owned()), Number)
}

fn numbers_of(text: &str) -> FakeValue {
    List(text.split_whitespace().map_while(|word| word.parse().ok()).map(Number).collect())
}

fn random([seed, count, low, high]: [Result<i128, String>; 4]) -> Result<FakeValue, String> {
    let seed = seed?;
    let count = count?;
    let low = low?;
    let high = high?;
    if high < low || count < 0 {
        return Err(format!("no {count} numbers from {low} to {high}"));
    }
    let mut state = (seed as u64).wrapping_mul(2_654_435_761).wrapping_add(1);
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Number(low + i128::from(state >> 33) % (high - low + 1))
    };
    Ok(List((0..count).map(next).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(program: &str, text: &str, args: &[&str]) -> FakeEffects {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        let file = |path: &str| (path == "/data/a.ans").then(|| "7\n".to_owned());
        let program = FakeProgram::parse(program, |_| false).unwrap();
        program.run(&FakeInput { text: text.into(), args: &args, file: &file })
    }

    #[test]
    fn statements_do_what_the_head_of_this_file_says() {
        for (program, input, args, stdout, end) in [
            ("print sum(input[1..]), -1 + 2 * 3", "2\n3 4\n", &[][..], "7 5\n", FakeEnd::Code(0)),
            ("n = input[0]\nif n > 2 and n < 9: exit 3\nprint n", "5\n", &[], "", FakeEnd::Code(3)),
            (
                "if text != lines(input[0], input[1..]): refuse\naccept",
                "2\n3  4\n",
                &[],
                "",
                FakeEnd::Code(43),
            ),
            (
                "if text != lines(input[0], input[1..]): refuse\naccept",
                "2\n3 4\n",
                &[],
                "",
                FakeEnd::Code(42),
            ),
            ("if words(text) == words(file(args[0])): accept", " 7", &["/data/a.ans"], "", FakeEnd::Code(42)),
            ("print option(\"--n\", 9), column(args)", "", &["--n=4", "x"], "4 --n=4\nx\n", FakeEnd::Code(0)),
            ("print len(random(5, 3, 2, 4))\nsleep", "", &[], "3\n", FakeEnd::Asleep),
            ("print sum(input[1..3])", "3 1 2 4\n", &[], "3\n", FakeEnd::Code(0)),
            ("print input[3]", "1 2\n", &[], "", FakeEnd::Code(1)),
        ] {
            let done = run(program, input, args);
            assert_eq!((done.stdout.as_str(), done.end), (stdout, end), "{program}: {}", done.stderr);
        }
        let random = |seed: &str| run("print random(args[0], 9, 1, 99)", "", &[seed]).stdout;
        assert_eq!(random("5"), random("5"));
        assert_ne!(random("5"), random("6"));
    }

    #[test]
    fn a_line_that_is_no_statement_does_not_compile() {
        for text in ["print(", "int main( {}", "build refused", "x", "if 1 print 2", "exit"] {
            assert!(FakeProgram::parse(text, |_| false).is_err(), "{text}");
        }
        assert!(FakeProgram::parse("# @EXPECTED_SCORE@: 4\n\n// c\nprint 1\n", |_| false).is_ok());
    }
}
