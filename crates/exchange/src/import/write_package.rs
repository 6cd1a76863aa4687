//! Writes a draft: `problem.yaml`, groups, tests or their recipe, claims. Writes into a
//! temporary directory and renames it, so the target is complete or absent.

use super::{
    draft::{Content, Draft, DraftFiles, DraftGroup, DraftSubmission},
    recipe_file,
};
use anyhow::{Context, Result, ensure};
use kopek_base::DigestFields;
use kopek_engine::{
    package::yaml::{YamlNode, YamlValue, emit, emit_compact},
    points::Points,
};
use std::{
    fs::{self, File, Permissions},
    io::{BufReader, Read},
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// Writes the package. The target must not exist.
pub fn write_package(draft: &mut Draft, target: &Path) -> Result<()> {
    let parent = target.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).with_context(|| format!("make {}", parent.display()))?;
    let aside = tempfile::Builder::new().prefix(".kopek-import-").tempdir_in(parent);
    let aside = aside.with_context(|| format!("make a directory in {}", parent.display()))?;
    // Temporary directories are private; others must be able to read the package.
    fs::set_permissions(aside.path(), Permissions::from_mode(0o755))?;
    let files = package_files(draft);
    let mut converted = 0;
    for (path, content) in &files {
        converted += usize::from(
            write_content(&aside.path().join(path), content).with_context(|| format!("write {path}"))?,
        );
    }
    if converted > 0 {
        let what = format!("{converted} files with Windows line ends");
        draft.changes.add_change("tests", what, "they have Unix line ends, as the format wants");
    }
    ensure!(fs::symlink_metadata(target).is_err(), "{} exists already", target.display());
    fs::rename(aside.path(), target).with_context(|| format!("make {}", target.display()))?;
    Ok(())
}

fn package_files(draft: &Draft) -> DraftFiles {
    let mut files = draft.files.clone();
    files.insert("problem.yaml".into(), Content::text(emit_compact(problem_yaml(draft))));
    add_group_files(draft, &mut files);
    match recipe_file::is_needed(draft) {
        true => recipe_file::add_recipe(draft, &mut files),
        false => add_test_files(draft, &mut files),
    }
    add_submissions(draft, &mut files);
    if let Some((input, output)) = &draft.named_files {
        let text = format!(
            "# Submissions read and write these files instead of the standard streams.\n\
             [files]\ninput = \"{input}\"\noutput = \"{output}\"\n"
        );
        files.insert("kopek.toml".into(), Content::text(text));
    }
    files
}

fn problem_yaml(draft: &Draft) -> YamlNode {
    let mut keys = vec![("problem_format_version", YamlNode::bare("2025-09"))];
    let kinds = [
        (draft.scoring, "scoring"),
        (draft.interactive, "interactive"),
        (draft.submit_answer, "submit-answer"),
    ];
    let kinds: Vec<&str> = kinds.into_iter().filter_map(|(is, kind)| is.then_some(kind)).collect();
    match kinds.as_slice() {
        [] => keys.push(("type", YamlNode::string("pass-fail"))),
        [one] => keys.push(("type", YamlNode::string(*one))),
        many => keys.push(("type", YamlNode::strings(many))),
    }
    let titles = draft.titles.iter().map(|(code, title)| (code.clone(), YamlNode::string(title.as_str())));
    keys.push(("name", YamlNode::map(titles)));
    keys.push(("uuid", YamlNode::string(package_uuid(draft))));
    if let Some(origin) = &draft.origin {
        keys.push(("source", YamlNode::string(origin.as_str())));
    }
    if !draft.keywords.is_empty() {
        keys.push(("keywords", YamlNode::strings(&draft.keywords)));
    }
    if !draft.languages.is_empty() {
        keys.push(("languages", YamlNode::strings(&draft.languages)));
    }
    keys.push(("limits", limit_keys(draft)));
    YamlNode::map(keys)
}

