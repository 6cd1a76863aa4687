//! Finds the names in a Java source that matter: the public class, and classes with a `main`. A scan, not a
//! parser: the compiler reports what it misses.

use super::lexer::code_words;

/// The public top-level class, interface, enum or record: it determines the file's name.
pub(crate) fn public_class(text: &str) -> Option<String> {
    let words = code_words(text, "java");
    declared_classes(&words).into_iter().find(|class| class.public).map(|class| class.name)
}

/// Top-level classes with a `main(`, qualified by their package.
pub fn classes_with_main(text: &str) -> Vec<String> {
    let words = code_words(text, "java");
    let package = package_prefix(&words);
    let mains = declared_classes(&words).into_iter().filter(|class| class.main);
    mains.map(|class| format!("{package}{}", class.name)).collect()
}

struct JavaClass {
    name: String,
    public: bool,
    main: bool,
}

/// `package a.b;` as `a.b.`, or nothing.
fn package_prefix(words: &[&str]) -> String {
    let Some(start) = words.iter().position(|word| *word == "package") else { return String::new() };
    let name: String = words[start + 1..].iter().take_while(|word| **word != ";").copied().collect();
    name + "."
}

fn declared_classes(words: &[&str]) -> Vec<JavaClass> {
    let mut classes: Vec<JavaClass> = vec![];
    let mut depth = 0_usize;
    let mut public = false;
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        match *word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            ";" if depth == 0 => public = false,
            "public" if depth == 0 => public = true,
            "class" | "interface" | "enum" | "record" if depth == 0 && is_name(next) => {
                classes.push(JavaClass {
                    name: next.to_owned(),
                    public: std::mem::take(&mut public),
                    main: false,
                });
            }
            // At a greater depth it is a call, or in an inner class.
            "main" if depth == 1 && next == "(" => {
                if let Some(class) = classes.last_mut() {
                    class.main = true;
                }
            }
            _ => {}
        }
    }
    classes
}

fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_class_is_found_behind_comments_strings_and_others() {
        let text = "// public class A\n/* public class B */ import x.*; class C { String s = \"public class D {\"; char c = '{'; }\n\
                    @Ann(x) public final class Real extends C { public class Inner {} }";
        assert_eq!(public_class(text).as_deref(), Some("Real"));
        assert_eq!(public_class("class Lonely {}"), None);
    }

    #[test]
    fn a_class_with_main_is_found_with_its_package() {
        let text = "package a.b;\nclass P { void f() { main(1); } }\nclass Q { public static void main(String[] a) {} }";
        assert_eq!(classes_with_main(text), ["a.b.Q"]);
        assert_eq!(classes_with_main("public record R(int x) { static void main(String... a) {} }"), ["R"]);
        assert!(classes_with_main("class S { void main_(int x) {} }").is_empty());
    }

    #[test]
    fn any_bytes_are_survived() {
        for text in ["\"", "'\\", "/*", "\"\"\"", "{{}}}}", "class", "package", "ä\"é\n'x", "public class"]
        {
            classes_with_main(text);
            public_class(text);
        }
    }
}
