//! Writes CI files that make GitHub and GitLab verify the packages of a repository on every push.

use crate::start::write_new_file;
use anyhow::{Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A CI system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiSystem {
    /// GitHub's workflows.
    Github,
    /// GitLab's pipelines.
    Gitlab,
}

impl CiSystem {
    /// The path of its file in a repository.
    pub fn file(self) -> &'static str {
        match self {
            CiSystem::Github => ".github/workflows/kopek.yml",
            CiSystem::Gitlab => ".gitlab-ci.yml",
        }
    }

    fn template(self) -> &'static str {
        match self {
            CiSystem::Github => include_str!("ci_template/github.yml"),
            CiSystem::Gitlab => include_str!("ci_template/gitlab.yml"),
        }
    }

    /// The next step for the user.
    pub fn next_step(self) -> &'static str {
        match (self, action_repository()) {
            (CiSystem::Github, Some(_)) => "commit the file and push",
            (CiSystem::Github, None) => "replace OWNER in it by the account that publishes kopek",
            (CiSystem::Gitlab, _) => {
                "set the variable KOPEK_URL in the project's settings to the address of a static kopek program"
            }
        }
    }
}

/// `OWNER/NAME` of the repository with the action, from the manifest of kopek.
fn action_repository() -> Option<&'static str> {
    env!("CARGO_PKG_REPOSITORY").strip_prefix("https://github.com/")
}

/// Writes the file into a repository and returns its path. Fails if the file exists.
pub fn write_ci_template(repository: &Path, system: CiSystem) -> Result<PathBuf> {
    if !repository.is_dir() {
        bail!("{}: no such directory; name the directory of the repository", repository.display());
    }
    let path = repository.join(system.file());
    let action = action_repository().unwrap_or("OWNER/kopek");
    let text = system.template().replace("PACKAGES", place_of_packages(repository));
    write_new_file(&path, &text.replace("ACTION", &format!("{action}@v{}", env!("CARGO_PKG_VERSION"))))?;
    Ok(path)
}

/// The argument of `kopek verify`: the folder `problems` if only that has packages, else the repository.
fn place_of_packages(repository: &Path) -> &'static str {
    let has_package = |dir: &Path| {
        let below = fs::read_dir(dir).into_iter().flatten().flatten();
        dir.join("problem.yaml").is_file()
            || below.into_iter().any(|one| one.path().join("problem.yaml").is_file())
    };
    if !has_package(repository) && has_package(&repository.join("problems")) { "problems" } else { "." }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_systems_verify_what_is_there_and_nothing_is_overwritten() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("problems/a")).unwrap();
        fs::write(home.path().join("problems/a/problem.yaml"), "").unwrap();
        let gitlab = "- kopek verify problems --format junit > kopek.xml\n";
        let github = concat!(
            "/kopek@v",
            env!("CARGO_PKG_VERSION"),
            "\n        with:\n          arguments: problems\n"
        );
        for (system, step) in [(CiSystem::Github, github), (CiSystem::Gitlab, gitlab)] {
            let path = write_ci_template(home.path(), system).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(step), "{text}");
            let again = write_ci_template(home.path(), system).unwrap_err();
            assert!(format!("{again:#}").contains("exists already"), "{again:#}");
        }
        fs::write(home.path().join("problem.yaml"), "").unwrap();
        assert_eq!(place_of_packages(home.path()), ".");
        assert!(write_ci_template(&home.path().join("gone"), CiSystem::Github).is_err());
    }
}