/// The source promises that accepted solutions keep the limit, without a margin.
fn limit_keys(draft: &Draft) -> YamlNode {
    let mut keys = Vec::new();
    if let Some(time) = draft.time_limit {
        let seconds = |ms: u64| YamlNode::bare(format!("{}.{}", ms / 1000, decimals_of(ms % 1000)));
        keys.push(("time_limit", seconds(time)));
        // The format requires a multiple of the resolution.
        let steps = [1000, 500, 250, 100, 50, 10, 5, 1];
        let step = steps.into_iter().find(|step| time.is_multiple_of(*step)).unwrap_or(1);
        keys.push(("time_resolution", seconds(step)));
        let ones = ["ac_to_time_limit", "time_limit_to_tle"].map(|key| (key, YamlNode::bare("1.0")));
        keys.push(("time_multipliers", YamlNode::map(ones)));
    }
    keys.extend(draft.memory.map(|memory| ("memory", YamlNode::bare(memory))));
    YamlNode::map(keys)
}

/// Thousandths as decimals.
fn decimals_of(thousandths: u64) -> String {
    let digits = format!("{thousandths:03}");
    let short = digits.trim_end_matches('0');
    if short.is_empty() { "0".into() } else { short.into() }
}

/// The same source gives the same identity.
fn package_uuid(draft: &Draft) -> String {
    let origin = draft.origin.as_deref().unwrap_or_default();
    let fields = DigestFields::new("imported package").with("name", draft.name.as_bytes());
    let hex = fields.with("origin", origin.as_bytes()).digest().to_string();
    // Version 8, which RFC 9562 leaves to custom rules: here a digest.
    format!("{}-{}-8{}-8{}-{}", &hex[..8], &hex[8..12], &hex[12..15], &hex[15..18], &hex[18..30])
}

fn add_group_files(draft: &Draft, files: &mut DraftFiles) {
    let mut put = |dir: &str, keys: Vec<(&str, YamlNode)>| {
        files.insert(format!("data/{dir}/test_group.yaml"), Content::text(emit(&YamlNode::map(keys))));
    };
    let arguments = |input: &[String], output: &[String]| {
        let output = [draft.output_args.as_slice(), output].concat();
        let both = [("input_validator_args", input), ("output_validator_args", output.as_slice())];
        let present = both.into_iter().filter(|(_, args)| !args.is_empty());
        present.map(|(key, args)| (key, YamlNode::strings(args))).collect::<Vec<_>>()
    };
    let sample = arguments(&draft.sample_input_args, &draft.sample_output_args);
    if !sample.is_empty() && draft.tests.iter().any(|test| test.sample) {
        put("sample", sample);
    }
    let max = draft.max_score.iter().map(|max| ("max_score", YamlNode::bare(max)));
    let plain = if draft.groups.is_empty() { arguments(&[], &[]) } else { Vec::new() };
    let secret: Vec<_> = max.chain(plain).collect();
    if !secret.is_empty() {
        put("secret", secret);
    }
    for group in &draft.groups {
        let mut keys = scoring_keys(draft, group);
        keys.extend(arguments(&group.input_args, &group.output_args));
        put(&format!("secret/{}", group.name), keys);
    }
}

fn scoring_keys(draft: &Draft, group: &DraftGroup) -> Vec<(&'static str, YamlNode)> {
    if !draft.scoring {
        return Vec::new();
    }
    let mut keys = vec![
        ("max_score", YamlNode::bare(&group.max)),
        ("score_aggregation", YamlNode::string(group.aggregation)),
    ];
    if !group.require.is_empty() {
        keys.push(("require_pass", YamlNode::strings(&group.require)));
    }
    keys
}

fn add_test_files(draft: &Draft, files: &mut DraftFiles) {
    for (index, test) in draft.tests.iter().enumerate() {
        let super::draft::InputOrigin::File(input, _) = &test.input else { continue };
        for place in draft.places(index) {
            let base = format!("data/{place}/{}", test.name);
            files.insert(format!("{base}.in"), Content::Lines(input.clone()));
            let answer = test.answer.clone().map_or(Content::text(""), Content::Lines);
            files.insert(format!("{base}.ans"), answer);
            if let Some(description) = &test.description {
                let yaml = YamlNode::map([("description", YamlNode::string(description.as_str()))]);
                files.insert(format!("{base}.yaml"), Content::text(emit(&yaml)));
            }
        }
    }
}

