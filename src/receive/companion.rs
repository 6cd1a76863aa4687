//! A problem posted by the browser extension Competitive Companion, and its package, which has only samples
//! and limits.

use crate::base::{Digest, DigestFields, files::write_atomic};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A posted problem, with the fields that kopek uses.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostedProblem {
    name: String,
    #[serde(default)]
    group: String,
    url: String,
    #[serde(default)]
    interactive: bool,
    /// In MB.
    memory_limit: f64,
    /// In milliseconds.
    time_limit: f64,
    tests: Vec<PostedTest>,
    input: PostedStream,
    output: PostedStream,
    /// The batch; problems of a contest arrive one by one.
    pub batch: Option<PostedBatch>,
}

#[derive(Debug, Clone, Deserialize)]
struct PostedTest {
    input: String,
    output: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PostedStream {
    #[serde(rename = "type")]
    kind: String,
    file_name: Option<String>,
}

/// The problems sent by one click of the user.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PostedBatch {
    /// The same for all problems of the batch.
    pub id: String,
    /// Number of problems in the batch.
    pub size: usize,
}

/// More samples than any problem has.
const MAX_TESTS: usize = 1000;
/// Maximum length of a directory name.
const MAX_NAME: usize = 60;
/// Maximum number of problems with the same name.
const MAX_NAMESAKES: usize = 100;

impl PostedProblem {
    /// Parses a post; the error describes the problem with it.
    pub fn parse(body: &[u8]) -> Result<PostedProblem> {
        let posted: PostedProblem =
            serde_json::from_slice(body).context("not a problem as Competitive Companion posts it")?;
        if posted.tests.len() > MAX_TESTS {
            bail!("more than {MAX_TESTS} samples");
        }
        let is_limit = |number: f64| number.is_finite() && number > 0.0 && number < 1e9;
        if !is_limit(posted.time_limit) || !is_limit(posted.memory_limit) {
            bail!("time and memory limits must be positive numbers");
        }
        posted.named_files()?;
        Ok(posted)
    }

    /// Its name, for people.
    pub fn title(&self) -> String {
        let plain: String = self.name.chars().filter(|c| !c.is_control()).take(200).collect();
        plain.trim().to_owned()
    }

    /// Writes the package below a directory and returns its path. A new package appears atomically. An existing
    /// one keeps all other files, especially solutions.
    pub fn write_package(&self, below: &Path, template: &[(String, Vec<u8>)]) -> Result<PathBuf> {
        let dir = self.free_directory(below)?;
        // Next to the target, because a directory can be renamed only within a file system.
        let aside = tempfile::Builder::new().prefix(".kopek-").tempdir_in(below)?;
        let draft = aside.path().join("package");
        let mut files = self.files()?;
        let is_new = |(name, _): &&(String, Vec<u8>)| {
            !dir.join(name).exists() && !files.iter().any(|(posted, _)| posted == name)
        };
        let own: Vec<_> = template.iter().filter(is_new).cloned().collect();
        files.extend(own);
        for (path, contents) in &files {
            write_atomic(&draft.join(path), contents)?;
        }
        if dir.is_dir() {
            self.replace_files(&draft, &files, &dir)?;
        } else {
            fs::rename(&draft, &dir).with_context(|| format!("write {}", dir.display()))?;
        }
        Ok(dir)
    }

