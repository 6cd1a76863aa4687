//! The few words of Java that decide names: which class is public, which has a `main`.
//! A scan, not a parser: what it misses, the compiler will say.

/// The public top-level class, interface, enum or record: it forces the file's name.
pub(crate) fn public_class(text: &str) -> Option<String> {
    let words = split_words(text);
    declared_classes(&words).into_iter().find(|class| class.public).map(|class| class.name)
}

/// Top-level classes with a `main(`, with their package.
pub fn classes_with_main(text: &str) -> Vec<String> {
    let words = split_words(text);
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
fn package_prefix(words: &[String]) -> String {
    let Some(start) = words.iter().position(|word| word == "package") else { return String::new() };
    let name: String =
        words[start + 1..].iter().take_while(|word| *word != ";").map(String::as_str).collect();
    name + "."
}

fn declared_classes(words: &[String]) -> Vec<JavaClass> {
    let mut classes: Vec<JavaClass> = vec![];
    let (mut depth, mut public) = (0_usize, false);
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", String::as_str);
        match word.as_str() {
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
            // Deeper it is a call, or belongs to an inner class.
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

/// Names and single signs, without comments, strings and characters.
pub fn split_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        // Braces in comments and strings would upset the depth, so those are passed over whole.
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if let Some(block) = rest.strip_prefix("\"\"\"") {
            block.find("\"\"\"").map_or(rest.len(), |end| end + 6)
        } else if first == '"' || first == '\'' {
            literal_length(rest, first)
        } else {
            let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            let length = rest.find(|c| !part(c)).unwrap_or(rest.len()).max(first.len_utf8());
            if !first.is_whitespace() {
                words.push(rest[..length].to_owned());
            }
            length
        };
        rest = &rest[length..];
    }
    words
}

/// Length of a literal with its quotes; an unclosed one ends with its line.
fn literal_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
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
