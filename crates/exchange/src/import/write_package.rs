//! Writes a draft: `problem.yaml`, groups, tests or the recipe that makes them, solutions and their claims. Writes
//! into a temporary directory and renames it, so the target is complete or absent.

use super::{
    draft::{Draft, DraftClaim, DraftSubmission, DraftTest, InputOrigin},
    draft_files::{Content, DraftFiles, base_name, write_files},
};
use anyhow::{Context, Result, ensure};
use kopek_base::{DigestFields, files::directory_of};
use kopek_package::{
    package::yaml::{YamlNode, YamlValue, emit, emit_compact},
    points::Points,
};
use std::{
    collections::BTreeMap,
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::Path,
};

type Keys = Vec<(String, YamlNode)>;

/// Writes the package. The target must not exist.
pub fn write_package(draft: &mut Draft, target: &Path) -> Result<()> {
    let parent = directory_of(target);
    fs::create_dir_all(parent).with_context(|| format!("make {}", parent.display()))?;
    let aside = tempfile::Builder::new().prefix(".kopek-import-").tempdir_in(parent);
    let aside = aside.with_context(|| format!("make a directory in {}", parent.display()))?;
    // Temporary directories are private; others must be able to read the package.
    fs::set_permissions(aside.path(), Permissions::from_mode(0o755))?;
    let converted = write_files(aside.path(), &package_files(draft))?;
    if converted > 0 {
        let what = format!("{converted} files with Windows line ends");
        draft.changed("tests", what, "they have Unix line ends, as the format wants");
    }
    ensure!(fs::symlink_metadata(target).is_err(), "{} exists already", target.display());
    fs::rename(aside.path(), target).with_context(|| format!("make {}", target.display()))
}

fn package_files(draft: &Draft) -> DraftFiles {
    let mut files = draft.files.clone();
    files.insert("problem.yaml".into(), Content::text(emit_compact(problem_yaml(draft))));
    add_group_files(draft, &mut files);
    if needs_recipe(draft) {
        add_recipe(draft, &mut files);
    } else {
        add_test_files(draft, &mut files);
    }
    add_submissions(draft, &mut files);
    if let Some((input, output)) = &draft.named_files {
        let text = format!(
            "# Submissions read and write these files instead of the standard streams.\n\
             [files]\ninput = \"{input}\"\noutput = \"{output}\"\n"
        );
        files.insert("kopek.toml".into(), Content::Text(text));
    }
    files
}

fn problem_yaml(draft: &Draft) -> YamlNode {
    let mut keys = vec![("problem_format_version", YamlNode::bare("2025-09"))];
    let mut kinds = Vec::new();
    if draft.scoring {
        kinds.push("scoring");
    }
    if draft.interactive {
        kinds.push("interactive");
    }
    if draft.submit_answer {
        kinds.push("submit-answer");
    }
    let kind = match kinds.as_slice() {
        [] => YamlNode::string("pass-fail"),
        [one] => YamlNode::string(*one),
        many => YamlNode::strings(many),
    };
    keys.push(("type", kind));
    let titles = draft.titles.iter().map(|(code, title)| (code.clone(), YamlNode::string(title.as_str())));
    keys.push(("name", YamlNode::map(titles)));
    keys.push(("uuid", YamlNode::string(package_uuid(draft))));
    if let Some(origin) = &draft.origin {
        keys.push(("source", YamlNode::string(origin.as_str())));
    }
    for (key, words) in [("keywords", &draft.keywords), ("languages", &draft.languages)] {
        if !words.is_empty() {
            keys.push((key, YamlNode::strings(words)));
        }
    }
    keys.push(("limits", limit_keys(draft)));
    YamlNode::map(keys)
}

/// The source promises that accepted solutions keep the limit, without a margin.
fn limit_keys(draft: &Draft) -> YamlNode {
    let mut keys = Vec::new();
    if let Some(time) = draft.time_limit {
        keys.push(("time_limit", seconds(time)));
        // The format requires a multiple of the resolution.
        let step = [1000, 500, 250, 100, 50, 10, 5].into_iter().find(|step| time.is_multiple_of(*step));
        keys.push(("time_resolution", seconds(step.unwrap_or(1))));
        let ones = ["ac_to_time_limit", "time_limit_to_tle"].map(|key| (key, YamlNode::bare("1.0")));
        keys.push(("time_multipliers", YamlNode::map(ones)));
    }
    if let Some(memory) = draft.memory {
        keys.push(("memory", YamlNode::bare(memory)));
    }
    YamlNode::map(keys)
}