    /// A directory with the problem's name: that of the same problem, else a new one.
    fn free_directory(&self, below: &Path) -> Result<PathBuf> {
        let name = self.directory_name();
        let candidates = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name}-{n}")));
        for candidate in candidates.take(MAX_NAMESAKES) {
            let dir = below.join(candidate);
            match fs::symlink_metadata(&dir) {
                // Does not follow links, which may lead anywhere.
                Ok(found) if found.is_dir() && self.is_at(&dir) => return Ok(dir),
                Ok(_) => {}
                Err(_) => return Ok(dir),
            }
        }
        bail!("too many problems are called {name} in {}", below.display())
    }

    /// Moves a complete draft into an existing package, so that a full disk leaves the old files.
    fn replace_files(&self, draft: &Path, files: &[(String, Vec<u8>)], dir: &Path) -> Result<()> {
        for (path, _) in files {
            let to = dir.join(path);
            fs::create_dir_all(to.parent().unwrap_or(dir))
                .and_then(|()| fs::rename(draft.join(path), &to))
                .with_context(|| format!("write {}", to.display()))?;
        }
        let samples = dir.join(self.sample_folder());
        if !samples.is_dir() {
            // Neither the old nor the new post has samples.
            return Ok(());
        }
        remove_old_samples(&samples, |path| files.iter().any(|(new, _)| dir.join(new) == path))
    }

    fn is_at(&self, dir: &Path) -> bool {
        fs::read_to_string(dir.join("problem.yaml")).is_ok_and(|text| text.contains(&self.uuid()))
    }

    /// Lowercase letters, digits and `-`, so that the name cannot leave its directory.
    fn directory_name(&self) -> String {
        let small = self.name.to_ascii_lowercase();
        let words = small.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let name: String = words.collect::<Vec<_>>().join("-").chars().take(MAX_NAME).collect();
        match name.trim_matches('-') {
            "" => format!("problem-{}", &self.uuid()[..8]),
            name => name.to_owned(),
        }
    }

    /// The same id for every post of the same problem.
    fn uuid(&self) -> String {
        let digest: Digest = DigestFields::new("received problem").with("url", self.url.as_bytes()).digest();
        let hex = digest.to_string();
        format!("{}-{}-4{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
    }

    fn problem_yaml(&self) -> String {
        // Every JSON string is a YAML string.
        let quoted = |text: &str| serde_json::to_string(text).expect("a string is always JSON");
        let kind = if self.interactive { "type: interactive\n" } else { "" };
        let source = [self.group.trim(), self.url.trim()].join(" ");
        format!(
            "problem_format_version: 2025-09\n{kind}name: {}\nuuid: {}\nsource: {}\nlimits:\n  \
             time_limit: {:.3}\n  time_resolution: 0.001\n  memory: {}\n",
            quoted(&self.title()),
            self.uuid(),
            quoted(source.trim()),
            (self.time_limit / 1000.0).max(0.001),
            (self.memory_limit.ceil() as u64).max(1),
        )
    }

    /// The files of the package, by path.
    fn files(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let folder = self.sample_folder();
        let answer = if self.interactive { "out" } else { "ans" };
        let width = self.tests.len().to_string().len();
        let mut files = Vec::new();
        for (at, test) in (1..).zip(&self.tests) {
            files.push((format!("{folder}/{at:0width$}.in"), test.input.clone().into_bytes()));
            files.push((format!("{folder}/{at:0width$}.{answer}"), test.output.clone().into_bytes()));
        }
        files.push(("problem.yaml".to_owned(), self.problem_yaml().into_bytes()));
        if let Some(text) = self.named_files()? {
            files.push(("kopek.toml".to_owned(), text.into_bytes()));
        }
        Ok(files)
    }

    /// Samples of an interactive problem are conversations, which cannot be used for judging.
    fn sample_folder(&self) -> &'static str {
        if self.interactive { "samples" } else { "data/sample" }
    }

    fn named_files(&self) -> Result<Option<String>> {
        if self.input.kind != "file" && self.output.kind != "file" {
            return Ok(None);
        }
        let name = |stream: &PostedStream| -> Result<String> {
            let name = stream.file_name.clone().unwrap_or_default();
            let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
            if stream.kind != "file" || !plain || name.is_empty() || name.starts_with('.') || name.len() > 100
            {
                bail!("input and output must both be files with plain names, or both the standard streams");
            }
            Ok(name)
        };
        let input = name(&self.input)?;
        let output = name(&self.output)?;
        Ok(Some(format!("[files]\ninput = \"{input}\"\noutput = \"{output}\"\n")))
    }
}

/// Removes the samples of an older post: only numbers with the extensions of samples.
fn remove_old_samples(folder: &Path, is_new: impl Fn(&Path) -> bool) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("read {}", folder.display()))? {
        let path = entry?.path();
        let numbered =
            path.file_stem().is_some_and(|stem| stem.to_string_lossy().chars().all(|c| c.is_ascii_digit()));
        let sample =
            path.extension().is_some_and(|ending| ["in", "ans", "out"].iter().any(|known| ending == *known));
        if numbered && sample && !is_new(&path) {
            fs::remove_file(&path).with_context(|| format!("remove {}", path.display()))?;
        }
    }
    Ok(())
}

