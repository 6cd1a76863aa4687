//! A draft becomes files: `problem.yaml`, groups, tests or the recipe that makes
//! them, claims. Written aside and renamed: the target is whole or not there.

use super::{
    block::Block,
    draft::{Content, Draft, Files, Group},
    recipe,
};
use crate::base::Fields;
use anyhow::{Context, Result, ensure};
use std::{
    fs::{self, File, Permissions},
    io::{BufReader, Read},
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// Writes the package. The target must not exist.
pub fn lay(draft: &mut Draft, target: &Path) -> Result<()> {
    let parent = target.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).with_context(|| format!("make {}", parent.display()))?;
    let aside = tempfile::Builder::new().prefix(".kopek-import-").tempdir_in(parent);
    let aside = aside.with_context(|| format!("make a directory in {}", parent.display()))?;
    fs::set_permissions(aside.path(), Permissions::from_mode(0o755))?;
    let files = files(draft);
    let mut mended = 0;
    for (path, content) in &files {
        mended +=
            usize::from(put(&aside.path().join(path), content).with_context(|| format!("write {path}"))?);
    }
    if mended > 0 {
        let what = format!("{mended} files with Windows line ends");
        draft.changes.changed("tests", what, "they have Unix line ends, as the format wants");
    }
    ensure!(fs::symlink_metadata(target).is_err(), "{} exists already", target.display());
    fs::rename(aside.path(), target).with_context(|| format!("make {}", target.display()))?;
    Ok(())
}

/// Every file of the package.
fn files(draft: &Draft) -> Files {
    let mut files = draft.files.clone();
    files.insert("problem.yaml".into(), Content::text(manifest(draft).file()));
    groups(draft, &mut files);
    match recipe::needed(draft) {
        true => recipe::files(draft, &mut files),
        false => tests(draft, &mut files),
    }
    submissions(draft, &mut files);
    if let Some((input, output)) = &draft.named_files {
        let text = format!(
            "# Submissions read and write these files instead of the standard streams.\n\
             [files]\ninput = \"{input}\"\noutput = \"{output}\"\n"
        );
        files.insert("kopek.toml".into(), Content::text(text));
    }
    files
}

