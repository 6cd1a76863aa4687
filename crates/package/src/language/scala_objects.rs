//! Finds the entry points of a Scala program: objects with a `main`, and methods marked with `@main`. A scan,
//! not a parser: the compiler reports what it misses.

use super::lexer::code_words;

/// The runnable classes, qualified by their package: objects with `def main`, objects that extend `App`, and
/// methods marked with `@main`, which become a class with their own name.
pub fn objects_with_main(text: &str) -> Vec<String> {
    let words = code_words(text, "scala");
    let package = package_prefix(&words);
    let mut depth = 0_usize;
    // The last top-level object, unless its name was already taken.
    let mut object: Option<&str> = None;
    let mut found: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = |ahead: usize| words.get(at + ahead).copied().unwrap_or_default();
        match *word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            // A package object is not a program, and a class keeps a `main` for itself.
            "object" if depth == 0 => {
                object = Some(next(1)).filter(|_| at == 0 || words[at - 1] != "package")
            }
            "class" | "trait" | "enum" if depth == 0 => object = None,
            "extends" | "with" if depth == 0 && next(1) == "App" => found.extend(object.take()),
            "@" if next(1) == "main" && next(2) == "def" => found.push(next(3)),
            // With indentation instead of braces, the depth stays 0.
            "def" if depth <= 1 && next(1) == "main" && at > 1 && words[at - 2..at] != ["@", "main"] => {
                found.extend(object.take());
            }
            _ => {}
        }
    }
    found.into_iter().map(|name| format!("{package}{name}")).collect()
}

/// `package a.b` and `package c` below it as `a.b.c.`, or nothing.
fn package_prefix(words: &[&str]) -> String {
    let mut prefix = String::new();
    let mut rest = words;
    while let ["package", name, after @ ..] = rest {
        if *name == "object" {
            break;
        }
        prefix += &format!("{name}.");
        rest = after;
        while let [".", name, after @ ..] = rest {
            prefix += &format!("{name}.");
            rest = after;
        }
    }
    prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_methods_that_can_be_run_are_found_with_their_package() {
        let cases: [(&str, &[&str]); 10] = [
            ("object Sum { def main(args: Array[String]): Unit = println(1) }", &["Sum"]),
            ("object Sum extends App { println(1) }", &["Sum"]),
            ("package a.b\npackage c\nobject Sum extends Base with App {}", &["a.b.c.Sum"]),
            ("object Sum:\n  def main(args: Array[String]): Unit =\n    println(1)\n", &["Sum"]),
            ("@main def sum() = println(1)", &["sum"]),
            ("object Parts { @main def sum(): Unit = {} }", &["sum"]),
            ("class Sum { def main(x: Int) = {} }\nobject Parts { def f() = { def main() = 1 } }", &[]),
            ("// object A extends App\nobject B { val s = \"object C extends App\" }", &[]),
            (
                "object A { def main(a: Array[String]) {} }\nobject B { def main(a: Array[String]) {} }",
                &["A", "B"],
            ),
            ("package object tools { def main(x: Int) = x }", &[]),
        ];
        for (text, names) in cases {
            assert_eq!(objects_with_main(text), names, "{text}");
        }
    }

    #[test]
    fn any_bytes_are_survived() {
        for text in ["object", "package", "package a.", "@", "@main def", "}}{", "def main", "extends"] {
            objects_with_main(text);
        }
    }
}
