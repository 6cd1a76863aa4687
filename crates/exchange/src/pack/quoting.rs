//! Values of a package in the scripts and sources that judges run.

/// The ASCII letters, digits and `also` of a name: safe in shells, URLs, comments, paths and any language.
pub fn reduced_name(name: &str, also: &str) -> String {
    let reduced: String =
        name.chars().filter(|letter| letter.is_ascii_alphanumeric() || also.contains(*letter)).collect();
    // Commands would read a name of a leading dash as an option.
    match reduced.trim_start_matches('-') {
        "" => "problem".to_owned(),
        reduced => reduced.to_owned(),
    }
}

/// A text as a literal of Python.
pub fn python_text(text: &str) -> String {
    serde_json::to_string(text).expect("every text is JSON, whose literals Python reads")
}

/// A text as a literal of C++.
pub fn cpp_text(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\?".contains(&byte)) {
        return format!("\"{text}\"");
    }
    let escaped: String = text.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::Target;

    #[test]
    fn names_have_no_letter_that_a_script_obeys() {
        for (own, kattis, domjudge) in [
            ("Two-Ends.v2", "twoendsv2", "Two-Ends-v2"),
            ("$(touch pwned) \"'\\`;\n", "touchpwned", "touchpwned"),
            ("--help", "help", "help"),
            ("задача", "problem", "problem"),
        ] {
            let names = [Target::Kattis, Target::Domjudge].map(|target| target.problem_name(own));
            assert_eq!(names, [kattis, domjudge], "{own}");
        }
    }

    #[test]
    fn literals_hold_any_text() {
        assert_eq!(python_text("a\"\\\n"), r#""a\"\\\n""#);
        assert_eq!([cpp_text("a"), cpp_text("a\"?")], ["\"a\"", "\"\\141\\042\\077\""]);
    }
}
