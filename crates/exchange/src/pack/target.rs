//! The systems that packages are packed for.

/// For whom a package is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Kattis, and all that reads its legacy format.
    Kattis,
    /// DOMjudge.
    Domjudge,
}

impl Target {
    /// As it calls itself.
    pub fn name(self) -> &'static str {
        match self {
            Target::Kattis => "Kattis",
            Target::Domjudge => "DOMjudge",
        }
    }
}
