//! A task of CMS in the Italian format, which kopek imports, too.

use super::{
    cms_points::cms_tests,
    general_losses::report_general_losses,
    legacy_submissions::with_comment,
    losses::Loss,
    own_comparison::choose_comparison,
    own_statements::{own_statements, whole_mib},
    packed::{PackSource, Packed},
    statement_page::title_in,
};
use anyhow::Result;
use kopek_package::package::{
    Submission,
    yaml::{YamlNode, emit_compact},
};

/// Natural languages, and the file names of their statements in CMS.
const LANGUAGES: &[(&str, &str)] = &[
    ("en", "english"),
    ("it", "italian"),
    ("fr", "french"),
    ("de", "german"),
    ("es", "spanish"),
    ("sl", "slovenian"),
    ("ru", "russian"),
    ("hr", "croatian"),
    ("hu", "hungarian"),
];
/// Directories of submissions, and the claim in the words of kopek's importer.
const CHECKS: &[(&str, &str)] = &[
    ("accepted", "accepted"),
    ("wrong_answer", "wrong-answer"),
    ("time_limit_exceeded", "time-limit-exceeded"),
    ("run_time_error", "runtime-error"),
];

pub fn pack_for_cms(source: &PackSource) -> Result<Packed> {
    let mut packed = Packed::new(source.target);
    report_general_losses(source, &mut packed)?;
    // Without a checker it has a single comparison.
    choose_comparison(source, &mut packed)?;
    let tests = cms_tests(source, &mut packed);
    for (number, &case) in tests.cases.iter().enumerate() {
        let case = &source.tests.cases[case];
        packed.add_copy(format!("input/input{number}.txt"), &case.input);
        packed.add_copy(format!("output/output{number}.txt"), &case.answer);
    }
    packed.add_text("gen/GEN", tests.plan);
    packed.add_attachments(source, "att")?;
    for (number, &case) in tests.shown.iter().enumerate() {
        let case = &source.tests.cases[case];
        packed.add_copy(format!("att/input{number}.txt"), &case.input);
        packed.add_copy(format!("att/output{number}.txt"), &case.answer);
    }
    let language = add_cms_statements(source, &mut packed)?;
    add_task_yaml(source, &mut packed, &language, tests.keys);
    add_cms_solutions(source, &mut packed)?;
    Ok(packed)
}

fn add_task_yaml(
    source: &PackSource,
    packed: &mut Packed,
    language: &str,
    points: Vec<(&'static str, YamlNode)>,
) {
    let limits = &source.package.limits;
    let time = limits.time.map_or(1.0, |time| time.as_secs_f64());
    if limits.time.is_none() {
        packed.report_loss(Loss::NoTimeLimit, "problem.yaml", &[]);
    }
    let mut keys = vec![
        ("name", YamlNode::string(source.target_name())),
        ("title", YamlNode::quoted_string(&title_in(source.package, "en"))),
        ("time_limit", YamlNode::bare(format!("{time:?}"))),
        ("memory_limit", YamlNode::bare(whole_mib(limits.memory))),
        ("infile", YamlNode::quoted_string("")),
        ("outfile", YamlNode::quoted_string("")),
        ("primary_language", YamlNode::string(language.replace('-', "_"))),
        ("token_mode", YamlNode::string("disabled")),
        ("score_mode", YamlNode::string("max_subtask")),
    ];
    keys.extend(points);
    packed.add_text("task.yaml", emit_compact(YamlNode::map(keys)));
}

/// Adds the PDFs, the only form CMS shows; returns the language of the first.
fn add_cms_statements(source: &PackSource, packed: &mut Packed) -> Result<String> {
    let mut statements = own_statements(source)?;
    if statements.iter().any(|statement| statement.pdf.is_none()) {
        packed.report_loss(Loss::StatementForm, "statement", &["PDF"]);
    }
    statements.sort_by_key(|statement| statement.language != "en");
    let found: Vec<_> = statements.into_iter().filter_map(|one| Some((one.language, one.pdf?))).collect();
    let Some((first, pdf)) = found.first() else { return Ok("en".into()) };
    if found.len() == 1 {
        packed.add_copy("statement/statement.pdf", pdf);
    } else {
        for (language, pdf) in &found {
            let long = LANGUAGES.iter().find(|(short, _)| short == language).map(|(_, long)| *long);
            packed.add_copy(format!("statement/{}.pdf", long.unwrap_or(language)), pdf);
        }
    }
    Ok(first.clone())
}

/// The first accepted submission is the model solution.
fn add_cms_solutions(source: &PackSource, packed: &mut Packed) -> Result<()> {
    let groups = source.tests.root.groups().flat_map(|group| group.groups()).count();
    let mut model = false;
    let mut left_out = false;
    for submission in &source.package.submissions {
        let directory = submission.name.split('/').next().unwrap_or_default();
        let [file] = submission.source.files.as_slice() else {
            left_out = true;
            continue;
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, "txt"));
        let taken = ["grader", "stub", "template", "manager", "solution", "soluzione"];
        let path = if directory == "accepted" && !model {
            format!("sol/solution.{ending}")
        } else if taken.iter().any(|word| name.starts_with(word)) {
            format!("sol/own-{name}")
        } else {
            format!("sol/{name}")
        };
        let path =
            if packed.files.contains_key(&path) { format!("sol/{directory}-{stem}.{ending}") } else { path };
        model |= directory == "accepted";
        // With several groups, a claim of one verdict would be about each of them.
        let check =
            CHECKS.iter().find(|(own, word)| *own == directory && (groups < 2 || *word == "accepted"));
        add_cms_solution(source, packed, submission, path, check.map(|(_, word)| *word))?;
    }
    if left_out {
        packed.report_loss(Loss::SubmissionForm, "submissions", &[]);
    }
    Ok(())
}

fn add_cms_solution(
    source: &PackSource,
    packed: &mut Packed,
    submission: &Submission,
    path: String,
    check: Option<&str>,
) -> Result<()> {
    let from = submission.source.root.join(&submission.source.files[0]);
    let commented = check.and_then(|check| with_comment(source, &from, &path, &format!("@check-{check}:")));
    match commented {
        Some(text) => packed.add_text(path, text),
        None => {
            let place = format!("submissions/{}", submission.name);
            packed.report_loss(Loss::MixedExpectation, place, &["per group"]);
            packed.add_filled(source, path, &from)?;
        }
    }
    Ok(())
}
