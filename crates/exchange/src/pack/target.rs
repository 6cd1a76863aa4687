//! The systems that packages are packed for.

use serde::{Serialize, Serializer};

/// What a system gets of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// The package in the form of the system; `losses` lists what that form cannot express.
    Converted,
    /// The package itself, with a kopek that judges there.
    WithJudge,
    /// Nothing of its hidden cases.
    Published,
    /// One file for all packages, with questions that name packages of a server.
    Questions,
}

/// The properties of a target.
struct TargetRow {
    kind: TargetKind,
    code: &'static str,
    name: &'static str,
}

/// Makes the targets and their rows: kind, code and name.
macro_rules! targets {
    ($($(#[$doc:meta])* $target:ident $kind:ident $code:literal $name:literal;)+) => {
        /// The system that a package is packed for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Target { $($(#[$doc])* $target),+ }

        const ROWS: &[TargetRow] =
            &[$(TargetRow { kind: TargetKind::$kind, code: $code, name: $name }),+];

        impl Target {
            /// All of them, in the order of the page.
            pub const ALL: &[Target] = &[$(Target::$target),+];
        }
    };
}

targets! {
    /// Kattis, and other readers of its legacy format.
    Kattis Converted "kattis" "Kattis";
    Domjudge Converted "domjudge" "DOMjudge";
    /// Readers of version 2025-09: BAPCtools, kopek.
    Icpc Converted "icpc" "ICPC";
    /// CMS, by the Italian format.
    Cms Converted "cms" "CMS";
    Dmoj Converted "dmoj" "DMOJ";
    Gradescope WithJudge "gradescope" "Gradescope";
    Classroom50 WithJudge "classroom50" "Classroom 50";
    Students Published "students" "students";
    Coderunner Questions "coderunner" "CodeRunner";
}

impl Target {
    /// The target of this code.
    pub fn parse(code: &str) -> Option<Target> {
        Target::ALL.iter().copied().find(|target| target.code() == code)
    }

    fn row(self) -> &'static TargetRow {
        // The macro makes both lists in the same order.
        &ROWS[self as usize]
    }

    pub fn kind(self) -> TargetKind {
        self.row().kind
    }

    /// Its name in options and file names.
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// Its own spelling of its name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The name of a package in it: letters and digits, because scripts, URLs and file names of judges contain it.
    pub fn problem_name(self, own: &str) -> String {
        match self.kind() {
            TargetKind::Converted if self == Target::Domjudge => reduced_name(&own.replace('.', "-"), "-_"),
            TargetKind::Converted => reduced_name(&own.to_ascii_lowercase(), ""),
            TargetKind::WithJudge | TargetKind::Published => reduced_name(own, "-"),
            // The server finds the folder by it.
            TargetKind::Questions => own.to_owned(),
        }
    }
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The ASCII letters, digits and `also` of a name: safe in shells, URLs, comments, paths and sources. No value of a
/// package reaches a script in another form.
fn reduced_name(name: &str, also: &str) -> String {
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
        for (own, expected) in [
            ("Two-Ends.v2", ["twoendsv2", "Two-Ends-v2", "Two-Endsv2"]),
            ("$(touch pwned) \"'\\`;\n", ["touchpwned"; 3]),
            ("--help", ["help"; 3]),
            ("задача", ["problem"; 3]),
        ] {
            let targets = [Target::Kattis, Target::Domjudge, Target::Gradescope];
            assert_eq!(targets.map(|target| target.problem_name(own)), expected, "{own}");
        }
    }
}
