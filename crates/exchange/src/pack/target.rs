//! The systems that packages are packed for.

/// The system that a package is packed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// Kattis, and other readers of its legacy format.
    Kattis,
    Domjudge,
    /// Readers of version 2025-09: BAPCtools, kopek.
    Icpc,
    /// CMS, by the Italian format.
    Cms,
    Dmoj,
}

impl Target {
    /// All of them, in the order of the page.
    pub const ALL: [Target; 5] = [Target::Kattis, Target::Domjudge, Target::Icpc, Target::Cms, Target::Dmoj];

    /// The name of a package in it: letters and digits, because scripts, URLs and file names of judges contain it.
    pub fn problem_name(self, own: &str) -> String {
        match self {
            Target::Kattis | Target::Icpc | Target::Cms | Target::Dmoj => {
                reduced_name(&own.to_ascii_lowercase(), "")
            }
            Target::Domjudge => reduced_name(&own.replace('.', "-"), "-_"),
        }
    }

    /// Its own spelling of its name.
    pub fn name(self) -> &'static str {
        match self {
            Target::Kattis => "Kattis",
            Target::Domjudge => "DOMjudge",
            Target::Icpc => "ICPC",
            Target::Cms => "CMS",
            Target::Dmoj => "DMOJ",
        }
    }
}

/// The ASCII letters, digits and `also` of a name: safe in shells, URLs, comments, paths and sources. No value of a
/// package reaches a script in another form.
pub fn reduced_name(name: &str, also: &str) -> String {
    let reduced: String =
        name.chars().filter(|letter| letter.is_ascii_alphanumeric() || also.contains(*letter)).collect();
    // Commands would read a name of a leading dash as an option.
    match reduced.trim_start_matches('-') {
        "" => "problem".to_owned(),
        reduced => reduced.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
