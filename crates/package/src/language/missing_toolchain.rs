//! A language that this machine lacks, and the command that installs it here.

use super::row::Language;
use serde::{Deserialize, Serialize};
use std::{fmt, fs};

/// A language that cannot be used here. Never a verdict about the student.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingToolchain {
    pub code: String,
    pub name: String,
    /// Why it cannot be used.
    pub what: String,
    /// Whether its programs are not installed; else they are, and do not work.
    pub absent: bool,
    /// How to install it on this system: `apt install golang-go`.
    pub remedy: String,
}

impl MissingToolchain {
    /// This language cannot be used here, for this reason.
    pub fn new(language: &Language, what: String) -> MissingToolchain {
        let os_release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        let remedy = install_command(language, &os_release);
        MissingToolchain {
            code: language.code.clone(),
            name: language.name.clone(),
            what,
            absent: false,
            remedy,
        }
    }

    /// `Go: apt install golang-go, then run again`.
    pub fn how_to_install(&self) -> String {
        let MissingToolchain { name, what, remedy, absent, .. } = self;
        if *absent {
            format!("{name}: {remedy}, then run again")
        } else {
            format!("{name}: {what}; {remedy}, then run again")
        }
    }
}

impl fmt::Display for MissingToolchain {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}; {}", self.code, self.what, self.remedy)
    }
}

impl std::error::Error for MissingToolchain {}

/// The distributions with Debian's packages: words of `ID` and `ID_LIKE` in `/etc/os-release`.
const DEBIAN: [&str; 2] = ["debian", "ubuntu"];

/// Whether this `os-release` is that of a system with Debian's packages.
fn is_debian(os_release: &str) -> bool {
    let is_named = |line: &str| {
        let value = line.strip_prefix("ID=").or(line.strip_prefix("ID_LIKE="));
        let words = value.unwrap_or_default().trim_matches(['"', '\'']).split_whitespace();
        words.into_iter().any(|word| DEBIAN.contains(&word))
    };
    os_release.lines().any(is_named)
}

fn install_command(language: &Language, os_release: &str) -> String {
    match language.install.as_str() {
        "" => format!("install {}", language.name),
        packages if is_debian(os_release) => format!("apt install {packages}"),
        packages => format!("install {} (on Debian: {packages})", language.name),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::table::LanguageTable, *};

    #[test]
    fn the_install_command_is_that_of_debian() {
        let table = LanguageTable::embedded();
        let go = table.get("go").unwrap();
        for (os_release, expected) in [
            ("ID=debian\nVERSION_ID=\"12\"", "apt install golang-go"),
            ("NAME=\"Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"", "apt install golang-go"),
            ("ID=arch\nHOME_URL=debian", "install Go (on Debian: golang-go)"),
            ("", "install Go (on Debian: golang-go)"),
        ] {
            assert_eq!(install_command(go, os_release), expected, "{os_release}");
        }
        let own = Language { install: String::new(), ..go.clone() };
        assert_eq!(install_command(&own, "ID=debian"), "install Go");
    }
}