fn add_submissions(draft: &Draft, files: &mut DraftFiles) {
    let mut claims = Vec::new();
    for submission in &draft.submissions {
        let name = add_submission_files(submission, files);
        let mut keys: Vec<(String, YamlNode)> = Vec::new();
        if submission.model {
            keys.push(("model_solution".into(), YamlNode::bare(true)));
        }
        for claim in &submission.claims {
            let verdicts = [("permitted", claim.permitted), ("required", claim.required)];
            let verdicts = verdicts.into_iter().filter(|(_, words)| !words.is_empty());
            let verdicts = verdicts.map(|(key, words)| (key.to_owned(), YamlNode::strings(words)));
            let verdicts = verdicts.chain(claim.partly_of.as_ref().map(score_range));
            match claim.group.as_str() {
                "" => keys.extend(verdicts),
                group => keys.push((group.to_owned(), YamlNode::map(verdicts))),
            }
        }
        if !keys.is_empty() {
            claims.push((name, YamlNode::map(keys)));
        }
    }
    if !claims.is_empty() {
        let text = emit_compact(YamlNode::map(claims));
        files.insert("submissions/submissions.yaml".into(), Content::text(text));
    }
}

/// Points above zero and below the maximum; the format has closed ranges.
fn score_range(most: &Points) -> (String, YamlNode) {
    let thousandth = Points::one() / 1000;
    let greatest = most.clone() - thousandth.clone();
    let ends = [thousandth, greatest].map(|points| YamlNode::bare(format!("{points:.3}")));
    ("score".to_owned(), YamlNode::new(1, YamlValue::List(ends.into())))
}

/// A file, or a directory if it needs other files; its name below `submissions/`.
fn add_submission_files(submission: &DraftSubmission, files: &mut DraftFiles) -> String {
    let program = Content::File(submission.source.clone());
    let name = submission.package_path();
    if submission.companions.is_empty() {
        files.insert(format!("submissions/{name}"), program);
        return name;
    }
    let main = if submission.file.ends_with(".py") { "__main__.py" } else { &submission.file };
    for (other, content) in &submission.companions {
        files.insert(format!("submissions/{name}/{other}"), content.clone());
    }
    files.insert(format!("submissions/{name}/{main}"), program);
    name
}

/// Writes files below a directory, which is created if missing.
pub fn write_files(dir: &Path, files: &DraftFiles) -> Result<()> {
    for (path, content) in files {
        write_content(&dir.join(path), content).with_context(|| format!("write {path}"))?;
    }
    Ok(())
}

/// Writes a file; returns whether its line ends were converted.
fn write_content(to: &Path, content: &Content) -> Result<bool> {
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    match content {
        Content::Text(text) => fs::write(to, text)?,
        Content::File(from) => copy_bytes(from, to)?,
        Content::Lines(from) if has_windows_line_ends(from)? => {
            let bytes = fs::read(from)?;
            let pieces = bytes.split(|&byte| byte == b'\n').collect::<Vec<_>>();
            // No line end follows the last piece, so a `\r` there is content.
            let last = pieces.len() - 1;
            let lines = pieces.iter().enumerate().map(|(at, line)| match line.strip_suffix(b"\r") {
                Some(bare) if at < last => bare,
                _ => line,
            });
            fs::write(to, lines.collect::<Vec<_>>().join(&b'\n'))?;
            return Ok(true);
        }
        Content::Lines(from) => copy_bytes(from, to)?,
    }
    Ok(false)
}

/// The bytes alone: a file of the source may be read-only, or executable.
fn copy_bytes(from: &Path, to: &Path) -> Result<()> {
    std::io::copy(&mut File::open(from)?, &mut File::create(to)?)?;
    Ok(())
}

fn has_windows_line_ends(path: &Path) -> Result<bool> {
    let mut head = Vec::new();
    BufReader::new(File::open(path)?).take(1 << 16).read_to_end(&mut head)?;
    // The first line decides: large tests are not searched to their end.
    let end = memchr::memchr(b'\n', &head);
    Ok(end.is_some_and(|end| end > 0 && head[end - 1] == b'\r'))
}
