//! Files that make GitHub and GitLab verify the packages of a repository on every push. Writes files.

use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A system that runs checks on every push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiSystem {
    /// GitHub's workflows.
    Github,
    /// GitLab's pipelines.
    Gitlab,
}

impl CiSystem {
    /// Where its file lies in a repository.
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
}

/// Writes the file into a repository; its path. There must be none of that name.
pub fn write_ci_template(repository: &Path, system: CiSystem) -> Result<PathBuf> {
    if !repository.is_dir() {
        bail!("{}: no such directory: name the one of the repository", repository.display());
    }
    let path = repository.join(system.file());
    if fs::symlink_metadata(&path).is_ok() {
        bail!("{} exists already: move it away, and join both by hand", path.display());
    }
    let write = || -> Result<()> {
        fs::create_dir_all(path.parent().context("a file lies in a directory")?)?;
        let packages = place_of_packages(repository);
        Ok(fs::write(&path, system.template().replace("PACKAGES", packages))?)
    };
    write().with_context(|| format!("write {}", path.display()))?;
    Ok(path)
}

/// What `kopek verify` is given there: the repository itself, or its folder `problems`.
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
        for system in [CiSystem::Github, CiSystem::Gitlab] {
            let path = write_ci_template(home.path(), system).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains("kopek verify problems --format junit > kopek.xml"), "{text}");
            let again = write_ci_template(home.path(), system).unwrap_err();
            assert!(format!("{again:#}").contains("exists already"), "{again:#}");
        }
        fs::write(home.path().join("problem.yaml"), "").unwrap();
        assert_eq!(place_of_packages(home.path()), ".");
        assert!(write_ci_template(&home.path().join("gone"), CiSystem::Github).is_err());
    }
}