fn manifest(draft: &Draft) -> Block {
    let mut keys = vec![("problem_format_version", Block::bare("2025-09"))];
    let kinds = [
        (draft.scoring, "scoring"),
        (draft.interactive, "interactive"),
        (draft.submit_answer, "submit-answer"),
    ];
    let kinds: Vec<&str> = kinds.into_iter().filter_map(|(is, kind)| is.then_some(kind)).collect();
    match kinds.as_slice() {
        [] => keys.push(("type", Block::text("pass-fail"))),
        [one] => keys.push(("type", Block::text(*one))),
        many => keys.push(("type", Block::texts(many))),
    }
    let titles = draft.titles.iter().map(|(code, title)| (code.clone(), Block::text(title.as_str())));
    keys.push(("name", Block::Map(titles.collect())));
    keys.push(("uuid", Block::text(uuid(draft))));
    if let Some(origin) = &draft.origin {
        keys.push(("source", Block::text(origin.as_str())));
    }
    if !draft.keywords.is_empty() {
        keys.push(("keywords", Block::texts(&draft.keywords)));
    }
    if !draft.languages.is_empty() {
        keys.push(("languages", Block::texts(&draft.languages)));
    }
    keys.push(("limits", limits(draft)));
    Block::Map(keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// The source promises that what it calls accepted keeps the limit, and no margins.
fn limits(draft: &Draft) -> Block {
    let mut keys = Vec::new();
    if let Some(time) = draft.time_limit {
        let seconds = |ms: u64| Block::bare(format!("{}.{}", ms / 1000, trimmed(ms % 1000)));
        keys.push(("time_limit".to_owned(), seconds(time)));
        let steps = [1000, 500, 250, 100, 50, 10, 5, 1];
        let step = steps.into_iter().find(|step| time.is_multiple_of(*step)).unwrap_or(1);
        keys.push(("time_resolution".into(), seconds(step)));
        let ones = ["ac_to_time_limit", "time_limit_to_tle"].map(|key| (key.to_owned(), Block::bare("1.0")));
        keys.push(("time_multipliers".into(), Block::Map(ones.into())));
    }
    keys.extend(draft.memory.map(|memory| ("memory".to_owned(), Block::bare(memory))));
    Block::Map(keys)
}

/// Thousandths as decimals.
fn trimmed(thousandths: u64) -> String {
    let digits = format!("{thousandths:03}");
    let short = digits.trim_end_matches('0');
    if short.is_empty() { "0".into() } else { short.into() }
}

/// The same source gives the same identity.
fn uuid(draft: &Draft) -> String {
    let origin = draft.origin.as_deref().unwrap_or_default();
    let fields = Fields::new("imported package").with("name", draft.name.as_bytes());
    let hex = fields.with("origin", origin.as_bytes()).digest().to_string();
    format!("{}-{}-8{}-8{}-{}", &hex[..8], &hex[8..12], &hex[12..15], &hex[15..18], &hex[18..30])
}

fn groups(draft: &Draft, files: &mut Files) {
    let mut put = |dir: &str, keys: Vec<(String, Block)>| {
        files.insert(format!("data/{dir}/test_group.yaml"), Content::text(Block::Map(keys).file()));
    };
    let arguments = |input: &[String], output: &[String]| {
        let output = [draft.output_args.as_slice(), output].concat();
        let both = [("input_validator_args", input), ("output_validator_args", output.as_slice())];
        let said = both.into_iter().filter(|(_, args)| !args.is_empty());
        said.map(|(key, args)| (key.to_owned(), Block::texts(args))).collect::<Vec<_>>()
    };
    let sample = arguments(&draft.sample_input_args, &draft.sample_output_args);
    if !sample.is_empty() && draft.tests.iter().any(|test| test.sample) {
        put("sample", sample);
    }
    let max = draft.max_score.iter().map(|max| ("max_score".to_owned(), Block::bare(max)));
    let plain = if draft.groups.is_empty() { arguments(&[], &[]) } else { Vec::new() };
    let secret: Vec<_> = max.chain(plain).collect();
    if !secret.is_empty() {
        put("secret", secret);
    }
    for group in &draft.groups {
        let mut keys = rule(draft, group);
        keys.extend(arguments(&group.input_args, &group.output_args));
        put(&format!("secret/{}", group.name), keys);
    }
}

fn rule(draft: &Draft, group: &Group) -> Vec<(String, Block)> {
    if !draft.scoring {
        return Vec::new();
    }
    let mut keys = vec![
        ("max_score".to_owned(), Block::bare(&group.max)),
        ("score_aggregation".to_owned(), Block::text(group.aggregation)),
    ];
    if !group.require.is_empty() {
        keys.push(("require_pass".into(), Block::texts(&group.require)));
    }
    keys
}

/// Where a test lies below `data/`: a sample may count among the secret ones, too.
pub fn places(draft: &Draft, index: usize) -> Vec<String> {
    let test = &draft.tests[index];
    let mut places = Vec::new();
    if test.sample {
        places.push("sample".to_owned());
    }
    let groups = draft.groups.iter().filter(|group| group.tests.contains(&index));
    places.extend(groups.map(|group| format!("secret/{}", group.name)));
    if test.secret && draft.groups.is_empty() {
        places.push("secret".into());
    }
    places
}

fn tests(draft: &Draft, files: &mut Files) {
    for (index, test) in draft.tests.iter().enumerate() {
        let super::draft::Origin::File(input, _) = &test.input else { continue };
        for place in places(draft, index) {
            let base = format!("data/{place}/{}", test.name);
            files.insert(format!("{base}.in"), Content::Lines(input.clone()));
            let answer = test.answer.clone().map_or(Content::text(""), Content::Lines);
            files.insert(format!("{base}.ans"), answer);
            if let Some(description) = &test.description {
                let yaml = Block::Map(vec![("description".into(), Block::text(description.as_str()))]);
                files.insert(format!("{base}.yaml"), Content::text(yaml.file()));
            }
        }
    }
}

fn submissions(draft: &Draft, files: &mut Files) {
    let mut claims = Vec::new();
    for submission in &draft.submissions {
        let name = format!("{}/{}", submission.directory, submission.file);
        files.insert(format!("submissions/{name}"), Content::File(submission.source.clone()));
        let mut keys: Vec<(String, Block)> = Vec::new();
        if submission.model {
            keys.push(("model_solution".into(), Block::bare(true)));
        }
        for claim in &submission.claims {
            let said = [("permitted", claim.permitted), ("required", claim.required)];
            let said = said.into_iter().filter(|(_, words)| !words.is_empty());
            let said = said.map(|(key, words)| (key.to_owned(), Block::texts(words)));
            match claim.group.as_str() {
                "" => keys.extend(said),
                group => keys.push((group.to_owned(), Block::Map(said.collect()))),
            }
        }
        if !keys.is_empty() {
            claims.push((name, Block::Map(keys)));
        }
    }
    if !claims.is_empty() {
        let text = Block::Map(claims).file();
        files.insert("submissions/submissions.yaml".into(), Content::text(text));
    }
}

/// Writes a file; whether its line ends were mended.
fn put(to: &Path, content: &Content) -> Result<bool> {
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    match content {
        Content::Text(text) => fs::write(to, text)?,
        Content::File(from) => copy(from, to)?,
        Content::Lines(from) if begins_windows(from)? => {
            let bytes = fs::read(from)?;
            let pieces = bytes.split(|&byte| byte == b'\n').collect::<Vec<_>>();
            let last = pieces.len() - 1;
            let lines = pieces.iter().enumerate().map(|(at, line)| match line.strip_suffix(b"\r") {
                Some(bare) if at < last => bare,
                _ => line,
            });
            fs::write(to, lines.collect::<Vec<_>>().join(&b'\n'))?;
            return Ok(true);
        }
        Content::Lines(from) => copy(from, to)?,
    }
    Ok(false)
}

/// The bytes alone: a file of the source may be read-only, or executable.
fn copy(from: &Path, to: &Path) -> Result<()> {
    std::io::copy(&mut File::open(from)?, &mut File::create(to)?)?;
    Ok(())
}

fn begins_windows(path: &Path) -> Result<bool> {
    let mut head = Vec::new();
    BufReader::new(File::open(path)?).take(1 << 16).read_to_end(&mut head)?;
    let end = memchr::memchr(b'\n', &head);
    Ok(end.is_some_and(|end| end > 0 && head[end - 1] == b'\r'))
}
