//! The systems that packages are packed for.

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
