//! When all cases are made: what goes, what is double, what belongs to no rule.

use super::{
    case_plan::root_of,
    generation_run::Run,
    place,
    recipe::{FILE, RecipeCase},
};
use anyhow::Result;
use kopek_base::Digest;
use kopek_engine::package::Finding;
use std::collections::BTreeMap;

/// Removes what was made once and is named no longer; what was changed by hand stays and is reported.
pub(super) fn forget(run: &mut Run) -> Result<()> {
    let mut gone: BTreeMap<String, Digest> = BTreeMap::new();
    for (path, entry) in &run.old.cases {
        if run.new.cases.contains_key(path) {
            continue;
        }
        if is_named(run, path) {
            // It failed this time; what stands there is still ours.
            run.new.cases.insert(path.clone(), entry.clone());
            continue;
        }
        if !entry.ours {
            continue;
        }
        gone.extend(entry.files.iter().map(|(ext, digest)| (format!("{path}.{ext}"), *digest)));
    }
    let groups = run.old.groups.iter().filter(|(path, _)| !run.new.groups.contains_key(*path));
    gone.extend(groups.map(|(path, digest)| (path.clone(), *digest)));
    for (below, digest) in gone {
        if place::remove_ours(&run.data(), &below, &digest)? {
            run.done.removed.push(format!("data/{below}"));
        } else {
            let what = "was generated once, is in no rule now, and was changed since: it stays";
            let finding = Finding::warning(format!("data/{below}"), what);
            run.done.findings.push(finding.hint("remove it, or give it a rule"));
        }
    }
    Ok(())
}

/// Cases with the same input, unless they were wanted equal.
pub(super) fn report_twins(run: &mut Run) {
    let mut first: BTreeMap<Digest, &RecipeCase> = BTreeMap::new();
    for make in &run.recipe.makes {
        let judged = matches!(root_of(&make.path), "sample" | "secret");
        let input = run.new.cases.get(&make.path).and_then(|entry| entry.files.get("in"));
        let Some(input) = input.filter(|_| judged) else { continue };
        match first.get(input) {
            Some(other) if !(make.twin && other.line == make.line) => {
                let what = format!("{} has the same input as {}", make.path, other.path);
                let finding = Finding::warning(FILE, what).at(make.line);
                run.done.findings.push(finding.hint("use `include` to have a case in two groups"));
            }
            Some(_) => (),
            None => drop(first.insert(*input, make)),
        }
    }
}

/// Cases on disk that no rule names.
pub(super) fn report_strays(run: &mut Run) {
    let known = |below: &str| run.done.files.contains_key(&format!("data/{below}")) || is_named(run, below);
    let mut strays = Vec::new();
    for entry in walkdir::WalkDir::new(run.data()).sort_by_file_name().into_iter().filter_map(Result::ok) {
        let below = entry.path().strip_prefix(run.data()).ok().and_then(|path| path.to_str());
        if let Some(below) =
            below.filter(|below| below.ends_with(".in") && !below.contains(".files/") && !known(below))
        {
            strays.push(format!("data/{below}"));
        }
    }
    for stray in strays {
        let finding = Finding::warning(stray, "is a case that no rule of the recipe names");
        run.done.findings.push(finding.hint("remove it, or give it a rule with `copy`"));
    }
}

/// Whether a file belongs to a case that a rule names, made or not.
fn is_named(run: &Run, below: &str) -> bool {
    let case = below.strip_suffix(".in").unwrap_or(below);
    let includes = run.recipe.includes.iter().map(|include| &include.path);
    let kept = run.recipe.kept.iter().map(|(path, _)| path);
    let makes = run.recipe.makes.iter().map(|make| &make.path);
    makes.chain(includes).chain(kept).any(|path| path == case)
}
