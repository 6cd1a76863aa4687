//! `bad`: the one directory in which earlier versions kept whatever validators must refuse. Which of its cases
//! belongs where now: an input alone to `invalid_input`, one with an answer to `invalid_answer`, as later versions
//! read them. One with an output was meant differently over time, and is left to people. Pure.

use super::{
    directory_rules::{ChildKind, ChildRule, DirectoryRule},
    recipe::{RecipeFindings, RecipeInputs},
};

/// The directory.
pub(super) const BAD: &str = "bad";

/// Where its cases belong.
pub(super) const ROOTS_OF_BAD: [&str; 2] = ["invalid_input", "invalid_answer"];

/// Where a case belongs that has files with these extensions; `None`: that cannot be told for certain.
pub(super) fn root_of_bad_case(has: &dyn Fn(&str) -> bool) -> Option<&'static str> {
    match (has("ans"), has("out")) {
        (false, false) => Some(ROOTS_OF_BAD[0]),
        (true, false) => Some(ROOTS_OF_BAD[1]),
        (_, true) => None,
    }
}

/// Puts the cases of `bad` where they belong; what cannot be told is left out, and named.
pub(super) fn split_bad(
    children: Vec<ChildRule>,
    inputs: &RecipeInputs,
    findings: &mut RecipeFindings,
) -> Vec<ChildRule> {
    let (bad, mut others): (Vec<_>, Vec<_>) = children.into_iter().partition(|child| child.key == BAD);
    for child in bad {
        findings.warning(child.line, format!("`{BAD}` is a directory of earlier versions"));
        findings.hint(
            "its cases belong to `invalid_input` and `invalid_answer`: `kopek generate --upgrade` moves them",
        );
        match child.what {
            ChildKind::Directory(rule) => {
                for (root, part) in split_directory(rule, inputs, findings) {
                    add_part(&mut others, root, child.line, part, findings);
                }
            }
            // It is no directory, which is an error of any of them.
            what => others.push(ChildRule { key: ROOTS_OF_BAD[0].into(), what, ..child }),
        }
    }
    others
}

fn split_directory(
    rule: DirectoryRule,
    inputs: &RecipeInputs,
    findings: &mut RecipeFindings,
) -> Vec<(&'static str, DirectoryRule)> {
    let part = |_| DirectoryRule {
        line: rule.line,
        settings: rule.settings.clone(),
        group: rule.group.clone(),
        includes: rule.includes.clone(),
        numbered: rule.numbered,
        children: Vec::new(),
    };
    let mut parts = ROOTS_OF_BAD.map(part);
    let data = format!("data/{BAD}");
    for child in rule.children {
        match root_of_rule(&child, &data, rule.numbered, inputs) {
            Some(root) => {
                let at = usize::from(root == ROOTS_OF_BAD[1]);
                parts[at].children.push(child);
            }
            None => {
                let what = "is left out: what is wrong about it cannot be told for certain";
                findings.warning(child.line, format!("`{BAD}/{}` {what}", child.key));
                findings.hint(
                    "move it to `invalid_input`, `invalid_answer` or `invalid_output`: to what must be refused",
                );
            }
        }
    }
    let parts = ROOTS_OF_BAD.into_iter().zip(parts);
    parts.filter(|(_, part)| !part.children.is_empty()).collect()
}

/// Where a child of a directory of `data/` belongs, with all that is below it.
fn root_of_rule(
    child: &ChildRule,
    above: &str,
    numbered: bool,
    inputs: &RecipeInputs,
) -> Option<&'static str> {
    let path = format!("{above}/{}", child.key);
    match &child.what {
        ChildKind::Case(case) => {
            let copied = case.copy.as_deref();
            let is_known = copied.is_none_or(|path| inputs.looked_through(path));
            let is_copied = |ext: &str| copied.is_some_and(|path| inputs.has_judged(path, ext));
            let has =
                |ext: &str| case.literals.contains_key(ext) || case.links.contains_key(ext) || is_copied(ext);
            root_of_bad_case(&has).filter(|_| is_known)
        }
        // The number in the name of its files is that of another order.
        ChildKind::Kept if numbered => None,
        ChildKind::Kept => root_of_bad_case(&|ext| inputs.has_judged(&path, ext)),
        ChildKind::Directory(below) => {
            let mut roots =
                below.children.iter().map(|child| root_of_rule(child, &path, below.numbered, inputs));
            let first = roots.next().unwrap_or(Some(ROOTS_OF_BAD[0]));
            first.filter(|_| roots.all(|root| root == first))
        }
    }
}

/// Adds a part of `bad` to the directory where it belongs, if there is one already.
fn add_part(
    children: &mut Vec<ChildRule>,
    root: &str,
    line: u32,
    part: DirectoryRule,
    findings: &mut RecipeFindings,
) {
    let Some(known) = children.iter_mut().find(|child| child.key == root) else {
        children.push(ChildRule { key: root.into(), line, what: ChildKind::Directory(part) });
        return;
    };
    match &mut known.what {
        ChildKind::Directory(rule) if rule.numbered == part.numbered && part.says_nothing_itself() => {
            rule.children.extend(part.children);
            match rule.numbered {
                true => rule.children.sort_by_key(|child| child.line),
                false => rule.children.sort_by(|a, b| a.key.cmp(&b.key)),
            }
        }
        ChildKind::Directory(_) | ChildKind::Case(_) | ChildKind::Kept => {
            findings
                .error(line, format!("`{BAD}` cannot be read as a part of `{root}`, which stands here, too"));
            findings.hint(format!(
                "move its cases there by hand: both lists, or both maps, and no settings of `{BAD}`"
            ));
        }
    }
}

impl DirectoryRule {
    /// Whether it only holds what is below it.
    fn says_nothing_itself(&self) -> bool {
        let settings = &self.settings;
        self.group.is_none()
            && self.includes.is_empty()
            && settings.solution.is_none()
            && settings.salt.is_none()
            && settings.retries.is_none()
    }
}