fn seconds(ms: u64) -> YamlNode {
    let digits = format!("{:03}", ms % 1000);
    let short = digits.trim_end_matches('0');
    YamlNode::bare(format!("{}.{}", ms / 1000, if short.is_empty() { "0" } else { short }))
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
    let sample = argument_keys(draft, &draft.sample_input_args, &draft.sample_output_args);
    if !sample.is_empty() && draft.tests.iter().any(|test| test.sample) {
        put("sample", sample);
    }
    let mut secret = Vec::new();
    if let Some(max) = &draft.max_score {
        secret.push(("max_score", YamlNode::bare(max)));
    }
    if draft.groups.is_empty() {
        secret.extend(argument_keys(draft, &[], &[]));
    }
    if !secret.is_empty() {
        put("secret", secret);
    }
    for group in &draft.groups {
        let mut keys = Vec::new();
        if draft.scoring {
            keys.push(("max_score", YamlNode::bare(&group.max)));
            keys.push(("score_aggregation", YamlNode::string(group.aggregation)));
            if !group.require.is_empty() {
                keys.push(("require_pass", YamlNode::strings(&group.require)));
            }
        }
        keys.extend(argument_keys(draft, &group.input_args, &group.output_args));
        put(&format!("secret/{}", group.name), keys);
    }
}

fn argument_keys(draft: &Draft, input: &[String], output: &[String]) -> Vec<(&'static str, YamlNode)> {
    let output = [draft.output_args.as_slice(), output].concat();
    let both = [("input_validator_args", input), ("output_validator_args", output.as_slice())];
    let given = both.into_iter().filter(|(_, args)| !args.is_empty());
    given.map(|(key, args)| (key, YamlNode::strings(args))).collect()
}

