//! The systems that packages are packed for.

use super::quoting::reduced_name;

/// The system that a package is packed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// Kattis, and other readers of its legacy format.
    Kattis,
    /// DOMjudge.
    Domjudge,
    /// Readers of version 2025-09: BAPCtools, kopek.
    Icpc,
    /// Hydro.
    Hydro,
    /// CMS, by the Italian format.
    Cms,
    /// DMOJ.
    Dmoj,
}

impl Target {
    /// All of them, in the order of the page.
    pub const ALL: [Target; 6] =
        [Target::Kattis, Target::Domjudge, Target::Icpc, Target::Hydro, Target::Cms, Target::Dmoj];

    /// The name of a package in it: letters and digits, because scripts, URLs and file names of judges contain it.
    pub fn problem_name(self, own: &str) -> String {
        match self {
            Target::Kattis | Target::Icpc | Target::Hydro | Target::Cms | Target::Dmoj => {
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
            Target::Hydro => "Hydro",
            Target::Cms => "CMS",
            Target::Dmoj => "DMOJ",
        }
    }
}