/// A problem with this name, as posted by the extension.
#[cfg(test)]
pub(super) fn example_post(name: &str) -> serde_json::Value {
    serde_json::json!({
        "name": name, "group": "Round", "url": format!("https://judge.example/{name}"), "interactive": false,
        "memoryLimit": 256, "timeLimit": 1500, "tests": [{"input": "1\n", "output": "2\n"}],
        "testType": "single", "input": {"type": "stdin"}, "output": {"type": "stdout"},
        "languages": {"java": {"mainClass": "Main", "taskClass": "A"}},
        "batch": {"id": "b", "size": 1},
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn posted(name: &str) -> PostedProblem {
        PostedProblem::parse(example_post(name).to_string().as_bytes()).unwrap()
    }

    fn names_in(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_package_is_written_whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        // This template cannot be written, because its directory is a file of the package.
        let unwritable = ("problem.yaml/main.py".to_owned(), b"template".to_vec());
        posted("Sums").write_package(dir.path(), std::slice::from_ref(&unwritable)).unwrap_err();
        assert_eq!(names_in(dir.path()), [""; 0]);
        let place = posted("Sums").write_package(dir.path(), &[]).unwrap();
        let before = fs::read_to_string(place.join("problem.yaml")).unwrap();
        let changed = PostedProblem { time_limit: 9000.0, tests: vec![], ..posted("Sums") };
        changed.write_package(dir.path(), &[unwritable]).unwrap_err();
        assert_eq!(fs::read_to_string(place.join("problem.yaml")).unwrap(), before);
        assert!(place.join("data/sample/1.in").is_file());
        assert_eq!(names_in(dir.path()), ["sums"]);
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
        let usual = dir.path().join("usual");
        fs::create_dir(&usual).unwrap();
        assert_eq!(mode(&place), mode(&usual), "others may read it as any new directory");
    }

    #[test]
    fn a_new_post_replaces_the_samples_of_an_older_one_and_no_other_file() {
        let dir = tempfile::tempdir().unwrap();
        let place = posted("Sums").write_package(dir.path(), &[]).unwrap();
        fs::write(place.join("data/sample/mine.in"), "mine").unwrap();
        fs::write(place.join("data/sample/7.in"), "old").unwrap();
        posted("Sums").write_package(dir.path(), &[]).unwrap();
        assert_eq!(names_in(&place.join("data/sample")), ["1.ans", "1.in", "mine.in"]);
    }

    #[test]
    fn no_name_leads_out_of_the_directory() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["../../etc/passwd", "/etc/passwd", "..", "", "\u{1f600}", "A. Two Sums", "a\0b"] {
            let place = posted(name).write_package(dir.path(), &[]).unwrap();
            assert_eq!(place.parent(), Some(dir.path()), "{name}");
            assert!(place.join("problem.yaml").is_file() && place.join("data/sample/1.ans").is_file());
        }
        assert!(dir.path().join("a-two-sums").is_dir());
    }

    #[test]
    fn the_same_problem_keeps_its_place_and_its_solution_and_another_gets_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let template = ("main.py".to_owned(), b"template".to_vec());
        let first = posted("Sums").write_package(dir.path(), std::slice::from_ref(&template)).unwrap();
        fs::write(first.join("main.py"), "mine").unwrap();
        assert_eq!(posted("Sums").write_package(dir.path(), std::slice::from_ref(&template)).unwrap(), first);
        assert_eq!(fs::read_to_string(first.join("main.py")).unwrap(), "mine");
        let other = PostedProblem { url: "https://other.example".into(), ..posted("Sums") };
        assert_eq!(other.write_package(dir.path(), &[]).unwrap(), dir.path().join("sums-2"));
        std::os::unix::fs::symlink("/tmp", dir.path().join("link")).unwrap();
        assert_eq!(posted("Link").write_package(dir.path(), &[]).unwrap(), dir.path().join("link-2"));
    }

    #[test]
    fn named_files_are_plain_names() {
        let stream = |name: &str| PostedStream { kind: "file".into(), file_name: Some(name.into()) };
        let of = |input: &str, output: &str| PostedProblem {
            input: stream(input),
            output: stream(output),
            ..posted("x")
        };
        assert!(of("a.in", "a.out").named_files().unwrap().unwrap().contains("input = \"a.in\""));
        for (input, output) in [("../a", "b"), ("a\"\n", "b"), ("", "b"), (".a", "b")] {
            assert!(of(input, output).named_files().is_err(), "{input}");
        }
        assert_eq!(posted("x").named_files().unwrap(), None);
    }
}
