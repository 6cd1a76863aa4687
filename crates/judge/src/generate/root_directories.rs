//! The directories of `data/`: their names now and in earlier versions, and their order.

use super::{
    directory_rules::{ChildKind, ChildRule, DirectoryRule},
    recipe::{LAST_UPGRADE, RecipeFindings},
};

/// Children of `data/`, in processing order.
const ROOTS: [&str; 8] = [
    "sample",
    "secret",
    "invalid_output",
    "invalid_answer",
    "invalid_input",
    "valid_output",
    "testing_tool_test",
    "fuzz",
];

/// Their names in recipes of earlier versions.
pub(super) const OLD_ROOTS: [(&str, &str); 4] = [
    ("invalid_inputs", "invalid_input"),
    ("invalid_answers", "invalid_answer"),
    ("invalid_outputs", "invalid_output"),
    ("valid_outputs", "valid_output"),
];

/// Advice for the directory in which earlier versions kept inputs, answers and outputs that validators must refuse.
const MOVE_BAD: &str = "move its cases to `invalid_input`, `invalid_answer` or `invalid_output`";

/// Gives the children of `data/` their current names, in processing order; an unknown child is an error.
pub(super) fn order_roots(root: &mut DirectoryRule, findings: &mut RecipeFindings) {
    for child in &mut root.children {
        if let Some((old, new)) = OLD_ROOTS.iter().find(|(old, _)| *old == child.key) {
            findings.warning(child.line, format!("`{old}` belongs to earlier versions"));
            findings.hint(format!("write `{new}`"));
            child.key = (*new).to_owned();
        }
    }
    // An empty directory needs no work.
    root.children.retain(|child| !matches!(child.what, ChildKind::Kept));
    let place = |child: &ChildRule| ROOTS.iter().position(|name| *name == child.key);
    for child in root.children.iter().filter(|child| place(child).is_none()) {
        findings.error(child.line, format!("`{}` is not a directory of `data/`", child.key));
        findings.hint(match child.key.as_str() {
            "bad" => format!("{MOVE_BAD}; {LAST_UPGRADE}"),
            _ => format!("there are {}", ROOTS.join(", ")),
        });
    }
    root.children.retain(|child| place(child).is_some());
    root.children.sort_by_key(place);
    for child in &root.children {
        if matches!(child.what, ChildKind::Case(_)) {
            findings.error(child.line, format!("`{}` must be a directory, not a test case", child.key));
        }
    }
}
