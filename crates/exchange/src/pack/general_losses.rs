//! Losses that do not depend on the layout of a target's files.

use super::{
    losses::Loss,
    packed::{PackSource, Packed},
    target::Target,
};
use anyhow::Result;
use kopek_package::package::{Rule, case_extras};
use std::{collections::BTreeSet, fs};

/// Directories of version 2025-09.
const DIRECTORIES: &[(&str, Loss)] = &[
    ("static_validator", Loss::StaticValidator),
    ("input_visualizer", Loss::Visualizers),
    ("output_visualizer", Loss::Visualizers),
    ("generators", Loss::Generators),
    ("solution", Loss::Solution),
    ("input_validators", Loss::InputValidators),
    ("attachments", Loss::Attachments),
    ("attachments/templates", Loss::Templates),
];

/// Some systems refuse files of this size.
const LARGE: u64 = 100 << 20;

pub fn report_general_losses(source: &PackSource, packed: &mut Packed) -> Result<()> {
    for (name, loss) in DIRECTORIES.iter().filter(|(name, _)| source.package.dir.join(name).is_dir()) {
        packed.report_loss(*loss, *name, &[]);
    }
    report_lost_settings(source, packed);
    report_lost_words(source, packed);
    report_lost_data(source, packed)
}

fn report_lost_settings(source: &PackSource, packed: &mut Packed) {
    let package = source.package;
    if package.named_files.is_some() {
        packed.report_loss(Loss::NamedFiles, "kopek.toml", &[]);
    } else if package.dir.join("kopek.toml").is_file() {
        packed.report_loss(Loss::KopekToml, "kopek.toml", &[]);
    }
    if package.languages.is_some() {
        packed.report_loss(Loss::Languages, "problem.yaml", &[]);
    }
    for submission in &package.submissions {
        if submission.language.is_some() || submission.entry.is_some() {
            packed.report_loss(Loss::DeclaredLanguage, format!("submissions/{}", submission.name), &[]);
        }
    }
    let claims = "submissions/submissions.yaml";
    if package.dir.join(claims).is_file() {
        packed.report_loss(Loss::Claims, claims, &[]);
    }
}

fn report_lost_words(source: &PackSource, packed: &mut Packed) {
    let about = &source.package.about;
    let at = "problem.yaml";
    if let Some(day) = &about.embargo_until {
        packed.report_loss(Loss::Embargo, at, &[day]);
    }
    let roles: Vec<&str> =
        about.credits.keys().map(String::as_str).filter(|role| *role != "authors").collect();
    if !roles.is_empty() {
        packed.report_loss(Loss::Credits, at, &[&roles.join(", ")]);
    }
    let kept = if matches!(source.target, Target::Kattis | Target::Domjudge) { 1 } else { 0 };
    if about.source.len() > kept {
        packed.report_loss(Loss::Sources, at, &[]);
    }
}

fn report_lost_data(source: &PackSource, packed: &mut Packed) -> Result<()> {
    let tests = source.tests;
    for group in tests.root.groups().flat_map(|group| std::iter::once(group).chain(group.groups())) {
        if let Rule::Modern { static_validation: Some(_), .. } = &group.rule {
            packed.report_loss(Loss::StaticCase, format!("data/{}", group.name), &[]);
        }
    }
    let top = |name: &str| name.split('/').next().unwrap_or(name).to_owned();
    let kinds: BTreeSet<String> = tests.validation.iter().map(|one| top(&one.case.name)).collect();
    for kind in kinds {
        packed.report_loss(Loss::ValidationData, format!("data/{kind}"), &[]);
    }
    let mut shown = None;
    let mut texts = None;
    for case in &tests.cases {
        let beside = case_extras(source.package, case)?;
        if [&beside.output, &beside.input_shown, &beside.answer_shown].into_iter().any(Option::is_some) {
            shown.get_or_insert(case);
        }
        if case.hint.is_some() || case.description.is_some() || beside.illustration.is_some() {
            texts.get_or_insert(case);
        }
        let is_large = |path: &&std::path::PathBuf| fs::metadata(path).is_ok_and(|meta| meta.len() >= LARGE);
        for file in [&case.input, &case.answer].into_iter().filter(|file| is_large(file)) {
            packed.report_loss(Loss::Archive, file.to_string_lossy(), &[]);
        }
    }
    let open = tests.cases.iter().find(|case| case.full_feedback && !case.is_sample());
    for (loss, case) in [(Loss::SampleTexts, shown), (Loss::CaseTexts, texts), (Loss::FullFeedback, open)] {
        if let Some(case) = case {
            packed.report_loss(loss, format!("data/{}", case.name), &[]);
        }
    }
    Ok(())
}
