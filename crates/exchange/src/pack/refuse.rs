//! Refuses packages that a system cannot judge: any zip would judge something else.

use super::{
    losses::{Loss, NoteEffect},
    own_comparison::{unknown_arguments, varying_arguments},
    own_grading::{find_sum_group, find_unbounded, folds_groups},
    target::Target,
};
use kopek_package::package::{Format, Judge, Package, TestSet};

/// Why a package cannot be packed for a system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{package} cannot be packed for {target}:{}", .reasons.iter().map(|why| format!("\n  {why}")).collect::<String>())]
pub struct PackRefusal {
    pub package: String,
    pub target: &'static str,
    pub reasons: Vec<String>,
}

/// Fails if the target cannot judge the problem.
pub fn refuse(package: &Package, tests: &TestSet, target: Target) -> Result<(), PackRefusal> {
    let notes = find_hindrances(package, tests, target).into_iter().filter_map(|(loss, detail)| {
        let note = loss.note(target, "", &[&detail])?;
        (note.weight == NoteEffect::Refused).then(|| format!("{}: {}", note.what, note.instead))
    });
    let reasons: Vec<String> = notes.collect();
    if reasons.is_empty() {
        return Ok(());
    }
    Err(PackRefusal { package: package.name.clone(), target: target.name(), reasons })
}

/// Features of the package that some target refuses.
fn find_hindrances(package: &Package, tests: &TestSet, target: Target) -> Vec<(Loss, String)> {
    if package.format == Format::Legacy {
        let loss = if package.kind.scoring { Loss::LegacyScoring } else { Loss::LegacyVersion };
        return vec![(loss, String::new())];
    }
    let named = |case: &kopek_package::package::Case| case.name.clone();
    let holds = |fact: bool| fact.then(String::new);
    let pdf = package.dir.join("statement").read_dir().ok().into_iter().flatten().flatten();
    let has_pdf = pdf.into_iter().any(|file| file.file_name().to_string_lossy().ends_with(".pdf"));
    let all = [
        (Loss::DraftVersion, holds(is_draft(package))),
        (Loss::DraftGroups, holds(package.data != package.format)),
        (Loss::NamedFiles, holds(package.named_files.is_some())),
        (Loss::SubmitAnswer, holds(package.kind.submit_answer)),
        (Loss::MultiPass, holds(package.kind.multi_pass)),
        (Loss::Interactive, holds(package.kind.interactive)),
        (Loss::CaseArguments, tests.cases.iter().find(|case| !case.arguments.args.is_empty()).map(named)),
        (Loss::CaseFiles, tests.cases.iter().find(|case| case.files.is_some()).map(named)),
        (Loss::Include, holds(!package.include.is_empty())),
        (Loss::FoldedGroups, holds(folds_groups(tests))),
        (Loss::SumGroup, find_sum_group(tests)),
        (Loss::UnboundedScore, find_unbounded(package, tests)),
        (Loss::OwnValidator, holds(has_own_validator(package))),
        (Loss::ComparisonArguments, unknown_arguments(package, tests, target)),
        (Loss::ValidatorArguments, varying_arguments(tests)),
        (Loss::NoPdf, holds(!has_pdf)),
    ];
    all.into_iter().filter_map(|(loss, detail)| Some((loss, detail?))).collect()
}

/// Whether outputs are checked by a program. Interactive and multi-pass problems always have one.
fn has_own_validator(package: &Package) -> bool {
    let kind = &package.kind;
    matches!(package.judge, Judge::Programs { .. }) && !kind.interactive && !kind.multi_pass
}

/// Whether the version is a draft: kopek reads it as the final version, other readers refuse it.
fn is_draft(package: &Package) -> bool {
    let text = std::fs::read_to_string(package.dir.join("problem.yaml")).unwrap_or_default();
    let version = text.lines().find_map(|line| line.strip_prefix("problem_format_version:"));
    let Some(version) = version else { return false };
    let version = version.split('#').next().unwrap_or_default().trim();
    version.trim_matches(['"', '\'']) != "2025-09"
}