fn add_test_files(draft: &Draft, files: &mut DraftFiles) {
    for (index, test) in draft.tests.iter().enumerate() {
        let InputOrigin::File(input, _) = &test.input else { continue };
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

/// Whether tests, or their answers, are made: the source has them as commands, or not at all. All tests are in the
/// recipe then.
pub fn needs_recipe(draft: &Draft) -> bool {
    draft.tests.iter().any(|test| match test.input {
        InputOrigin::Command(_) => true,
        // Answers of an interactive problem may stay empty: nothing has to be made.
        InputOrigin::File(..) => test.answer.is_none() && !draft.interactive,
    })
}

fn add_recipe(draft: &Draft, files: &mut DraftFiles) {
    let mut keys = Vec::new();
    if let Some(model) = draft.submissions.iter().find(|submission| submission.model) {
        keys.push(("solution", YamlNode::string(format!("/submissions/{}", model.package_path()))));
    }
    let mut generators = Keys::new();
    for (name, parts) in &draft.generators {
        let mut own = Vec::new();
        for (part, content) in parts {
            files.insert(format!("generators/{name}/{part}"), content.clone());
            own.push(part);
        }
        // Such a directory is one program.
        if !parts.contains_key("__main__.py") {
            // The program comes first, its headers follow.
            own.sort_by_key(|part| base_name(part).split('.').next() != Some(name.as_str()));
            let own = own.into_iter().map(|part| format!("{name}/{part}"));
            generators.push((name.clone(), YamlNode::strings(own)));
        }
    }
    if !generators.is_empty() {
        keys.push(("generators", YamlNode::map(generators)));
    }
    keys.push(("data", data_rules(draft, files)));
    files.insert("generators/generators.yaml".into(), Content::text(emit_compact(YamlNode::map(keys))));
}

/// The rules of a directory, and the cases of earlier ones that it includes.
#[derive(Default)]
struct FolderRules {
    cases: Keys,
    included: Vec<String>,
}

impl FolderRules {
    fn node(self) -> YamlNode {
        let mut keys = Vec::new();
        if !self.included.is_empty() {
            keys.push(("include", YamlNode::strings(&self.included)));
        }
        if !self.cases.is_empty() {
            keys.push(("data", YamlNode::map(self.cases)));
        }
        YamlNode::map(keys)
    }
}

fn data_rules(draft: &Draft, files: &mut DraftFiles) -> YamlNode {
    let mut folders: BTreeMap<String, FolderRules> = BTreeMap::new();
    for (index, test) in draft.tests.iter().enumerate() {
        // In the order in which recipes are read.
        let mut places = draft.places(index).into_iter();
        if let Some(first) = places.next() {
            let rule = case_rule(test, files);
            folders.entry(first).or_default().cases.push((test.name.clone(), rule));
        }
        for other in places {
            folders.entry(other).or_default().included.push(test.name.clone());
        }
    }
    let mut tops = Keys::new();
    if let Some(sample) = folders.remove("sample") {
        tops.push(("sample".to_owned(), sample.node()));
    }
    let secret = match folders.remove("secret") {
        Some(secret) => secret.node(),
        None => {
            let groups = folders.into_iter().map(|(path, rules)| (base_name(&path).to_owned(), rules.node()));
            YamlNode::map([("data", YamlNode::map(groups))])
        }
    };
    tops.push(("secret".to_owned(), secret));
    YamlNode::map(tops)
}

fn case_rule(test: &DraftTest, files: &mut DraftFiles) -> YamlNode {
    let mut keys = Vec::new();
    match &test.input {
        InputOrigin::Command(command) => keys.push(("generate", YamlNode::string(command.as_str()))),
        InputOrigin::File(input, _) => {
            let base = format!("manual/{}", test.name);
            files.insert(format!("generators/{base}.in"), Content::Lines(input.clone()));
            if let Some(answer) = &test.answer {
                files.insert(format!("generators/{base}.ans"), Content::Lines(answer.clone()));
            }
            keys.push(("copy", YamlNode::string(base)));
        }
    }
    if let Some(description) = &test.description {
        keys.push(("yaml", YamlNode::map([("description", YamlNode::string(description.as_str()))])));
    }
    YamlNode::map(keys)
}

fn add_submissions(draft: &Draft, files: &mut DraftFiles) {
    let mut all = Keys::new();
    for submission in &draft.submissions {
        add_submission_files(submission, files);
        let mut keys = Keys::new();
        if submission.model {
            keys.push(("model_solution".into(), YamlNode::bare(true)));
        }
        for claim in &submission.claims {
            let claimed = claim_keys(claim);
            if claim.group.is_empty() {
                keys.extend(claimed);
            } else {
                keys.push((claim.group.clone(), YamlNode::map(claimed)));
            }
        }
        if !keys.is_empty() {
            all.push((submission.package_path(), YamlNode::map(keys)));
        }
    }
    if !all.is_empty() {
        let text = emit_compact(YamlNode::map(all));
        files.insert("submissions/submissions.yaml".into(), Content::Text(text));
    }
}

fn claim_keys(claim: &DraftClaim) -> Keys {
    let mut keys = Keys::new();
    for (key, verdicts) in [("permitted", claim.permitted), ("required", claim.required)] {
        if !verdicts.is_empty() {
            keys.push((key.to_owned(), YamlNode::strings(verdicts)));
        }
    }
    if let Some(max) = &claim.partly_of {
        // Above zero and below the maximum; the format has closed ranges.
        let min = Points::one() / 1000;
        let ends = [min.clone(), max.clone() - min];
        let ends = ends.map(|points| YamlNode::bare(format!("{points:.3}")));
        keys.push(("score".to_owned(), YamlNode::new(1, YamlValue::List(ends.into()))));
    }
    keys
}

/// A file, or a directory if it needs other files.
fn add_submission_files(submission: &DraftSubmission, files: &mut DraftFiles) {
    let program = Content::File(submission.source.clone());
    let place = format!("submissions/{}", submission.package_path());
    if submission.companions.is_empty() {
        files.insert(place, program);
        return;
    }
    for (other, content) in &submission.companions {
        files.insert(format!("{place}/{other}"), content.clone());
    }
    let main = if submission.file.ends_with(".py") { "__main__.py" } else { &submission.file };
    files.insert(format!("{place}/{main}"), program);
}
