//! A language that this machine lacks, and the command that installs it here.

use super::row::Language;
use serde::{Deserialize, Serialize};
use std::{fmt, fs, sync::OnceLock};

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
        let remedy = install_command(language, PackageTool::of_this_system());
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PackageTool {
    Apt,
    Dnf,
    Pacman,
    Apk,
    Zypper,
}

/// Words of `ID` and `ID_LIKE` in `/etc/os-release`.
const SYSTEMS: [(&str, PackageTool); 10] = [
    ("debian", PackageTool::Apt),
    ("ubuntu", PackageTool::Apt),
    ("fedora", PackageTool::Dnf),
    ("rhel", PackageTool::Dnf),
    ("centos", PackageTool::Dnf),
    ("arch", PackageTool::Pacman),
    ("alpine", PackageTool::Apk),
    ("suse", PackageTool::Zypper),
    ("opensuse", PackageTool::Zypper),
    ("sles", PackageTool::Zypper),
];

impl PackageTool {
    fn of_this_system() -> Option<PackageTool> {
        static FOUND: OnceLock<Option<PackageTool>> = OnceLock::new();
        let read = || PackageTool::of_system(&fs::read_to_string("/etc/os-release").unwrap_or_default());
        *FOUND.get_or_init(read)
    }

    /// The package manager of the system that this `os-release` describes.
    fn of_system(os_release: &str) -> Option<PackageTool> {
        let values = |key: &'static str| {
            let lines = os_release.lines().filter_map(move |line| line.strip_prefix(key)?.strip_prefix('='));
            lines.flat_map(|value| value.trim_matches(['"', '\'']).split_whitespace())
        };
        // Its own name first: ID_LIKE begins with the closest relative.
        let tool_of = |word: &str| SYSTEMS.iter().find(|(system, _)| *system == word).map(|(_, own)| *own);
        values("ID").chain(values("ID_LIKE")).find_map(tool_of)
    }

    /// The key of its packages in the table of languages.
    fn name(self) -> &'static str {
        match self {
            PackageTool::Apt => "apt",
            PackageTool::Dnf => "dnf",
            PackageTool::Pacman => "pacman",
            PackageTool::Apk => "apk",
            PackageTool::Zypper => "zypper",
        }
    }

    fn command(self, packages: &str) -> String {
        match self {
            PackageTool::Apt | PackageTool::Dnf | PackageTool::Zypper => {
                format!("{} install {packages}", self.name())
            }
            PackageTool::Pacman => format!("pacman -S {packages}"),
            PackageTool::Apk => format!("apk add {packages}"),
        }
    }
}

fn install_command(language: &Language, tool: Option<PackageTool>) -> String {
    let known = tool.and_then(|tool| {
        let packages = match tool {
            PackageTool::Apt => Some(&language.install).filter(|packages| !packages.is_empty()),
            other => language.install_with.get(other.name()),
        };
        Some(tool.command(packages?))
    });
    known.unwrap_or_else(|| match language.install.as_str() {
        "" => format!("install {}", language.name),
        debian => format!("install {} (on Debian: {debian})", language.name),
    })
}

#[cfg(test)]
mod tests {
    use super::{super::table::LanguageTable, *};

    #[test]
    fn the_install_command_is_that_of_the_system() {
        let table = LanguageTable::embedded();
        let command = |os_release: &str, code: &str| {
            install_command(table.get(code).unwrap(), PackageTool::of_system(os_release))
        };
        for (os_release, expected) in [
            ("ID=debian\nVERSION_ID=\"12\"", "apt install golang-go"),
            ("NAME=\"Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"", "apt install golang-go"),
            ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"", "dnf install golang"),
            ("ID=arch", "pacman -S go"),
            ("ID=alpine", "apk add go"),
            ("ID='opensuse-leap'\nID_LIKE='suse opensuse'", "zypper install go"),
            ("ID=nixos", "install Go (on Debian: golang-go)"),
            ("", "install Go (on Debian: golang-go)"),
        ] {
            assert_eq!(command(os_release, "go"), expected, "{os_release}");
        }
        assert_eq!(
            command("ID=fedora", "kotlin"),
            "install Kotlin (on Debian: kotlin default-jdk-headless)",
            "a language that the system does not package"
        );
        let own = Language {
            install: String::new(),
            install_with: Default::default(),
            ..table.get("go").unwrap().clone()
        };
        assert_eq!(install_command(&own, Some(PackageTool::Apt)), "install Go");
    }
}
